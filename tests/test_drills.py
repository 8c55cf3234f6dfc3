"""Drills: the kinds of their questions, the seed, and the scores of answers."""

from __future__ import annotations

import pytest

from rum500 import ruleset
from rum500.puzzles.drills import (
    FEW,
    Drill,
    DrillKind,
    count_score,
    counted,
    decision,
    guess_loss,
    guess_score,
    play_score,
    sought,
)
from rum500.review.stakes import deviation
from rum500.review.verdict import Mark
from rum500.rules.action_codes import action_kind, lays_cards
from rum500.rules.actions import ActionKind
from rum500.rules.profiles import profile_names
from rum500.view import Phase, View
from tests.support.depth import depth

GAMES = depth(
    [("500-rum", 2), ("rummy-500", 4), ("partnership-500-rum", 4)],
    [(name, players) for name in profile_names() for players in ruleset(name).players],
)


def fewest(view: View) -> int:
    """The fewest cards that another seat holds."""
    return min(size for seat, size in enumerate(view.hand_sizes) if seat != view.seat)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_questions_are_of_their_kind(name: str, players: int):
    rules, number = ruleset(name), 2
    draw, lay, discard = (
        decision(Drill(kind, rules, players, 5), number)
        for kind in (DrillKind.DRAW, DrillKind.LAY, DrillKind.DISCARD)
    )
    assert draw.phase is Phase.DRAW
    assert {ActionKind.DRAW, ActionKind.TAKE} <= {action_kind(code) for code in draw.legal}
    kinds = {action_kind(code) for code in lay.legal}
    assert ActionKind.DISCARD in kinds
    assert len(kinds) > 1
    assert {action_kind(code) for code in discard.legal} == {ActionKind.DISCARD}
    salt, late, stock, collect = (
        decision(Drill(kind, rules, players, 5), number)
        for kind in (DrillKind.SALT, DrillKind.LATE, DrillKind.STOCK, DrillKind.COLLECT)
    )
    assert {action_kind(code) for code in salt.legal} & {ActionKind.MELD_RUN, ActionKind.MELD_SET}
    assert fewest(salt) > FEW
    assert any(lays_cards(code) for code in late.legal)
    assert fewest(late) <= FEW
    assert any(lays_cards(code) for code in stock.legal)
    assert stock.stock <= 2 * players
    assert {action_kind(code) for code in collect.legal} == {ActionKind.DISCARD}
    assert any(cards for seat, cards in enumerate(collect.known) if seat != collect.seat)
    found = counted(Drill(DrillKind.COUNT, rules, players, 5), number)
    assert sum(line.points for line in found.lines) == found.points
    who = sought(Drill(DrillKind.WHO, rules, players, 5), number)
    seen = (*who.view.hand, *who.view.pile, *(one.card for meld in who.view.melds for one in meld.cards))
    known = [card for hand in who.view.known for card in hand]
    assert rules.deck(players).count(who.card) == 1 + seen.count(who.card) + known.count(who.card)
    assert sum(who.chances) == pytest.approx(1)
    assert len(who.chances) == players
    assert min(who.chances) >= 0


def test_a_question_follows_from_drill_and_number():
    drill = Drill(DrillKind.DISCARD, ruleset("500-rum"), 2, 5)
    first = decision(drill, 1)
    decision.cache_clear()
    assert decision(drill, 1) == first
    assert decision(drill, 2) != first
    assert decision(Drill(DrillKind.DISCARD, ruleset("500-rum"), 2, 6), 1) != first


def test_scores():
    rules = ruleset("500-rum")
    blunder = 0.25 * deviation(rules, 2)
    losses = (0.2 * blunder, 0.5 * blunder, blunder, 3 * blunder)
    assert [play_score(rules, 2, Mark.MISTAKE, loss) for loss in losses] == [80, 50, 0, 0]
    assert play_score(rules, 2, Mark.GOOD, 0.1 * blunder) == 100
    assert (count_score(35, 35), count_score(35, 30)) == (100, 0)
    assert [guess_score(loss) for loss in (0, 1, 2)] == [100, 50, 25]
    assert guess_loss([0.25, 0.75], [25, 75]) < 0.001
    assert guess_loss([1.0, 0.0], [0, 1]) == pytest.approx(7.64, abs=0.01)
    assert guess_loss([1.0, 0.0], [0, 0]) == pytest.approx(1.0)
