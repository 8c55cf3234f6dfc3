"""The store in trouble: no space, no right to write, a strange database, damage, kill -9. Nothing is lost."""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from rum500.store import (
    DATABASE,
    Store,
    StoredEntry,
    StoreError,
    check_database,
    checksum,
    database_of,
)
from rum500.store import _sqlite_file as connections
from rum500.store.errors import no_room
from rum500.store.schema import HEAD
from rum500.store.writer import Writer
from tests.support.depth import depth
from tests.support.processes import started
from tests.support.storing import changed, code_of, entry, file_system, may_mount, no_commits, row, with_store
from tests.support.waiting import PATIENCE, comes_true, other_tasks

needs_mount = pytest.mark.skipif(not may_mount(), reason="mounting a small disk needs root")
BLOB = bytes(range(256)) * 3


async def fill(store: Store, table: str, number: int = 0) -> tuple[int, str]:
    """Append to a table until it is refused; how many entries were acknowledged, and the code."""
    while True:
        code = await code_of(store.append(table, [entry(number + 1, f"m{number + 1}", BLOB)]))
        if code is not None:
            return number, code
        number += 1


async def numbers(store: Store, table: str) -> list[int]:
    return [one.number for one in await store.entries(table)]


# --- a full disk -----------------------------------------------------------------------------------


@needs_mount
def test_full_disk_loses_nothing_and_writing_resumes_with_free_space(tmp_path: Path) -> None:
    names = [f"t{one}" for one in range(10)]

    async def work(store: Store, ballast: Path) -> None:
        for name in names:
            await store.create_table(row(name))
        ends = await asyncio.gather(*(fill(store, name) for name in names))
        assert {code for _, code in ends} == {"store.full"}
        assert min(last for last, _ in ends) > 20
        assert store.fault is not None and "the disk is full; free some space" in store.fault.message
        assert await store.ready() == store.fault
        for name, (last, _) in zip(names, ends, strict=True):
            assert await numbers(store, name) == list(range(1, last + 1))
        assert await code_of(store.backup(tmp_path / "disk" / "backup")) == "store.full"
        assert not [path for path in (tmp_path / "disk").iterdir() if "backup" in path.name]
        ballast.unlink()
        assert await store.ready() is None
        assert store.fault is None
        for name, (last, _) in zip(names, ends, strict=True):
            await store.append(name, [entry(last + 1, f"m{last + 1}")])  # the one that was refused
            assert await numbers(store, name) == list(range(1, last + 2))
        found = await store.check()
        assert (found.problems, found.entries) == ([], sum(last + 1 for last, _ in ends))

    with file_system(tmp_path / "disk", "4m"):
        ballast = tmp_path / "disk" / "ballast"
        ballast.write_bytes(bytes(2_000_000))
        with_store(tmp_path / "disk", lambda store: work(store, ballast))
        assert check_database(tmp_path / "disk" / DATABASE).problems == []


@needs_mount
def test_a_disk_without_room_for_a_new_database(tmp_path: Path) -> None:
    with file_system(tmp_path / "disk", "32k"):
        (tmp_path / "disk" / "ballast").write_bytes(bytes(32 * 1024))
        with pytest.raises(StoreError) as caught:
            with_store(tmp_path / "disk", lambda store: store.check())
        assert caught.value.code == "store.full"


LIMITED = """
import asyncio, resource, sys
from pathlib import Path
from rum500.store import StoredEntry, Store, StoreError

async def main():
    store = await Store.open(sys.argv[1])
    await store.append("t", [StoredEntry(1, 0, "play", b"first")])
    size = Path(store.name + "-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50_000, resource.RLIM_INFINITY))
    number = 1
    try:
        while True:
            await store.append("t", [StoredEntry(number + 1, 0, "play", bytes(3000))])
            number += 1
    except StoreError as error:
        print(error.code, number)
    await asyncio.gather(*(one for one in [store.ready()]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print([one.number for one in await store.entries("t")] == list(range(1, number + 1)))
    await store.append("t", [StoredEntry(number + 1, 0, "play", b"last")])
    print(store.fault, (await store.check()).entries - number)
    await store.close()

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit on this system")
def test_a_file_size_limit_is_like_a_full_disk(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIMITED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    first, second, third = done.stdout.splitlines()
    code, number = first.split()
    assert code == "store.failed" and int(number) > 2
    assert (second, third) == ("True", "None 1")


# --- no right to write -----------------------------------------------------------------------------


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A directory with a database that this process may read only."""
    place = tmp_path / "disk"
    if may_mount():
        with file_system(place, "8m") as remount:
            with_store(place, lambda store: store.append("t", [entry(1)]))
            remount("ro")
            yield place
    else:
        with_store(place, lambda store: store.append("t", [entry(1)]))
        for path in (*place.iterdir(), place):
            path.chmod(0o500 if path.is_dir() else 0o400)
        yield place
        place.chmod(0o700)


def test_read_only_database_and_directory_are_refused(read_only: Path) -> None:
    for place in (read_only, read_only / "other.sqlite3", read_only / "new"):
        with pytest.raises(StoreError, match="may not be written; give this user write access") as caught:
            with_store(place, lambda store: store.check())
        assert caught.value.code == "store.readonly"


def immutable(path: Path, on: bool) -> bool:
    """Forbid writing to one file, to root too; False where that cannot be."""
    if os.geteuid() != 0:
        path.chmod(0o400 if on else 0o600)
        return True
    command = [shutil.which("chattr") or "false", "+i" if on else "-i", str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="other rights on this system")
def test_a_read_only_database_file_in_a_directory_that_may_be_written(tmp_path: Path) -> None:
    with_store(tmp_path, lambda store: store.append("t", [entry(1)]))
    if not immutable(tmp_path / DATABASE, on=True):
        pytest.skip("this file system cannot forbid root to write")
    try:
        with pytest.raises(StoreError, match=rf"{DATABASE}: may not be written") as caught:
            with_store(tmp_path, lambda store: store.check())
        assert caught.value.code == "store.readonly"
    finally:
        immutable(tmp_path / DATABASE, on=False)
    with_store(tmp_path, lambda store: store.append("t", [entry(2)]))


# --- another's database, and a damaged one ---------------------------------------------------------


def refused(place: Path | str, code: str, words: str) -> None:
    """Opening is refused, in one line that names the database; a file stays as it is."""
    before = place.read_bytes() if isinstance(place, Path) else b""
    with pytest.raises(StoreError) as caught:
        with_store(place, lambda store: store.check())
    assert caught.value.code == code
    assert words in caught.value.message and database_of(place).name in caught.value.message
    assert "\n" not in caught.value.message
    assert isinstance(place, str) or place.read_bytes() == before


@pytest.mark.parametrize("version", [f"{int(HEAD) + 1:04}", "9999", "a1b2c3"])
def test_a_database_of_a_newer_version(place: Path | str, version: str) -> None:
    with_store(place, lambda store: store.append("t", [entry(1)]))
    changed(place, f"UPDATE alembic_version SET version_num = '{version}'")
    words = f"its version is {version}, and this rum500 knows up to {HEAD}; install the newer rum500"
    refused(place if isinstance(place, str) else place / DATABASE, "store.newer", words)
    with pytest.raises(StoreError, match=version):
        check_database(place)


@pytest.mark.parametrize("content", [b"not a database at all, but a letter to ann\n" * 40, b"x", bytes(8192)])
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes) -> None:
    (tmp_path / DATABASE).write_bytes(content)
    refused(
        tmp_path / DATABASE, "store.foreign", "not a database of rum500; name another one or move it away"
    )


def test_a_database_of_another_program(tmp_path: Path) -> None:
    changed(tmp_path / DATABASE, "CREATE TABLE recipes (name TEXT)")
    refused(tmp_path / DATABASE, "store.foreign", "is a database of another program")
    (tmp_path / DATABASE).unlink()
    changed(tmp_path / DATABASE, "PRAGMA application_id = 77")
    refused(tmp_path / DATABASE, "store.foreign", "is a database of another program")


def test_a_directory_in_the_place_of_the_database(tmp_path: Path) -> None:
    (tmp_path / DATABASE).mkdir()
    with pytest.raises(StoreError, match="Is a directory") as caught:
        asyncio.run(Store.open(f"sqlite:///{tmp_path / DATABASE}"))
    assert caught.value.code == "store.failed"


def test_damage_is_found(tmp_path: Path) -> None:
    async def write(store: Store) -> None:
        for number in range(1, 200):
            await store.append("t", [entry(number, f"m{number}", BLOB)])

    with_store(tmp_path, write)
    path = tmp_path / DATABASE
    content = bytearray(path.read_bytes())
    content[-16384:-8192] = random.Random(1).randbytes(8192)  # among the log's entries
    path.write_bytes(content)

    async def read(store: Store) -> None:
        assert (await store.check()).problems
        assert await code_of(store.entries("t")) == "store.corrupt"
        assert await code_of(store.backup(tmp_path / "backup")) == "store.corrupt"
        assert not (tmp_path / "backup").exists()

    with_store(tmp_path, read)


def log_after_kill(folder: Path, entries: int) -> Path:
    """The write-ahead log of a database whose process was killed; each of these entries is a commit in it."""

    async def write(store: Store) -> None:
        for number in range(1, entries + 1):
            await store.append("t", [entry(number, f"m{number}")])
        shutil.copytree(folder, folder.with_name("killed"))

    with_store(folder, write)
    return folder.with_name("killed") / f"{DATABASE}-wal"


def commits_in(log: Path) -> list[int]:
    """The places of the frames that end a commit."""
    content = log.read_bytes()
    page = int.from_bytes(content[8:12], "big")
    return [at for at in range(32, len(content), 24 + page) if any(content[at + 4 : at + 8])]


def flip(log: Path, at: int) -> None:
    content = bytearray(log.read_bytes())
    content[at] ^= 0x10
    log.write_bytes(content)


@pytest.mark.parametrize("where", ["first commit", "middle", "salt of a frame", "header"])
def test_damaged_write_ahead_log_is_reported_until_it_is_removed(tmp_path: Path, where: str) -> None:
    log = log_after_kill(tmp_path / "data", 60)
    commits = commits_in(log)
    places = {"first commit": commits[0] + 30, "middle": commits[-30] + 100, "header": 20}
    flip(log, places.get(where, commits[-30] + 9))
    place, kept = log.parent, log.with_name(f"{DATABASE}-wal.damaged")

    async def read(store: Store) -> tuple[str, int]:
        return store.damage or "", len(await store.entries("t"))

    for _ in range(2):
        damage, count = with_store(place, read)
        lost = re.search(r"at least (\d+) commits are lost", damage)
        assert count < 60
        assert "header is damaged" in damage if where == "header" else lost and int(lost[1]) >= 28
        assert damage in check_database(place).problems
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    kept.unlink()
    assert with_store(place, read)[0] == ""
    assert check_database(place).problems == []


def test_doctor_keeps_a_damaged_write_ahead_log_for_the_next_start(tmp_path: Path) -> None:
    """To look at a database applies its log, and removes it."""
    log = log_after_kill(tmp_path / "data", 40)
    flip(log, commits_in(log)[-20] + 50)
    (problem,) = check_database(log.parent).problems
    assert "commits are lost; restore a backup" in problem

    async def damage(store: Store) -> str | None:
        return store.damage

    assert with_store(log.parent, damage) == problem


@pytest.mark.parametrize("cut", [0, 1, 24, 3000])
def test_half_written_last_commit_is_no_damage(tmp_path: Path, cut: int) -> None:
    """As a loss of power may leave it: whole, without its end, or with a wrong last frame."""
    log = log_after_kill(tmp_path / "data", 40)
    last = commits_in(log)[-1]
    if cut:
        log.write_bytes(log.read_bytes()[:-cut])
    else:
        flip(log, last + 40)
    found = check_database(log.parent)
    assert found.problems == [] and found.entries >= 39


def test_a_gap_in_a_log_is_found(place: Path | str) -> None:
    async def write(store: Store) -> None:
        await store.create_table(row("t"), [entry(1), entry(2), entry(3)])
        await store.append("u", [entry(1)])

    with_store(place, write)
    changed(place, "DELETE FROM entries WHERE table_id = 't' AND number = 2")
    assert check_database(place).problems == ["table t: 2 entries numbered 1 to 3"]


def test_a_changed_row_is_found_by_the_checksum_of_its_log(place: Path | str) -> None:
    async def write(store: Store) -> None:
        for table in ("t", "u"):
            await store.append(table, [entry(1)])  # of an older version
            last = None
            for number in range(2, 5):
                new = entry(number, f"m{number}", b"data")
                last = checksum(last, table, new)
                await store.append(table, [msgspec.structs.replace(new, checksum=last)])

    with_store(place, write)
    assert check_database(place).problems == []
    changed(place, "UPDATE entries SET at = at + 1 WHERE table_id = 't' AND number = 3")
    assert check_database(place).problems == ["table t: entry 3 is not what was written"]


# --- locks within the database ---------------------------------------------------------------------


def test_another_that_holds_the_write_lock(place: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_WAIT", 0.1)
    if isinstance(place, str):
        from rum500.store import postgres

        shorter = postgres._SESSION.replace("lock_timeout = 5000", "lock_timeout = 100")
        monkeypatch.setattr(postgres, "_SESSION", shorter)

    async def work(store: Store) -> None:
        await store.append("t", [entry(1)])
        with no_commits(place):
            assert await code_of(store.append("t", [entry(2)])) == "store.locked"
            assert await code_of(store.create_table(row("u"), [entry(1)])) == "store.locked"
            assert await numbers(store, "t") == [1]
        await store.append("t", [entry(2)])
        assert await numbers(store, "t") == [1, 2]
        assert await store.ready() is None  # of both writers, where there are two
        assert store.fault is None

    with_store(place, work)


def test_nothing_ends_the_writer(place: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even a roll-back that fails: those who come later would wait for good."""

    def fail(*_: object) -> None:
        raise RuntimeError

    async def work(store: Store) -> None:
        await store.append("t", [entry(1)])
        with monkeypatch.context() as broken:
            broken.setattr(Writer, "_write", fail)
            broken.setattr(Writer, "_roll_back", fail)
            assert await code_of(asyncio.wait_for(store.append("t", [entry(2)]), PATIENCE)) == "store.failed"
        await asyncio.wait_for(store.append("t", [entry(2)]), PATIENCE)
        assert await numbers(store, "t") == [1, 2]

    with_store(place, work)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (StoredEntry(1, 0, "play", object()), "Error binding parameter|TypeError"),  # type: ignore[arg-type] # what types forbid
        (StoredEntry(1, 1 << 70, "play", b""), "OverflowError|out of range"),
        (StoredEntry(1, 0, "play", b"", "\ud800"), "UnicodeEncodeError"),
    ],
    ids=["type", "number", "text"],
)
def test_refused_change_does_not_affect_others(
    place: Path | str, one_writer: None, wrong: StoredEntry, words: str
) -> None:
    async def work(store: Store) -> None:
        with no_commits(place):  # so that all of these are one batch
            first = asyncio.create_task(store.append("first", [entry(1)]))
            await other_tasks()
            await comes_true(lambda: not store.queued)  # the writer has it, and waits for the lock
            calls = (store.append("a", [entry(1)]), store.append("t", [wrong]), store.create_table(row("b")))
            rest = asyncio.gather(*calls, return_exceptions=True)
            while store.queued < len(calls):
                await other_tasks()
        await first
        before, refused, after = await rest
        assert before is None and after is None
        assert isinstance(refused, StoreError) and refused.code == "store.failed"
        assert re.search(words, refused.message)
        assert store.fault is None
        await store.append("t", [entry(1)])
        assert await numbers(store, "t") == [1]

    with_store(place, work)


# --- kill -9 ---------------------------------------------------------------------------------------

WRITES = """
import asyncio, os, sys
from rum500.store import StoredEntry, Store

async def table(store, name, number):
    while True:
        size = 1 + number % 3  # a call adds up to three entries; their data says which belong together
        data = b"%d/%d" % (number, size)
        group = [
            StoredEntry(number + i, 0, "play", data + b" " * (i * 500), "ann", f"m{number + i}")
            for i in range(1, size + 1)
        ]
        await store.append(name, group)
        number += size
        os.write(1, b"%s %d\\n" % (name.encode(), number))

async def main():
    store = await Store.open(sys.argv[1])
    logs = {name: await store.entries(name) for name in map("t{}".format, range(12))}
    os.write(1, b"begun 0\\n")
    await asyncio.gather(*(table(store, name, len(log)) for name, log in logs.items()))

asyncio.run(main())
"""


def killed(place: Path | str, after: int) -> dict[str, int]:
    """Let a process append to many tables, kill it once so many calls are acknowledged.

    Return the last number of each table that was acknowledged.
    """
    acknowledged: dict[str, int] = {}
    with started([sys.executable, "-c", WRITES, place], stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"begun 0\n"
        lines = [child.stdout.readline() for _ in range(after)]
        child.kill()
        lines += child.stdout.readlines()
    for line in lines:
        if not line.endswith(b"\n"):  # it was killed while it wrote
            break
        name, number = line.decode().split()
        acknowledged[name] = int(number)
    return acknowledged


async def all_is_there(store: Store, acknowledged: dict[str, int]) -> None:
    """Each table has all that was acknowledged, nothing twice, and each call's entries all or none."""
    for name in map("t{}".format, range(12)):
        log = await store.entries(name)
        assert [one.number for one in log] == list(range(1, len(log) + 1))
        assert len({one.message for one in log}) == len(log) >= acknowledged.get(name, 0)
        at = 0
        while at < len(log):
            start, size = map(int, log[at].data.split(b"/"))
            assert (start, len(log[at : at + size])) == (at, size)
            assert {one.data.strip() for one in log[at : at + size]} == {log[at].data.strip()}
            at += size
    # Who got no answer and asks again adds nothing twice.
    for last in (await store.entries("t0"))[-1:]:
        again = StoredEntry(last.number + 1, 0, "play", last.data, last.author, last.message)
        assert await code_of(store.append("t0", [again])) == "store.conflict"


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal on this system")
def test_kill_9_loses_nothing_that_was_acknowledged_and_halves_nothing(place: Path | str) -> None:
    chance = random.Random(20)
    acknowledged: dict[str, int] = {}
    for _ in range(depth(3 if isinstance(place, Path) else 1, 6)):
        acknowledged.update(killed(place, chance.randint(20, 400)))
        with_store(place, lambda store: all_is_there(store, acknowledged))
    assert sum(acknowledged.values()) > depth(250 if isinstance(place, Path) else 20, 500)


def test_space_is_measured_without_calls_that_windows_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not no_room(tmp_path / "missing" / "tables.db")
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(os, "statvfs", None)
    for free, full in ((10_000, True), (10**9, False)):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: usage._replace(free=free))
        assert no_room(tmp_path / "tables.db") is full
