"""When something cannot be stored or fails: a clear refusal, nothing false is sent, nothing is lost."""

from __future__ import annotations

import asyncio
import sqlite3
from importlib.metadata import version
from typing import Any

import msgspec
import pytest

from rum500.cards import cards_from_text
from rum500.record import Record, digest
from rum500.rules.action_codes import encode
from rum500.rules.actions import Discard
from rum500.rules.profiles import ruleset
from rum500.server import messages
from rum500.server.live.log import entries as log
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.table_options import Guest
from rum500.server.live.log.table_state import TableState
from rum500.server.live.table import BACK_OFF_S, MOST_WAITING
from rum500.state import IllegalPlay
from rum500.store import StoredEntry, StoreError
from tests.support.live import Room, at_tables
from tests.support.live_deals import in_turn
from tests.support.waiting import other_tasks
from tests.test_live_tables import code, done


def failing(room: Room, monkeypatch: pytest.MonkeyPatch, error: Exception, times: int = 1) -> list[int]:
    """The next appends fail; the list says how many have."""
    append, failed = room.store.append, [0]

    async def broken(table: str, new: Any, **fields: Any) -> None:
        if failed[0] < times:
            failed[0] += 1
            raise error
        await append(table, new, **fields)

    monkeypatch.setattr(room.store, "append", broken)
    return failed


@at_tables
async def test_full_disk_refuses_the_move_and_sends_no_update(room: Room, monkeypatch: pytest.MonkeyPatch):
    first, second = await in_turn(room)
    failing(room, monkeypatch, StoreError("store.full", "no room"))
    before = dict(first.shared), dict(first.own), len(second.got)
    draw = first.own["plays"]["draw"]
    assert code(await first.play(draw)) == "store.full"
    assert (first.shared, first.own, len(second.got)) == before
    assert first.table.log.state.number == first.number
    done(await first.play(draw))
    assert [event.kind for event in second.events][-1] == "draw"
    again = TableState.fold(first.table.id, await room.store.entries(first.table.id))
    assert again.match is not None
    assert again.match.view(0) == first.table.log.state.match.view(0)


@at_tables
async def test_entries_of_another_writer_are_read_after_a_conflict(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    """The log is the truth: after a conflict the table is what the log says, and the move is refused."""
    first, _ = await in_turn(room)
    state = first.table.log.state
    entry = log.to_stored(state.number + 1, 0, log.ChatEntry(None, "Eve", "hello"), None, None)
    await room.store.append(first.table.id, [entry])
    draw = first.own["plays"]["draw"]
    assert code(await first.play(draw)) == "store.conflict"
    assert first.table.log.state.chat[-1].text == "hello"
    done(await first.play(draw))


@at_tables
async def test_bots_try_again_after_a_while(room: Room, monkeypatch: pytest.MonkeyPatch):
    ann = await room.table(start=True, players=2)
    await room.deal([ann])
    while ann.may:
        if "discard" in ann.may:
            failed = failing(room, monkeypatch, StoreError("store.readonly", "not writable"), times=3)
            card = next(iter(ann.own["discards"].values()))
            assert code(await ann.play(card)) == "store.readonly"
            break
        await ann.move()
    assert failed == [1]
    await room.pass_time(1)
    assert failed == [1]
    await room.pass_time(3)
    assert code(await ann.play(card)) == "store.readonly"
    await room.pass_time(3)
    assert code(await ann.play(card)) == "store.readonly"
    done(await ann.play(card))
    await room.pass_time(10)
    assert ann.may


@at_tables
async def test_a_fault_of_ours_ends_no_table(room: Room, monkeypatch: pytest.MonkeyPatch):
    first, second = await in_turn(room)

    def broken(code: int, **_: object) -> None:
        raise RuntimeError("the hand was 5H 6H")

    with monkeypatch.context() as patched:
        patched.setattr(first.table.log, "append_play", broken)
        assert code(await first.play(first.own["plays"]["draw"])) == "table.failed"
    done(await first.play(first.own["plays"]["draw"]))
    assert second.number == first.number


@at_tables
async def test_entry_that_cannot_be_applied_is_neither_sent_nor_stored(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    """Nor are those that the same request appended before it."""
    first, second = await in_turn(room)
    table, sent = first.table, len(second.got)
    stored = await room.store.entries(table.id)
    apply, seen = TableState.apply, list[str]()

    def broken(state: TableState, entry: StoredEntry, line: log.LogEntry) -> None:
        apply(state, entry, line)
        if isinstance(line, log.Played):
            raise IllegalPlay(refused_play)
        seen.append(line.kind)

    def with_chat(code: int, **more: Any) -> None:
        table.log.append(log.ChatEntry(None, "Eve", "hello"))
        append_play(code, **more)

    append_play = table.log.append_play
    match = table.log.state.match
    assert match is not None and match.state is not None
    refused_play = match.state.why_not(encode(Discard(card=0)))
    assert refused_play is not None
    with monkeypatch.context() as patched:
        patched.setattr(TableState, "apply", broken)
        patched.setattr(table.log, "append_play", with_chat)
        assert code(await first.play(first.own["plays"]["draw"])) == "table.failed"
    assert seen[0] == "chat"
    assert (len(second.got), await room.store.entries(table.id)) == (sent, stored)
    assert not table.log.broken
    done(await first.play(first.own["plays"]["draw"]))
    assert second.number == first.number


@at_tables
async def test_viewer_of_an_interrupted_update_reconnects_and_gets_the_whole_table(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    first, second = await in_turn(room)
    tried = []

    def broken(*_: object) -> None:
        tried.append(room.clock.now())
        raise RuntimeError("the hand was 5H 6H")

    with monkeypatch.context() as patched:
        patched.setattr(first.table._broadcaster, "_events_after", broken)
        draw = messages.Play(id="draw", asked=first.shared["asked"], play=first.own["plays"]["draw"])
        first.table.receive(first.connection, draw)
        await room.settle()
        await room.pass_time(BACK_OFF_S / 2)
        assert len(tried) == 1, "it waits before it tries again"
    assert (first.closed, second.closed) == ("restart", "restart")
    for person in (first, second):
        person.table.disconnect(person.connection)
        await person.join(person.number)
    assert done(await first.do(draw)).number == first.number
    assert [event.kind for event in second.events][-1] == "draw"
    await first.move()
    assert second.number == first.number


@at_tables
async def test_a_table_that_cannot_be_read_refuses_until_it_can(room: Room, monkeypatch: pytest.MonkeyPatch):
    first, second = await in_turn(room)
    failing(room, monkeypatch, StoreError("store.failed", "input/output error"))
    entries = room.store.entries

    async def unreadable(table: str, after: int = 0) -> list[StoredEntry]:
        raise StoreError("store.failed", "input/output error")

    monkeypatch.setattr(room.store, "entries", unreadable)
    draw = first.own["plays"]["draw"]
    heard = len(second.got)
    assert code(await first.play(draw)) == "store.failed"
    assert code(await first.play(draw)) == "store.failed"
    assert len(second.got) == heard
    monkeypatch.setattr(room.store, "entries", entries)
    done(await first.play(draw))
    assert second.number == first.number


@at_tables
async def test_too_many_requests_at_once_are_refused(room: Room):
    first, _ = await in_turn(room)
    for number in range(MOST_WAITING + 20):
        first.table.receive(first.connection, messages.Vote(id=f"v{number}", on="pause", yes=False))
    await room.settle()
    assert {*first.refusals.values()} == {"table.busy"}
    assert len(first.refusals) in range(15, 21)


@at_tables
async def test_goodbye_is_said_and_everything_is_kept(room: Room):
    first, second = await in_turn(room)
    for number in range(20):
        first.table.receive(first.connection, messages.Chat(id=f"c{number}", text=f"line {number}"))
    await room.close()
    assert (first.closed, second.closed) == ("restart", "restart")
    await room.open()
    back = await room.join(first.table.id, "Ann")
    sync = next(message for message in back.got if isinstance(message, messages.Sync))
    assert [line.text for line in sync.chat] == [f"line {number}" for number in range(20)]


@at_tables
async def test_unused_tables_leave_memory_and_are_loaded_again(room: Room):
    ann = await room.table(players=3)
    same = await asyncio.gather(*(room.tables.get(ann.table.id) for _ in range(5)))
    assert all(table is ann.table for table in same)
    await ann.leave()
    await room.pass_time(200)
    assert len(room.tables) == 0
    loaded = await asyncio.gather(*(room.tables.get(ann.table.id) for _ in range(5)))
    assert all(table is loaded[0] for table in loaded)
    assert len(room.tables) == 1
    assert await room.tables.get("nowhere") is None
    back = await room.join(ann.table.id, "Ann")
    assert (back.seat, back.shared["host"]) == (0, 0)


@at_tables
async def test_a_table_that_was_just_asked_for_stays_until_its_visitor_joins(room: Room):
    ann = await room.table()
    await ann.leave()
    await room.pass_time(58)
    assert await room.tables.get(ann.table.id) is ann.table
    await room.pass_time(30)
    assert (await ann.join()).number == ann.table.log.state.number


@at_tables
async def test_a_new_name_wakes_no_other_table(room: Room):
    ann, ben = await room.table("Ann"), await room.table("Ben")
    await ben.leave()
    await room.pass_time(50)
    room.tables.renamed(Guest("ann", "Anna"))
    await room.pass_time(50)
    assert len(room.tables) == 1
    assert ann.shared["seats"][0].name == "Anna"


def test_damaged_log_has_an_error_of_its_kind():
    entry = StoredEntry(1, 0, "sat", b'{"player":0,"guest":"a","name":"A"}')
    with pytest.raises(LogError, match="entry 1 is missing"):
        TableState.fold("x", [StoredEntry(2, 0, "sat", b"{}")])
    with pytest.raises(LogError, match="unknown kind"):
        TableState.fold("x", [StoredEntry(1, 0, "sung", b"{}")])
    with pytest.raises(LogError, match="entry 1"):
        TableState.fold("x", [StoredEntry(1, 0, "sat", b"{")])
    assert isinstance(log.from_stored(entry), log.Sat)


# --- a log of other rules ---------------------------------------------------------------------------


async def tampered(room: Room, table: str, number: int, **fields: Any) -> list[StoredEntry]:
    """The table's log with other values in one line, also in the store."""
    entries = await room.store.entries(table)
    entry = entries[number - 1]
    data = msgspec.json.encode(msgspec.json.decode(entry.data) | fields)
    await room.tables.close()
    await room.store.close()
    with sqlite3.connect(room.folder) as database:
        where = (data, table, number)
        database.execute("UPDATE entries SET data = ? WHERE table_id = ? AND number = ?", where)
        database.execute("UPDATE entries SET checksum = NULL")
    database.close()
    await room.open()
    return await room.store.entries(table)


@at_tables
async def test_a_table_of_other_rules_is_not_played_on(room: Room):
    """A profile that has changed since would deal and count differently: better no table than another one."""
    ann = await room.table(start=True)
    await room.deal([ann])
    made = log.from_stored((await room.store.entries(ann.table.id))[0])
    assert isinstance(made, log.Created)
    assert (made.rules, made.version) == (Record(ruleset("500-rum"), 2).digest, version("rum500"))
    entries = await tampered(room, ann.table.id, 1, rules="0123456789abcdef", version="0.0.1")
    said = "under other rules of 500-rum .digest 0123456789abcdef.*rum500 0.0.1 made it and can play it on"
    for ask in (room.tables.get, room.tables.record, lambda table: room.tables.replay(table, 1)):
        with pytest.raises(LogError, match=said):
            await ask(ann.table.id)
    assert await room.store.entries(ann.table.id) == entries, "nothing was written to it"
    ben = await room.table("Ben")
    assert ben.seat == 0, "other tables do not suffer"


@at_tables
async def test_a_table_with_a_flipped_byte_in_its_log_is_refused_and_others_go_on(room: Room):
    ann, ben = await room.table("Ann"), await room.table("Ben")
    done(await ann.ask(messages.Chat, text="a line of chat"))
    number = ann.number
    await room.close()
    file = room.folder
    content = file.read_bytes()
    assert content.count(b"a line of chat") == 1
    file.write_bytes(content.replace(b"a line of chat", b"a line of chap"))
    await room.open()
    with pytest.raises(LogError, match=f"entry {number} is not what was written.*restore a backup"):
        await room.tables.get(ann.table.id)
    back = await room.join(ben.table.id, "Ben")
    done(await back.ask(messages.Chat, text="on we go"))
    assert (await room.store.check()).problems == [
        f"table {ann.table.id}: entry {number} is not what was written"
    ]


@pytest.mark.parametrize("options", [{"target": 600}, {"house_rules": ["H5"]}], ids=str)
@at_tables
async def test_options_that_make_other_rules_have_another_digest(room: Room, options: dict[str, Any]):
    plain, other = await room.table(), await room.table("Ben", **options)
    digests = {digest(person.table.log.state.rules) for person in (plain, other)}
    assert len(digests) == 2
    await room.crash()
    assert (await room.join(other.table.id, "Ben")).seat == 0


@at_tables
async def test_a_game_that_there_is_no_longer(room: Room):
    ann = await room.table()
    options = {"profile": "rum-of-yore", "players": 2}
    await tampered(room, ann.table.id, 1, options=options)
    with pytest.raises(LogError, match=r"entry 1 \(created\).*TableError"):
        await room.tables.get(ann.table.id)


@at_tables
async def test_a_play_that_does_not_follow_is_named_by_its_number_and_not_by_its_cards(room: Room):
    ann = await room.table(start=True)
    await room.deal([ann])
    await ann.in_turn()
    await ann.move()
    entries = await room.store.entries(ann.table.id)
    last = next(entry for entry in reversed(entries) if entry.kind == "play")
    ace = cards_from_text("AS")[0]
    await tampered(room, ann.table.id, last.number, code=encode(Discard(ace)))
    with pytest.raises(LogError, match=rf"entry {last.number} \(play\).*IllegalPlay$"):
        await room.tables.get(ann.table.id)


@at_tables
async def test_a_table_that_is_asked_for_while_the_server_ends_is_no_unknown_one(room: Room):
    ann = await room.table()
    await ann.leave()
    await room.pass_time(200)
    loading = asyncio.create_task(room.tables.get(ann.table.id))
    await other_tasks()
    await room.tables.close()
    for asked in (loading, room.tables.get(ann.table.id)):
        with pytest.raises(StoreError) as caught:
            await asked
        assert caught.value.code == "store.closed"
