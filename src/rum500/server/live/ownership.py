"""Which tables this server may load and write: all of them, unless other servers share its database."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from rum500.store import StoredEntry, StoreError, TableRow, TableStore

T = TypeVar("T")


class StoredLog(Protocol):
    """The stored log of a table that this server owns."""

    async def entries(self) -> list[StoredEntry]:
        """Return all entries."""

    async def append(self, new: Sequence[StoredEntry], **fields: Any) -> None:
        """Add entries, as `Store.append` does. Raises `TableLost` if another server owns the table now."""

    def check(self) -> None:
        """Raise `StoreError` if another server may own the table now."""

    async def release(self) -> None:
        """Give up the table, so that other servers can load it."""


class Ownership(Protocol):
    """The right to load tables; `SoleOwner` is its simplest form."""

    @property
    def store(self) -> TableStore:
        """The store of all tables."""

    @property
    def poll_s(self) -> float | None:
        """The seconds between two searches for due tables that no server owns; None for a single server."""

    @property
    def fault(self) -> StoreError | None:
        """The error that prevents loading tables now; None if tables may be loaded."""

    async def open(self, table: str) -> StoredLog | None:
        """Take the ownership of a table and return its log; None if there is no such table.

        Raises `ServedElsewhere` if another server owns it.
        """

    async def create(self, row: TableRow, first: Sequence[StoredEntry]) -> StoredLog | None:
        """Store a new table. Return its log, or None if another server may become the owner.

        The owner is then the server to which the table's first visitor connects.
        """

    async def guard(self, work: Coroutine[Any, Any, T]) -> T:
        """Await this work and return its result. Raises `StoreError` once tables may no longer be loaded."""


class PlainLog:
    """The log of a table in a store that no other server writes to."""

    def __init__(self, store: TableStore, table: str) -> None:
        self._store = store
        self._table = table

    async def entries(self) -> list[StoredEntry]:
        """Return all entries."""
        return await self._store.entries(self._table)

    async def append(self, new: Sequence[StoredEntry], **fields: Any) -> None:
        """Add entries."""
        await self._store.append(self._table, new, **fields)

    def check(self) -> None:
        """Do nothing."""

    async def release(self) -> None:
        """Do nothing."""


class SoleOwner:
    """The only server, which owns all tables."""

    poll_s = None
    fault = None

    def __init__(self, store: TableStore) -> None:
        self.store = store

    async def open(self, table: str) -> StoredLog:
        """Return the log of a table, which is empty if there is no such table."""
        return PlainLog(self.store, table)

    async def create(self, row: TableRow, first: Sequence[StoredEntry]) -> StoredLog:
        """Store a new table and return its log."""
        await self.store.create_table(row, first)
        return PlainLog(self.store, row.id)

    async def guard(self, work: Coroutine[Any, Any, T]) -> T:
        """Await this work and return its result."""
        return await work
