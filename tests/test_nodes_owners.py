"""Who owns a table, in the database: leases, epochs, and servers without their network that share one."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from prometheus_client import CollectorRegistry

from rum500.server import messages
from rum500.server.cluster.drain import UNTAKEN_AT_ONCE, UNTAKEN_S, drain
from rum500.server.cluster.metrics import ClusterMetrics
from rum500.server.cluster.owner import TableOwner
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.table_options import Guest
from rum500.server.live.table_registry import TableRegistry
from rum500.server.messages.options import TableOptions
from rum500.store import NodeName, ServedElsewhere, SharedStore, StoredEntry, StoreError
from rum500.store.postgres import _APPEND_SHARED, PostgresDatabase, _as_json
from rum500.store.postgres_leases import drain_node
from tests.support.live import AtOnce, Room
from tests.support.postgres import PostgresServer
from tests.support.storing import changed, row
from tests.support.waiting import comes_true, other_tasks


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run an asynchronous test."""

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    return run


@pytest.fixture
def url(postgres_server: PostgresServer) -> str:
    """A new database."""
    return postgres_server.new_database()


def entry(number: int) -> StoredEntry:
    return StoredEntry(number, 1, "chat", b"{}", "guest", f"message {number}")


@in_loop
async def test_only_the_owner_of_a_table_adds_to_its_log(url: str) -> None:
    async def refused(store: SharedStore, epoch: int, **fields: str) -> str:
        with pytest.raises(StoreError) as error:
            await store.append("t", [entry(3)], guard=epoch, **fields)
        return error.value.code

    stores = [
        await SharedStore.open_as(url, NodeName(name, f"http://{name}", "key", "1")) for name in ("a", "b")
    ]
    (one, two), (first, second) = stores, [store.nodes for store in stores]
    await first.join()
    await second.join()
    await one.create_table(row("t"), [entry(1)])
    await one.append("t", [entry(2)], guard=1, status="playing")
    with pytest.raises(ServedElsewhere, match="http://a"):
        await second.take("t")
    assert [await refused(two, epoch) for epoch in (1, 2)] == ["store.fenced"] * 2
    await first.release("t", 1)
    assert await second.take("t") == 2
    # Neither alone nor with a change of the table's row, and beside others' entries.
    assert await refused(one, 1) == await refused(one, 1, status="over") == "store.fenced"
    await one.create_table(row("u"))
    results = await asyncio.gather(
        one.append("u", [entry(1)], guard=1), one.append("t", [entry(3)], guard=1), return_exceptions=True
    )
    assert [getattr(each, "code", None) for each in results] == [None, "store.fenced"]
    await two.append("t", [entry(3)], guard=2)
    # A server that had the table before does not go on from where it was then.
    await second.release("t", 2)
    assert await first.take("t") == 3
    await one.append("t", [entry(4)], guard=3)
    await first.release("t", 3)
    assert await second.take("t") == 4
    await two.append("t", [entry(5)], guard=4)
    assert [each.number for each in await one.entries("t")] == [1, 2, 3, 4, 5]
    assert len(await one.entries("u")) == 1
    stored = await two.table("t")
    assert stored is not None and stored.status == "playing"
    await first.leave()
    assert await second.take("u") == 2
    assert await second.take("no such table") == 0
    # What is due and has no owner is shared out; what has one is left to it.
    await first.join()
    for name in ("v", "w"):
        await two.create_table(row(name, due=5))
    await second.release("w", 1)
    assert (await one.due(4), await one.due(5)) == ([], ["w"])
    assert (await two.due(5), await one.due(5)) == (["v"], ["w"])
    await first.leave()
    assert await two.due(5) == ["v", "w"]
    drain_node(url, "b")
    with pytest.raises(StoreError, match="no server takes tables just now"):
        await second.take("u")
    assert await second.take("no such table") == 0
    for store in stores:
        await store.close()


class SharedRoom(Room):
    """One of several servers without their network."""

    def __init__(self, folder: Path, url: str, name: str) -> None:
        super().__init__(folder)
        self.url, self.name = url, name

    async def open(self) -> None:
        node = NodeName(self.name, f"http://{self.name}", "key", "1")
        self.store = self.shared = await SharedStore.open_as(self.url, node)
        await self.shared.nodes.join()
        self.owner = TableOwner(self.shared, ClusterMetrics(CollectorRegistry()))
        self.tables = TableRegistry(
            self.owner, time=self.clock, entropy=self.dice, executor=AtOnce(), together_s=0.0
        )


@asynccontextmanager
async def shared_rooms(folder: Path, url: str, *names: str) -> AsyncIterator[list[SharedRoom]]:
    """Servers without their network on one database."""
    rooms = [SharedRoom(folder, url, name) for name in names]
    for room in rooms:
        await room.open()
    try:
        yield rooms
    finally:
        for room in rooms:
            await room.close()


def owner_of(postgres: PostgresServer, url: str, table: str) -> tuple[str | None, int]:
    """A table's owner and epoch."""
    name = url.partition("@/")[2].partition("?")[0]
    return postgres.execute(name, f"SELECT owner, epoch FROM tables WHERE id = '{table}'")[0]  # type: ignore[return-value]


@in_loop
async def test_fenced_append_is_never_acknowledged(url: str, tmp_path: Path) -> None:
    """Also where the table is just being given up; and what has been loaded since is not dropped."""
    async with shared_rooms(tmp_path, url, "a") as (room,):
        ann = await room.table(bots=(None, "greedy"), start=True)
        await room.deal([ann])
        table, number = ann.table.id, ann.number
        changed(url, f"UPDATE tables SET owner = 'another', epoch = epoch + 1 WHERE id = '{table}'")
        move = messages.Say(id="move", asked=ann.shared["asked"], text="draw")
        ann.table.receive(ann.connection, move)
        await drain(room.owner.store, room.tables, room.clock.now)
        assert ann.closed == "restart"
        assert not [message for message in ann.got if getattr(message, "re", None) == "move"]
        assert ann.number == number
        changed(url, f"UPDATE tables SET owner = NULL WHERE id = '{table}'")
        old, again = ann.table, await room.tables.get(table)
        assert again is not None and again is not old
        room.tables.services.lost(old)
        assert await room.tables.get(table) is again
        room.tables.services.lost(again)
        assert await room.tables.get(table) is not again


@in_loop
async def test_draining_server_waits_for_its_tables_to_be_taken(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for a table at which nobody is, nor for long: some players do not come back."""
    async with shared_rooms(tmp_path, url, "a") as (room,):
        changed(url, "UPDATE nodes SET until = until + 3600000")
        empty = await room.table("Zoe")
        await empty.leave()
        people = [await room.table(f"Player {number}") for number in range(UNTAKEN_AT_ONCE + 2)]
        looks = 0
        ownerless = room.shared.nodes.ownerless

        async def looked(tables: Collection[str]) -> set[str]:
            nonlocal looks
            looks += 1
            return await ownerless(tables)

        monkeypatch.setattr(room.shared.nodes, "ownerless", looked)
        draining = asyncio.create_task(drain(room.owner.store, room.tables, room.clock.now))

        async def closed_are(number: int) -> None:
            """So many are closed, and no more at the next looks."""
            await comes_true(lambda: len([one for one in people if one.closed]) == number)
            before = looks
            await comes_true(lambda: looks > before + 1)
            assert len([one for one in people if one.closed]) == number

        await closed_are(UNTAKEN_AT_ONCE)
        changed(url, f"UPDATE tables SET owner = 'another' WHERE id = '{people[0].table.id}'")
        await closed_are(UNTAKEN_AT_ONCE + 1)
        assert not draining.done()
        room.clock.time += UNTAKEN_S
        await draining
        assert all(one.closed == "restart" for one in people)


@in_loop
async def test_a_table_that_cannot_be_read_is_left_to_others(
    url: str, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    """A server of a newer version may have written it."""
    async with shared_rooms(tmp_path, url, "a") as (room,):
        table = await room.tables.create(TableOptions(profile="500-rum", players=2), Guest("ann", "Ann"))
        later = "INSERT INTO entries (table_id, number, at, kind, data) VALUES"
        changed(url, f"{later} ('{table}', 3, 1, 'of a later version', '{{}}')")
        with pytest.raises(LogError):
            await room.tables.get(table)
        assert owner_of(postgres_server, url, table)[0] is None


@in_loop
async def test_of_many_tables_all_are_taken_and_one_that_is_locked_is_waited_for(url: str) -> None:
    names = [f"t{number}" for number in range(100)]
    stores = [
        await SharedStore.open_as(url, NodeName(name, f"http://{name}", "key", "1")) for name in ("a", "b")
    ]
    first, second = (store.nodes for store in stores)
    await first.join()
    for name in names:
        await stores[0].create_table(row(name), [entry(1)])
    await asyncio.gather(*(first.release(name, 1) for name in names))
    await second.join()
    with psycopg.connect(url) as other:
        other.execute("SELECT 1 FROM tables WHERE id = 't7' FOR SHARE")
        waiting = asyncio.ensure_future(second.take("t7"))
        others = [name for name in names if name != "t7"]
        assert set(await asyncio.gather(*map(second.take, others))) == {2}
        assert not waiting.done()
        other.rollback()
    assert await waiting == 2
    results = await asyncio.gather(*map(first.take, [*names, "none"]), return_exceptions=True)
    assert {type(each) for each in results[:-1]} == {ServedElsewhere} and results[-1] == 0
    logs = await asyncio.gather(*map(stores[1].entries, names))
    assert {tuple(each.number for each in log) for log in logs} == {(1,)}
    for store in stores:
        await store.close()


@in_loop
async def test_a_server_that_hangs_within_a_transaction_locks_no_table_for_long(url: str) -> None:
    """The database ends its session before its lease has ended."""
    store = await SharedStore.open_as(url, NodeName("a", "http://a", "key", "1"))
    await store.nodes.join()
    await store.create_table(row("t"))
    database = PostgresDatabase(url, store.nodes.id)
    engine = database.writing_engine(3)
    with engine.connect() as hangs:
        driver = hangs.connection.driver_connection
        driver.execute("BEGIN")
        assert database.not_held(driver, {"t": 1}) == set()
        with psycopg.connect(url) as other:
            other.execute("SET lock_timeout = '20s'")
            other.execute("UPDATE tables SET epoch = 2")
        hangs.invalidate()
    engine.dispose()
    await store.close()


@in_loop
async def test_no_commit_reads_all_tables(url: str) -> None:
    """With the default costs the planner reads all rows once there are a few hundred tables."""
    store = await SharedStore.open_as(url, NodeName("a", "http://a", "key", "1"))
    await asyncio.gather(*(store.create_table(row(f"t{number}")) for number in range(300)))
    engine = PostgresDatabase(url, store.nodes.id).writing_engine(3)
    with engine.connect() as writes:
        driver = writes.connection.driver_connection
        rows = _as_json([(f"t{number}", 1, 1, "chat", b"{}", "ann", "m", None, 1) for number in range(3)])
        plan = driver.execute(f"EXPLAIN {_APPEND_SHARED}", (rows, 3, store.nodes.id)).fetchall()
    engine.dispose()
    await store.close()
    plan_text = "\n".join(line for (line,) in plan)
    assert "tables_pkey" in plan_text and "Seq Scan" not in plan_text


@in_loop
async def test_a_sign_out_that_is_stored_late_is_not_missed(url: str) -> None:
    """Of two at two servers the earlier one may be stored later."""
    store = await SharedStore.open_as(url, NodeName("a", "http://a", "key", "1"))
    now = await store.nodes.join()
    await store.sign_out("ann", now + 5)
    assert store.nodes.signed_out() == {("ann", now + 5)}
    await store.sign_out("ben", now - 5)
    assert store.nodes.signed_out() == {("ann", now + 5), ("ben", now - 5)}
    await store.close()


@in_loop
async def test_pending_admission_is_refused_when_the_lease_is_lost(url: str, tmp_path: Path) -> None:

    async def answer() -> str:
        return "answer"

    async with shared_rooms(tmp_path, url, "a") as (room,):
        asked = asyncio.get_running_loop().create_future()
        asks = asyncio.ensure_future(room.owner.guard(asyncio.wait_for(asked, None)))
        await other_tasks()
        room.owner.give_up(room.tables)
        with pytest.raises(StoreError, match="has no lease"):
            await asks
        room.owner.resume()
        assert await room.owner.guard(answer()) == "answer"
        asked = asyncio.get_running_loop().create_future()
        gone = asyncio.ensure_future(room.owner.guard(asyncio.wait_for(asked, None)))
        await other_tasks()
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone


@in_loop
async def test_a_table_read_while_all_tables_are_dropped_is_not_shown(url: str, tmp_path: Path) -> None:
    async with shared_rooms(tmp_path, url, "a") as (room,):
        table = (await room.table("Ann")).table.id
        room.owner.give_up(room.tables)
        with pytest.raises(StoreError, match="has no lease"):
            await room.tables.get(table)
        room.owner.resume()
        reading = asyncio.ensure_future(room.tables.get(table))
        for _ in range(3):
            await other_tasks()
        room.owner.give_up(room.tables)
        with pytest.raises(StoreError, match="another server may have taken it over"):
            await reading
        room.owner.resume()
        assert await room.tables.get(table) is not None
