"""A server without a network: the same handlers and tables over any storage of bytes by key."""

from __future__ import annotations

import asyncio
import base64
import functools
import inspect
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from rum500 import bots
from rum500.local import BrowserServer, LocalServer, LocalStore, export_data, import_data
from rum500.local.executor import InlineExecutor, check_local_level, local_levels
from rum500.puzzles.collection import shipped
from rum500.rng import Rng
from rum500.server.config import Config
from rum500.server.live.log.entries import BotSat, to_stored
from rum500.server.messages.table_error import TableError
from rum500.server.thinking.executor import choice, seconds_of
from rum500.store import (
    PuzzleAnswer,
    PuzzleRating,
    ResultRow,
    Store,
    StoredEntry,
    StoreError,
    TableRow,
    TableStore,
)
from tests.support.key_values import Memory
from tests.support.local_page import Page, call, new_table, refused
from tests.support.table_choice import question
from tests.support.waiting import attempts, comes_true, other_tasks
from tests.test_live_thinking import a_view

FAST = Config(limits=False, bot_pause_ms=0)


def on_memory(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a test on an event loop with a storage that is empty."""

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        async def body() -> None:
            await test(Memory(), **fixtures)

        asyncio.run(body())

    signature = inspect.signature(test)
    wanted = [parameter for name, parameter in signature.parameters.items() if name != "data"]
    run.__signature__ = signature.replace(parameters=wanted)  # type: ignore[attr-defined]
    return run


def test_a_match_is_played_where_no_library_of_a_server_can_be_imported() -> None:
    script = Path(__file__).with_name("support") / "play_locally.py"
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("played\n")


async def to_draw(page: Page) -> str:
    """Play until the person may draw; return that play."""
    while "draw" not in (page.facts.get("plays") or {}):
        await page.decide()
    return str(page.facts["plays"]["draw"])


@on_memory
async def test_a_move_is_acknowledged_once_it_is_stored(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    page = await Page().join(server, await new_table(server))
    play = await to_draw(page)
    data.open.clear()
    name = page.say("play", asked=page.facts["asked"], play=play)
    await comes_true(lambda: data.waiting)
    await other_tasks()
    assert page.answered(name) is None
    before = dict(data.values)
    data.open.set()
    await comes_true(lambda: page.answered(name))
    assert page.answered(name)["type"] == "update"  # type: ignore[index]
    assert len(data.values) > len(before)
    await server.close()


@on_memory
async def test_table_continues_after_its_worker_is_killed_in_mid_deal(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    table = await new_table(server)
    page = await Page().join(server, table)
    for _ in range(6):
        await page.decide()
    await comes_true(lambda: question(page.facts) is not None)
    me = await call(server, "GET", "/api/me")
    again = await LocalServer.open(data, FAST)  # the first one is never closed
    assert await call(again, "GET", "/api/me") == me
    assert [one["table"]["id"] for one in await call(again, "GET", "/api/tables/mine")] == [table]
    other = await Page().join(again, table)
    same = ("hand", "pile", "scores", "seats", "asked", "may", "deal")
    assert {name: other.facts.get(name) for name in same} == {name: page.facts.get(name) for name in same}
    await other.decide()
    await again.close()
    await server.tables.close()


@on_memory
async def test_a_full_disk_refuses_the_move_and_loses_nothing(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    page = await Page().join(server, await new_table(server))
    play = await to_draw(page)
    before = dict(data.values)
    data.error = StoreError("store.full", "the browser gives no more room")
    reply = await page.ask("play", asked=page.facts["asked"], play=play)
    assert reply["type"] == "refused"
    assert data.values == before
    await server.tables.close()


@on_memory
async def test_only_levels_that_play_at_once_are_offered_and_each_answers_as_itself(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    offered = (await call(server, "GET", "/api/me"))["levels"]
    assert offered == local_levels() and "club" in offered
    listed = await call(server, "GET", "/api/levels/500-rum?players=2")
    assert {one["name"] for one in listed["levels"]} >= set(offered)
    assert listed["next"]["level"] in offered
    assert {level for level in bots.names() if seconds_of(level)}.isdisjoint(offered)
    executor, view = InlineExecutor(searches=False), a_view()
    for level in offered:
        assert executor.choose(level, view, Rng(5), lambda _: None) == choice(level, view, Rng(5))
    with pytest.raises(TableError, match=r"play online"):
        executor.choose("strong", view, Rng(5), lambda _: None)
    with pytest.raises(TableError) as caught:
        check_local_level("strong", view.rules, view.players, "bots")
    assert (caught.value.code, caught.value.key) == ("bot.local", "bots")
    wanted = {"profile": "500-rum", "players": 2}
    for more in ({"bots": [None, "strong"]}, {"level": "expert"}):
        assert await refused(server, "POST", "/api/tables", wanted | more) == (422, "bot.local")
    page = await Page().join(server, await new_table(server, bots=[], start=False))
    reply = await page.ask("seat_bot", seat=1, level="strong")
    assert reply["reason"]["code"] == "bot.local"
    await executor.close()
    await server.close()


@on_memory
async def test_a_level_that_searches_with_two_players_only_plays_with_four(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    two, four = [
        {one["name"]: one["position"] for one in listed["levels"]}
        for listed in [await call(server, "GET", f"/api/levels/500-rum?players={n}") for n in (2, 4)]
    ]
    for shown in (two, four):
        assert not [name for name, position in shown.items() if position is not None and position > 2]
    level = min(four.keys() - two.keys())
    assert level not in (await call(server, "GET", "/api/me"))["levels"]
    wanted = {"profile": "500-rum", "level": level, "deals": 1, "bots": [None, level]}
    assert await refused(server, "POST", "/api/tables", wanted | {"players": 2}) == (422, "bot.local")
    table = await new_table(server, players=4, bots=[None, level, level, level], deals=1)
    page = await Page().join(server, table)
    while page.facts["status"] != "over":
        await page.decide()
    await server.close()


@pytest.mark.parametrize("searches", [False, True])
@on_memory
async def test_hints_and_drills_that_search_are_refused_unless_the_engine_is_compiled(
    data: Memory, searches: bool
) -> None:
    server = await LocalServer.open(data, FAST, searches=searches)
    drill = await call(server, "GET", "/api/drills/count/500-rum/2/7/1")
    assert drill["count"] is not None
    path = "/api/drills/discard/500-rum/2/7/1"
    if searches:
        assert (await call(server, "GET", path))["position"] is not None
    else:
        assert await refused(server, "GET", path) == (409, "local.search")
    page = await Page().join(server, await new_table(server, hints="numbers"))
    while len(page.facts.get("may") or ()) < 2:
        await page.decide()
    noted = await page.ask("hint", asked=page.facts["asked"], depth="possible")
    assert noted["type"] == "update"
    possible = await page.ask("ask", about="hint", depth="possible")
    assert possible["hint"]["plays"]
    if not searches:
        await page.ask("hint", asked=page.facts["asked"], depth="numbers")
        reply = await page.ask("ask", about="hint", depth="numbers")
        assert reply["reason"]["code"] == "local.search"
    await server.close()


@on_memory
async def test_progress_is_that_of_the_matches_on_this_device(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    table = await new_table(server)
    page = await Page().join(server, table)
    while page.facts["status"] == "playing":
        await page.decide()
    found = await call(server, "GET", "/api/progress")
    offered = (await call(server, "GET", "/api/levels/500-rum?players=2"))["levels"]
    assert [step["level"] for step in found["stairs"]] == [one["name"] for one in offered if one["number"]]
    assert found["matches"] == 1
    assert found["deals"] == sum(step["deals"] for step in found["stairs"]) > 0
    names = (await call(server, "GET", f"/api/tables/{table}/deeds"))["names"]
    assert names == [deed["name"] for deed in found["deeds"] if deed["at"] is not None]
    await server.close()


@on_memory
async def test_the_days_deal_follows_from_the_date_and_is_compared_with_bots(data: Memory) -> None:
    hands = list[object]()
    for storage in (Memory(), data):
        server = await LocalServer.open(storage, FAST)
        today = await call(server, "GET", "/api/day-deals/today")
        assert (today["on_device"], today["status"], today["played"]) == (True, "new", 0)
        day = f"/api/day-deals/{today['day']}"
        page = await Page().join(server, (await call(server, "POST", f"{day}/play", {}))["id"])
        await comes_true(lambda shown=page: question(shown.facts) is not None)
        hands.append(page.facts["hand"])
        if storage is not data:
            await server.close()
    assert hands[0] == hands[1]
    while page.facts["status"] == "playing":
        await page.decide()
    result = await call(server, "GET", day)
    assert (result["on_device"], result["status"], result["place"]) == (True, "over", 1)
    assert {bot["level"] for bot in result["bots"]} | set(result["awaited"]) <= set(local_levels())
    for _ in attempts():
        if "club" in {bot["level"] for bot in result["bots"]}:
            break
        assert "club" in result["awaited"]
        await other_tasks()
        result = await call(server, "GET", day)
    assert "club" in {bot["level"] for bot in result["bots"]}
    await server.close()


@on_memory
async def test_what_needs_other_people_or_a_server_says_so(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    assert await call(server, "GET", "/api/tables") == []
    for method, path in (("GET", "/api/notices"), ("POST", "/api/tables/x/review"), ("GET", "/api/mistakes")):
        assert await refused(server, method, path) == (409, "local.server")
    assert await refused(server, "GET", "/api/tables/none") == (404, "table.unknown")
    assert await refused(server, "POST", "/api/tables", {"players": "two"}) == (422, "request.invalid")
    with pytest.raises(TableError, match="no such table"):
        await server.connect("none", lambda _: None, lambda: None)
    page = Page()
    page.socket = await server.connect(await new_table(server, start=False, bots=[]), page._take, page._end)
    for text in (b"{", b"[" * 100_000, b'{"type":"sit","id":"1"}'):
        page.socket.receive(text)
    found = [(each["re"], each["reason"]["code"]) for each in page.got]
    assert found == [(None, "message.invalid"), (None, "message.invalid"), ("1", "message.join_first")]
    await server.close()


@on_memory
async def test_puzzles_count_and_survive(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    daily = await call(server, "GET", "/api/puzzles/daily")
    entry = shipped().get(daily["id"])
    assert entry is not None
    *before, last = (str(move.right[0]) for move in entry.puzzle().moves)
    path = f"/api/puzzles/{daily['id']}"
    given = await call(server, "POST", f"{path}/answer", {"play": last, "before": before})
    assert given["result"]["right"]
    await call(server, "POST", f"{path}/vote", {"vote": 1})
    await server.close()
    again = await LocalServer.open(data, FAST)
    standing = await call(again, "GET", "/api/puzzles")
    assert (standing["answered"], standing["today"], standing["streak"]) == (1, True, 1)
    assert (await call(again, "GET", path))["result"]["vote"] == 1
    assert daily["id"].encode() in await call(again, "GET", "/api/puzzles/answers.csv")
    await again.close()


@on_memory
async def test_later_data_is_refused_and_a_damaged_row_is_left_out_but_stays(
    data: Memory,
) -> None:
    store = await LocalStore.open(data)
    await store.create_table(row("one"), [entry(1)])
    await store.create_table(row("two"), [entry(1)])
    data.values["table:one"] = data.values["table:one"][:20]
    data.values["entry:two:000000001"] = b"{"
    again = await LocalStore.open(data)
    assert [found.id for found in await again.tables()] == ["two"]
    with pytest.raises(StoreError) as caught:
        await again.entries("two")
    assert caught.value.code == "store.corrupt"
    assert "table:one" in data.values and "entry:one:000000001" in data.values
    data.values["format"] = b"2"
    with pytest.raises(StoreError) as caught:
        await LocalStore.open(data)
    assert caught.value.code == "store.newer"


@on_memory
async def test_all_data_goes_through_a_file(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    page = await Page().join(server, await new_table(server))
    await page.decide()
    await call(server, "PUT", "/api/me", {"name": "Ada"})
    await server.close()
    file, other = await export_data(data), Memory()
    before = await LocalServer.open(other, FAST)
    await before.close()
    await import_data(other, file)
    assert other.values == data.values
    again = await LocalServer.open(other, FAST)
    assert (await call(again, "GET", "/api/me"))["name"] == "Ada"
    await again.close()


def cut(file: dict[str, Any]) -> bytes:
    return json.dumps(file).encode()[:-20]


def changed(file: dict[str, Any], key: str, old: str, new: str) -> bytes:
    name = next(name for name in file["values"] if name.startswith(key))
    value = base64.b64decode(file["values"][name]).decode()
    assert old in value
    file["values"][name] = base64.b64encode(value.replace(old, new).encode()).decode()
    return json.dumps(file).encode()


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (cut, "store.foreign"),
        (lambda _: b"PK\x03\x04", "store.foreign"),
        (lambda _: b"{}", "store.foreign"),
        (lambda _: b"[" * 100_000, "store.foreign"),
        (lambda file: json.dumps(file | {"format": 2}).encode(), "store.newer"),
        (lambda file: changed(file, "table:", '"players":2', '"players":"x"'), "store.corrupt"),
        (lambda file: changed(file, "entry:", '"at":', '"at":1'), "store.corrupt"),
        (lambda file: changed(file, "entry:", '"number":1', '"number":2'), "store.corrupt"),
    ],
)
@on_memory
async def test_file_that_is_damaged_or_foreign_changes_nothing(
    data: Memory, spoil: Callable[[dict[str, Any]], bytes], code: str
) -> None:
    server = await LocalServer.open(data, FAST)
    await new_table(server)
    await server.close()
    before = dict(data.values)
    with pytest.raises(StoreError) as caught:
        await import_data(data, spoil(json.loads(await export_data(data))))
    assert (caught.value.code, data.values) == (code, before)


def row(name: str, **more: Any) -> TableRow:
    fields: dict[str, Any] = {
        "created": 1, "updated": 1, "status": "open", "private": True, "profile": "500-rum",
        "title": "500 Rum", "players": 2, "people": ["ann"],
    }  # fmt: skip
    return TableRow(id=name, **fields | more)


def entry(number: int) -> StoredEntry:
    return StoredEntry(number, number, "play", b"\x00\xff", "ann", f"m{number}")


def result(table: str, guest: str = "ann", **more: Any) -> ResultRow:
    fields: dict[str, Any] = {
        "ended": 5, "status": "over", "profile": "500-rum", "title": "500 Rum", "players": 2, "deals": 3,
        "place": 1, "won": True, "points": 510, "margin": 40, "partners": [], "opponents": ["Bot"],
        "with_people": False, "level": "club", "accounts": 2, "best_deal": 200,
    }  # fmt: skip
    return ResultRow(guest_id=guest, table_id=table, **fields | more)


Calls = Callable[[TableStore], list[Callable[[], Awaitable[object]]]]


def log_calls(store: TableStore) -> list[Callable[[], Awaitable[object]]]:
    return [
        lambda: store.create_table(row("t1"), [entry(1)]),
        lambda: store.create_table(row("t1")),
        lambda: store.create_table(row("t2", updated=9, due=100, people=["ann", "ben"])),
        lambda: store.append("t1", [entry(2), entry(3)], updated=7, status="playing", due=50),
        lambda: store.append("t1", [entry(3)]),
        lambda: store.append("t1", [entry(5)]),
        lambda: store.append("t9", [entry(1)]),
        lambda: store.append("t2", [entry(1)], results=[result("t2"), result("t2", "ben")], status="over"),
        lambda: store.append("t2", [entry(2)], results=[result("t2", points=1)]),
        *(partial(store.table, table) for table in ("t1", "t2", "t9")),
        *(partial(store.entries, table, after) for table in ("t1", "t2", "t9") for after in (0, 1, 3)),
        lambda: store.first_entries(["t1", "t2", "t9"]),
        store.tables,
        lambda: store.tables(status=("over",), guest="ben"),
        lambda: store.tables(guest="cleo"),
        lambda: store.tables(limit=1),
        *(partial(call, at) for at in (40, 60, 200) for call in (store.due, store.next_due)),
    ]


def guest_calls(store: TableStore) -> list[Callable[[], Awaitable[object]]]:
    return [
        lambda: store.guest("ann"),
        lambda: store.save_speed("ann", "fast", 3),
        lambda: store.save_guest("ann", "Ann", 4),
        lambda: store.sign_out("ben", 6),
        lambda: store.guest("ann"),
        lambda: store.guest("ben"),
    ]


def result_calls(store: TableStore) -> list[Callable[[], Awaitable[object]]]:
    results = store.results
    kinds: list[dict[str, Any]] = [
        {}, {"profile": "500-rum"}, {"with_people": True}, {"reviewed": True}, {"reviewed": False},
    ]  # fmt: skip
    given_up = result("t3", status="abandoned", place=None, won=False, ended=8, deals=1)
    other_game = result("t4", profile="rummy-500", title="Rummy 500", ended=2, best_deal=90)
    return [
        lambda: store.create_table(row("t3", people=["ann"], status="abandoned", updated=3)),
        lambda: results.missing("ann"),
        lambda: results.save_missing("t3", [given_up, replace(given_up, guest_id="eve")]),
        lambda: results.of_guest("eve"),
        lambda: results.save([other_game]),
        lambda: results.save([result("t5", deals=0, best_deal=None)]),
        lambda: results.missing("ann"),
        *(partial(call, "ann", **kind) for kind in kinds for call in (results.of_guest, results.count)),
        lambda: results.of_guest("ann", skip=1, limit=1),
        lambda: results.figures("ann"),
        lambda: results.remove("ann", "t2"),
        lambda: results.of_guest("ann"),
        lambda: store.tables(guest="ann"),
        lambda: store.reviews.sums("ann"),
    ]


def practice_calls(store: TableStore) -> list[Callable[[], Awaitable[object]]]:
    away, puzzles = store.put_away, store.puzzles
    answered = PuzzleAnswer(
        guest_id="ann", puzzle="p1", at=9, play="3", solved=True, mean=1500.0, deviation=90.0, before=1480.0
    )
    return [
        lambda: away.put("ann", "t1", 5),
        lambda: away.put("ann", "t1", 6),
        lambda: away.put("ann", "t2", 7),
        lambda: away.take_back("ann", "t2"),
        lambda: away.of_guest("ann"),
        lambda: away.of_guest("ben"),
        lambda: puzzles.save(answered, PuzzleRating("p1", 1400.0, 80.0)),
        lambda: puzzles.save(answered, PuzzleRating("p1", 1390.0, 70.0)),
        lambda: puzzles.save_day("ann", 700),
        lambda: puzzles.save_day("ann", 701),
        lambda: puzzles.vote("ann", "p1", -1),
        lambda: puzzles.vote("ben", "p1", -1),
        lambda: puzzles.of("ann"),
        puzzles.ratings,
        lambda: puzzles.counts("p1"),
        lambda: puzzles.counts("p2"),
        lambda: puzzles.days("ann"),
        lambda: puzzles.with_votes_below(0),
        lambda: puzzles.with_votes_below(-1),
    ]


async def answers_of(store: TableStore, calls: Calls) -> list[object]:
    """Return what a store answers to calls, one after the other; codes for errors."""
    found: list[object] = []
    for each in calls(store):
        try:
            found.append(await each())
        except StoreError as error:
            found.append(error.code)
    return found


def test_the_store_answers_as_the_database_does(tmp_path: Path) -> None:
    async def body() -> None:
        database, data = await Store.open(tmp_path), Memory()
        local = await LocalStore.open(data)
        for calls in (log_calls, guest_calls, result_calls, practice_calls):
            assert await answers_of(local, calls) == await answers_of(database, calls)
        again = await LocalStore.open(data)
        assert await again.tables() == await database.tables()
        assert await again.entries("t1") == await database.entries("t1")
        assert await again.results.of_guest("ann") == await database.results.of_guest("ann")
        assert await again.puzzles.of("ann") == await database.puzzles.of("ann")
        assert await again.guest("ann") == await database.guest("ann")
        await database.close()

    asyncio.run(body())


@on_memory
async def test_nothing_is_left_of_a_pruned_table(data: Memory) -> None:
    store = await LocalStore.open(data)
    for table, updated in (("old", 3), ("new", 9)):
        await store.create_table(row(table, status="over", updated=updated), [entry(1)])
        await store.results.save([result(table, guest) for guest in ("ann", "ben")])
        await store.results.remove("ben", table)
        await store.put_away.put("ann", table, 5)
    assert (await store.prune(5)).tables == 1
    assert [key for key in data.values if "old" in key] == []
    for each in (store, await LocalStore.open(data)):
        assert await each.put_away.of_guest("ann") == {"new": 5}
        assert [one.table_id for one in await each.results.of_guest("ann")] == ["new"]
        assert list(each.results.removed.by_name) == ["ben:new"]
        assert len(await each.entries("new")) == 1


@on_memory
async def test_table_of_a_bot_that_cannot_play_in_place_is_refused_when_it_is_opened(data: Memory) -> None:
    server = await LocalServer.open(data, FAST)
    table = await new_table(server, bots=[], start=False)
    page = await Page().join(server, table)
    await server.close()
    number = (await server.store.entries(table))[-1].number
    assert page.closed
    await server.store.append(table, [to_stored(number + 1, 0, BotSat(1, "strong", "Ada"), None, None)])
    again = await LocalServer.open(data, FAST)
    with pytest.raises(TableError, match="play online"):
        await Page().join(again, table)
    await again.close()


@on_memory
async def test_worker_gets_codes_in_place_of_errors(data: Memory) -> None:
    code = ""
    broken = False

    async def read(prefix: str) -> list[tuple[str, memoryview]]:
        if broken:
            raise RuntimeError("the disk")
        return [(key, memoryview(value)) for key, value in await data.read(prefix)]

    async def write(changes: Any) -> str:
        if not code:
            await data.write(changes)
        return code

    server = BrowserServer(read, write, FAST)
    assert await server.open() == ("", 0)
    wanted = json.dumps({"profile": "500-rum", "players": 2, "bots": [None, "club"], "start": True})
    status, body, media, _ = await server.answer("POST", "/api/tables", wanted)
    table = json.loads(body)["id"]
    assert (status, media, table[:6], len(table)) == (201, "application/json", "local-", 28)
    *_, disposition = await server.answer("GET", "/api/history.csv", "")
    assert disposition == 'attachment; filename="rum500-history.csv"'

    got: list[str] = []
    assert await server.connect(1, "none", got.append, lambda: None) == "table.unknown"
    assert await server.connect(2, table, got.append, lambda: None) == ""
    server.receive(2, json.dumps({"type": "join", "id": "j", "last": 0}))
    await comes_true(lambda: "sync" in {json.loads(text)["type"] for text in got})
    server.leave(2)
    server.receive(2, "{")

    code = "store.device_full"
    status, body, *_ = await server.answer("PUT", "/api/me", '{"name": "Nora"}')
    assert (status, json.loads(body)["code"]) == (503, "store.device_full")
    code = ""
    file = await server.export()
    before = dict(data.values)
    assert await server.replace(file[:-1]) == "store.foreign"
    assert data.values == before
    assert await server.replace(memoryview(file)) == ""
    again = BrowserServer(read, write, FAST)
    assert await again.open() == ("", 0)
    broken = True
    assert await again.connect(3, table, got.append, lambda: None) == "store.device"
    assert await BrowserServer(read, write, FAST).open() == ("store.device", 0)
    broken = False
    first = min(key for key in data.values if key.startswith(f"entry:{table}:"))
    data.values[first], entry = b"{", data.values[first]
    assert await again.connect(4, table, got.append, lambda: None) == "store.corrupt"
    data.values[first] = entry
    assert await again.connect(5, table, got.append, lambda: None) == ""
    data.values[f"table:{table}"] = b"{"
    assert await BrowserServer(read, write, FAST).open() == ("", 1)
    data.values["format"] = b"99"
    assert await BrowserServer(read, write, FAST).open() == ("store.newer", 0)
