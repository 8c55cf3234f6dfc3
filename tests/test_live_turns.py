"""Time and absence at live tables: clocks, leavers, undo, claims, pauses, the next deal, the end."""

from __future__ import annotations

import hashlib

import pytest

from rum500 import State
from rum500.cards import card_text, cards_from_text
from rum500.record.fair import fair_order
from rum500.rules.actions import Call, Discard, LetGo, Meld, Take, decode, encode
from rum500.rules.notation import parse_play
from rum500.server import messages
from rum500.server.live import TableState
from rum500.server.live._table import TOGETHER_S
from rum500.state import IllegalPlay
from tests.support.live import Person, Room, at_tables, rig
from tests.support.table import table
from tests.test_live_tables import code, done, play_match


async def look(*people: Person) -> None:
    """Come anew, to see what was laid on the table by hand."""
    for person in people:
        await person.join()


def play_of(state: State, text: str) -> int:
    return encode(parse_play(text, state))


# --- undo ------------------------------------------------------------------------------------------


def undo_deal() -> State:
    return table(
        "500-rum", ["6S 7S 8S QD 2C KC", "3D 4D 9C JH 5C"], pile="QS QH AC", stock="2H 3H 4H", turn=0
    )


@at_tables
async def test_alone_with_bots_one_takes_back_everything_up_to_the_draw(room: Room):
    ann = await room.table(start=True, bots=(None, "greedy"))
    await room.deal([ann])
    rig(ann.table, undo_deal())
    await look(ann)
    done(await ann.say("draw"))
    hand = sorted(ann.own["hand"])
    assert ann.own["undo"] == 0
    done(await ann.say("meld 6S 7S 8S"))
    assert ann.own["undo"] == 1
    assert len(ann.shared["melds"]) == 1
    answer = done(await ann.ask(messages.Undo, asked=ann.shared["asked"]))
    assert [event.kind for event in answer.events] == ["undone"]
    assert (ann.shared["melds"], sorted(ann.own["hand"]), ann.own["undo"]) == ([], hand, 0)
    assert code(await ann.ask(messages.Undo, asked=ann.shared["asked"])) == "table.undo"


@at_tables
async def test_what_showed_others_a_card_stands_and_what_all_knew_may_be_taken_back(room: Room):
    """A take shows nothing new, nor does a meld of cards all known; a meld from the hand does."""
    ann, ben = await room.at_play()
    first = ann if ann.seat == 0 else ben
    rig(ann.table, undo_deal())
    await look(ann, ben)
    done(await first.say("take QS"))
    assert (first.shared["must_use"], first.own["undo"]) == ("QS", 1)
    done(await first.ask(messages.Undo, asked=first.shared["asked"]))
    assert (first.shared["pile"], first.shared["must_use"], first.own["undo"]) == (
        ["QS", "QH", "AC"],
        None,
        0,
    )
    done(await first.say("take QS"))
    done(await first.say("meld QS QH QD"))
    assert first.own["undo"] == 0
    assert code(await first.ask(messages.Undo, asked=first.shared["asked"])) == "table.undo"


@at_tables
async def test_whoever_comes_while_a_card_lies_there_has_seen_it(room: Room):
    ann = await room.table(start=True, bots=(None, "greedy"))
    await room.deal([ann])
    rig(ann.table, undo_deal())
    await look(ann)
    done(await ann.say("draw"))
    done(await ann.say("meld 6S 7S 8S"))
    assert ann.own["undo"] == 1
    dan = await room.join(ann.table.id, "Dan")
    assert ann.own["undo"] == 0
    await dan.leave()
    assert code(await ann.ask(messages.Undo, asked=ann.shared["asked"])) == "table.undo"


@at_tables
async def test_a_stale_undo_and_anothers_are_refused(room: Room):
    ann, ben = await room.at_play()
    first, second = (ann, ben) if ann.seat == 0 else (ben, ann)
    rig(ann.table, undo_deal())
    await look(ann, ben)
    asked = first.shared["asked"]
    done(await first.say("take QS"))
    assert code(await first.ask(messages.Undo, asked=asked)) == "table.stale"
    assert code(await second.ask(messages.Undo, asked=first.shared["asked"])) == "table.turn"


@at_tables
async def test_a_replayed_log_knows_what_was_taken_back(room: Room):
    ann = await room.table(start=True, bots=(None, "greedy"), target=100)
    undone = 0
    for _ in range(600):
        if ann.shared["waiting_for"] == "over":
            break
        if ann.shared["waiting_for"] != "play":
            await play_match(room, [ann], most=1) if ann.shared["waiting_for"] == "next" else await room.deal(
                [ann]
            )
            continue
        await ann.move()
        if ann.own["undo"] and undone < 5:
            undone += 1
            done(await ann.ask(messages.Undo, asked=ann.shared["asked"]))
    assert undone
    again = TableState.fold(ann.table.id, await room.store.entries(ann.table.id))
    assert again.match is not None
    assert again.match.sheet == ann.table.state.match.sheet
    record = await room.tables.record(ann.table.id)
    replay = await room.tables.replay(ann.table.id, 1)
    assert record is not None
    assert replay is not None
    assert replay.frames[-1].event.kind in ("settle", "match_over")
    assert [sorted(hand) for hand in replay.frames[-1].hands] == [
        sorted(hand) for hand in replay.frames[-1].shared.hands or replay.frames[-1].hands
    ]


@at_tables
async def test_what_was_taken_back_is_told_to_nobody_who_comes_later(room: Room):
    ann = await room.table(start=True, bots=(None, "greedy"))
    await room.deal([ann])
    rig(ann.table, undo_deal())
    await look(ann)
    done(await ann.say("draw"))
    done(await ann.say("meld 6S 7S 8S"))
    done(await ann.ask(messages.Undo, asked=ann.shared["asked"]))
    dan = await room.join(ann.table.id, "Dan")
    assert [event.kind for event in dan.events][-2:] == ["draw", "undone"]
    assert not [event for event in dan.events if (event.kind, event.seat) == ("meld", ann.seat)]


# --- the clock -------------------------------------------------------------------------------------


async def clocked(room: Room, **options: object) -> tuple[Person, Person]:
    """Two at a table with 20 s a turn and a bank of 60: who has to play, and the other."""
    people = await room.at_play(turn_s=20, bank_s=60, **options)
    actor = next(person for person in people if person.may)
    return actor, next(person for person in people if person is not actor)


@at_tables
async def test_the_clock_runs_for_the_turn_and_then_from_the_bank(room: Room):
    first, second = await clocked(room)
    clock = second.shared["clock"]
    assert (clock.seat, clock.turn_ms, clock.bank_ms, clock.running) == (first.seat, 20_000, 60_000, True)
    await room.pass_time(8)
    await first.move()
    clock = second.shared["clock"]
    assert (clock.turn_ms, clock.bank_ms) == (12_000, 60_000)
    await room.pass_time(15)
    while first.may:
        await first.move()
    clock = second.shared["clock"]
    assert (clock.seat, clock.turn_ms, clock.bank_ms) == (second.seat, 20_000, 60_000)
    player = first.table.state.player_of(first.guest.id)
    assert first.table.state.bank_ms[player] == 57_000


@at_tables
async def test_when_all_time_is_used_a_bot_plays_the_turn(room: Room):
    first, second = await clocked(room)
    await room.pass_time(79.9)
    assert first.may
    await room.pass_time(0.2)
    assert second.may
    assert [event.by_bot for event in second.events if event.kind in ("draw", "take")] == [True]
    while second.may:
        await second.move()
    assert first.shared["clock"].bank_ms == 0
    assert first.shared["clock"].turn_ms == 20_000
    await room.pass_time(19.9)
    assert first.may
    await room.pass_time(0.2)
    assert not first.may


@at_tables
async def test_clocks_stand_while_the_server_is_down_and_go_on_in_mid_turn(room: Room):
    first, _ = await clocked(room)
    await room.pass_time(5)
    await first.move()
    await room.pass_time(3)
    asked, hand = first.shared["asked"], sorted(first.own["hand"])
    await room.crash()
    back = await room.join(first.table.id, first.guest.name)
    clock = back.shared["clock"]
    assert (clock.turn_ms, clock.bank_ms) == (15_000, 60_000)
    assert (back.shared["asked"], sorted(back.own["hand"])) == (asked, hand)
    assert back.may
    await room.pass_time(2)
    await room.close()
    await room.open()
    again = await room.join(first.table.id, first.guest.name)
    assert again.shared["clock"].turn_ms == 13_000
    done(await again.move())


@at_tables
async def test_the_clock_stands_when_nobody_is_there(room: Room):
    first, second = await clocked(room, leaver_s=0)
    await room.pass_time(5)
    await first.leave()
    await room.pass_time(5)
    await second.leave()
    await room.pass_time(500)
    back = await room.join(first.table.id, second.guest.name)
    assert back.shared["clock"].turn_ms == 10_000
    assert back.shared["clock"].running


# --- leavers ---------------------------------------------------------------------------------------


@at_tables
async def test_a_bot_plays_for_who_is_away_and_the_seat_is_kept(room: Room):
    ann, ben = await room.at_play()
    first, second = (ann, ben) if ann.may else (ben, ann)
    await first.leave()
    plate = second.shared["seats"][first.seat]
    assert (plate.here, plate.bot_in_ms) == (False, 60_000)
    await room.pass_time(59)
    assert not second.may
    await room.pass_time(2)
    assert second.may
    await first.join()
    assert (first.seat, first.shared["seats"][first.seat].here) == (second.shared["actor"] ^ 1, True)
    while second.may:
        await second.move()
    assert first.may
    await room.pass_time(300)
    assert first.may


@at_tables
async def test_nobody_waits_so_no_bot_plays_for_who_is_away(room: Room):
    """Correspondence: without a clock a table lies for weeks, and each finds their own turn."""
    ann, ben = await room.at_play()
    first, second = (ann, ben) if ann.may else (ben, ann)
    number = first.number
    await second.leave()
    await first.leave()
    await room.pass_time(3 * 7 * 86_400)
    assert len(room.tables) == 0
    waiting = await room.join(ann.table.id, second.guest.name)
    assert waiting.shared["seats"][first.seat].bot_in_ms is None
    await room.pass_time(3600)
    back = await room.join(ann.table.id, first.guest.name)
    assert back.may
    assert back.number == number
    done(await back.move())


@at_tables
async def test_who_does_not_come_back_after_a_restart_has_left(room: Room):
    ann, ben = await room.at_play()
    first, second = (ann, ben) if ann.may else (ben, ann)
    await room.crash()
    room.clock.time -= 400  # the server was down for less than two minutes
    table_again = await room.tables.get(ann.table.id)
    assert table_again is not None
    back = await room.join(ann.table.id, second.guest.name)
    assert back.shared["seats"][first.seat].bot_in_ms is not None
    await room.pass_time(61)
    assert back.may


@at_tables
async def test_the_bots_finish_their_turns_when_the_only_person_leaves(room: Room):
    ann = await room.table(start=True, players=4, bot_pause_ms=700)
    await room.deal([ann])
    while not ann.may:
        await room.pass_time(1)
    while ann.may:
        await ann.move()
    await ann.leave()
    await room.pass_time(30)
    state = ann.table.state
    assert state.waiting_for in ("play", "next")
    assert state.waiting_for == "next" or state.acting_player == state.player_of("ann")


# --- claims ----------------------------------------------------------------------------------------


def claim_deal(turn: int = 0, players: int = 4) -> State:
    """Seat `turn` has drawn and holds 9S, which fits a run: others may call it once it is thrown."""
    hands = ["KC 9S 2D", "3C 4H JD", "5C 7H QD", "8C 2H KD"]
    hands = hands[-turn:] + hands[:-turn] if turn else hands
    melds = [(turn, "6S 7S 8S")]
    return table(
        table("500-rum", ["2S"] * 2).rules.with_house_rules("H6"),
        hands[:players],
        pile="4C",
        melds=melds,
        turn=turn,
        phase="play",
    )


async def four_claiming(room: Room, bots: tuple[str | None, ...] = ()) -> list[Person]:
    """People, by seat, before a discard that all others may call."""
    names = ("Ann", "Ben", "Cleo", "Dan")[: 4 - sum(bot is not None for bot in bots)]
    host = await room.table("Ann", players=4, house_rules=["H6"], bots=bots, claim_s=8)
    people = [host, *[await room.join(host.table.id, name) for name in names[1:]]]
    for person in people[1:]:
        await person.ask(messages.Sit)
    await host.ask(messages.Start)
    await room.deal(people)
    rig(host.table, claim_deal(turn=host.seat))
    await look(*people)
    return people


@at_tables
async def test_all_who_may_call_are_asked_and_the_first_received_wins(room: Room):
    ann, ben, cleo, dan = await four_claiming(room)
    done(await ann.say("discard 9S"))
    window = ann.shared["claim"]
    assert (window.seats, window.left_ms, window.total_ms, window.counts) == ([1, 2, 3], 8000, 8000, [1])
    assert (ann.shared["waiting_for"], ann.shared["actor"], ann.may) == ("claim", None, [])
    for person in (ben, cleo, dan):
        assert sorted(person.may) == ["call", "let_go"]
        assert list(person.own["calls"]) == ["1"]
    asked = dan.shared["asked"]
    done(await ben.play(encode(LetGo())))
    assert dan.shared["claim"].seats == [2, 3]
    assert (dan.shared["asked"], ben.may) == (asked, [])
    assert code(await ben.play(encode(Call(1)))) == "table.claimed"
    answer = done(await dan.play(dan.own["calls"]["1"]))
    assert [(event.kind, event.seat) for event in answer.events] == [
        ("let_go", 1),
        ("let_go", 2),
        ("call", 3),
    ]
    assert (dan.shared["must_use"], dan.shared["turn"], dan.shared["claim"]) == ("9S", 3, None)
    assert code(await cleo.ask(messages.Play, asked=asked, play=str(encode(Call(1))))) == "table.stale"
    done(await dan.say("lay 9S on 1"))
    assert dan.own["undo"] == 1


@at_tables
async def test_who_threw_the_card_may_not_call(room: Room):
    ann, ben, *_ = await four_claiming(room)
    done(await ann.say("discard 9S"))
    assert code(await ann.play(encode(Call(1)))) == "table.claimed"
    refused = await ben.say("draw")
    assert refused.reason.code == "claim.open"


@at_tables
async def test_the_window_closes_when_all_have_let_it_go_or_time_is_up(room: Room):
    ann, ben, cleo, dan = await four_claiming(room)
    done(await ann.say("discard 9S"))
    await room.pass_time(7.9)
    assert ben.shared["claim"] is not None
    await room.pass_time(0.2)
    assert ben.shared["claim"] is None
    assert ben.shared["actor"] == 1
    assert "draw" in ben.may
    rig(ann.table, claim_deal(turn=ann.seat))
    await look(ann, ben, cleo, dan)
    done(await ann.say("discard 9S"))
    for person in (dan, cleo, ben):
        done(await person.play(encode(LetGo())))
    assert "draw" in ben.may


@at_tables
async def test_nobody_waits_where_nobody_could_call(room: Room):
    ann, ben, *_ = await four_claiming(room)
    done(await ann.say("discard KC"))
    assert ann.shared["claim"] is None
    assert "draw" in ben.may


@at_tables
async def test_bots_let_people_call_first(room: Room):
    ann, ben = await four_claiming(room, bots=(None, "greedy", None, "greedy"))
    done(await ann.say("discard 9S"))
    assert ann.shared["claim"].seats == [1, 2, 3]
    await room.pass_time(3.9)
    assert ann.shared["claim"].seats == [1, 2, 3]
    assert ben.seat == 2
    done(await ben.play(ben.own["calls"]["1"]))
    assert ben.shared["turn"] == 2
    rig(ann.table, claim_deal(turn=ann.seat))
    await look(ann, ben)
    done(await ann.say("discard 9S"))
    await room.pass_time(4.1)
    window = ann.shared["claim"]
    calls = [event for event in ann.events if event.kind == "call" and event.by_bot]
    assert calls or window.seats == [2]


@at_tables
async def test_bots_alone_do_not_keep_people_waiting(room: Room):
    (ann,) = await four_claiming(room, bots=(None, "greedy", "greedy", "greedy"))
    done(await ann.say("discard 9S"))
    assert ann.shared["claim"] is None


@at_tables
async def test_claims_come_out_the_same_from_the_log(room: Room):
    """Whole matches with H6: calls and what was let go stand in the log, not only in memory."""
    people = await room.at_play(("Ann", "Ben", "Cleo"), house_rules=["H6"], target=400, claim_s=2)
    ann = people[0]
    calls = 0
    for _ in range(3000):
        waiting = ann.shared["waiting_for"]
        if waiting == "over":
            break
        if waiting == "claim":
            one = [person for person in people if person.may][-1]
            calls += 1
            if calls % 2:
                await one.play(next(iter(one.own["calls"].values())))
            else:
                await room.pass_time(2)
        elif waiting == "play":
            await next(person for person in people if person.may).move()
        elif waiting == "next":
            await room.pass_time(60)
        else:
            await room.deal(people)
    assert calls > 2
    again = TableState.fold(ann.table.id, await room.store.entries(ann.table.id))
    assert again.match is not None
    assert again.match.sheet == ann.table.state.match.sheet


# --- shuffle, draw, cut ----------------------------------------------------------------------------


@at_tables
async def test_browsers_that_do_not_answer_are_not_waited_for_long(room: Room):
    ann = await room.table(players=2)
    ben = await room.join(ann.table.id, "Ben")
    await ben.ask(messages.Sit)
    await ann.ask(messages.Start)
    assert ann.shared["waiting_for"] == "shuffle"
    fairness = ann.shared["fairness"]
    assert (fairness.shuffle, fairness.given, fairness.seed) == (1, [], None)
    done(await ann.ask(messages.Seed, shuffle=1, value="00" * 8))
    assert code(await ann.ask(messages.Seed, shuffle=1, value="11" * 8)) == "table.seed_given"
    assert ben.shared["fairness"].given == [0]
    assert code(await ben.ask(messages.Seed, shuffle=2, value="00" * 8)) == "table.stale"
    await room.pass_time(2)
    assert ann.shared["waiting_for"] == "draw"
    assert code(await ben.ask(messages.Pick, asked=ann.shared["asked"], position=0)) == "table.turn"
    assert code(await ann.ask(messages.Pick, asked=ann.shared["asked"], position=52)) == "table.position"
    await room.pass_time(20)
    assert ann.shared["drawn"][0] != []
    done(await ben.ask(messages.Pick, asked=ben.shared["asked"], position=ben.shared["positions"][0]))


@at_tables
async def test_a_browser_that_draws_unasked_is_not_waited_for_as_a_person_is(room: Room):
    ann = await room.table(players=2)
    await ann.ask(messages.Start)
    done(await ann.ask(messages.Seed, shuffle=1, value="00" * 8, cut=500))
    await room.pass_time(1)
    assert ann.shared["waiting_for"] == "draw"
    assert ann.shared["actor"] == ann.seat
    assert ann.shared["drawn"][ann.seat] == []
    await room.pass_time(3)
    assert ann.shared["drawn"][ann.seat] != []


@at_tables
async def test_the_cut_is_asked_for_given_beforehand_or_made_in_the_middle(room: Room):
    for cut, position in ((0, 1), (1000, 51), (None, 26)):
        ann, ben = await room.at_play(target=10)
        shared = ann.shared
        while shared["waiting_for"] in ("play", "claim"):
            await (ann if ann.may else ben).move()
        if shared["waiting_for"] == "over":
            continue
        await ann.ask(messages.Next)
        await ben.ask(messages.Next)
        shuffle = shared["fairness"].shuffle
        for person in (ann, ben):
            await person.ask(messages.Seed, shuffle=shuffle, value="cd" * 16, cut=cut)
        if cut is None:
            assert shared["waiting_for"] == "cut"
            assert shared["positions"] == [1, 51]
            await room.pass_time(15)
        assert shared["waiting_for"] == "play"
        assert [event.position for event in ann.events if event.kind == "cut"][-1] == position


@at_tables
async def test_the_seed_is_told_when_the_deal_is_over_and_makes_the_deck(room: Room):
    ann, ben = await room.at_play(target=2000)
    while ann.shared["waiting_for"] != "next":
        assert ann.shared["fairness"].seed is None
        await (ann if ann.may else ben).move()
    assert ann.shared["fairness"].seed is not None
    assert ann.shared["hands"] is not None
    replay = await room.tables.replay(ann.table.id, 1)
    assert replay is not None
    assert replay.fairness.seed == ann.shared["fairness"].seed
    assert replay.fairness.commitment == ann.shared["fairness"].commitment
    assert replay.frames[0].hands[ann.seat] is not None
    assert replay.sheet == ann.shared["sheet"]
    spread = replay.draw
    assert hashlib.sha256(bytes.fromhex(spread.seed)).hexdigest() == spread.commitment
    pack = cards_from_text(" ".join(spread.pack))
    order = fair_order(bytes.fromhex(spread.seed), spread.seats, f"{spread.context}/draw", pack)
    assert [card for _, card in spread.drawn] == [card_text(order[place]) for place, _ in spread.drawn]
    drawn = [event for event in ann.events if event.kind == "draw_for_deal"]
    assert [(event.position, event.card) for event in drawn] == spread.drawn
    assert await room.tables.replay(ann.table.id, 2) is None
    assert await room.tables.record(ann.table.id, 2) is None


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
    assert one.shared["clock"].turn_ms == 16_000


@at_tables
async def test_the_vote_is_carried_when_who_was_against_leaves(room: Room):
    ann, ben = await room.at_play()
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
async def test_what_all_say_at_once_is_told_to_the_others_once(room: Room):
    ann = await room.table("Ann", players=3)
    people = [ann, *[await room.join(ann.table.id, name) for name in ("Ben", "Cat")]]
    for person in people[1:]:
        done(await person.ask(messages.Sit))
    done(await ann.ask(messages.Start))
    _, ben, cat = people
    heard = len(cat.got)

    def given() -> list[list[int]]:
        return [person.shared["fairness"].given for person in people]

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
async def test_the_next_deal_begins_when_all_are_ready_or_after_a_minute(room: Room):
    ann, ben = await room.at_play(target=2000)
    while ann.shared["waiting_for"] != "next":
        await (ann if ann.may else ben).move()
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
    while left[0].shared["waiting_for"] != "next":
        actor = next((person for person in left if person.may), None)
        await actor.move()
    assert len(left[0].shared["scores"]) == 1
    assert code(await gone.ask(messages.Resign)) == "table.not_seated"
    replay = await room.tables.replay(gone.table.id, 1)
    assert replay is not None
    assert replay.names == [person.guest.name for person in left]
    await room.crash()
    back = await room.join(gone.table.id, left[2].guest.name)
    assert (back.seat, back.shared["waiting_for"]) == (2, "next")


# --- advice ----------------------------------------------------------------------------------------


@at_tables
async def test_advice_says_what_can_be_done_and_why_not(room: Room):
    ann, ben = await room.at_play()
    first, second = (ann, ben) if ann.seat == 0 else (ben, ann)
    rig(ann.table, undo_deal())
    await look(ann, ben)
    answer = await first.ask(messages.Ask, about="turn")
    assert [(option.kind, option.count, option.points, option.then.kind) for option in answer.options] == [
        ("take", 3, 30, "meld")
    ]
    best = answer.groups[0]
    assert (best.cards, best.kind, best.points) == (["6S", "7S", "8S"], "run", 21)
    useless = await first.ask(messages.Ask, about="take", count=2)
    assert useless.reason.rule == "R-DRAW-3"
    early = await first.ask(messages.Ask, about="cards", cards=["6S", "7S", "8S"])
    assert early.reason.code == "turn.draw_first"
    waiting = await second.ask(messages.Ask, about="turn")
    assert (waiting.options, len(waiting.groups) > 0) == ([], True)
    done(await first.say("draw"))
    melds = await first.ask(messages.Ask, about="cards", cards=["8S", "6S", "7S"])
    assert [(option.kind, option.points, option.meld_kind) for option in melds.options] == [
        ("meld", 21, "run")
    ]
    assert code(await first.ask(messages.Ask, about="cards", cards=["AS"])) == "table.card"
    none = await first.ask(messages.Ask, about="cards", cards=["QD", "2C"])
    assert none.options == []
    assert none.reason is not None


@at_tables
async def test_what_may_not_be_done_now_is_refused_beforehand_with_its_rule(room: Room):
    ann, ben = await room.at_play()
    first = ann if ann.seat == 0 else ben
    rig(ann.table, undo_deal())
    await look(ann, ben)
    assert sorted(first.own["refused"]) == ["discard", "lay"]
    done(await first.say("take QS"))
    assert first.may == ["lay"]
    assert first.own["refused"]["discard"].rule == "R-DRAW-3"
    with pytest.raises(IllegalPlay):
        first.table.requests._make(
            0, first.table.requests.deal_for(0), encode(Discard(cards_from_text("2C")[0]))
        )


def test_the_codes_of_plays_are_what_the_engine_has():
    assert decode(encode(Take(3))) == Take(3)
    assert isinstance(decode(encode(parse_play("meld 6S 7S 8S", undo_deal()))), Meld)
