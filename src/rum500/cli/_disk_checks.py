"""Checks of `rum500 doctor` on the data's disk: its free space, whether syncs reach it, and how fast."""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rum500.cli._data_checks import MEGABYTE, CheckResult, Grade, existing
from rum500.store import Store, StoredEntry, StoreError

_LEAST, _LITTLE = 100 * MEGABYTE, 1000 * MEGABYTE
_FEW_NAMES = 1000
_SYNCS = 60
COMMITS = 60
SECONDS = 3.0
_PAGE = bytes(4096)
_NOTHING_DONE = 5e-6
"""No disk syncs in less than this many seconds: a faster sync was ignored somewhere."""
_SLOW = 0.050

_IN_MEMORY = ("tmpfs", "ramfs", "devtmpfs")
_REMOTE = ("nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "glusterfs")


@dataclass(frozen=True, slots=True)
class Mount:
    """The file system of a folder."""

    kind: str
    options: frozenset[str]


def check_room(folder: Path) -> Iterator[CheckResult]:
    """Check that there is enough free space, and enough inodes where they are limited; yield the results."""
    there = existing(folder)
    free = shutil.disk_usage(there).free
    grade: Grade = "bad" if free < _LEAST else "note" if free < _LITTLE else "ok"
    remedy = "" if grade == "ok" else "; a full disk stops all moves until there is space again"
    yield CheckResult("space", grade, f"{free / MEGABYTE:,.0f} MB free{remedy}")
    if sys.platform != "win32":
        counted_names = os.statvfs(there)
        if counted_names.f_files and counted_names.f_favail < _FEW_NAMES:
            yield CheckResult("space", "bad", f"{counted_names.f_favail} free inodes; remove some files")


def check_disk(folder: Path) -> Iterator[CheckResult]:
    """Measure syncs and commits on the disk of the data; yield the results."""
    there = existing(folder)
    try:
        with tempfile.TemporaryDirectory(prefix=".rum500-doctor-", dir=there) as scratch:
            yield from _kind_of_disk(there)
            yield _syncs(Path(scratch))
            yield _commits(Path(scratch))
    except StoreError as error:
        yield CheckResult("disk", "bad", error.message)
    except OSError as error:
        yield CheckResult("disk", "bad", f"{there}: cannot be written: {error.strerror or error}")


# --- file systems ----------------------------------------------------------------------------------


def mount_of(folder: Path, table: Path = Path("/proc/self/mountinfo")) -> Mount | None:
    """Return the mount of a folder, by the kernel's `table`; None if it is not listed."""
    try:
        lines = table.read_text().splitlines()
    except OSError:
        return None
    found: tuple[int, Mount] | None = None
    place = str(folder.resolve())
    for line in lines:
        before, _, after = line.partition(" - ")
        point = before.split()[4].encode().decode("unicode_escape")
        inside = place == point or place.startswith(point.rstrip("/") + "/")
        if inside and (found is None or len(point) >= found[0]):
            kind, _, options = after.split(" ", 2)
            found = len(point), Mount(kind, frozenset((before.split()[5] + "," + options).split(",")))
    return None if found is None else found[1]


def _kind_of_disk(folder: Path) -> Iterator[CheckResult]:
    if "eatmydata" in os.environ.get("LD_PRELOAD", ""):
        yield CheckResult(
            "disk", "bad", "LD_PRELOAD loads eatmydata, which throws syncs away; start without it"
        )
    mount = mount_of(folder)
    if mount is None:
        return
    if mount.kind in _IN_MEMORY:
        yield CheckResult(
            "disk", "bad", f"{folder}: lies in memory ({mount.kind}) and is lost at the next restart"
        )
    elif mount.kind in _REMOTE:
        text = (
            f"{folder}: lies on another machine ({mount.kind}), where locks and syncs are not to be trusted"
        )
        yield CheckResult("disk", "bad", f"{text}; use a disk of this one")
    elif mount.kind == "overlay":
        text = f"{folder}: lies in a container's own layer and is lost with the container"
        yield CheckResult("disk", "note", f"{text}; mount a volume there")
    if mount.options & {"nobarrier", "barrier=0"}:
        yield CheckResult(
            "disk", "bad", "mounted with nobarrier: a loss of power loses moves; mount it without"
        )


# --- syncs -----------------------------------------------------------------------------------------


def _flushes(folder: Path) -> Callable[[], int] | None:
    """Return a function that counts the cache flushes of the folder's disk; None if they are not counted."""
    number = folder.stat().st_dev
    device = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    for place in (device, device.resolve().parent):  # flushes of a partition are counted at its disk
        try:
            cache = (place / "queue" / "write_cache").read_text().strip()
            if len((place / "stat").read_text().split()) > 15 and cache == "write back":
                return partial(_count, place)
        except OSError:
            continue
    return None


def _count(place: Path) -> int:
    return int((place / "stat").read_text().split()[15])


def _syncs(folder: Path) -> CheckResult:
    count = _flushes(folder) if sys.platform == "linux" else None
    before = count() if count else 0
    times = _timed_syncs(folder / "sync")
    reached = count() - before if count else None
    median = statistics.median(times)
    measured = (
        f"a sync takes {milliseconds(median)} (the slowest of {len(times)}: {milliseconds(max(times))})"
    )
    if reached is not None and reached < len(times) // 2:
        text = f"{measured}, but only {reached} of {len(times)} reached the disk: a loss of power loses moves"
        return CheckResult("disk", "bad", text)
    if median < _NOTHING_DONE:
        return CheckResult("disk", "bad", f"{measured}: no disk is that fast, something throws syncs away")
    if reached is not None:
        return CheckResult("disk", "ok", f"{measured}, and each made the disk flush its cache")
    return CheckResult("disk", "ok", measured)


def _timed_syncs(path: Path) -> list[float]:
    sync = getattr(os, "fdatasync", os.fsync)
    times: list[float] = []
    until = time.perf_counter() + SECONDS
    with path.open("wb", buffering=0) as file:
        while len(times) < _SYNCS and time.perf_counter() < until:
            file.write(_PAGE)
            began = time.perf_counter()
            sync(file.fileno())
            times.append(time.perf_counter() - began)
    return times


def _commits(folder: Path) -> CheckResult:
    """Measure commits of the store itself, one after the other, as for moves."""
    times = asyncio.run(_timed_commits(folder / "store"))
    return commit_result("disk", times, "players will feel this disk; a faster one helps")


def commit_result(check: str, times: list[float], remedy: str) -> CheckResult:
    """Return the result of `check` for commit times in seconds; `remedy` is added if they are too long."""
    median, slowest = statistics.median(times), max(times)
    measured = f"a commit takes {milliseconds(median)} (the slowest of {len(times)}: {milliseconds(slowest)})"
    if median > _SLOW:
        return CheckResult(check, "note", f"{measured}: {remedy}")
    return CheckResult(check, "ok", measured)


async def _timed_commits(place: Path) -> list[float]:
    store = await Store.open(place / "trial.sqlite3")
    times: list[float] = []
    until = time.perf_counter() + SECONDS
    try:
        while len(times) < COMMITS and time.perf_counter() < until:
            number = len(times) + 1
            began = time.perf_counter()
            await store.append("trial", [StoredEntry(number, 0, "play", bytes(150), "guest", str(number))])
            times.append(time.perf_counter() - began)
    finally:
        await store.close()
    return times


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.2g} ms" if seconds < 0.01 else f"{seconds * 1000:,.0f} ms"
