"""The source of time for live tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


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
