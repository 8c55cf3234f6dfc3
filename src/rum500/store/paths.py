"""The data folder, and the private files in it."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from rum500.store.errors import StoreError, from_os

DATABASE = "rum500.sqlite3"
"""The database's name in the data directory."""
SECRET = "secret.key"  # noqa: S105 - a file's name
"""The name of the file with the key that signs guests' cookies and push messages. Backups include it."""
VAPID = "vapid.pem"
"""The name of a file with another key that signs push messages. It need not exist."""

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_SCHEME = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")
"""What URLs of PostgreSQL databases begin with."""


def default_data_dir() -> Path:
    """Return the default data directory: `RUM500_DATA`, or the user's directory for program data."""
    named = os.environ.get("RUM500_DATA")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "rum500"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "rum500"
    base = os.environ.get("XDG_DATA_HOME", "")
    # XDG requires that a relative path is ignored.
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "share") / "rum500"


def make_data_dir(data: Path) -> Path:
    """Create the data folder, if necessary, for this user only; return it. Raises `StoreError` if that fails.

    An existing folder that is empty, or has the database or the key, is closed to other users; afterwards
    `open_to_others` shows whether that succeeded. Any other folder is left unchanged, because other programs
    may need it.
    """
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (data / DATABASE).exists() or (data / SECRET).exists() or not any(data.iterdir()):
            close_to_others(data)
    except FileExistsError:
        raise StoreError("store.failed", f"{data}: is a file; name a directory for the data") from None
    except OSError as error:
        raise from_os(error, data) from None
    return data


def open_to_others(path: Path) -> bool:
    """Return whether other users can access a file or folder."""
    return sys.platform != "win32" and bool(path.stat().st_mode & _OTHERS)


def close_to_others(path: Path) -> None:
    """Remove other users' rights on a file or folder, if it exists and belongs to this user."""
    with suppress(FileNotFoundError, PermissionError):
        mode = path.stat().st_mode
        if open_to_others(path) and not mode & stat.S_ISVTX and path.resolve() != Path.home():
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)


def database_path(url_or_path: str | Path) -> Path:
    """Return the database's file, given its path or a URL such as `sqlite:////var/lib/rum500/rum500.sqlite3`.

    A path to a folder means the database with the default name in it.
    """
    text = str(url_or_path)
    file = text.removeprefix(_SCHEME)
    if file == text and ("://" in text or text.startswith("sqlite:")):
        scheme = text.partition(":")[0]
        raise StoreError(
            "store.url",
            f"{scheme}: found a database URL of this kind, expected {_SCHEME}PATH (four strokes before an "
            "absolute path) or postgresql://USER@HOST/NAME",
        )
    if file in ("", ":memory:"):
        raise StoreError("store.url", f"{text!r}: a database in memory keeps nothing; name a file")
    path = Path(file)
    return path / DATABASE if file == text and path.is_dir() else path


def create_private(path: Path, content: bytes = b"") -> bool:
    """Create a file that only this user can read, and sync it. Return False if it exists already."""
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
    """Sync a folder to the disk, so that names in it are durable."""
    if sys.platform == "win32":  # Windows has no such call
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
