"""The store's errors: each has a stable code, and one line with the problem, the place and a remedy."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError

Code = Literal[
    "store.full",
    "store.readonly",
    "store.conflict",
    "store.fenced",
    "store.missing",
    "store.exists",
    "store.closed",
    "store.newer",
    "store.foreign",
    "store.corrupt",
    "store.locked",
    "store.url",
    "store.failed",
    "store.device",
    "store.device_full",
    "store.device_taken",
]
"""The stable codes. After `full`, `readonly`, `locked` and `failed` the same call may succeed later.

The codes with `device` are those of a browser's own storage.
"""


class StoreError(Exception):
    """A call of the store failed. `code` is stable; `message` has the place, the problem and a remedy.

    Nothing of the failed call is in the database, with one unavoidable exception: if the machine dies during
    a commit, or the database server dies and does not come back, the change may be stored although it was
    never acknowledged.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message


class TableLost(StoreError):
    """Another server owns this table now."""

    def __init__(self, table: str) -> None:
        super().__init__("store.fenced", f"table {table}: another server has taken it over; read it there")


class ServedElsewhere(Exception):
    """Another server owns the table; `url` is its address.

    If that server has died, the table is free after `left_s` seconds.
    """

    def __init__(self, url: str, left_s: float = 0.0) -> None:
        super().__init__(url)
        self.url = url
        self.left_s = left_s


class TakenError(StoreError):
    """Another process has the right to write, so no statement of this process can still be running."""

    def __init__(self, message: str) -> None:
        super().__init__("store.locked", message)


_OUT_OF_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NOT_ALLOWED = {errno.EROFS, errno.EACCES, errno.EPERM}
_LITTLE = 256 * 1024
"""A disk with less free space than this, in bytes, counts as full."""


def full(place: Path | str) -> StoreError:
    """Return the error for a full disk."""
    return StoreError(
        "store.full", f"{place}: the disk is full; free some space on it, nothing need be restarted"
    )


def readonly(place: Path | str) -> StoreError:
    """Return the error for a file, directory or file system without write access."""
    return StoreError(
        "store.readonly",
        f"{place}: may not be written; give this user write access to the file and its directory, "
        "or mount the file system writable",
    )


def foreign(place: Path | str, what: str) -> StoreError:
    """Return the error for a file that is not a database of rum500; `what` is, for example, `is empty`."""
    return StoreError(
        "store.foreign", f"{place}: {what}, not a database of rum500; name another one or move it away"
    )


def newer(place: Path | str, found: str, known: str) -> StoreError:
    """Return the error for a database written by a later rum500."""
    return StoreError(
        "store.newer",
        f"{place}: its version is {found}, and this rum500 knows up to {known}; "
        "install the newer rum500 that wrote it",
    )


def older(place: Path | str, found: str | None, known: str) -> StoreError:
    """Return the error for a database of an earlier version, in a command that does not migrate it."""
    return StoreError(
        "store.failed",
        f"{place}: its version is {found}, this rum500's is {known}; use the rum500 that wrote it, or start "
        "this one's server once, which migrates it",
    )


FOREIGN = (UnicodeDecodeError,)
"""The errors, besides `sqlite3.Error`, that SQLite's driver raises for a damaged file."""


def corrupt(place: Path | str, what: str) -> StoreError:
    """Return the error for a damaged database."""
    return StoreError(
        "store.corrupt", f"{place}: is damaged ({what}); restore a backup: rum500 restore FILE --force"
    )


def busy(place: Path | str) -> StoreError:
    """Return the error for a database that another process has locked."""
    return StoreError(
        "store.locked", f"{place}: another process is writing to it; end that one, then try again"
    )


def conflict(place: Path | str, what: str) -> StoreError:
    """Return the error for rows that contradict rows in the database."""
    return StoreError("store.conflict", f"{place}: {what}; read the table again and try again")


def failed(place: Path | str, what: str) -> StoreError:
    """Return the error for a failure that no other code describes."""
    return StoreError(
        "store.failed", f"{place}: {what}; look at the file, its disk and the limits of this process"
    )


def from_os(error: OSError, path: Path) -> StoreError:
    """Return the store's error for an error of the operating system."""
    place = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else path
    if error.errno in _OUT_OF_SPACE:
        return full(place)
    if error.errno in _NOT_ALLOWED:
        return readonly(place)
    return failed(place, error.strerror or str(error))


def from_database(error: DBAPIError | sqlite3.Error | UnicodeDecodeError, path: Path) -> StoreError:
    """Return the store's error for an error of the database."""
    if isinstance(error, FOREIGN):
        return corrupt(path, "its names are no text")
    cause = error if isinstance(error, sqlite3.Error) else error.orig
    name = getattr(cause, "sqlite_errorname", "")
    match name.split("_")[1:2]:
        case ["FULL"]:
            return full(path)
        case ["READONLY" | "PERM" | "AUTH"]:
            return readonly(path)
        case ["BUSY" | "LOCKED"]:
            return busy(path)
        case ["CORRUPT"]:
            return corrupt(path, str(cause))
        case ["NOTADB"]:
            return foreign(path, "is something else")
        case ["CONSTRAINT"]:
            return conflict(path, str(cause))
        case ["IOERR"] if no_room(path):
            return full(path)
        case ["CANTOPEN"] if not os.access(path if path.exists() else path.parent, os.W_OK):
            return readonly(path)
        case _:
            return failed(path, f"{cause} ({name})" if name else str(cause))


def no_room(path: Path) -> bool:
    """Return whether the file system of this file has almost no free space; False if that is unknown."""
    try:
        return shutil.disk_usage(path.parent).free < _LITTLE
    except OSError:
        return False
