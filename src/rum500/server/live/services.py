"""What a table has around it: the house that it belongs to, and those who look on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rum500.server.live.time_source import TimeSource
from rum500.server.thinking.executor import BotExecutor
from rum500.store import Store

if TYPE_CHECKING:
    from rum500.server.live.table import LiveTable


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
    time: TimeSource
    executor: BotExecutor
    entropy: Callable[[int], bytes]
    metrics: TableMetrics
    rematch: Callable[[LiveTable], Awaitable[str]]
