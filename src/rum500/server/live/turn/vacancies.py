"""Seats that a person left in mid-match: when the host may give one to a bot, and when the person is back.

If the former person comes back, the seat is that person's again.
"""

from __future__ import annotations

from dataclasses import dataclass

from rum500.server.live.log import entries
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.table_options import Guest
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.substitutes import LONG_AWAY_S

VACANT_S = 120.0
"""How many seconds after the person left the host may give the seat to a bot."""


@dataclass(eq=False, repr=False)
class Vacancies:
    """Computes which seats are vacant. It does not change the table."""

    _log: TableLog
    _attendance: Attendance
    _time: TableTime

    def vacant_from(self, player: int) -> float | None:
        """Return the moment from which the host may give this seat to a bot; None if the host may not.

        The moment is `VACANT_S` after the person left if other people are connected. By a clock of days,
        absence is normal, and the moment is `LONG_AWAY_S` after that person's last message.
        """
        state, attendance = self._log.state, self._attendance
        if state.status not in ("playing", "paused") or state.tried:
            return None
        if player not in attendance.absent or state.seats[player].external:
            return None
        if state.options.daily:
            return self._time.fixed_moment(state.acted.get(player, state.began_at)) + LONG_AWAY_S
        return attendance.left(player) + VACANT_S if attendance.present - state.external_bots else None

    def is_vacant(self, player: int) -> bool:
        """Return whether the host may give this player's seat to a bot now."""
        moment = self.vacant_from(player)
        return moment is not None and moment <= self._time.now

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


def hand_over(log: TableLog, player: int, guest: Guest, *, for_good: bool = False) -> None:
    """Append that a guest gets this player's seat, and also becomes host if the former person was host.

    `for_good` says that the former person does not get the seat back after returning.
    """
    was_host = log.state.host == log.state.seats[player].guest
    log.append(entries.SeatHandedOver(player, guest.id, guest.name, for_good))
    if was_host:
        log.append(entries.Hosted(guest.id))
