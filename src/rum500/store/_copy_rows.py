"""Copying of all rows between databases, with a digest that is the same on SQLite and PostgreSQL."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import (
    Connection,
    Select,
    Table,
    Text,
    collate,
    delete,
    func,
    insert,
    literal,
    select,
    text,
    union,
)

from rum500.store.errors import StoreError
from rum500.store.schema import entries, guests, metadata, people

_AT_ONCE = 1000
_BYTES_IN_ORDER = {"sqlite": "BINARY", "postgresql": "C"}
"""For each engine, the name of the collation that orders texts by their bytes."""


@dataclass
class Copied:
    """The counts and the digest of a database's rows."""

    counts: dict[str, int] = field(default_factory=dict)
    """The number of rows by table of the schema."""
    guests: int = 0
    """The number of guests, including guests without a name, who occur only in the table `people`."""
    sha256: str = ""
    """The SHA-256 of all rows, in the order of tables and keys."""


def has_rows(connection: Connection) -> bool:
    """Return whether any table of the schema has a row."""
    wanted = (select(select(literal(1)).select_from(table).exists()) for table in metadata.sorted_tables)
    return any(connection.execute(one).scalar_one() for one in wanted)


def copy_rows(source: Connection, target: Connection) -> Copied:
    """Replace all rows of `target` by those of `source`. Both connections must be in a transaction.

    The new rows are read back. Raises `StoreError` if they differ from the rows of `source`.
    """
    for table in metadata.sorted_tables:
        target.execute(delete(table))
    found = _read(source, target)
    # Continue the numbering of entries after the copied ones.
    if target.dialect.name == "postgresql":
        last = select(func.coalesce(func.max(entries.c.row), 0)).scalar_subquery()
        target.execute(select(func.setval(text("pg_get_serial_sequence('entries', 'row')"), last + 1, False)))
    if _read(target) != found:
        raise StoreError("store.corrupt", "the copy has other rows than its source; nothing was kept")
    return found


def _read(source: Connection, copy: Connection | None = None) -> Copied:
    """Return the counts and the digest of all rows of `source`; if `copy` is given, add the rows to it."""
    found, digest = Copied(), hashlib.sha256()
    for table in metadata.sorted_tables:
        digest.update(table.name.encode())
        names = list(table.columns.keys())
        count = 0
        rows = source.execute(
            _in_order(table, source.dialect.name), execution_options={"yield_per": _AT_ONCE}
        )
        for part in rows.partitions():
            for row in part:
                digest.update(msgspec.msgpack.encode(tuple(row)))
            if copy is not None:
                values: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in part]
                copy.execute(insert(table), values)
            count += len(part)
        found.counts[table.name] = count
    ids = union(select(guests.c.id), select(people.c.guest_id)).subquery()
    found.guests = source.execute(select(func.count()).select_from(ids)).scalar_one()
    found.sha256 = digest.hexdigest()
    return found


def _in_order(table: Table, dialect: str) -> Select[Any]:
    by_bytes = _BYTES_IN_ORDER[dialect]
    keys = (
        collate(key, by_bytes) if isinstance(key.type, Text) else key for key in table.primary_key.columns
    )
    return select(table).order_by(*keys)
