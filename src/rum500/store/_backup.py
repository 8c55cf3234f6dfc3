"""Backups and copies: everything in a database, as a file or in another database, of either engine."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from rum500.store._archive import (
    DATABASE_PART,
    KEY_GOES_TO,
    Manifest,
    beside,
    described,
    finish_restore,
    manifest_of,
    opened,
    os_errors,
    pack,
    pending_of,
    put_key,
    sound,
    unpack,
    verify,
)
from rum500.store._copy import copy_rows, has_rows
from rum500.store.database import Database, database_of
from rum500.store.database_lock import DatabaseLock
from rum500.store.errors import StoreError
from rum500.store.paths import SECRET, create_private, make_data_dir, sync_directory
from rum500.store.sqlite import SqliteDatabase


class CopyReport(Struct, frozen=True):
    """What was copied from one database into another."""

    tables: int
    """The number of tables."""
    entries: int
    """The number of log entries."""
    guests: int
    """The number of guests."""
    sha256: str
    """The SHA-256 of all rows, which was found the same in both."""


def write_backup(
    place: str | Path | Database, secret: Path | None, file: Path, *, force: bool = False
) -> Manifest:
    """Write a backup of a database, even one in use, and of the cookies' key if there is one.

    The file gets this name only after it is completely on the disk and has been read back. It contains a
    database of SQLite whatever the engine. Raises `StoreError` with code `store.exists` if there is a file
    of this name, unless `force` is true.
    """
    database = database_of(place)
    if not database.exists():
        raise nothing_there(database)
    if file.is_dir():
        raise StoreError("store.exists", f"{file}: is a directory; name a file to write")
    if not file.resolve().parent.is_dir():
        raise StoreError(
            "store.missing", f"{file.parent}: there is no such directory; make it, or name another"
        )
    if file.exists() and not force:
        raise StoreError(
            "store.exists", f"{file}: is there already; name another file, or replace it with --force"
        )
    with os_errors(file), beside(file) as staging:
        parts = {DATABASE_PART: staging / DATABASE_PART}
        database.copy_to(parts[DATABASE_PART])
        sound(parts[DATABASE_PART], database.name)
        if secret is not None and secret.is_file():
            parts[SECRET] = secret
        manifest = described(parts)
        whole = staging / "whole"
        pack(parts, manifest, whole)
        with closing(opened(whole)) as archive:
            verify(archive, manifest, whole)
        whole.replace(file)
        sync_directory(file.parent)
    return manifest


def read_manifest(file: Path) -> Manifest:
    """Return the manifest of a backup after verifying all of it. Raises `StoreError` if it is damaged."""
    with os_errors(file), closing(opened(file)) as archive:
        manifest = manifest_of(archive, file)
        verify(archive, manifest, file)
    return manifest


def restore_backup(
    file: Path, place: str | Path | Database, secret: Path, *, force: bool = False
) -> Manifest:
    """Replace a database and the cookies' key by a backup, completely or not at all.

    Raises `StoreError` with code `store.locked` if a server uses the database, and `store.exists` if there is
    a database and `force` is false. If it is interrupted after everything is verified and on the disk, the
    next opening of a database of SQLite completes it. On PostgreSQL the key follows the committed rows.
    """
    database = database_of(place)
    with os_errors(file), closing(opened(file)) as archive:
        manifest = manifest_of(archive, file)

        def unpack_into(folder: Path) -> None:
            unpack(archive, manifest, folder, file)

        if database.file is not None:
            _restore_file(unpack_into, database.file, secret, force=force)
        else:
            _restore_rows(unpack_into, database, secret, force=force)
    return manifest


def copy_database(source: str | Path, target: str | Path) -> CopyReport:
    """Copy everything from one database into another that is empty, of either engine.

    Both are this process's meanwhile. The rows are read back and compared by a digest before they are
    committed. Raises `StoreError` if a server uses one of the two, or if the target has rows.
    """
    start, end = database_of(source), database_of(target)
    if start.name == end.name:
        raise StoreError("store.exists", f"{end.name}: is the database to copy from; name another to copy to")
    if not start.exists():
        raise nothing_there(start)
    owned = start.prepare()
    try:
        return _filled(end, start, force=False)
    finally:
        owned.release()


def nothing_there(database: Database) -> StoreError:
    """Return the error for a database that is not there, or has nothing in it."""
    what = "there is no such database; name its directory with --data" if database.file else "is empty"
    return StoreError("store.missing", f"{database.name}: {what}")


# --- a file ----------------------------------------------------------------------------------------


def _restore_file(unpack_into: Callable[[Path], None], database: Path, secret: Path, *, force: bool) -> None:
    make_data_dir(database.parent)
    ownership = DatabaseLock(database)
    try:
        finish_restore(database)
        if database.exists() and database.stat().st_size and not force:
            raise StoreError(
                "store.exists",
                f"{database}: is there already; replace it with --force, or name another --data",
            )
        with beside(database) as staging:
            unpack_into(staging)
            create_private(staging / KEY_GOES_TO, os.fsencode(secret.resolve()))
            staging.replace(pending_of(database))
            sync_directory(database.parent)
        finish_restore(database)
    finally:
        ownership.release()


# --- rows ------------------------------------------------------------------------------------------


def _restore_rows(
    unpack_into: Callable[[Path], None], database: Database, secret: Path, *, force: bool
) -> None:
    make_data_dir(secret.parent)
    with beside(secret) as staging:
        unpack_into(staging)
        source = SqliteDatabase(staging / DATABASE_PART)
        source.prepare().release()  # a backup of an older version is migrated
        _filled(database, source, force=force)
        if (staging / SECRET).exists():
            put_key(staging / SECRET, secret)


def _filled(target: Database, source: Database, *, force: bool) -> CopyReport:
    """Copy all rows in one transaction of the target, whose rows are replaced if `force` is true."""
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
    return CopyReport(counts["tables"], counts["entries"], counts["guests"], copied.sha256)
