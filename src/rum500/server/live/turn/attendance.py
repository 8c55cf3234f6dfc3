"""Attendance: a table's open connections, which players are connected, and since when others are absent."""

from __future__ import annotations

from rum500.server.live.log.day_attempts import is_attempt
from rum500.server.live.log.seats import EXTERNAL_BOT_PREFIX
from rum500.server.live.log.table_options import Guest
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.viewer import CloseReason, Outbox, Viewer
from rum500.server.messages.table_error import TableError

SESSION_S = 600.0
"""A session of play ends after this many seconds without a connected player. Players who are absent when the
next session begins do not count as having just left.
"""


class Attendance:
    """The connections of a table. They are not in the log: after a restart all players are absent."""

    def __init__(self, state: TableState, time: TableTime) -> None:
        """Begin without connections. If the table changed recently, count its people as having left now."""
        self.guests: dict[str, Viewer] = {}
        """The connections by guest id, joined or not."""
        self.viewers: dict[Viewer, None] = {}
        """The connections that have joined, in order. They get updates."""
        self.present: frozenset[int] = frozenset()
        """The players who are connected."""
        self.absent = tuple(state.people())
        """The players who are people and not connected."""
        self.unseen = frozenset(self.absent)
        """The players who are people and are not viewing the table: absent, or with a hidden page."""
        self.away: dict[int, float] = {}
        """When absent players left, for those who left in this session."""
        self._said_bye: set[int] = set()
        self.watching = 0
        """The number of spectators."""
        self._state = state
        self._time = time
        self._empty_since = time.now
        if time.wall() - state.changed_at <= SESSION_S * 1000:
            self.away = dict.fromkeys(self.absent, time.now)

    @property
    def gone(self) -> frozenset[int]:
        """The absent players who closed the page, or were not connected in this session.

        The other absent players have only lost the connection.
        """
        return frozenset(
            player for player in self.absent if player in self._said_bye or player not in self.away
        )

    def left(self, player: int) -> float:
        """Return when an absent player left; the time of the last entry if that was in an earlier session."""
        away = self.away.get(player)
        return self._time.fixed_moment(self._state.changed_at) if away is None else away

    @property
    def deserted(self) -> bool:
        """Whether people have seats and none of them is connected."""
        return not self.present and bool(self.absent)

    def admit(self, guest: Guest, outbox: Outbox, address: str = "") -> Viewer:
        """Return a new connection of this guest, not joined yet; close the guest's older connection."""
        older = self.guests.get(guest.id)
        if older is not None:
            self.drop(older)
            older.outbox.close("elsewhere")
        viewer = self.guests[guest.id] = Viewer(guest, outbox, address)
        return viewer

    def join(self, viewer: Viewer) -> bool:
        """Let a connection get updates from now on. Return False if it was closed in the meantime.

        Raises `TableError` for spectators of a deal of the day.
        """
        if is_attempt(self._state) and self._state.player_of(viewer.guest.id) is None:
            raise TableError("day.private")
        if self.guests.get(viewer.guest.id) is not viewer:
            return False
        viewer.joined = True
        self.viewers[viewer] = None
        self.update(self._state)
        return True

    def leave(self, viewer: Viewer) -> bool:
        """Record that a connection has ended; call `drop` next. Return False if that was recorded before."""
        if self.guests.get(viewer.guest.id) is not viewer:
            return False
        del self.guests[viewer.guest.id]
        return True

    def drop(self, viewer: Viewer, *, said_bye: bool = False) -> None:
        """Stop sending to a viewer; further calls have no effect."""
        if viewer in self.viewers:
            del self.viewers[viewer]
            viewer.joined = False
            if said_bye and viewer.player is not None:
                self._said_bye.add(viewer.player)
            self.update(self._state)

    def set_viewing(self, viewer: Viewer, shown: bool) -> None:
        """Record whether the page of a connection is visible."""
        viewer.viewing = shown
        self.update(self._state)

    def set_silent(self, viewer: Viewer, silent: bool) -> None:
        """Record that a connection has become silent, or has sent something again."""
        viewer.silent = silent
        if viewer in self.viewers:
            self.update(self._state)

    def has_company(self, viewer: Viewer) -> bool:
        """Return whether this viewer is a player who is not alone: others would see the player leave."""
        return viewer.player is not None and len(self.viewers) > 1

    def rename(self, guest: Guest) -> None:
        """Give a guest's connection the guest's new name."""
        viewer = self.guests.get(guest.id)
        if viewer is not None:
            viewer.guest = guest

    def update(self, state: TableState) -> None:
        """Update which viewers are players, which players are connected, and since when others are absent."""
        self._state, now = state, self._time.now
        for viewer in self.viewers:
            viewer.player = state.player_of(viewer.guest.id)
        heard = [viewer for viewer in self.viewers if not viewer.silent]
        here = frozenset(viewer.player for viewer in heard if viewer.player is not None)
        viewing = {viewer.player for viewer in heard if viewer.viewing}
        if here and not self.present and now - self._empty_since > SESSION_S:
            self.away = {}
        if self.present and not here:
            self._empty_since = now
        people = state.people()
        self.absent = tuple(player for player in people if player not in here)
        self.unseen = frozenset(player for player in people if player not in viewing)
        left = dict.fromkeys(self.present - here, now) | self.away
        self.away = {player: at for player, at in left.items() if player in self.absent}
        self.present = here
        self._said_bye -= here
        self.watching = sum(viewer.player is None for viewer in heard)

    def shift_away(self, since: float) -> None:
        """Move the moments when players left, so that a pause begun at `since` does not count as absence."""
        now = self._time.now
        self.away = {player: now - max(0.0, since - left) for player, left in self.away.items()}

    def host(self) -> Viewer | None:
        """Return the connection of the table's host; None if the host is not connected."""
        viewer = self.guests.get(self._state.host or "")
        return viewer if viewer is not None and viewer.joined and not viewer.silent else None

    def dismiss_bots(self) -> None:
        """Close the connections of external bots whose token is no longer valid."""
        seated = {seat.guest for seat in self._state.seats if seat.external}
        for guest, viewer in list(self.guests.items()):
            if guest.startswith(EXTERNAL_BOT_PREFIX) and guest not in seated:
                del self.guests[guest]
                self.drop(viewer)
                viewer.outbox.close("revoked")

    def close_all(self, reason: CloseReason) -> None:
        """Close every connection."""
        for viewer in list(self.guests.values()):
            viewer.outbox.close(reason)
        self.guests.clear()
        self.viewers.clear()
