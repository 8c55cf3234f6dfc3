"""Send updates to viewers. The part that everyone sees is encoded once; a viewer's own part is appended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec

from rum500.server import messages
from rum500.server.live.attendance import Attendance
from rum500.server.live.event_messages import ScopedEvent
from rum500.server.live.snapshot_builder import NOBODY, Presence, SnapshotBuilder, diff
from rum500.server.live.substitutes import Substitutes
from rum500.server.live.table_log import TableLog
from rum500.server.live.table_options import table_info
from rum500.server.live.table_state import TableState
from rum500.server.live.table_time import TableTime
from rum500.server.live.turn_timer import TurnTimer
from rum500.server.live.undo_limit import UndoLimit
from rum500.server.live.viewer import Viewer
from rum500.server.live.you import you_of

FIRST_EVENTS = 200
"""The largest number of events of the deal in progress that a viewer is sent who has just come."""
_ENCODER = msgspec.json.Encoder()
_FOR_ALL = frozenset({"status", "seats", "deal", "waiting_for", "hands"})
"""If one of these changes, any viewer's private state may have changed; else only a deciding player's."""


class Broadcaster:
    """Sends every viewer the changes since the last time, and remembers what viewers know."""

    def __init__(
        self,
        log: TableLog,
        attendance: Attendance,
        time: TableTime,
        substitutes: Substitutes,
        timer: TurnTimer,
        undo: UndoLimit,
    ) -> None:
        """Read these parts of the table; nothing has been sent yet."""
        self._log = log
        self._attendance = attendance
        self._time = time
        self._substitutes = substitutes
        self._timer = timer
        self._undo_limit = undo
        state = log.state
        self._builder = SnapshotBuilder()
        self._encoder = msgspec.json.Encoder(enc_hook=self._left)
        self.seen = self._builder.snapshot(state, NOBODY)
        """The snapshot that all viewers know, except those who have just joined."""
        self.joining: list[tuple[Viewer, messages.Join]] = []
        """The viewers who are to be sent the whole table next, with their requests."""
        self._told = state.number
        self._known: tuple[TableState, int, int, Presence] | None = None
        self._deciding: frozenset[int | None] = frozenset()
        self._options = table_info(state.options, state.rules, len(state.seats))

    def announce(self, replies: Mapping[Viewer, str]) -> None:
        """Send the changes to every viewer, the whole table to those who join, and new chat lines to all.

        `replies` has the id of the request that a viewer's update answers. A viewer without one is sent
        nothing if nothing has changed.
        """
        presence = self.presence()
        if replies or self.joining or self._known != self._cause(presence):
            joining, self.joining = self.joining, []
            everyone = self._attendance.viewers
            decides = self._log.state.acting_player
            self._undo_limit.note_sent(others_watch=any(viewer.player != decides for viewer in everyone))
            new = {viewer for viewer, _ in joining}
            viewers = [viewer for viewer in everyone if viewer not in new]
            if viewers:
                self._update(viewers, presence, replies)
            else:
                self._catch_up(presence)
            for viewer, join in joining:
                viewer.send(self.sync(viewer, join.id, join.last))
        for line in self._log.take_chat():
            self.say(line)

    def reply_first(self, viewer: Viewer, re: str) -> None:
        """Send the changes to the viewer who made the request `re`; the others are sent them later."""
        kept = self.seen, self._told, self._known, self._deciding
        self._update((viewer,), self.presence(), {viewer: re})
        self.seen, self._told, self._known, self._deciding = kept

    def say(self, message: messages.ServerMessageBase) -> None:
        """Send all viewers something that is not about the cards."""
        data = encoded(message)
        for viewer in self._attendance.viewers:
            viewer.send(data)

    def presence(self) -> Presence:
        """Return who is here, and the state of the clocks."""
        attendance, substitutes = self._attendance, self._substitutes
        return Presence(
            here=attendance.present,
            watching=attendance.watching,
            bot_at=_moments(substitutes.bot_from, attendance.absent),
            replace_at=_moments(substitutes.replaceable_from, attendance.absent),
            clock_since=self._timer.running_since,
            claim_until=self._timer.claim_until,
        )

    def _cause(self, presence: Presence) -> tuple[TableState, int, int, Presence]:
        """Return everything on which messages depend; if it has not changed, nothing needs to be sent."""
        state = self._log.state
        return state, state.number, state.revision, presence

    def _catch_up(self, presence: Presence) -> None:
        """Count everything as sent, since nobody watches."""
        state = self._log.state
        self._known = self._cause(presence)
        self.seen = self._builder.snapshot(state, presence)
        self._told = state.number
        self._deciding = self._deciders()

    def _deciders(self) -> frozenset[int | None]:
        state = self._log.state
        if state.claims:
            return frozenset(state.seating[claim.seat] for claim in state.claims)
        return frozenset((state.acting_player,))

    def _update(self, viewers: Collection[Viewer], presence: Presence, replies: Mapping[Viewer, str]) -> None:
        """Send these viewers the changes since the last time, each with the viewer's private changes."""
        state = self._log.state
        self._known = self._cause(presence)
        before, self.seen = self.seen, self._builder.snapshot(state, presence)
        changed = diff(before, self.seen)
        new = self._new_events()
        deciding = self._deciders()
        touched = deciding | self._deciding
        self._deciding = deciding
        for_all = not _FOR_ALL.isdisjoint(changed)
        head = b'{"type":"update","number":%d' % state.number
        shared = b',"shared":' + self._encoder.encode(changed) if changed else b""
        private = {told.player for told in new if told.player is not None}
        rest = _events(new, None) + shared
        plain = head + rest + b"}" if rest else b""
        for viewer in viewers:
            own = b""
            if for_all or viewer.player in touched:
                own = self._own(viewer)
            mine = _events(new, viewer.player) + shared if viewer.player in private else rest
            re = replies.get(viewer)
            if re is not None:
                viewer.send(head + b',"re":' + _ENCODER.encode(re) + mine + own + b"}")
            elif own or mine is not rest:
                viewer.send(head + mine + own + b"}")
            elif plain:
                viewer.send(plain)

    def _new_events(self) -> list[ScopedEvent]:
        """Return the events since the last time."""
        state, told = self._log.state, self._told
        events = state.events
        self._told = state.number
        first = len(events)
        while first and events[first - 1].number > told:
            first -= 1
        return events[first:]

    def _own(self, viewer: Viewer) -> bytes:
        """Return the part of an update with this viewer's private changes; empty if there are none."""
        before = viewer.you
        viewer.you = you_of(self._log.state, viewer.player, self._undo_limit.available(viewer.player))
        changed = diff(before, viewer.you)
        return b',"you":' + _ENCODER.encode(changed) if changed else b""

    def _left(self, value: Any) -> int:
        """Encode a countdown as the milliseconds that are left."""
        assert isinstance(value, messages.Countdown)
        return value.left(self._time.now)

    def sync(self, viewer: Viewer, re: str, last: int) -> bytes:
        """Return the whole table for this viewer as a message, with the events after entry `last`."""
        state = self._log.state
        viewer.you = you_of(state, viewer.player, self._undo_limit.available(viewer.player))
        gap = state.kept_from - 1 <= last <= state.number and last > 0
        missed = [told for told in state.events if told.number > (last if gap else state.deal_starts[-1] - 1)]
        return self._encoder.encode(
            messages.Sync(
                re=re,
                table=state.table,
                number=state.number,
                gap=gap,
                missed=[told.seen_by(viewer.player) for told in (missed if gap else missed[-FIRST_EVENTS:])],
                options=self._options,
                shared=self.seen,
                you=viewer.you,
                chat=list(state.chat),
            )
        )


def _events(new: list[ScopedEvent], player: int | None) -> bytes:
    """Return the part of an update with these events as a player sees them; empty if there are none."""
    if not new:
        return b""
    return b',"events":' + _ENCODER.encode([told.seen_by(player) for told in new])


def _moments(of: Callable[[int], float | None], players: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """Return the players for whom `of` returns a moment, each with that moment."""
    return tuple([(player, moment) for player in players if (moment := of(player)) is not None])


def encoded(message: messages.ServerMessageBase) -> bytes:
    """Return a message as bytes."""
    return _ENCODER.encode(message)
