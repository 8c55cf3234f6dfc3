"""Plays taken back at a live table: allowed until they have shown somebody a card; never sent later."""

from __future__ import annotations

from rum500.server import messages
from rum500.server.live.log.table_state import TableState
from tests.support.live import Room, at_each_store
from tests.support.live_deals import alone, two
from tests.test_live_tables import code, done, play_match


@at_each_store
async def test_alone_with_bots_one_takes_back_everything_up_to_the_draw(room: Room):
    ann = await alone(room)
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


@at_each_store
async def test_play_that_showed_a_card_is_final_and_others_can_be_undone(room: Room):
    """A take shows nothing new, nor does a meld of cards all known; a meld from the hand does."""
    first, _ = await two(room)
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


@at_each_store
async def test_new_viewer_makes_a_shown_card_final(room: Room):
    ann = await alone(room)
    done(await ann.say("draw"))
    done(await ann.say("meld 6S 7S 8S"))
    assert ann.own["undo"] == 1
    dan = await room.join(ann.table.id, "Dan")
    assert ann.own["undo"] == 0
    await dan.leave()
    assert code(await ann.ask(messages.Undo, asked=ann.shared["asked"])) == "table.undo"


@at_each_store
async def test_a_stale_undo_and_anothers_are_refused(room: Room):
    first, second = await two(room)
    asked = first.shared["asked"]
    done(await first.say("take QS"))
    assert code(await first.ask(messages.Undo, asked=asked)) == "table.stale"
    assert code(await second.ask(messages.Undo, asked=first.shared["asked"])) == "table.turn"


@at_each_store
async def test_undone_plays_are_gone_when_the_log_is_read(room: Room):
    ann = await room.table(start=True, bots=(None, "greedy"), target=100)
    undone = 0
    for _ in range(600):
        if ann.shared["waiting_for"] == "over":
            break
        await play_match(room, [ann], most=1)
        if ann.own["undo"] and undone < 5:
            undone += 1
            done(await ann.ask(messages.Undo, asked=ann.shared["asked"]))
    assert undone
    again = TableState.fold(ann.table.id, await room.store.entries(ann.table.id))
    assert again.match is not None
    assert again.match.sheet == ann.table.log.state.match.sheet
    record = await room.tables.record(ann.table.id)
    replay = await room.tables.replay(ann.table.id, 1)
    assert record is not None
    assert replay is not None
    assert replay.frames[-1].event.kind in ("over", "match_over")
    assert [sorted(hand) for hand in replay.frames[-1].hands] == [
        sorted(hand) for hand in replay.frames[-1].shared.hands or replay.frames[-1].hands
    ]


@at_each_store
async def test_undone_plays_are_not_sent_to_later_viewers(room: Room):
    ann = await alone(room)
    done(await ann.say("draw"))
    done(await ann.say("meld 6S 7S 8S"))
    done(await ann.ask(messages.Undo, asked=ann.shared["asked"]))
    dan = await room.join(ann.table.id, "Dan")
    assert [event.kind for event in dan.events][-2:] == ["draw", "undone"]
    assert dan.events[-1].taken_back not in {event.number for event in dan.events}
    assert not [event for event in dan.events if (event.kind, event.seat) == ("meld", ann.seat)]
