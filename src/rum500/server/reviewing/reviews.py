"""Reviews of all finished deals: breakdowns are made for every deal, verdicts on request."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import msgspec

from rum500.review.played_deal import kind_by_lead
from rum500.server.live.finished.log_reading import packed
from rum500.server.live.finished.match_results import TableDeals
from rum500.server.live.log.entries import LogError
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.server.messages.table_error import TableError
from rum500.server.reviewing.reviewed_deal import MOST_ATTEMPTS, ReviewedDeal
from rum500.server.reviewing.stored import (
    BREAKDOWN_ROW,
    Decision,
    StoredVerdicts,
    judge_key,
    read_breakdown,
    read_verdict,
    read_verdicts,
    write,
)
from rum500.server.thinking.bot_processes import ProcessExecutor
from rum500.server.thinking.executor import WorkFailed
from rum500.server.work_scheduler import SERVER, Asker, Busy, Work
from rum500.store import ReviewRow, Store, StoreError

AHEAD = 3
"""The number of pieces of an asker's work that wait in the scheduler, in addition to those that run."""
MOST_KEPT = 300
"""The number of deals whose reviews stay in memory although no work on them is left."""
GUEST_S, ADDRESS_S = 3_600.0, 4 * 3_600.0
"""The processor seconds of waiting verdicts that a guest and an address may have."""
USUAL_DECISIONS = 60
"""The expected number of decisions in a deal, until its breakdown is known."""
MOST_WAITING = 5_000
"""The largest number of ended deals that wait for their breakdown; further deals get it on request."""
SAVE_EVERY = 8
"""The number of new verdicts of a deal after which they are stored."""

_WORK = "rum500.server.reviewing.review_work"
_PRACTICE = "rum500.server.practice.work"


Job = Callable[[], Awaitable[None]]
"""A piece of work for an asker."""


@dataclass(slots=True, eq=False)
class _Requests:
    """The work requested by one asker."""

    breakdowns: deque[ReviewedDeal] = field(default_factory=deque)
    """Deals whose breakdown was requested."""
    ended: deque[tuple[str, int]] = field(default_factory=deque)
    """Deals that have ended, as (table, number)."""
    deals: deque[ReviewedDeal] = field(default_factory=deque)
    """Deals whose decisions have to be judged."""
    running: int = 0
    """The number of jobs in progress."""


class Reviews:
    """The reviews of a server."""

    def __init__(
        self,
        store: Store,
        tables: TableRegistry,
        processes: ProcessExecutor,
        observe: Callable[[str], None],
        budget: str = "usual",
    ) -> None:
        """Set the store, the tables and the processes. If the processes have no background lanes, nothing
        is reviewed.

        `budget` is the judge's budget; see `Budget`. `observe` is called with `breakdown`, `verdict`, `look`
        or `failed` for each task that ends.
        """
        self._store = store
        self._tables = tables
        self._observe = observe
        self._budget = budget
        self._judge = f"{judge_key()}-{budget}"
        self._deals: OrderedDict[tuple[str, int], ReviewedDeal] = OrderedDict()
        self._leads: OrderedDict[str, dict[int, tuple[tuple[int, ...], tuple[int, ...]]]] = OrderedDict()
        self._loading = asyncio.Lock()
        self._askers: dict[Asker, _Requests] = {}
        self._changed = asyncio.Event()
        self._lanes = processes.scheduler.lanes.get("background", 0)
        self._processes = processes if self._lanes else None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def budget(self) -> str:
        """The budget for a decision; see `Budget`."""
        return self._budget

    @property
    def waiting(self) -> int:
        """The number of deals that wait for their breakdown or for verdicts."""
        return sum(len(each.ended) + len(each.breakdowns) + len(each.deals) for each in self._askers.values())

    # --- requests -------------------------------------------------------------------------------------

    def ended(self, table: str, number: int) -> None:
        """Queue the breakdown of a deal that has just finished and is stored in the table's log."""
        if self._processes is not None and len(self._of(SERVER).ended) < MOST_WAITING:
            self._of(SERVER).ended.append((table, number))
            self._wake()

    async def deals(self, table: str, numbers: Iterable[int], who: Asker = SERVER) -> list[ReviewedDeal]:
        """Return the reviews of these finished deals of a table; queue missing breakdowns."""
        self._check_on()
        found = await self._loaded(table, list(numbers))
        for deal in found:
            self._want_breakdown(deal, who)
        return found

    async def deal(self, table: str, number: int) -> ReviewedDeal:
        """Return the review of a finished deal in its present state."""
        return (await self._loaded(table, [number]))[0]

    async def all_deals(self, table: str, who: Asker = SERVER) -> TableDeals:
        """Return the deals of a table: which are finished, and who played them."""
        self._check_on()
        return await self._tables.deals(table, who)

    async def measured(self, deal: ReviewedDeal, who: Asker) -> None:
        """Wait until a deal has its breakdown. Raises `TableError` if that fails."""
        self._want_breakdown(deal, who)
        while deal.breakdown is None:
            if deal.breakdown_status == "failed":
                raise TableError("review.failed")
            self._changed.clear()
            await self._changed.wait()

    async def finished(self, table: str, number: int, who: Asker = SERVER) -> TableDeals:
        """Return a table's deals. Raises `TableError` if deal `number` is not finished."""
        deals = await self.all_deals(table, who)
        if number in deals.finished:
            return deals
        if number == deals.playing:
            raise TableError("review.playing")
        if number == deals.given_up:
            raise TableError("review.unfinished")
        raise TableError("deal.unknown")

    def ask(self, deal: ReviewedDeal, who: Asker, seat: int | None) -> None:
        """Queue the judging of a deal's decisions; if `seat` is given, its decisions are judged first.

        Raises `Busy` if too much work of this guest or address is waiting.
        """
        self._check_on()
        if deal.marks == "done":
            return
        if deal not in self._of(who).deals:
            self._check_budget(who)
            self._of(who).deals.append(deal)
        deal = self._deals.setdefault((deal.table, deal.number), deal)
        deal.ask(seat)
        self._want_breakdown(deal, who)
        self._wake()

    def _check_budget(self, who: Asker) -> None:
        """Raise `Busy` if this guest or address already waits for too many processor seconds of verdicts."""
        assert self._processes is not None
        cost = self._processes.scheduler.cost(Work.REVIEW)
        asked = [
            (each == who, cost * (len(one.breakdown.decisions) if one.breakdown else USUAL_DECISIONS))
            for each, requests in self._askers.items()
            if each.address == who.address
            for one in requests.deals
        ]
        own, all_ = sum(seconds for is_own, seconds in asked if is_own), sum(seconds for _, seconds in asked)
        if own > GUEST_S or all_ > ADDRESS_S:
            raise Busy(all_ / self._lanes)

    async def look(self, who: Asker, deal: ReviewedDeal, function: str, step: int, *parts: int) -> bytes:
        """Return the result of a function of `review_work` for a decision of a deal.

        Raises `TableError` if the work fails.
        """
        self._check_on()
        key = ("look", deal.table, deal.number, function, step, *parts)
        return await self._answer(self._call(who, deal, function, step, *parts, work=Work.LOOK, key=key))

    async def positions(self, who: Asker, deal: ReviewedDeal, steps: Sequence[int]) -> bytes:
        """Return the positions before these plays of a deal, as from `review_work.positions`.

        Raises `TableError` if the work fails.
        """
        self._check_on()
        return await self._answer(self._call(who, deal, "positions", list(steps), work=Work.PRACTICE))

    async def practise(self, who: Asker, function: str, *parts: object) -> bytes:
        """Return the result of a function of `server.practice.work`. Raises `TableError` if it fails."""
        self._check_on()
        assert self._processes is not None
        key = (function, msgspec.json.encode(parts))
        return await self._answer(
            self._processes.call(Work.PRACTICE, who, f"{_PRACTICE}:{function}", *parts, key=key)
        )

    async def _answer(self, answer: Awaitable[bytes]) -> bytes:
        """Return the result of requested work. Raises `TableError` if the work fails."""
        try:
            found = await answer
        except (WorkFailed, StoreError):
            self._observe("failed")
            raise TableError("review.failed") from None
        self._observe("look")
        return found

    async def costliest(self, table: str, guest: str, who: Asker) -> tuple[int, float] | None:
        """Return (frame, gain) of the decision in a match of one deal that cost this guest most.

        Returns None if no decision cost anything, or if the breakdown is not computed; then it is queued.
        """
        breakdown = (await self.deals(table, [1], who))[0].breakdown
        if breakdown is None or guest not in breakdown.guests:
            return None
        seat = breakdown.guests.index(guest)
        own = [(one.gain, one.frame) for one in breakdown.decisions if one.seat == seat and one.gain < 0]
        gain, frame = min(own, default=(0.0, 0))
        return (frame, gain) if own else None

    def judging(self, table: str) -> bool:
        """Return whether decisions of this table are being judged."""
        return any(deal.table == table for each in self._askers.values() for deal in each.deals)

    def _check_on(self) -> None:
        if self._processes is None:
            raise TableError("review.off")

    # --- progress ---------------------------------------------------------------------------------------

    async def _loaded(self, table: str, numbers: Sequence[int]) -> list[ReviewedDeal]:
        async with self._loading:
            missing = [number for number in numbers if (table, number) not in self._deals]
            if missing:
                one = missing[0] if len(missing) == 1 else None
                rows = await self._store.reviews.of_table(table, None, one)
                for number in missing:
                    deal = self._deals[table, number] = ReviewedDeal(table, number)
                    for row in _of_one_judge([row for row in rows if row.deal == number], self._judge):
                        _fill(deal, row)
        found = [self._deals[table, number] for number in numbers]
        for number in numbers:
            self._deals.move_to_end((table, number))
        self._forget()
        return found

    def _forget(self) -> None:
        """Drop the least recently viewed deals from memory, except those with work in progress."""
        for key, deal in list(self._deals.items())[: max(0, len(self._deals) - MOST_KEPT)]:
            if deal.idle:
                del self._deals[key]

    async def _kinds(self, deal: ReviewedDeal, who: Asker) -> tuple[str, ...]:
        """Return the kind of player at each seat, as the match's other deals with these players show it."""
        deals = await self._tables.deals(deal.table, who)
        players = deals.players[deals.finished.index(deal.number)]
        known = await self._known(deal.table)
        return _kinds_of(known, deal.number, players)

    async def _known(self, table: str) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return (players, leads) of each stored breakdown of a table's deals, by number of the deal."""
        if table not in self._leads:
            known = {}
            for row in await self._store.reviews.of_table(table, self._judge):
                if row.kind == BREAKDOWN_ROW:
                    breakdown = read_breakdown(row.data)
                    known[row.deal] = breakdown.players, breakdown.leads
            self._leads[table] = known
            if len(self._leads) > MOST_KEPT:
                self._leads.popitem(last=False)
        return self._leads[table]

    # --- the work -----------------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Start jobs for each asker, a few more than there are lanes.

        With one job for each lane, no work of this asker would be waiting when a lane becomes free, and
        another asker's long work would run after each piece of this asker's short work.
        """
        if self._processes is None or self._closed:
            return
        for who, requests in list(self._askers.items()):
            while requests.running < self._lanes + AHEAD and (job := self._next(who, requests)) is not None:
                requests.running += 1
                task = asyncio.get_running_loop().create_task(self._serve(who, requests, job))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _serve(self, who: Asker, requests: _Requests, job: Job | None) -> None:
        """Do this job, then the asker's next jobs, one after the other."""
        try:
            while job is not None:
                try:
                    await job()
                except Exception as error:  # noqa: BLE001 - a bug in one job must not end all reviews
                    log().error("reviews.failed", error=error)
                job = self._next(who, requests)
        finally:
            requests.running -= 1
            if not (requests.running or requests.ended or requests.breakdowns or requests.deals):
                self._askers.pop(who, None)

    def _of(self, who: Asker) -> _Requests:
        return self._askers.setdefault(who, _Requests())

    def _want_breakdown(self, deal: ReviewedDeal, who: Asker) -> None:
        if deal.breakdown_status == "waiting" and deal not in self._of(who).breakdowns:
            self._of(who).breakdowns.append(deal)
            self._wake()

    def _next(self, who: Asker, requests: _Requests) -> Job | None:
        """Return an asker's next job, or None. All breakdowns come before verdicts."""
        while requests.breakdowns:
            deal = requests.breakdowns.popleft()
            if deal.breakdown_status == "waiting":
                return self._breakdown_job(deal, who)
        if requests.ended:
            return partial(self._measure_ended, *requests.ended.popleft())
        queue = requests.deals
        while queue and not queue[0].asked:
            queue.popleft()
        ready = next((deal for deal in queue if deal.pending), None)
        if ready is None:
            return None
        decision = ready.take()
        return lambda: self._done_with(ready, self._judge_decision(ready, decision, who))

    def _breakdown_job(self, deal: ReviewedDeal, who: Asker) -> Job:
        deal.breakdown_status = "running"
        return lambda: self._done_with(deal, self._measure(deal, who))

    async def _measure_ended(self, table: str, number: int) -> None:
        try:
            deal = await self.deal(table, number)
        except (StoreError, LogError) as error:
            log().warning("reviews.not_begun", table=shown(table), error=error)
            return
        if deal.breakdown_status == "waiting":
            await self._breakdown_job(deal, SERVER)()

    async def _done_with(self, deal: ReviewedDeal, work: Awaitable[None]) -> None:
        await work
        self._changed.set()
        if deal.idle:
            deal.log = None

    async def _call(
        self,
        who: Asker,
        deal: ReviewedDeal,
        function: str,
        *parts: object,
        work: Work = Work.REVIEW,
        key: object = None,
    ) -> bytes:
        assert self._processes is not None
        if deal.log is None:
            stored = await self._store.entries(deal.table)
            deal.log = await asyncio.to_thread(packed, stored)
        data = deal.log
        if deal.idle:
            deal.log = None
        return await self._processes.call(
            work, who, f"{_WORK}:{function}", deal.table, data, deal.number, *parts, key=key
        )

    async def _measure(self, deal: ReviewedDeal, who: Asker) -> None:
        """Measure the breakdown of a deal. Queue other deals again if the kinds of their players change."""
        try:
            kinds = await self._kinds(deal, who)
            breakdown = read_breakdown(await self._call(who, deal, "breakdown", kinds, self._budget))
        except (WorkFailed, StoreError, LogError) as error:
            self._observe("failed")
            deal.attempts["breakdown"] += 1
            given_up = deal.attempts["breakdown"] >= MOST_ATTEMPTS
            deal.breakdown_status = "failed" if given_up else "waiting"
            if given_up:
                log().error("reviews.failed", table=shown(deal.table), deal=deal.number, error=error)
                deal.marks = "failed" if deal.asked else deal.marks
                deal.stop()
            self._want_breakdown(deal, who)
            return
        self._observe("breakdown")
        deal.breakdown = breakdown
        known = await self._known(deal.table)
        known[deal.number] = breakdown.players, breakdown.leads
        await self._measure_others(deal, known, who)
        deal.breakdown_status = "done"
        deal.sort()
        self._wake()
        await self._save(deal, BREAKDOWN_ROW)

    async def _measure_others(
        self, deal: ReviewedDeal, known: dict[int, tuple[tuple[int, ...], tuple[int, ...]]], who: Asker
    ) -> None:
        assert deal.breakdown is not None
        same = [number for number, (players, _) in known.items() if players == deal.breakdown.players]
        for other in await self._loaded(deal.table, [number for number in same if number != deal.number]):
            breakdown = other.breakdown
            if breakdown is None or other.breakdown_status != "done":
                continue
            shown = _kinds_of(known, other.number, breakdown.players)
            if any(
                one.known != "bot" and before != now
                for one, before, now in zip(breakdown.info.company, breakdown.kinds, shown, strict=True)
            ):
                other.breakdown_status = "waiting"
                self._want_breakdown(other, who)

    async def _judge_decision(self, deal: ReviewedDeal, decision: Decision, who: Asker) -> None:
        try:
            verdict = read_verdict(await self._call(who, deal, "verdict", decision.step, self._budget))
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
        """Store the breakdown or, if `kind` is `marks`, the verdicts of a deal. Log an error of the store."""
        assert deal.breakdown is not None
        at, count = time.time_ns() // 1_000_000, len(deal.verdicts)
        whole = kind == BREAKDOWN_ROW or deal.marks == "done"
        data = write(deal.breakdown if kind == BREAKDOWN_ROW else StoredVerdicts(deal.verdicts))
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
        """Stop the work, and store the verdicts that are not yet stored."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for deal in self._deals.values():
            if len(deal.verdicts) > deal.saved:
                await self._save(deal, "marks")


def _of_one_judge(rows: Sequence[ReviewRow], present: str) -> Sequence[ReviewRow]:
    """Return all rows of a deal if one judge made a complete review, else only the rows of judge `present`.

    A complete review of an earlier judge stays valid, because its breakdown names the judge.
    """
    ours = [row for row in rows if row.judge == present]
    kinds, judges = {row.kind for row in rows}, {row.judge for row in rows}
    whole = kinds == {"account", "marks"} and len(judges) == 1 and all(row.done for row in rows)
    return rows if whole else ours


def _fill(deal: ReviewedDeal, row: ReviewRow) -> None:
    """Copy a stored breakdown or stored verdicts into `deal`; log and ignore data that cannot be read."""
    try:
        if row.kind == BREAKDOWN_ROW:
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
    """Return the kind of each player of deal `number`, as the other deals show it; see `kinds_elsewhere`."""
    leads: Counter[int] = Counter()
    for other, (same, lead) in known.items():
        if other != number and same == players:
            leads.update(dict(enumerate(lead)))
    return tuple(kind_by_lead(leads[seat]) for seat in range(len(players)))
