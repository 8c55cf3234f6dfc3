"""Runs plans: makes jobs for open contests, runs them, and stores and counts their results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import closing
from typing import Any, TypeVar

from rum500.sim.deals import checked_workers
from rum500.sim.executors import SerialExecutor, check_sent, given_executor, local_executor
from rum500.sim.jobs import DealBatch, Job, RunTally, named_sources, run_job
from rum500.sim.players import close_players
from rum500.sim.run_file import RunFile

JOB_SECONDS = 0.5
"""The intended duration of a job: long enough to be worth sending, short enough to lose little."""
MOST_ITEMS = 50_000
"""The largest number of items in a job."""

TallyKind = TypeVar("TallyKind", bound=RunTally[Any])


def play(
    tallies: Sequence[TallyKind],
    kept: RunFile,
    progress: Callable[[TallyKind], None] | None = None,
    *,
    workers: int,
    executor: Executor | None,
) -> float:
    """Play the missing items of tallies, one tally after the other; store results in `kept` and count them.

    `kept` must be open: a caller opens it before its output files, so that a run that another process has
    under way is refused first. Results that `kept` already contains are counted, not played again. `progress`
    gets each tally once at the start, and again after each of its batches. Jobs run on `executor`, which has
    `workers` workers, or in `workers` processes of this machine. Returns the playing time in seconds, summed
    over all workers, including stored results. Raises `SimulationError` if a bot fails or a worker dies.
    """
    report, workers = progress or (lambda _: None), checked_workers(workers)
    seconds = 0.0
    try:
        for number, batch in kept.batches(tallies):
            tallies[number].add(batch)
            seconds += batch.seconds
        for tally in tallies:
            report(tally)
        queue = _JobQueue(tallies)
        with (
            given_executor(executor) if executor is not None else local_executor(workers) as pool,
            closing(_in_order(pool, queue.jobs(), workers)) as played,
        ):
            for number, batch in played:
                tally = tallies[number]
                queue.note_pace(number, batch)
                if tally.is_over:
                    continue
                kept.add(number, batch)
                tally.add(batch)
                seconds += batch.seconds
                report(tally)
    finally:
        close_players()
    return seconds


def _in_order(
    executor: Executor, jobs: Iterable[tuple[int, Job[Any]]], workers: int
) -> Generator[tuple[int, DealBatch]]:
    """Yield the results of all jobs in order, each with the number that `jobs` has for the job.

    Jobs are requested only shortly before they are needed, so that their generator can react to earlier
    results. Closing this generator cancels the waiting jobs.
    """
    ahead = 0 if isinstance(executor, SerialExecutor) else 3 * workers
    waiting: deque[tuple[int, Future[DealBatch]]] = deque()
    try:
        for number, job in jobs:
            if isinstance(executor, ProcessPoolExecutor):
                check_sent(job)
            waiting.append((number, executor.submit(run_job, job)))
            if len(waiting) > ahead:
                yield _result(waiting)
        while waiting:
            yield _result(waiting)
    finally:
        for _, future in waiting:
            future.cancel()


def _result(waiting: deque[tuple[int, Future[DealBatch]]]) -> tuple[int, DealBatch]:
    number, future = waiting.popleft()
    return number, future.result()


class _JobQueue:
    """Divides the missing items of open contests into jobs that take about `JOB_SECONDS`."""

    def __init__(self, tallies: Sequence[RunTally[Any]]) -> None:
        self.tallies = tallies
        self.pace: dict[int, float] = {}

    def note_pace(self, number: int, batch: DealBatch) -> None:
        """Record how many seconds an item of tally `number` takes, measured in one batch of results."""
        self.pace[number] = batch.seconds / batch.job.count

    def jobs(self) -> Iterator[tuple[int, Job[Any]]]:
        """Yield each job with the number of its tally, in order."""
        for number, tally in enumerate(self.tallies):
            sources = named_sources(tally.plan)
            upcoming = tally.upcoming
            while upcoming < tally.items.stop and not tally.is_over:
                count = min(self._size(number), tally.items.stop - upcoming)
                yield number, tally.JOB(tally.plan, upcoming, count, sources, tally.contest)
                upcoming += count

    def _size(self, number: int) -> int:
        pace = self.pace.get(number)
        return 1 if pace is None else max(1, min(MOST_ITEMS, int(JOB_SECONDS / max(pace, 1e-9))))
