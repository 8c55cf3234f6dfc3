"""One scheduler for all expensive work that clients request.

Work waits for lanes, such as worker processes or threads. A free lane takes work of the address that has used
the least processor time, and, within that address, work of the guest who has used the least. Work that no
client requested comes last. So the guests of one address delay mostly each other, and so do the requests of
one guest.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from rum500.server.messages import ReasonParts
from rum500.server.messages.table_error import TableError

LaneKind = Literal["interactive", "loading", "background", "push"]
T = TypeVar("T")


class Work(StrEnum):
    """The classes of work, in their order of priority among the work of one guest."""

    BOT = "bot"
    LOAD = "load"
    """Read a table's log, for a guest who connects to the table."""
    ADVICE = "advice"
    HINT = "hint"
    PRACTICE = "practice"
    LOOK = "look"
    READ = "read"
    """Read logs for replays, lists of tables and the history."""
    EXPORT = "export"
    """Make records and other files."""
    REVIEW = "review"
    PUSH = "push"


class Light(StrEnum):
    """The reasons why a request needs no class of work: the most that the request costs."""

    CONSTANT = "at most 2 ms for what the server keeps in memory"
    ROWS = "at most 5 ms for a limited number of rows of the database"
    TABLE = "one entry in the queue of a table"


_RANKS = {work: rank for rank, work in enumerate(Work)}
LANES: dict[Work, LaneKind] = dict.fromkeys(Work, "interactive")
LANES |= {Work.LOAD: "loading", Work.REVIEW: "background", Work.PUSH: "push"}
"""The lanes in which the work of each class is done."""
_LOADING = 2
"""The lanes for loading, threads: few, because each takes the interpreter from the event loop in turn."""
_MORE_LANES: dict[LaneKind, int] = {"background": 1, "push": 0}
"""The lanes in addition to the given number; of the other kinds there are twice as many as given."""
READ_S = 30.0
"""The seconds after which work in a thread is refused if it has not begun."""
FIRST_COSTS = dict.fromkeys(Work, 0.3)
"""The expected processor seconds of a piece of work, until some pieces have been measured."""
GUEST_S, ADDRESS_S = 10.0, 40.0
"""The processor seconds of waiting work that a guest and an address may have. Bots do not count."""
MOST_PUSH_S = 1_000.0
"""The processor seconds of waiting push messages that a guest and a push service may have."""
MOST_ANSWERS = 1_000
"""The number of results that are cached."""
BUSY = 0.5
"""The server counts as busy if its event loop works for more than this share of the time."""
REST = 19.0
"""While the server is busy, a lane for background work rests this many times as long as its last work."""
_LOOK_S = 0.05
"""The seconds between two checks of whether the server is still busy."""
RECENT_S = 5.0
"""An address counts as active for this many seconds after its last work."""
CREDIT_S = 1.0
"""The processor seconds by which an address that was idle is ahead of other addresses, so that its short work
waits only for work that is running.
"""
HEAVY_S = 0.5
"""An address that used this many processor seconds more than another active address, not counting the
server's own work, is heavy: it gets half as many lanes, and none of those that are kept for others. The
number is smaller than `CREDIT_S`, so that an address that works all the time is heavy for one that works
now and then.
"""
_SMOOTHING = 0.1
_thread_time: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)
"""The processor time of this thread; a browser's Python has only the elapsed time."""
_MOST_SHARES = 256


class Asker(NamedTuple):
    """The guest and the address for which a piece of work is done; see `limits.address_of`."""

    guest: str
    address: str

    @classmethod
    def of(cls, guest: str, address: str = "") -> Asker:
        """Return the asker. A guest whose address is unknown counts as an address."""
        return cls(guest, address or guest)


SERVER = Asker("", "")
"""The asker of work that no guest requested."""


class Busy(TableError):
    """Too much work of this guest or address is waiting; there will be room in about `seconds` seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, math.ceil(seconds))
        super().__init__("work.busy", parts=ReasonParts(count=self.seconds))


class WorkMetrics(Protocol):
    """Counts work by its class."""

    def worked(self, work: str, waited: float, spent: float) -> None:
        """Count a piece of work that waited and then ran for these seconds (of the processor, if known)."""

    def turned_away(self, work: str) -> None:
        """Count a piece of work that was refused, or did not begin before its deadline."""


@dataclass(slots=True)
class Turn:
    """The lane and the time that a piece of work gets; the argument of the function `run`."""

    lane: int
    waited: float
    """How many seconds it waited."""
    share: float
    """The share of its usual time that a bot may use: 1, or less if other work waits or runs."""
    threads: ThreadPoolExecutor
    spent: float | None = None
    """The processor seconds used; None: the elapsed time counts instead."""
    stop: Callable[[], object] | None = None
    """Stops the work when nobody wants its result any more; None if it cannot be stopped."""

    async def in_thread(self, call: Callable[[], T]) -> T:
        """Call a function in a thread, and count the processor time that it uses."""

        def timed() -> T:
            began = _thread_time()
            try:
                return call()
            finally:
                self.spent = (self.spent or 0.0) + _thread_time() - began

        return await asyncio.get_running_loop().run_in_executor(self.threads, timed)


Run = Callable[[Turn], Awaitable[Any]]


class _Share:
    """An address or a guest: the time used, and the waiting and running work."""

    __slots__ = ("guests", "jobs", "last", "running", "used", "waiting_s")

    def __init__(self) -> None:
        self.used = self.waiting_s = self.last = 0.0
        self.running = 0
        self.guests: dict[str, _Share] = {}
        self.jobs: list[tuple[int, int, _Job]] = []

    @property
    def idle(self) -> bool:
        return not (self.running or self.jobs or any(not guest.idle for guest in self.guests.values()))


@dataclass(slots=True, eq=False)
class _Job:
    work: Work
    who: Asker
    cost: float
    run: Run
    came: float
    key: Hashable
    counts: bool
    futures: list[asyncio.Future[Any]] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None
    turn: Turn | None = None
    dropped: bool = False


class _Lanes:
    """The lanes of one kind, and the work that waits for them."""

    def __init__(self, lanes: int, most_of_address: int, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.free = list(range(lanes))
        self.kept = lanes // 2
        """The number of lanes, the first ones, that heavy addresses may not use."""
        self.most_of_address = most_of_address
        self.addresses: dict[str, _Share] = {}
        self.floor = 0.0
        """The largest used time of an address, at the moment when its work began."""
        self.idle_until: dict[int, float] = {}
        """By lane modulo `most_of_address`, the moment until which these lanes rest."""

    def shares(self, who: Asker) -> tuple[_Share, _Share]:
        """Return the shares of an address and of a guest."""
        if len(self.addresses) > _MOST_SHARES:
            past = self._clock() - RECENT_S
            self.addresses = {
                name: each for name, each in self.addresses.items() if not each.idle or each.last > past
            }
        address = self.addresses.get(who.address)
        if address is None:
            address = self.addresses[who.address] = _Share()
        guest = address.guests.get(who.guest)
        if guest is None:
            guest = address.guests[who.guest] = _Share()
        return address, guest

    def put(self, job: _Job, number: int) -> None:
        """Add a job.

        An address or guest that was idle must not gain much priority by it, so its used time is first raised.
        """
        address, guest = self.shares(job.who)
        active = [each.used for each in address.guests.values() if each is not guest and not each.idle]
        if guest.idle and active:
            guest.used = max(guest.used, min(active))
        if address.idle:
            address.used = max(address.used, self.floor - CREDIT_S)
        address.last = self._clock()
        heappush(guest.jobs, (_RANKS[job.work], number, job))
        address.waiting_s += job.cost * job.counts
        guest.waiting_s += job.cost * job.counts

    def remove(self, job: _Job) -> None:
        """Remove a job that has not begun."""
        address, guest = self.shares(job.who)
        left = [each for each in guest.jobs if each[2] is not job]
        if len(left) < len(guest.jobs):
            guest.jobs = left
            heapify(guest.jobs)
            self._taken(address, guest, job)
            self._forget(job.who)

    @staticmethod
    def _taken(address: _Share, guest: _Share, job: _Job) -> None:
        address.waiting_s -= job.cost * job.counts
        guest.waiting_s -= job.cost * job.counts

    def waiting(self) -> Iterator[_Job]:
        """Yield the jobs that wait."""
        for address in self.addresses.values():
            for guest in address.guests.values():
                yield from (job for _, _, job in guest.jobs)

    def ready(self) -> Iterator[tuple[str, _Share, bool]]:
        """Yield the addresses whose work may begin in a free lane: name, share, and whether it is heavy."""
        past = self._clock() - RECENT_S
        active = (
            each.used
            for name, each in self.addresses.items()
            if name != SERVER.address and (not each.idle or each.last > past)
        )
        least = min(active, default=math.inf)
        for name, address in self.addresses.items():
            heavy = address.used > least + HEAVY_S
            most = max(1, self.most_of_address // 2) if heavy else self.most_of_address
            if address.running < most and any(each.jobs for each in address.guests.values()):
                yield name, address, heavy

    def next(self, lanes: Sequence[int]) -> tuple[int, _Job] | None:
        """Return one of these free lanes and the job that begins in it; None if no job may begin.

        Charge the expected time of the job to its address and guest.
        """
        for_heavy = [lane for lane in lanes if lane >= self.kept]
        able = [each for each in self.ready() if (for_heavy if each[2] else lanes)]
        found = min(able, key=lambda each: (each[0] == SERVER.address, each[1].used), default=None)
        if found is None:
            return None
        _, address, heavy = found
        guest = min((each for each in address.guests.values() if each.jobs), key=lambda each: each.used)
        _, _, job = heappop(guest.jobs)
        self.floor = max(self.floor, address.used)
        self._taken(address, guest, job)
        for share in (address, guest):
            share.running += 1
            share.used += job.cost
        return min(for_heavy if heavy else lanes), job

    def end(self, job: _Job, spent: float) -> None:
        """Record that a job has ended, and charge the time `spent` instead of the estimated time."""
        for share in self.shares(job.who):
            share.running -= 1
            share.used += spent - job.cost
            share.last = self._clock()
        self._forget(job.who)

    def _forget(self, who: Asker) -> None:
        address, guest = self.shares(who)
        if guest.idle and guest.used <= min(each.used for each in address.guests.values()):
            del address.guests[who.guest]

    def expected_wait_s(self, who: Asker, cost: float) -> float:
        """Estimate in how many seconds new work of this asker, with this cost, would be done."""
        active = sum(not each.idle for each in self.addresses.values())
        return (self.shares(who)[0].waiting_s + cost) * max(1, active) / max(1, self.most_of_address)

    def share(self, who: Asker) -> float:
        """Return the share of a lane, at most 1, that each piece of work of the asker's address gets."""
        address = self.shares(who)[0]
        own = address.running + sum(len(each.jobs) for each in address.guests.values())
        active = sum(1 for _ in self.ready()) + (not any(each.jobs for each in address.guests.values()))
        return min(1.0, self.most_of_address / (max(1, active) * max(1, own)))


class WorkScheduler:
    """Decides which work is done next, in which lane, and what is refused."""

    def __init__(
        self,
        lanes: Mapping[LaneKind, int],
        metrics: WorkMetrics | None = None,
        load: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """Make the lanes; `lanes` has, by kind, the number that one address may use at a time.

        There are twice as many lanes for interactive work and for loading, and one more for background work,
        so that other addresses find a free lane. For push, `lanes` has the number of all lanes, of which one
        push service may use a sixteenth. Background work begins only when no interactive work waits for a
        lane. `load` returns the share of the time for which the event loop works; see `BUSY`.
        """
        self._loop = asyncio.get_running_loop()
        self.lanes = lanes
        self._lanes = {
            kind: _Lanes(
                number + _MORE_LANES.get(kind, number) * (number > 0),
                max(1, number // 16) if kind == "push" else number,
                self._loop.time,
            )
            for kind, number in {"loading": _LOADING, **lanes}.items()
        }
        threads = sum(
            len(each.free) for kind, each in self._lanes.items() if kind not in ("background", "push")
        )
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="rum500-work")
        self._metrics = metrics
        self._load = load
        self._numbers = count()
        self._costs = dict(FIRST_COSTS)
        self._jobs: dict[Hashable, _Job] = {}
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self._running: set[asyncio.Task[None]] = set()
        self._look: asyncio.TimerHandle | None = None
        self._closed = False

    def is_kept(self, kind: LaneKind, lane: int) -> bool:
        """Return whether a lane is closed to heavy addresses; see `HEAVY_S`."""
        return lane < self._lanes[kind].kept

    def submit(
        self,
        work: Work,
        who: Asker,
        run: Run,
        *,
        cost: float | None = None,
        deadline: float | None = None,
        key: Hashable = None,
    ) -> asyncio.Future[Any]:
        """Call `run` in a lane when it is this asker's turn, and return the future of its result.

        `cost` is the expected processor seconds. Work that has not begun `deadline` seconds from now fails
        with `Busy`. Work with the same `key` is done once and its result cached: the key must contain
        everything that affects the result. A cancelled future stops the work if nobody else waits for it.
        Raises `Busy` if too much work of the guest or the address is waiting.
        """
        future: asyncio.Future[Any] = self._loop.create_future()
        if key is not None and key in self._answers:
            self._answers.move_to_end(key)
            future.set_result(self._answers[key])
            return future
        job = None if key is None else self._jobs.get(key)
        if job is None:
            lanes = self._lanes[LANES[work]]
            counts = who != SERVER and work not in (Work.BOT, Work.REVIEW)
            expected = self._costs[work] if cost is None else cost
            if counts:
                self._check(lanes, work, who, expected)
            job = _Job(work, who, expected, run, self._loop.time(), key, counts)
            if key is not None:
                self._jobs[key] = job
            lanes.put(job, next(self._numbers))
            job.futures.append(future)
            self._dispatch()
            if deadline is not None and job.turn is None:
                job.timer = self._loop.call_later(deadline, self._expire, job)
        else:
            job.futures.append(future)
        future.add_done_callback(lambda done: self._left(job) if done.cancelled() else None)
        return future

    def in_thread(self, work: Work, who: Asker, call: Callable[[], T], key: Hashable = None) -> Awaitable[T]:
        """Call a function in a thread when it is this asker's turn, and return the future of its result.

        `key` and `Busy` are as in `submit`.
        """

        async def run(turn: Turn) -> T:
            return await turn.in_thread(call)

        return self.submit(work, who, run, deadline=None if who == SERVER else READ_S, key=key)

    def _check(self, lanes: _Lanes, work: Work, who: Asker, cost: float) -> None:
        push = work is Work.PUSH
        for share, most in zip(
            lanes.shares(who), (MOST_PUSH_S, MOST_PUSH_S) if push else (ADDRESS_S, GUEST_S), strict=True
        ):
            if share.waiting_s and share.waiting_s + cost > most:
                self._turn_away(work)
                raise Busy(lanes.expected_wait_s(who, cost))

    def _turn_away(self, work: Work) -> None:
        if self._metrics is not None:
            self._metrics.turned_away(work)

    def cost(self, work: Work) -> float:
        """Return the processor seconds that a piece of work of this class costs on average."""
        return self._costs[work]

    def waiting(self) -> Counter[str]:
        """Return the number of waiting pieces of work, by class."""
        return Counter[str](job.work for lanes in self._lanes.values() for job in lanes.waiting())

    # --- cancelled and late work ------------------------------------------------------------------------

    def _left(self, job: _Job) -> None:
        """Drop a job whose futures have all been cancelled, and stop it if it is running."""
        if job.dropped or not all(future.cancelled() for future in job.futures):
            return
        job.dropped = True
        self._settle(job)
        if job.turn is None:
            self._lanes[LANES[job.work]].remove(job)
        elif job.turn.stop is not None:
            job.turn.stop()

    def _expire(self, job: _Job) -> None:
        """Fail a job with `Busy` if it has not begun at its deadline."""
        if job.turn is None and not job.dropped:
            job.dropped = True
            lanes = self._lanes[LANES[job.work]]
            lanes.remove(job)
            self._turn_away(job.work)
            self._settle(job, error=Busy(lanes.expected_wait_s(job.who, job.cost)))

    def _settle(self, job: _Job, result: Any = None, error: BaseException | None = None) -> None:
        if job.timer is not None:
            job.timer.cancel()
        if job.key is not None and self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        for future in job.futures:
            if future.done():
                continue
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

    # --- the lanes --------------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        if self._closed:
            return
        for kind in self._lanes:
            self._fill(kind)

    def _fill(self, kind: LaneKind) -> None:
        lanes = self._lanes[kind]
        while lanes.free and not (kind == "background" and self._yields()):
            found = lanes.next(self._rested(lanes) if kind == "background" else lanes.free)
            if found is None:
                return
            lane, job = found
            lanes.free.remove(lane)
            waited = self._loop.time() - job.came
            job.turn = Turn(lane, waited, lanes.share(job.who), self._threads)
            task = self._loop.create_task(self._do(lanes, job, job.turn))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    def _yields(self) -> bool:
        """Return whether background work has to wait, because interactive work needs a free lane."""
        interactive = self._lanes.get("interactive")
        return interactive is not None and any(True for _ in interactive.ready())

    def _rested(self, lanes: _Lanes) -> list[int]:
        """Return the free lanes that need not rest. If others must rest, schedule another dispatch."""
        now = self._loop.time()
        if self._load() <= BUSY:
            return lanes.free
        found = [
            lane for lane in lanes.free if lanes.idle_until.get(lane % lanes.most_of_address, 0.0) <= now
        ]
        if len(found) < len(lanes.free) and self._look is None:
            self._look = self._loop.call_later(_LOOK_S, self._look_again)
        return found

    def _look_again(self) -> None:
        self._look = None
        self._dispatch()

    async def _do(self, lanes: _Lanes, job: _Job, turn: Turn) -> None:
        began = self._loop.time()
        result: Any = None
        error: BaseException | None = None
        try:
            result = await job.run(turn)
        except asyncio.CancelledError:
            error = asyncio.CancelledError()
        except Exception as failure:  # noqa: BLE001 - raised for the job's caller
            error = failure
        passed = self._loop.time() - began
        spent = passed if turn.spent is None else turn.spent
        lanes.end(job, spent)
        lanes.free.append(turn.lane)
        lanes.idle_until[turn.lane % lanes.most_of_address] = self._loop.time() + REST * passed
        self._costs[job.work] += _SMOOTHING * (spent - self._costs[job.work])
        if self._metrics is not None:
            self._metrics.worked(job.work, turn.waited, spent)
        if self._closed:
            for future in job.futures:
                future.cancel()
            return
        if job.key is not None and error is None:
            self._answers[job.key] = result
            if len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        self._settle(job, result, error)
        self._dispatch()

    async def close(self) -> None:
        """Drop all waiting work, cancel running work, and wait for the threads in use."""
        self._closed = True
        if self._look is not None:
            self._look.cancel()
        for lanes in self._lanes.values():
            for job in list(lanes.waiting()):
                job.dropped = True
                if job.timer is not None:
                    job.timer.cancel()
                for future in job.futures:
                    future.cancel()
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
