"""Counts that every correct implementation gives (RULEBOOK section 5), made by the engine."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import pytest

from rum500 import Ruleset, deal
from rum500.cards import JOKER, pack
from rum500.rules.engine.core import MELD_RUN, MELD_SET, Core, Moves
from rum500.rules.profiles import ruleset
from rum500.state.core_setup import new_core
from tests.support.bridge import laid

JOKER_SET = MELD_SET | 14 << 4


def new_melds(core: Core, cards: list[int]) -> list[int]:
    """Every new meld that the engine makes of these cards."""
    counts, moves = Counter(cards), Moves()
    once = sum(1 << card for card in counts if card != JOKER)
    twice = sum(1 << card for card, copies in counts.items() if card != JOKER and copies == 2)
    core.gen_plays(moves, once, twice, counts[JOKER], -1)
    return moves.actions()


def all_melds(rules: Ruleset, players: int) -> list[int]:
    """Every new meld of the whole deck."""
    return new_melds(new_core(rules, players), rules.deck(players))


def card_sets(melds: list[int]) -> set[tuple[str, ...]]:
    """The melds as collections of cards, whatever they are read as."""
    return {tuple(sorted(card for card, _ in laid(meld))) for meld in melds}


def runs(melds: list[int]) -> list[int]:
    return [meld for meld in melds if meld % 16 == MELD_RUN]


def jokers_apart(melds: list[int]) -> int:
    """How many melds there are when the four jokers are told apart: each set of jokers in all its ways."""
    kinds = [meld >> 8 & 255 for meld in melds if meld & 255 == JOKER_SET]
    return len(card_sets(melds)) - len(kinds) + sum(comb(4, cards) for cards in kinds)


def test_melds_of_a_pack() -> None:
    """369 as cards: 65 sets and 304 runs of 3 to 13 cards; 373 as plays, since an A-to-K run is two (D4)."""
    melds = all_melds(ruleset("500-rum"), 4)
    assert (len(melds), len(set(melds)), len(card_sets(melds))) == (373, 373, 369)
    sizes = Counter(len(cards) for cards in card_sets([meld for meld in melds if meld % 16 == MELD_SET]))
    assert sizes == {3: 52, 4: 13}
    lengths = Counter(len(cards) for cards in card_sets(runs(melds)))
    assert [lengths[n] for n in range(3, 14)] == [4 * n for n in (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1)]
    assert lengths.total() == 304


def test_ace_high_only() -> None:
    melds = all_melds(ruleset("500-rum", ace="high", ace_low=0), 4)
    assert (len(card_sets(runs(melds))), len(card_sets(melds))) == (264, 329)


@pytest.mark.parametrize(
    ("name", "cards", "plays", "apart"),
    [
        ("persian-rummy", 371, 375, 374),
        ("persian-rummy-fosdick", 371, 375, 374),
        ("persian-rummy-gamerules", 331, 331, 334),
    ],
)
def test_persian_packs(name: str, cards: int, plays: int, apart: int) -> None:
    """Jokers alike (D20), as plays, and told apart (R-MELD-4)."""
    melds = all_melds(ruleset(name), 4)
    assert (len(card_sets(melds)), len(melds), jokers_apart(melds)) == (cards, plays, apart)


def test_two_packs_with_suits_repeated() -> None:
    """D20: 455 sets where a suit may come twice, 65 where it may not (D2); runs are as with one pack (D4)."""
    repeated, distinct = all_melds(ruleset("500-rummy"), 5), all_melds(ruleset("500-rum"), 5)
    assert len([meld for meld in repeated if meld % 16 == MELD_SET]) == 455
    assert len([meld for meld in distinct if meld % 16 == MELD_SET]) == 65
    assert len(runs(repeated)) == len(runs(distinct)) == 308


def test_wild_jokers() -> None:
    """`rummy-500`, 54 cards: 9,703 new melds with what each joker stands for (R-MELD-5, D9)."""
    melds = all_melds(ruleset("rummy-500"), 4)
    assert (len(melds), len(set(melds)), len(runs(melds))) == (9703, 9703, 9196)
    assert len(melds) - len(runs(melds)) == 507


@pytest.mark.parametrize(("size", "hands", "found"), [(3, 22_100, 100), (4, 270_725, 57)])
def test_hands_that_are_melds(size: int, hands: int, found: int) -> None:
    core, moves = new_core(ruleset("500-rum"), 4), Moves()
    masks = [sum(cards) for cards in combinations([1 << card for card in pack()], size)]
    whole = 0
    for mask in masks:
        moves.n = 0
        core.gen_plays(moves, mask, 0, 0, -1)
        whole += moves.n > 0 and any(core.meld_count(meld) == size for meld in moves.actions())
    assert (len(masks), whole) == (hands, found)


def test_persian_deal() -> None:
    """56 cards: 28 dealt, one turned up, 27 in the stock (R-DEAL-2, R-DEAL-3)."""
    state = deal(ruleset("persian-rummy"), players=4, seed=1)
    assert (sum(map(len, state.hands)), len(state.pile), len(state.stock)) == (28, 1, 27)


@pytest.mark.parametrize(
    ("name", "changes", "points"),
    [
        ("500-rummy", {}, 380),
        ("500-rummy", {"low_cards": "pips", "ace_low": 1}, 396),
        ("500-rum", {}, 396),
        ("persian-rummy-fosdick", {}, 460),
    ],
)
def test_points_in_a_pack(name: str, changes: dict[str, Any], points: int) -> None:
    """F: all aces high the pack holds 380 points, 396 by pips, Persian 460 (R-SCORE-2)."""
    rules = ruleset(name, **changes)
    core = new_core(rules, 4)
    core.h1 = [sum(1 << card for card in pack()), *[0] * 7]
    core.hj = [rules.jokers, *[0] * 7]
    assert core.held(0) == points
