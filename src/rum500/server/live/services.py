"""What a table has around it: the house that it belongs to, and those who look on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from rum500.server.live.broadcaster import SPECTATOR
from rum500.server.live.table_options import Guest
from rum500.server.live.time_source import TimeSource
from rum500.server.live.you import Raw
from rum500.server.thinking.executor import BotExecutor
from rum500.store import Store

if TYPE_CHECKING:
    from rum500.server.live.table import LiveTable

CloseReason = Literal["elsewhere", "restart", "revoked"]


class Outbox(Protocol):
    """Where a viewer's messages go; neither call blocks or raises."""

    def send(self, message: bytes) -> None:
        """Send an encoded message."""

    def close(self, reason: CloseReason) -> None:
        """Say why after what is queued, and close."""


class TableMetrics(Protocol):
    """What a table tells about its work."""

    def move(self, seconds: float) -> None:
        """A move was acknowledged so long after it came."""

    def refused(self, code: str) -> None:
        """Something was refused."""


@dataclass(slots=True)
class TableServices:
    """What all tables of a server have in common; `rematch` makes a table for the same people."""

    store: Store
    clock: TimeSource
    thinker: BotExecutor
    entropy: Callable[[int], bytes]
    metrics: TableMetrics
    rematch: Callable[[LiveTable], Awaitable[str]]


class Viewer:
    """A viewer: a guest, at a seat (`player`) or not, and what was sent of the guest's own."""

    __slots__ = ("guest", "joined", "outbox", "own", "player")

    def __init__(self, guest: Guest, outbox: Outbox) -> None:
        """Of this guest."""
        self.guest = guest
        self.outbox = outbox
        self.joined = False
        self.player: int | None = None
        self.own: Raw = SPECTATOR

    def send(self, message: bytes) -> None:
        """Send an encoded message."""
        self.outbox.send(message)
