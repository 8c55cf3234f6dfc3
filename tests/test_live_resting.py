"""Tables with a clock of days that rest in the store, and the one alarm that wakes them."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from rum500.server import messages
from rum500.server.live.log.waits import day_due
from rum500.server.live.table import LiveTable
from rum500.store import DATABASE, Store, StoreError
from tests.support.live import Person, Room, at_tables
from tests.support.live_days import DAY, HOUR, all_leave, back, by_days, later, row_of
from tests.support.serving import Running
from tests.support.storing import changed
from tests.support.waiting import until
from tests.test_live_tables import done


async def copies(room: Room, person: Person, count: int, apart_s: int) -> dict[str, int]:
    """Write copies of a table into the store, each so much later than the one before; their due times."""
    row, entries = await row_of(room, person), await room.store.entries(person.table.id)
    assert row.due is not None
    dues = {f"copy-{number}": row.due + number * apart_s * 1000 for number in range(count)}
    await asyncio.gather(
        *(
            room.store.create_table(
                msgspec.structs.replace(row, id=table, due=due),
                [
                    msgspec.structs.replace(entry, at=entry.at + due - row.due, checksum=None)
                    for entry in entries
                ],
            )
            for table, due in dues.items()
        )
    )
    return dues


@at_tables
async def test_a_thousand_resting_tables_cost_one_alarm_and_are_woken_each_in_its_time(room: Room):
    first, second = await by_days(room, bank_s=0)
    await all_leave(room, first, second)
    dues = await copies(room, first, 1000, apart_s=60)
    await room.close()
    await room.open()
    await room.pass_time(1)
    tasks = asyncio.all_tasks()
    alarms = [alarm for _, _, alarm in room.clock.alarms if alarm.call is not None]
    assert (len(room.tables), len(tasks), len(alarms)) == (0, 1, 2), "one looks for unused tables, one wakes"

    start = dues["copy-0"]
    await later(room, (start - room.clock.wall()) / 1000 + 4 * 60 + 1)
    woken = {f"copy-{number}" for number in range(5)} | {first.table.id}
    assert set(room.tables._live) == woken
    for table in woken:
        state = room.tables._live[table].log.state
        assert (state.acting_player, state.status) == (state.player_of(second.guest.id), "playing")
        row = await room.store.table(table)
        assert row is not None
        assert row.due == day_due(state) == state.asked_at + DAY * 1000
    await room.pass_time(60)
    assert "copy-5" in room.tables._live, "the next moment is waited for"
    assert "copy-6" not in room.tables._live


@at_tables
async def test_other_tables_are_not_woken(room: Room):
    """Without a clock of days nothing is stored to be woken by, and no alarm is set."""
    people = await room.at_play(turn_s=20)
    await all_leave(room, *people)
    assert (await row_of(room, people[0])).due is None
    assert await room.store.next_due(0) is None
    await room.crash()
    await room.pass_time(1)
    assert len([alarm for _, _, alarm in room.clock.alarms if alarm.call is not None]) == 1


@pytest.mark.parametrize("damaged", [True, False], ids=["damaged log", "bug"])
@at_tables
async def test_a_table_that_cannot_be_loaded_keeps_no_other_asleep(
    room: Room, monkeypatch: pytest.MonkeyPatch, damaged: bool
):
    first, second = await by_days(room, bank_s=0)
    await all_leave(room, first, second)
    dues = await copies(room, first, 2, apart_s=60)
    load = room.tables.get

    async def get(table: str) -> LiveTable | None:
        if table == "copy-0":
            raise ZeroDivisionError
        return await load(table)

    if damaged:
        changed(room.folder, "UPDATE entries SET kind = 'nonsense' WHERE table_id = 'copy-0' AND number = 3")
    else:
        monkeypatch.setattr(room.tables, "get", get)
    await later(room, (dues["copy-1"] - room.clock.wall()) / 1000 + 1)
    assert set(room.tables._live) == {first.table.id, "copy-1"}
    assert not room.tables.day_clock.waking
    await later(room, DAY)
    assert "copy-0" not in room.tables._live


@at_tables
async def test_no_alarm_is_left_when_the_server_ends(room: Room):
    await by_days(room)
    await room.tables.close()
    room.tables.day_clock.note(room.clock.wall() + 5000)
    assert [alarm for _, _, alarm in room.clock.alarms if alarm.call is not None] == []


@at_tables
async def test_the_store_is_asked_again_after_an_error(room: Room, monkeypatch: pytest.MonkeyPatch):
    first, second = await by_days(room, bank_s=0)
    await all_leave(room, first, second)

    async def fails(self: Store, until: int) -> list[str]:
        raise StoreError("store.failed", "no")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "due", fails)
        await later(room, DAY)
        assert len(room.tables) == 0
    await later(room, 61)
    assert len(room.tables) == 1


@at_tables
async def test_when_the_calendar_is_set_the_clock_follows_within_the_hour(room: Room):
    first, second = await by_days(room, bank_s=0)
    await all_leave(room, first, second)
    jumped = room.clock.wall
    room.clock.wall = lambda: jumped() + DAY * 1000  # type: ignore[method-assign]
    await later(room, HOUR + 1)
    assert len(room.tables) == 1


@at_tables
async def test_a_table_whose_clock_runs_does_not_expire(room: Room):
    first, second = await by_days(room)
    await all_leave(room, first, second)
    before = room.clock.wall() + 1
    await room.store.save_guest(first.guest.id, first.guest.name, before - 2)
    report = await room.tables.prune(before)
    assert (report.tables, report.guests) == (0, 0)
    people = [await back(room, first), await back(room, second)]
    for person in people:
        done(await person.ask(messages.Vote, on="pause", yes=True))
    await all_leave(room, *people)
    assert (await row_of(room, first)).due is None
    report = await room.tables.prune(room.clock.wall() + 1)
    assert (report.tables, report.guests) == (1, 2)


def test_the_due_tables_are_found_by_an_index(tmp_path: Path) -> None:
    async def made() -> None:
        await (await Store.open(tmp_path)).close()

    asyncio.run(made())
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        for query in (
            "SELECT id FROM tables WHERE due <= 5 ORDER BY due",
            "SELECT min(due) FROM tables WHERE due > 5",
        ):
            (plan,) = database.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
            assert "INDEX tables_due" in plan[-1]


def test_server_wakes_tables_that_became_due_before_its_start(tmp_path: Path) -> None:

    async def played() -> str:
        room = Room(tmp_path)
        await room.open()
        first, *_ = await by_days(room, bank_s=0)
        await room.close()
        return first.table.id

    table = asyncio.run(played())
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        ((last,),) = database.execute("SELECT max(at) FROM entries").fetchall()
        shift = time.time_ns() // 1_000_000 - 3 * DAY * 1000 - last
        database.execute("UPDATE entries SET at = at + ?, checksum = NULL", (shift,))
        database.execute("UPDATE tables SET due = due + ?", (shift,))
        database.commit()
    with Running(tmp_path) as server:

        async def timed_out() -> int:
            assert server.application._store is not None
            return [entry.kind for entry in await server.application._store.entries(table)].count("timed_out")

        until(lambda: server.on_loop(timed_out()) == 1)
        tables = server.application._tables
        assert tables is not None
        standing = server.on_loop(tables.standing(table))
        assert standing.due is not None
        assert standing.due == standing.asked_at + DAY * 1000
        assert standing.due > time.time_ns() // 1_000_000
