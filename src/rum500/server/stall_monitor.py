"""Tables whose owner gets nowhere: counted, and logged with the place where it waits, to show the cause."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from rum500.server.live import LiveTable, TableRegistry
from rum500.server.logs import log, shown
from rum500.server.metrics import Metrics

LATE_S = 5.0
"""So long an owner may be at one thing that is wanted: a commit takes milliseconds."""
_EVERY_S = 5.0


class StallMonitor:
    """Looks after the owners of all tables."""

    def __init__(self, tables: TableRegistry, metrics: Metrics) -> None:
        self._tables = tables
        self._metrics = metrics
        self._known: set[str] = set()

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await asyncio.sleep(_EVERY_S)
            self.look()

    def look(self) -> None:
        """Count the tables that are late; of each that was not so before, say where its owner waits."""
        late: dict[str, LiveTable] = {table.id: table for table in self._tables.stalled(LATE_S)}
        for table in late.values():
            if table.id not in self._known:
                log().error("table.late", table=shown(table.id), where=" < ".join(_places(table.owner)))
        self._known = set(late)
        self._metrics.late(len(late))


def _places(task: asyncio.Task[None]) -> Iterable[str]:
    """Where a task waits, the innermost place first; where it ended, if it has."""
    found: list[str] = []
    waiting: Any = task.get_coro()
    while (frame := getattr(waiting, "cr_frame", None)) is not None:
        found.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
        waiting = waiting.cr_await
    return reversed(found) if found else ["ended"]
