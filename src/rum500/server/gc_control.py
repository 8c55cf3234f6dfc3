"""Control of Python's garbage collector, so that it does not block the event loop.

A full collection visits every object. With thousands of connections this takes several tenths of a second,
in which no move is answered; even collections of the young generations took a fifteenth of the time. Play
creates no reference cycles, and neither do connections and tables that are closed. Therefore a full
collection runs only when the server is quiet, or when memory has grown by much more than the new
connections need.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rum500.server.logs import log

_LOOK_EVERY_S = 30.0
_QUIET_CONNECTIONS = 100
_QUIET_EVERY_S = 300.0
_GROWN_BY = 128 * 1024 * 1024
_A_CONNECTION = 64 * 1024
"""The memory in bytes that one connection and its part of a table need."""


class GcController:
    """Runs full collections when they cost little or are necessary; no other collections happen."""

    def __init__(self, connections: Callable[[], int]) -> None:
        self._connections = connections
        self._last = 0.0
        self._size = 0
        self._crowd = 0
        self._watch: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Disable automatic collection and start watching, on the running event loop."""
        self._collect()
        # All objects that exist now stay: modules, the rules, the application.
        gc.freeze()
        gc.disable()
        self._watch = asyncio.create_task(self._look())

    def end(self) -> None:
        """Stop watching and enable automatic collection again.

        What was exempt stays so: Python collects several times more when the process ends.
        """
        if self._watch is not None:
            self._watch.cancel()
            gc.enable()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            self.look()

    def look(self) -> None:
        """Run a full collection if the server is quiet or memory has grown too much."""
        quiet = self._connections() <= _QUIET_CONNECTIONS and time.monotonic() - self._last > _QUIET_EVERY_S
        in_use = self._size + max(0, self._connections() - self._crowd) * _A_CONNECTION
        if quiet or resident_size() > 1.5 * in_use + _GROWN_BY:
            self._collect()

    def _collect(self) -> None:
        begun = time.perf_counter()
        gc.collect()
        log().debug("memory.collected", ms=round(1000 * (time.perf_counter() - begun)))
        self._last, self._size, self._crowd = time.monotonic(), resident_size(), self._connections()


def resident_size() -> int:
    """Return the resident memory of this process in bytes; 0 on systems other than Linux."""
    if sys.platform != "linux":
        return 0
    pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    return pages * 4096
