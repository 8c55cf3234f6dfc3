"""SQLite, the default engine: one file, which one process owns by a lock beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, ProgrammingError

from rum500.store._sqlite_file import check_file, connect, reading_engine, use_log, writing_engine
from rum500.store._version import create, migrate, read_version
from rum500.store.backup_file import finish_restore
from rum500.store.database_lock import DatabaseLock, owner
from rum500.store.errors import FOREIGN, StoreError, foreign, from_database, from_os, no_room
from rum500.store.paths import close_to_others, create_private, make_data_dir
from rum500.store.rows import DatabaseReport, Row
from rum500.store.schema import APPLICATION, HEAD
from rum500.store.wal_damage import find_damage

_BEGINNING = b"SQLite format 3\x00"


class SqliteDatabase:
    """A database in a file; `Database` describes its fields and methods."""

    writers = 1
    shared = False
    begin = "BEGIN IMMEDIATE"
    snapshot = "BEGIN"
    mark = f"PRAGMA application_id = {APPLICATION}"
    probe = "PRAGMA user_version = 0"
    most_rows = 64  # the driver caches a statement for each number of rows
    raised = (sqlite3.Error, *FOREIGN)
    faults = (
        sqlite3.IntegrityError,
        sqlite3.ProgrammingError,
        sqlite3.InterfaceError,
        sqlite3.DataError,
        IntegrityError,
        ProgrammingError,
        InterfaceError,
        DataError,
    )

    def __init__(self, file: Path) -> None:
        self.file = file
        self.name = str(file)
        self.damage: str | None = None
        """The damage of the write-ahead log that `prepare` found; None if there was none."""

    def exists(self) -> bool:
        """Return whether the file exists and is not empty."""
        return self.file.is_file() and self.file.stat().st_size > 0

    def owner(self) -> str | None:
        """Return the process that has the database open; None if there is none."""
        process = owner(self.file)
        return None if process is None else f"process {process}" if process else "another process"

    def prepare(self) -> DatabaseLock:
        """Take the right to write, and create or migrate the file."""
        path = self.file
        make_data_dir(path.parent)
        ownership = DatabaseLock(path)
        try:
            finish_restore(path)
            self.damage = find_damage(path, owned=True)
            if not create_private(path):
                _begins_like_a_database(path)
            for ending in ("", "-wal", "-shm", "-journal", ".lock", "-wal.damaged"):
                close_to_others(path.with_name(path.name + ending))
            with closing(connect(path)) as connection:
                version = read_version(connection, path)
                use_log(connection, path)
                # Write something and roll it back: this fails now if the file is read-only.
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("PRAGMA user_version = 0")
                connection.execute("ROLLBACK")
            if version != HEAD:
                self._bring_up_to_date(version)
        except OSError as error:
            ownership.release()
            raise from_os(error, path) from None
        except (DBAPIError, sqlite3.Error, *FOREIGN) as error:
            ownership.release()
            raise from_database(error, path) from None
        except BaseException:
            ownership.release()
            raise
        return ownership

    def _bring_up_to_date(self, version: str | None) -> None:
        engine = self.writing_engine()
        try:
            with engine.connect() as connection:
                (create if version is None else migrate)(connection, self.begin, self.mark)
        finally:
            engine.dispose()

    def writing_engine(self, _number: int = 0) -> Engine:
        """Return an engine with a connection that may write."""
        return writing_engine(self.file)

    def reading_engine(self) -> Engine:
        """Return an engine with a few connections that may only read."""
        return reading_engine(self.file)

    def insert(self, driver: Any, rows: list[Row], _guards: Sequence[object]) -> set[tuple[str, int]]:
        """Add entries; one statement adds up to `most_rows` entries."""
        for start in range(0, len(rows), self.most_rows):
            part = rows[start : start + self.most_rows]
            driver.execute(_insertion(len(part)), [value for row in part for value in row])
        return set()

    def not_held(self, _driver: Any, _tables: Mapping[str, object]) -> set[str]:
        """Return the empty set: the only process owns all tables."""
        return set()

    def last_number(self, driver: Any, table: str) -> int:
        """Return the number of a table's last entry; 0 if it has none."""
        found = driver.execute("SELECT max(number) FROM entries WHERE table_id = ?", (table,))
        return int(found.fetchone()[0] or 0)

    def in_transaction(self, driver: Any) -> bool:
        """Return whether a transaction is open."""
        return bool(driver.in_transaction)

    def is_uncertain(self, _error: Exception) -> bool:
        """Return False: whether a commit to a file succeeded is always known."""
        return False

    def error(self, error: Exception) -> StoreError:
        """Return the `StoreError` for an error of the driver."""
        assert isinstance(error, (DBAPIError, sqlite3.Error, *FOREIGN))
        return from_database(error, self.file)

    def no_room(self) -> bool:
        """Return whether the disk has almost no free space."""
        return no_room(self.file)

    def version(self) -> str | None:
        """Return the version; see `read_version`."""
        try:
            find_damage(self.file)
            with closing(connect(self.file, reads=True)) as connection:
                return read_version(connection, self.file)
        except (sqlite3.Error, *FOREIGN) as error:
            raise from_database(error, self.file) from None

    def check(self) -> DatabaseReport:
        """Check the whole file and, if no server uses the database, its write-ahead log."""
        damage = find_damage(self.file)
        found = check_file(self.file)
        return found if damage is None else replace(found, problems=[damage, *found.problems])

    def copy_to(self, copy: Path) -> None:
        """Copy the file as of one moment, even while it is in use."""
        create_private(copy)
        try:
            find_damage(self.file)
            with closing(connect(self.file, reads=True)) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)  # in a single step, which no writer interrupts
                # The stored journal mode says that there is a log beside the file. The copy has none.
                target.execute("PRAGMA journal_mode = DELETE")
        except (sqlite3.Error, *FOREIGN) as error:
            code = getattr(error, "sqlite_errorname", "")
            raise from_database(error, copy if "FULL" in code else self.file) from None


@cache
def _insertion(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?, ?, ?, ?, ?)"] * rows)
    columns = "table_id, number, at, kind, data, author, message, checksum"
    return f"INSERT INTO entries ({columns}) VALUES {values}"  # noqa: S608 - made of constants


def _begins_like_a_database(path: Path) -> None:
    """Raise `StoreError` for a file of another kind, which SQLite would take for empty and overwrite."""
    with path.open("rb") as file:
        start = file.read(len(_BEGINNING))
    if start not in (b"", _BEGINNING):
        raise foreign(path, "is something else")
