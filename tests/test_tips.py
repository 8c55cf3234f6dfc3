"""Tips and lessons: what they advise is no mistake by the review, where they are shown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from rum500 import bots, deal, decode, ruleset
from rum500.cards import rank_of, suit_of
from rum500.puzzles.lesson import lessons
from rum500.review.judge import Judge
from rum500.review.loss_reasons import cards_put_away
from rum500.review.verdict import BUDGETS, Mark
from rum500.rng import Rng
from rum500.rules.action_codes import action_kind, discarded_card, lays_cards, opens_meld
from rum500.rules.actions import ActionKind
from rum500.view import Phase, View
from tests.support.depth import depth

TIPS = json.loads((Path(__file__).parent.parent / "web/src/lib/pages/learn/tips.json").read_text())
MANY = 12
"""With this many cards a player is far from going out."""
EARLY = 16
"""With this many cards in the stock a deal has just begun."""
SIZES = {"two": (2,), "many": (3, 4), "sides": (4,), "all": ()}
"""The numbers of players at the tables that a tip is for."""


def others(view: View) -> list[int]:
    """The numbers of cards of the other seats."""
    return [size for seat, size in enumerate(view.hand_sizes) if seat != view.seat]


def discards(view: View) -> list[int]:
    return [code for code in view.legal if action_kind(code) is ActionKind.DISCARD]


def ready(view: View) -> set[int]:
    """The cards of ready melds."""
    return {card for code in view.legal if opens_meld(code) for card in cards_put_away(decode(code))}


def bait(view: View) -> list[int]:
    """Early, while the other holds many cards: throw a card of a ready meld."""
    if view.stock < EARLY:
        return []
    return [
        code for code in discards(view) if min(others(view)) >= MANY and discarded_card(code) in ready(view)
    ]


def hold(view: View) -> list[int]:
    """While the other holds many cards: lay nothing."""
    return discards(view) if min(others(view)) >= MANY and ready(view) else []


def in_time(view: View) -> list[int]:
    """When the other holds a single card: lay."""
    return [code for code in view.legal if lays_cards(code)] if others(view) == [1] else []


def not_collected(view: View) -> list[int]:
    """Throw a card that does not fit what the other took and keeps."""
    known = [card for seat, cards in enumerate(view.known) if seat != view.seat for card in cards]
    if not known:
        return []
    return [code for code in discards(view) if not any(fits(discarded_card(code), card) for card in known)]


def fits(card: int, other: int) -> bool:
    """Whether two cards have one rank, or are neighbours of a suit."""
    if rank_of(card) == rank_of(other):
        return True
    return suit_of(card) == suit_of(other) and abs(rank_of(card) - rank_of(other)) <= 1


ADVISED: dict[str, Callable[[View], list[int]]] = {
    "bait": bait,
    "hold": hold,
    "time": in_time,
    "collect": not_collected,
}
"""The plays that are as advised in a position; empty where nothing is advised."""


def positions(advice: str, game: str, players: int) -> Iterator[tuple[View, list[int]]]:
    """One position of each deal of `club` in which something is advised, and the advised plays."""
    club = bots.get("club")
    for seed in count(1):
        state, found = deal(ruleset(game), players, seed=seed), list[tuple[View, list[int]]]()
        while not state.is_over:
            view = state.view(state.actor)
            if view.phase is Phase.PLAY and view.must_use is None and len(view.legal) > 1:
                plays = ADVISED[advice](view)
                if 0 < len(plays) < len(view.legal):
                    found.append((view, plays))
            state.apply_int(club.choose_int(view, Rng(1)))
        if found:
            yield found[seed % len(found)]


def marks(advice: str, game: str, players: int, most: int) -> Counter[Mark]:
    """Return how often each mark occurs among the best advised plays of `most` positions."""
    found, judge = Counter[Mark](), Judge(BUDGETS["quick"])
    for number, (view, plays) in zip(range(1, most + 1), positions(advice, game, players), strict=False):
        verdict = judge.judge(view, plays[0], 1, number)
        assert verdict is not None
        best = next((one.code for one in verdict.candidates if one.code in plays), plays[0])
        verdict = judge.judge(view, best, 1, number)
        if verdict and verdict.mark in (Mark.MISTAKE, Mark.BLUNDER):  # close to a bound, chance could decide
            verdict = Judge(BUDGETS["deep"]).judge(view, best, 1, number)
        assert verdict is not None
        found[verdict.mark] += 1
    return found


def test_each_lesson_and_each_tip_for_some_games_advises_a_play() -> None:
    names = {"salt": "bait", "lay": "time"}
    counted = {"stock"}  # its sentence to remember advises no play
    assert {names.get(one.name, one.name) for one in lessons()} == ADVISED.keys() | counted
    assert {tip["id"] for tip in TIPS if tip["games"]} <= ADVISED.keys()


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("advice", "game", "players"),
    sorted(
        {(tip["id"], game, size) for tip in TIPS for game in tip["games"] for size in SIZES[tip["for"]]}
        | {(advice, "500-rum", 2) for advice in ADVISED}
    ),
)
def test_advice_is_no_mistake_where_it_is_shown(advice: str, game: str, players: int) -> None:
    found = marks(advice, game, players, depth(2, 100))
    assert found[Mark.BLUNDER] + found[Mark.MISTAKE] <= depth(0, 5), found
