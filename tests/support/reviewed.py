"""Deals played by bots, as a review sees them."""

from __future__ import annotations

from collections.abc import Sequence

from rum500 import Ruleset
from rum500.bots import get, rng_for
from rum500.record import DealRecorder, Record
from rum500.rng import Rng


def bots_record(
    rules: Ruleset,
    bots: Sequence[str],
    seed: int,
    *,
    deals: int = 1,
    most: int = 10_000,
) -> Record:
    """A record of deals that these bots play, by seat; each deal breaks off after `most` plays."""
    players = len(bots)
    record, seated = Record(rules, players), [get(name) for name in bots]
    for number in range(deals):
        deck = rules.deck(players)
        Rng(seed).spawn(number).shuffle(deck)
        recorder = DealRecorder(record, deck, number % players, (0,) * players, seed)
        state, chances = recorder.state, [rng_for(seed, number, seat) for seat in range(players)]
        while not state.is_over and len(recorder.deal.plays) < most:
            recorder.apply(seated[state.actor].choose(state.view(state.actor), chances[state.actor]))
    return record
