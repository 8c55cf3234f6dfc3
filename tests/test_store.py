"""The store: entries are stored in order and once; the index; who owns the database; versions."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import sys
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from rum500.store import (
    DATABASE,
    GuestRow,
    Store,
    StoreError,
    TableRow,
    create_private,
    database_path,
    default_data_dir,
    make_data_dir,
    open_to_others,
    owner,
)
from rum500.store._sqlite_file import connect
from rum500.store.schema import APPLICATION, metadata
from tests.support.storing import code_of, entry, no_commits, row, with_store
from tests.support.waiting import comes_true, other_tasks, until

# --- the log ---------------------------------------------------------------------------------------


def test_entries_are_there_after_reopening(place: Path | str) -> None:
    new = [entry(1, "m1", b'{"a": 1}'), entry(2, None, b"\x00\xff")]

    async def write(store: Store) -> None:
        await store.append("t", new)
        await store.append("u", [entry(1, "m1")])
        assert await store.entries("t") == new

    async def read(store: Store) -> None:
        assert await store.entries("t") == new
        assert await store.entries("t", after=1) == new[1:]
        assert await store.entries("u") == [entry(1, "m1")]
        assert await store.entries("nobody's") == []
        assert await code_of(store.append("t", [entry(2)])) == "store.conflict"
        assert await code_of(store.append("t", [entry(3)])) is None

    with_store(place, write)
    with_store(place, read)


def test_many_commits_at_once_leave_the_event_loop_room(place: Path | str) -> None:
    commits: list[int] = []

    async def work(store: Store) -> None:
        turn, notified = 0, Counter[int]()

        async def write(table: str) -> None:
            await store.append(table, [entry(1)])
            notified[turn] += 1

        writing = asyncio.gather(*(write(f"t{number}") for number in range(100)))
        await other_tasks()
        await other_tasks()  # the turn in which all of them are handed over
        until(lambda: sum(commits) == 100)  # the loop stands still: all of them are notified in the same turn
        while not writing.done():
            await other_tasks()
            turn += 1
        assert sum(notified.values()) == 100
        assert max(notified.values()) <= 2 * 16, notified

    with_store(place, work, observe=lambda count, _: commits.append(count))


def test_a_message_is_kept_once_for_a_table_and_an_author(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await store.append("t", [entry(1, "m1")])
        assert await code_of(store.append("t", [entry(2), entry(3, "m1")])) == "store.conflict"
        assert await code_of(store.append("t", [entry(2, "m1", author="ben")])) is None
        assert await code_of(store.append("u", [entry(1, "m1")])) is None
        assert await code_of(store.append("t", [entry(3), entry(4)])) is None
        assert [one.message for one in await store.entries("t")] == ["m1", "m1", None, None]

    with_store(place, work)


def test_one_commit_takes_all_that_wait_and_a_conflict_among_them_harms_no_other(
    place: Path | str, one_writer: None
) -> None:
    commits: list[int] = []
    seen: set[str] = set()

    def observe(count: int, seconds: float) -> None:
        seen.add(threading.current_thread().name)
        assert seconds >= 0
        commits.append(count)

    async def work(store: Store) -> None:
        await store.append("same", [entry(1, "m1")])
        with no_commits(place):
            first = asyncio.create_task(code_of(store.append("first", [entry(1)])))
            await other_tasks()
            await comes_true(lambda: not store.queued)  # the writer has it, and waits for the lock
            rest = [
                store.append("a", [entry(1), entry(2), entry(3)]),
                store.append("same", [entry(2, "m1")]),  # refused: the message
                store.append("same", [entry(2)]),
                store.append("same", [entry(4)]),  # refused: the number
                store.create_table(row("b"), [entry(1)]),
                store.append("nobody's", [], status="over"),  # refused: no such table
                store.append("b", [entry(2)], status="playing"),
                store.append("c", [entry(number) for number in range(1, 201)]),
                store.save_guest("ann", "Ann", 5),
            ]
            waiting = asyncio.gather(*map(code_of, rest))
            while store.queued < len(rest):
                await other_tasks()
        assert await first is None
        answers = await waiting
        refused = {1: "store.conflict", 3: "store.conflict", 5: "store.missing"}
        assert {place: answer for place, answer in enumerate(answers) if answer} == refused
        assert [one.number for one in await store.entries("same")] == [1, 2]
        assert len(await store.entries("c")) == 200
        found = await store.table("b")
        assert found is not None and found.status == "playing"

    with_store(place, work, observe=observe)
    assert commits == [1, 1, 3 + 1 + 1 + 1 + 200]
    assert seen == {"rum500-writer"}


def test_cancelled_caller_neither_undoes_nor_delays_changes(place: Path | str) -> None:
    async def work(store: Store) -> None:
        with no_commits(place):
            waits = asyncio.create_task(store.append("t", [entry(1)]))
            await other_tasks()
            await comes_true(lambda: not store.queued)  # the writer has it, and waits for the lock
            waits.cancel()
            await asyncio.gather(waits, return_exceptions=True)
        await store.append("t", [entry(2)])
        assert [one.number for one in await store.entries("t")] == [1, 2]

    with_store(place, work)


def test_closing_commits_queued_changes_and_refuses_later_ones(place: Path | str) -> None:
    async def run() -> None:
        store = await Store.open(place)
        waiting = [asyncio.create_task(store.append(f"t{one}", [entry(1)])) for one in range(100)]
        await other_tasks()
        await store.close()
        await asyncio.gather(*waiting)
        await store.close()
        assert await code_of(store.append("t0", [entry(2)])) == "store.closed"
        assert await code_of(store.entries("t0")) == "store.closed"
        closed = await store.ready()
        assert closed is not None and closed.code == "store.closed"

    asyncio.run(run())

    async def count(store: Store) -> int:
        return (await store.check()).entries

    assert with_store(place, count) == 100


def test_commits_wait_for_the_disk_and_readers_cannot_write(tmp_path: Path) -> None:
    with_store(tmp_path, lambda store: store.append("t", [entry(1)]))
    with closing(connect(tmp_path / DATABASE)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert not connection.in_transaction
    with (
        closing(connect(tmp_path / DATABASE, reads=True)) as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM entries")
    assert (tmp_path / DATABASE).read_bytes()[68:72] == APPLICATION.to_bytes(4, "big") == b"r500"


# --- tables and guests -----------------------------------------------------------------------------


def test_tables_are_found_by_status_and_people(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await store.create_table(row("a", people=["ann", "ben", "ann"], updated=1))
        await store.create_table(row("b", status="playing", private=True, people=["ben"], updated=3))
        await store.create_table(row("c", status="over", updated=2, clocked=True, seats='["x"]', host="Cleo"))

        async def found(**wanted: object) -> list[str]:
            return [one.id for one in await store.tables(**wanted)]  # type: ignore[arg-type]

        assert await found() == ["b", "c", "a"]
        assert await found(status=["open", "over"]) == ["c", "a"]
        assert await found(guest="ben") == ["b", "a"]
        assert await found(guest="ben", limit=1) == ["b"]
        assert await found(guest="dora") == []
        await store.append("a", [], people=["dora"], status="playing", updated=9)
        assert await found(guest="ann") == []
        assert await found(guest="dora", status=["playing"]) == ["a"]
        await store.append("a", [], people=[])
        assert await found(guest="dora") == []
        assert await store.table("c") == row(
            "c", status="over", updated=2, clocked=True, seats='["x"]', host="Cleo"
        )
        assert await store.table("nobody's") is None
        assert await code_of(store.create_table(row("a"))) == "store.conflict"
        assert await code_of(store.append("nobody's", [], status="over")) == "store.missing"

    with_store(place, work)


def test_a_refused_change_leaves_row_people_and_log_as_they_were(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await store.create_table(row("a", people=["ann"]), [entry(1)])
        refused = store.append("a", [entry(9)], people=["ben"], status="over")
        assert await code_of(refused) == "store.conflict"
        assert await code_of(store.create_table(row("a", people=["ben"]), [entry(2)])) == "store.conflict"
        assert await code_of(store.append("new", [entry(1)], status="open")) == "store.missing"
        assert await store.table("a") == row("a", people=["ann"])
        assert await store.tables(guest="ben") == []
        assert await store.entries("new") == []
        assert len(await store.entries("a")) == 1

    with_store(place, work)


@pytest.mark.parametrize("fields", [{"id": "b"}, {"created": 2}, {"statsu": "over"}])
def test_a_field_that_a_row_has_not_is_the_callers_mistake(place: Path | str, fields: dict[str, str]) -> None:
    async def work(store: Store) -> None:
        with pytest.raises(TypeError, match="expected some of "):
            await store.append("a", [], **fields)

    with_store(place, work)


def test_guests(place: Path | str) -> None:
    async def work(store: Store) -> None:
        assert await store.guest("ann") is None
        await store.save_guest("ann", "Ann", 5)
        await store.save_guest("ann", "Änne", 9)
        assert await store.guest("ann") == GuestRow("ann", "Änne", since=5, seen=9)

    with_store(place, work)


# --- place, modes, owner ---------------------------------------------------------------------------


def test_default_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RUM500_DATA", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_data_dir() == Path("/home/ann/.local/share/rum500")
    monkeypatch.setenv("XDG_DATA_HOME", "/var/data")
    assert default_data_dir() == Path("/var/data/rum500")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_data_dir() == Path("/home/ann/Library/Application Support/rum500")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert default_data_dir() == Path("/local/rum500")
    monkeypatch.setenv("RUM500_DATA", str(tmp_path))
    assert default_data_dir() == tmp_path


def test_names_of_databases(tmp_path: Path) -> None:
    assert database_path(tmp_path) == tmp_path / DATABASE
    assert database_path(str(tmp_path / "x.db")) == tmp_path / "x.db"
    assert database_path(f"sqlite:///{tmp_path}/x.db") == tmp_path / "x.db"
    for url in ("mysql://localhost/rum500", "sqlite:x.db", ":memory:", "sqlite:///", ""):
        with pytest.raises(StoreError) as caught:
            database_path(url)
        assert caught.value.code == "store.url"


def test_all_files_are_for_this_user_alone(tmp_path: Path) -> None:
    place = tmp_path / "new" / "data"

    async def work(store: Store) -> None:
        await store.append("t", [entry(1)])
        for path in (place, *place.iterdir()):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path

    old = os.umask(0)
    try:
        make_data_dir(place)
        assert with_store(place, work) is None
        assert create_private(place / "key", b"secret") is True
        assert create_private(place / "key", b"other") is False
    finally:
        os.umask(old)
    assert (place / "key").read_bytes() == b"secret"
    assert stat.S_IMODE((place / "key").stat().st_mode) == 0o600


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}


@pytest.mark.skipif(sys.platform == "win32", reason="other rights on this system")
def test_existing_data_folder_is_closed_to_other_users(tmp_path: Path) -> None:
    place = tmp_path / "data"
    with_store(place, lambda store: store.append("t", [entry(1)]))
    with closing(connect(place / DATABASE)) as connection:
        connection.execute("SELECT count(*) FROM entries").fetchone()  # makes -wal and -shm
        for path in (place, *place.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)
        with_store(place, lambda store: store.append("t", [entry(2)]))
        found = modes(place)
    assert {f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}.lock"} < found.keys()
    assert found.pop("data") == 0o700 and {*found.values()} == {0o600}
    empty = tmp_path / "empty"
    empty.mkdir(0o755)
    assert modes(make_data_dir(empty)) == {"empty": 0o700}


@pytest.mark.skipif(sys.platform == "win32", reason="other rights on this system")
def test_folder_of_other_programs_keeps_its_mode_and_the_database_in_it_is_private(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "letter").write_text("dear ann")
    shared.chmod(0o755)
    with_store(shared / "x.sqlite3", lambda store: store.append("t", [entry(1)]))
    found = modes(shared)
    assert (found["shared"], found["x.sqlite3"], found["letter"] & 0o044) == (0o755, 0o600, 0o044)
    assert open_to_others(shared) and not open_to_others(shared / "x.sqlite3")


def test_a_file_in_the_place_of_the_directory(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    with pytest.raises(StoreError, match="is a file; name a directory") as caught:
        make_data_dir(tmp_path / "data")
    assert caught.value.code == "store.failed"


def test_a_database_has_one_owner(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        assert owner(tmp_path / DATABASE) == os.getpid()
        assert await code_of(Store.open(tmp_path)) == "store.locked"
        assert await code_of(store.append("t", [entry(1)])) is None

    with_store(tmp_path, work)
    assert owner(tmp_path / DATABASE) is None
    assert owner(tmp_path / "nothing") is None
    with_store(tmp_path, lambda store: store.append("t", [entry(2)]))


def test_rows_of_the_index_have_the_fields_of_the_schema() -> None:
    kept = {"owner", "epoch", "listed_by"}  # the store's own
    assert set(metadata.tables["tables"].columns.keys()) - kept == set(TableRow.__struct_fields__)
