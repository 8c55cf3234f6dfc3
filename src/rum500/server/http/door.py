"""The order in which new connections are read when very many come at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

IN_A_TURN = 8
"""The most new connections that are read in one turn of the event loop."""
_LOOK_S = 0.005
"""The seconds after which it is seen again whether somebody may come in."""


class Newcomer(Protocol):
    """A connection of which nothing has been read yet."""

    def come_in(self) -> None:
        """Read what has come."""


class Door:
    """Lets new connections in, a few in each turn of the event loop, and none while too many are half in.

    When thousands come at once, as after another server's death, to read all their requests first would take
    so long that they give up and come again, and nobody gets in. The last to come goes first: who has waited
    longest is the likeliest to have given up.
    """

    def __init__(self, crowded: Callable[[], bool]) -> None:
        """Begin with nobody; `crowded` returns whether too many are half in."""
        self._crowded = crowded
        self._waiting: dict[Newcomer, None] = {}
        self._came_in = 0
        self._is_watched = False

    def admits(self, newcomer: Newcomer) -> bool:
        """Return whether a connection may come in at once. If not, its `come_in` is called in its turn."""
        at_once = not self._waiting and self._is_open()
        if at_once:
            self._came_in += 1
        else:
            self._waiting[newcomer] = None
        if not self._is_watched:
            self._is_watched = True
            asyncio.get_running_loop().call_soon(self._next_turn)
        return at_once

    def leave(self, newcomer: Newcomer) -> None:
        """Forget a connection that has ended. Calling it again has no effect."""
        self._waiting.pop(newcomer, None)

    def _is_open(self) -> bool:
        return self._came_in < IN_A_TURN and not self._crowded()

    def _next_turn(self) -> None:
        loop = asyncio.get_running_loop()
        self._came_in = 0
        while self._waiting and self._is_open():
            self._came_in += 1
            loop.call_soon(self._waiting.popitem()[0].come_in)
        self._is_watched = bool(self._came_in or self._waiting)
        if self._is_watched:
            loop.call_later(0 if self._came_in else _LOOK_S, self._next_turn)
