"""Results, reviews, mistakes, puzzles and messages in the store, on each engine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rum500.store import (
    DayAttempt,
    GuestRow,
    MistakeRow,
    NoticeRow,
    PruneReport,
    PuzzleAnswer,
    PuzzleRating,
    ResultRow,
    ReviewRow,
    ReviewSum,
    Store,
    StoreError,
)
from rum500.store._batches import Batches
from tests.support.storing import browser, entry, row, with_store
from tests.support.waiting import other_tasks


def result(table: str, **fields: Any) -> ResultRow:
    common: dict[str, Any] = {
        "status": "over",
        "profile": "500-rum",
        "title": "500 Rum",
        "players": 3,
        "accounts": 3,
        "deals": 2,
        "place": 1,
        "won": True,
        "points": 510,
        "margin": 20,
        "best_deal": 90,
        "partners": [],
        "opponents": ["Ben"],
        "with_people": True,
        "level": None,
    }
    return ResultRow(guest_id="ann", table_id=table, ended=int(table[1:]), **common | fields)


def mistake(step: int, **fields: Any) -> MistakeRow:
    whose = {"guest_id": "ann", "table_id": "t1", "deal": 1, "step": step}
    return MistakeRow(**whose | {"seen": step, "due": 10 * step, "data": b"\0"} | fields)


def answer(puzzle: str, **fields: Any) -> PuzzleAnswer:
    play = "lay 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    figures = {"at": 5, "solved": True, "mean": 1.5, "deviation": 0.25, "before": -0.5}
    return PuzzleAnswer(guest_id="ann", puzzle=puzzle, play=play, **figures | fields)


def test_results_and_reviews(place: Path | str) -> None:
    async def work(store: Store) -> None:
        for number in range(1, 5):
            await store.create_table(row(f"t{number}", people=["ann"], status="over"))
        first, second = result("t1"), result("t2", won=False, points=-40, with_people=False, level="club")
        third = result("t3", profile="persian-rummy", title="Persian Rummy", place=None, margin=None)
        await store.results.save([first, second, third])
        await store.results.save([result("t1", points=0)])
        assert await store.results.of_guest("ann") == [third, second, first]
        assert await store.results.of_guest("ann", with_people=True, limit=1, skip=1) == [first]
        assert await store.results.count("ann", profile="500-rum") == 2
        figures = await store.results.figures("ann")
        assert [(one.matches, one.won, one.deals, one.points) for one in figures] == [
            (2, 1, 4, 470),
            (1, 1, 2, 510),
        ]
        assert [round(one.even, 9) for one in figures] == [0.666666667, 0.333333333]
        assert all(type(value) in (str, int, float) for value in msgspec.structs.astuple(figures[0]))
        assert await store.results.missing("ann") == ["t4"]
        sums = [
            ReviewSum(
                guest_id="ann", table_id="t1", deal=deal, at=deal, play=-0.5, play_error=0.1, decisions=9,
                marks={"mistake": 1} if marked else None, mistakes=None,
            )
            for deal, marked in ((1, True), (2, True))
        ]  # fmt: skip
        review = ReviewRow(table_id="t1", deal=1, kind="marks", judge="4", done=True, at=7, data=b"\xff")
        await store.reviews.save(review, sums)
        await store.reviews.save(msgspec.structs.replace(review, table_id="gone"), sums)
        assert await store.reviews.of_table("t1", "4") == [review]
        assert await store.reviews.of_table("t1", "4", 2) == await store.reviews.of_table("gone", "4") == []
        assert await store.reviews.sums("ann") == await store.reviews.sums("ann", ["t1"]) == sums
        assert await store.results.of_guest("ann", reviewed=True) == [first]
        assert await store.results.count("ann", reviewed=False) == 2
        await store.results.remove("ann", "t1")
        assert await store.results.count("ann") == 2
        assert await store.reviews.sums("ann") == await store.tables(guest="ann", status=["open"]) == []

    with_store(place, work)


def test_mistakes_and_puzzles(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await store.mistakes.add([mistake(2), mistake(1)])
        await store.mistakes.add([mistake(2, due=99), mistake(3, due=None)])
        changed = mistake(
            1, seen=9, due=5, last=4, stability=0.5, difficulty=2.5, answers=1, right=1, hinted=True
        )
        await store.mistakes.save(changed)
        assert await store.mistakes.of_guest("ann") == [mistake(2), mistake(3, due=None), changed]
        assert await store.mistakes.get("ann", "t1", 1, 2) == mistake(2)
        assert await store.mistakes.get("ann", "t1", 2, 2) is None
        assert await store.mistakes.due("ann", 20, 9) == [changed, mistake(2)]
        assert sorted(await store.mistakes.days("ann"), key=str) == [
            ("t1", 1, 20, None),
            ("t1", 1, 5, 4),
            ("t1", 1, None, None),
        ]
        await store.puzzles.save(answer("p1"), PuzzleRating("p1", 0.5, 2.0))
        await store.puzzles.save(answer("p2", at=4), PuzzleRating("p2", 0.5, 2.0))
        await store.puzzles.save(answer("p1", solved=False), PuzzleRating("p1", 0.75, 1.0))
        assert await store.puzzles.of("ann") == [answer("p2", at=4), answer("p1")]
        assert [await store.puzzles.counts(name) for name in ("p1", "p2", "p3")] == [(1, 1), (1, 1), (0, 0)]
        assert await store.puzzles.ratings() == {
            "p1": PuzzleRating("p1", 0.75, 1.0),
            "p2": PuzzleRating("p2", 0.5, 2.0),
        }
        for day in (7, 9, 7):
            await store.puzzles.save_day("ann", day)
        assert await store.puzzles.days("ann") == [9, 7]
        await store.puzzles.vote("ann", "p1", -1)
        assert await store.puzzles.with_votes_below(0) == {"p1"}
        assert await store.prune(10) == await store.prune(10) == PruneReport(0, 0)
        assert await store.mistakes.of_guest("ann") == await store.puzzles.of("ann") == []
        assert await store.puzzles.days("ann") == []

    with_store(place, work)


def test_messages_due_tables_and_guests(place: Path | str) -> None:
    async def work(store: Store) -> None:
        rows = [browser("ann", seen, endpoint=f"https://x/{seen}") for seen in (1, 2, 3)]
        for one in rows:
            await store.notices.save_browser(one, 2)
        assert sorted(await store.notices.browsers("ann"), key=str) == rows[1:]
        await store.notices.remove_browser(rows[1].endpoint)
        assert await store.notices.browsers("ann") == rows[2:]
        for due in (5, 6):
            await store.notices.save(NoticeRow("ann", "t2", due))
        assert await store.notices.all() == [NoticeRow("ann", "t2", 6)]
        await store.notices.remove("ann", "t2")
        assert await store.notices.all() == []
        await store.create_table(row("t2"))
        await store.append("t2", [entry(1)], due=70, updated=5)
        assert (await store.due(70), await store.due(69)) == (["t2"], [])
        assert (await store.next_due(69), await store.next_due(70)) == (70, None)
        assert await store.first_entries(["t2", "t3"]) == {"t2": entry(1)}
        await store.save_guest("ann", "Ann", 5)
        await store.sign_out("ann", 6)
        await store.save_guest("ann", "Ann", 7)
        assert await store.guest("ann") == GuestRow("ann", "Ann", 5, 7, 6)

    with_store(place, work)


# --- batches --------------------------------------------------------------------------------------------


def test_batched_queries_never_get_an_older_answer() -> None:
    async def run() -> None:
        batches: list[list[int]] = []
        may_go = asyncio.Event()

        async def ask(numbers: Sequence[int]) -> dict[int, int]:
            batches.append(list(numbers))
            await may_go.wait()
            if 13 in numbers:
                raise StoreError("store.failed", "thirteen")
            return {number: len(batches) for number in numbers}

        asked: Batches[int, int] = Batches(ask, 3)
        first = asyncio.ensure_future(asked.answer(1))
        await other_tasks()
        await other_tasks()
        others = [asyncio.ensure_future(asked.answer(number)) for number in (1, 2, 2, 3, 4, 13)]
        others[1].cancel()
        await other_tasks()
        may_go.set()
        assert await first == 1
        answers = await asyncio.gather(*others, return_exceptions=True)
        assert batches == [[1], [1, 2, 3], [4, 13]]
        assert [answers[0], answers[2], answers[3]] == [2, 2, 2]
        assert isinstance(answers[1], asyncio.CancelledError)
        assert {str(each) for each in answers[4:]} == {"thirteen"}
        assert await asked.answer(5) == 4

    asyncio.run(run())


# --- deals of the day --------------------------------------------------------------------------------


def day_attempt(guest: str, day: int = 7, **fields: Any) -> DayAttempt:
    common: dict[str, Any] = {"table_id": f"t-{guest}-{day}", "status": "playing", "points": None, "at": 5}
    return DayAttempt(day=day, guest_id=guest, **common | fields)


async def play_days(store: Store, guest: str, points: int | None, day: int = 7, status: str = "over") -> None:
    """Store an attempt that ends in the transaction of its table's last entry."""
    table = f"t-{guest}-{day}"
    await store.create_table(row(table), [entry(1)])
    if status != "practised":
        await store.day_deals.begin(day_attempt(guest, day))
    ended = day_attempt(guest, day, status=status, points=points, at=6)
    await store.append(table, [entry(2)], ended=ended, status="over")


def test_the_first_seed_and_the_first_attempt_of_a_day_stay(place: Path | str) -> None:
    async def work(store: Store) -> None:
        days = store.day_deals
        assert await days.seed(7) is None
        for seed in ("aa", "bb"):
            await days.save_seed(7, seed)
        assert (await days.seed(7), await days.seed(8)) == ("aa", None)
        first = day_attempt("ann")
        await asyncio.gather(days.begin(first), days.begin(day_attempt("ann", table_id="other")))
        assert await days.attempt("ann", 7) in (first, day_attempt("ann", table_id="other"))
        assert await days.attempt("ben", 7) is None

    with_store(place, work)


def test_an_attempt_ends_with_its_table_and_is_counted_once(place: Path | str) -> None:
    async def work(store: Store) -> None:
        days = store.day_deals
        for guest, points in {"ann": 60, "ben": 60, "cleo": -5, "dan": 90}.items():
            await play_days(store, guest, points)
        await play_days(store, "eve", None, status="unfinished")
        await play_days(store, "eve", 70, day=6, status="practised")
        assert await days.counts(7) == {-5: 1, 60: 2, 90: 1}
        assert (await days.played(7), await days.played(6), await days.counts(6)) == (4, 0, {})
        assert [one.guest_id for one in await days.near(7, 60, 2)] == ["ben", "ann", "cleo"]
        assert [one.guest_id for one in await days.near(7, 60, 3)] == ["dan", "ben", "ann", "cleo"]
        eve = await days.of_guest("eve")
        assert [(one.day, one.status, one.points) for one in eve] == [
            (6, "practised", 70), (7, "unfinished", None),
        ]  # fmt: skip
        assert [one.day for one in await days.of_guest("eve", 7)] == [7]
        assert await days.at_table("t-dan-7") == day_attempt("dan", status="over", points=90, at=6)
        with pytest.raises(StoreError):  # the log goes on after entry 2: nothing of this is stored
            await store.append("t-ann-7", [entry(2)], ended=day_attempt("ann", status="over", points=99))
        assert await days.counts(7) == {-5: 1, 60: 2, 90: 1}

    with_store(place, work)


def test_bots_have_their_points_by_day_and_level(place: Path | str) -> None:
    async def work(store: Store) -> None:
        days = store.day_deals
        for points in ([1, -2], [3]):
            await days.save_bot(7, "club", points)
        await days.save_bot(8, "expert", [])
        assert await days.bots([7, 8, 9]) == {(7, "club"): [1, -2], (8, "expert"): []}
        assert await days.bots([9]) == {}

    with_store(place, work)


def test_pruning_removes_attempts_of_guests_who_are_gone_and_keeps_the_counts(place: Path | str) -> None:
    async def work(store: Store) -> None:
        await play_days(store, "ann", 60)
        await play_days(store, "ben", 70)
        await store.save_guest("ben", "Ben", 200)
        await store.prune(100, keep=lambda _: False)
        assert await store.day_deals.of_guest("ann") == []
        assert [one.points for one in await store.day_deals.of_guest("ben")] == [70]
        assert await store.day_deals.counts(7) == {60: 1, 70: 1}

    with_store(place, work)
