"""Python's collector of cycles, kept from stopping the event loop.

A full collection walks every object, and with thousands of connections that takes several tenths of a second,
during which nobody's move is answered; collections of the young ones alone took a fifteenth of its time. Play
leaves no cycles, and connections and tables are let go without any. So all is collected only when the server
is quiet, or when memory has grown by much more than the connections that came account for.
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
"""What a connection and its part of a table need: memory that has grown by this is in use."""


class GcController:
    """Collects in full when it costs little, or when it has to be."""

    def __init__(self, connections: Callable[[], int]) -> None:
        self._connections = connections
        self._last = 0.0
        self._size = 0
        self._crowd = 0
        self._watch: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Take over, on the running event loop."""
        self._collect()
        # What exists now stays: modules, the rules, the application.
        gc.freeze()
        gc.disable()
        self._watch = asyncio.create_task(self._look())

    def end(self) -> None:
        """Leave everything as it was."""
        if self._watch is not None:
            self._watch.cancel()
            gc.unfreeze()
            gc.enable()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            self.look()

    def look(self) -> None:
        """Collect in full, if it is time to."""
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
    """The bytes of memory that this process holds; 0 where the system does not say so in a file."""
    if sys.platform != "linux":
        return 0
    pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    return pages * 4096
