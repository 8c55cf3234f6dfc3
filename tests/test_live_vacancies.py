"""Seats whose person does not return during a match: who may take them, when, and who sees what."""

from __future__ import annotations

from pathlib import Path

import pytest

from rum500.server import messages
from rum500.server.live.turn import vacancies
from rum500.server.live.turn.substitutes import LONG_AWAY_S
from rum500.server.live.turn.vacancies import ALONE_S, HANDED_S
from tests.support.live import Person, Room, at_tables
from tests.support.live_days import by_days, state_of
from tests.support.live_deals import in_turn
from tests.support.serving import Running
from tests.test_live_tables import code, done


async def alone(room: Room) -> Person:
    """A person in the middle of a deal with bots."""
    ann = await room.table(start=True, bots=(None, "greedy"), target=2000)
    await room.deal([ann])
    await ann.in_turn()
    return ann


async def same_when_read(room: Room, person: Person) -> None:
    live, again = person.table.log.state, await state_of(room, person)
    for name in ("seats", "acted", "host"):
        assert getattr(again, name) == getattr(live, name), name
    assert again.seats.saw_hand == live.seats.saw_hand


@at_tables
async def test_visitor_takes_the_seat_of_a_lone_player_who_lost_the_cookie(room: Room):
    ann = await alone(room)
    hand, asked = sorted(ann.own["hand"]), ann.shared["asked"]
    await ann.leave()
    new = await room.join(ann.table.id, "Anna")
    assert (new.seat, new.own["hand"]) == (None, [])
    assert code(await new.ask(messages.Sit)) == "table.begun"
    await room.pass_time(ALONE_S - 1)
    assert new.shared["seats"][ann.seat].vacant_in_ms.ms == ALONE_S * 1000
    assert code(await new.ask(messages.Sit, seat=ann.seat)) == "table.begun"
    await room.pass_time(1)
    answer = done(await new.ask(messages.Sit))
    assert [(event.kind, event.seat, event.name) for event in answer.events] == [("sat", ann.seat, "Anna")]
    assert (new.seat, sorted(new.own["hand"]), new.shared["asked"]) == (ann.seat, hand, asked)
    assert new.shared["host"] == new.seat
    await same_when_read(room, new)
    await room.crash()
    new = await room.join(ann.table.id, "Anna")
    assert (new.seat, sorted(new.own["hand"])) == (ann.seat, hand)
    await new.turn()
    row = await room.store.table(new.table.id)
    assert row is not None and set(row.people) == {"ann", "anna"}


@at_tables
async def test_former_player_who_comes_back_has_the_seat_again(room: Room):
    ann = await alone(room)
    await ann.leave()
    new = await room.join(ann.table.id, "Anna")
    await room.pass_time(ALONE_S)
    done(await new.ask(messages.Sit))
    await ann.join()
    assert (ann.seat, new.seat, new.own["hand"], ann.shared["host"]) == (0, None, [], 0)
    assert len(ann.own["hand"]) == ann.shared["hand_sizes"][0]
    assert code(await new.ask(messages.Sit)) == "table.begun"
    await same_when_read(room, ann)


@at_tables
async def test_a_player_hands_a_vacant_seat_to_who_asks_for_it(room: Room):
    first, second = await in_turn(room, leaver_s=0)
    hand = sorted(first.own["hand"])
    await first.leave()
    new, late = await room.join(first.table.id, "New"), await room.join(first.table.id, "Late")
    assert second.shared["seats"][first.seat].vacant_in_ms.ms == HANDED_S * 1000
    await room.pass_time(HANDED_S - 1)
    assert code(await new.ask(messages.Sit)) == "table.begun"
    await room.pass_time(1)
    done(await new.ask(messages.Sit, seat=first.seat))
    done(await late.ask(messages.Sit, seat=first.seat))
    assert (new.seat, second.shared["seats"][first.seat].asked_for_by) == (None, "New")
    for person, name in ((second, "Late"), (second, "Nobody")):
        refused = await person.ask(messages.HandOver, seat=first.seat, name=name)
        assert code(refused) == "table.not_asking"
    assert code(await new.ask(messages.HandOver, seat=first.seat, name="New")) == "table.not_seated"
    assert code(await second.ask(messages.HandOver, seat=second.seat, name="New")) == "table.not_asking"
    done(await second.ask(messages.HandOver, seat=first.seat, name="New"))
    assert (new.seat, sorted(new.own["hand"])) == (first.seat, hand)
    assert [seat.name for seat in late.shared["seats"]][first.seat] == "New"
    assert late.shared["seats"][first.seat].asked_for_by == ""
    done(await new.move())
    await same_when_read(room, new)


@at_tables
async def test_who_asks_and_leaves_or_whose_player_returns_gets_no_seat(room: Room):
    first, second = await in_turn(room, leaver_s=0)
    await first.leave()
    new = await room.join(first.table.id, "New")
    await room.pass_time(HANDED_S)
    done(await new.ask(messages.Sit))
    await new.leave()
    assert second.shared["seats"][first.seat].asked_for_by == ""
    await new.join()
    done(await new.ask(messages.Sit))
    assert second.shared["seats"][first.seat].asked_for_by == "New"
    await first.join()
    assert second.shared["seats"][first.seat].asked_for_by == ""
    assert code(await second.ask(messages.HandOver, seat=first.seat, name="New")) == "table.not_asking"


@at_tables
async def test_nobody_sees_two_hands_of_a_deal(room: Room):
    """Neither a player, nor who had another seat in it, nor who lent one to a bot."""
    first, second, third = await in_turn(room, "Ann", "Ben", "Cleo", leaver_s=0, target=2000)
    assert code(await second.ask(messages.Sit, seat=first.seat)) == "table.begun"
    await first.leave()
    new = await room.join(first.table.id, "New")
    await room.pass_time(HANDED_S)
    assert code(await second.ask(messages.Sit, seat=first.seat)) == "table.begun"
    done(await new.ask(messages.Sit))
    done(await second.ask(messages.HandOver, seat=first.seat, name="New"))
    await first.join()
    assert (first.seat is not None, new.seat) == (True, None)
    await third.leave()
    await room.pass_time(HANDED_S)
    assert code(await new.ask(messages.Sit, seat=third.seat)) == "table.saw_hand"
    await room.crash()
    people = [await room.join(first.table.id, name) for name in (first.guest.name, second.guest.name)]
    new = await room.join(first.table.id, "New")
    await room.pass_time(HANDED_S)
    assert code(await new.ask(messages.Sit, seat=third.seat)) == "table.saw_hand"
    # With the next deal it knows no hand any more.
    third = await room.join(first.table.id, third.guest.name)
    people.append(third)
    while people[0].shared["waiting_for"] == "play":
        await next(person for person in people if person.may).move()
    for person in people:
        await person.ask(messages.Next)
    await room.deal(people)
    await third.leave()
    await room.pass_time(HANDED_S)
    done(await new.ask(messages.Sit, seat=third.seat))


@at_tables
async def test_seats_kept_by_several_absent_people_are_vacant_after_days(room: Room):
    """Without clocks people may come once a day, each to find their own turn."""
    first, second = await in_turn(room)
    for person in (first, second):
        await person.leave()
    await room.pass_time(LONG_AWAY_S - 10)
    new = await room.join(first.table.id, "New")
    assert code(await new.ask(messages.Sit, seat=first.seat)) == "table.begun"
    await room.pass_time(10)
    done(await new.ask(messages.Sit, seat=first.seat))
    assert new.seat == first.seat


@at_tables
async def test_by_a_clock_of_days_a_seat_is_vacant_days_after_its_last_message(room: Room):
    first, second = await by_days(room, bank_s=0, target=2000)
    done(await first.move())
    await first.leave()
    new = await room.join(first.table.id, "New")
    for hours in (24, 24, 23):
        await room.pass_time(hours * 3600)
        while second.may:
            done(await second.move())
    assert code(await new.ask(messages.Sit, seat=first.seat)) == "table.begun"
    await room.pass_time(3600)
    done(await new.ask(messages.Sit, seat=first.seat))
    done(await second.ask(messages.HandOver, seat=first.seat, name="New"))
    assert new.seat == first.seat


@at_tables
async def test_the_hosts_bot_takes_a_vacant_seat_until_its_person_returns(room: Room):
    ann, ben = await room.at_play(leaver_s=0)
    await ben.leave()
    assert code(await ann.ask(messages.SeatBot, seat=ben.seat, level="greedy")) == "table.begun"
    await room.pass_time(HANDED_S)
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
async def test_seats_of_ended_matches_are_not_vacant(room: Room):
    ann = await alone(room)
    done(await ann.ask(messages.Resign))
    await ann.leave()
    new = await room.join(ann.table.id, "New")
    await room.pass_time(ALONE_S)
    assert code(await new.ask(messages.Sit)) == "table.begun"


def test_guest_without_the_old_cookie_plays_the_match_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real server and its connections; only the wait is shorter."""
    monkeypatch.setattr(vacancies, "ALONE_S", 0.0)
    with Running(tmp_path) as server, server.guest() as ada, server.guest() as anew:
        table = ada.table(start=True)
        with ada.join(table) as talk:
            assert talk.ask("ping")["type"] == "pong"
        with anew.join(table) as talk:
            refused = {"code": "table.begun"}
            while refused["code"] == "table.begun":  # until the server has seen the other connection end
                answer = talk.ask("sit")
                refused = answer.get("reason", {"code": ""})
            assert (answer["type"], answer["you"]["seat"]) == ("update", 0)
            assert talk.ask("vote", on="pause")["type"] == "update"
