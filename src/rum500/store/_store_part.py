"""The base of the store's parts: reading, writing, and a statement that adds or changes a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import Select, Table, TextClause, text

from rum500.store.writer import Change, Read

R = TypeVar("R")


class StorePart:
    """The base of a part of the store. As in `Store`, changes are on the disk when a call returns."""

    def __init__(self, read: Read, change: Change) -> None:
        """Set the functions of the store that read and write."""
        self._read = read
        self._change = change

    async def _rows(self, kind: type[R], table: Table, wanted: Select[Any]) -> list[R]:
        """Return the rows of `wanted`, which selects all columns of `table`, as objects of type `kind`."""
        names = table.columns.keys()
        return [kind(**dict(zip(names, row, strict=True))) for row in await self._read(wanted)]


def upsert(table: Table, changed: Sequence[str] = ()) -> TextClause:
    """Return a statement that adds a row, or changes the columns `changed` of the row with the same key.

    The SQL works on SQLite and on PostgreSQL. Its parameters are all columns of the row. Without `changed`,
    an existing row is left unchanged.
    """
    names = ", ".join(map(_quoted, table.columns.keys()))
    values = ", ".join(f":{name}" for name in table.columns.keys())  # noqa: SIM118 - columns are no dictionary
    keys = ", ".join(_quoted(column.name) for column in table.primary_key)
    sets = ", ".join(f"{_quoted(name)} = excluded.{_quoted(name)}" for name in changed)
    action = f"UPDATE SET {sets}" if changed else "NOTHING"
    insertion = f"INSERT INTO {table.name} ({names}) VALUES ({values})"  # noqa: S608 - our schema's own names
    return text(f"{insertion} ON CONFLICT ({keys}) DO {action}")


def _quoted(name: str) -> str:
    return f'"{name}"'
