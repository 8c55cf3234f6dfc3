"""The order in which new connections are read when very many arrive at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

PER_TURN = 8
"""The largest number of new connections that are read in one turn of the event loop."""
_RETRY_S = 0.005
"""The seconds until a paused queue is checked again."""


class Newcomer(Protocol):
    """A connection of which nothing has been read yet."""

    def admit(self) -> None:
        """Read the bytes that have arrived."""


class Admission:
    """Admits a few new connections per turn of the event loop; none while too many handshakes are pending.

    When thousands arrive at once, as after another server's failure, reading all their requests first would
    take so long that clients time out and reconnect, and nobody would be served. The newest is admitted
    first: the oldest has most likely timed out.
    """

    def __init__(self, paused: Callable[[], bool]) -> None:
        """Begin empty; `paused` returns whether too many handshakes are pending."""
        self._paused = paused
        self._waiting: dict[Newcomer, None] = {}
        self._admitted = 0
        self._scheduled = False

    def admits(self, newcomer: Newcomer) -> bool:
        """Return whether a connection is admitted at once. If not, its `admit` is called later."""
        at_once = not self._waiting and self._has_room()
        if at_once:
            self._admitted += 1
        else:
            self._waiting[newcomer] = None
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._next_turn)
        return at_once

    def remove(self, newcomer: Newcomer) -> None:
        """Remove a closed connection; further calls have no effect."""
        self._waiting.pop(newcomer, None)

    def _has_room(self) -> bool:
        return self._admitted < PER_TURN and not self._paused()

    def _next_turn(self) -> None:
        loop = asyncio.get_running_loop()
        self._admitted = 0
        while self._waiting and self._has_room():
            self._admitted += 1
            loop.call_soon(self._waiting.popitem()[0].admit)
        self._scheduled = bool(self._admitted or self._waiting)
        if self._scheduled:
            loop.call_later(0 if self._admitted else _RETRY_S, self._next_turn)
