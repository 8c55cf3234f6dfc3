"""Rare situations at a real server, made from a stacked pack and the plays that lead there, written as a log.

A table is what its log says, so a log written into the database makes a table. Only a check of the shuffle
can tell it from a played one, because no seed gives the order of a stacked pack.
"""

from __future__ import annotations

import json
import random
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import msgspec
from sqlalchemy import insert

from rum500.cards import cards_from_text
from rum500.match import CutNeeded, DrawNeeded, PlayNeeded, ShuffleNeeded
from rum500.match.draw_for_deal import draw_rank
from rum500.record import digest
from rum500.rules.action_codes import encode
from rum500.rules.actions import Discard
from rum500.rules.notation import parse_play
from rum500.server.live.log import entries as log
from rum500.server.live.log.table_log import lobby_fields
from rum500.server.live.log.table_options import rules_for
from rum500.server.live.log.table_state import TableState
from rum500.server.messages.options import TableOptions
from rum500.store import StoredEntry
from rum500.store._sqlite_file import writing_engine
from rum500.store.paths import DATABASE
from rum500.store.schema import entries, people, tables
from tests.support.live_server import Guest, LiveServer

ROUND = ("draw", "discard")
"""A turn in which the drawn card is discarded."""


@dataclass(frozen=True)
class Situation:
    """A deal up to a certain decision.

    `hands` (by seat, as dealt), `upcard` and `stock` (next card first) are the part of the pack that matters;
    the other cards are in any order. `plays` are made by the seat that must decide, as typed; `discard` alone
    discards the card just drawn, and nobody calls "Rummy!". Seat `first` begins. `each_took_ms` is the time
    before every play, for the clocks.
    """

    profile: str
    hands: tuple[str, ...]
    plays: tuple[str, ...] = ()
    upcard: str = ""
    stock: str = ""
    players: int = 2
    first: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    each_took_ms: int = 0


def lay_out(server: LiveServer, situation: Situation, *guests: Guest) -> str:
    """Write a new table at which these guests, at the first seats, are in this situation; return its id."""
    writer = _Writer(situation, guests)
    for line in writer.lines():
        writer.write(line)
    _store(server, writer)
    return writer.state.table


class _Writer:
    """A log that grows entry by entry, and the table that it describes."""

    def __init__(self, situation: Situation, guests: Sequence[Guest]) -> None:
        self.situation, self.guests = situation, guests
        self.state = TableState(secrets.token_urlsafe(16))
        self.entries: list[StoredEntry] = []

    def write(self, line: log.LogEntry) -> None:
        """Add an entry, as the server does."""
        entry = log.to_stored(self.state.number + 1, 1_800_000_000_000, line, None, None)
        self.entries.append(entry)
        self.state.apply(entry, line)

    def lines(self) -> Iterator[log.LogEntry]:
        """Yield all entries; each must be written before the next is requested."""
        yield from self._seats()
        while not isinstance(asked := self._match.decision, PlayNeeded):
            yield from self._before_the_deal(asked)
        for text in self.situation.plays:
            if self.state.claims:
                yield log.LetGone([self.state.seating[claim.seat] for claim in self.state.claims])
            yield self._play(text)

    @property
    def _match(self) -> Any:
        return self.state.match

    def _seats(self) -> Iterator[log.LogEntry]:
        one, host = self.situation, self.guests[0]
        options = TableOptions(
            profile=one.profile, players=one.players, private=True, bot_pause_ms=5, **one.options
        )
        yield log.Created(options, host.me["id"], "5" * 16, digest(rules_for(options)[0]), version("rum500"))
        for seat in range(one.players):
            if seat < len(self.guests):
                guest = self.guests[seat].me
                yield log.Sat(seat, guest["id"], guest["name"])
            else:
                yield log.BotSat(seat, "greedy", ("Ada", "Emmy", "Carl", "Blaise")[seat])
        yield log.Began(list(range(one.players)))

    def _before_the_deal(self, asked: Any) -> Iterator[log.LogEntry]:
        """Yield the draw for deal, after which the seat before `first` deals and everybody stays in place."""
        if isinstance(asked, ShuffleNeeded):
            yield log.Committed(self.state.shuffles.count + 1, "5" * 64)
            spread = sorted(asked.cards, key=draw_rank)
            cards = spread if asked.purpose == "draw" else self._stacked(list(asked.cards))
            yield log.Shuffled([""] * self.situation.players, cards)
        elif isinstance(asked, DrawNeeded):
            offset = (asked.seat - self.situation.first + 1) % self.situation.players
            rank = {0: 0, 2: 1, 1: 2}.get(offset, offset)  # two and no one's neighbour are partners
            pack = sorted(self.state.rules.deck(self.situation.players), key=draw_rank)
            yield log.Drew(next(at for at, card in enumerate(pack) if draw_rank(card) == rank))
        elif isinstance(asked, CutNeeded):
            yield log.CutMade(len(self._match.shuffled) // 2, "middle")

    def _stacked(self, pack: list[int]) -> list[int]:
        """Return the pack before a cut in the middle, so that the cards are dealt as wanted."""
        one, size = self.situation, self.state.rules.hand_size(self.situation.players)
        given = [
            cards_from_text(one.hands[seat] if seat < len(one.hands) else "") for seat in range(one.players)
        ]
        upcard, stock = cards_from_text(one.upcard), cards_from_text(one.stock)
        left = Counter(pack)
        left.subtract([*upcard, *stock, *(card for hand in given for card in hand)])
        assert min(left.values()) >= 0, "a card is named more often than the pack has it"
        rest = sorted(left.elements())
        random.Random(len(rest)).shuffle(rest)
        hands = [[*hand, *(rest.pop() for _ in range(size - len(hand)))] for hand in given]
        order = [hands[(one.first + i) % one.players][i // one.players] for i in range(size * one.players)]
        order += [*(upcard or [rest.pop()]), *stock, *rest]
        lifted = len(order) // 2
        return order[-lifted:] + order[:-lifted]

    def _play(self, text: str) -> log.LogEntry:
        deal = self._match.state
        action = Discard(deal.core.drawn) if text == "discard" else parse_play(text, deal)
        code = encode(action)
        refused = deal.why_not(action)
        assert refused is None, f"{text}: {refused}"
        return log.Played(code, None, self.situation.each_took_ms, bot=deal.actor >= len(self.guests))


def _store(server: LiveServer, writer: _Writer) -> None:
    """Write the table into the database of a running server."""
    state = writer.state
    row = lobby_fields(state) | {
        "id": state.table, "created": state.changed_at, "private": True, "profile": state.rules.name,
        "title": state.rules.title, "players": len(state.seats), "clocked": False,
    }  # fmt: skip
    members = [guest.me["id"] for guest in writer.guests]
    log_rows = [msgspec.structs.asdict(entry) | {"table_id": state.table} for entry in writer.entries]
    engine = writing_engine(server.data / DATABASE)
    try:
        with engine.connect() as database:
            database.execute(insert(tables).values(row | {"people": json.dumps(members)}))
            database.execute(insert(people), [{"guest_id": who, "table_id": state.table} for who in members])
            database.execute(insert(entries), log_rows)
    finally:
        engine.dispose()
