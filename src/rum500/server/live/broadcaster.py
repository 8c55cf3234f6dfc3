"""Telling viewers what has changed: the shared half is put into bytes once, a viewer's own beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from rum500.server import messages
from rum500.server.live.event_messages import ScopedEvent
from rum500.server.live.snapshot_builder import NOBODY, Presence, Snapshot, changed, shared_told, snapshot
from rum500.server.live.table_options import told as options_told
from rum500.server.live.table_state import TableState
from rum500.server.live.viewer import Viewer
from rum500.server.live.you import own_raw, own_told

FIRST_EVENTS = 200
"""At most so many events of the deal in progress are told to somebody who comes anew."""
_ENCODER = msgspec.json.Encoder()
_FOR_ALL = frozenset({"status", "seats", "deal", "waiting_for", "hands"})
"""Where one of these changes, anybody's own half may have changed; else only that of who decides."""


Undo = Callable[[int | None], int]


class Broadcaster:
    """Knows what a table's viewers have been told, and tells them the rest."""

    def __init__(self, state: TableState) -> None:
        """Of this table; nobody has been told anything."""
        self.state = state
        self.seen: Snapshot = snapshot(state, NOBODY)
        self._told = state.number
        self._known: tuple[TableState, int, int, Presence] | None = None
        self._deciding: frozenset[int | None] = frozenset()
        self._options = options_told(state.options, state.rules, len(state.seats))

    def _now(self, presence: Presence) -> tuple[TableState, int, int, Presence]:
        """What all that is told follows from."""
        return self.state, self.state.number, self.state.revision, presence

    def has_told(self, presence: Presence) -> bool:
        """Whether nothing has changed since the last time."""
        return self._known == self._now(presence)

    def catch_up(self, presence: Presence) -> None:
        """Nobody looks on: what has happened need not be told."""
        self._known = self._now(presence)
        self.seen = snapshot(self.state, presence, self.seen)
        self._told = self.state.number
        self._deciding = self._deciders()

    def _deciders(self) -> frozenset[int | None]:
        state = self.state
        if state.claims:
            return frozenset(state.seating[claim.seat] for claim in state.claims)
        return frozenset((state.acting_player,))

    def announce(
        self,
        viewers: Iterable[Viewer],
        presence: Presence,
        now: float,
        undo: Undo,
        answered: Mapping[Any, str] | None = None,
    ) -> None:
        """Tell every viewer what has changed since the last time; `answered`: whose message it was."""
        state = self.state
        self._known = self._now(presence)
        seen = snapshot(state, presence, self.seen)
        diff = seen.since(self.seen)
        self.seen = seen
        new = self._new_events()
        deciding = self._deciders()
        touched = deciding | self._deciding
        self._deciding = deciding
        for_all = not _FOR_ALL.isdisjoint(diff)
        head = b'{"type":"update","number":%d' % state.number
        shared = b',"shared":' + _ENCODER.encode(shared_told(state, diff, now)) if diff else b""
        private = {told.player for told in new if told.player is not None}
        rest = _events(new, None) + shared
        plain = head + rest + b"}" if rest else b""
        for viewer in viewers:
            own = b""
            if for_all or viewer.player in touched:
                own = self._own(viewer, undo)
            mine = _events(new, viewer.player) + shared if viewer.player in private else rest
            re = answered.get(viewer) if answered else None
            if re is not None:
                viewer.send(head + b',"re":' + _ENCODER.encode(re) + mine + own + b"}")
            elif own or mine is not rest:
                viewer.send(head + mine + own + b"}")
            elif plain:
                viewer.send(plain)

    def answer(self, viewer: Viewer, re: str, presence: Presence, now: float, undo: Undo) -> None:
        """Tell the one whose message it was what has changed; the others are still to be told."""
        kept = self.seen, self._told, self._known, self._deciding
        self.announce((viewer,), presence, now, undo, {viewer: re})
        self.seen, self._told, self._known, self._deciding = kept

    def _new_events(self) -> list[ScopedEvent]:
        """The events since the last time."""
        events, told = self.state.events, self._told
        self._told = self.state.number
        first = len(events)
        while first and events[first - 1].number > told:
            first -= 1
        return events[first:]

    def _own(self, viewer: Viewer, undo: Undo) -> bytes:
        """The part of an update about this viewer's own half; empty where nothing has changed."""
        raw = own_raw(self.state, viewer.player, undo(viewer.player))
        if raw is viewer.own:
            return b""
        diff = changed(viewer.own, raw)
        viewer.own = raw
        return b',"you":' + _ENCODER.encode(own_told(diff)) if diff else b""

    def sync(self, viewer: Viewer, re: str, last: int, now: float, undo: Undo) -> bytes:
        """The whole table for this viewer, as all have been told it."""
        state = self.state
        viewer.own = own_raw(state, viewer.player, undo(viewer.player))
        gap = state.kept_from - 1 <= last <= state.number and last > 0
        missed = [told for told in state.events if told.number > (last if gap else state.deal_starts[-1] - 1)]
        return _ENCODER.encode(
            messages.Sync(
                re=re,
                table=state.table,
                number=state.number,
                gap=gap,
                missed=[told.seen_by(viewer.player) for told in (missed if gap else missed[-FIRST_EVENTS:])],
                options=self._options,
                shared=shared_told(state, self.seen.raw, now),
                you=own_told(viewer.own),
                chat=list(state.chat),
            )
        )


def _events(new: list[ScopedEvent], player: int | None) -> bytes:
    """The part of an update that tells these events to a player."""
    if not new:
        return b""
    return b',"events":' + _ENCODER.encode([told.seen_by(player) for told in new])


def encoded(message: messages.Said) -> bytes:
    """A message of its own, in bytes."""
    return _ENCODER.encode(message)


__all__ = ["Broadcaster", "Undo", "encoded"]
