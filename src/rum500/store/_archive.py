"""Backups: one file with copies of the database and the cookies' key, verified when written and when read."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import metadata
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from rum500.store._check import check_database, problems_in_one_line
from rum500.store._connect import connect
from rum500.store._errors import StoreError, corrupt, from_database, from_os
from rum500.store._owner import Ownership
from rum500.store.paths import SECRET, create_private, make_data_dir, sync_directory

_FORMAT = 1
_DATABASE = "database.sqlite3"
_MANIFEST = "manifest.json"
_KEY_GOES_TO = "key-goes-to"
_PIECE = 1 << 20
_MOST_MANIFEST = 64 * 1024


class Manifest(Struct, frozen=True):
    """The description of a backup."""

    format: int
    """The version of the backup format."""
    program: str
    """The version of rum500 that wrote it."""
    made: int
    """The time of the backup, in milliseconds since 1970."""
    version: str
    """The database's version."""
    tables: int
    """The number of tables."""
    entries: int
    """The number of log entries."""
    guests: int
    """The number of guests."""
    sha256: dict[str, str]
    """The SHA-256 of each file in the backup, except the manifest."""


def write_backup(database: Path, secret: Path, file: Path, *, force: bool = False) -> Manifest:
    """Write a backup of a database, even one in use, and of the key beside it if there is one.

    The file gets this name only after it is completely on the disk and has been read back. Raises
    `StoreError` with code `store.exists` if there is a file of this name, unless `force` is true.
    """
    if not database.is_file():
        raise StoreError(
            "store.missing", f"{database}: there is no such database; name its directory with --data"
        )
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
    with _os_errors(file), _beside(file) as staging:
        parts = {_DATABASE: staging / _DATABASE}
        _copy_database(database, parts[_DATABASE])
        if secret.is_file():
            parts[SECRET] = secret
        manifest = _described(parts)
        whole = staging / "whole"
        _pack(parts, manifest, whole)
        with closing(_opened(whole)) as archive:
            _verify(archive, manifest, whole)
        whole.replace(file)
        sync_directory(file.parent)
    return manifest


def read_manifest(file: Path) -> Manifest:
    """Return the manifest of a backup after verifying all of it. Raises `StoreError` if it is damaged."""
    with _os_errors(file), closing(_opened(file)) as archive:
        manifest = _manifest(archive, file)
        _verify(archive, manifest, file)
    return manifest


def restore_backup(file: Path, database: Path, secret: Path, *, force: bool = False) -> Manifest:
    """Replace a database and the cookies' key by a backup, completely or not at all.

    Raises `StoreError` with code `store.locked` if a server uses the database, and `store.exists` if there is
    a database and `force` is false. If it is interrupted after everything is verified and on the disk, the
    next opening of the database completes it.
    """
    with _os_errors(file), closing(_opened(file)) as archive:
        manifest = _manifest(archive, file)
        make_data_dir(database.parent)
        ownership = Ownership(database)
        try:
            finish_restore(database)
            if database.exists() and database.stat().st_size and not force:
                raise StoreError(
                    "store.exists",
                    f"{database}: is there already; replace it with --force, or name another --data",
                )
            with _beside(database) as staging:
                _unpack(archive, manifest, staging, file)
                create_private(staging / _KEY_GOES_TO, os.fsencode(secret.resolve()))
                staging.replace(_pending(database))
                sync_directory(database.parent)
            finish_restore(database)
        finally:
            ownership.release()
    return manifest


def finish_restore(database: Path) -> None:
    """Move the files of a prepared restore into place. It can be repeated from any interruption.

    The caller must own the database. The prepared files are verified and on the disk.
    """
    pending = _pending(database)
    if not pending.is_dir():
        return
    try:
        if (pending / _DATABASE).exists():
            # The new database must not use the old one's log.
            for ending in ("-wal", "-shm", "-journal"):
                database.with_name(database.name + ending).unlink(missing_ok=True)
            sync_directory(database.parent)
            (pending / _DATABASE).replace(database)
            sync_directory(database.parent)
        if (pending / SECRET).exists():
            _put(pending / SECRET, Path(os.fsdecode((pending / _KEY_GOES_TO).read_bytes())))
            (pending / SECRET).unlink()
        shutil.rmtree(pending)
    except OSError as error:
        raise from_os(error, pending) from None


# --- parts -----------------------------------------------------------------------------------------


def _put(key: Path, place: Path) -> None:
    """Replace the old key by a copy of this one, which may be on another file system."""
    new = place.with_name(place.name + ".new")
    new.unlink(missing_ok=True)
    make_data_dir(place.parent)
    create_private(new, key.read_bytes())
    new.replace(place)
    sync_directory(place.parent)


def _pending(database: Path) -> Path:
    return database.with_name(database.name + ".restored")


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """Yield a private directory on the same file system, removed afterwards unless it was renamed."""
    staging = Path(tempfile.mkdtemp(prefix=f".{file.name}.", dir=file.resolve().parent))
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def _os_errors(file: Path) -> Iterator[None]:
    """Raise the operating system's errors as the store's."""
    try:
        yield
    except OSError as error:
        raise from_os(error, file) from None


def _copy_database(database: Path, copy: Path) -> None:
    """Copy the database as of one moment, even in use, and check the copy."""
    create_private(copy)
    try:
        with closing(connect(database, reads=True)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)  # in one step, which writers cannot interrupt
            # The mode is stored in the file. The copy has no log beside it and must not claim one.
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "")
        raise from_database(error, copy if "FULL" in code else database) from None
    _sound(copy, database)


def _sound(copy: Path, named: Path) -> None:
    findings = check_database(copy)
    if findings.problems:
        raise corrupt(named, problems_in_one_line(findings))


def _described(parts: dict[str, Path]) -> Manifest:
    findings = check_database(parts[_DATABASE])
    sums = {}
    for name, path in parts.items():
        with path.open("rb") as stream:
            sums[name] = _sum(stream)
    return Manifest(
        format=_FORMAT,
        program=metadata.version("rum500"),
        made=time.time_ns() // 1_000_000,
        version=findings.version,
        tables=findings.tables,
        entries=findings.entries,
        guests=findings.guests,
        sha256=sums,
    )


def _sum(stream: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while piece := stream.read(_PIECE):
        digest.update(piece)
    return digest.hexdigest()


def _pack(parts: dict[str, Path], manifest: Manifest, whole: Path) -> None:
    create_private(whole)
    with whole.open("r+b") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(_MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
            for name, path in parts.items():
                archive.write(path, name)
        stream.flush()
        os.fsync(stream.fileno())


def _opened(file: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except zipfile.BadZipFile:
        raise StoreError(
            "store.foreign", f"{file}: is no backup that rum500 wrote, or not all of one"
        ) from None


def _manifest(archive: zipfile.ZipFile, file: Path) -> Manifest:
    try:
        with archive.open(_MANIFEST) as stream:
            manifest = msgspec.json.decode(stream.read(_MOST_MANIFEST), type=Manifest)
    except (KeyError, msgspec.MsgspecError, UnicodeDecodeError, zipfile.BadZipFile):
        raise StoreError("store.foreign", f"{file}: is no backup that rum500 wrote") from None
    if manifest.format > _FORMAT:
        raise StoreError(
            "store.newer", f"{file}: was written by rum500 {manifest.program}; install that or a newer one"
        )
    if not {_DATABASE} <= manifest.sha256.keys() <= {_DATABASE, SECRET}:
        raise StoreError("store.foreign", f"{file}: is no backup that rum500 wrote")
    return manifest


def _verify(archive: zipfile.ZipFile, manifest: Manifest, file: Path) -> None:
    for name, expected in manifest.sha256.items():
        with _member(archive, name, file) as stream:
            _compare(_sum(stream), expected, name, file)


def _unpack(archive: zipfile.ZipFile, manifest: Manifest, staging: Path, file: Path) -> None:
    """Write the backup's files to the disk and verify them there."""
    for name, expected in manifest.sha256.items():
        create_private(staging / name)
        with _member(archive, name, file) as stream, (staging / name).open("r+b") as target:
            shutil.copyfileobj(stream, target, _PIECE)
            target.flush()
            os.fsync(target.fileno())
            target.seek(0)
            _compare(_sum(target), expected, name, file)
    _sound(staging / _DATABASE, file)


@contextmanager
def _member(archive: zipfile.ZipFile, name: str, file: Path) -> Iterator[IO[bytes]]:
    try:
        with archive.open(name) as stream:
            yield stream
    except (KeyError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise _damaged(file, f"{name}: {error}") from None


def _compare(found: str, expected: str, name: str, file: Path) -> None:
    if found != expected:
        raise _damaged(file, f"{name} is not what was written")


def _damaged(file: Path, what: str) -> StoreError:
    """Return the error for a damaged backup."""
    return StoreError("store.corrupt", f"{file}: the backup is damaged ({what}); take another one")
