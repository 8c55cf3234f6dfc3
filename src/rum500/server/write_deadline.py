"""Closing of connections to which too little can be sent, since their clients do not read."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Protocol

LEAST_PER_S = 1024
"""The number of bytes per second that must leave for a client that has bytes waiting."""


class Sender(Protocol):
    """A connection that can be written to."""

    transport: asyncio.Transport

    def sent(self) -> int:
        """Return a number that grows by the bytes that leave."""


class WriteDeadline:
    """Looks at all connections periodically. What waits for a client must have shrunk between two looks."""

    def __init__(self, connections: Collection[Sender], seconds: float) -> None:
        """Begin; `seconds` is the time between two looks at the connections."""
        self._connections = connections
        self._seconds = seconds
        self._before: dict[Sender, int] = {}

    async def watch(self) -> None:
        """Look at the connections until cancelled."""
        while True:
            await asyncio.sleep(self._seconds)
            self.look()

    def look(self) -> None:
        """Close the connections to which too little was sent since the last look."""
        waiting = {one: one.sent() for one in self._connections if one.transport.get_write_buffer_size()}
        for one, sent in waiting.items():
            before = self._before.get(one)
            if before is not None and sent - before < LEAST_PER_S * self._seconds:
                one.transport.abort()
        self._before = waiting
