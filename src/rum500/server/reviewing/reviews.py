"""Reviews of all finished deals: breakdowns by themselves, verdicts when asked for, and what is kept."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence

import msgspec

from rum500.review.played_deal import KINDS
from rum500.server.config import NICENESS
from rum500.server.live.finished.match_results import TableDeals
from rum500.server.live.log.entries import LogError
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.server.messages.table_error import TableError
from rum500.server.reviewing.review_processes import Job, ReviewProcesses, WorkFailed
from rum500.server.reviewing.review_work import packed
from rum500.server.reviewing.reviewed_deal import MOST_ATTEMPTS, ReviewedDeal
from rum500.server.reviewing.stored import (
    Decision,
    StoredVerdicts,
    judge_key,
    read_breakdown,
    read_verdict,
    read_verdicts,
    write,
)
from rum500.store import ReviewRow, Store, StoreError

MOST_KEPT = 300
"""The number of deals whose reviews are kept in memory while nothing is to be done."""
MOST_ASKED = 500
"""The most deals that wait to be judged."""
MOST_WAITING = 5_000
"""The most deals that wait for their breakdown; others get it when somebody asks."""
MOST_LOOKS = 512
"""The number of beliefs and open hands that are kept."""
SAVE_EVERY = 8
"""The verdicts of a deal are stored each time that it has this many new ones."""

_WORK = "rum500.server.reviewing.review_work"
_PRACTICE = "rum500.server.practice.work"


class Reviews:
    """The reviews of a server."""

    def __init__(
        self,
        store: Store,
        tables: TableRegistry,
        count: int,
        bots_waiting: Callable[[], int],
        load: Callable[[], float],
        observe: Callable[[str], None],
        budget: str = "usual",
        niceness: int = NICENESS,
    ) -> None:
        """Review in `count` processes; with 0 there are no reviews. `budget` is the judge's; see `Budget`.

        `bots_waiting` and `load` are those of `ReviewProcesses`. `observe` is called with `account`,
        `verdict`, `look` or `failed` for each task that ends.
        """
        self._store = store
        self._tables = tables
        self._observe = observe
        self._budget = budget
        self._judge = f"{judge_key()}-{budget}"
        self._deals: OrderedDict[tuple[str, int], ReviewedDeal] = OrderedDict()
        self._leads: OrderedDict[str, dict[int, tuple[tuple[int, ...], tuple[int, ...]]]] = OrderedDict()
        self._looks: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._loading = asyncio.Lock()
        self._urgent: deque[Job] = deque()
        self._ended: deque[tuple[str, int]] = deque()
        self._breakdowns: deque[ReviewedDeal] = deque()
        self._askers: OrderedDict[str, deque[ReviewedDeal]] = OrderedDict()
        self._in_turn = deque([self._next_ended, self._next_mark])
        self._changed = asyncio.Event()
        self._work = ReviewProcesses(count, self._next_job, bots_waiting, load, niceness) if count else None

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run now."""
        return self._work.processes.pids if self._work else []

    @property
    def budget(self) -> str:
        """The budget for a decision; see `Budget`."""
        return self._budget

    @property
    def waiting(self) -> int:
        """The number of deals that wait for their breakdown or to be judged."""
        return len(self._ended) + len(self._breakdowns) + sum(len(deals) for deals in self._askers.values())

    # --- what others ask ------------------------------------------------------------------------------

    def ended(self, table: str, number: int) -> None:
        """Have a deal's breakdown made: it is finished, and stored in the table's log."""
        if self._work is not None and len(self._ended) < MOST_WAITING:
            self._ended.append((table, number))
            self._wake()

    async def deals(self, table: str, numbers: Iterable[int]) -> list[ReviewedDeal]:
        """Return the reviews of these finished deals of a table; breakdowns that are missing are made."""
        self._check_on()
        found = await self._loaded(table, list(numbers))
        for deal in found:
            self._want_breakdown(deal)
        return found

    async def deal(self, table: str, number: int) -> ReviewedDeal:
        """Return the review of a finished deal, as it is."""
        return (await self._loaded(table, [number]))[0]

    async def all_deals(self, table: str) -> TableDeals:
        """Return which deals of a table are finished."""
        self._check_on()
        return await self._tables.deals(table)

    async def measured(self, deal: ReviewedDeal) -> None:
        """Wait until a deal has its breakdown. Raises `TableError` if that fails."""
        self._want_breakdown(deal)
        while deal.breakdown is None:
            if deal.breakdown_status == "failed":
                raise TableError("review.failed")
            self._changed.clear()
            await self._changed.wait()

    async def finished(self, table: str, number: int) -> TableDeals:
        """Return a table's deals, of which this one is finished. Raises `TableError` if it is not."""
        deals = await self.all_deals(table)
        if number in deals.finished:
            return deals
        if number == deals.playing:
            raise TableError("review.playing")
        if number == deals.given_up:
            raise TableError("review.unfinished")
        raise TableError("deal.unknown")

    def ask(self, deal: ReviewedDeal, asker: str, seat: int | None) -> None:
        """Have the decisions of a deal judged, those of this seat first.

        Deals of different askers take turns. Raises `TableError` if too many wait.
        """
        self._check_on()
        if deal.marks == "done":
            return
        queue = self._askers.get(asker, ())
        if deal not in queue and sum(len(deals) for deals in self._askers.values()) >= MOST_ASKED:
            raise TableError("review.busy")
        deal = self._deals.setdefault((deal.table, deal.number), deal)
        deal.ask(seat)
        self._want_breakdown(deal)
        self._want_marks(deal, asker)

    async def look(self, deal: ReviewedDeal, function: str, step: int, *parts: int) -> bytes:
        """Return what a function of `review_work` finds about a decision of a deal, before other work.

        Raises `TableError` if it fails.
        """
        self._check_on()
        key = (deal.table, deal.number, function, step, *parts)
        if key not in self._looks:
            self._looks[key] = await self._urgently(lambda: self._call(deal, function, step, *parts))
            if len(self._looks) > MOST_LOOKS:
                self._looks.popitem(last=False)
        self._looks.move_to_end(key)
        if deal.idle:
            deal.log = None
        return self._looks[key]

    async def positions(self, deal: ReviewedDeal, steps: Sequence[int]) -> bytes:
        """Return the positions before these plays of a deal, as `review_work.positions`.

        Raises `TableError` if that fails.
        """
        self._check_on()
        found = await self._urgently(lambda: self._call(deal, "positions", list(steps)))
        if deal.idle:
            deal.log = None
        return found

    async def practise(self, function: str, *parts: object) -> bytes:
        """Return what a function of `server.practice.work` finds, before other work. Raises `TableError`."""
        self._check_on()
        assert self._work is not None
        work = self._work
        return await self._urgently(lambda: work.call(f"{_PRACTICE}:{function}", *parts))

    async def _urgently(self, call: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return the result of a call in a process, before other work. Raises `TableError` if it fails."""
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def job() -> None:
            try:
                found = await call()
            except (WorkFailed, StoreError):
                self._observe("failed")
                if not answer.done():
                    answer.set_exception(TableError("review.failed"))
            else:
                self._observe("look")
                if not answer.done():
                    answer.set_result(found)

        self._urgent.append(job)
        self._wake()
        return await answer

    def judging(self, table: str) -> bool:
        """Return whether decisions of this table are being judged."""
        return any(deal.table == table for deals in self._askers.values() for deal in deals)

    def _check_on(self) -> None:
        if self._work is None:
            raise TableError("review.off")

    # --- what is known ----------------------------------------------------------------------------------

    async def _loaded(self, table: str, numbers: Sequence[int]) -> list[ReviewedDeal]:
        async with self._loading:
            missing = [number for number in numbers if (table, number) not in self._deals]
            if missing:
                one = missing[0] if len(missing) == 1 else None
                rows = await self._store.reviews.of_table(table, self._judge, one)
                for number in missing:
                    deal = self._deals[table, number] = ReviewedDeal(table, number)
                    for row in rows:
                        if row.deal == number:
                            _fill(deal, row)
        found = [self._deals[table, number] for number in numbers]
        for number in numbers:
            self._deals.move_to_end((table, number))
        self._forget()
        return found

    def _forget(self) -> None:
        """Forget the deals that were viewed least recently, except any that are being reviewed."""
        for key, deal in list(self._deals.items())[: max(0, len(self._deals) - MOST_KEPT)]:
            if deal.idle:
                del self._deals[key]

    async def _kinds(self, deal: ReviewedDeal) -> tuple[str, ...]:
        """Return the kinds of players that the match's other deals with the same players show."""
        deals = await self._tables.deals(deal.table)
        players = deals.players[deals.finished.index(deal.number)]
        known = await self._known(deal.table)
        return _kinds_of(known, deal.number, players)

    async def _known(self, table: str) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return, by deal of a table that has a breakdown, its players and their leads."""
        if table not in self._leads:
            known = {}
            for row in await self._store.reviews.of_table(table, self._judge):
                if row.kind == "account":
                    breakdown = read_breakdown(row.data)
                    known[row.deal] = breakdown.players, breakdown.leads
            self._leads[table] = known
            if len(self._leads) > MOST_KEPT:
                self._leads.popitem(last=False)
        return self._leads[table]

    # --- the work -----------------------------------------------------------------------------------------

    def _wake(self) -> None:
        if self._work is not None:
            self._work.wake()

    def _want_breakdown(self, deal: ReviewedDeal) -> None:
        if deal.breakdown_status == "waiting" and deal not in self._breakdowns:
            self._breakdowns.append(deal)
            self._wake()

    def _want_marks(self, deal: ReviewedDeal, asker: str) -> None:
        queue = self._askers.setdefault(asker, deque())
        if deal not in queue:
            queue.append(deal)
        self._wake()

    def _next_job(self, resting: bool) -> Job | None:
        """Return the next job by priority: interactive, requested, background.

        With `resting` only interactive ones. Breakdowns of ended deals and verdicts take turns.
        """
        if self._urgent:
            return self._urgent.popleft()
        if resting:
            return None
        while self._breakdowns:
            deal = self._breakdowns.popleft()
            if deal.breakdown_status == "waiting":
                return self._breakdown_job(deal)
        for next_of in tuple(self._in_turn):
            self._in_turn.rotate(-1)
            if (job := next_of()) is not None:
                return job
        return None

    def _breakdown_job(self, deal: ReviewedDeal) -> Job:
        deal.breakdown_status = "running"
        return lambda: self._done_with(deal, self._measure(deal))

    def _next_ended(self) -> Job | None:
        if not self._ended:
            return None
        table, number = self._ended.popleft()

        async def job() -> None:
            try:
                deal = await self.deal(table, number)
            except (StoreError, LogError) as error:
                log().warning("reviews.not_begun", table=shown(table), error=error)
                return
            if deal.breakdown_status == "waiting":
                await self._breakdown_job(deal)()

        return job

    def _next_mark(self) -> Job | None:
        for asker, queue in list(self._askers.items()):
            while queue and not queue[0].asked:
                queue.popleft()
            if not queue:
                del self._askers[asker]
                continue
            ready = next((deal for deal in queue if deal.pending), None)
            if ready is not None:
                self._askers.move_to_end(asker)
                decision = ready.take()
                return lambda: self._done_with(ready, self._judge_decision(ready, decision))
        return None

    async def _done_with(self, deal: ReviewedDeal, work: Awaitable[None]) -> None:
        await work
        self._changed.set()
        if deal.idle:
            deal.log = None

    async def _call(self, deal: ReviewedDeal, function: str, *parts: object) -> bytes:
        assert self._work is not None
        if deal.log is None:
            stored = await self._store.entries(deal.table)
            deal.log = await asyncio.to_thread(packed, stored)
        data = deal.log
        return await self._work.call(f"{_WORK}:{function}", deal.table, data, deal.number, *parts)

    async def _measure(self, deal: ReviewedDeal) -> None:
        """Make the breakdown of a deal, and again those of deals whose kinds of players it changes."""
        try:
            kinds = await self._kinds(deal)
            breakdown = read_breakdown(await self._call(deal, "breakdown", kinds, self._budget))
        except (WorkFailed, StoreError, LogError) as error:
            self._observe("failed")
            deal.attempts["account"] += 1
            given_up = deal.attempts["account"] >= MOST_ATTEMPTS
            deal.breakdown_status = "failed" if given_up else "waiting"
            if given_up:
                log().error("reviews.failed", table=shown(deal.table), deal=deal.number, error=error)
                deal.marks = "failed" if deal.asked else deal.marks
                deal.stop()
            self._want_breakdown(deal)
            return
        self._observe("account")
        deal.breakdown = breakdown
        known = await self._known(deal.table)
        known[deal.number] = breakdown.players, breakdown.leads
        await self._measure_others(deal, known)
        deal.breakdown_status = "done"
        deal.sort()
        self._wake()
        await self._save(deal, "account")

    async def _measure_others(
        self, deal: ReviewedDeal, known: dict[int, tuple[tuple[int, ...], tuple[int, ...]]]
    ) -> None:
        assert deal.breakdown is not None
        same = [number for number, (players, _) in known.items() if players == deal.breakdown.players]
        for other in await self._loaded(deal.table, [number for number in same if number != deal.number]):
            breakdown = other.breakdown
            if breakdown is None or other.breakdown_status != "done":
                continue
            if _kinds_of(known, other.number, breakdown.players) != breakdown.kinds:
                other.breakdown_status = "waiting"
                self._want_breakdown(other)

    async def _judge_decision(self, deal: ReviewedDeal, decision: Decision) -> None:
        try:
            verdict = read_verdict(await self._call(deal, "verdict", decision.step, self._budget))
        except (WorkFailed, StoreError):
            self._observe("failed")
            deal.put_back(decision)
            self._wake()
            return
        self._observe("verdict")
        deal.add(decision, verdict)
        if deal.marks == "done" or len(deal.verdicts) - deal.saved >= SAVE_EVERY:
            await self._save(deal, "marks")
        if deal.marks == "done":
            deal.stop()

    async def _save(self, deal: ReviewedDeal, kind: str) -> None:
        """Store a part of a review. If that fails, it is made again when somebody asks for it."""
        assert deal.breakdown is not None
        at, count = time.time_ns() // 1_000_000, len(deal.verdicts)
        whole = kind == "account" or deal.marks == "done"
        data = write(deal.breakdown if kind == "account" else StoredVerdicts(deal.verdicts))
        row = ReviewRow(
            table_id=deal.table, deal=deal.number, kind=kind, judge=self._judge, done=whole, at=at, data=data
        )
        try:
            await self._store.reviews.save(row, deal.sums(at) if whole else [])
        except StoreError as error:
            log().warning("reviews.not_kept", table=shown(deal.table), deal=deal.number, error=error)
        else:
            if kind == "marks":
                deal.saved = count

    async def close(self) -> None:
        """End the processes, and store the verdicts that are not."""
        if self._work is not None:
            await self._work.close()
        for deal in self._deals.values():
            if len(deal.verdicts) > deal.saved:
                await self._save(deal, "marks")


def _fill(deal: ReviewedDeal, row: ReviewRow) -> None:
    """Take over a stored part of a review. One that cannot be read is made again."""
    try:
        if row.kind == "account":
            deal.breakdown, deal.breakdown_status = read_breakdown(row.data), "done"
        else:
            deal.verdicts = read_verdicts(row.data).verdicts
            deal.saved = len(deal.verdicts)
            deal.marks = "done" if row.done else "none"
    except msgspec.MsgspecError as error:
        log().warning("reviews.unreadable", table=shown(row.table_id), deal=row.deal, error=error)


def _kinds_of(
    known: dict[int, tuple[tuple[int, ...], tuple[int, ...]]], number: int, players: tuple[int, ...]
) -> tuple[str, ...]:
    """Return the kinds of a deal's players, as `kinds_elsewhere` finds them in the other deals."""
    leads: Counter[int] = Counter()
    for other, (same, lead) in known.items():
        if other != number and same == players:
            leads.update(dict(enumerate(lead)))
    return tuple(KINDS[leads[seat] > 0] for seat in range(len(players)))
