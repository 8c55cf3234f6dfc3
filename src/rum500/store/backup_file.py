"""The file of a backup: a SQLite database and the key for cookies, verified when written and when read."""

from __future__ import annotations

import hashlib
import lzma
import os
import shutil
import struct
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import IO

import msgspec

from rum500.store._sqlite_file import check_file, problems_in_one_line
from rum500.store.errors import StoreError, corrupt, from_os, full
from rum500.store.paths import SECRET, create_private, make_data_dir, sync_directory
from rum500.store.rows import Counts

_FORMAT = 1
DATABASE_PART = "database.sqlite3"
_MANIFEST = "manifest.json"
KEY_GOES_TO = "key-goes-to"
_PIECE = 1 << 20
_MOST_MANIFEST = 64 * 1024
_MOST_KEY = 64 * 1024
_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, KeyError, ValueError, RuntimeError
)  # fmt: skip
"""The errors of the standard library for an archive that is damaged or from another program."""


class Manifest(Counts, frozen=True, kw_only=True):
    """The description of a backup."""

    format: int
    """The version of the backup format."""
    program: str
    """The version of rum500 that wrote the backup."""
    made: int
    """The time of the backup, in milliseconds since 1970."""
    version: str
    """The database's version."""
    sha256: dict[str, str]
    """The SHA-256 of each file in the backup, except the manifest."""


def finish_restore(database: Path) -> None:
    """Move the files of a prepared restore, if any, into place. After an interruption, call this again.

    The caller must own the database. The prepared files must be verified and on the disk.
    """
    pending = pending_of(database)
    if not pending.is_dir():
        return
    try:
        if (pending / DATABASE_PART).exists():
            # Remove the old database's log: the new one must not apply it.
            for ending in ("-wal", "-shm", "-journal", "-wal.damaged"):
                database.with_name(database.name + ending).unlink(missing_ok=True)
            sync_directory(database.parent)
            (pending / DATABASE_PART).replace(database)
            sync_directory(database.parent)
        if (pending / SECRET).exists():
            put_key(pending / SECRET, Path(os.fsdecode((pending / KEY_GOES_TO).read_bytes())))
            (pending / SECRET).unlink()
        shutil.rmtree(pending)
    except OSError as error:
        raise from_os(error, pending) from None


# --- parts -----------------------------------------------------------------------------------------


def put_key(key: Path, place: Path) -> None:
    """Replace the key at `place` by a copy of `key`, which may be on another file system."""
    new = place.with_name(place.name + ".new")
    new.unlink(missing_ok=True)
    make_data_dir(place.parent)
    create_private(new, key.read_bytes())
    new.replace(place)
    sync_directory(place.parent)


def pending_of(database: Path) -> Path:
    """Return the folder in which a restore of this database prepares its files."""
    return database.with_name(database.name + ".restored")


@contextmanager
def beside(file: Path) -> Iterator[Path]:
    """Yield a private folder beside `file`; remove it afterwards unless it was renamed."""
    staging = Path(tempfile.mkdtemp(prefix=f".{file.name}.", dir=file.resolve().parent))
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def os_errors(file: Path) -> Iterator[None]:
    """Convert errors of the operating system in the body to `StoreError`."""
    try:
        yield
    except OSError as error:
        raise from_os(error, file) from None


def check_copy(copy: Path, named: Path | str) -> None:
    """Raise `StoreError` if the database `copy` is damaged; the message names `named` instead of the copy."""
    findings = check_file(copy)
    if findings.problems:
        raise corrupt(named, problems_in_one_line(findings))


def described(parts: dict[str, Path]) -> Manifest:
    """Return the manifest of a backup; `parts` has the path of each file, by its name in the backup."""
    findings = check_file(parts[DATABASE_PART])
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


def pack(parts: dict[str, Path], manifest: Manifest, whole: Path) -> None:
    """Write the manifest and the files of `parts` into the new archive `whole`, and sync it to the disk."""
    create_private(whole)
    with whole.open("r+b") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(_MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
            for name, path in parts.items():
                archive.write(path, name)
        stream.flush()
        os.fsync(stream.fileno())


def opened(file: Path) -> zipfile.ZipFile:
    """Return the archive in this file. Raises `StoreError` if the file is no archive."""
    try:
        return zipfile.ZipFile(file)
    except _UNREADABLE:
        raise StoreError(
            "store.foreign", f"{file}: is no backup that rum500 wrote, or not all of one"
        ) from None


def manifest_of(archive: zipfile.ZipFile, file: Path) -> Manifest:
    """Return the manifest of a backup. Raises `StoreError` if it is not rum500's, or has a newer format."""
    try:
        with archive.open(_MANIFEST) as stream:
            manifest = msgspec.json.decode(stream.read(_MOST_MANIFEST), type=Manifest)
    except (*_UNREADABLE, msgspec.MsgspecError):
        raise StoreError("store.foreign", f"{file}: is no backup that rum500 wrote") from None
    if manifest.format > _FORMAT:
        raise StoreError(
            "store.newer", f"{file}: was written by rum500 {manifest.program}; install that or a newer one"
        )
    if not {DATABASE_PART} <= manifest.sha256.keys() <= {DATABASE_PART, SECRET}:
        raise StoreError("store.foreign", f"{file}: is no backup that rum500 wrote")
    return manifest


def verify(archive: zipfile.ZipFile, manifest: Manifest, file: Path) -> None:
    """Compare all files of a backup with its manifest. Raises `StoreError` if one differs."""
    for name, expected in manifest.sha256.items():
        with _member(archive, name, file) as stream:
            _compare(_sum(stream), expected, name, file)


def unpack(archive: zipfile.ZipFile, manifest: Manifest, staging: Path, file: Path) -> None:
    """Write the backup's files to `staging`. Raises `StoreError` if they are damaged or there is no room."""
    size = sum(info.file_size for info in archive.infolist() if info.filename in manifest.sha256)
    if size > shutil.disk_usage(staging).free:
        raise full(staging)
    for name, expected in manifest.sha256.items():
        create_private(staging / name)
        with _member(archive, name, file) as stream, (staging / name).open("r+b") as target:
            shutil.copyfileobj(stream, target, _PIECE)
            target.flush()
            os.fsync(target.fileno())
            target.seek(0)
            _compare(_sum(target), expected, name, file)
    check_copy(staging / DATABASE_PART, file)


@contextmanager
def _member(archive: zipfile.ZipFile, name: str, file: Path) -> Iterator[IO[bytes]]:
    try:
        if name == SECRET and archive.getinfo(name).file_size > _MOST_KEY:
            raise _damaged(file, f"{name}: is larger than a key")
        with archive.open(name) as stream:
            yield stream
    except _UNREADABLE as error:
        raise _damaged(file, f"{name}: {_in_one_line(error)}") from None


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _compare(found: str, expected: str, name: str, file: Path) -> None:
    if found != expected:
        raise _damaged(file, f"{name} is not what was written")


def _damaged(file: Path, what: str) -> StoreError:
    """Return the error for a damaged backup; `what` says what is damaged."""
    return StoreError("store.corrupt", f"{file}: the backup is damaged ({what}); take another one")
