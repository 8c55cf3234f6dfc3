"""Sends updates to viewers. The public part is encoded once for all viewers, each private part separately."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import msgspec

from rum500.server import messages
from rum500.server.live.broadcast.own_part import you_of
from rum500.server.live.broadcast.snapshot_builder import NOBODY, Presence, SnapshotBuilder
from rum500.server.live.log.event_messages import ScopedEvent
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.table_options import table_info
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.nudges import Nudges
from rum500.server.live.turn.seat_requests import SeatRequests
from rum500.server.live.turn.substitutes import Substitutes
from rum500.server.live.turn.turn_timer import TurnTimer
from rum500.server.live.turn.undo_limit import UndoLimit
from rum500.server.live.turn.vacancies import Vacancies
from rum500.server.live.turn.viewer import Sent, Viewer
from rum500.server.messages.struct_diff import diff

FIRST_EVENTS = 200
"""The largest number of events of the deal in progress that a new viewer gets."""
_ENCODER = msgspec.json.Encoder()
_WITH_PRIVATE = frozenset({"status", "seats", "deal", "waiting_for", "hands"})
"""Snapshot fields that may change any viewer's private state; the others affect only players to move."""
_for_all = attrgetter("status", "deal", "waiting_for", "hands")
"""The fields whose changes are sent to all viewers at once."""


@dataclass(eq=False, repr=False)
class Broadcaster:
    """Sends each viewer the changes since that viewer's last update.

    Viewers who made a request or have to decide get the changes at once. Other viewers get at most one update
    in `together_s` seconds.
    """

    _log: TableLog
    _attendance: Attendance
    _time: TableTime
    _substitutes: Substitutes
    _nudges: Nudges
    _timer: TurnTimer
    _undo_limit: UndoLimit
    _vacancies: Vacancies
    _seat_requests: SeatRequests
    _together_s: float
    joining: list[tuple[Viewer, messages.Join]] = field(init=False, default_factory=list)
    """The viewers who get the whole table next, with their `join` requests."""
    due: float | None = field(init=False, default=None)
    """The moment of the next delayed update; None if no viewer waits for one."""
    _made_from: tuple[TableState, int, int, Presence] | None = field(init=False, default=None)
    _next_for_all: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        state = self._log.state
        self._builder = SnapshotBuilder()
        self._encoder = msgspec.json.Encoder(enc_hook=self._left)
        self._now = Sent(self._builder.snapshot(state, NOBODY), state.number, frozenset())
        self._options = table_info(state.options, state.rules, len(state.seats), state.tried)

    def announce(self, replies: Mapping[Viewer, str]) -> None:
        """Send changes and new chat lines to viewers, and the whole table to viewers who join.

        `replies` maps each viewer whose request is answered to the id of the request. These viewers get an
        update even if nothing has changed.
        """
        presence = self.presence()
        state = self._log.state
        made_from = state, state.number, state.revision, presence
        if replies or self.joining or self.due is not None or made_from != self._made_from:
            joining, self.joining = self.joining, []
            for viewer, _ in joining:
                viewer.sent = None
            everyone = self._attendance.viewers
            decides = state.acting_player
            self._undo_limit.note_sent(others_watch=any(viewer.player != decides for viewer in everyone))
            if everyone and made_from != self._made_from:
                self._made_from = made_from
                self._now = Sent(self._builder.snapshot(state, presence), state.number, self._deciders())
            self._update(everyone, replies)
            for viewer, join in joining:
                viewer.send(self.sync(viewer, join.id, join.last))
        for line in self._log.take_chat():
            self.say(line)

    def say(self, message: messages.ServerMessage) -> None:
        """Send all viewers a message that is not about the cards, such as a reaction."""
        data = encoded(message)
        for viewer in self._attendance.viewers:
            viewer.send(data)

    def presence(self) -> Presence:
        """Return who is connected, and the state of the clocks."""
        attendance, substitutes = self._attendance, self._substitutes
        return Presence(
            here=attendance.present,
            watching=attendance.watching,
            bot_at=_moments(substitutes.bot_from, attendance.absent),
            replace_at=_moments(substitutes.replaceable_from, attendance.absent),
            nudge_at=_moments(self._nudges.allowed_from, attendance.absent),
            gone=attendance.gone,
            vacant_at=_moments(self._vacancies.vacant_from, attendance.absent),
            ask_at=_moments(self._seat_requests.allowed_from, attendance.absent),
            clock_since=self._timer.running_since,
            claim_until=self._timer.claim_until,
        )

    def _deciders(self) -> frozenset[int]:
        state = self._log.state
        if state.claims:
            return frozenset(state.seating[claim.seat] for claim in state.claims)
        return frozenset() if state.acting_player is None else frozenset((state.acting_player,))

    def _update(self, viewers: Collection[Viewer], replies: Mapping[Viewer, str]) -> None:
        """Send the changes to viewers who made a request or have to decide; others may get them later."""
        groups: dict[Sent, list[Viewer]] = {}
        for viewer in viewers:
            if viewer.sent is not None:
                groups.setdefault(viewer.sent, []).append(viewer)
        it_is_time = self._time.now >= self._next_for_all
        self.due, waiting = self._time.now, False  # after an error, updates to the other viewers remain due
        for sent, group in groups.items():
            touched = sent.deciding | self._now.deciding
            if sent is self._now:
                chosen = [viewer for viewer in group if viewer in replies]
            elif it_is_time or _for_all(sent.snapshot) != _for_all(self._now.snapshot):
                chosen, self._next_for_all = group, self._time.now + self._together_s
            else:
                chosen = [viewer for viewer in group if viewer in replies or viewer.player in touched]
                waiting = waiting or len(chosen) < len(group)
            if chosen:
                self._send_changes(chosen, sent, touched, replies)
        self.due = self._next_for_all if waiting else None

    def _send_changes(
        self, viewers: Collection[Viewer], sent: Sent, touched: Collection[int], replies: Mapping[Viewer, str]
    ) -> None:
        """Send the changes to viewers whose last public state was `sent`.

        Only players in `touched` get private changes, or all viewers if a field in `_WITH_PRIVATE` changes.
        """
        changed = diff(sent.snapshot, self._now.snapshot)
        everybody = not _WITH_PRIVATE.isdisjoint(changed)
        new = self._events_after(sent.number)
        head = b'{"type":"update","number":%d' % self._now.number
        shared = b',"shared":' + self._encoder.encode(changed) if changed else b""
        private = {event.player for event in new if event.player is not None}
        rest = _events(new, None) + shared
        plain = head + rest + b"}" if rest else b""
        for viewer in viewers:
            viewer.sent = self._now
            own = self._own(viewer) if everybody or viewer.player in touched else b""
            mine = _events(new, viewer.player) + shared if viewer.player in private else rest
            re = replies.get(viewer)
            if re is not None:
                viewer.send(head + b',"re":' + _ENCODER.encode(re) + mine + own + b"}")
            elif own or mine is not rest:
                viewer.send(head + mine + own + b"}")
            elif plain:
                viewer.send(plain)

    def _events_after(self, number: int) -> list[ScopedEvent]:
        """Return the events of the log's entries after entry `number`."""
        events = self._log.state.events
        first = len(events)
        while first and events[first - 1].number > number:
            first -= 1
        return events[first:]

    def _own(self, viewer: Viewer) -> bytes:
        """Return the encoded field `you` of an update, with this viewer's private changes; empty if none."""
        before = viewer.you
        viewer.you = self._you(viewer)
        changed = diff(before, viewer.you)
        return b',"you":' + _ENCODER.encode(changed) if changed else b""

    def _you(self, viewer: Viewer) -> messages.You:
        """Return the viewer's private state."""
        state = self._log.state
        you = you_of(state, viewer.player, self._undo_limit.available(viewer.player))
        request, lost = self._seat_requests.shown_to(viewer), state.seats.lost_by.get(viewer.guest.id)
        if request is None and lost is None:
            return you
        return msgspec.structs.replace(you, seat_request=request, lost_seat=state.seat_of(lost))

    def _left(self, value: Any) -> int:
        """Return the milliseconds left of a countdown; the encoder calls this for each countdown."""
        assert isinstance(value, messages.Countdown)
        return value.left(self._time.now)

    def sync(self, viewer: Viewer, re: str, last: int) -> bytes:
        """Return the encoded `sync` that answers a viewer's request `re`, with the events after entry `last`.

        If these events are no longer in memory, the `sync` has the latest events of the deal.
        """
        state = self._log.state
        viewer.sent = self._now
        viewer.you = self._you(viewer)
        gap = state.events.kept_from - 1 <= last <= state.number and last > 0
        missed = [
            event
            for event in state.events
            if event.number > (last if gap else state.events.deal_starts[-1] - 1)
        ]
        return self._encoder.encode(
            messages.Sync(
                re=re,
                table=state.table,
                number=state.number,
                gap=gap,
                missed=[
                    event.seen_by(viewer.player) for event in (missed if gap else missed[-FIRST_EVENTS:])
                ],
                options=self._options,
                shared=self._now.snapshot,
                you=viewer.you,
                chat=list(state.chat),
            )
        )


def _events(new: list[ScopedEvent], player: int | None) -> bytes:
    """Return the encoded field `events` of an update, as this player sees them; empty without events."""
    if not new:
        return b""
    return b',"events":' + _ENCODER.encode([event.seen_by(player) for event in new])


def _moments(of: Callable[[int], float | None], players: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """Return the pairs (player, `of(player)`), without players for whom `of` returns None."""
    if not players:
        return ()
    return tuple([(player, moment) for player in players if (moment := of(player)) is not None])


def encoded(message: messages.ServerMessage) -> bytes:
    """Return a message as bytes."""
    return _ENCODER.encode(message)
