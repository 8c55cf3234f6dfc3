"""Clocks of days: a single alarm wakes all tables of a server whose time for the decision is over.

A clock of days runs by the calendar, even while no guest is connected and the table is not in memory. So the
table itself does not wait: the time when the clock runs out is in the table's row, and `DayClock` then loads
the table.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable

from rum500.server.live.log.entries import LogError
from rum500.server.live.log.time_source import Alarm, TimeSource
from rum500.server.logs import log, shown
from rum500.store import StoreError, TableStore

POLL_S = 3600.0
"""The longest time between two queries while a table waits, in seconds: the host's clock may be changed."""
RETRY_S = 60.0
"""The seconds until the next query after an error of the store."""
_NEVER = sys.maxsize


class DayClock:
    """Wakes the tables whose clock of days has run out, with one alarm for all of them."""

    def __init__(
        self,
        store: TableStore,
        time: TimeSource,
        wake: Callable[[str], Awaitable[None]],
        poll_s: float | None = None,
    ) -> None:
        """Search at once for tables that became due while no server ran.

        `wake` lets a table do what is due, loading it if necessary. `poll_s` is for a store that other
        servers write to: the seconds between two queries, even if none of this server's tables waits.
        """
        self._poll_ms = _NEVER if poll_s is None else round(poll_s * 1000)
        self._store = store
        self._time = time
        self._wake = wake
        self._next = time.wall()
        self._alarm: Alarm | None = None
        self._task: asyncio.Task[None] | None = None
        self._failed: set[str] = set()
        self._closed = False
        self._set_alarm()

    def note(self, due: int | None) -> None:
        """Record the due time that was stored for a table in memory, in ms since 1970; None for no time.

        A time that has passed is not recorded: the table itself does what is due.
        """
        if due is not None and self._time.wall() < due < self._next and not self._closed:
            self._next = due
            if self._task is None:
                self._set_alarm()

    @property
    def waking(self) -> bool:
        """Whether tables are being woken now."""
        return self._task is not None

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._next != _NEVER:
            seconds = max(0.0, (self._next - self._time.wall()) / 1000)
            self._alarm = self._time.call_at(self._time.now() + min(seconds, POLL_S), self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._task = asyncio.get_running_loop().create_task(self._wake_due())

    async def _wake_due(self) -> None:
        """Wake the tables that are due, one after the other, and set the alarm for the next time."""
        now, self._next = self._time.wall(), _NEVER
        try:
            for table in await self._store.due(now):
                if table not in self._failed:
                    await self._wake_one(table)
            nearest = await self._store.next_due(now)
            self._next = min(self._next, now + self._poll_ms, _NEVER if nearest is None else nearest)
        except StoreError as error:
            log().error("tables.not_woken", code=error.code)
            self._next = min(self._next, now + round(RETRY_S * 1000))
        self._task = None
        self._set_alarm()

    async def _wake_one(self, table: str) -> None:
        """Wake a table. If the table cannot be loaded, do not try again: that would delay other tables."""
        try:
            await self._wake(table)
        except StoreError:
            raise
        except LogError as error:
            self._failed.add(table)
            log().warning("table.unreadable", table=shown(table), error=error)
        except Exception as error:  # noqa: BLE001 - a bug of the server
            self._failed.add(table)
            log().error("table.failed", table=shown(table), error=type(error).__name__)

    async def close(self) -> None:
        """Cancel the alarm, and wake no further table."""
        self._next, self._closed = _NEVER, True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None
        self._set_alarm()
