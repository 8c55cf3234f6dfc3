"""My mistakes: when each is due again, which answers are right, and that no solution is sent before them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from rum500.server.messages.mistakes import MistakeAnswer, MistakeName, MistakesToday
from rum500.server.messages.table_error import TableError
from rum500.server.practice.mistakes import Mistakes
from rum500.server.practice.schedule import A_DAY, answered, day_of, rating_of
from rum500.server.reviewing.reviews import Reviews
from rum500.server.reviewing.stored import StoredMistake, read_mistake
from rum500.server.work_scheduler import Asker
from rum500.store import MistakeRow
from tests.support.live import ManualClock, Room, at_tables
from tests.support.waiting import comes_true
from tests.test_reviews import finish_deals, reviewing

A_DAY_S = 86_400.0

ANN = Asker.of("ann")


def row(**changes: object) -> MistakeRow:
    fields = {"guest_id": "ann", "table_id": "t", "deal": 1, "step": 1, "seen": 0, "due": 100, "data": b""}
    return MistakeRow(**fields | changes)  # type: ignore[arg-type]


def days_between(ratings: str) -> list[int | None]:
    """The days after each of these answers until the mistake comes back, each given on the day it is due."""
    one, day, found = row(), 100, []
    for rating in ratings.split():
        one = answered(one, rating, day, 7)  # type: ignore[arg-type]
        found.append(None if one.due is None else one.due - day)
        day = one.due or day
    assert one.answers == len(found)
    assert one.right == len(found) - ratings.count("again")
    return found


def test_mistakes_come_back_after_longer_and_longer_times_until_they_sit():
    assert days_between("good good good") == [4, 31, None]
    assert days_between("easy easy") == [16, None]
    assert days_between("hard hard hard hard hard") == [2, 9, 23, 47, None]
    assert days_between("good good again good") == [4, 31, 1, 8]


def test_a_day_is_one_of_the_guests_calendar():
    evening = 1_800_000_000_000  # 2027-01-15 08:00 UTC
    assert day_of(evening, "UTC") == day_of(evening, "No/Such") == 740_000 - 4
    assert day_of(evening, "Pacific/Auckland") == day_of(evening, "UTC")
    late = evening + 5 * 3_600_000
    assert day_of(late, "Pacific/Auckland") == day_of(late, "UTC") + 1


def test_time_and_hints_decide_how_well_a_mistake_was_remembered():
    rated = [
        rating_of(right=right, hinted=hinted, seconds=seconds)
        for right, hinted, seconds in (
            (True, False, 5.0),
            (True, False, 5.1),
            (True, True, 1.0),
            (False, False, 1.0),
            (False, True, 1.0),
        )
    ]
    assert rated == ["easy", "good", "hard", "again", "again"]


# --- on the real store, with real reviews -----------------------------------------------------------


@asynccontextmanager
async def practising(room: Room) -> AsyncIterator[tuple[Mistakes, Reviews, str, ManualClock]]:
    """Ann's mistakes in deals against Ben, judged from the last one on until there are two; and the table."""
    people = await room.at_play(("Ann", "Ben"), target=5000)
    table = people[0].table.id
    async with reviewing(room) as reviews:
        await finish_deals(room, people, 6)
        deals = await reviews.all_deals(table)
        for deal in reversed(await reviews.deals(table, deals.finished)):
            reviews.ask(deal, ANN, None)
            await comes_true(lambda: deal.marks == "done" and deal.saved == len(deal.verdicts))  # noqa: B023
            if len(await room.store.mistakes.of_guest("ann")) > 1:
                break
        clock = ManualClock()
        yield Mistakes(room.store, reviews, clock), reviews, table, clock


def solution(stored: StoredMistake) -> tuple[str, str]:
    """The code of the best play, and of what was played."""
    return stored.verdict.best.code, stored.verdict.played.code


async def stored_of(room: Room, name: MistakeName) -> StoredMistake:
    found = await room.store.mistakes.get("ann", name.table, name.deal, name.step)
    assert found is not None
    return read_mistake(found.data)


def given(name: MistakeName, play: str, seconds: float = 9.0, zone: str = "UTC") -> MistakeAnswer:
    return MistakeAnswer(name.table, name.deal, name.step, play, seconds, zone)


async def next_name(mistakes: Mistakes) -> tuple[MistakesToday, MistakeName]:
    today = await mistakes.today("ann", "UTC", ANN)
    assert today.next is not None
    return today, today.next.name


@pytest.mark.compiled
@at_tables
async def test_mistakes_of_ones_own_seat_come_back_and_are_judged(room: Room):
    async with practising(room) as (mistakes, reviews, table, clock):
        await answers_decide_when_they_come_back(room, mistakes, reviews, table, clock)
        await never_more_than_twenty_a_day(room, mistakes, clock)
        # Hidden from the history, a match's mistakes do not come back; forgotten guests' mistakes are gone.
        await room.store.results.remove("ann", table)
        left = await room.store.mistakes.of_guest("ann")
        assert {one.table_id for one in left} == {"older"}
        (exported, *_) = await mistakes.export("ann")
        assert exported["played"] != exported["best"]
        assert (exported["table"], exported["mark"]) == ("older", read_mistake(left[0].data).verdict.mark)
        await room.store.append(table, [], people=[])
        await room.store.prune(clock.wall() + 1)
        assert await room.store.mistakes.of_guest("ann") == []


async def answers_decide_when_they_come_back(
    room: Room, mistakes: Mistakes, reviews: Reviews, table: str, clock: ManualClock
) -> None:
    deals = await reviews.all_deals(table)
    reviewed = await reviews.deals(table, deals.finished)
    own = {
        (deal.number, one.step): one
        for deal in reviewed
        for one in deal.verdicts
        if deal.breakdown.guests[one.seat] == "ann" and one.mark in ("mistake", "blunder")
    }
    today, name = await next_name(mistakes)
    assert today.left == min(len(own), A_DAY)
    assert (today.done, today.waiting, today.learned) == (0, len(own), 0)
    # What is sent before the answer has what the seat saw then, and not what it should have played.
    question, stored = today.next, await stored_of(room, name)
    assert question is not None
    assert stored.verdict == own[name.deal, name.step]
    assert question.position.you.seat == stored.verdict.seat
    sent = json.loads(msgspec.json.encode(question))
    assert set(sent) == {"name", "position", "answers", "hint"}
    assert sent["hint"] is None
    assert sent["position"]["shared"]["hands"] is None
    best, played = solution(stored)
    # The same mistake again: wrong, and back on the next day.
    result = await mistakes.answer("ann", given(name, played), ANN)
    assert (result.right, result.rating, result.days) == (False, "again", 1)
    assert result.verdict == result.then == stored.verdict
    after = await mistakes.today("ann", "UTC", ANN)
    assert (after.left, after.done, after.waiting) == (min(len(own), A_DAY) - 1, 1, len(own))
    assert after.next is not None
    assert after.next.name != name
    with pytest.raises(TableError, match="today"):
        await mistakes.answer("ann", given(name, best), ANN)
    # A hint makes a right answer a hard one.
    name = after.next.name
    best, played = solution(await stored_of(room, name))
    hint = await mistakes.hint("ann", name)
    assert (hint.played.code, hint.right > 0) == (played, True)
    assert (await next_name(mistakes))[0].next.hint == hint
    result = await mistakes.answer("ann", given(name, best, seconds=2), ANN)
    assert (result.right, result.rating, result.verdict, result.days) == (True, "hard", None, 2)
    clock.time += A_DAY_S
    again = await mistakes.today("ann", "UTC", ANN)
    assert again.done == 0
    assert again.left == min(len(own) - 1, A_DAY)


async def plays_that_are_judged(mistakes: Mistakes, rows: list[MistakeRow]) -> None:
    """Whatever is as good as the best is right; any other play is judged as it is given."""
    good, bad = rows
    stored = read_mistake(good.data)
    name = MistakeName(good.table_id, good.deal, good.step)
    code = next(one.play.code for one in reversed(stored.verdict.candidates) if one.as_good)
    result = await mistakes.answer("ann", given(name, code, 3), ANN)
    assert (result.right, result.rating, result.answer.code) == (True, "easy", code)
    stored = read_mistake(bad.data)
    known = {one.play.code for one in stored.verdict.candidates if one.as_good} | {stored.verdict.played.code}
    code = next(code for each in stored.position.view().legal if (code := str(each)) not in known)
    name = MistakeName(bad.table_id, bad.deal, bad.step)
    result = await mistakes.answer("ann", given(name, code), ANN)
    assert result.right == (result.verdict is None) == (result.rating != "again")
    if result.verdict is not None:
        assert result.verdict.played == result.answer
        assert result.verdict.loss > 0
    with pytest.raises(TableError, match="not there"):
        await mistakes.answer("ben", given(name, code), ANN)


async def never_more_than_twenty_a_day(room: Room, mistakes: Mistakes, clock: ManualClock) -> None:
    clock.time += 30 * A_DAY_S
    rows = await room.store.mistakes.of_guest("ann")
    one = max(rows, key=lambda each: len(read_mistake(each.data).position.view().legal))
    day = day_of(clock.wall(), "UTC")
    more = [msgspec.structs.replace(one, table_id="older", step=step, due=day - 90) for step in range(1, 31)]
    await room.store.mistakes.add(more)
    await plays_that_are_judged(mistakes, more[:2])
    for number in range(2, A_DAY):
        today, name = await next_name(mistakes)
        assert (today.left, today.done, name.table) == (A_DAY - number, number, "older")
        await mistakes.answer("ann", given(name, solution(await stored_of(room, name))[0]), ANN)
    today = await mistakes.today("ann", "UTC", ANN)
    assert (today.left, today.next) == (0, None)
    assert today.waiting >= 30
    assert today.back == "2027-02-16"
