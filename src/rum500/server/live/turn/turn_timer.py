"""The clock of the person to move, and the start of the wait for the present decision.

A clock of days runs from the beginning of the decision, as logged, even while the table is not in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rum500.server.live.log import entries
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.substitutes import Substitutes


@dataclass(eq=False, repr=False)
class TurnTimer:
    """Measures how long the present decision takes.

    The caller logs the time with the play. If the clock stops before, `update` logs it.
    """

    _log: TableLog
    _attendance: Attendance
    _time: TableTime
    _substitutes: Substitutes
    waiting_since: float = field(init=False, default=0.0)
    """When the present decision began, or people came back to the deserted table."""
    running_since: float | None = field(init=False, default=None)
    """When the clock of the person to move began to run; None if it is stopped."""
    _asked: int = field(init=False, default=-1)
    _was_deserted: bool = field(init=False, default=False)

    def update(self) -> bool:
        """Start or stop the clock as the table's state requires; return whether there is a new decision.

        Appends `Stopped` if a running clock stops in the middle of a turn.
        """
        state, now = self._log.state, self._time.now
        new_decision = state.asked != self._asked
        if new_decision:
            self._asked = state.asked
            self.waiting_since = self._time.moment(state.asked_at) if state.options.daily else now
            self.running_since = None
        if self._attendance.deserted and not state.options.daily:
            self._was_deserted = True
        elif self._was_deserted:
            self._was_deserted = False
            self.waiting_since = now
        if self._should_run():
            if self.running_since is None:
                self.running_since = self.waiting_since if state.options.daily else now
        elif (spent := self.stop()) and state.status == "playing":
            self._log.append(entries.Stopped(spent))
        return new_decision

    def _should_run(self) -> bool:
        state = self._log.state
        return (
            state.options.turn_s is not None
            and state.status == "playing"
            and state.waiting_for == "play"
            and state.acting_player is not None
            and (bool(self._attendance.present) or state.options.daily)
            and self._substitutes.level_for(state.acting_player) is None
        )

    def spent(self) -> int:
        """Return the milliseconds that the clock has run."""
        if self.running_since is None:
            return 0
        state = self._log.state
        if state.options.daily:
            return max(0, self._time.wall() - state.asked_at)
        return round((self._time.now - self.running_since) * 1000)

    def stop(self) -> int:
        """Stop the clock; return the milliseconds that it has run."""
        spent, self.running_since = self.spent(), None
        return spent

    def restart(self) -> None:
        """Restart the timing of the present decision."""
        self.waiting_since = self._time.now

    @property
    def claim_until(self) -> float | None:
        """The moment until which "Rummy!" may be called; None if nobody may call."""
        state = self._log.state
        if not state.claims or state.asked != self._asked:
            return None
        return self.waiting_since + state.options.window
