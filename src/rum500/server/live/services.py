"""What a table uses that is not its own: the store, the time, where bots think, and how a rematch is made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from rum500.server.live.table_state import TableState
from rum500.server.live.time_source import TimeSource
from rum500.server.thinking.executor import BotExecutor
from rum500.store import Store


class TableMetrics(Protocol):
    """What a table reports about its work."""

    def move(self, seconds: float) -> None:
        """Count a move, acknowledged this long after it came."""

    def refused(self, code: str) -> None:
        """Count a request that was refused with this code."""


@dataclass(slots=True)
class TableServices:
    """What all tables of a server share."""

    store: Store
    time: TimeSource
    executor: BotExecutor
    entropy: Callable[[int], bytes]
    """Returns as many secret bytes as it is asked for."""
    metrics: TableMetrics
    rematch: Callable[[TableState, frozenset[int]], Awaitable[str]]
    """Makes a table for those players of a finished one who are here, and returns its id."""
