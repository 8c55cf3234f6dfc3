"""Reviews that a server makes: on its own, on request, in separate processes, and stored."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import msgspec
import pytest

from rum500 import Record, ruleset
from rum500.review.breakdown import match_breakdown
from rum500.review.judge import Judge
from rum500.review.verdict import Budget
from rum500.rules.action_codes import encode
from rum500.server import messages, work_scheduler
from rum500.server.messages.review import DealReview
from rum500.server.messages.table_error import TableError
from rum500.server.reviewing import answers
from rum500.server.reviewing import reviews as reviewing_reviews
from rum500.server.reviewing.review_work import belief_at, verdict_at
from rum500.server.reviewing.reviewed_deal import ReviewedDeal
from rum500.server.reviewing.reviews import Reviews
from rum500.server.reviewing.stored import Decision
from rum500.server.thinking.bot_processes import ProcessExecutor
from rum500.server.work_scheduler import Asker, Busy, WorkScheduler
from rum500.store import Store, read_manifest, restore_backup
from tests.support.club_records import played_record
from tests.support.depth import depth
from tests.support.indistinguishable_deals import permuted
from tests.support.live import Person, Room, at_tables
from tests.support.waiting import comes_true
from tests.test_live_races import one_step

pytestmark = pytest.mark.compiled

BUDGET = "64"
ANN = Asker.of("ann")


class Server:
    """How much the server's event loop works."""

    load = 0.0


@asynccontextmanager
async def reviewing(room: Room, done: Counter[str] | None = None, count: int = 1) -> AsyncIterator[Reviews]:
    """Reviews of a room's tables, with real processes, which tests beside them do not slow down."""
    seen = Counter[str]() if done is None else done
    scheduler = WorkScheduler({"interactive": 1, "background": count}, load=lambda: Server.load)
    processes = ProcessExecutor(scheduler, niceness={"interactive": 0, "background": 0})
    reviews = Reviews(room.store, room.tables, processes, lambda kind: seen.update([kind]), BUDGET)
    room.tables.services.deal_ended = reviews.ended
    try:
        yield reviews
    finally:
        await reviews.close()
        await processes.close()


async def finish_deals(room: Room, people: list[Person], number: int) -> None:
    """Play until so many deals are finished."""
    while len(people[0].shared["scores"]) < number and people[0].shared["status"] == "playing":
        await one_step(room, people)


@at_tables
async def test_a_whole_review_of_an_earlier_judge_stays_readable(room: Room):
    """One that was not finished is measured again, and never mixed."""
    async with reviewing(room) as reviews:
        people = await room.at_play()
        await finish_deals(room, people, 1)
        table = people[0].table.id
        made = await judged(reviews, table, 1)
        await comes_true(lambda: made.saved == len(made.verdicts))
    account, marks = await room.store.reviews.of_table(table, None)
    if account.kind != "account":
        account, marks = marks, account
    # As before there were lines, ways, plans and changes.
    before = json.loads(account.data)
    del before["info"]["company"], before["info"]["match"]
    for seat in before["info"]["seats"]:
        del seat["line"]
    account = msgspec.structs.replace(account, data=json.dumps(before).encode())
    old = json.loads(marks.data)
    for verdict in old["verdicts"]:
        del verdict["ways"], verdict["plan"], verdict["change"]
    marks = msgspec.structs.replace(marks, judge="earlier", data=json.dumps(old).encode())
    await room.store.reviews.save(msgspec.structs.replace(account, judge="earlier"))
    for whole in (True, False):
        await room.store.reviews.save(msgspec.structs.replace(marks, done=whole))
        async with reviewing(room) as again:
            (deal,) = await again.deals(table, [1])
            assert (deal.breakdown is not None, deal.marks == "done") == (whole, whole)
            if whole:
                assert [one.mark for one in deal.verdicts] == [one.mark for one in made.verdicts]
                assert not any(one.ways or one.plan or one.change for one in deal.verdicts)
                assert deal.breakdown is not None and not any(one.line for one in deal.breakdown.info.seats)


def _cards(deal: ReviewedDeal) -> list[float]:
    return [] if deal.breakdown is None else [one.cards for one in deal.breakdown.info.seats]


async def answered(reviews: Reviews, table: str, number: int, guest: str | None = None) -> DealReview:
    deals = await reviews.finished(table, number)
    return answers.deal_review((await reviews.deals(table, [number]))[0], deals, guest, 0)


async def judged(reviews: Reviews, table: str, number: int, asker: Asker = ANN) -> ReviewedDeal:
    """A deal whose decisions are all judged."""
    deal = await reviews.deal(table, number)
    reviews.ask(deal, asker, None)
    await comes_true(lambda: deal.marks in ("done", "failed"))
    return deal


@at_tables
async def test_breakdowns_come_by_themselves_and_verdicts_when_asked(room: Room):
    """They are what the library says about the record."""
    done = Counter[str]()
    async with reviewing(room, done) as reviews:
        people = await room.at_play(target=1000)
        await finish_deals(room, people, 2)
        table = people[0].table.id
        both = [await reviews.deal(table, number) for number in (1, 2)]
        await comes_true(lambda: [deal.breakdown_status for deal in both] == ["done", "done"])
        assert done["breakdown"] >= 2
        text = await room.tables.record(table)
        assert text is not None
        record = Record.from_text(text)
        expected = match_breakdown(record)
        cards = [[one.as_dict()["cards"] for one in breakdown.seats] for breakdown in expected.deals]
        await comes_true(lambda: [_cards(deal) for deal in both] == cards)
        for deal, breakdown in zip(both, expected.deals, strict=True):
            assert deal.breakdown is not None
            found = [one.as_dict() for one in breakdown.seats]
            assert [one.margin for one in deal.breakdown.info.seats] == [one["margin"] for one in found]
            assert [one.own_play for one in deal.breakdown.info.seats] == [one["own_play"] for one in found]
            assert deal.marks == "none"
        deal = await judged(reviews, table, 1)
        review = await answered(reviews, table, 1, "ann")
        assert review.you == people[0].seat
        assert review.state.judged == review.state.decisions == len(review.verdicts) > 10
        replay = await room.tables.replay(table, 1)
        assert replay is not None
        steps = {step.number: step for step in record.replay(1)}
        judge = Judge(Budget.of(BUDGET))
        for one in review.verdicts:
            step = steps[one.step]
            event = replay.frames[one.frame].event
            assert event is not None
            assert (event.seat, event.kind) == (one.seat, one.played.kind)
            assert one.played.code == str(encode(step.action))
            if one.step % 7 == 0:
                own = judge.judge(step.state.view(one.seat), encode(step.action), 1, one.step)
                assert own is not None
                assert (one.mark, one.best.text, one.loss) == (str(own.mark), own.best, round(own.loss, 2))
        assert review.breakdown is not None
        tallies = [seat.tally for seat in review.breakdown.seats]
        assert all(tallies) and sum(tally.counted for tally in tallies if tally) <= review.state.decisions
        await comes_true(lambda: deal.log is None)
        assert_that_a_find_is_as_good_as_the_best(deal)


def assert_that_a_find_is_as_good_as_the_best(deal: ReviewedDeal) -> None:
    """A play that may lose points, though that is too close to tell, is no find."""
    assert deal.breakdown is not None
    bound = deal.breakdown.judge.bounds[0]
    better = msgspec.structs.replace(deal.breakdown.decisions[0], gain=bound + 1, half=1.0)
    for loss, found in ((0.0, True), (bound, False)):
        verdict = msgspec.structs.replace(deal.verdicts[0], mark="good", loss=loss)
        ReviewedDeal("", 1, deal.breakdown).add(better, verdict)
        assert verdict.found is found


@at_tables
async def test_a_process_that_is_killed_is_started_again_and_its_work_repeated(room: Room):
    done = Counter[str]()
    async with reviewing(room, done) as reviews:
        people = await room.at_play(target=1000)
        await finish_deals(room, people, 1)
        table = people[0].table.id
        deal = await reviews.deal(table, 1)
        reviews.ask(deal, ANN, None)
        await comes_true(lambda: len(deal.verdicts) >= 2)
        os.kill(reviews._processes.pids[0], signal.SIGKILL)
        await comes_true(lambda: deal.marks == "done")
        assert deal.breakdown is not None
        assert sorted(one.step for one in deal.verdicts) == [one.step for one in deal.breakdown.decisions]


@at_tables
async def test_review_continues_after_a_restart_when_requested_again(room: Room):
    people = await room.at_play(target=1000)
    async with reviewing(room) as reviews:
        await finish_deals(room, people, 1)
        table = people[0].table.id
        deal = await reviews.deal(table, 1)
        reviews.ask(deal, ANN, None)
        await comes_true(lambda: len(deal.verdicts) >= 3)
    kept = [msgspec.json.encode(one) for one in deal.verdicts]
    done = Counter[str]()
    async with reviewing(room, done) as reviews:
        again = await reviews.deal(table, 1)
        assert (again.breakdown_status, again.marks) == ("done", "none")
        assert [msgspec.json.encode(one) for one in again.verdicts] == kept
        assert (await answered(reviews, table, 1)).next == len(kept)
        assert again.breakdown is not None
        await judged(reviews, table, 1)
        assert done["verdict"] == len(again.breakdown.decisions) - len(kept)
    async with reviewing(room, done) as reviews:
        assert (await reviews.deal(table, 1)).marks == "done"
        (found,) = await room.store.reviews.sums("ann")
        assert found.marks is not None and found.marks["counted"] > 0


@pytest.mark.whole
@at_tables
async def test_while_the_server_is_busy_a_process_rests_but_answers_who_looks(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(work_scheduler, "REST", 1e6)
    done = Counter[str]()
    async with reviewing(room, done) as reviews:
        people = await room.at_play(target=1000)
        await finish_deals(room, people, 1)
        await comes_true(lambda: done["breakdown"] == 1)
        monkeypatch.setattr(Server, "load", 0.9)
        await finish_deals(room, people, 2)
        table = people[0].table.id
        one, two = await reviews.deal(table, 1), await reviews.deal(table, 2)
        reviews.ask(one, ANN, None)
        assert one.breakdown is not None
        assert await reviews.look(
            ANN, one, "belief", one.breakdown.decisions[0].step, one.breakdown.decisions[0].seat
        )
        assert (dict(done), two.breakdown, one.verdicts) == ({"breakdown": 1, "look": 1}, None, [])
        monkeypatch.setattr(Server, "load", 0.1)
        await comes_true(lambda: two.breakdown and one.marks == "done")


@at_tables
async def test_ones_own_decisions_come_first_and_askers_take_turns(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    take, taken = ReviewedDeal.take, list[tuple[int, Decision]]()

    def observed(deal: ReviewedDeal) -> Decision:
        taken.append((deal.number, take(deal)))
        return taken[-1][1]

    monkeypatch.setattr(ReviewedDeal, "take", observed)
    async with reviewing(room) as reviews:
        people = await room.at_play(target=1000)
        await finish_deals(room, people, 2)
        table = people[0].table.id
        one, two = await reviews.deal(table, 1), await reviews.deal(table, 2)
        # The second breakdown can change what is known of the players, so that the first is measured again.
        await comes_true(lambda: one.breakdown_status == two.breakdown_status == "done")
        assert one.breakdown is not None
        reviews.ask(one, ANN, 1)
        reviews.ask(two, Asker.of("ben"), 0)
        await comes_true(lambda: one.marks == two.marks == "done")
        own = sum(decision.seat == 1 for decision in one.breakdown.decisions)
        of_one = [decision for number, decision in taken if number == 1]
        assert [decision.seat for decision in of_one] == [1] * own + [0] * (len(one.verdicts) - own)
        gains = [decision.gain for decision in of_one[:own]]
        assert gains == sorted(gains)
        assert {number for number, _ in taken[: len(taken) // 4]} == {1, 2}


def test_waiting_reviews_are_limited_by_guest_and_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reviews, "_wake", lambda _: None)
    monkeypatch.setattr(reviewing_reviews, "GUEST_S", 10.0)
    monkeypatch.setattr(reviewing_reviews, "ADDRESS_S", 40.0)  # a deal counts as 18 s

    async def body() -> None:
        scheduler = WorkScheduler({"interactive": 1, "background": 1})
        reviews = Reviews(None, None, SimpleNamespace(scheduler=scheduler), lambda _: None)  # type: ignore[arg-type]
        numbers = iter(range(1, 100))

        def ask(who: Asker) -> None:
            reviews.ask(ReviewedDeal("table", next(numbers)), who, None)

        ask(ANN)
        with pytest.raises(Busy):
            ask(ANN)
        for guest in ("ben", "cleo"):
            ask(Asker(guest, ANN.address))
        with pytest.raises(Busy):
            ask(Asker("dan", ANN.address))
        ask(Asker.of("eve"))
        await scheduler.close()

    asyncio.run(body())


@at_tables
async def test_nothing_of_a_deal_that_is_played_or_was_given_up(room: Room):
    async with reviewing(room) as reviews:
        people = await room.at_play(target=1000)
        table = people[0].table.id
        with pytest.raises(TableError) as refused:
            await reviews.finished(table, 1)
        assert refused.value.code == "review.playing"
        await finish_deals(room, people, 1)
        while people[0].shared["waiting_for"] != "play":
            await one_step(room, people)
        assert (await reviews.finished(table, 1)).playing == 2
        for person in people:
            await person.ask(messages.Vote, on="abandon", yes=True)
        assert people[0].shared["status"] == "abandoned"
        with pytest.raises(TableError) as refused:
            await reviews.finished(table, 2)
        assert refused.value.code == "review.unfinished"
        with pytest.raises(TableError) as refused:
            await reviews.finished(table, 3)
        assert refused.value.code == "deal.unknown"
        deals = await reviews.all_deals(table)
        found = answers.match_review(table, await reviews.deals(table, deals.finished), deals, "ann")
        assert [(one.deal, one.marks) for one in found.deals] == [(1, "none"), (2, "unavailable")]
        assert found.deals[1].why is not None and found.deals[1].why.code == "review.unfinished"


@pytest.mark.whole
@at_tables
async def test_reviews_are_backed_up_and_pruned_with_their_table(room: Room):
    async with reviewing(room) as reviews:
        people = await room.at_play(target=1000)
        await finish_deals(room, people, 1)
        table = people[0].table.id
        deal = await reviews.deal(table, 1)
        await comes_true(lambda: deal.breakdown_status == "done" and deal.log is None)
        folder = room.folder.parent
        file = folder / "kept.backup"
        await room.store.backup(file)
    assert read_manifest(file).tables == 1
    restore_backup(file, folder / "other" / "rum500.sqlite3", folder / "other" / "secret.key")
    other = await Store.open(folder / "other")
    try:
        (row,) = [row for row in await other.reviews.of_table(table, reviews._judge) if row.kind == "account"]
        assert json.loads(row.data)["names"] == ["Ann", "Ben"]
        assert len(await other.reviews.sums("ben")) == 1
        await other.prune(2_000_000_000_000)
        assert await other.reviews.of_table(table, reviews._judge) == await other.reviews.sums("ben") == []
        await other.reviews.save(row)
        assert await other.reviews.of_table(table, reviews._judge) == []
        assert (await other.check()).problems == []
    finally:
        await other.close()


@at_tables
async def test_a_server_without_processes_for_them_makes_no_reviews(room: Room):
    async with reviewing(room, count=0) as reviews:
        people = await room.at_play(target=1000)
        await finish_deals(room, people, 1)
        with pytest.raises(TableError) as refused:
            await reviews.finished(people[0].table.id, 1)
        assert refused.value.code == "review.off"


@pytest.mark.parametrize(("name", "players"), [("500-rum", 2), ("persian-rummy", 4), ("rummy-500", 3)])
def test_what_a_seat_could_not_see_changes_no_verdict_and_no_belief(name: str, players: int):
    record = played_record(ruleset(name), players, ("greedy", "club"), 1)
    judge, chance, changed = Judge(Budget.of("32")), random.Random(4), 0
    steps = [step for step in record.replay() if len(step.state.legal_ints()) > 1]
    for step in steps[:: max(1, len(steps) // depth(5, 40))]:
        state, played, seat = step.state, encode(step.action), step.state.actor
        twin = permuted(state, seat, (), chance)
        changed += twin.hands != state.hands
        assert verdict_at(state, played, judge, 1, 1) == verdict_at(twin, played, judge, 1, 1)
        one, other = belief_at(state, seat, 1, 1), belief_at(twin, seat, 1, 1)
        for hand in (*one.hands, *other.hands):
            hand.held = []
        assert one == other
    assert changed


def test_a_belief_adds_up():
    record = played_record(ruleset("persian-rummy"), 4, ("greedy", "club"), 2)
    for step in list(record.replay())[::9]:
        found = belief_at(step.state, 1, step.number, 0)
        assert [hand.seat for hand in found.hands] == [0, 2, 3]
        for hand in found.hands:
            assert sum(hand.expected) == pytest.approx(hand.size, abs=0.01)
            assert sum(hand.held) == hand.size
            for known, held, expected in zip(hand.known, hand.held, hand.expected, strict=True):
                assert known <= held and known - 0.001 <= expected
