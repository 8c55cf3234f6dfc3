"""Connections to the database, set so that what is committed is on the disk."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import Engine, create_engine
from sqlalchemy.pool import Pool, QueuePool, StaticPool

from rum500.store._errors import failed

_WAIT = 5.0
"""Seconds to wait for a lock within the database, such as a person's `sqlite3` may hold for a moment."""
_LOG_LIMIT = 64 * 1024 * 1024
"""Bytes that the write-ahead log keeps once it has been written back."""

READERS = 4
"""How many threads read at once."""


def connect(path: Path, *, reads: bool = False) -> sqlite3.Connection:
    """A connection for one thread at a time, in autocommit: transactions are begun and ended by statements.

    The file must be there. With `reads` it refuses to write.
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
        # FULL: in write-ahead mode each commit waits until the log is on the disk.
        connection.execute("PRAGMA synchronous = FULL")
        # Where fsync stops at the drive's cache (macOS) this does not; elsewhere it says nothing.
        connection.execute("PRAGMA fullfsync = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_LIMIT}")
        connection.execute(f"PRAGMA query_only = {'ON' if reads else 'OFF'}")
    except BaseException:
        connection.close()
        raise
    return connection


def use_log(connection: sqlite3.Connection, path: Path) -> None:
    """Turn write-ahead logging on, for good; `StoreError` where the file system cannot do it."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise failed(path, f"found journal mode {mode}, expected wal: this file system cannot share memory")


def writing_engine(path: Path) -> Engine:
    """SQLAlchemy over the writer's one connection."""
    return _engine(path, StaticPool, reads=False)


def reading_engine(path: Path) -> Engine:
    """SQLAlchemy over a few connections that only read."""
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
