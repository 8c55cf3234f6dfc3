"""Simultaneous events: restarts in every phase, people who join and leave during other events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import cycle, product
from typing import Any

import pytest

from rum500.rules.action_codes import encode
from rum500.rules.actions import LetGo
from rum500.server import messages
from rum500.server.live.log.table_options import Guest
from rum500.server.live.log.table_state import TableState
from rum500.server.live.table_registry import TOGETHER_S
from rum500.store import StoredEntry, StoreError
from tests.support.depth import depth
from tests.support.live import Later, Person, Room, at_tables, rig
from tests.support.live_deals import (
    claim_deal,
    clocked,
    four_claiming,
    in_turn,
    look,
    play_deal,
    undo_deal,
)
from tests.support.table import table as laid
from tests.support.waiting import other_tasks
from tests.test_live_absence import vote
from tests.test_live_tables import code, done, play_match

# --- a restart in every phase ----------------------------------------------------------------------


async def two(room: Room, **options: Any) -> list[Person]:
    """Two who have just begun."""
    people = await in_waiting_room(room, **options)
    await people[0].ask(messages.Start)
    return people


async def in_waiting_room(room: Room, **options: Any) -> list[Person]:
    ann = await room.table("Ann", **options)
    ben = await room.join(ann.table.id, "Ben")
    await ben.ask(messages.Sit)
    return [ann, ben]


async def in_seeds(room: Room) -> list[Person]:
    """One seed is given, the other is not: who comes back first is asked for it."""
    people = await two(room)
    await people[0].ask(messages.Seed, shuffle=1, value="ab" * 16, cut=300)
    await room.pass_time(TOGETHER_S)
    return people


async def in_draw(room: Room) -> list[Person]:
    """One has drawn."""
    people = await in_seeds(room)
    await people[1].ask(messages.Seed, shuffle=1, value="cd" * 16)
    one = next(person for person in people if person.seat == person.shared["actor"])
    await one.ask(messages.Pick, asked=one.shared["asked"], position=11)
    return people


async def in_cut(room: Room) -> list[Person]:
    people = await in_draw(room)
    while people[0].shared["waiting_for"] != "cut":
        shared = people[0].shared
        if shared["waiting_for"] == "shuffle":
            for person in people:
                await person.ask(messages.Seed, shuffle=shared["fairness"].shuffle, value="ef" * 16)
        else:
            one = next(person for person in people if person.seat == shared["actor"])
            await one.ask(messages.Pick, asked=shared["asked"], position=shared["positions"][0])
    return people


async def in_mid_turn(room: Room) -> list[Person]:
    people = await in_turn(room)
    await people[0].move()
    return people


async def in_claim(room: Room) -> list[Person]:
    """Cards as they fall, until somebody may call."""
    people = await room.at_play(("Ann", "Ben", "Cleo"), house_rules=["H6"], target=2000, claim_s=8)
    for _ in range(3000):
        if people[0].shared["waiting_for"] == "claim":
            return people
        await one_step(room, people)
    raise AssertionError("nobody may call")


async def in_next(room: Room) -> list[Person]:
    """The sheet lies there, one is ready."""
    people = await room.at_play(target=2000)
    await play_deal(people)
    await people[0].ask(messages.Next)
    return people


async def in_pause(room: Room) -> list[Person]:
    people = await in_mid_turn(room)
    await vote(*people, on="pause")
    return people


async def in_pause_of_the_draw(room: Room) -> list[Person]:
    people = await in_draw(room)
    await vote(*people, on="pause")
    return people


async def at_the_end(room: Room) -> list[Person]:
    people = await room.at_play()
    await people[0].ask(messages.Resign)
    return people


PHASES = [
    in_waiting_room, in_seeds, in_draw, in_cut, in_mid_turn, in_claim, in_next, in_pause,
    in_pause_of_the_draw, at_the_end,
]  # fmt: skip
ENDS = ("crash", "restart", "evicted")
_OF_NOW = {"clock", "claim", "seats", "watching"}
"""What goes by who is here and by the time."""


def known(person: Person) -> tuple[dict[str, Any], dict[str, Any]]:
    """What somebody knows of the table, but for who is here and what time it is."""
    return {name: value for name, value in person.shared.items() if name not in _OF_NOW}, person.own


async def go_on(room: Room, people: list[Person]) -> None:
    """Play until a deal is over, whatever is waited for; nothing may stand still."""
    ann = people[0]
    shared = ann.shared
    deals = len(shared["scores"])
    if shared["status"] == "open":
        await ann.ask(messages.Start)
    if shared["status"] == "paused":
        await vote(*people, on="resume")
    for _ in range(2000):
        if shared["waiting_for"] == "over" or len(shared["scores"]) > deals:
            return
        await one_step(room, people)
    raise AssertionError(f"the table stands still: {shared}")


async def one_step(room: Room, people: list[Person]) -> None:
    """Whatever is waited for."""
    waiting = people[0].shared["waiting_for"]
    if waiting == "next":
        for person in people:
            if person.shared["waiting_for"] == "next":
                await person.ask(messages.Next)
    elif waiting == "play":
        await next(person for person in people if person.may).move()
    elif waiting == "claim":
        for person in people:
            if "let_go" in person.may:
                await person.play(encode(LetGo()))
    else:
        await room.deal(people)


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("end", "phase"),
    depth([*zip(cycle(ENDS), PHASES)], [*product(ENDS, PHASES)]),
    ids=lambda it: getattr(it, "__name__", it),
)
@at_tables
async def test_table_is_the_same_after_a_restart_and_can_be_finished(
    room: Room, phase: Callable[[Room], Awaitable[list[Person]]], end: str
):
    people = await phase(room)
    before = [known(person) for person in people]
    table = people[0].table
    if end == "crash":
        await room.crash()
    elif end == "restart":
        await room.close()
        await room.open()
    else:
        room.tables._live.pop(table.id)
        room.tables._leave(table.id, table)
    back = [await room.join(table.id, person.guest.name) for person in reversed(people)][::-1]
    assert back[0].table is not table
    assert [known(person) for person in back] == before
    await go_on(room, back)
    again = TableState.fold(table.id, await room.store.entries(table.id))
    live = back[0].table.log.state
    assert (again.match is None) == (live.match is None)
    if again.match is not None and live.match is not None:
        assert again.match.view(None) == live.match.view(None)


@at_tables
async def test_cut_waits_while_all_are_away(room: Room):
    """Whoever comes back first finds what was waited for, and has the whole time for it."""
    people = await in_cut(room)
    cutter, other = sorted(people, key=lambda person: person.seat != person.shared["actor"])
    for person in people:
        await person.leave()
    await room.pass_time(40)
    assert cutter.table.log.state.waiting_for == "cut"
    await cutter.join()
    await room.pass_time(14)
    assert cutter.shared["waiting_for"] == "cut"
    done(await cutter.ask(messages.Pick, asked=cutter.shared["asked"], position=7))
    assert [event.position for event in cutter.events if event.kind == "cut"] == [7]
    assert other.table.log.state.waiting_for == "play"


@at_tables
async def test_absent_cutter_has_three_seconds(room: Room):
    people = await in_cut(room)
    cutter, other = sorted(people, key=lambda person: person.seat != person.shared["actor"])
    await cutter.leave()
    await room.pass_time(2)
    assert other.shared["waiting_for"] == "cut"
    await room.pass_time(2)
    assert other.shared["waiting_for"] == "play"


@at_tables
async def test_claim_window_restarts_after_all_were_away(room: Room):
    people = await four_claiming(room)
    done(await people[0].say("discard 9S"))
    for person in people:
        await person.leave()
    await room.pass_time(40)
    await people[2].join()
    assert people[2].shared["claim"].left_ms.ms == 8000
    assert "call" in people[2].may
    await room.pass_time(8)
    assert people[2].shared["claim"] is None


# --- rematch ----------------------------------------------------------------------------------------


async def at_end(room: Room, names: tuple[str, ...] = ("Ann", "Ben")) -> list[Person]:
    people = await room.at_play(names)
    await people[0].ask(messages.Resign)
    return people


@pytest.mark.parametrize("step", ["create_table", "append"])
@at_tables
async def test_a_rematch_is_made_once_though_a_step_of_it_failed(
    room: Room, monkeypatch: pytest.MonkeyPatch, step: str
):
    ann, ben = await at_end(room)
    real, failed = getattr(room.store, step), [0]

    async def broken(of: Any, entries: Any, **fields: Any) -> None:
        if not failed[0] and any(entry.kind in ("created", "rematch") for entry in entries):
            failed[0] += 1
            raise StoreError("store.full", "no room")
        await real(of, entries, **fields)

    monkeypatch.setattr(room.store, step, broken)
    await vote(ann, on="rematch")
    assert code(await ben.ask(messages.Vote, on="rematch")) == "store.full"
    assert ann.shared["rematch"] is None
    await room.pass_time(5)
    done(await ben.ask(messages.Vote, on="rematch"))
    assert ann.shared["rematch"] == ben.shared["rematch"] is not None
    assert failed == [1]
    assert {row.id for row in await room.store.tables()} == {ann.table.id, ann.shared["rematch"]}


@at_tables
async def test_player_who_leaves_during_a_rematch_keeps_the_seat(room: Room, monkeypatch: pytest.MonkeyPatch):
    ann, ben = await at_end(room)
    create, gate = room.store.create_table, asyncio.Event()

    async def slow(row: Any, entries: Any) -> None:
        await gate.wait()
        await create(row, entries)

    monkeypatch.setattr(room.store, "create_table", slow)
    await vote(ann, on="rematch")
    ben.table.receive(ben.connection, messages.Vote(id="yes", on="rematch"))
    for _ in range(5):
        await other_tasks()
    ann.table.disconnect(ann.connection)
    ben.table.receive(ben.connection, messages.Vote(id="no", on="rematch", yes=False))
    gate.set()
    await room.settle()
    assert ben.shared["rematch"] is not None
    again = await room.join(ben.shared["rematch"], "Ann")
    assert [seat.name for seat in again.shared["seats"]] == ["Ann", "Ben"]
    assert ben.refusals == {"no": "table.vote"}


@at_tables
async def test_rematch_has_free_seats_for_players_who_left(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cleo"), target=30)
    await play_match(room, people)
    ann, ben, cleo = people
    await cleo.leave()
    await vote(ann, ben, on="rematch")
    again = await room.join(ann.shared["rematch"], "Ben")
    assert [seat.name for seat in again.shared["seats"]] == ["Ann", "Ben", ""]
    assert (again.shared["status"], again.shared["host"]) == ("open", 0)
    late = await room.join(ann.shared["rematch"], "Cleo")
    done(await late.ask(messages.Sit))
    assert late.seat == 2


# --- bots and leavers -------------------------------------------------------------------------------


@at_tables
async def test_leaver_who_returns_while_the_bot_thinks_plays(room: Room):
    first, second = await in_turn(room, leaver_s=60)
    thoughts = Later()
    first.table._bots._executor = thoughts
    await first.leave()
    await room.pass_time(61)
    assert len(thoughts.waiting) == 1
    await first.join()
    thoughts.deliver()
    await room.settle()
    assert first.may
    await first.leave()
    assert second.shared["seats"][first.seat].bot_in_ms.ms == 60_000, "the time begins again"
    await room.pass_time(61)
    assert first.table.log.state.number > first.number, (
        "what the bot thought still holds for the same question"
    )


@at_tables
async def test_late_choice_of_a_bot_is_dropped(room: Room):
    ann = await room.table(start=True, players=3)
    await room.deal([ann])
    await ann.in_turn()
    thoughts = Later()
    ann.table._bots._executor = thoughts
    await ann.turn()
    assert len(thoughts.waiting) == 1
    done(await ann.ask(messages.Resign))
    number, late = ann.table.log.state.number, thoughts.waiting.pop(0)
    late[1](late[0]())
    await room.settle()
    assert ann.table.log.state.number == number
    thoughts.deliver()
    await room.settle()
    assert ann.table.log.state.number > number, "the bots that are left play on while somebody looks on"


@at_tables
async def test_player_after_a_timeout_can_neither_play_nor_undo(room: Room):
    """Else the turn could be held for ever: the bot takes, the person takes it back."""
    people = first, second = await in_turn(room, turn_s=20, bank_s=0, bot_pause_ms=700)
    rig(first.table, undo_deal() if first.seat == 0 else mirrored())
    await look(*people)
    done(await first.say("take QS"))
    assert first.own["undo"] == 1
    await room.pass_time(20.1)
    assert (first.may, first.own["undo"]) == ([], 0)
    asked = first.shared["asked"]
    assert code(await first.ask(messages.Undo, asked=asked)) == "table.turn"
    assert code(await first.say("meld QS QH QD")) == "table.turn"
    await room.pass_time(10)
    assert second.may


def mirrored() -> Any:
    """`undo_deal` with the other seat at turn."""
    hands = ["3D 4D 9C JH 5C", "6S 7S 8S QD 2C KC"]
    return laid("500-rum", hands, pile="QS QH AC", stock="2H 3H 4H", turn=1)


# --- undo, resigning --------------------------------------------------------------------------------


@at_tables
async def test_undo_and_the_next_play_while_a_commit_is_under_way(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    """What is asked for meanwhile waits, and is judged by what the table is then."""
    ann, ben = await room.at_play()
    first, second = (ann, ben) if ann.seat == 0 else (ben, ann)
    rig(ann.table, undo_deal())
    await look(ann, ben)
    append, gate = room.store.append, asyncio.Event()

    async def slow(table: str, new: list[StoredEntry], **fields: Any) -> None:
        await gate.wait()
        await append(table, new, **fields)

    monkeypatch.setattr(room.store, "append", slow)
    asked, heard = first.shared["asked"], len(second.got)
    take = messages.Say(id="take", asked=asked, text="take QS")
    first.table.receive(first.connection, take)
    await other_tasks()
    first.table.receive(first.connection, messages.Undo(id="undo", asked=asked))
    first.table.receive(first.connection, take)
    first.table.receive(first.connection, messages.Say(id="again", asked=asked, text="draw"))
    for _ in range(5):
        await other_tasks()
    assert len(second.got) == heard, "nobody hears of what is not committed"
    gate.set()
    await room.settle()
    assert first.refusals == {"undo": "table.stale", "again": "table.stale"}
    assert (first.shared["must_use"], first.own["undo"]) == ("QS", 1)
    kinds = [entry.kind for entry in await room.store.entries(ann.table.id)]
    assert kinds[-1] == "play"
    done(await first.ask(messages.Undo, asked=first.shared["asked"]))


@at_tables
async def test_one_of_four_resigns_while_others_may_call(room: Room):
    """The deal is void, and with it the window: nobody can call for a card that is no more."""
    ann, ben, cleo, dan = await four_claiming(room)
    done(await ann.say("discard 9S"))
    asked = dan.shared["asked"]
    done(await ben.play(encode(LetGo())))
    done(await cleo.ask(messages.Resign))
    left = [ann, ben, dan]
    assert (dan.shared["claim"], dan.may, dan.shared["waiting_for"]) == (None, [], "shuffle")
    late = await dan.ask(messages.Play, asked=asked, play=str(dan.table.log.state.asked))
    assert code(late) == "table.stale"
    await room.pass_time(3)
    await room.deal(left)
    assert sorted(person.shared["hand_sizes"] for person in left) == [[7, 7, 7]] * 3
    assert ann.table.log.state.claims.let_go == set()


@at_tables
async def test_discarder_resigns_in_a_claim_window(room: Room):
    people = await room.at_play(house_rules=["H6"])
    by_seat = sorted(people, key=lambda person: person.seat)
    rig(people[0].table, claim_deal(players=2))
    await look(*people)
    done(await by_seat[0].say("discard 9S"))
    assert "call" in by_seat[1].may
    done(await by_seat[0].ask(messages.Resign))
    assert (by_seat[1].shared["result"].winners, by_seat[1].shared["claim"]) == ([1], None)
    await room.pass_time(20)
    assert by_seat[1].shared["status"] == "over"


@at_tables
async def test_claim_window_is_suspended_in_a_pause(room: Room):
    ann, ben, cleo, dan = await four_claiming(room)
    done(await ann.say("discard 9S"))
    await room.pass_time(6)
    await vote(ann, ben, cleo, dan, on="pause")
    assert (ann.shared["status"], ben.may) == ("paused", [])
    await room.pass_time(100)
    assert code(await ben.play(encode(LetGo()))) == "table.paused"
    await vote(ann, ben, cleo, dan, on="resume")
    assert "call" in ben.may
    await room.pass_time(7.9)
    assert "call" in ben.may
    await room.pass_time(0.2)
    assert ben.shared["claim"] is None


@at_tables
async def test_one_resigns_when_the_sheet_lies_there_and_the_others_go_on(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cleo"), target=2000)
    await play_deal(people)
    ann, ben, cleo = people
    await ann.ask(messages.Next)
    done(await cleo.ask(messages.Resign))
    assert [seat.ready for seat in ann.shared["seats"]] == [False, False]
    await room.deal([ann, ben])
    assert ann.shared["hand_sizes"] == [13, 13]


@at_tables
async def test_closing_an_older_window_late_keeps_the_guest_present(room: Room):
    """The new window's join and the old one's end cross: nobody becomes a leaver by it."""
    first, second = await clocked(room)
    older = first.connection
    first.connect()
    first.table.receive(first.connection, messages.Join(id="new"))
    first.table.disconnect(older)
    await room.settle()
    assert second.shared["seats"][first.seat].here
    assert first.table._attendance.away == {}


@at_tables
async def test_a_rename_crosses_an_arrival(room: Room):
    ann, ben = await room.at_play()
    room.tables.renamed(Guest("ben", "Benno"))
    ben.connect()
    ben.table.receive(ben.connection, messages.Join(id="back"))
    await room.settle()
    assert {seat.name for seat in ann.shared["seats"]} == {"Ann", "Ben"}, "what came last holds"
