"""Backups: writes everything in a database to one file and restores it, on either engine."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from rum500.store.backup_file import (
    DATABASE_PART,
    KEY_GOES_TO,
    Manifest,
    beside,
    check_copy,
    described,
    finish_restore,
    manifest_of,
    opened,
    os_errors,
    pack,
    pending_of,
    put_key,
    unpack,
    verify,
)
from rum500.store.database import Database, database_of
from rum500.store.database_copy import fill, nothing_there
from rum500.store.database_lock import DatabaseLock
from rum500.store.errors import StoreError
from rum500.store.paths import SECRET, create_private, make_data_dir, sync_directory
from rum500.store.sqlite import SqliteDatabase


def write_backup(
    place: str | Path | Database, secret: Path | None, file: Path, *, force: bool = False
) -> Manifest:
    """Write a backup of a database, even of one in use, and of the key for cookies if there is one.

    The file gets its name only after it is completely on the disk and has been read back. It contains a
    SQLite database, also if the database is on PostgreSQL. Raises `StoreError` with code `store.exists` if
    the file exists, unless `force` is true.
    """
    database = database_of(place)
    if not database.exists():
        raise nothing_there(database, "; name its folder with --data" if database.file else "")
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
        check_copy(parts[DATABASE_PART], database.name)
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
    """Verify a whole backup and return its manifest. Raises `StoreError` if it is damaged."""
    with os_errors(file), closing(opened(file)) as archive:
        manifest = manifest_of(archive, file)
        verify(archive, manifest, file)
    return manifest


def restore_backup(
    file: Path, place: str | Path | Database, secret: Path, *, force: bool = False
) -> Manifest:
    """Replace a database and the key for cookies by a backup, completely or not at all.

    Raises `StoreError` with code `store.locked` if a server uses the database, and `store.exists` if there is
    a database and `force` is false. If the restore is interrupted after everything is verified and on the
    disk, the next opening of a SQLite database completes it. On PostgreSQL the key is written after the rows
    are committed.
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
        source.prepare().release()  # migrates a backup of an older version
        fill(database, source, force=force)
        if (staging / SECRET).exists():
            put_key(staging / SECRET, secret)
