"""Who owns which table: this server alone, or one of several that share a database."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol


class TableOwners(Protocol):
    """The owners of tables; `rum500.store.NodeStore` is one for several servers."""

    alone: bool
    """Whether this server owns every table, and keeps those that are made here."""

    async def take(self, table: str) -> int:
        """Make this server the owner of a table; return its epoch, 0 if there is no such table.

        Raises `OwnedElsewhere` if another server owns it.
        """

    async def release(self, table: str, epoch: int) -> None:
        """Give a table up."""

    async def ownerless(self, tables: Collection[str]) -> set[str]:
        """Return which of these tables have no owner."""


class SoleOwner:
    """The only server, which owns all tables."""

    alone = True

    async def take(self, table: str) -> int:
        """Return an epoch, which nobody asks for."""
        return 1

    async def release(self, table: str, epoch: int) -> None:
        """Do nothing."""

    async def ownerless(self, tables: Collection[str]) -> set[str]:
        """Return none."""
        return set()
