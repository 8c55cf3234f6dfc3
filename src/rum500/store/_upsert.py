"""Statements that add a row, or change the one that is there; both engines read the same SQL."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Table, TextClause, text


def upsert(table: Table, changed: Sequence[str] = ()) -> TextClause:
    """Return a statement that adds a row, or changes these columns of the row that has its key.

    Its parameters are all columns of the row. Without `changed`, a row that is there stays as it is.
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
