"""A person without the old cookie asks the table for the seat: who may ask and answer, and who sees what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rum500.server import messages
from rum500.server.live.log.table_options import Guest
from rum500.server.live.turn import seat_requests
from rum500.server.live.turn.seat_requests import AWAY_S, OPEN_S, REFUSED_S
from tests.support.live import Person, Room, at_each_store, at_tables
from tests.support.live_days import by_days, state_of
from tests.support.live_deals import in_turn, play_deal
from tests.support.serving import Running, Socket
from tests.test_live_tables import code, done


class Lost:
    """Three people in a deal, of whom the one in turn has left and come back as the guest `new`."""

    def __init__(self, room: Room, people: list[Person], new: Person) -> None:
        self.room = room
        self.old, self.ben, self.cleo = people
        self.new = new
        self.seat = people[0].seat
        self.hand = sorted(people[0].own["hand"])

    @property
    def plate(self) -> messages.SeatPlate:
        """The seat as others see it."""
        return self.ben.shared["seats"][self.seat]

    async def ask(self, who: Person | None = None) -> Any:
        """Ask for the seat; return the answer."""
        return await (who or self.new).ask(messages.AskForSeat, seat=self.seat)

    async def answer(self, who: Person, *, yes: bool) -> Any:
        """Answer the request that is open; return the server's answer."""
        return await who.ask(messages.AnswerSeat, request=self.plate.asked_for, yes=yes)


async def lost(room: Room, **options: Any) -> Lost:
    """Return a table whose person to move has been away for long enough to be asked for."""
    people = await in_turn(room, "Ann", "Ben", "Cleo", leaver_s=0, private=True, target=2000, **options)
    hands = Lost(room, people, people[0])
    await people[0].leave()
    hands.new = await room.join(people[0].table.id, "Anna")
    await room.pass_time(AWAY_S)
    return hands


def request_of(person: Person) -> messages.SeatRequest | None:
    return person.own["seat_request"]


async def same_when_read(room: Room, person: Person) -> None:
    live, again = person.table.log.state, await state_of(room, person)
    for name in ("acted", "host"):
        assert getattr(again, name) == getattr(live, name), name
    for name in ("saw_hand", "lost_by", "request"):
        assert getattr(again.seats, name) == getattr(live.seats, name), name
    assert list(again.seats) == list(live.seats)


# --- the way back -----------------------------------------------------------------------------------


@at_each_store
async def test_one_yes_gives_seat_and_hand_to_the_asking_guest(room: Room):
    table = await lost(room)
    done(await table.ask())
    asked, shown = request_of(table.new), request_of(table.ben)
    assert asked is not None
    assert shown is not None
    assert (asked.mine, shown.mine, asked.seat, shown.seat) == (True, False, table.seat, table.seat)
    assert asked.words == shown.words == request_of(table.cleo).words  # type: ignore[union-attr]
    assert len(asked.words.split()) == 2
    answer = done(await table.answer(table.cleo, yes=True))
    assert [(event.kind, event.seat, event.name) for event in answer.events] == [("sat", table.seat, "Ann")]
    assert (table.new.seat, sorted(table.new.own["hand"])) == (table.seat, table.hand)
    assert [request_of(person) for person in (table.new, table.ben, table.cleo)] == [None] * 3
    assert table.plate.asked_for == 0
    await table.new.turn()
    await same_when_read(room, table.new)


@at_tables
async def test_before_the_yes_the_asking_guest_is_sent_no_hand(room: Room):
    table = await lost(room)
    done(await table.ask())
    await table.new.join()
    done(await table.answer(table.ben, yes=False))
    sent = b"".join(table.new.raw)
    assert b'"hand":[]' in sent
    assert b'"hand":["' not in sent
    assert b'"seat":%d,"hand"' % table.seat not in sent


@at_tables
async def test_one_no_ends_the_request_and_blocks_the_next_for_ten_minutes(room: Room):
    table = await lost(room)
    done(await table.ask())
    done(await table.answer(table.ben, yes=False))
    asked = request_of(table.new)
    assert asked is not None
    assert (asked.outcome, request_of(table.cleo), table.plate.asked_for) == ("refused", None, 0)
    assert code(await table.cleo.ask(messages.AnswerSeat, request=asked.number, yes=True)) == "seat.settled"
    await room.pass_time(REFUSED_S - 1)
    assert code(await table.ask()) == "seat.refused"
    await room.pass_time(1)
    done(await table.ask())


@at_tables
async def test_request_without_answer_ends_after_two_minutes_and_may_be_repeated(room: Room):
    table = await lost(room)
    done(await table.ask())
    await room.pass_time(OPEN_S - 1)
    assert request_of(table.ben) is not None
    await room.pass_time(1)
    asked = request_of(table.new)
    assert asked is not None
    assert (asked.outcome, request_of(table.ben)) == ("unanswered", None)
    done(await table.ask())
    done(await table.answer(table.ben, yes=True))
    assert table.new.seat == table.seat


@at_tables
async def test_asking_guest_may_stop(room: Room):
    table = await lost(room)
    done(await table.ask())
    done(await table.ben.ask(messages.StopAsking))  # only the guest who asks
    assert request_of(table.cleo) is not None
    done(await table.new.ask(messages.StopAsking))
    assert (request_of(table.cleo), request_of(table.new).outcome) == (None, "withdrawn")  # type: ignore[union-attr]


@at_each_store
async def test_request_outlives_a_restart_of_the_server(room: Room):
    table = await lost(room)
    done(await table.ask())
    words, number = request_of(table.new).words, table.plate.asked_for  # type: ignore[union-attr]
    room.clock.time -= 499  # the restart takes one of the 500 seconds that `crash` lets pass
    await room.crash()
    ben, new = [await room.join(table.ben.table.id, name) for name in ("Ben", "Anna")]
    for person in (ben, new):
        assert request_of(person).words == words  # type: ignore[union-attr]
    done(await ben.ask(messages.AnswerSeat, request=number, yes=True))
    assert (new.seat, sorted(new.own["hand"])) == (table.seat, table.hand)


@at_tables
async def test_old_device_that_returns_decides_alone(room: Room):
    table = await lost(room)
    done(await table.ask())
    await table.old.join()
    assert request_of(table.old).words == request_of(table.new).words  # type: ignore[union-attr]
    assert request_of(table.ben) is None
    assert code(await table.answer(table.ben, yes=True)) == "seat.own_device"
    done(await table.answer(table.old, yes=True))
    assert (table.new.seat, table.old.seat, table.old.own["hand"]) == (table.seat, None, [])
    assert table.old.own["lost_seat"] == table.seat


@at_tables
async def test_old_device_loses_that_seat_only_and_is_notified(room: Room):
    table = await lost(room)
    other = await room.table("Ann", start=True, bots=(None, "greedy"))
    done(await table.ask())
    done(await table.answer(table.ben, yes=True))
    await table.old.join()
    assert (table.old.seat, table.old.own["lost_seat"], table.new.seat) == (None, table.seat, table.seat)
    assert other.seat == 0
    assert table.new.own["lost_seat"] is None
    row = await room.store.table(table.ben.table.id)
    assert row is not None
    assert set(row.people) == {"anna", "ben", "cleo"}
    # Its person may have kept both devices, and can come back in the same way.
    await table.new.leave()
    await room.pass_time(AWAY_S)
    done(await table.ask(table.old))
    done(await table.answer(table.cleo, yes=True))
    assert (table.old.seat, table.old.own["lost_seat"]) == (table.seat, None)
    await same_when_read(room, table.old)


@at_tables
async def test_host_who_comes_back_as_another_guest_is_host_again(room: Room):
    people = await room.at_play(("Ann", "Ben"), private=True)
    await people[0].leave()
    new = await room.join(people[0].table.id, "Anna")
    await room.pass_time(AWAY_S)
    done(await new.ask(messages.AskForSeat, seat=people[0].seat))
    number = people[1].shared["seats"][people[0].seat].asked_for
    done(await people[1].ask(messages.AnswerSeat, request=number, yes=True))
    assert new.shared["host"] == new.seat


@at_tables
async def test_result_counts_for_the_guest_who_holds_the_seat_at_the_end(room: Room):
    table = await lost(room)
    done(await table.ask())
    done(await table.answer(table.ben, yes=True))
    people = [table.new, table.ben, table.cleo]
    await play_deal(people)
    for person in people:
        done(await person.ask(messages.Vote, on="abandon"))
    rows = {guest: await room.store.results.of_guest(guest) for guest in ("ann", "anna", "ben")}
    assert {guest: len(found) for guest, found in rows.items()} == {"ann": 0, "anna": 1, "ben": 1}
    replay = await room.tables.replay(table.ben.table.id, 1)
    assert replay is not None
    assert replay.names[table.seat] == "Ann"
    record = await room.tables.record(table.ben.table.id)
    assert record is not None
    assert "Ann" in record


@at_tables
async def test_by_a_clock_of_days_a_seat_is_asked_for_in_the_same_way(room: Room):
    first, second = await by_days(room, bank_s=0, target=2000, private=True)
    await first.leave()
    new = await room.join(first.table.id, "New")
    await room.pass_time(AWAY_S)
    done(await new.ask(messages.AskForSeat, seat=first.seat))
    number = second.shared["seats"][first.seat].asked_for
    done(await second.ask(messages.AnswerSeat, request=number, yes=True))
    assert new.seat == first.seat


# --- attacks ----------------------------------------------------------------------------------------


@at_tables
async def test_seat_of_a_person_who_is_there_is_refused(room: Room):
    ann, ben = await room.at_play(private=True)
    new = await room.join(ann.table.id, "Eve")
    assert ann.shared["seats"][ben.seat].ask_in_ms is None
    assert code(await new.ask(messages.AskForSeat, seat=ben.seat)) == "seat.here"
    await ben.leave()
    await room.pass_time(AWAY_S - 1)
    assert code(await new.ask(messages.AskForSeat, seat=ben.seat)) == "seat.here"
    assert code(await new.ask(messages.AskForSeat, seat=7)) == "table.no_seat"
    await room.pass_time(1)
    done(await new.ask(messages.AskForSeat, seat=ben.seat))


@at_tables
async def test_guests_without_a_seat_do_not_answer(room: Room):
    """Neither a second tab of the asking guest, nor another guest of the same browser."""
    table = await lost(room)
    done(await table.ask())
    second = await room.join(table.ben.table.id, "Second")
    assert request_of(second) is None
    for person in (table.new, second):
        assert code(await table.answer(person, yes=True)) == "table.not_seated"
    await table.new.join()
    assert code(await table.answer(table.new, yes=True)) == "table.not_seated"
    assert table.new.seat is None


@at_tables
async def test_one_request_at_a_time(room: Room):
    table = await lost(room)
    done(await table.ask())
    late = await room.join(table.ben.table.id, "Late")
    assert code(await table.ask(late)) == "seat.asking"
    old = table.plate.asked_for
    done(await table.new.ask(messages.StopAsking))
    done(await table.ask(late))
    # An answer to the earlier request says nothing about the later one.
    assert code(await table.ben.ask(messages.AnswerSeat, request=old, yes=True)) == "seat.settled"
    assert late.seat is None


@at_tables
async def test_refused_address_cannot_ask_again_as_another_guest(room: Room):
    table = await lost(room)
    for person in (table.new, second := Person(room, table.ben.table, Guest("eve", "Eve"))):
        person.connection = table.ben.table.connect(person.guest, person, "address 1")
        await person.do(messages.Join(id=room.new_id()))
    done(await table.ask())
    done(await table.answer(table.cleo, yes=False))
    assert code(await table.ask(second)) == "seat.refused"
    elsewhere = await room.join(table.ben.table.id, "Elsewhere")
    done(await table.ask(elsewhere))


@at_tables
async def test_nobody_asks_at_a_table_that_the_lobby_lists(room: Room):
    ann, ben = await room.at_play(private=False)
    await ben.leave()
    new = await room.join(ann.table.id, "Eve")
    await room.pass_time(AWAY_S)
    assert ann.shared["seats"][ben.seat].ask_in_ms is None
    assert code(await new.ask(messages.AskForSeat, seat=ben.seat)) == "seat.public"


@at_tables
async def test_bots_do_not_answer(room: Room):
    ann = await room.table(start=True, bots=(None, "greedy"), private=True)
    await room.deal([ann])
    await ann.leave()
    new = await room.join(ann.table.id, "Anna")
    await room.pass_time(86_400)
    assert new.shared["seats"][ann.seat].ask_in_ms is None
    assert code(await new.ask(messages.AskForSeat, seat=ann.seat)) == "seat.bots"
    assert code(await new.ask(messages.Sit)) == "table.begun"


@at_tables
async def test_external_bot_is_neither_asked_nor_asked_for(room: Room):
    ann = await room.table(players=3, private=True)
    ben = await room.join(ann.table.id, "Ben")
    done(await ben.ask(messages.Sit))
    token = await ann.table.make_bot_token("ann", 2, "Box")
    done(await ann.ask(messages.Start))
    await room.deal([ann, ben])
    seat = next(at for at, one in enumerate(ann.shared["seats"]) if one.external)
    box = ann.table.external_bot(f"Bearer {token}")
    assert box is not None
    bot = Person(room, ann.table, box)
    await bot.join()
    await ben.leave()
    new = await room.join(ann.table.id, "Eve")
    await room.pass_time(AWAY_S)
    assert code(await new.ask(messages.AskForSeat, seat=seat)) == "seat.here"
    done(await new.ask(messages.AskForSeat, seat=ben.seat))
    number = ann.shared["seats"][ben.seat].asked_for
    assert (request_of(bot), request_of(ann) is None) == (None, False)
    assert code(await bot.ask(messages.AnswerSeat, request=number, yes=True)) == "table.robot"


@at_tables
async def test_nobody_sees_two_hands_of_a_deal(room: Room):
    table = await lost(room)
    assert code(await table.ask(table.ben)) == "table.saw_hand"
    done(await table.ask())
    done(await table.answer(table.ben, yes=True))
    # The old device has seen this hand: it may not have another one in this deal.
    await table.cleo.leave()
    await table.old.join()
    await room.pass_time(AWAY_S)
    assert code(await table.old.ask(messages.AskForSeat, seat=table.cleo.seat)) == "table.saw_hand"


@at_tables
async def test_request_ends_with_the_match(room: Room):
    table = await lost(room)
    done(await table.ask())
    done(await table.ben.ask(messages.Resign))
    done(await table.cleo.ask(messages.Resign))
    assert table.ben.shared["status"] in ("over", "abandoned")
    assert (request_of(table.cleo), table.cleo.shared["seats"][0].asked_for) == (None, 0)


def test_asking_in_a_loop_is_limited_by_guest_and_by_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real server and its connections."""
    monkeypatch.setattr(seat_requests, "AWAY_S", 0.0)
    with (
        Running(tmp_path, limits=True) as server,
        server.guest("Ada") as ada,
        server.guest("Ben") as ben,
        server.guest("Ada") as new_device,
        server.guest("Eve") as eve,
    ):
        table = ada.table(private=True)
        with ben.join(table) as friend:
            friend.ask("sit")
            with ada.join(table) as talk:
                talk.ask("start")
            with new_device.join(table) as talk, eve.join(table) as stranger:
                seat = seat_away(friend)
                asked = talk.ask("ask_for_seat", seat=seat)
                number = asked["you"]["seat_request"]["number"]
                assert friend.ask("answer_seat", request=number, yes=False)["type"] == "update"
                codes = [stranger.ask("ask_for_seat", seat=seat)["reason"]["code"] for _ in range(4)]
                assert codes == ["seat.refused"] * 2 + ["limit.seat_requests"] * 2
                assert talk.ask("ask_for_seat", seat=seat)["reason"]["code"] == "limit.seat_requests"
                assert talk.ask("stop_asking")["type"] == "update"


def seat_away(friend: Socket) -> int:
    """Wait until a person is away; return the person's seat."""
    while True:
        seats = friend.hear().get("shared", {}).get("seats", [])
        away = [seat for seat, plate in enumerate(seats) if not plate.get("here", True)]
        if away:
            return away[0]
