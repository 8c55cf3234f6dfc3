"""Ownership of a database by one process: a lock on a file beside it, released when the process dies."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from rum500.store.errors import StoreError, from_os

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PATIENCE = 2.0
"""How many seconds to wait for the lock of a server that is about to stop, or of `doctor`."""
_PAUSE = 0.05

# A lock of `lockf` belongs to the process and not to its children, which may outlive the process. The lock
# does not exclude a second store in the same process, so this set of databases does.
_owned: set[str] = set()
_owned_lock = threading.Lock()


def lock_path(database: Path) -> Path:
    """Return the file beside the database that its owner locks. It remains after the lock is released."""
    return database.with_name(database.name + ".lock")


class DatabaseLock:
    """The exclusive right to write to a database, until `release`."""

    def __init__(self, database: Path, patience: float = _PATIENCE) -> None:
        """Take the lock. Raises `store.locked` if another process holds it for `patience` seconds."""
        self._name = str(database.resolve())
        self._file = -1
        with _owned_lock:
            if self._name in _owned:
                raise _taken(database, os.getpid())
            _owned.add(self._name)
        try:
            self._file = _locked(database, patience)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Release the lock. Calling it again has no effect."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        with _owned_lock:
            _owned.discard(self._name)


def owner(database: Path) -> int | None:
    """Return the id of the process that owns a database: 0 if it is unknown, None if there is no owner."""
    path = lock_path(database)
    with _owned_lock:
        if str(database.resolve()) in _owned:
            return os.getpid()
        try:
            file = os.open(path, os.O_RDWR)
        except OSError:
            return None
        free = _try_lock(file)
        os.close(file)
    return None if free else _holder(path)


def _locked(database: Path, patience: float) -> int:
    path = lock_path(database)
    until = time.monotonic() + patience
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise from_os(error, path) from None
    while not _try_lock(file):
        if time.monotonic() >= until:
            os.close(file)
            raise _taken(database, _holder(path))
        time.sleep(_PAUSE)
    try:
        os.ftruncate(file, 0)
        os.write(file, b"%d\n" % os.getpid())
    except OSError as error:
        os.close(file)
        raise from_os(error, path) from None
    return file


def _try_lock(file: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(file, 1 << 20, os.SEEK_SET)  # a byte after the text, which stays readable
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _holder(path: Path) -> int:
    """Return the process id in the lock file; 0 if it cannot be read."""
    try:
        return int(path.read_text() or 0)
    except (OSError, ValueError):
        return 0


def _taken(database: Path, process: int) -> StoreError:
    who = f"process {process}" if process else "another process"
    return StoreError(
        "store.locked",
        f"{database}: is in use by a running rum500 ({who}); end that one, or name another --data directory",
    )
