"""The interface of the two engines, SQLite and PostgreSQL: everything in which they differ for the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Engine

from rum500.store.errors import StoreError
from rum500.store.paths import POSTGRES, database_path
from rum500.store.rows import DatabaseReport, Row
from rum500.store.sqlite import SqliteDatabase


class Owned(Protocol):
    """The exclusive right to write to a database, until `release`."""

    def release(self) -> None:
        """Release the right to write. Calling it again has no effect."""


class Database(Protocol):
    """A database of one of the engines. It is not connected before a method is called."""

    @property
    def name(self) -> str:
        """The file, or the URL without its password, for messages."""

    @property
    def file(self) -> Path | None:
        """The database's file; None if it is on a server."""

    @property
    def damage(self) -> str | None:
        """A description of the committed data that is lost; None if no loss was found. Set by `prepare`."""

    @property
    def writers(self) -> int:
        """The number of connections that can commit at the same time."""

    @property
    def shared(self) -> bool:
        """Whether other servers also write to the database; then the guard (epoch) of a table is checked."""

    @property
    def begin(self) -> str:
        """The statement that begins a transaction which writes."""

    @property
    def snapshot(self) -> str:
        """The statement that begins a transaction which reads the database as of one moment."""

    @property
    def mark(self) -> str:
        """The statement that marks the database as one of rum500."""

    @property
    def probe(self) -> str:
        """A statement that writes a little without changing anything."""

    @property
    def most_rows(self) -> int:
        """The largest number of entries that `insert` adds with one statement."""

    @property
    def raised(self) -> tuple[type[Exception], ...]:
        """The types of the driver's errors."""

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        """The errors caused by a statement's contents; other statements may still succeed."""

    def exists(self) -> bool:
        """Return whether the database exists and is not empty."""

    def owner(self) -> str | None:
        """Return a description of the process that has the right to write; None if no process has it."""

    def prepare(self) -> Owned:
        """Take the right to write and create or migrate the database. Raises `StoreError` if that fails."""

    def writing_engine(self, number: int = 0) -> Engine:
        """Return an engine with one connection that may write; writers have different numbers."""

    def reading_engine(self) -> Engine:
        """Return an engine with a few connections that may only read."""

    def insert(self, driver: Any, rows: list[Row], guards: Sequence[object]) -> set[tuple[str, int]]:
        """Add entries, in order. Return (table, number) of each entry that was not added.

        If the database is shared, `guards` has an epoch for each entry. An entry is added only if this server
        owns its table in that epoch.
        """

    def not_held(self, driver: Any, tables: Mapping[str, object]) -> set[str]:
        """Return which of these tables this server does not own in the epoch that `tables` has for them.

        Until the transaction ends, no other server can take the tables that this server owns.
        """

    def last_number(self, driver: Any, table: str) -> int:
        """Return the number of a table's last entry; 0 if it has none."""

    def in_transaction(self, driver: Any) -> bool:
        """Return whether a transaction is open."""

    def is_uncertain(self, error: Exception) -> bool:
        """Return whether a change may have been committed although the commit raised this error."""

    def error(self, error: Exception) -> StoreError:
        """Return the `StoreError` for an error of the driver or of SQLAlchemy."""

    def no_room(self) -> bool:
        """Return whether the disk is known to have almost no free space."""

    def version(self) -> str | None:
        """Return the version of the database; None if the database is empty.

        Raises `StoreError` if the version is newer than this program's, or the database is another program's.
        """

    def check(self) -> DatabaseReport:
        """Check the whole database. Raises `StoreError` if it cannot be read, or is another program's."""

    def copy_to(self, copy: Path) -> None:
        """Copy all rows, as of one moment, into a new SQLite file. The database may be in use."""


def database_of(place: str | Path | Database) -> Database:
    """Return the database at a place: a file, its folder, or a URL `sqlite:///…` or `postgresql://…`.

    Raises `StoreError` for a URL of another kind.
    """
    if not isinstance(place, str | Path):
        return place
    if str(place).startswith(POSTGRES):
        # Imported here, because its driver is in an extra that need not be installed.
        from rum500.store.postgres import PostgresDatabase  # noqa: PLC0415

        return PostgresDatabase(str(place))
    return SqliteDatabase(database_path(place))


def check_database(place: str | Path) -> DatabaseReport:
    """Return the numbers of rows in a database, and its problems. A server may be using the database.

    Raises `StoreError` if it cannot be read, belongs to another program, or has a newer version.
    """
    return database_of(place).check()
