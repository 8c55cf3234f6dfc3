"""Checks of `rum500 doctor` on the data directory, limits of open files and the database."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rum500 import store
from rum500.cli._server_options import Data
from rum500.rules.english import counted
from rum500.server.config import ConfigError
from rum500.server.push.vapid import VapidKey

Grade = Literal["ok", "note", "bad"]

CONNECTIONS = 5000
"""The number of connections that a server should be able to hold."""
_OTHER_FILES = 200
"""The number of other files that a server keeps open: log, database, libraries, new sockets."""
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check: its grade, and a remedy if it is not ok."""

    check: str
    grade: Grade
    text: str


def existing(folder: Path) -> Path:
    """Return the folder or its nearest existing parent."""
    return next((place for place in (folder, *folder.parents) if place.is_dir()), folder)


def check_data(place: Data) -> Iterator[CheckResult]:
    """Check that the data folder can be used, and only by this user; yield the results."""
    folder = place.disk
    there = existing(folder)
    if folder.exists() and not folder.is_dir():
        yield CheckResult("data", "bad", f"{folder}: is a file; name a folder with --data")
    elif not os.access(there, os.W_OK | os.X_OK):
        yield CheckResult(
            "data", "bad", f"{there}: this user may not write there; change its owner, or name another"
        )
    elif there != folder:
        yield CheckResult("data", "ok", f"{folder}: is not there yet; rum500 serve will make it")
    else:
        yield from _private(folder)
    yield from _key(place.secret, "pass for any guest")
    yield from _vapid(place.vapid)


def _private(path: Path) -> Iterator[CheckResult]:
    found = path.stat()
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077 and sys.platform != "win32":
        remedy = f"chmod {'go-rwx'} {path}"
        yield CheckResult("data", "note", f"{path}: others may look into it (mode {mode:03o}); {remedy}")
    else:
        yield CheckResult("data", "ok", f"{path}: for this user alone")


def _key(file: Path, use: str) -> Iterator[CheckResult]:
    """Check that only this user can read a key file; `use` says what others could do with the key."""
    if not file.exists():
        return
    mode = stat.S_IMODE(file.stat().st_mode)
    if mode & 0o077 and sys.platform != "win32":
        text = f"{file}: others may read it (mode {mode:03o}) and {use}; chmod 600 {file}"
        yield CheckResult("key", "bad", text)
    else:
        yield CheckResult("key", "ok", f"{file}: for this user alone")


def _vapid(file: Path) -> Iterator[CheckResult]:
    """Check a key for push messages, if there is one, and that only this user can read it."""
    yield from _key(file, "send messages in this server's name")
    if file.exists():
        try:
            _ = VapidKey(b"", "", file).public
        except ConfigError as error:
            yield CheckResult("key", "bad", str(error).removeprefix("data: "))


def check_files(most: int) -> Iterator[CheckResult]:
    """Check the limits of open files (for `most` connections) and of file size; yield the results."""
    if sys.platform == "win32":
        yield CheckResult("files", "note", "this system has no limit of open files that could be read")
        return
    import resource  # noqa: PLC0415 - not on Windows

    needed = CONNECTIONS + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # The server raises its own soft limit to the hard one, so the hard limit counts.
    allowed = sys.maxsize if hard == resource.RLIM_INFINITY else hard
    number = "any number of" if allowed == sys.maxsize else f"{allowed:,}"
    if allowed < needed:
        remedy = f"ulimit -n {needed}, or LimitNOFILE={needed} in the systemd unit"
        yield CheckResult(
            "files",
            "bad",
            f"{number} open files allowed, {needed:,} needed for {CONNECTIONS:,} connections; {remedy}",
        )
    elif allowed < most + _OTHER_FILES:
        text = f"{number} open files allowed, fewer than the {most:,} connections of max_connections need"
        yield CheckResult("files", "note", f"{text}; raise the one or lower the other")
    else:
        raised = "" if soft == hard else f" (the server raises its limit from {soft:,})"
        yield CheckResult(
            "files", "ok", f"{number} open files allowed, enough for {CONNECTIONS:,} connections{raised}"
        )
    size, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if size != resource.RLIM_INFINITY:
        yield CheckResult("files", "bad", f"files may only grow to {size:,} bytes; ulimit -f unlimited")


def check_database(database: store.Database, secret: Path) -> Iterator[CheckResult]:
    """Yield the results for the database's version, contents, integrity and owner, and for its secret key."""
    try:
        there = database.exists()
    except store.StoreError as error:
        yield CheckResult("database", "bad", error.message)
        return
    if secret.exists() and not there:
        yield CheckResult(
            "database",
            "note",
            f"{database.name}: is empty, and {secret} is not new; if there were tables, look for the right "
            "folder or disk, or restore a backup: rum500 restore FILE",
        )
        return
    if not there:
        yield CheckResult("database", "ok", f"{database.name}: is not there yet; rum500 serve will make it")
        return
    try:
        owner = database.owner()
        found = database.check()
    except store.StoreError as error:
        yield CheckResult("database", "bad", error.message)
        return
    for problem in found.problems:
        yield CheckResult("database", "bad", f"{database.name}: {problem}")
    if found.problems:
        yield CheckResult("database", "bad", "it is damaged; restore a backup: rum500 restore FILE --force")
        return
    held = (
        f"{counted(found.tables, 'table')}, {found.entries:,} log entries, {counted(found.guests, 'guest')}"
    )
    used = "" if owner is None else f"; in use by {owner}"
    yield CheckResult(
        "database", "ok", f"sound, version {found.version}, {held}, {found.bytes / MEGABYTE:,.1f} MB{used}"
    )
