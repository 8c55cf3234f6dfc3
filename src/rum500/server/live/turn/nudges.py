"""Times of nudges. A nudge is a push message that reminds an absent player of a waiting table."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.log.waits import awaited
from rum500.server.live.turn.attendance import Attendance

NUDGE_S = 600.0
"""The seconds between two nudges of a player."""


@dataclass(eq=False, repr=False)
class Nudges:
    """Computes when each absent player may be nudged. It changes nothing."""

    _log: TableLog
    _attendance: Attendance
    _time: TableTime

    def allowed_from(self, player: int) -> float | None:
        """Return the moment from which a player may be nudged; None if nudging is not allowed."""
        state = self._log.state
        if player in self._attendance.present or player not in awaited(state) or state.seats[player].external:
            return None
        last = state.absences.nudged.get(player)
        return 0.0 if last is None else self._time.fixed_moment(last) + NUDGE_S

    def allowed(self, player: int) -> bool:
        """Return whether a player may be nudged now."""
        moment = self.allowed_from(player)
        return moment is not None and moment <= self._time.now
