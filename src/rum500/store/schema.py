"""The database's tables, described once for every engine; `migrations/` leads from any version to it."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

HEAD = "0001"
"""The version of this schema. Versions are numbers, so that an older program knows a newer database."""
APPLICATION = 0x72353030
"""SQLite's `application_id` of our databases: `r500` in ASCII, which `file` shows too."""

metadata = MetaData()

_ID = String(64)
_TIME = BigInteger
# Of SQLite's integer types only one spelled INTEGER numbers rows by itself.
_ROW = BigInteger().with_variant(Integer, "sqlite")

entries = Table(
    "entries",
    metadata,
    # Appends go to the end of the file whatever their table: half the pages a commit must write, measured
    # against rows that lie beside their table's.
    Column("row", _ROW, primary_key=True),
    Column("table_id", _ID, nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", _TIME, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("author", _ID),
    Column("message", _ID),
    UniqueConstraint("table_id", "number", name="entries_number"),
)
Index(
    "entries_message",
    entries.c.table_id,
    entries.c.author,
    entries.c.message,
    unique=True,
    sqlite_where=entries.c.message.is_not(None),
    postgresql_where=entries.c.message.is_not(None),
)

tables = Table(
    "tables",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("created", _TIME, nullable=False),
    Column("updated", _TIME, nullable=False),
    Column("status", String(32), nullable=False),
    Column("private", Boolean, nullable=False),
    Column("profile", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("people", Text, nullable=False),  # a JSON list of guests' ids
    Column("seats_free", Integer, nullable=False),
    Column("clocked", Boolean, nullable=False),
    Column("host", Text),
    Column("seats", Text, nullable=False),
    Index("tables_status", "status", "private", "updated"),
)

people = Table(
    "people",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("table_id", _ID, primary_key=True),
    Index("people_table", "table_id"),
)
"""Which guests belong to which tables: `tables.people` turned round, to find a guest's tables."""

guests = Table(
    "guests",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("since", _TIME, nullable=False),
    Column("seen", _TIME, nullable=False),
)
