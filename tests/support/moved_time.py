"""The clock of a real server that a test moves: through midnight, or back, as a wrong clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from rum500.server.live.log.time_source import Alarm, LoopTime


class MovedTime(LoopTime):
    """The clock of the event loop, ahead of it by what the test has added. Calls are made on the loop."""

    def __init__(self, start: datetime, passed_s: float = 0.0) -> None:
        """Begin at `start` plus the seconds that passed before a restart."""
        super().__init__()
        self._ahead = 0.0
        self._wall_ahead = start.timestamp() + passed_s - self._loop.time()
        self._alarms: set[_MovedAlarm] = set()
        self.now = lambda: self._loop.time() + self._ahead

    def wall(self) -> int:
        """Return the milliseconds since 1970."""
        return int((self._loop.time() + self._wall_ahead) * 1000)

    def call_at(self, moment: float, call: Callable[[], None]) -> Alarm:
        """Schedule a call, which a later `move` makes earlier."""
        alarm = _MovedAlarm(self, moment, call)
        self._alarms.add(alarm)
        alarm.set()
        return alarm

    def move(self, seconds: float) -> None:
        """Let time pass: every alarm that becomes due by it rings."""
        self._ahead += seconds
        self.set_wall(seconds)
        for alarm in self._alarms:
            alarm.set()

    def set_wall(self, seconds: float) -> None:
        """Set the calendar time alone, forward or back; alarms do not notice it."""
        self._wall_ahead += seconds


class _MovedAlarm:
    def __init__(self, time: MovedTime, moment: float, call: Callable[[], None]) -> None:
        self._time, self._moment, self._call = time, moment, call
        self._handle: Alarm | None = None

    def set(self) -> None:
        """Schedule the call for its moment by the clock as it is now."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle = self._time._loop.call_at(self._moment - self._time._ahead, self._ring)

    def _ring(self) -> None:
        self._time._alarms.discard(self)
        self._call()

    def cancel(self) -> None:
        """Cancel the call."""
        self._time._alarms.discard(self)
        if self._handle is not None:
            self._handle.cancel()
