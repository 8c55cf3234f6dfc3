"""Stores for tests: run a coroutine with one, make entries and rows, and mount small file systems."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from rum500.store import DATABASE, BrowserRow, Database, Store, StoredEntry, StoreError, TableRow, database_of
from rum500.store import _version as versions

T = TypeVar("T")


def with_store(place: Path | str, work: Callable[[Store], Awaitable[T]], **options: Any) -> T:
    """Return what `work` returns, with the store in this folder, in a file with an ending, or at a URL."""
    database = place if isinstance(place, str) or place.suffix else place / DATABASE

    async def run() -> T:
        store = await Store.open(database, **options)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def entry(number: int, message: str | None = None, data: bytes = b"{}", author: str = "ann") -> StoredEntry:
    return StoredEntry(number, 1_700_000_000_000 + number, "play", data, author, message)


def row(table: str, **fields: Any) -> TableRow:
    common: dict[str, Any] = {
        "created": 1,
        "updated": 1,
        "status": "open",
        "private": False,
        "profile": "500-rum",
        "title": "500 Rum",
        "players": 2,
    }
    return TableRow(id=table, **common | fields)


def browser(guest: str, seen: int, **fields: Any) -> BrowserRow:
    endpoint = f"https://push.example/{guest}"
    keys = {"endpoint": endpoint, "p256dh": "a", "auth": "b", "language": "en", "zone": "UTC", "quiet_to": 7}
    return BrowserRow(guest_id=guest, seen=seen, **keys | fields)


async def code_of(call: Awaitable[object]) -> str | None:
    """Return the code with which a call is refused, None if it is not; check that refusals are one line."""
    try:
        await call
    except StoreError as caught:
        refusal = caught
    else:
        return None
    assert refusal.message == str(refusal) and "\n" not in refusal.message
    return refusal.code


@contextmanager
def no_commits(place: Path | str) -> Iterator[None]:
    """Block all commits while the block runs, so that the store waits."""
    if isinstance(place, str):
        import psycopg

        with psycopg.connect(place) as other:
            other.execute("LOCK TABLE entries IN EXCLUSIVE MODE")
            yield
            other.rollback()
    else:
        with closing(sqlite3.connect(place / DATABASE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")


def made(place: Path | str, how: str) -> Database:
    """Return a database made by all migrations ("migrate") or at once ("create")."""
    if isinstance(place, Path):
        place.touch()
    database = database_of(place)
    engine = database.writing_engine()
    with engine.connect() as connection:
        getattr(versions, how)(connection, database.begin, database.mark)
    engine.dispose()
    return database


def changed(place: Path | str, statement: str) -> None:
    """Change a database without the store."""
    if isinstance(place, str):
        import psycopg

        with psycopg.connect(place) as connection:
            connection.execute(statement)  # type: ignore[call-overload] # any statement
    else:
        with closing(sqlite3.connect(place / DATABASE if place.is_dir() else place)) as connection:
            connection.execute(statement)
            connection.commit()


def may_mount() -> bool:
    """Return whether this process may mount file systems; in some sandboxes root may not."""
    return os.name == "posix" and os.geteuid() == 0 and shutil.which("mount") is not None


@contextmanager
def file_system(place: Path, size: str) -> Iterator[Callable[[str], None]]:
    """Mount a file system of this size in memory; call the result with other options to remount it.

    It is mounted outside pytest's folder, because pytest could not remove it after a killed test.
    """
    disk = Path(tempfile.mkdtemp(prefix="rum500-disk-"))
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "rum500-test", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        disk.rmdir()
        pytest.skip(f"may not mount here: {made.stderr.strip()}")
    place.symlink_to(disk)

    def remount(options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", str(disk)], check=True)

    try:
        yield remount
    finally:
        subprocess.run(["umount", str(disk)], check=True)
        disk.rmdir()
