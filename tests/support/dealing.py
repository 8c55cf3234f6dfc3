"""Random deals, each with checks that are cheap."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from rum500.rng import Rng
from rum500.rules.engine.core import PHASE_OVER, Moves
from rum500.state import State
from rum500.state.core_setup import new_core
from tests.support.checks import check_actions, check_cards, check_end, check_points, dump

if TYPE_CHECKING:
    from rum500 import Ruleset

MOST_PLAYS = 20_000
"""More plays than any deal has: each of 108 cards may be drawn, laid or discarded a few dozen times."""


def check_deals(rules: Ruleset, deals: int, seed: int, sample: int = 0) -> tuple[int, int, Counter[str]]:
    """Play random deals with every number of players; all are checked at their end, some throughout.

    Every `sample`-th is checked at each play, none if it is 0. Returns the number of deals, of plays, and
    the deals by the reason of their end.
    """
    moves, plays, reasons = Moves(), 0, Counter[str]()
    seeds = Rng(seed).spawn(*rules.name.encode())
    tables = [
        (new_core(rules, players), State(rules, new_core(rules, players)), Counter(rules.deck(players)))
        for players in rules.players
    ]
    for number in range(deals):
        fresh, state, deck = tables[number % len(tables)]
        deal_seed = seeds.spawn(number).next64()
        core = state.core
        core.copy_from(fresh)
        core.shuffle(deal_seed)
        core.start(number % core.n)
        if sample and number % sample == 0:
            plays += _play_with_checks(state, deck, random.Random(deal_seed))
        else:
            plays += core.playout(moves, deal_seed)
        check_cards(state, deck)
        check_points(state)
        check_end(state)
        result = state.result
        assert result is not None
        reasons[result.reason] += 1
    return deals, plays, reasons


def _play_with_checks(state: State, deck: Counter[int], chance: random.Random) -> int:
    """Play on at random; check cards and points at each play, and sometimes the actions and a copy."""
    for number in range(MOST_PLAYS):
        if state.is_over:
            return number
        check_cards(state, deck)
        check_points(state)
        if chance.random() < 0.1:
            check_actions(state, chance)
            check_copy(state, chance)
        state.apply(chance.choice(state.legal_ints()))
    raise AssertionError("the deal goes on for ever")


def check_copy(state: State, chance: random.Random) -> None:
    """Check that a copy is the same deal, and that playing it on does not change the original."""
    twin = state.copy()
    before = dump(state.core)
    assert dump(twin.core) == before
    twin.core.playout(Moves(), chance.getrandbits(64))
    assert twin.core.phase == PHASE_OVER
    assert dump(state.core) == before
    after = dump(twin.core)
    state.copy().apply(chance.choice(state.legal_ints()))
    assert dump(twin.core) == after and dump(state.core) == before
