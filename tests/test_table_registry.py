"""Tables are loaded and unloaded while visitors come or another server may own them."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from rum500.server import messages
from rum500.store import StoredEntry, StoreError
from tests.support.live import Room, at_tables
from tests.support.live_deals import clocked
from tests.support.waiting import other_tasks

# --- leaving memory ---------------------------------------------------------------------------------


@at_tables
async def test_visitor_of_a_closing_table_gets_the_reloaded_one(room: Room):
    """A page may hold on to the table for a while before it joins."""
    ann = await room.table()
    await ann.leave()
    room.tables._live.pop(ann.table.id)
    room.tables._leave(ann.table.id, ann.table)
    ann.connect()
    ann.table.receive(ann.connection, messages.Join(id="early"))
    again = await room.tables.get(ann.table.id)
    assert again is not None
    assert again is not ann.table
    assert ann.closed == "restart"
    ann.connect()
    assert ann.closed == "restart"
    ann.table = again
    assert (await ann.join()).number == again.log.state.number


@at_tables
async def test_nothing_leaves_memory_while_something_is_to_be_kept(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    """While a commit is under way, the table is not loaded again."""
    first, _ = await clocked(room)
    table, append, gate = first.table, room.store.append, asyncio.Event()

    async def slow(table: str, new: list[StoredEntry], **fields: Any) -> None:
        await gate.wait()
        await append(table, new, **fields)

    monkeypatch.setattr(room.store, "append", slow)
    play = messages.Play(id="slow", asked=first.shared["asked"], play=first.own["plays"]["draw"])
    table.receive(first.connection, play)
    await other_tasks()
    room.tables._live.pop(table.id)
    room.tables._leave(table.id, table)
    loading = asyncio.create_task(room.tables.get(table.id))
    for _ in range(5):
        await other_tasks()
    assert not loading.done()
    gate.set()
    loaded = await loading
    assert loaded is not None
    assert loaded is not table
    assert ("ann" if first.guest.id == "ann" else "ben", "slow") in loaded.log.state.handled_messages
    assert loaded.log.state.number == table.log.state.number


# --- tables that another server may own meanwhile --------------------------------------------------


@at_tables
async def test_a_table_that_cannot_be_read_after_its_visitor_has_gone_is_no_error_of_the_loop(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await room.table("Ann")
    table, gate = ann.table.id, asyncio.Event()
    room.tables.drop_all()

    async def unreadable(_: str) -> list[StoredEntry]:
        await gate.wait()
        raise StoreError("store.failed", "the database is away")

    monkeypatch.setattr(room.store, "entries", unreadable)
    errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    visit = asyncio.ensure_future(room.tables.get(table))
    await room.settle()
    loading = room.tables._loading[table]
    visit.cancel()
    await asyncio.wait([visit])
    gate.set()
    await asyncio.wait([loading])
    del loading, visit
    gc.collect()
    await room.settle()
    assert errors == []
