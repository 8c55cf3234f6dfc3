"""Where things lie: the data directory, and the files in it that only this user may read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rum500.store._errors import StoreError, from_os

DATABASE = "rum500.sqlite3"
"""The database's name in the data directory."""
SECRET = "secret.key"  # noqa: S105 - a file's name
"""The name of the file with the key that signs guests' cookies; a backup takes it along."""

_SCHEME = "sqlite:///"


def default_data_dir() -> Path:
    """The data directory where nobody names one: `RUM500_DATA`, or this user's place for data of programs."""
    named = os.environ.get("RUM500_DATA")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "rum500"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "rum500"
    base = os.environ.get("XDG_DATA_HOME", "")
    # The standard says that a relative path there is to be ignored.
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "share") / "rum500"


def make_data_dir(data: Path) -> Path:
    """The directory, made for this user alone where it does not exist; `StoreError` where it cannot be."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise StoreError("store.failed", f"{data}: is a file; name a directory for the data") from None
    except OSError as error:
        raise from_os(error, data) from None
    return data


def database_path(url_or_path: str | Path) -> Path:
    """The database's file, from its path or a URL such as `sqlite:////var/lib/rum500/rum500.sqlite3`.

    A path to a directory stands for the database that lies in it by its usual name.
    """
    text = str(url_or_path)
    file = text.removeprefix(_SCHEME)
    if file == text and ("://" in text or text.startswith("sqlite:")):
        scheme = text.partition(":")[0]
        raise StoreError(
            "store.url",
            f"{scheme}: found a database URL of this kind, expected {_SCHEME}PATH (four strokes before an "
            "absolute path)",
        )
    if file in ("", ":memory:"):
        raise StoreError("store.url", f"{text!r}: a database in memory keeps nothing; name a file")
    path = Path(file)
    return path / DATABASE if file == text and path.is_dir() else path


def create_private(path: Path, content: bytes = b"") -> bool:
    """Create a file that only this user can read, brought to the disk; False if it is there already."""
    try:
        file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return False
    try:
        os.write(file, content)
        os.fsync(file)
    finally:
        os.close(file)
    sync_directory(path.parent)
    return True


def sync_directory(path: Path) -> None:
    """Bring names made, moved and removed in a directory to the disk."""
    if sys.platform == "win32":  # which has no such call
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
