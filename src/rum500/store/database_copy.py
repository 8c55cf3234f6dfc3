"""Copies a whole database into another one, of either engine."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from rum500.store._copy_rows import copy_rows, has_rows
from rum500.store.database import Database, database_of
from rum500.store.errors import StoreError
from rum500.store.rows import Counts


class CopyReport(Counts, frozen=True, kw_only=True):
    """What was copied from one database into the other."""

    sha256: str
    """The SHA-256 of all rows, equal in both databases."""


def copy_database(source: str | Path, target: str | Path) -> CopyReport:
    """Copy all rows of a database into an empty one. Each of the two may be of either engine.

    This process locks both databases. The rows are read back and compared by a digest before they are
    committed. Raises `StoreError` if a server uses one of the two, or if the target has rows.
    """
    start, end = database_of(source), database_of(target)
    if start.name == end.name:
        raise StoreError("store.exists", f"{end.name}: is the database to copy from; name another to copy to")
    if not start.exists():
        raise nothing_there(start)
    owned = start.prepare()
    try:
        return fill(end, start, force=False)
    finally:
        owned.release()


def nothing_there(database: Database, remedy: str = "") -> StoreError:
    """Return the error for a database that does not exist or is empty."""
    what = "there is no such database" if database.file else "is empty"
    return StoreError("store.missing", f"{database.name}: {what}{remedy}")


def fill(target: Database, source: Database, *, force: bool) -> CopyReport:
    """Copy all rows of `source` into `target`, in one transaction.

    If `target` has rows, they are replaced if `force` is true; otherwise this raises `StoreError`.
    """
    owned = target.prepare()
    engines = source.reading_engine(), target.writing_engine(1)
    try:
        with engines[0].connect() as reading, engines[1].connect() as writing:
            if has_rows(writing) and not force:
                raise StoreError(
                    "store.exists", f"{target.name}: is not empty; name a database without tables and guests"
                )
            return _in_one_transaction(reading, writing, source, target)
    except DBAPIError as error:
        whose = target if isinstance(error.orig, target.raised) else source
        raise whose.error(error) from None
    finally:
        for engine in engines:
            engine.dispose()
        owned.release()


def _in_one_transaction(
    reading: Connection, writing: Connection, source: Database, target: Database
) -> CopyReport:
    reading.exec_driver_sql(source.snapshot)
    writing.exec_driver_sql(target.begin)
    try:
        copied = copy_rows(reading, writing)
        writing.exec_driver_sql("COMMIT")
    except BaseException:
        writing.exec_driver_sql("ROLLBACK")
        raise
    finally:
        reading.exec_driver_sql("ROLLBACK")
    counts = copied.counts
    return CopyReport(
        tables=counts["tables"], entries=counts["entries"], guests=copied.guests, sha256=copied.sha256
    )
