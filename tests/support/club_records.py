"""Records of deals that bots played."""

from __future__ import annotations

from collections.abc import Sequence

from rum500 import Ruleset, bots
from rum500.record import DealRecorder, Record
from rum500.rng import Rng
from rum500.rules.action_codes import code_of


def played_record(
    rules: Ruleset, players: int, levels: Sequence[str], seed: int, deals: int = 1, totals: Sequence[int] = ()
) -> Record:
    """Some deals of a match between these levels, which take the seats in turn."""
    record = Record(rules, players)
    minds = [bots.get(levels[seat % len(levels)]) for seat in range(players)]
    before = tuple(totals) or (0,) * players
    for number in range(deals):
        rng = Rng(seed).spawn(number)
        deck = list(rules.deck(players))
        for i in range(len(deck) - 1, 0, -1):
            k = rng.below(i + 1)
            deck[i], deck[k] = deck[k], deck[i]
        recorder = DealRecorder(record, deck, number % players, before, seed)
        state = recorder.state
        while not state.is_over:
            recorder.apply(code_of(minds[state.actor].choose(state.view(state.actor), rng)))
        assert state.result is not None
        points = state.result.points
        before = tuple(
            before[seat] + sum(points[one] for one in range(players) if rules.side(one) == rules.side(seat))
            for seat in range(players)
        )
    return record
