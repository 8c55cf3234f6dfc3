"""Votes at a live table: a pause, the end, the next deal, a rematch; and who resigns."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest

from rum500.cards import card_text
from rum500.record.fair import FairShuffle
from rum500.server import messages
from rum500.server.live.table_registry import TOGETHER_S
from tests.support.live import Room, at_tables
from tests.support.live_deals import clocked, play_deal
from tests.test_live_tables import code, done, play_match

# --- pause, votes, the next deal -------------------------------------------------------------------


@at_tables
async def test_a_pause_is_by_agreement_and_stops_the_clock(room: Room):
    first, second = await clocked(room)
    await room.pass_time(4)
    done(await first.ask(messages.Vote, on="pause"))
    assert first.shared["votes"] == {"pause": [first.seat]}
    assert first.shared["status"] == "playing"
    done(await first.ask(messages.Vote, on="pause", yes=False))
    assert first.shared["votes"] == {}
    await first.ask(messages.Vote, on="pause")
    await second.ask(messages.Vote, on="pause")
    assert (first.shared["status"], first.may) == ("paused", [])
    assert code(await first.play(0)) == "table.paused"
    await room.pass_time(1000)
    assert first.shared["status"] == "paused"
    await room.crash()
    one = await room.join(first.table.id, first.guest.name)
    two = await room.join(first.table.id, second.guest.name)
    assert one.shared["status"] == "paused"
    await one.ask(messages.Vote, on="resume")
    await two.ask(messages.Vote, on="resume")
    assert one.shared["status"] == "playing"
    assert one.may
    assert one.shared["clock"].turn_ms.ms == 16_000


@at_tables
async def test_vote_is_carried_when_its_opponent_leaves(room: Room):
    ann, ben = await room.at_play(leaver_s=60)
    await ann.ask(messages.Vote, on="abandon")
    assert ann.shared["status"] == "playing"
    await ben.leave()
    await room.pass_time(30)
    await ben.join()
    assert (ann.shared["status"], ben.shared["votes"]) == ("playing", {"abandon": [ann.seat]})
    await ben.leave()
    await room.pass_time(59)
    assert ann.shared["status"] == "playing"
    await room.pass_time(2)
    assert ann.shared["status"] == "abandoned"
    assert code(await ann.play(0)) == "table.over"
    row = await room.store.table(ann.table.id)
    assert row is not None
    assert row.status == "abandoned"


@at_tables
async def test_where_no_bot_plays_for_the_absent_all_people_must_agree_to_abandon(room: Room):
    ann, ben = await room.at_play(leaver_s=0)
    await ben.leave()
    await ann.ask(messages.Vote, on="abandon")
    await room.pass_time(100_000)
    assert ann.shared["status"] == "playing"
    await ann.leave()
    await ben.join()
    await ben.ask(messages.Vote, on="abandon")
    assert ben.shared["status"] == "abandoned"


@at_tables
async def test_votes_that_do_not_fit_are_refused(room: Room):
    ann, _ = await room.at_play()
    for on in ("resume", "rematch"):
        assert code(await ann.ask(messages.Vote, on=on)) == "table.vote"
    dan = await room.join(ann.table.id, "Dan")
    assert code(await dan.ask(messages.Vote, on="pause")) == "table.not_seated"


@at_tables
async def test_simultaneous_requests_make_one_update_for_the_others(room: Room):
    room.tables.services.together_s = TOGETHER_S
    ann = await room.table("Ann", players=3)
    people = [ann, *[await room.join(ann.table.id, name) for name in ("Ben", "Cat")]]
    for person in people[1:]:
        done(await person.ask(messages.Sit))
    done(await ann.ask(messages.Start))
    _, ben, cat = people
    heard = len(cat.got)

    def given() -> list[list[int]]:
        return [list(person.shared["fairness"].given) for person in people]

    done(await ann.ask(messages.Seed, shuffle=1, value="ab" * 16))
    done(await ben.ask(messages.Seed, shuffle=1, value="cd" * 16))
    assert (given(), len(cat.got)) == ([[0], [0, 1], []], heard)
    await room.pass_time(TOGETHER_S)
    assert (given(), len(cat.got)) == ([[0, 1]] * 3, heard + 1)
    done(await cat.ask(messages.Seed, shuffle=1, value="ef" * 16))
    assert {person.shared["waiting_for"] for person in people} == {"draw"}
    assert len(cat.got) == heard + 2
    await room.pass_time(2 * TOGETHER_S)
    assert len(cat.got) == heard + 2


@at_tables
async def test_quick_plays_are_batched_for_waiting_viewers_alone(room: Room):
    room.tables.services.together_s = TOGETHER_S
    ann, ben, cat = people = await room.at_play(("Ann", "Ben", "Cat"))
    await room.pass_time(1)
    heard, plays = {person: len(person.got) for person in people}, 0
    first = next(person for person in people if person.may)
    second = people[(people.index(first) + 1) % 3]
    third = people[(people.index(first) + 2) % 3]
    while first.may:
        done(await first.move())
        plays += 1
        assert third.events[-1].kind == "draw", "the first play is sent at once, the others wait"
    assert plays > 1
    assert len(first.got) == heard[first] + plays
    assert "draw" in second.may
    assert len(second.got) == heard[second] + 2
    assert len(third.got) == heard[third] + 1
    await room.pass_time(TOGETHER_S)
    assert len(third.got) == heard[third] + 2
    assert [event.kind for event in third.events] == [event.kind for event in first.events]
    assert ann.shared == ben.shared == cat.shared


@at_tables
async def test_the_next_deal_begins_when_all_are_ready_or_after_a_minute(room: Room):
    room.tables.services.together_s = TOGETHER_S
    ann, ben = await room.at_play(target=2000)
    await play_deal([ann, ben])
    assert ann.shared["sheet"].points == ann.shared["scores"][0].points
    totals = [sum(line.points for line in lines) for lines in ann.shared["sheet"].lines]
    assert totals == ann.shared["sheet"].points
    done(await ann.ask(messages.Next))
    assert not any(seat.ready for seat in ben.shared["seats"])
    await room.pass_time(TOGETHER_S)
    assert [seat.ready for seat in ben.shared["seats"]] == [seat == ann.seat for seat in range(2)]
    await room.pass_time(59)
    assert ann.shared["waiting_for"] == "next"
    await room.pass_time(2)
    assert ann.shared["waiting_for"] == "shuffle"
    assert (ann.shared["sheet"], ann.shared["hands"], ann.own["hand"]) == (None, None, [])
    assert code(await ben.ask(messages.Next)) == "table.stale"


@pytest.mark.parametrize("names", [("Ann",), ("Ann", "Ben")])
@at_tables
async def test_the_sheet_stays_while_all_read(room: Room, names: tuple[str, ...]):
    """Whoever plays against bots alone is not hurried, nor are several of whom nobody waits."""
    ann = await room.table(names[0], players=2, target=2000)
    people = [ann, *[await room.join(ann.table.id, name) for name in names[1:]]]
    for person in people[1:]:
        await person.ask(messages.Sit)
    await ann.ask(messages.Start)
    await room.deal(people)
    while ann.shared["waiting_for"] != "next":
        mover = next((person for person in people if person.may), None)
        await (mover.move() if mover else room.pass_time(1))
    await room.pass_time(600)
    assert ann.shared["waiting_for"] == "next"
    done(await ann.ask(messages.Next))
    assert ann.shared["waiting_for"] == "shuffle"


@at_tables
async def test_a_rematch_brings_the_same_people_to_a_new_table(room: Room):
    ann = await room.table("Ann", players=3, bots=(None, "random", None), target=30)
    ben = await room.join(ann.table.id, "Ben")
    await ben.ask(messages.Sit)
    await ann.ask(messages.Start)
    await play_match(room, [ann, ben])
    done(await ann.ask(messages.Vote, on="rematch"))
    assert ann.shared["rematch"] is None
    done(await ben.ask(messages.Vote, on="rematch"))
    new = ann.shared["rematch"]
    assert new == ben.shared["rematch"]
    again = await room.join(new, "Ann")
    assert [(seat.kind, seat.name, seat.level) for seat in again.shared["seats"]] == [
        ("person", "Ann", None),
        ("bot", "Ada", "random"),
        ("person", "Ben", None),
    ]
    assert (again.shared["status"], again.seat) == ("playing", 0)
    assert code(await ann.ask(messages.Vote, on="rematch")) == "table.vote"


# --- resigning -------------------------------------------------------------------------------------


@at_tables
async def test_one_of_two_gives_up_and_the_other_wins(room: Room):
    ann, ben = await room.at_play()
    done(await ann.ask(messages.Resign))
    end = ben.shared["result"]
    assert (end.reason, end.winners, end.quitters) == ("forfeit", [1], [0])
    assert (ben.shared["status"], ben.shared["waiting_for"]) == ("over", "over")
    assert code(await ben.ask(messages.Resign)) == "table.over"


@at_tables
async def test_one_of_four_leaves_and_the_others_close_ranks(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cleo", "Dan"), target=2000)
    by_seat = sorted(people, key=lambda person: person.seat)
    gone = by_seat[1]
    done(await gone.ask(messages.Resign))
    assert (gone.seat, gone.own["hand"]) == (None, [])
    left = [person for person in by_seat if person is not gone]
    assert [person.seat for person in left] == [0, 1, 2]
    assert [seat.name for seat in gone.shared["seats"]] == [person.guest.name for person in left]
    assert gone.shared["hands"] is None
    await room.deal(left)
    assert left[0].shared["hand_sizes"] == [7, 7, 7]
    await play_deal(left)
    assert len(left[0].shared["scores"]) == 1
    assert code(await gone.ask(messages.Resign)) == "table.not_seated"
    replay = await room.tables.replay(gone.table.id, 1)
    assert replay is not None
    assert replay.names == [person.guest.name for person in left]
    await room.crash()
    back = await room.join(gone.table.id, left[2].guest.name)
    assert (back.seat, back.shared["waiting_for"]) == (2, "next")


def checked(opened: dict[str, Any], promised: str) -> None:
    """Check an opened shuffle as anybody can."""
    assert opened["commitment"] == promised
    assert hashlib.sha256(bytes.fromhex(opened["seed"])).hexdigest() == promised


@at_tables
async def test_resigning_publishes_the_seed_of_the_void_deal(room: Room):
    people = await room.at_play(("Ann", "Ben", "Cleo", "Dan"), target=2000)
    by_seat = sorted(people, key=lambda person: person.seat)
    first, hands = by_seat[0].shared["fairness"], [person.own["hand"] for person in by_seat]
    assert (first.seed, by_seat[0].shared["opened"]) == (None, [])
    gone = by_seat[1]
    done(await gone.ask(messages.Resign))
    left = [person for person in by_seat if person is not gone]
    draw, opened = gone.shared["opened"]
    assert draw.shuffle < opened.shuffle
    checked(msgspec.to_builtins(draw), draw.commitment)
    checked(msgspec.to_builtins(opened), first.commitment)
    assert (opened.shuffle, opened.context) == (first.shuffle, first.context)
    state = left[0].table.log.state
    pack = sorted(state.rules.deck(4))
    shuffle = FairShuffle(
        opened.context.partition("/")[0], opened.shuffle, opened.commitment, opened.seats, opened.seed
    ).with_cut(opened.cut, opened.cut_by)
    deck = [card_text(card) for card in shuffle.deck(pack)]
    assert all(set(hand) <= set(deck[: 4 * len(hand) + 2]) for hand in hands if hand)
    await room.deal(left)
    second = left[0].shared["fairness"]
    assert second.seed is None
    done(await left[2].ask(messages.Resign))
    done(await left[1].ask(messages.Resign))
    numbers = [one.shuffle for one in left[0].shared["opened"]]
    assert (
        numbers[:2] == [draw.shuffle, first.shuffle]
        and second.shuffle in numbers
        and len(set(numbers)) == len(numbers)
    )
    await room.crash()
    back = await room.join(gone.table.id, left[0].guest.name)
    assert [one.shuffle for one in back.shared["opened"]] == numbers
    checked(msgspec.to_builtins(back.shared["opened"][numbers.index(second.shuffle)]), second.commitment)


@at_tables
async def test_a_match_ended_by_agreement_opens_the_seed_of_its_last_deal(room: Room):
    ann, ben = await room.at_play()
    promised = ann.shared["fairness"].commitment
    for person in (ann, ben):
        done(await person.ask(messages.Vote, on="abandon", yes=True))
    assert ann.shared["status"] == "abandoned"
    assert promised in [one.commitment for one in ben.shared["opened"]]
    for one in ben.shared["opened"]:
        checked(msgspec.to_builtins(one), one.commitment)


@at_tables
async def test_a_finished_deal_is_not_opened_again(room: Room):
    ann, ben = await room.at_play(target=2000)
    await play_deal([ann, ben])
    assert ann.shared["fairness"].seed
    done(await ann.ask(messages.Resign))
    assert ben.shared["opened"] == []


@pytest.mark.parametrize("players", [4, 3])
@at_tables
async def test_score_sheet_names_the_next_dealer_after_a_resignation(room: Room, players: int):
    """The options say what the table was made for; the seats and the duties are of those who are left."""
    names = ("Ann", "Ben", "Cleo", "Dan")[:players]
    people = await room.at_play(names, target=2000)
    gone = next(person for person in people if person.seat == players - 1)
    done(await gone.ask(messages.Resign))
    left = sorted((person for person in people if person is not gone), key=lambda person: person.seat)
    await room.deal(left)
    ann = left[0]
    dealers = []
    for _ in range(players):
        dealers.append(ann.shared["dealer"])
        await play_deal(left)
        assert ann.shared["scores"][-1].dealer == dealers[-1]
        assert ann.shared["dealer"] == (dealers[-1] + 1) % (players - 1)
        assert len(ann.shared["sheet"].lines) == len(ann.shared["seats"]) == players - 1
        for person in left:
            done(await person.ask(messages.Next))
        await room.deal(left)
    assert set(dealers) == set(range(players - 1))
    assert (await ann.join()).options.players == players
