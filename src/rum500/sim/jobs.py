"""Jobs: the pieces of a run that any process can play, and their results."""

from __future__ import annotations

import os
import platform
import sys
import threading
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from rum500.sim.deals import MOST_DEALS, Entrant, SimulationError, checked_number

if TYPE_CHECKING:
    from typing import Self


class PlayedDeals(NamedTuple):
    """The rows of all played deals, in order, and their moves if the plan stores moves."""

    rows: array[int]
    moves: array[int]


def without_moves(rows: array[int]) -> PlayedDeals:
    """Return rows as `PlayedDeals` without moves."""
    return PlayedDeals(rows, array("Q"))


class RunPlan(Protocol):
    """Everything that determines a run: two runs of the same plan give the same numbers."""

    ITEMS: ClassVar[str]
    """What an item is, in the plural: `deals` or `pairs`."""
    SIZES: ClassVar[frozenset[str]]
    """The keys of `described` that only set how much is played."""

    @property
    def bots(self) -> tuple[Entrant, ...]:
        """The players."""

    @property
    def contests(self) -> tuple[tuple[int, ...], ...]:
        """The contests, each as the numbers of its bots."""

    @property
    def total(self) -> int:
        """The number of items in each contest."""

    def described(self) -> dict[str, Any]:
        """Return the plan as plain data, which can be compared."""

    def holds(self, played: PlayedDeals, items: range) -> bool:
        """Return whether the rows and moves in `played` are valid results of these items."""

    def sources(self, bots: Iterable[Entrant]) -> dict[str, str]:
        """Return digests of the code that affects play, by name: `rum500 itself`, and each external bot."""


PlanKind = TypeVar("PlanKind", bound=RunPlan)
JobKind = TypeVar("JobKind", bound="Job[Any]")


@dataclass(frozen=True, slots=True)
class Job(ABC, Generic[PlanKind]):
    """A piece of work that can be sent to any process: items of one contest, from number `first` on."""

    plan: PlanKind
    """The plan."""
    first: int
    """The number of the first item."""
    count: int
    """The number of items."""
    sources: Mapping[str, str]
    """Digests of the code that must play the job."""
    contest: int = 0
    """The number of the contest in the plan."""

    @abstractmethod
    def play(self) -> PlayedDeals:
        """Play the job's deals and return their rows."""


class RunTally(ABC, Generic[PlanKind]):
    """The results of one contest, or of its shard, counted item by item."""

    JOB: ClassVar[type[Job[Any]]]
    """The class of the jobs that play its items."""

    def __init__(self, plan: PlanKind, shard: Shard, contest: int = 0) -> None:
        """Begin without any items."""
        self.plan = plan
        self.contest = contest
        self.items = shard.items(plan.total)
        """The numbers of the items to play."""
        self.done = 0
        """The number of items counted so far."""

    @property
    def upcoming(self) -> int:
        """The number of the next item."""
        return self.items.start + self.done

    @property
    def is_over(self) -> bool:
        """Whether no more items need to be played."""
        return self.done >= len(self.items)

    def needed(self, batch: DealBatch, width: int) -> array[int]:
        """Return the rows of a batch without items beyond the end of the run; an item has `width` values."""
        return batch.rows[: width * (self.items.stop - self.upcoming)]

    @abstractmethod
    def add(self, batch: DealBatch) -> None:
        """Count the next items; skip items that are not needed."""


def divided(kind: Callable[..., JobKind], plan: RunPlan, size: int) -> list[JobKind]:
    """Return the jobs, of class `kind`, of all contests of a plan, each of `size` items or fewer."""
    size = checked_number(f"the size of a job, in {plan.ITEMS},", size)
    sources, total = named_sources(plan), plan.total
    return [
        kind(plan, first, min(size, total - first), sources, contest)
        for contest in range(len(plan.contests))
        for first in range(0, total, size)
    ]


@dataclass(frozen=True, slots=True)
class DealBatch:
    """The results of a job: the rows of its deals, and their moves if the plan stores moves.

    `seconds` is the playing time; `worker` names the machine, the process and the thread that played.
    """

    job: Job[Any]
    rows: array[int]
    seconds: float
    worker: str
    moves: array[int] = field(default_factory=lambda: array("Q"))

    @property
    def items(self) -> range:
        """The numbers of the items."""
        return range(self.job.first, self.job.first + self.job.count)


def run_job(job: Job[Any]) -> DealBatch:
    """Play a job in this process.

    Raises `SimulationError` if a bot fails, or if this process has other code than the process that made the
    job.
    """
    for name, held in named_sources(job.plan).items():
        if job.sources.get(name) != held:
            raise SimulationError(
                f"{name} is not the same at {platform.node()} as where the run began: "
                "install the same version there, and start the worker again"
            )
    start = time.perf_counter()
    played = job.play()
    seconds = time.perf_counter() - start
    worker = f"{platform.node()}:{os.getpid()}:{threading.get_native_id()}"
    return DealBatch(job, played.rows, seconds, worker, played.moves)


def named_sources(plan: RunPlan) -> dict[str, str]:
    """Return the digests of the code that a job needs, by name.

    Bots that are objects are pickled with the job, so they need no digest.
    """
    return plan.sources([bot for bot in plan.bots if isinstance(bot, str)])


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a run, number `number` of `of` parts: an equal share of the items of every contest.

    >>> Shard.parse("2/4").items(1000)
    range(250, 500)
    """

    number: int = 1
    of: int = 1

    def __post_init__(self) -> None:
        for name in ("number", "of"):
            number = checked_number("a number of shards", getattr(self, name), -MOST_DEALS)
            object.__setattr__(self, name, number)
        if not 1 <= self.number <= self.of:
            most = max(self.of, 1)
            raise SimulationError(
                f"there is no shard {self}: they are numbered from 1/{most} to {most}/{most}"
            )

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the shard that is written `I/N`. Raises `SimulationError` for anything else."""
        number, _, of = text.partition("/")
        if not (number.isdecimal() and of.isdecimal() and len(text) < 20):
            raise SimulationError(f"{text!r} is no shard; write I/N, such as 2/4 for the second of four")
        return cls(int(number), int(of))

    def check(self, plan: RunPlan) -> None:
        """Raise `SimulationError` if the plan has fewer items than there are shards."""
        if plan.total < self.of:
            raise SimulationError(f"{plan.total:,} {plan.ITEMS} cannot be divided into {self.of:,} shards")

    def items(self, total: int) -> range:
        """Return the numbers of the shard's items, of `total` in all."""
        return range(total * (self.number - 1) // self.of, total * self.number // self.of)


WHOLE = Shard()
"""The shard that is the whole run."""


def in_turn(batches: Iterable[DealBatch]) -> Iterator[DealBatch]:
    """Yield the results of all jobs of a plan in order, contest by contest. `batches` may have any order.

    Raises `SimulationError` if they are of different plans, or do not contain each item exactly once.
    """
    ordered = sorted(batches, key=lambda batch: (batch.job.contest, batch.job.first))
    if not ordered:
        raise SimulationError("there is nothing to merge")
    plan = ordered[0].job.plan
    described = plan.described()
    upcoming = [0] * len(plan.contests)
    for batch in ordered:
        other = unlike(batch.job.plan.described(), described)
        if other:
            raise SimulationError(f"these results are of different runs (other {', '.join(other)})")
        contest, items = batch.job.contest, batch.items
        if items.start < upcoming[contest]:
            raise SimulationError(f"{numbered(plan, items)} are there twice")
        check_next(plan, upcoming[contest], items.start)
        upcoming[contest] = items.stop
        yield batch
    for reached in upcoming:
        check_next(plan, reached, plan.total)


def check_next(plan: RunPlan, upcoming: int, first: int) -> None:
    """Raise `SimulationError` if `first` is above `upcoming`, the number of the next expected item."""
    if upcoming < first:
        raise SimulationError(f"{numbered(plan, range(upcoming, first))} are missing")


def numbered(plan: RunPlan, items: range) -> str:
    """Return items in words for a message: `deals 250 to 499`."""
    return f"{plan.ITEMS} {items.start} to {items.stop - 1}"


def unlike(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the keys in which two descriptions differ."""
    return sorted(key for key in {*one, *other} if one.get(key) != other.get(key))


def little_endian(numbers: array[int]) -> bytes:
    """Return numbers as little-endian bytes, the same on every machine."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()
