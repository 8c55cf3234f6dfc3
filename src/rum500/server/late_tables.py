"""Finds tables whose task is stalled, counts them, and logs where each task waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from rum500.server.live.table import LiveTable
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.server.metrics import Metrics

LATE_S = 5.0
"""How many seconds a table's task may need for one request; a commit takes milliseconds."""
_EVERY_S = 5.0


class LateTableMonitor:
    """Monitors the tasks of all tables."""

    def __init__(self, tables: TableRegistry, metrics: Metrics) -> None:
        self._tables = tables
        self._metrics = metrics
        self._known: set[str] = set()

    async def run(self) -> None:
        """Call `look` every few seconds, until cancelled."""
        while True:
            await asyncio.sleep(_EVERY_S)
            self.look()

    def look(self) -> None:
        """Count the stalled tables. For each newly stalled table, log where its task waits."""
        late: dict[str, LiveTable] = {table.id: table for table in self._tables.stalled(LATE_S)}
        for table in late.values():
            if table.id not in self._known:
                log().error("table.late", table=shown(table.id), where=" < ".join(_places(table.task)))
        self._known = set(late)
        self._metrics.late(len(late))


def _places(task: asyncio.Task[None]) -> Iterable[str]:
    """Return where a task waits, the innermost place first; `ended` if the task has ended."""
    found: list[str] = []
    waiting: Any = task.get_coro()
    while (frame := getattr(waiting, "cr_frame", None)) is not None:
        found.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
        waiting = waiting.cr_await
    return reversed(found) if found else ["ended"]
