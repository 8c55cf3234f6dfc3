"""Connections to the database, configured so that a commit waits for the disk."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import Engine, create_engine
from sqlalchemy.pool import Pool, QueuePool, StaticPool

from rum500.store.errors import failed

_WAIT = 5.0
"""Seconds to wait for a lock within the database, which `sqlite3` in a terminal may hold briefly."""
_LOG_LIMIT = 64 * 1024 * 1024
"""The size in bytes to which the write-ahead log is truncated after a checkpoint."""

READERS = 4
"""The number of reading threads."""


def connect(path: Path, *, reads: bool = False) -> sqlite3.Connection:
    """Return a connection for one thread at a time, in autocommit mode: statements control transactions.

    The file must exist. With `reads` the connection refuses to write.
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
        # On macOS fsync stops at the drive's cache and this does not; elsewhere it has no effect.
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
    """Return a SQLAlchemy engine with the writer's one connection."""
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
