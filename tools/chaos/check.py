"""Compare what players received with the log of their table. It knows nothing of servers or faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from rum500.server.live.finished.deal_replay import record
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.event_messages import ScopedEvent
from rum500.server.live.log.table_state import TableState
from rum500.store import StoredEntry
from tests.support.audit import cards_in, of_this_deal, public
from tools.chaos.people import Heard, Received
from tools.crash_soak import Lost, verify

_FIRST_EVENTS = 200
"""The most events of a deal that a new connection is sent; the same number as in `Broadcaster`."""
_PLACE = re.compile(rb'"place":"[^"]*"')
"""In advice, the card that a joker would stand for, which is no card of a hand."""
_NAMED = {"sat", "stood", "bot"}
"""Events with a name, which may have changed since: names are not part of the log."""


@dataclass(slots=True)
class Moment:
    """The table after one entry of its log."""

    events: list[ScopedEvent]
    player: dict[str, int | None]
    """The seat of each guest, only for the guests that are checked."""
    public: frozenset[int]
    """The cards that everybody may know."""
    hands: dict[int, frozenset[int]]
    """Each player's hand, by seat."""
    began: int
    """The number of the entry with which the deal began."""
    draws: bool
    """Whether the draw for deal is in progress, whose cards are not secret."""


class TableCheck:
    """One table: its log, and the players at it."""

    def __init__(self, table: str, guests: Sequence[str]) -> None:
        self.table, self.guests = table, guests
        self.entries: list[StoredEntry] = []
        self._state = TableState(table)
        self._moments: dict[int, Moment] = {}
        self._messages: dict[tuple[str, str], int] = {}
        self._known: dict[str, int] = {}
        self._acknowledged: dict[str, int] = {}

    @property
    def number(self) -> int:
        """The number of the last entry that was read."""
        return self._state.number

    # --- the log --------------------------------------------------------------------------------------

    def read(self, entries: Sequence[StoredEntry]) -> Iterator[str]:
        """Read the next entries of the log; yield what is wrong with them."""
        for entry in entries:
            if entry.number != self.number + 1:
                yield f"table {self.table}: entry {entry.number} follows {self.number}"
                return
            if entry.author is not None and entry.message is not None:
                said = entry.author, entry.message
                if said in self._messages:
                    both = f"{self._messages[said]} and {entry.number}"
                    yield f"table {self.table}: {said} is in entries {both}"
                self._messages[said] = entry.number
            try:
                self._state.read(entry)
            except LogError as error:
                yield f"table {self.table}: {error}"
                return
            self.entries.append(entry)
            self._moments[entry.number] = self._moment()

    def _moment(self) -> Moment:
        state = self._state
        events: list[ScopedEvent] = []
        for received in reversed(state.events):
            if received.number != state.number:
                break
            events.insert(0, received)
        deal = state.match.state if state.match else None
        hands: dict[int, frozenset[int]] = {}
        if deal is not None:
            hands = {player: frozenset(deal.core.hand_cards(at)) for at, player in enumerate(state.seating)}
        return Moment(
            events,
            {guest: state.player_of(guest) for guest in self.guests},
            frozenset(public(deal)) if deal is not None else frozenset(),
            hands,
            state.events.deal_starts[-1],
            state.waiting_for == "draw",
        )

    def verify(self) -> Iterator[str]:
        """Play the whole log again, deal by deal; yield what does not verify."""
        try:
            text = record(self.table, self.entries, None)
            if text is not None:
                verify(text, self.table)
        except (Lost, LogError) as error:
            yield str(error)

    def forget(self) -> None:
        """Keep only the moments that players may still be sent."""
        least = min([self._state.events.kept_from, *(self._known.get(guest, 0) for guest in self.guests)])
        self._moments = {number: seen for number, seen in self._moments.items() if number >= least}

    # --- received messages ----------------------------------------------------------------------------

    def compare(self, guest: str, received: Received) -> Iterator[str]:
        """Yield what is wrong with what a player received since the last call.

        The log must have been read up to the present before.
        """
        who = f"table {self.table}, guest {guest}"
        for place, heard in enumerate(received.heard):
            if heard.number > self.number:
                yield f"{who}: received entry {heard.number}; the log has {self.number}"
                return
            wrong = self._events(guest, heard) if heard.number >= 0 else ""
            wrong = wrong or self._unseen(guest, heard, self._until(received.heard, place))
            if wrong:
                yield f"{who}, {heard.kind} {heard.number} after {heard.last}: {wrong}"
            self._known[guest] = max(self._known.get(guest, 0), heard.number)
        for message, number in received.acknowledged:
            stored = self._messages.get((guest, message))
            if stored is None:
                yield f"{who}: the acknowledged move {message} (in {number}) is not in the log"
                continue
            if stored > number or stored <= self._acknowledged.get(guest, 0):
                before = self._acknowledged.get(guest, 0)
                yield f"{who}: move {message}, entry {stored}, acknowledged in {number}, after {before}"
            self._acknowledged[guest] = stored

    def _events(self, guest: str, heard: Heard) -> str:
        """Return how the events that a player received differ from the log; empty if they are the same."""
        now, first = self._moments.get(heard.number), heard.last + 1
        if now is None:
            return "" if heard.number == 0 else "received an entry that had been sent long ago"
        if heard.kind == "sync" and not heard.gap:
            first = now.began
        player = now.player.get(guest)
        expected = [
            msgspec.json.decode(msgspec.json.encode(event.seen_by(player)))
            for number in range(first, heard.number + 1)
            if number in self._moments
            for event in self._moments[number].events
        ]
        if heard.kind == "sync" and not heard.gap:
            expected = expected[-_FIRST_EVENTS:]
        if [_nameless(event) for event in expected] == [_nameless(event) for event in heard.events]:
            return ""
        return f"the log has {_short(expected)}, sent were {_short(heard.events)}"

    def _unseen(self, guest: str, heard: Heard, until: int) -> str:
        """Return which cards are in a message that this guest may not see; empty if there are none."""
        now = self._moments.get(until)
        if now is None:
            return ""
        first, raw = heard.last, heard.raw
        if heard.kind == "sync":
            first = min(heard.last + 1 if heard.gap else now.began, now.began)
            raw = of_this_deal(raw, first)
        elif b'"draw_for_deal"' in raw:
            return ""
        elif heard.kind == "answer":
            raw = _PLACE.sub(b"", raw)
        found = cards_in(raw)
        if not found:
            return ""
        may: set[int] = set()
        for number in range(min(first, until), until + 1):
            moment = self._moments.get(number)
            if moment is None:
                continue
            if moment.draws:
                return ""
            player = moment.player.get(guest)
            may |= moment.public
            if player is not None:
                may |= moment.hands.get(player, frozenset())
        return "" if found <= may else f"has cards {sorted(found - may)} in {raw.decode()}"

    def _until(self, heard: Sequence[Heard], place: int) -> int:
        """Return the number of the last entry that a message can include.

        It is the number in the message or, if that has none, the number in the next message that has one.
        """
        return next((each.number for each in heard[place:] if each.number >= 0), self.number)


def _nameless(event: dict[str, Any]) -> dict[str, Any]:
    return {**event, "name": None} if event["kind"] in _NAMED else event


def _short(events: Sequence[dict[str, Any]]) -> str:
    return ", ".join(f"{event['number']} {event['kind']}" for event in events) + f" ({len(events)})"
