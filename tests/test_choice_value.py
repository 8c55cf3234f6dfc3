"""What knowing hidden cards is worth: those who know, know the truth, and choose better for it."""

from __future__ import annotations

import argparse
import re

import pytest

from tools.choice_value import choices, knowing, main


def given(profile: str, players: int) -> argparse.Namespace:
    return argparse.Namespace(bot="greedy", profile=profile, players=players, deals=4, share=0.2, seed=3)


@pytest.mark.parametrize(
    ("profile", "players"), [("partnership-500-rum", 4), ("persian-rummy", 4), ("500-rum", 6)]
)
def test_who_knows_hands_draws_them_as_they_are(profile: str, players: int) -> None:
    looked_at = 0
    for choice in choices(given(profile, players)):
        state, me = choice.state, choice.state.actor
        others = [seat for seat in range(players) if seat != me]
        for known in (others[:1], others):
            world = knowing(choice, known).world(7)
            for seat in (me, *known):
                assert world.hand_cards(seat) == list(state.hands[seat])
            assert world.hn[:players] == state.core.hn[:players]
        some = knowing(choice, others[:1])
        hidden = [some.world(seed).hand_cards(others[1]) for seed in range(9)]
        looked_at += any(hand != list(state.hands[others[1]]) for hand in hidden)
    assert looked_at > 3


@pytest.mark.whole
@pytest.mark.compiled
def test_knowing_all_hands_pays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["greedy", "--deals", "10", "--worlds", "64"]) == 0
    table = capsys.readouterr().out
    gain = re.search(r"knowing all hands \| \+([0-9.]+) ", table)
    assert gain and float(gain[1]) > 1, table
    assert table.count("\n| ") == 7
