"""Records of random matches."""

from __future__ import annotations

import random
from collections.abc import Callable

from rum500 import Ruleset
from rum500.record import DealRecorder, Record, RecordWriter

NAMES = ("North", "East", "South", "West", "Ann B.", "Bo 2", "Zoë", "Di")


def random_record(
    rules: Ruleset,
    players: int,
    seed: int,
    *,
    deals: int = 1,
    stop: int | None = None,
    write: Callable[[str], object] | None = None,
) -> Record:
    """A match of some deals; the last one breaks off after `stop` plays. `write` gets it as it is played."""
    chance = random.Random(seed)
    tags = [("Date", "2026-01-01"), ("Draw for deal", "North 5S, East KD")]
    record = Record(rules, players, NAMES[:players], tags)
    writer = RecordWriter(Record(rules, players, NAMES[:players], tags), write) if write else None
    totals, dealer = (0,) * players, chance.randrange(players)
    for number in range(1, deals + 1):
        deck = rules.deck(players)
        chance.shuffle(deck)
        recorder = DealRecorder(record, deck, dealer, totals, seed, [("Cut", "23")])
        if writer:
            writer.begin_deal(deck, dealer, totals, [("Cut", "23")])
        _play(recorder, writer, chance, stop if number == deals else None)
        if recorder.state.result is None:
            break
        points, seats = recorder.state.result.points, range(players)
        totals = tuple(
            totals[s] + sum(points[o] for o in seats if rules.side(o) == rules.side(s)) for s in seats
        )
        dealer = (dealer + 1) % players
    if writer:
        writer.close()
    return record


def _play(
    recorder: DealRecorder, writer: RecordWriter | None, chance: random.Random, stop: int | None
) -> None:
    while not recorder.state.is_over and (stop is None or len(recorder.deal.plays) < stop):
        legal = recorder.state.legal_ints()
        busy = [code for code in legal if code & 15 >= 7 or code & 15 in (4, 5)]
        recorder.apply(chance.choice(busy if busy and chance.random() < 0.5 else legal))
        play = recorder.deal.plays[-1]
        if writer:
            writer.play(play.action, play.restock)
