"""A finished deal is tried again: played on from one of its decisions, with the same cards or others."""

from __future__ import annotations

from typing import Any

import pytest

from rum500 import Record, Rng, State
from rum500.server import messages
from rum500.server.live.finished.deal_replay import FinishedDeal, finished_deal, record
from rum500.server.live.finished.try_again import tried_again
from rum500.server.live.log import entries
from rum500.server.live.log.table_options import Guest
from rum500.server.messages.table_error import TableError
from tests.support.live import Person, Room, at_each_store
from tests.test_live_tables import code, done, play_match


async def finished(room: Room, **options: Any) -> tuple[Person, FinishedDeal]:
    """A person's finished deal against bots."""
    chosen = {"players": 2, "target": 5000, **options}
    person = await room.table(
        start=True, bots=(None, *["greedy"] * (chosen["players"] - 1)), deals=1, **chosen
    )
    await room.deal([person])
    await play_match(room, [person])
    found = finished_deal(person.table.id, await room.store.entries(person.table.id), 1)
    assert found is not None
    return person, found


def middle(found: FinishedDeal, seat: int) -> int:
    """The frame before a decision of a seat, in the middle of the deal."""
    steps = list(found.record.replay(1))
    later = range(len(steps) // 2, len(steps))
    at = next(at for at in later if steps[at].state.actor == seat and len(steps[at].state.legal_ints()) > 1)
    return found.frames[at] - 1


@at_each_store
async def test_with_the_same_cards_all_is_as_it_was_and_the_guest_plays_on(room: Room):
    person, found = await finished(room)
    seat = found.guests.index("ann")
    frame = middle(found, seat)
    made = await room.tables.try_again(person.table.id, 1, frame, Guest("ann", "Ann"), redealt=False)
    assert made is not None
    again = await room.join(made, "Ann")
    step = next(step for step in found.record.replay(1) if found.frames[step.number - 1] == frame + 1)
    state = again.table.log.state
    assert state.match is not None
    assert state.tried is not None
    assert state.match.state == step.state
    assert again.seat == seat
    assert again.shared["totals"] == [0, 0]
    assert (state.tried.deal, state.tried.frame, state.tried.seat, state.tried.redealt) == (
        1,
        frame,
        seat,
        False,
    )
    assert state.tried.points == list(found.record.deals[0].outcome.points)
    assert [one.level for one in state.seats if one.kind == "bot"] == ["greedy"]
    assert state.match.undoable == ()
    done(await again.ask(messages.Hint, asked=again.shared["asked"], depth="numbers"))
    await play_match(room, [again])
    text = record(made, await room.store.entries(made), 1)
    assert text is not None
    read = Record.from_text(text)
    assert read.verify() == []
    assert dict(read.deals[0].tags)["TriedAgain"].endswith("the same cards")
    assert code(await again.ask(messages.Vote, on="rematch", yes=True)) == "table.vote"


@at_each_store
async def test_it_counts_for_nothing_and_survives_a_restart(room: Room):
    person, found = await finished(room)
    before = await room.store.results.of_guest("ann")
    frame = middle(found, found.guests.index("ann"))
    made = await room.tables.try_again(person.table.id, 1, frame, Guest("ann", "Ann"), redealt=True)
    assert made is not None
    again = await room.join(made, "Ann")
    await room.crash()
    again = await room.join(made, "Ann")
    await play_match(room, [again])
    assert await room.store.results.of_guest("ann") == before
    assert made not in {row.id for row in await room.store.tables(guest="ann")}
    assert (await room.tables.deals(made)).finished == ()
    replayed = await room.tables.replay(made, 1)
    assert replayed is not None
    assert replayed.options.tried is not None
    assert replayed.options.tried.redealt


@at_each_store
async def test_a_deal_that_is_played_cannot_be_tried_again(room: Room):
    person = await room.table(start=True, bots=(None, "greedy"))
    await room.deal([person])
    assert await room.tables.try_again(person.table.id, 1, 0, Guest("ann", "Ann"), redealt=False) is None
    finished_one, found = await finished(room)
    for frame in (found.frames[-1], 9999):
        with pytest.raises(TableError) as refused:
            await room.tables.try_again(finished_one.table.id, 1, frame, Guest("ann", "Ann"), redealt=False)
        assert refused.value.code == "review.step"


@pytest.mark.parametrize(
    ("profile", "players"), [("500-rum", 3), ("persian-rummy", 4), ("michigan-rum", 2), ("500-rum", 2)]
)
@at_each_store
async def test_redealt_cards_agree_with_the_seats_view(room: Room, profile: str, players: int):
    _, found = await finished(room, profile=profile, players=players, target=None)
    steps = list(found.record.replay(1))
    moved = 0
    for at in range(0, len(steps), max(1, len(steps) // 6)):
        state = steps[at].state
        entry = tried_again("t", found, found.frames[at] - 1, Rng(at))
        assert isinstance(entry, entries.TriedAgain)
        assert len(entry.plays) == at
        assert sorted(entry.deck) == sorted(found.record.deals[0].deck)
        twin = State.new(found.record.rules, players, entry.deck, entry.dealer, entry.totals)
        for number, play in enumerate(entry.plays):
            if number in entry.stocks:
                twin.restock_order(entry.stocks[number])
            twin.apply_int(play)
        assert twin.view(state.actor) == state.view(state.actor)
        moved += twin.hands != state.hands
    assert moved >= 3
