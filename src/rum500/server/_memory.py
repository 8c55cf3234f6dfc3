"""Python's collector of cycles, kept from stopping the event loop.

A full collection walks every object, and with thousands of connections that takes several tenths of a second,
during which nobody's move is answered. Connections and tables are therefore let go without leaving cycles,
young objects are collected as always, and all of them only when the server is quiet or when memory has grown
by much.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rum500.server._logs import log

_YOUNG = (5_000, 10)
_NEVER = 1_000_000_000
_LOOK_EVERY_S = 30.0
_QUIET_CONNECTIONS = 100
_QUIET_EVERY_S = 300.0
_GROWN_BY = 128 * 1024 * 1024


class Collector:
    """Collects in full when it costs little, or when it has to be."""

    def __init__(self, connections: Callable[[], int]) -> None:
        self._connections = connections
        self._thresholds = gc.get_threshold()
        self._last = 0.0
        self._size = 0
        self._watch: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Take over, on the running event loop."""
        self._collect()
        # What exists now stays: modules, the rules, the application.
        gc.freeze()
        gc.set_threshold(*_YOUNG, _NEVER)
        self._watch = asyncio.create_task(self._look())

    def end(self) -> None:
        """Leave everything as it was."""
        if self._watch is not None:
            self._watch.cancel()
            gc.unfreeze()
            gc.set_threshold(*self._thresholds)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            self.look()

    def look(self) -> None:
        """Collect in full, if it is time to."""
        quiet = self._connections() <= _QUIET_CONNECTIONS and time.monotonic() - self._last > _QUIET_EVERY_S
        if quiet or resident_size() > 1.5 * self._size + _GROWN_BY:
            self._collect()

    def _collect(self) -> None:
        begun = time.perf_counter()
        gc.collect()
        log().debug("memory.collected", ms=round(1000 * (time.perf_counter() - begun)))
        self._last, self._size = time.monotonic(), resident_size()


def resident_size() -> int:
    """The bytes of memory that this process holds; 0 where the system does not say so in a file."""
    if sys.platform != "linux":
        return 0
    pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    return pages * 4096
