"""Seats that a person left in mid-match: when another guest may have one, and which guest asks for one.

A person who has lost the cookie comes back as another guest. If other people of the table are connected, one
of these hands the seat over; otherwise a visitor gets the seat without asking. If the former person comes
back, the seat is that person's again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rum500.server.live.log import entries
from rum500.server.live.log.seats import unique_name
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.table_options import Guest
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.substitutes import LONG_AWAY_S
from rum500.server.live.turn.viewer import Viewer

HANDED_S = 120.0
"""How many seconds after the person left a connected player may hand the seat over."""
ALONE_S = 600.0
"""How many seconds after the person left a visitor may take the seat of a table's only person."""


@dataclass(eq=False, repr=False)
class Vacancies:
    """Computes which seats are vacant, and stores the viewers who ask. It does not change the table."""

    _log: TableLog
    _attendance: Attendance
    _time: TableTime
    _asking: dict[int, Viewer] = field(init=False, default_factory=dict)

    def vacant_from(self, player: int) -> float | None:
        """Return the moment from which another guest may have this player's seat; None if nobody may.

        The moment is `HANDED_S` after the person left if other people are connected, and `ALONE_S` after the
        person left if no other person has a seat. In two cases absence is normal. By a clock of days, the
        moment is `LONG_AWAY_S` after that person's last message. If several people have seats and none is
        connected, it is `LONG_AWAY_S` after the last entry of the log.
        """
        state, attendance = self._log.state, self._attendance
        if state.status not in ("playing", "paused") or state.tried:
            return None
        if player not in attendance.absent or state.seats[player].external:
            return None
        if state.options.daily:
            return self._time.fixed_moment(state.acted.get(player, state.began_at)) + LONG_AWAY_S
        if attendance.present - state.external_bots:
            return self._left(player) + HANDED_S
        if len(state.people()) > 1:
            return self._time.fixed_moment(state.changed_at) + LONG_AWAY_S
        return self._left(player) + ALONE_S

    def _left(self, player: int) -> float:
        """Return when a person left; the time of the log's last entry if that was in an earlier session."""
        away = self._attendance.away.get(player)
        return self._time.fixed_moment(self._log.state.changed_at) if away is None else away

    def is_vacant(self, player: int) -> bool:
        """Return whether another guest may have this player's seat now."""
        moment = self.vacant_from(player)
        return moment is not None and moment <= self._time.now

    @property
    def unattended(self) -> bool:
        """Whether no person with a seat is connected, so that nobody can hand a seat over."""
        return not self._attendance.present - self._log.state.external_bots

    def ask(self, viewer: Viewer, player: int) -> None:
        """Record that a viewer asks only for this player's seat, unless another viewer asked before."""
        self._asking = {other: who for other, who in self._asking.items() if who is not viewer}
        self._asking.setdefault(player, viewer)

    def asking(self) -> dict[int, Viewer]:
        """Return, by player with a vacant seat, the connected spectator who asks for that seat."""
        self._asking = {
            player: viewer
            for player, viewer in self._asking.items()
            if viewer in self._attendance.viewers and viewer.player is None and self.is_vacant(player)
        }
        return self._asking

    def name_of(self, viewer: Viewer) -> str:
        """Return the name that players see of a viewer who asks for a seat."""
        return unique_name(viewer.guest.name, [seat.name for seat in self._log.state.seats])

    def returned(self) -> tuple[int, Guest] | None:
        """Return a player whose seat was handed over, and the seat's former person, who is connected again.

        Returns None if there is no such player.
        """
        if self._log.state.status in ("playing", "paused"):
            for player, seat in enumerate(self._log.state.seats):
                viewer = self._attendance.guests.get(seat.kept_for or "")
                if viewer is not None and viewer.joined:
                    return player, viewer.guest
        return None


def hand_over(log: TableLog, player: int, guest: Guest) -> None:
    """Append that a guest gets this player's seat, and also becomes host if the former person was host."""
    was_host = log.state.host == log.state.seats[player].guest
    log.append(entries.SeatHandedOver(player, guest.id, guest.name))
    if was_host:
        log.append(entries.Hosted(guest.id))
