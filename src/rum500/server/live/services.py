"""Services that all tables share: the store, the time, the bots' executor, metrics, and rematches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rum500.server.live.broadcast.turn_notices import WaitListener
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.time_source import TimeSource
from rum500.server.thinking.executor import BotExecutor

if TYPE_CHECKING:
    from rum500.store import Store


class TableMetrics(Protocol):
    """The metrics that a table reports."""

    def move(self, seconds: float) -> None:
        """Count a move, acknowledged this long after it came."""

    def refused(self, code: str) -> None:
        """Count a request that was refused with this code."""

    def taken(self) -> None:
        """Count a table whose owner this server has become."""

    def lost(self) -> None:
        """Count a table that another server has taken."""


@dataclass(slots=True)
class TableServices:
    """The services that all tables of a server share."""

    store: Store
    time: TimeSource
    executor: BotExecutor
    entropy: Callable[[int], bytes]
    """Returns the requested number of secret random bytes."""
    metrics: TableMetrics
    rematch: Callable[[TableState, frozenset[int]], Awaitable[str]]
    """Makes a table for those players of a finished one who are here, and returns its id."""
    notices: WaitListener
    """Is told which guests a table waits for who do not look at it."""
    wake_at: Callable[[int | None], None]
    """Has a table with a clock of days woken at this time, in ms since 1970; the time is stored."""
    together_s: float
    """The seconds in which viewers who neither asked nor decide are sent one update at most."""
    lost: Callable[[str, int], None]
    """Is told that another server has taken a table over, which this one had in that epoch."""
    deal_ended: Callable[[str, int], None] = lambda _table, _deal: None
    """Is told that a deal of a table is finished and stored, by their id and number, once or more often."""
