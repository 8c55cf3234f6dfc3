"""Expensive work: shares of addresses and guests, budgets, deadlines, cancellation, cached results."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rum500.server import work_scheduler
from rum500.server.work_scheduler import SERVER, Asker, Busy, LaneKind, Run, Turn, Work, WorkScheduler
from tests.support.waiting import PATIENCE, other_tasks

ANN, BEN = Asker("ann", "192.0.2.1"), Asker("ben", "192.0.2.2")


def scheduled(**lanes: int) -> Callable[[Callable[[Stage], Awaitable[None]]], Callable[[], None]]:
    """Run a test with a scheduler that has these lanes."""

    def mark(test: Callable[[Stage], Awaitable[None]]) -> Callable[[], None]:
        def run() -> None:
            async def body() -> None:
                stage = Stage(lanes)  # type: ignore[arg-type]
                try:
                    await asyncio.wait_for(test(stage), PATIENCE)
                finally:
                    await stage.scheduler.close()

            asyncio.run(body())

        run.__name__ = test.__name__
        return run

    return mark


class Stage:
    """A scheduler, and work that ends when a test says so."""

    def __init__(self, lanes: dict[LaneKind, int]) -> None:
        self.load = 0.0
        self.scheduler = WorkScheduler(lanes, load=lambda: self.load)
        self.begun: list[str] = []
        self.stopped: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}

    def work(self, name: str, spent: float = 1.0) -> Run:
        """Work that is stopped when nobody wants it, and costs so many processor seconds."""
        gate = self.gates.setdefault(name, asyncio.Event())

        async def run(turn: Turn) -> str:
            self.begun.append(name)
            turn.stop = lambda: (self.stopped.append(name), gate.set())
            await gate.wait()
            turn.spent = spent
            return name

        return run

    def submit(self, name: str, who: Asker, work: Work = Work.HINT, **more: Any) -> asyncio.Future[Any]:
        return self.scheduler.submit(work, who, self.work(name, more.pop("spent", 1.0)), **more)

    async def end(self, *names: str) -> None:
        """Let work end, and what follows begin."""
        for name in names:
            self.gates[name].set()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(10):
            await other_tasks()

    async def end_all(self) -> list[str]:
        """End work in the order in which it began, until none is left; return that order."""
        at = 0
        await self.settle()
        while at < len(self.begun):
            await self.end(self.begun[at])
            at += 1
        return self.begun


@scheduled(interactive=1)
async def test_addresses_take_turns_however_much_one_of_them_asks(stage: Stage) -> None:
    for number in range(6):
        stage.submit(f"a{number}", Asker(f"guest {number}", "192.0.2.1"), cost=1.0)
    stage.submit("b0", BEN, cost=1.0)
    stage.submit("b1", BEN, cost=1.0)
    order = await stage.end_all()
    assert order.index("b0") <= 1 and order.index("b1") <= 3


@scheduled(interactive=1)
async def test_guests_of_one_address_take_turns(stage: Stage) -> None:
    for number in range(5):
        stage.submit(f"a{number}", ANN, cost=1.0)
    stage.submit("c", Asker("cleo", ANN.address), cost=1.0)
    assert (await stage.end_all()).index("c") <= 2


@scheduled(push=1)
async def test_short_work_of_an_idle_address_follows_what_runs(stage: Stage) -> None:
    for number in range(6):
        stage.submit(f"a{number}", ANN, Work.PUSH, cost=1.0)
    await stage.settle()
    await stage.end("a0", "a1")
    short = [f"b{number}" for number in range(6)]
    for name in short:
        stage.submit(name, BEN, Work.PUSH, cost=0.3, spent=0.3)
    assert (await stage.end_all())[3:9] == short


@scheduled(push=1)
async def test_work_that_nobody_has_requested_comes_last(stage: Stage) -> None:
    for number in range(3):
        stage.submit(f"s{number}", SERVER, Work.PUSH, cost=1.0)
        stage.submit(f"a{number}", ANN, Work.PUSH, cost=9.0, spent=9.0)
    assert await stage.end_all() == ["s0", "a0", "a1", "a2", "s1", "s2"]


@scheduled(push=1)
async def test_shares_are_of_processor_time_and_not_of_requests(stage: Stage) -> None:
    for number in range(4):
        stage.submit(f"a{number}", ANN, Work.PUSH, cost=1.0, spent=4.0)
        stage.submit(f"b{number}", BEN, Work.PUSH, cost=1.0, spent=1.0)
    order = await stage.end_all()
    assert max(order.index(f"b{number}") for number in range(4)) <= 5


@scheduled(interactive=1)
async def test_idle_address_saves_up_no_claim(stage: Stage) -> None:
    stage.submit("b", BEN, cost=1.0)
    await stage.end("b")
    for number in range(8):
        stage.submit(f"a{number}", ANN, cost=1.0)
        await stage.end(f"a{number}")
    for number in range(4):
        stage.submit(f"A{number}", ANN, cost=1.0)
        stage.submit(f"B{number}", BEN, cost=1.0)
    order = (await stage.end_all())[9:]
    assert [name[0] for name in order].count("B") == 4
    assert {name[0] for name in order[:3]} == {"A", "B"}


@scheduled(interactive=2)
async def test_one_lane_is_kept_for_another_address(stage: Stage) -> None:
    for number in range(5):
        stage.submit(f"a{number}", Asker(f"guest {number}", "192.0.2.1"))
    await stage.settle()
    assert stage.begun == ["a0", "a1"]
    stage.submit("b", BEN)
    await stage.settle()
    assert stage.begun[2:] == ["b"]


@scheduled(interactive=2)
async def test_address_that_used_much_time_leaves_the_first_lanes_to_others(stage: Stage) -> None:
    stage.submit("a0", ANN, spent=9.0)
    stage.submit("b0", BEN, spent=0.1)
    await stage.end("a0", "b0")
    lanes: dict[str, int] = {}
    for name, who in (("a1", ANN), ("b1", BEN), ("b2", BEN)):

        async def run(turn: Turn, name: str = name) -> None:
            lanes[name] = turn.lane
            await stage.work(name)(turn)

        stage.scheduler.submit(Work.HINT, who, run)
    await stage.settle()
    assert lanes == {"a1": 2, "b1": 0, "b2": 1}
    assert [stage.scheduler.is_kept("interactive", lane) for lane in range(4)] == [True, True, False, False]


@scheduled(interactive=2)
async def test_address_that_works_all_the_time_is_heavy_for_one_that_works_now_and_then(stage: Stage) -> None:
    lanes: list[int] = []

    async def attack(turn: Turn) -> None:
        lanes.append(turn.lane)
        turn.spent = 0.1

    async def move(turn: Turn) -> None:
        turn.spent = 0.1

    for number in range(100):
        stage.scheduler.submit(Work.HINT, ANN, attack, cost=0.1)
        if number % 5 == 0:
            stage.scheduler.submit(Work.BOT, BEN, move, cost=0.25)
        await stage.settle()
    assert {lane >= 2 for lane in lanes[20:]} == {True}


@scheduled(background=1)
async def test_work_of_the_server_makes_no_guest_heavy(stage: Stage) -> None:
    lanes: list[int] = []

    async def review(turn: Turn) -> None:
        lanes.append(turn.lane)
        turn.spent = 9.0

    stage.submit("s", SERVER, Work.REVIEW, spent=0.1)
    await stage.end("s")
    for _ in range(3):
        stage.scheduler.submit(Work.REVIEW, ANN, review)
        await stage.settle()
    assert lanes == [0, 0, 0]


@scheduled(background=1)
async def test_a_review_does_not_wait_for_the_review_of_another_address(stage: Stage) -> None:
    for number in range(3):
        stage.submit(f"a{number}", ANN, Work.REVIEW)
    await stage.settle()
    assert stage.begun == ["a0"]
    stage.submit("b0", BEN, Work.REVIEW)
    await stage.settle()
    assert stage.begun == ["a0", "b0"]


@scheduled(interactive=1)
async def test_bots_come_before_hints_and_hints_before_looks_of_one_guest(stage: Stage) -> None:
    stage.submit("first", ANN)
    for work in (Work.LOOK, Work.PRACTICE, Work.HINT, Work.BOT):
        stage.submit(work, ANN, work)
    assert (await stage.end_all())[1:] == ["bot", "hint", "practice", "look"]


@scheduled(interactive=1, background=1)
async def test_reviews_wait_for_interactive_work_but_not_for_one_address_beyond_its_share(
    stage: Stage,
) -> None:
    for who in (ANN, BEN, Asker("cleo", "192.0.2.3")):
        stage.submit(who.guest, who)
    stage.submit("review", BEN, Work.REVIEW)
    await stage.settle()
    assert stage.begun == ["ann", "ben"]
    await stage.end("ann", "ben", "cleo")
    assert stage.begun[2:] == ["cleo", "review"]
    await stage.end("review")
    for number in range(4):
        stage.submit(f"a{number}", ANN)
    stage.submit("another", BEN, Work.REVIEW)
    await stage.settle()
    assert "another" in stage.begun


@scheduled(interactive=1, background=1)
async def test_background_lane_rests_while_the_server_is_busy(stage: Stage) -> None:
    stage.load = 0.9
    stage.submit("one", ANN, Work.REVIEW)
    await stage.settle()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(work_scheduler, "REST", 1e9)
        await stage.end("one")
    second = stage.submit("two", ANN, Work.REVIEW)
    await stage.settle()
    assert stage.begun == ["one"]
    stage.submit("hint", ANN)
    await stage.settle()
    assert stage.begun == ["one", "hint"]
    stage.load = 0.1
    await stage.end("hint")
    stage.gates["two"].set()
    assert await second == "two"


@scheduled(interactive=1)
async def test_same_question_is_computed_once_and_kept(stage: Stage) -> None:
    futures = [stage.submit("hint", who, key="position") for who in (ANN, ANN, BEN)]
    await stage.settle()
    await stage.end("hint")
    stage.gates["hint"].set()
    assert [await future for future in futures] == ["hint"] * 3
    assert await stage.submit("again", BEN, key="position") == "hint"
    other = stage.submit("other", BEN, key="another position")
    await stage.end("other")
    assert (await other, stage.begun) == ("other", ["hint", "other"])


@scheduled(interactive=1)
async def test_failed_work_is_not_kept(stage: Stage) -> None:
    async def fails(_turn: Turn) -> None:
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        await stage.scheduler.submit(Work.HINT, ANN, fails, key="position")
    future = stage.submit("hint", ANN, key="position")
    await stage.end("hint")
    assert await future == "hint"


@scheduled(interactive=1)
async def test_work_is_stopped_when_the_last_asker_leaves(stage: Stage) -> None:
    running, other = (stage.submit("hint", who, key="position") for who in (ANN, BEN))
    waiting = stage.submit("waiting", ANN)
    await stage.settle()
    running.cancel()
    await stage.settle()
    assert stage.stopped == []
    other.cancel()
    waiting.cancel()
    await stage.settle()
    assert stage.stopped == ["hint"]
    assert stage.begun == ["hint"] and not stage.scheduler.waiting().total()


@scheduled(interactive=1)
async def test_work_beyond_the_budget_is_refused_with_the_seconds_to_wait(stage: Stage) -> None:
    stage.submit("running", ANN, cost=1.0)
    for number in range(5):
        stage.submit(f"a{number}", ANN, cost=2.0)
    with pytest.raises(Busy) as refused:
        stage.submit("more", ANN, cost=2.0)
    assert refused.value.seconds >= 10
    assert (refused.value.code, refused.value.reason.parts.count) == ("work.busy", refused.value.seconds)
    stage.submit("bot", ANN, Work.BOT, cost=2.0)
    for number in range(3):
        for _ in range(5):
            stage.submit(f"other {number}", Asker(f"guest {number}", ANN.address), cost=2.0)
    with pytest.raises(Busy):
        stage.submit("more", Asker("new guest", ANN.address), cost=2.0)
    stage.submit("honest", BEN, cost=2.0)


@scheduled(interactive=1)
async def test_work_that_has_not_begun_by_its_deadline_fails(stage: Stage) -> None:
    stage.submit("first", ANN)
    late = stage.submit("late", ANN, deadline=0.01)
    with pytest.raises(Busy):
        await late
    await stage.end("first")
    assert stage.begun == ["first"]


@scheduled(push=32)
async def test_one_push_service_has_a_sixteenth_of_the_lanes(stage: Stage) -> None:
    for number in range(8):
        stage.submit(f"silent {number}", Asker(f"guest {number}", "https://silent.example"), Work.PUSH)
    stage.submit("honest", Asker("ann", "https://push.example"), Work.PUSH)
    await stage.settle()
    assert stage.begun == ["silent 0", "silent 1", "honest"]


@scheduled(interactive=1)
async def test_reading_in_threads_leaves_a_lane_to_another_address_and_counts_processor_time(
    stage: Stage,
) -> None:
    spent, gate = dict[str, float](), threading.Event()
    stage.scheduler._metrics = SimpleNamespace(  # type: ignore[assignment]
        worked=lambda work, _waited, seconds: spent.update({work: seconds})
    )
    first, second = (stage.scheduler.in_thread(Work.EXPORT, ANN, gate.wait) for _ in range(2))
    try:
        assert await stage.scheduler.in_thread(Work.READ, BEN, lambda: sum(range(3_000_000))) > 0
        assert stage.scheduler.waiting() == {"export": 1}
    finally:
        gate.set()
    assert [await first, await second] == [True, True]
    assert spent["read"] > spent["export"]
