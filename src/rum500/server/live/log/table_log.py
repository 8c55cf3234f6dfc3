"""A table's log and the state that follows from it. Log and state are changed only here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from rum500.match import PlayNeeded
from rum500.rng import Rng
from rum500.rules.engine.core import DRAW
from rum500.server import messages
from rum500.server.live.log import entries
from rum500.server.live.log.day_attempts import attempt_of
from rum500.server.live.log.seats import guest_of
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.log.waits import day_due
from rum500.server.live.ownership import StoredLog
from rum500.store import ResultRow, StoredEntry, checksum

_RESTOCK = 3
"""The number of the random stream, derived from the table's secret, that orders a stock without a shuffle."""
_LISTED = frozenset({
    entries.Sat, entries.Stood, entries.BotSat, entries.SeatLent, entries.SeatTokenRevoked, entries.Hosted,
    entries.SeatHandedOver, entries.GuestMerged, entries.Began, entries.CutMade, entries.Paused,
    entries.MatchResumed, entries.Resigned, entries.Abandoned,
})  # fmt: skip
"""Entries after which the table's row in the lobby may change."""
_SEATS = frozenset({
    entries.Sat, entries.Stood, entries.BotSat, entries.SeatLent, entries.SeatTokenRevoked, entries.Began,
    entries.SeatHandedOver, entries.GuestMerged, entries.Resigned, entries.Rematched,
})  # fmt: skip
"""Entries after which the guests at the table may change."""


def _ignore(state: TableState) -> None:
    """Do nothing. This is the default of `seats_changed`."""


class TableLog:
    """A table's state and log. An entry is applied to the state at once, and stored by the next `commit`.

    Nothing is acknowledged or sent before it is committed.
    """

    def __init__(
        self,
        state: TableState,
        stored: StoredLog,
        time: TableTime,
        results: Callable[[TableState], list[ResultRow]],
        seats_changed: Callable[[TableState], None] = _ignore,
    ) -> None:
        """Continue the log that led to `state`.

        `results` returns the results to store when the match ends. `seats_changed` is called with the state
        when the guests at the table may have changed, and after `rebuild`.
        """
        self.state = state
        self.broken = False
        """Whether an error has made the state unreadable or wrong: then it must not be shown or changed."""
        self.due = day_due(state)
        """The stored time at which the table acts without a request, as in `day_due`."""
        self.uncommitted: list[StoredEntry] = []
        """The entries that are applied but not yet stored."""
        self.signature: tuple[str, str] | None = None
        """The guest and message id of the request. The next entry stores them, to recognize a repeat."""
        self.stored = stored
        self._time = time
        self._results = results
        self._seats_changed = seats_changed
        self._chat: list[messages.ChatLine] = []
        self._listed_status, self._ended = state.status, state.ended
        self._list_changed = False

    def append(self, entry: entries.LogEntry) -> None:
        """Apply an entry to the state and store it with the next `commit`.

        Raises the errors of `TableState.apply`. The state may then be half changed, so the log is `broken`.
        """
        state, kind = self.state, type(entry)
        author, message = self.signature or (None, None)
        self.signature = None
        stored = entries.to_stored(state.number + 1, self._time.wall(), entry, author, message)
        stored = msgspec.structs.replace(stored, checksum=checksum(state.checksum, state.table, stored))
        try:
            state.apply(stored, entry)
        except Exception:
            self.broken = True
            raise
        self.uncommitted.append(stored)
        if kind in _LISTED:
            self._list_changed = True
        if kind in _SEATS:
            self._seats_changed(state)
        elif kind is entries.ChatEntry:
            self._chat.append(state.chat[-1])

    def append_play(self, code: int, *, spent: int, bot: bool = False) -> None:
        """Append a legal play. `spent` is the player's time in ms. A draw from an empty stock restocks it."""
        state = self.state
        assert state.match is not None
        asked = state.match.decision
        assert isinstance(asked, PlayNeeded)
        stock: list[int] | None = None
        if code == DRAW and not asked.state.stock:
            count = len(state.deals[-1].stocks) + 1
            stock = list[int](asked.state.pile[:-1])
            if state.shuffles.last is None:  # a deal that is played again
                Rng(state.secret).spawn(_RESTOCK, count).shuffle(stock)
            else:
                stock = list(state.shuffles.last.restock(count, stock))
        self.append(entries.Played(code, stock, spent, bot))

    def set_name(self, guest: str, name: str) -> None:
        """Show a guest at the table under this name; the log keeps the name with which the guest sat down."""
        player = self.state.player_of(guest)
        if player is not None:
            self.state.rename(player, name)

    def take_chat(self) -> list[messages.ChatLine]:
        """Return the chat lines that have not been returned yet."""
        chat, self._chat = self._chat, []
        return chat

    async def commit(self) -> None:
        """Store the entries appended since the last commit, and the table's row if the row may have changed.

        Raises `StoreError` if they could not be stored; then the caller must call `rebuild`.
        """
        if not self.uncommitted:
            return
        state, new = self.state, self.uncommitted
        self.uncommitted = []
        changed = self._list_changed or state.status != self._listed_status
        fields: dict[str, Any] = lobby_fields(state) if changed else {}
        due = day_due(state)
        if due != self.due:
            fields |= {"due": due, "updated": state.changed_at}
        if state.ended and not self._ended:
            fields["results"] = self._results(state)
            fields["ended"] = attempt_of(state)
        await self.stored.append(new, **fields)
        self._list_changed, self._listed_status, self._ended = False, state.status, state.ended
        self.due = due

    async def rebuild(self) -> None:
        """Drop the uncommitted entries, and read the state from the store again.

        `broken` is true until the state is read. Raises `StoreError` or `LogError` if reading fails.
        """
        self.broken = True
        self.uncommitted, self.signature, self._chat, self._list_changed = [], None, [], False
        stored = await self.stored.entries()
        self.state = await asyncio.to_thread(TableState.fold, self.state.table, stored)
        self.broken = False
        self._seats_changed(self.state)


def lobby_fields(state: TableState) -> dict[str, object]:
    """Return the fields of the table's row that may change."""
    plates = [
        messages.SeatPlate(seat.kind, seat.name, seat.level, external=seat.external) for seat in state.seats
    ]
    guests = [guest for seat in state.seats for guest in (guest_of(seat), seat.kept_for)]
    return {
        "status": state.status,
        "updated": state.changed_at,
        # A deal that is played again is in no guest's list.
        "people": [guest for guest in guests if guest is not None and not state.tried],
        "seats_free": sum(seat.kind == "empty" for seat in state.seats),
        "seats": msgspec.json.encode(plates).decode(),
        "host": next((seat.name for seat in state.seats if seat.guest == state.host), None),
    }
