"""What has not been used for long is removed, by `rum500 prune` or by the server itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rum500.cli import main
from rum500.store import DATABASE, NoticeRow, Store, check_database
from tests.support.serving import Running
from tests.support.storing import browser, entry, row, with_store
from tests.support.waiting import until

OLD, NEW = 1_000_000_000_000, 4_000_000_000_000
"""Long ago, and not soon."""


@pytest.fixture
def data(place: Path | str) -> Path | str:
    """A database with an old table of Ann's, a new one of Ben's, and Cleo, who left long ago; Dan is new."""

    async def write(store: Store) -> None:
        await store.create_table(row("old", updated=OLD, people=["ann", "ben"]), [entry(1), entry(2)])
        await store.create_table(row("new", updated=NEW, people=["ben"]), [entry(1)])
        for guest, seen in {"ann": OLD, "ben": OLD, "cleo": OLD, "dan": NEW}.items():
            await store.save_guest(guest, guest.title(), seen)

    with_store(place, write)
    return place


def held(data: Path | str) -> tuple[set[str], set[str], int]:
    """The tables, the guests, and the number of log entries that are there."""

    async def read(store: Store) -> tuple[set[str], set[str], int]:
        tables = {one.id for one in await store.tables()}
        guests = {name for name in ("ann", "ben", "cleo", "dan") if await store.guest(name)}
        return tables, guests, len(await store.entries("old")) + len(await store.entries("new"))

    found = with_store(data, read)
    assert check_database(data if isinstance(data, str) else data / DATABASE).problems == []
    return found


def pruned(data: Path | str, *words: str) -> int:
    return main(["prune", "--db" if isinstance(data, str) else "--data", str(data), *words])


def serving(data: Path | str, folder: Path, **changes: Any) -> Running:
    """A server with this database."""
    return Running(folder, db=data, **changes) if isinstance(data, str) else Running(data, **changes)


def test_browsers_of_guests_without_tables_are_removed_and_messages_about_old_tables(
    data: Path | str,
) -> None:
    async def write(store: Store) -> None:
        for guest, seen in {"ann": OLD, "ben": OLD, "cleo": OLD, "dan": NEW}.items():
            await store.notices.save_browser(browser(guest, seen), 10)
        await store.notices.save(NoticeRow("ben", "old", 0))
        await store.notices.save(NoticeRow("ben", "new", 0))

    async def read(store: Store) -> tuple[set[str], list[NoticeRow]]:
        guests = {guest for guest in ("ann", "ben", "cleo", "dan") if await store.notices.browsers(guest)}
        return guests, await store.notices.all()

    with_store(data, write)
    assert pruned(data, "--days", "30") == 0
    assert with_store(data, read) == ({"ben", "dan"}, [NoticeRow("ben", "new", 0)])


def test_old_tables_and_guests_without_tables_are_removed(
    data: Path | str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pruned(data, "--days", "30", "--dry-run") == 0
    assert "one table and two guests would be removed, unused for 30 days" in capsys.readouterr().out
    assert held(data) == ({"old", "new"}, {"ann", "ben", "cleo", "dan"}, 3)
    assert pruned(data, "--days", "30") == 0
    assert re.search(
        r"one table and two guests removed, unused for 30 days$", capsys.readouterr().out.strip()
    )
    assert held(data) == ({"new"}, {"ben", "dan"}, 1)
    assert pruned(data, "--days", "30") == 0
    assert held(data) == ({"new"}, {"ben", "dan"}, 1)


@pytest.mark.sample(2)
@pytest.mark.parametrize("words", [(), ("--days", "0"), ("--days", "soon")])
def test_the_days_are_given(
    data: Path | str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert pruned(data, *words) == 2
    assert "--days" in capsys.readouterr().err
    assert len(held(data)[0]) == 2


def test_nothing_is_pruned_beside_a_running_server(
    data: Path | str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(data, tmp_path):
        assert pruned(data, "--days", "30") == 2
        assert "process" in capsys.readouterr().err
        assert pruned(data, "--days", "30", "--dry-run") == 0
        assert "one table and two guests would be removed" in capsys.readouterr().out
    assert pruned(tmp_path / "none", "--days", "30") == 2
    assert "is not there" in capsys.readouterr().err


def test_server_removes_expired_tables_and_none_by_default(data: Path | str, tmp_path: Path) -> None:
    with serving(data, tmp_path) as server, server.guest():
        pass
    assert len(held(data)[0]) == 2
    with serving(data, tmp_path, expire_days=30) as server:

        async def tables() -> int:
            assert server.application._store is not None
            return len(await server.application._store.tables())

        until(lambda: server.on_loop(tables()) == 1)
    assert held(data) == ({"new"}, {"ben", "dan"}, 1)


def test_a_table_in_memory_does_not_expire(tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.guest() as ada:
        table = ada.table()
        with ada.join(table) as talk:

            async def pruned_all() -> int:
                tables = server.application._tables
                assert tables is not None
                return (await tables.prune(NEW)).tables

            assert server.on_loop(pruned_all()) == 0
            assert talk.ask("ping")["type"] == "pong"
