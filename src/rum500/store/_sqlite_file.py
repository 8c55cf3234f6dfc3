"""Files of SQLite: connections whose commits wait for the disk, and checks of a whole file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.pool import Pool, QueuePool, StaticPool

from rum500.store._version import read_version
from rum500.store.errors import FOREIGN, failed, foreign, from_database
from rum500.store.rows import DatabaseReport, StoredEntry, checksum
from rum500.store.schema import HEAD

_WAIT = 5.0
"""How many seconds to wait for a lock inside the database, which the `sqlite3` shell may hold briefly."""
_LOG_LIMIT = 64 * 1024 * 1024
"""The size in bytes to which the write-ahead log is truncated after a checkpoint."""

READERS = 4
"""The number of reading threads."""


def connect(path: Path, *, reads: bool = False) -> sqlite3.Connection:
    """Return a connection in autocommit mode: callers execute `BEGIN` and `COMMIT` as statements.

    The file must exist. One thread at a time may use the connection, only for reading if `reads` is true.
    """
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=rw",
        uri=True,
        timeout=_WAIT,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    try:
        # In write-ahead mode, FULL makes each commit wait until the log is on the disk.
        connection.execute("PRAGMA synchronous = FULL")
        # On macOS, fsync does not empty the drive's cache, and this does; elsewhere it has no effect.
        connection.execute("PRAGMA fullfsync = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_LIMIT}")
        connection.execute(f"PRAGMA query_only = {'ON' if reads else 'OFF'}")
    except BaseException:
        connection.close()
        raise
    return connection


def use_log(connection: sqlite3.Connection, path: Path) -> None:
    """Turn write-ahead logging on permanently. Raises `StoreError` if the file system does not support it."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise failed(path, f"found journal mode {mode}, expected wal: this file system cannot share memory")


def writing_engine(path: Path) -> Engine:
    """Return a SQLAlchemy engine with a single connection, for the writer."""
    return _engine(path, StaticPool, reads=False)


def reading_engine(path: Path) -> Engine:
    """Return a SQLAlchemy engine with a few read-only connections."""
    return _engine(path, QueuePool, reads=True)


def _engine(path: Path, pool: type[Pool], *, reads: bool) -> Engine:
    more = {"pool_size": READERS, "max_overflow": 0} if pool is QueuePool else {}
    return create_engine(
        "sqlite://",
        creator=lambda: connect(path, reads=reads),
        poolclass=pool,
        isolation_level="AUTOCOMMIT",
        **more,
    )


MOST = 20
"""The largest number of problems of one kind that are reported."""
COUNTED = {
    "tables": "tables",
    "entries": "entries",
    "guests": "(SELECT id FROM guests UNION SELECT guest_id FROM people) AS all_guests",
}
"""For each count in a report, the rows to count. A guest without a name occurs only in the table `people`."""
GAPS = """
    SELECT table_id, min(number), max(number), count(*) FROM entries GROUP BY table_id
    HAVING min(number) <> 1 OR max(number) <> count(*) LIMIT 20
"""


LOGS = """
    SELECT table_id, number, at, kind, data, author, message, checksum FROM entries
    WHERE checksum IS NOT NULL ORDER BY table_id, number
"""


def check_file(path: Path) -> DatabaseReport:
    """Return the numbers of rows in a database, and its problems. A server may be using the database.

    Raises `StoreError` if it cannot be read, belongs to another program, or has a newer version.
    """
    try:
        with closing(connect(path, reads=True)) as connection:
            version = read_version(connection, path)
            if version is None:
                raise foreign(path, "is empty")
            connection.execute("BEGIN")  # all that follows sees the same moment
            problems = list(_problems(connection))
            if version == HEAD and not problems:
                problems = damaged_logs(connection.execute(LOGS))
            held = {name: _count(connection, rows, problems) for name, rows in COUNTED.items()}
            connection.execute("ROLLBACK")
    except (sqlite3.Error, *FOREIGN) as error:
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
                yield " ".join(str(line).split())
        for table, first, last, count in connection.execute(GAPS):
            yield gap(table, first, last, count)
    except sqlite3.DatabaseError as error:
        yield str(error)


def _count(connection: sqlite3.Connection, rows: str, problems: list[str]) -> int:
    try:
        (count,) = connection.execute(f"SELECT count(*) FROM {rows}").fetchone()  # noqa: S608 - our own names
    except sqlite3.DatabaseError as error:
        problems.append(f"{rows}: {error}")
        return 0
    return int(count)


def gap(table: str, first: int, last: int, count: int) -> str:
    """Return the problem that a log lacks numbers: it has `count` entries, numbered `first` to `last`."""
    return f"table {table}: {count} entries numbered {first} to {last}"


def damaged_logs(rows: Iterable[Sequence[Any]]) -> list[str]:
    """Return a line for each log in which an entry does not match its checksum, with the first such entry.

    `rows` are the result of the query `LOGS`. At most `MOST` lines are returned.
    """
    problems: list[str] = []
    last: StoredEntry | None = None
    of, damaged = "", False
    for table, *fields in rows:
        if len(problems) >= MOST:
            break
        entry = StoredEntry(*fields)
        if table != of:
            of, last, damaged = table, None, False
        follows = last is not None and last.number + 1 == entry.number
        before = last.checksum if follows and last is not None else None
        if not damaged and entry.checksum != checksum(before, table, entry):
            problems.append(f"table {table}: entry {entry.number} is not what was written")
            damaged = True
        last = entry
    return problems


def problems_in_one_line(findings: DatabaseReport) -> str:
    """Return the first problem of a report, which must have one, and the number of further problems."""
    more = len(findings.problems) - 1
    return findings.problems[0] + (f" and {more} more" if more else "")
