"""Tables without a clock wait for people; what the others may request; the pace of bots."""

from __future__ import annotations

import pytest

from rum500.server import messages
from rum500.server.config_types import BOT_PAUSE_MS
from rum500.server.live.log.entries import from_stored
from rum500.server.live.turn.nudges import NUDGE_S
from rum500.server.live.turn.pace import TURN_S
from rum500.server.live.turn.substitutes import LONG_AWAY_S
from rum500.store import StoredEntry
from tests.support.live import Person, Room, at_tables
from tests.support.live_days import state_of
from tests.support.live_deals import clocked, in_turn
from tests.test_live_tables import code, done


def by_bots(person: Person) -> int:
    """How many plays bots have made at people's seats."""
    return sum(bool(event.for_person) for event in person.events)


@pytest.mark.parametrize("said_bye", [True, False], ids=["closed the page", "locked the phone"])
@at_tables
async def test_without_a_clock_no_bot_steps_in(room: Room, said_bye: bool):
    first, second = await in_turn(room, bot_pause_ms=0)
    await first.leave(said_bye=said_bye)
    await room.pass_time(600)
    assert (by_bots(second), second.may) == (0, [])
    plate = second.shared["seats"][first.seat]
    assert (plate.here, plate.gone, plate.bot_in_ms) == (False, said_bye, None)
    await room.pass_time(LONG_AWAY_S)
    assert by_bots(second) == 0
    await first.join()
    assert first.may


@at_tables
async def test_with_a_clock_the_bot_plays_when_the_time_is_up(room: Room):
    first, second = await clocked(room)
    await first.leave()
    await room.pass_time(79)
    assert by_bots(second) == 0
    await room.pass_time(2)
    assert by_bots(second) > 0 and second.may


@at_tables
async def test_a_locked_phone_is_away_for_minutes_where_bots_play_for_those_who_left(room: Room):
    first, second = await in_turn(room, leaver_s=60)
    await first.leave(said_bye=False)
    await room.pass_time(659)
    assert by_bots(second) == 0
    await room.pass_time(2)
    assert by_bots(second) > 0


@pytest.mark.parametrize("until_return", [False, True])
@at_tables
async def test_bot_by_vote_plays_one_turn_or_until_the_person_returns(room: Room, until_return: bool):
    on = "replace" if until_return else "stand_in"
    first, second = await in_turn(room, target=2000, bot_pause_ms=BOT_PAUSE_MS)
    await first.leave()
    assert code(await second.ask(messages.Vote, on=on)) == "table.vote"
    await room.pass_time(120)
    done(await second.ask(messages.Vote, on=on))
    await second.in_turn()
    assert by_bots(second) > 1
    assert second.shared["votes"] == {}
    await second.turn()
    await room.pass_time(20)
    assert bool(second.may) == until_return
    turns = 2 if until_return else 1
    await room.crash()
    again = await room.join(first.table.id, first.guest.name)
    listed = again.own["bot_turns"]
    assert [turn.deal for turn in listed] == [1] * turns
    for turn in listed:
        assert {event.seat for event in turn.events} == {again.seat}
        assert turn.events[0].kind in ("draw", "take") and turn.events[-1].kind == "discard"
        assert turn.events[0].card is not None or turn.events[0].kind == "take", "one's own drawn card"
    state = again.table.log.state
    player = state.player_of(again.guest.id)
    assert state.absences.count[player] == turns
    other = await room.join(first.table.id, second.guest.name)
    assert other.own["bot_turns"] == []
    while not again.may:
        await other.turn()
    await again.turn()
    assert again.own["bot_turns"] == []


@at_tables
async def test_person_who_returns_in_the_turn_plays_it_out(room: Room):
    first, second = await in_turn(room, bot_pause_ms=BOT_PAUSE_MS)
    await first.leave()
    await room.pass_time(120)
    done(await second.ask(messages.Vote, on="stand_in"))
    await room.pass_time(0.5)
    assert by_bots(second) == 1
    await first.join()
    assert first.may and first.table.log.state.absences.stand_in_for is None


@at_tables
async def test_who_asks_to_be_waited_for_is_replaced_only_after_days(room: Room):
    first, second = await in_turn(room)
    done(await first.ask(messages.WaitForMe))
    assert second.shared["seats"][first.seat].waited_for
    await first.leave()
    await room.pass_time(LONG_AWAY_S - 10)
    assert code(await second.ask(messages.Vote, on="stand_in")) == "table.vote"
    await room.pass_time(10)
    done(await second.ask(messages.Vote, on="stand_in"))
    assert by_bots(second) > 0
    await first.join()
    done(await first.ask(messages.WaitForMe, yes=False))
    assert not second.shared["seats"][first.seat].waited_for


@at_tables
async def test_absent_player_may_be_nudged_now_and_then(room: Room):
    first, second = await in_turn(room)
    sent: list[str] = []
    first.table._notices._notices.nudged = lambda _table, guest: sent.append(guest)
    seat = first.seat
    assert code(await second.ask(messages.Nudge, seat=seat)) == "table.nudge"
    await first.leave()
    assert second.shared["seats"][seat].nudge_in_ms.ms == 0
    done(await second.ask(messages.Nudge, seat=seat))
    assert sent == [first.guest.id]
    assert [(event.seat, event.name) for event in second.events if event.kind == "nudged"] == [
        (seat, second.guest.name)
    ]
    await room.pass_time(NUDGE_S - 1)
    assert code(await second.ask(messages.Nudge, seat=seat)) == "table.nudge"
    await room.pass_time(1)
    done(await second.ask(messages.Nudge, seat=seat))
    assert len(sent) == 2
    assert (await state_of(room, second)).absences == second.table.log.state.absences


def test_tables_of_before_keep_their_ways():
    data = b'{"options":{"profile":"500-rum"},"host":"a","secret":"00","rules":"","version":"1"}'
    options = from_stored(StoredEntry(1, 0, "created", data)).options  # type: ignore[attr-defined]
    found = (options.leaver_s, options.away_s, options.call_bot_s, options.speed)
    assert found == (60, 0, LONG_AWAY_S, None)


# --- the pace of bots --------------------------------------------------------------------------------


async def with_bots(room: Room, players: int, **options: object) -> Person:
    """A person whose turn it is, at a table of bots with the usual pauses."""
    room.dice.seed = 2  # a deal of more than two rounds
    bots = (None, *["greedy"] * (players - 1))
    pause = {"bot_pause_ms": BOT_PAUSE_MS}
    person = await room.table(start=True, bots=bots, players=players, target=5000, **pause | options)
    await room.deal([person])
    await person.in_turn()
    return person


async def round_s(room: Room, person: Person) -> float:
    """The seconds from the end of the person's turn to the next one."""
    await person.turn()
    began = room.clock.now()
    while not person.may and person.shared["waiting_for"] == "play":
        alarm = room.clock.next_alarm(began + 60)
        assert alarm is not None and alarm.call is not None
        alarm.call()
        await room.settle()
    return room.clock.now() - began


@pytest.mark.parametrize("speed", ["relaxed", "normal", "fast"])
@at_tables
async def test_turns_of_bots_take_the_time_of_the_speed(room: Room, speed):
    person = await with_bots(room, 8)
    assert person.shared["speed"] == "normal"
    done(await person.ask(messages.SetSpeed, speed=speed))
    assert person.shared["speed"] == speed
    took = await round_s(room, person)
    assert person.may and took == pytest.approx(7 * TURN_S[speed])
    assert speed != "fast" or took <= 3.5
    await room.crash()
    assert (await room.join(person.table.id, "Ann")).shared["speed"] == speed
    assert (await with_bots(room, 2)).shared["speed"] == speed, "the next table begins with it"
    assert (await with_bots(room, 2, host="Ben")).shared["speed"] == "normal"


@at_tables
async def test_skip_to_my_turn_is_for_one_round(room: Room):
    person = await with_bots(room, 8)
    await person.turn()
    await room.pass_time(0.1)
    done(await person.ask(messages.ToMyTurn))
    await room.pass_time(0.5)
    assert person.may and person.shared["speed"] == "normal"
    assert await round_s(room, person) > 5
    done(await person.ask(messages.SetSpeed, speed="at_once"))
    began, discards = room.clock.now(), len([event for event in person.events if event.kind == "discard"])
    while len([event for event in person.events if event.kind == "discard"]) == discards:
        done(await person.move())
    assert room.clock.now() == began
    assert person.may or person.shared["waiting_for"] == "next"


@at_tables
async def test_speed_is_for_one_person_among_bots(room: Room):
    ann, ben = await room.at_play()
    assert ann.shared["speed"] is None
    for kind, fields in ((messages.SetSpeed, {"speed": "fast"}), (messages.ToMyTurn, {})):
        assert code(await ann.ask(kind, **fields)) == "table.speed"
    watcher = await room.join((await with_bots(room, 2)).table.id, "Eve")
    assert code(await watcher.ask(messages.SetSpeed, speed="fast")) == "table.speed"
    assert ben.shared["speed"] is None
