"""A check of a whole database of SQLite, and what it shares with that of others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from rum500.store._connect import connect
from rum500.store._version import read_version
from rum500.store.errors import foreign, from_database
from rum500.store.rows import DatabaseReport

MOST = 20
"""The largest number of reported problems of one kind."""
GAPS = """
    SELECT table_id, min(number), max(number), count(*) FROM entries GROUP BY table_id
    HAVING min(number) <> 1 OR max(number) <> count(*) LIMIT 20
"""


def check_file(path: Path) -> DatabaseReport:
    """Return the contents of a database and its problems. A server may be using it.

    Raises `StoreError` if it cannot be read, is another program's database, or has a newer version.
    """
    try:
        with closing(connect(path, reads=True)) as connection:
            version = read_version(connection, path)
            if version is None:
                raise foreign(path, "is empty")
            connection.execute("BEGIN")  # one moment for all that follows
            problems = list(_problems(connection))
            held = {name: _count(connection, name, problems) for name in ("tables", "entries", "guests")}
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise from_database(error, path) from None
    return DatabaseReport(version=version, **held, bytes=size_of(path), problems=problems)


def size_of(path: Path) -> int:
    """Return the size of a database and its write-ahead log, in bytes."""
    parts = (path, path.with_name(path.name + "-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


def _problems(connection: sqlite3.Connection) -> Iterator[str]:
    try:
        for (line,) in connection.execute(f"PRAGMA integrity_check({MOST})"):
            if line != "ok":
                yield str(line)
        for table, first, last, count in connection.execute(GAPS):
            yield gap(table, first, last, count)
    except sqlite3.DatabaseError as error:
        yield str(error)


def _count(connection: sqlite3.Connection, table: str, problems: list[str]) -> int:
    try:
        (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - our own names
    except sqlite3.DatabaseError as error:
        problems.append(f"{table}: {error}")
        return 0
    return int(count)


def gap(table: str, first: int, last: int, count: int) -> str:
    """Return the problem of a log that has gaps."""
    return f"table {table}: {count} entries numbered {first} to {last}"


def problems_in_one_line(findings: DatabaseReport) -> str:
    """Return the first problem and the number of further ones."""
    more = len(findings.problems) - 1
    return findings.problems[0] + (f" and {more} more" if more else "")
