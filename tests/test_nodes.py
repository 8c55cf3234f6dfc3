"""Several servers on one database: a table has one owner, and is played on when that one dies or leaves."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import urllib.error
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from websockets.exceptions import InvalidStatus

from rum500.cli import main
from rum500.server import messages
from rum500.server.live.log_entries import LogError
from rum500.server.live.table_options import Guest as LiveGuest
from rum500.server.live.table_options import TableOptions
from rum500.server.live.table_registry import UNTAKEN_AT_ONCE, UNTAKEN_S, TableRegistry
from rum500.store import SECRET, NodeName, OwnedElsewhere, Store, StoredEntry, StoreError, database_of
from rum500.store._postgres import _APPEND_SHARED, _as_json
from rum500.store.nodes import drain_node
from tests.support.live import AtOnce, Room
from tests.support.live_server import Guest, LiveServer, Seated, play_on
from tests.support.ports import free_port
from tests.support.postgres import PostgresServer, postgres
from tests.support.storing import changed
from tests.support.storing import row as table_row
from tests.support.table_choice import Facts
from tests.support.waiting import comes_true, until

FLAGS = ("--bot-pause-ms", "0", "--no-limits", "--bot-workers", "0", "--review-workers", "0", "--no-push")
Nodes = tuple[LiveServer, LiveServer]


@pytest.fixture(scope="module")
def url(postgres_server: PostgresServer) -> str:
    """The URL of a database."""
    return postgres_server.new_database()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[Nodes]:
    """Two servers with one key; each test leaves both running."""
    folder = tmp_path_factory.mktemp("nodes")
    servers: list[LiveServer] = []
    for name in ("one", "two"):
        port, data = free_port(), folder / name
        data.mkdir()
        if servers:
            shutil.copy(servers[0].data / SECRET, data / SECRET)
        own = ("--db", url, "--node-url", f"http://127.0.0.1:{port}", "--node-name", name)
        servers.append(LiveServer(data, *own, *FLAGS, "--log-level", "debug", port=port).start())
    try:
        yield servers[0], servers[1]
    finally:
        for server in servers:
            server.end()


def entry(number: int) -> StoredEntry:
    return StoredEntry(number, 1, "chat", b"{}", "guest", f"message {number}")


def test_only_the_owner_of_a_table_adds_to_its_log(postgres_server: PostgresServer) -> None:
    url = postgres_server.new_database()

    async def refused(store: Store, epoch: int, **fields: str) -> str:
        with pytest.raises(StoreError) as error:
            await store.append("t", [entry(3)], epoch=epoch, **fields)
        return error.value.code

    async def run() -> None:
        stores = [
            await Store.open(url, node=NodeName(name, f"http://{name}", "key", "1")) for name in ("a", "b")
        ]
        (one, two), (first, second) = stores, [store.nodes for store in stores]
        assert first is not None and second is not None
        await first.join()
        await second.join()
        await one.create_table(table_row("t"), [entry(1)])
        await one.append("t", [entry(2)], epoch=1, status="playing")
        with pytest.raises(OwnedElsewhere, match="http://a"):
            await second.take("t")
        assert [await refused(two, epoch) for epoch in (1, 2)] == ["store.fenced"] * 2
        await first.release("t", 1)
        assert await second.take("t") == 2
        # Neither alone nor with a change of the table's row, and beside others' entries.
        assert await refused(one, 1) == await refused(one, 1, status="over") == "store.fenced"
        await one.create_table(table_row("u"))
        told = await asyncio.gather(
            one.append("u", [entry(1)], epoch=1), one.append("t", [entry(3)], epoch=1), return_exceptions=True
        )
        assert [getattr(each, "code", None) for each in told] == [None, "store.fenced"]
        await two.append("t", [entry(3)], epoch=2)
        # A server that had the table before does not go on from where it was then.
        await second.release("t", 2)
        assert await first.take("t") == 3
        await one.append("t", [entry(4)], epoch=3)
        await first.release("t", 3)
        assert await second.take("t") == 4
        await two.append("t", [entry(5)], epoch=4)
        assert [each.number for each in await one.entries("t")] == [1, 2, 3, 4, 5]
        assert len(await one.entries("u")) == 1
        row = await two.table("t")
        assert row is not None and row.status == "playing"
        await first.leave()
        assert await second.take("u") == 2
        assert await second.take("no such table") == 0
        # What is due and has no owner is shared out; what has one is left to it.
        await first.join()
        for name in ("v", "w"):
            await two.create_table(table_row(name, due=5))
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

    asyncio.run(run())


class SharedRoom(Room):
    """One of several servers without their network."""

    def __init__(self, folder: Path, url: str, name: str) -> None:
        super().__init__(folder)
        self.url, self.name = url, name

    async def open(self) -> None:
        node = NodeName(self.name, f"http://{self.name}", "key", "1")
        self.store = await Store.open(self.url, node=node)
        assert self.store.nodes is not None
        await self.store.nodes.join()
        self.tables = TableRegistry(
            self.store, time=self.clock, entropy=self.dice, executor=AtOnce(), together_s=0.0
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


def test_what_another_owner_made_impossible_is_never_acknowledged(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """Also where the table is just being given up; and what has been loaded since is not dropped."""
    url = postgres_server.new_database()

    async def run() -> None:
        async with shared_rooms(tmp_path, url, "a") as (room,):
            ann = await room.table(bots=(None, "greedy"), start=True)
            await room.deal([ann])
            table, number = ann.table.id, ann.number
            changed(url, f"UPDATE tables SET owner = 'another', epoch = epoch + 1 WHERE id = '{table}'")
            move = messages.Say(id="move", asked=ann.shared["asked"], text="draw")
            ann.table.receive(ann.connection, move)
            await room.tables.drain()
            assert ann.closed == "restart"
            assert not [told for told in ann.got if getattr(told, "re", None) == "move"]
            assert ann.number == number
            changed(url, f"UPDATE tables SET owner = NULL WHERE id = '{table}'")
            old, again = ann.table, await room.tables.get(table)
            assert again is not None and again is not old
            room.tables.services.lost(table, old.log.epoch)
            assert await room.tables.get(table) is again
            room.tables.services.lost(table, again.log.epoch)
            assert await room.tables.get(table) is not again

    asyncio.run(run())


def test_a_drained_server_waits_for_those_who_take_its_tables(
    postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for a table at which nobody is, nor for long: some players do not come back."""
    url = postgres_server.new_database()

    async def run() -> None:
        async with shared_rooms(tmp_path, url, "a") as (room,):
            changed(url, "UPDATE nodes SET until = until + 3600000")
            empty = await room.table("Zoe")
            await empty.leave()
            people = [await room.table(f"Player {number}") for number in range(UNTAKEN_AT_ONCE + 2)]
            looks = 0
            ownerless = room.store.nodes.ownerless

            async def looked(tables: Collection[str]) -> set[str]:
                nonlocal looks
                looks += 1
                return await ownerless(tables)

            monkeypatch.setattr(room.store.nodes, "ownerless", looked)
            draining = asyncio.create_task(room.tables.drain())

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

    asyncio.run(run())


def test_a_table_that_cannot_be_read_is_left_to_others(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """A server of a newer version may have written it."""
    url = postgres_server.new_database()

    async def run() -> None:
        async with shared_rooms(tmp_path, url, "a") as (room,):
            table = await room.tables.create(
                TableOptions(profile="500-rum", players=2), LiveGuest("ann", "Ann")
            )
            later = "INSERT INTO entries (table_id, number, at, kind, data) VALUES"
            changed(url, f"{later} ('{table}', 3, 1, 'of a later version', '{{}}')")
            with pytest.raises(LogError):
                await room.tables.get(table)
            assert owner_of(postgres_server, url, table)[0] is None

    asyncio.run(run())


def test_of_many_tables_all_are_taken_and_one_that_is_locked_is_waited_for(
    postgres_server: PostgresServer,
) -> None:
    url = postgres_server.new_database()
    names = [f"t{number}" for number in range(100)]

    async def run() -> None:
        stores = [
            await Store.open(url, node=NodeName(name, f"http://{name}", "key", "1")) for name in ("a", "b")
        ]
        first, second = (store.nodes for store in stores)
        assert first is not None and second is not None
        await first.join()
        for name in names:
            await stores[0].create_table(table_row(name), [entry(1)])
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
        told = await asyncio.gather(*map(first.take, [*names, "none"]), return_exceptions=True)
        assert {type(each) for each in told[:-1]} == {OwnedElsewhere} and told[-1] == 0
        logs = await asyncio.gather(*map(stores[1].entries, names))
        assert {tuple(each.number for each in log) for log in logs} == {(1,)}
        for store in stores:
            await store.close()

    asyncio.run(run())


def test_a_server_that_hangs_within_a_transaction_locks_no_table_for_long(
    postgres_server: PostgresServer,
) -> None:
    """The database ends its session before its lease has ended."""
    url = postgres_server.new_database()

    async def run() -> None:
        store = await Store.open(url, node=NodeName("a", "http://a", "key", "1"))
        assert store.nodes is not None
        await store.nodes.join()
        await store.create_table(table_row("t"))
        database = database_of(url, store.nodes.id)
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

    asyncio.run(run())


def test_no_commit_reads_all_tables(postgres_server: PostgresServer) -> None:
    """With the default costs the planner reads all rows once there are a few hundred tables."""
    url = postgres_server.new_database()

    async def run() -> None:
        store = await Store.open(url, node=NodeName("a", "http://a", "key", "1"))
        assert store.nodes is not None
        await asyncio.gather(*(store.create_table(table_row(f"t{number}")) for number in range(300)))
        engine = database_of(url, store.nodes.id).writing_engine(3)
        with engine.connect() as writes:
            driver = writes.connection.driver_connection
            rows = _as_json([(f"t{number}", 1, 1, "chat", b"{}", "ann", "m", 1) for number in range(3)])
            plan = driver.execute(f"EXPLAIN {_APPEND_SHARED}", (rows, 3, store.nodes.id)).fetchall()
        engine.dispose()
        await store.close()
        told = "\n".join(line for (line,) in plan)
        assert "tables_pkey" in told and "Seq Scan" not in told

    asyncio.run(run())


def test_a_sign_out_that_is_stored_late_is_not_missed(postgres_server: PostgresServer) -> None:
    """Of two at two servers the earlier one may be stored later."""
    url = postgres_server.new_database()

    async def run() -> None:
        store = await Store.open(url, node=NodeName("a", "http://a", "key", "1"))
        assert store.nodes is not None
        now = await store.nodes.join()
        await store.sign_out("ann", now + 5)
        assert store.nodes.signed_out() == {("ann", now + 5)}
        await store.sign_out("ben", now - 5)
        assert store.nodes.signed_out() == {("ann", now + 5), ("ben", now - 5)}
        await store.close()

    asyncio.run(run())


def test_who_waits_for_the_store_is_refused_when_the_lease_is_lost(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    url = postgres_server.new_database()

    async def run() -> None:
        async with shared_rooms(tmp_path, url, "a") as (room,):
            asked = asyncio.get_running_loop().create_future()
            asks = asyncio.ensure_future(room.tables.with_lease(asyncio.wait_for(asked, None)))
            await asyncio.sleep(0)
            room.tables.give_up()
            with pytest.raises(StoreError, match="has no lease"):
                await asks
            room.tables.resume()
            assert await room.tables.with_lease(answer()) == "answer"
            asked = asyncio.get_running_loop().create_future()
            gone = asyncio.ensure_future(room.tables.with_lease(asyncio.wait_for(asked, None)))
            await asyncio.sleep(0)
            gone.cancel()
            with pytest.raises(asyncio.CancelledError):
                await gone

    async def answer() -> str:
        return "answer"

    asyncio.run(run())


def at(server: LiveServer, guest: Guest) -> Guest:
    """The same guest, who speaks to another server."""
    same = Guest.__new__(Guest)
    same.server, same.cookie, same.me = server, guest.cookie, guest.me
    return same


def joined(guest: Guest, table: str, last: int = 0) -> Seated:
    """Connect to a table, as soon as a server lets the guest, as the page does."""
    seats: list[Seated] = []

    def comes_in() -> bool:
        with suppress(InvalidStatus):
            seats.append(guest.at(table, last=last))
        return bool(seats)

    until(comes_in)
    return seats[0]


def new_table(guest: Guest) -> str:
    """A table with a bot, for one deal."""
    return guest.new_table("500-rum", level="greedy", start=True, deals=1, target=5000)


def is_over(facts: Facts) -> bool:
    return facts.get("status") == "over"


def may_play(facts: Facts) -> bool:
    return bool(facts.get("may"))


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """What `rum500` prints, and its exit status."""
    status = main(["nodes", *words])
    out = capsys.readouterr()
    return status, out.out + out.err


def listed(capsys: pytest.CaptureFixture[str], url: str) -> list[list[str]]:
    """What `rum500 nodes` lists, a row each."""
    status, out = told(capsys, "--db", url)
    assert status == 0
    return [line.split() for line in out.splitlines()[1:]]


def test_a_table_is_played_at_whichever_server_one_comes_to(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    with at(two, guest).at(table) as seat:
        play_on([seat], is_over, seed=1)
    assert "table.lost" not in one.log + two.log
    token = at(two, guest)
    other = token.new_table("500-rum", level="greedy", players=3)
    lent = guest.call("POST", f"/api/tables/{other}/bots", {"seat": 1, "name": "Robo"})
    assert lent["token"]


def test_a_table_belongs_to_the_server_to_which_its_first_visitor_comes(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)

    def counted(server: LiveServer) -> float:
        text = at(server, guest).call("GET", "/metrics")
        return sum(float(each) for each in re.findall(r"^rum500_relayed_total\S* (\S+)$", text, re.MULTILINE))

    before = counted(two)
    with at(two, guest).at(table) as seat:
        play_on([seat], may_play, seed=1)
        assert counted(two) == before
        trace = "0af7651916cd43dd8448eb211c80319c"
        with guest.at(table, traceparent=f"00-{trace}-b7ad6b7169203331-01") as passed_on:
            play_on([passed_on], lambda _: "trace.move" in steps_of(trace, two.log), seed=1)
    assert steps_of(trace, one.log) == {"trace.relayed"}
    assert steps_of(trace, two.log) == {"trace.admitted", "trace.move"}


def steps_of(trace: str, log: str) -> set[str]:
    """The events of a trace in a log."""
    return set(re.findall(rf"event=(\S+) trace={trace}", log))


def test_the_other_server_goes_on_with_the_tables_of_a_dead_one(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    with guest.at(table) as seat:
        play_on([seat], may_play, seed=1)
        number = seat.number
    one.kill()
    with at(two, guest).at(table, last=number) as seat:  # who need not ask again until the lease has ended
        play_on([seat], is_over, seed=1)
    one.start()


def test_who_comes_to_a_server_that_has_just_been_started_again_is_let_in(nodes: Nodes) -> None:
    """The tables of its earlier run are free only when that one's lease has ended."""
    one, _ = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    with guest.at(table) as seat:
        play_on([seat], may_play, seed=1)
        number = seat.number
    one.kill()
    one.start()
    with guest.at(table, last=number) as seat:
        play_on([seat], is_over, seed=1)


def test_a_name_that_was_changed_at_one_server_is_seen_at_all(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table, there = new_table(guest), at(two, guest)
    for name in ("Ada", "Byron"):
        guest.call("PUT", "/api/me", {"name": name})
        with there.at(table) as seat:
            seat.sees(lambda facts, name=name: facts["seats"][0]["name"] == name)


@pytest.mark.whole
def test_a_server_that_slept_acknowledges_nothing_of_a_table_that_it_has_lost(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    asleep = guest.at(table)
    play_on([asleep], may_play, seed=1)
    one.send(signal.SIGSTOP)
    with joined(at(two, guest), table) as seat:
        play_on([seat], is_over, seed=1)
        number = seat.number
    one.send(signal.SIGCONT)
    until(lambda: "node.lease_ended" in one.log)
    until(lambda: asleep.closed)
    with joined(guest, table) as seat:
        assert is_over(seat.facts)
        assert seat.number == number


def test_a_draining_server_gives_its_tables_up(
    nodes: Nodes, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _ = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    with guest.at(table) as seat:
        play_on([seat], may_play, seed=1)
        assert told(capsys, "drain", "one", "--wait", "--db", url) == (0, "one gives up its tables\n")
        until(lambda: seat.closed)
    with pytest.raises(urllib.error.HTTPError) as refused:
        guest.call("GET", "/healthz")
    assert refused.value.code == 503
    with joined(guest, table) as seat:  # by way of the other one
        play_on([seat], is_over, seed=1)
    assert ["one", "0", "draining"] in [[row[0], *row[-2:]] for row in listed(capsys, url)]
    assert told(capsys, "drain", "three", "--db", url)[0] == 2
    one.end()
    one.start()
    assert listed(capsys, url)[-1][-1] == "runs"


@pytest.mark.whole
def test_who_signs_out_at_one_server_is_signed_out_at_all(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    left_open = at(two, guest).at(table)
    guest.call("POST", "/api/me/sign-out", {"devices": "others"})
    until(lambda: left_open.closed)


@pytest.mark.whole
def test_servers_must_share_a_key_and_a_database_that_can_be_shared(
    nodes: Nodes, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AssertionError, match="servers with another key use it"):
        LiveServer(tmp_path / "three", "--db", url, "--node-url", "http://127.0.0.1:1", *FLAGS).start()
    with pytest.raises(AssertionError, match="is in use by a running rum500"):
        LiveServer(tmp_path / "four", "--db", url, *FLAGS).start()
    with pytest.raises(AssertionError, match="one server alone can use it"):
        LiveServer(tmp_path / "five", "--node-url", "http://127.0.0.1:1", *FLAGS).start()
    assert "one server alone uses it" in told(capsys, "--data", str(tmp_path))[1]


@pytest.mark.whole
def test_several_processes_are_servers_behind_one_port(
    postgres_server: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = postgres_server.new_database()
    with LiveServer(tmp_path / "data", "--db", url, "--processes", "2", *FLAGS) as server:
        until(lambda: [row[-1] for row in listed(capsys, url)] == ["runs", "runs"])
        guest = Guest(server, "Ada")
        tables = [new_table(guest) for _ in range(4)]
        for table in tables:
            with guest.at(table) as seat:
                play_on([seat], may_play, seed=1)
        os.kill(servers_of(server.pid)[0], signal.SIGKILL)
        for table in tables:
            with joined(guest, table) as seat:
                play_on([seat], is_over, seed=1)
        # Another one has come in its place.
        until(lambda: [row[-1] for row in listed(capsys, url)].count("runs") == 2)
        left = servers_of(server.pid)
        server.kill()
        until(lambda: not any(Path(f"/proc/{one}").exists() for one in left))
    assert "Traceback" not in server.log


@pytest.mark.whole
def test_a_process_that_dies_while_the_database_is_away_is_started_again_until_it_is_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the others are left alone."""
    with postgres() as database:
        url = database.new_database()
        with LiveServer(tmp_path, "--db", url, "--processes", "2", *FLAGS) as server:
            until(lambda: [row[-1] for row in listed(capsys, url)] == ["runs", "runs"])
            killed, left = servers_of(server.pid)
            database.stop()
            os.kill(killed, signal.SIGKILL)
            until(lambda: server.log.count("is started again") > 1)
            database.start()
            until(lambda: [row[-1] for row in listed(capsys, url)].count("runs") == 2)
            assert left in servers_of(server.pid)


@pytest.mark.whole
def test_several_processes_need_a_database_to_share(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="processes: several need a database that they can share"):
        LiveServer(tmp_path, "--processes", "2", *FLAGS).start()


def servers_of(family: int) -> list[int]:
    """The processes of `--processes`, by number."""
    children = Path(f"/proc/{family}/task/{family}/children").read_text().split()
    return [int(one) for one in children if "spawn_main" in Path(f"/proc/{one}/cmdline").read_text()]
