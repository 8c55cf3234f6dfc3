"""Live tables: seats, starting, whole matches, and what is refused."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from rum500 import Record
from rum500.match import problems_of_match
from rum500.rules.profiles import profile_names, ruleset
from rum500.server import messages
from rum500.server.live.log.table_options import Guest
from rum500.server.live.log.table_state import TableState
from rum500.server.messages.options import TableOptions
from rum500.server.messages.table_error import TableError
from tests.support.live import Person, Room, at_each_store, fields_of
from tests.support.live_deals import in_turn
from tests.support.waiting import other_tasks


def code(answer: object) -> str:
    """The code of a refusal."""
    assert isinstance(answer, messages.Refused), answer
    return answer.reason.code


def done(answer: object) -> messages.Update:
    assert isinstance(answer, messages.Update), answer
    return answer


# --- before the match ------------------------------------------------------------------------------


@at_each_store
async def test_maker_has_a_seat_and_others_take_free_ones(room: Room):
    ann = await room.table(players=3, bots=("random", None, None))
    assert [(seat.kind, seat.name, seat.here) for seat in ann.shared["seats"]] == [
        ("bot", "Ada", True),
        ("person", "Ann", True),
        ("empty", "", False),
    ]
    assert (ann.seat, ann.shared["host"], ann.shared["status"], ann.shared["waiting_for"]) == (
        1,
        1,
        "open",
        "seats",
    )
    ben = await room.join(ann.table.id, "Ben")
    assert (ben.seat, ann.shared["watching"]) == (None, 1)
    assert code(await ben.ask(messages.Sit, seat=0)) == "table.seat_taken"
    assert code(await ben.ask(messages.Sit, seat=5)) == "table.no_seat"
    answer = done(await ben.ask(messages.Sit))
    assert [(event.kind, event.seat, event.name) for event in answer.events] == [("sat", 2, "Ben")]
    assert (ben.seat, ann.shared["watching"]) == (2, 0)
    cleo = await room.join(ann.table.id, "Cleo")
    assert code(await cleo.ask(messages.Sit)) == "table.full"


@at_each_store
async def test_one_moves_to_another_seat_and_the_host_hands_over_by_leaving(room: Room):
    ann = await room.table(players=4)
    ben = await room.join(ann.table.id, "Ben")
    await ben.ask(messages.Sit, seat=3)
    done(await ben.ask(messages.Sit, seat=1))
    assert [seat.name for seat in ann.shared["seats"]] == ["Ann", "Ben", "", ""]
    done(await ann.ask(messages.Stand))
    assert (ann.seat, ann.shared["host"]) == (None, 1)
    assert code(await ann.ask(messages.Stand)) == "table.not_seated"
    assert code(await ann.ask(messages.Start)) == "table.host"
    done(await ben.ask(messages.Start))
    assert [seat.kind for seat in ben.shared["seats"]] == ["bot", "person", "bot", "bot"]


@at_each_store
async def test_absent_host_is_replaced(room: Room):
    ann = await room.table(players=3)
    ben = await room.join(ann.table.id, "Ben")
    await ben.ask(messages.Sit, seat=2)
    await ann.leave()
    await room.pass_time(59)
    await ann.join()
    await ann.leave()
    await room.pass_time(59)
    assert code(await ben.ask(messages.Start)) == "table.host"
    await room.pass_time(2)
    assert ben.shared["host"] == 2
    row = await room.store.table(ann.table.id)
    assert row is not None
    assert row.host == "Ben"
    done(await ben.ask(messages.Start))
    assert [seat.kind for seat in ben.shared["seats"]] == ["person", "bot", "person"]


@at_each_store
async def test_only_the_host_seats_bots_and_only_at_free_seats(room: Room):
    ann = await room.table(players=3)
    ben = await room.join(ann.table.id, "Ben")
    await ben.ask(messages.Sit, seat=1)
    assert code(await ben.ask(messages.SeatBot, seat=2, level="random")) == "table.host"
    assert code(await ann.ask(messages.SeatBot, seat=1, level="random")) == "table.seat_taken"
    assert code(await ann.ask(messages.SeatBot, seat=2, level="grand master")) == "bot.unknown"
    done(await ann.ask(messages.SeatBot, seat=2, level="random"))
    assert ann.shared["seats"][2].level == "random"
    done(await ann.ask(messages.SeatBot, seat=2, level=None))
    assert ann.shared["seats"][2].kind == "empty"
    await ben.leave()
    done(await ann.ask(messages.SeatBot, seat=1, level=None))
    assert ann.shared["seats"][1].kind == "empty"


@at_each_store
async def test_once_it_has_begun_seats_stay(room: Room):
    ann, ben = await room.at_play()
    assert code(await ann.ask(messages.Start)) == "table.begun"
    assert code(await ann.ask(messages.Stand)) == "table.begun"
    cleo = await room.join(ann.table.id, "Cleo")
    assert code(await cleo.ask(messages.Sit)) == "table.begun"
    done(await ben.ask(messages.Sit))


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"profile": "bridge"}, "profile"),
        ({"profile": "persian-rummy", "players": 3}, "players"),
        ({"profile": "500-rum", "house_rules": ["H9"]}, "house_rules"),
        ({"profile": "persian-rummy", "target": 500}, "target"),
        ({"profile": "500-rum", "level": "nobody"}, "level"),
    ],
)
@at_each_store
async def test_options_that_cannot_be_are_named(room: Room, options: dict[str, object], key: str):
    with pytest.raises(TableError) as caught:
        await room.tables.create(TableOptions(**options), Guest("a", "Ann"))
    assert caught.value.key == key


def test_options_are_decoded_strictly():
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"profile":"500-rum","cheat":true}', type=TableOptions)


@at_each_store
async def test_seats_are_drawn_where_that_was_chosen(room: Room):
    orders = set()
    for _ in range(6):
        people = await room.at_play(("Ann", "Ben", "Cleo"), seats_drawn=True)
        orders.add(tuple(seat.name for seat in people[0].shared["seats"]))
        assert all(person.shared["seats"][person.seat].name == person.guest.name for person in people)
    assert len(orders) > 1


@at_each_store
async def test_partners_are_drawn_by_the_draw_for_deal(room: Room):
    """R-DEAL-1 of G: the two lowest become partners; seats, own half and clocks follow the people."""
    names = ("Ann", "Ben", "Cleo", "Dan")
    moved = 0
    for _ in range(4):
        people = await room.at_play(names, profile="persian-rummy-gamerules")
        seats = [seat.name for seat in people[0].shared["seats"]]
        moved += seats != list(names)
        for person in people:
            assert person.shared["seats"][person.seat].name == person.guest.name
            assert len(person.own["hand"]) == person.shared["hand_sizes"][person.seat]
        actor = people[0].shared["actor"]
        assert [bool(person.may) for person in people] == [person.seat == actor for person in people]
        chosen = await room.at_play(names, profile="persian-rummy-gamerules", seats_drawn=False)
        assert [seat.name for seat in chosen[0].shared["seats"]] == list(names)
    assert moved


# --- play ------------------------------------------------------------------------------------------


async def play_match(room: Room, people: list[Person], most: int = 4000) -> None:
    """Play until the match is over, or so many steps."""
    for _ in range(most):
        shared = people[0].shared
        if shared["waiting_for"] == "over":
            return
        if shared["waiting_for"] == "next":
            for person in people:
                if person.shared["waiting_for"] == "next":
                    await person.ask(messages.Next)
        elif shared["waiting_for"] in ("shuffle", "draw", "cut"):
            await room.deal(people)
        else:
            one = next((person for person in people if person.may), None)
            if one is None:
                await room.pass_time(1)
            else:
                await one.move()
    assert most < 4000, "the match does not end"


@pytest.mark.sample(4)
@pytest.mark.parametrize("profile", profile_names())
@at_each_store
async def test_a_match_is_played_to_its_end_and_its_record_verifies(room: Room, profile: str):
    rules = ruleset(profile)
    target = {"target": 150} if rules.match == "target" else {}
    ann = await room.table(profile=profile, players=rules.players[0], start=True, **target)
    await play_match(room, [ann])
    end = ann.shared["result"]
    assert ann.shared["status"] == "over"
    assert sorted(player for row in end.rows for player in row) == list(range(rules.players[0]))
    text = await room.tables.record(ann.table.id)
    assert text is not None
    record = Record.from_text(text)
    assert record.verify() == []
    assert problems_of_match(record) == []
    assert len(record.deals) == len(ann.shared["scores"])
    row = await room.store.table(ann.table.id)
    assert row is not None
    assert row.status == "over"


@at_each_store
async def test_log_and_updates_agree(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cleo"), target=100, house_rules=["H5", "H6"])
    watcher = await room.join(people[0].table.id, "Dan")
    await play_match(room, people)
    entries = await room.store.entries(people[0].table.id)
    again = TableState.fold(people[0].table.id, entries)
    live = people[0].table.log.state
    assert again.match is not None
    assert live.match is not None
    assert again.match.sheet == live.match.sheet
    assert again.match.view(None) == live.match.view(None)
    assert [event.shared for event in again.events] == [event.shared for event in live.events]
    for person in [*people, watcher]:
        known = person.shared, person.own
        sync = await person.join()
        full = {name: value for name, value in fields_of(sync.shared).items() if name != "claim"}
        assert {name: known[0][name] for name in full} == full
        assert known[1] == fields_of(sync.you)


@at_each_store
async def test_each_player_sees_one_hand(room: Room):
    ann, ben = await room.at_play()
    cleo = await room.join(ann.table.id, "Cleo")
    hands = ann.table.log.state.match.state.view(0).hand, ann.table.log.state.match.state.view(1).hand
    assert [len(hand) for hand in hands] == ann.shared["hand_sizes"]
    assert sorted(ann.own["hand"]) != sorted(ben.own["hand"])
    assert cleo.own["hand"] == []
    assert cleo.shared["hands"] is None
    actor, other = (ann, ben) if ann.may else (ben, ann)
    await actor.play(actor.own["plays"]["draw"])
    assert actor.own["drawn"] is not None
    assert other.own["drawn"] is None
    assert [event.card for event in actor.events if event.kind == "draw"] == [actor.own["drawn"]]
    assert [event.card for event in other.events if event.kind == "draw"] == [None]
    assert [event.card for event in cleo.events if event.kind == "draw"] == [None]


@at_each_store
async def test_plays_that_may_not_be_say_why(room: Room):
    actor, other = await in_turn(room)
    cleo = await room.join(actor.table.id, "Cleo")
    draw = actor.own["plays"]["draw"]
    assert code(await cleo.play(draw)) == "table.not_seated"
    assert code(await other.play(draw)) == "table.turn"
    card = actor.own["hand"][0]
    refused = await actor.say(f"discard {card}")
    assert (refused.reason.code, refused.reason.rule) == ("turn.draw_first", "R-TURN-1")
    mistyped = await actor.say("take 3Q")
    assert (code(mistyped), mistyped.column) == ("notation.expected", 6)
    assert code(await actor.play("99999999999999999999")) == "play.unknown"
    before = actor.shared["asked"]
    done(await actor.say("draw"))
    assert code(await actor.ask(messages.Play, asked=before, play=draw)) == "table.stale"
    assert actor.table.log.state.number == actor.number


@at_each_store
async def test_repeated_message_is_applied_once(room: Room):
    actor, _ = await in_turn(room)
    message = messages.Play(id="again", asked=actor.shared["asked"], play=actor.own["plays"]["draw"])
    first = done(await actor.do(message))
    number, hand = actor.table.log.state.number, list(actor.own["hand"])
    again = done(await actor.do(message))
    assert (again.number, again.events) == (first.number, [])
    assert (actor.table.log.state.number, actor.own["hand"]) == (number, hand)
    await room.crash()
    table = await room.tables.get(actor.table.id)
    assert table is not None
    back = Person(room, table, actor.guest)
    await back.join()
    assert done(await back.do(message)).events == []
    assert table.log.state.number == number
    assert sorted(back.own["hand"]) == sorted(hand)


@at_each_store
async def test_however_old_a_message_is_it_is_done_once(room: Room):
    ann = await room.table()
    for number in range(600):
        done(await ann.do(messages.Chat(id=f"c{number}", text=f"line {number}")))
    before = ann.table.log.state.number
    assert done(await ann.do(messages.Chat(id="c3", text="line 3"))).number == before
    await room.crash()
    back = await room.join(ann.table.id, "Ann")
    assert done(await back.do(messages.Chat(id="c4", text="line 4"))).number == before
    assert back.table.log.state.number == before


@at_each_store
async def test_refused_message_may_be_repeated_after_a_restart(room: Room):
    """Even where the line about the clock is the first that is written after it."""
    first, second = await in_turn(room, turn_s=20)
    await room.pass_time(4)
    play = messages.Play(id="mine", asked=first.shared["asked"], play="1")
    room.tables._sweeper.cancel()  # type: ignore[union-attr]
    closing = asyncio.create_task(first.table.close())
    await other_tasks()
    second.table.receive(second.connection, play)
    await closing
    last = (await room.store.entries(first.table.id))[-1]
    assert (last.kind, last.author, last.message) == ("stopped", None, None)


@at_each_store
async def test_reconnected_viewer_gets_missed_events(room: Room):
    ann, ben = await room.at_play()
    await ben.leave()
    seen = ben.number
    if ann.may:
        await ann.move()
        await ann.move()
    last = ben.number
    sync = await ben.join(last=last)
    assert sync.gap
    assert [event.number > seen for event in sync.missed] == [True] * len(sync.missed)
    assert sync.number == ann.number
    fresh = await ben.join(last=10_000)
    assert not fresh.gap


@at_each_store
async def test_a_second_window_takes_the_place_of_the_first(room: Room):
    ann, _ = await room.at_play()
    twin = Person(room, ann.table, ann.guest)
    await twin.join()
    assert ann.closed == "elsewhere"
    assert twin.seat == ann.seat
    assert twin.shared["seats"][twin.seat].here
    ann.table.disconnect(ann.connection)
    await room.settle()
    assert twin.shared["seats"][twin.seat].here


@at_each_store
async def test_chat_and_reactions_reach_all_and_fifty_lines_are_kept(room: Room):
    ann, ben = await room.at_play()
    for number in range(60):
        done(await ann.ask(messages.Chat, text=f"line  {number}"))
    chats = [message for message in ben.got if isinstance(message, messages.ChatLine)]
    assert [chat.text for chat in chats] == [f"line {number}" for number in range(60)]
    assert [chat.number for chat in chats] == list(range(chats[0].number, chats[0].number + 60))
    assert code(await ann.ask(messages.Chat, text="   ")) == "table.chat"
    done(await ben.ask(messages.React, reaction="thanks"))
    assert [message.seat for message in ann.got if isinstance(message, messages.ReactionShown)] == [ben.seat]
    await room.crash()
    back = await room.join(ann.table.id, "Ann")
    sync = next(message for message in back.got if isinstance(message, messages.Sync))
    assert sync.chat == chats[10:], "with the same numbers, so that a page knows what it has shown"
