"""Bots in separate processes: their failures do not stop a table."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

import rum500
from rum500 import bots
from rum500.external_bots import EngineBot
from rum500.rng import Rng
from rum500.server import messages
from rum500.server.live.log.table_options import Guest
from rum500.server.live.ownership import SoleOwner
from rum500.server.live.table_registry import TableRegistry
from rum500.server.live.turn.advice import advise
from rum500.server.messages.options import TableOptions
from rum500.server.thinking import bot_processes, executor
from rum500.server.thinking.advice_work import Advice
from rum500.server.thinking.bot_processes import HEAVY_NICENESS, ProcessExecutor
from rum500.server.thinking.bot_worker import WORN_MEMORY
from rum500.server.thinking.executor import (
    BotExecutor,
    PendingChoice,
    ThreadExecutor,
    choice,
    choose_inline,
    seconds_of,
)
from rum500.server.thinking.hint_work import hint_on
from rum500.server.work_scheduler import SERVER, Asker, Work, WorkScheduler
from rum500.store import Store
from rum500.view import View
from tests.support import slow_bots
from tests.support.depth import depth
from tests.support.live import Room, at_tables
from tests.support.waiting import PATIENCE, comes_true

MODULE = slow_bots.__name__


def a_view(profile: str = "500-rum", players: int = 2, plays: int = 6, seed: int = 3) -> View:
    state = rum500.deal(rum500.ruleset(profile), players=players, seed=seed)
    rng = Rng(seed)
    for _ in range(plays):
        state.apply_int(choice("greedy", state.view(state.actor), rng))
    return state.view(state.actor)


@asynccontextmanager
async def processes(count: int = 1, *, warm: bool = True) -> AsyncIterator[ProcessExecutor]:
    pool = ProcessExecutor(WorkScheduler({"interactive": count}), [MODULE])
    try:
        if warm:
            pool.warm("steady")
            await comes_true(lambda: pool.ready == count)
        yield pool
    finally:
        await pool.close()
        assert not pool.pids


async def chosen(pool: BotExecutor, level: str, view: View, state: int = 5) -> int:
    """What the pool says in the end."""
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    found = pool.choose(level, view, Rng(state), answer.set_result)
    return found if isinstance(found, int) else await asyncio.wait_for(answer, PATIENCE)


def ticks(pid: int) -> int:
    """The processor time of a process, in hundredths of a second."""
    return sum(map(int, (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[11:13]))


def run(body: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(body())  # type: ignore[arg-type]


def test_light_level_chooses_at_once_without_a_process():
    async def body() -> None:
        async with processes(warm=False) as pool:
            view = a_view()
            assert pool.choose("greedy", view, Rng(5), lambda _: None) == choice("greedy", view, Rng(5))
            pool.warm("greedy")
            assert not pool.pids

    run(body)


def test_illegal_choice_of_a_light_level_is_replaced():
    view = a_view()
    assert choose_inline("reckless", view, Rng(5)) == choice("greedy", view, Rng(5)) != view.legal[-1]


@pytest.mark.sample(1)
@pytest.mark.parametrize("profile", depth(rum500.profile_names()[::4], rum500.profile_names()))
def test_a_process_chooses_as_the_level_does_here(profile: str):
    async def body() -> None:
        async with processes() as pool:
            for plays in (0, 1, 5, 20):
                view = a_view(profile, max(rum500.ruleset(profile).players[0], 2), plays)
                for state in range(4):
                    expected = choice("random", view, Rng(state))
                    assert await chosen(pool, "steady", view, state) == expected

    run(body)


def test_a_thread_chooses_as_the_level_does_here():
    async def body() -> None:
        pool = ThreadExecutor(count=1)
        view = a_view()
        for state in range(4):
            assert await chosen(pool, "steady", view, state) == choice("random", view, Rng(state))
        for level in ("raising", "cheating"):
            assert await chosen(pool, level, view) == choice("greedy", view, Rng(5))
        await pool.close()

    run(body)


def test_killed_process_is_replaced():
    async def body() -> None:
        async with processes() as pool:
            view = a_view()
            answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            assert isinstance(pool.choose("stoppable", view, Rng(5), answer.set_result), PendingChoice)
            await comes_true(lambda: pool.working)
            (first,) = pool.pids
            os.kill(first, signal.SIGKILL)
            assert await asyncio.wait_for(answer, PATIENCE) == choice("greedy", view, Rng(5))
            await comes_true(lambda: pool.ready == 1)
            assert pool.pids != [first]
            assert await chosen(pool, "steady", view) == choice("random", view, Rng(5))

    with capture_logs() as entries:
        run(body)
    assert "bots.replaced" in [entry["event"] for entry in entries]


def test_process_that_ended_while_idle_is_replaced():
    """In uvloop, as on a server, the pipe of a process that has ended refuses to be written to."""
    uvloop = pytest.importorskip("uvloop")

    async def body() -> None:
        async with processes() as pool:
            view = a_view()
            assert await chosen(pool, "steady", view) == choice("random", view, Rng(5))
            (worker,) = pool._workers.values()
            assert worker.process is not None and worker.process.stdin is not None
            stdin = worker.process.stdin
            os.kill(worker.process.pid, signal.SIGKILL)
            await comes_true(stdin.is_closing)
            assert await chosen(pool, "steady", view) == choice("greedy", view, Rng(5))
            await comes_true(lambda: pool.ready == 1)
            assert await chosen(pool, "steady", view) == choice("random", view, Rng(5))

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(body())


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="the system has no priorities of processes")
def test_lanes_of_heavy_addresses_have_a_lower_priority():
    async def body() -> None:
        async with processes() as pool:
            for who in (Asker.of("ann"), Asker.of("ben")):
                assert not isinstance(pool.choose("stoppable", a_view(), Rng(5), lambda _: None, who), int)
            await comes_true(lambda: pool.ready == 2)
            kept, open_ = (os.getpriority(os.PRIO_PROCESS, pid) for pid in pool.pids)
            assert min(kept + HEAVY_NICENESS, 19) == open_ > kept

    run(body)


@pytest.mark.parametrize("level", ["hanging", "dying", "hungry", "cheating", "raising"])
def test_choice_of_a_failing_bot_is_replaced_and_the_next_one_is_fine(
    level: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bot_processes, "TOO_LATE_S", PATIENCE)  # a busy machine is no fault of the bot
    if level == "hanging":
        monkeypatch.setattr(bot_processes, "GRACE_S", 0.3)

    async def body() -> None:
        async with processes() as pool:
            view = a_view()
            assert await chosen(pool, level, view) == choice("greedy", view, Rng(5))
            await comes_true(lambda: pool.ready == 1)
            for state in range(4):
                assert await chosen(pool, "steady", view, state) == choice("random", view, Rng(state))

    with capture_logs() as entries:
        run(body)
    events = [entry["event"] for entry in entries]
    if level in ("hanging", "dying"):
        assert "bots.replaced" in events
    if level in ("hungry", "raising"):
        assert "bots.failed" in events
        assert "I hold" not in str(entries), "an error's words may name cards"


def test_waiting_choices_share_the_time():
    async def body() -> None:
        async with processes() as pool:
            view = a_view()
            first = pool.choose("stoppable", view, Rng(5), lambda _: None)
            waiting = [asyncio.create_task(chosen(pool, "sharing", view)) for _ in range(12)]
            await comes_true(lambda: pool.scheduler.waiting()["bot"] == 12)
            assert isinstance(first, PendingChoice)
            first.cancel()
            *answers, _ = await asyncio.gather(*waiting)
            assert answers == [view.legal[-1]] * 11, "what half a minute or less was left for"

    run(body)


def test_cancelled_choice_is_not_reported():
    async def body() -> None:
        async with processes() as pool:
            view = a_view()
            results, pids = list[int](), pool.pids
            levels = ["stoppable", *["dying"] * 30]  # the first keeps the process from the others
            thoughts = [pool.choose(level, view, Rng(5), results.append) for level in levels]
            for thought in reversed(thoughts):
                assert isinstance(thought, PendingChoice)
                thought.cancel()
            assert await chosen(pool, "steady", view) in view.legal
            assert pool.pids == pids, "what is not wanted is not thought about"
            assert not results

    run(body)


@pytest.mark.parametrize("begun", [False, True])
def test_cancelled_choice_is_stopped(begun: bool):
    async def body() -> None:
        async with processes() as pool:
            view, results = a_view(), list[int]()
            pids = pool.pids
            for _ in range(20):
                thoughts = [pool.choose("stoppable", view, Rng(5), results.append) for _ in range(3)]
                if begun:
                    await comes_true(lambda: pool.working)
                for thought in thoughts:
                    assert isinstance(thought, PendingChoice)
                    thought.cancel()
            assert await chosen(pool, "steady", view) == choice("random", view, Rng(5))
            assert pool.pids == pids and not results

    run(body)


@pytest.mark.whole
def test_memory_of_the_server_does_not_count_for_its_processes():
    async def body() -> None:
        ballast = bytearray(WORN_MEMORY + (50 << 20))
        ballast[::4096] = b"x" * len(range(0, len(ballast), 4096))
        async with processes() as pool:
            view = a_view()
            await chosen(pool, "steady", view)
            pids = pool.pids
            for _ in range(3):
                await chosen(pool, "steady", view)
            assert pids and pool.pids == pids

    run(body)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_cancelled_search_is_stopped():
    async def body() -> None:
        async with processes() as pool:
            view, pids = a_view(), pool.pids
            assert len(view.legal) > 1
            for more in (0, 20):  # at once, and in the middle of the search
                thought = pool.choose("endless", view, Rng(5), lambda _: None)
                enough = ticks(pids[0]) + more
                await comes_true(lambda enough=enough: ticks(pids[0]) >= enough)  # type: ignore[misc]
                assert isinstance(thought, PendingChoice)
                thought.cancel()
            assert await chosen(pool, "steady", view) == choice("random", view, Rng(5))
            assert pool.pids == pids

    run(body)


def test_close_does_not_wait_for_bots_and_leaves_no_process(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bot_processes, "GRACE_S", 3600.0)  # nothing else ends them

    async def body() -> None:
        pool = ProcessExecutor(WorkScheduler({"interactive": 2}), [MODULE])
        view = a_view()
        for _ in range(4):
            pool.choose("hanging", view, Rng(5), lambda _: None)
        await comes_true(lambda: len(pool.pids) == 2)
        pids = pool.pids
        await pool.close()
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)

    run(body)


@at_tables
async def test_advice_from_a_process_is_the_same(room: Room):
    people = await room.at_play(profile="500-rum")
    one = next(person for person in people if person.may)
    advice = advise(one.table.log.state, 0 if one is people[0] else 1, messages.Ask(id="a", about="turn"))
    async with processes() as pool:
        assert await advised(pool, advice) == advice.work()


@pytest.mark.parametrize("kind", ["processes", "threads"])
def test_same_advice_is_computed_once(kind: str) -> None:
    """With `bot_workers` and without: one answer for each decision and budget."""

    async def body() -> None:
        done = Counter[str]()
        metrics = SimpleNamespace(worked=lambda work, *_: done.update([work]), turned_away=None)
        scheduler = WorkScheduler({"interactive": 1}, metrics)
        pool = ProcessExecutor(scheduler) if kind == "processes" else ThreadExecutor(scheduler)
        views = [a_view(), a_view(), a_view(seed=4)]
        try:
            hints = [await advised(pool, hint_on(view, "numbers")) for view in views]
            again = await asyncio.gather(*(advised(pool, hint_on(view, "numbers")) for view in views))
        finally:
            await pool.close()
        assert hints[0] == hints[1] != hints[2]
        assert again == hints and done == {"hint": 2}

    run(body)


async def advised(pool: BotExecutor, advice: Advice) -> object:
    answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    pool.advise(advice, answer.set_result)
    return await asyncio.wait_for(answer, PATIENCE)


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="a call ends at a signal")
def test_cancelled_call_is_stopped() -> None:
    async def body() -> None:
        async with processes() as pool:
            pids = pool.pids
            for _ in range(3):
                call = pool.call(Work.PRACTICE, SERVER, f"{MODULE}:forever")
                await comes_true(lambda: pool.working)
                call.cancel()
                assert await chosen(pool, "steady", a_view()) == choice("random", a_view(), Rng(5))
            assert pool.pids == pids

    with capture_logs() as entries:
        run(body)
    assert not entries


def test_table_continues_when_bot_processes_are_killed(tmp_path: Path):
    async def body() -> None:
        store = await Store.open(tmp_path)
        pool = ProcessExecutor(WorkScheduler({"interactive": 1}), [MODULE])
        tables = TableRegistry(SoleOwner(store), executor=pool)
        try:
            options = TableOptions(profile="500-rum", players=2, bot_pause_ms=0)
            name = await tables.create(options, Guest("a", "Ann"), bots=("slow", "slow"), start=True)
            table = await tables.get(name)
            assert table is not None
            table.receive(table.connect(Guest("b", "Ben"), _Deaf()), messages.Join(id="1"))
            for _ in range(3):
                wanted = table.log.state.number + 12
                await comes_true(lambda wanted=wanted: table.log.state.number >= wanted and bool(pool.pids))  # type: ignore[misc]
                os.kill(pool.pids[0], signal.SIGKILL)
        finally:
            await tables.close()
            await store.close()

    run(body)


class _Deaf:
    def send(self, message: bytes) -> None:
        pass

    def close(self, reason: str) -> None:
        pass


def test_prints_of_a_process_are_entries_of_the_log():
    async def body() -> None:
        async with processes() as pool:
            assert await chosen(pool, "printing", a_view()) in a_view().legal
            await comes_true(lambda: any(entry["event"] == "bots.printed" for entry in entries))

    with capture_logs() as entries:
        run(body)
    printed = [entry["text"] for entry in entries if entry["event"] == "bots.printed"]
    assert printed == ["I print", "and warn"]


def test_seconds_of_each_level():
    assert seconds_of("random") == seconds_of("greedy") == 0
    assert seconds_of("slow") == 0.02
    assert seconds_of("strong") == 0.25


@pytest.mark.sample(3)
@pytest.mark.parametrize("seconds", [0.0, 0, None, -1.0, float("nan"), float("inf"), "soon"])
def test_foreign_bots_never_run_on_the_event_loop(seconds: object, monkeypatch: pytest.MonkeyPatch):
    """One that says it needs no time could block it; so could an engine, or a search without a limit."""
    hasty = slow_bots.Steady()
    hasty.seconds = seconds  # type: ignore[assignment]
    for one in (hasty, EngineBot("./engine"), bots.get("strong", worlds=9)):
        monkeypatch.setitem(executor._bots, "steady", one)
        assert seconds_of("steady") == executor.OTHERS_S

    async def body() -> None:
        async with processes() as pool:
            assert isinstance(pool.choose("steady", a_view(), Rng(5), lambda _: None), PendingChoice)

    run(body)
