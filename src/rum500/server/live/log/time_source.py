"""The time of live tables: clocks with alarms, and the time of a table, constant during a request."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

_MOST_FIXED = 64
"""The largest number of calendar times whose moments are cached."""


class Alarm(Protocol):
    """A scheduled call that can be cancelled."""

    def cancel(self) -> None:
        """Cancel the call."""


class TimeSource(Protocol):
    """A clock and its alarms. Tests use a clock that they set."""

    def now(self) -> float:
        """Return monotonic seconds."""

    def wall(self) -> int:
        """Return the milliseconds since 1970."""

    def call_at(self, moment: float, call: Callable[[], None]) -> Alarm:
        """Schedule a call on the event loop for when `now()` reaches `moment`; return its alarm."""


class LoopTime:
    """The clock of the event loop."""

    def __init__(self) -> None:
        """Use the running loop."""
        self._loop = asyncio.get_running_loop()
        self.now = self._loop.time
        """Return monotonic seconds."""

    def wall(self) -> int:
        """Return the milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def call_at(self, moment: float, call: Callable[[], None]) -> Alarm:
        """Schedule a call; see `TimeSource.call_at`."""
        return self._loop.call_at(moment, call)


class TableTime:
    """The time of one table. It changes only between requests, when `tick` is called.

    Moments are seconds of the source's `now`, which is monotonic.
    """

    __slots__ = ("_fixed", "_source", "due", "now")

    now: float
    """The moment at which the table began to handle the present request."""
    due: float | None
    """The earliest moment for which a part of the table waits; None if there is none."""

    def __init__(self, source: TimeSource) -> None:
        """Begin at the source's present moment, with nothing due."""
        self._source = source
        self._fixed: dict[int, float] = {}
        self.now = source.now()
        self.due = None

    def tick(self) -> None:
        """Set `now` to the source's present moment."""
        self.now = self._source.now()

    def wall(self) -> int:
        """Return the milliseconds since 1970."""
        return self._source.wall()

    def moment(self, wall: int) -> float:
        """Convert a time in milliseconds since 1970 to seconds of `now`."""
        return self.now - (self.wall() - wall) / 1000

    def fixed_moment(self, wall: int) -> float:
        """Return `moment(wall)`, and the same result at later calls with the same time.

        Otherwise viewers would see changes whenever the two clocks drift.
        """
        if wall not in self._fixed:
            if len(self._fixed) >= _MOST_FIXED:
                self._fixed.clear()
            self._fixed[wall] = self.moment(wall)
        return self._fixed[wall]

    def reached(self, moment: float) -> bool:
        """Return whether this moment has come. If not, set `due` to this moment, unless `due` is earlier."""
        if moment <= self.now:
            return True
        if self.due is None or moment < self.due:
            self.due = moment
        return False
