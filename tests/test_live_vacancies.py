"""Seats whose person does not return during a match: when the host gives them to a bot."""

from __future__ import annotations

from rum500.server import messages
from rum500.server.live.turn.substitutes import LONG_AWAY_S
from rum500.server.live.turn.vacancies import VACANT_S
from tests.support.live import Person, Room, at_tables
from tests.support.live_days import by_days, state_of
from tests.test_live_tables import code, done


async def same_when_read(room: Room, person: Person) -> None:
    live, again = person.table.log.state, await state_of(room, person)
    for name in ("seats", "acted", "host"):
        assert getattr(again, name) == getattr(live, name), name
    assert again.seats.saw_hand == live.seats.saw_hand


@at_tables
async def test_the_hosts_bot_takes_a_vacant_seat_until_its_person_returns(room: Room):
    ann, ben = await room.at_play(leaver_s=0)
    await ben.leave()
    assert code(await ann.ask(messages.SeatBot, seat=ben.seat, level="greedy")) == "table.begun"
    await room.pass_time(VACANT_S)
    watcher = await room.join(ann.table.id, "Wim")
    assert code(await watcher.ask(messages.SeatBot, seat=ben.seat, level="greedy")) == "table.host"
    done(await ann.ask(messages.SeatBot, seat=ben.seat, level="greedy"))
    assert ann.shared["seats"][ben.seat].kind == "bot"
    await ann.turn()
    await room.pass_time(1)
    assert ann.may or ann.shared["waiting_for"] != "play"
    await ben.join()
    assert (ben.seat, ann.shared["seats"][ben.seat].kind) == (1 - ann.seat, "person")
    await same_when_read(room, ann)


@at_tables
async def test_by_a_clock_of_days_a_seat_is_vacant_days_after_its_last_message(room: Room):
    people = await by_days(room, bank_s=0, target=2000)
    host, other = sorted(people, key=lambda person: person.seat != person.shared["host"])
    while not other.may:
        done(await host.move())
    done(await other.move())
    await other.leave()
    for hours in (24, 24, 23):
        await room.pass_time(hours * 3600)
        while host.may:
            done(await host.move())
    wanted = {"seat": other.seat, "level": "greedy"}
    assert code(await host.ask(messages.SeatBot, **wanted)) == "table.begun"
    await room.pass_time(LONG_AWAY_S - 71 * 3600)
    done(await host.ask(messages.SeatBot, **wanted))
