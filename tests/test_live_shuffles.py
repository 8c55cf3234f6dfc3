"""Before the cards are dealt at a live table: the seeds, the draw for deal, the cut."""

from __future__ import annotations

import hashlib

from msgspec import UNSET

from rum500.cards import card_text, cards_from_text
from rum500.record.fair import fair_order
from rum500.server import messages
from tests.support.live import Room, at_each_store
from tests.test_live_tables import code, done


@at_each_store
async def test_browsers_that_do_not_answer_are_not_waited_for_long(room: Room):
    ann = await room.table(players=2)
    ben = await room.join(ann.table.id, "Ben")
    await ben.ask(messages.Sit)
    await ann.ask(messages.Start)
    assert ann.shared["waiting_for"] == "shuffle"
    fairness = ann.shared["fairness"]
    assert (fairness.shuffle, fairness.given, fairness.seed) == (1, (), None)
    done(await ann.ask(messages.Seed, shuffle=1, value="00" * 8))
    assert code(await ann.ask(messages.Seed, shuffle=1, value="11" * 8)) == "table.seed_given"
    assert ben.shared["fairness"].given == (0,)
    assert code(await ben.ask(messages.Seed, shuffle=2, value="00" * 8)) == "table.stale"
    await room.pass_time(2)
    assert ann.shared["waiting_for"] == "draw"
    assert code(await ben.ask(messages.Pick, asked=ann.shared["asked"], position=0)) == "table.turn"
    assert code(await ann.ask(messages.Pick, asked=ann.shared["asked"], position=52)) == "table.position"
    await room.pass_time(20)
    assert ann.shared["drawn"][0] != []
    done(await ben.ask(messages.Pick, asked=ben.shared["asked"], position=ben.shared["positions"][0]))


@at_each_store
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


@at_each_store
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


@at_each_store
async def test_seed_is_published_after_the_deal_and_gives_the_deck(room: Room):
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
    dealers = [frame.shared.dealer for frame in replay.frames if frame.shared.dealer is not UNSET]
    assert dealers == [replay.frames[0].event.dealer] != [ann.shared["dealer"]]
    assert replay.frames[-1].event.kind == "over"
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
