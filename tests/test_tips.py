"""The tip about high cards: it is no mistake by the review, where it is given."""

from __future__ import annotations

from itertools import count

import pytest

from rum500 import bots, deal, ruleset
from rum500.review.judge import Judge
from rum500.review.verdict import BUDGETS, Mark
from rum500.rng import Rng
from rum500.rules.action_codes import lays_cards
from tests.support.depth import depth

FEW = 3
"""Somebody who holds so few cards may go out soon."""


@pytest.mark.compiled
def test_laying_the_most_points_is_no_mistake_when_another_of_three_may_go_out_soon() -> None:
    rules, club, marks, most = ruleset("500-rum"), bots.get("club"), list[Mark](), depth(12, 60)
    for seed in count(1):
        state = deal(rules, 3, seed=seed)
        while not state.is_over and len(marks) < most:
            view = state.view(state.actor)
            lays = [code for code in view.legal if lays_cards(code)]
            if state.actor == 0 and lays and min(view.hand_sizes[1:]) <= FEW:
                best = max(lays, key=state.core.points)
                verdict = Judge(BUDGETS["quick"]).judge(view, best, seed, len(view.past) + 1)
                marks += [verdict.mark] if verdict else []
            state.apply_int(club.choose_int(view, Rng(1)))
        if len(marks) == most:
            break
    assert not {Mark.MISTAKE, Mark.BLUNDER} & set(marks)
