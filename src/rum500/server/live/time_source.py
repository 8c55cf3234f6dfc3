"""Time, as live tables are given it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """A call that is to come, and can be called off."""

    def cancel(self) -> None:
        """Call it off."""


class TimeSource(Protocol):
    """Where tables get the time from; tests have one of their own."""

    def now(self) -> float:
        """Seconds that only go forward."""

    def wall(self) -> int:
        """Milliseconds since 1970."""

    def call_at(self, moment: float, call: Callable[[], None]) -> Alarm:
        """Call this on the event loop at this moment of `now`."""


class LoopTime:
    """The event loop's clock."""

    def __init__(self) -> None:
        """Of the loop that runs."""
        self._loop = asyncio.get_running_loop()

    def now(self) -> float:
        """Seconds that only go forward."""
        return self._loop.time()

    def wall(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def call_at(self, moment: float, call: Callable[[], None]) -> Alarm:
        """Call this on the loop at this moment."""
        return self._loop.call_at(moment, call)
