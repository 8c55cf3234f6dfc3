"""The files that a run writes: by one run at a time, and complete or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from rum500.sim.deals import SimulationError

if sys.platform != "win32":
    import fcntl


def open_locked(path: Path, shown: Path | None = None) -> IO[bytes]:
    """Open a file for reading and appending that no other run writes to. The lock ends when it is closed.

    Raises `SimulationError`, which names the path `shown`, if another run has locked it, and `OSError`.
    Windows has no such lock.
    """
    while True:
        file = path.open("a+b")
        if sys.platform == "win32":
            return file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise SimulationError(f"{shown or path}: a run that is under way writes to it") from None
        if _is_at(file, path):
            return file
        file.close()  # the run that had locked it has renamed or removed it meanwhile


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def atomic_file(path: Path | None) -> Iterator[Path | None]:
    """Yield a temporary path for a file, which is renamed to `path` on success; None if `path` is None.

    Raises at once `OSError` if the file cannot be written there, and `SimulationError` if another run writes
    it.
    """
    if path is None:
        yield None
        return
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory", str(path))
    part = path.with_name(path.name + ".part")
    with open_locked(part, path) as lock:
        lock.truncate(0)  # a killed run may have left it
        if sys.platform == "win32":
            lock.close()  # an open file cannot be renamed
        try:
            yield part
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def write_atomic(path: Path, text: str) -> None:
    """Write a file of text. Raises the errors of `atomic_file`."""
    with atomic_file(path) as part:
        assert part is not None
        part.write_text(text, encoding="utf-8")


def check_distinct(**paths: str | os.PathLike[str] | None) -> None:
    """Raise `SimulationError` if two of these options name the same file."""
    named = dict[Path, str]()
    for option, path in paths.items():
        if path is not None and (other := named.setdefault(Path(path).absolute(), option)) != option:
            raise SimulationError(f"{path}: {other} and {option} name the same file; give each its own")


def check_folder(folder: Path) -> None:
    """Raise `OSError` if no files can be written to a folder, or if it cannot be created. Creates nothing."""
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    try:
        TemporaryFile(dir=there).close()
    except OSError as error:  # it names the temporary file
        raise OSError(error.errno, error.strerror, str(folder)) from None
