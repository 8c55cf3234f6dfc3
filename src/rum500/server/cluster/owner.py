"""The tables that this server owns in a shared database while its lease lasts."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from rum500.server.cluster.metrics import ClusterMetrics
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.store import SharedStore, StoredEntry, StoreError, TableLost, TableRow

T = TypeVar("T")


class TableOwner:
    """Takes and releases tables; see `Ownership`."""

    poll_s = 1.0

    def __init__(self, store: SharedStore, metrics: ClusterMetrics) -> None:
        """Own tables under the lease in `store.nodes`."""
        self.store = store
        self.metrics = metrics
        self.in_doubt = False
        """Whether the lease may have ended, so that other servers may own the tables."""
        self.given_up = 0
        """How often all tables have been given up."""
        self._work: set[asyncio.Task[Any]] = set()

    @property
    def fault(self) -> StoreError | None:
        """The error with which tables are refused if the lease may have ended; None if it certainly lasts."""
        return _no_lease() if self.in_doubt else None

    async def open(self, table: str) -> OwnedLog | None:
        """Take the ownership of a table and return its log; None if there is no such table.

        Raises `ServedElsewhere` if another server owns it.
        """
        owned = OwnedLog(self, table, self.given_up)
        owned.epoch = await self.store.nodes.take(table)
        if not owned.epoch:
            return None
        self.metrics.taken()
        return owned

    async def create(self, row: TableRow, first: Sequence[StoredEntry]) -> None:
        """Store a new table without an owner. The server to which its first visitor connects will own it."""
        await self.store.create_table(row, first)
        await OwnedLog(self, row.id, self.given_up, 1).release()

    async def guard(self, work: Coroutine[Any, Any, T]) -> T:
        """Await `work` and return its result; cancel `work` if all tables are given up.

        Otherwise a store that does not answer could block the caller. Raises `StoreError` after cancelling.
        """
        task = asyncio.ensure_future(work)
        if self.in_doubt:
            task.cancel()
        self._work.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if caller is not None and caller.cancelling():
                raise
            raise _no_lease() from None
        finally:
            self._work.discard(task)

    def give_up(self, tables: TableRegistry) -> None:
        """Drop all tables without waiting for the store; load none before `resume`."""
        self.given_up += 1
        self.in_doubt = True
        for task in self._work:
            task.cancel()
        tables.drop_all()

    def resume(self) -> None:
        """Allow tables to be loaded again: the lease is valid."""
        self.in_doubt = False


class OwnedLog:
    """The log of a table that this server owns, in one epoch; see `StoredLog`."""

    def __init__(self, owner: TableOwner, table: str, given_up: int, epoch: int = 0) -> None:
        self._owner = owner
        self._table = table
        self._given_up = given_up
        self.epoch = epoch

    async def entries(self) -> list[StoredEntry]:
        """Return all entries."""
        return await self._owner.store.entries(self._table)

    async def append(self, new: Sequence[StoredEntry], **fields: Any) -> None:
        """Add entries in this epoch. Raises `TableLost` if a later epoch has begun."""
        try:
            await self._owner.store.append(self._table, new, guard=self.epoch, **fields)
        except TableLost:
            log().info("table.lost", table=shown(self._table))
            self._owner.metrics.lost()
            raise

    def check(self) -> None:
        """Raise `StoreError` if all tables have been given up since this table was taken."""
        if self._owner.given_up != self._given_up:
            raise StoreError("store.failed", f"table {self._table}: another server may have taken it over")

    async def release(self) -> None:
        """Release the table, which then has no owner."""
        try:
            await self._owner.store.nodes.release(self._table, self.epoch)
        except StoreError as error:  # it becomes free when this server's lease ends
            log().warning("table.not_released", table=shown(self._table), code=error.code)


def _no_lease() -> StoreError:
    return StoreError("store.failed", "this server has no lease: another one is asked for its tables")
