"""The time of live tables: the source, and the view that one table has of it for a whole request."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

_MOST_FIXED = 64
"""The most calendar times whose moments are kept."""


class Alarm(Protocol):
    """A call in the future that can be cancelled."""

    def cancel(self) -> None:
        """Cancel the call."""


class TimeSource(Protocol):
    """A clock and its alarms; tests have their own."""

    def now(self) -> float:
        """Return seconds that only go forward."""

    def wall(self) -> int:
        """Return the milliseconds since 1970."""

    def call_at(self, moment: float, call: Callable[[], None]) -> Alarm:
        """Call the function on the event loop at this moment of `now`; return an alarm to cancel it."""


class LoopTime:
    """The clock of the event loop."""

    def __init__(self) -> None:
        """Use the running loop."""
        self._loop = asyncio.get_running_loop()
        self.now = self._loop.time
        """Return seconds that only go forward."""

    def wall(self) -> int:
        """Return the milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def call_at(self, moment: float, call: Callable[[], None]) -> Alarm:
        """Call the function on the event loop at this moment; return an alarm to cancel it."""
        return self._loop.call_at(moment, call)


class TableTime:
    """Time as the parts of one table see it.

    Moments are seconds of the source's `now`, which only go forward.
    """

    __slots__ = ("_fixed", "_source", "due", "now")

    now: float
    """The moment at which the table began with the present request; it stays while that is handled."""
    due: float | None
    """The earliest moment that some part waits for; None if there is none."""

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
        """As `moment`, and the same each time: viewers are sent what changes."""
        if wall not in self._fixed:
            if len(self._fixed) >= _MOST_FIXED:
                self._fixed.clear()
            self._fixed[wall] = self.moment(wall)
        return self._fixed[wall]

    def reached(self, moment: float) -> bool:
        """Return whether this moment has come. If not, `due` is at most this moment afterwards."""
        if moment <= self.now:
            return True
        if self.due is None or moment < self.due:
            self.due = moment
        return False
