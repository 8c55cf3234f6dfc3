"""The deals of the day of a server: their seeds, attempts, results, and how bots do on the same cards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence, Set
from datetime import UTC, date, datetime, timedelta
from typing import Any, Protocol

import msgspec

from rum500.puzzles.day_deal import GAMES, QUICK, DayDeal, deal_number, quartiles
from rum500.server.guests import Names
from rum500.server.live.log.day_attempts import end_of
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.table_options import Guest
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log
from rum500.server.messages.day_deals import (
    DayBot,
    DayCalendar,
    DayCell,
    DayDecision,
    DayProgress,
    DayProof,
    DayResult,
    DayStanding,
    DayStandings,
    DayStatus,
    DayToday,
)
from rum500.server.messages.render import texts
from rum500.server.messages.table_error import TableError
from rum500.server.practice.day_work import BOT_POINTS
from rum500.server.thinking.executor import BotExecutor, WorkFailed
from rum500.server.work_scheduler import SERVER, Asker, Busy, Work
from rum500.store import DayAttempt, StoreError, TableStore

SEED_BYTES = 32
CALENDAR_DAYS = 30
"""The number of days in the calendar."""
NEAR = 2
"""The number of neighbours on each side in the standing."""
AT_ONCE = 4
"""The number of games that a bot plays in one piece of work."""
USUAL = ("club", "expert")
"""The bots that play every deal for comparison; the others play for a guest who is alone."""
_MOST_KEPT = 64
_points = msgspec.json.Decoder(list[int]).decode


class DealReviews(Protocol):
    """Finds the costliest decision of a finished deal."""

    async def costliest(self, table: str, guest: str, who: Asker) -> tuple[int, float] | None:
        """Return (frame, gain) of the guest's decision that cost most; None if unknown or none cost any."""


class DayBook:
    """The deals of the day."""

    def __init__(
        self,
        store: TableStore,
        tables: TableRegistry,
        names: Names,
        executor: BotExecutor,
        reviews: DealReviews | None = None,
        *,
        levels: Sequence[str] = QUICK,
        on_device: bool = False,
    ) -> None:
        """Set the parts. `levels` are the bots that may play the deals for comparison.

        `on_device` says that there is no server, so that the seeds follow from the dates.
        """
        self._store = store
        self._tables = tables
        self._names = names
        self._executor = executor
        self._reviews = reviews
        self._levels = levels
        self._on_device = on_device
        self._deals: dict[int, DayDeal] = {}
        self._playing: dict[tuple[int, str], asyncio.Task[None]] = {}

    @property
    def today(self) -> date:
        """The present day in UTC."""
        return datetime.fromtimestamp(self._now / 1000, UTC).date()

    @property
    def _now(self) -> int:
        return self._tables.services.time.wall()

    def day(self, text: str) -> date:
        """Return the day with this date. Raises `TableError` unless it has a deal and is not after today."""
        return _dated(text, self.today)

    async def deal(self, day: date) -> DayDeal:
        """Return the deal of a day, with a new seed if the day has none.

        Raises `TableError` for a day before the first deal, as a wrong clock shows.
        """
        if not _has_deal(day):
            raise TableError("day.early")
        number = day.toordinal()
        if number not in self._deals:
            seed = await self._store.day_deals.seed(number)
            if seed is None:
                await self._store.day_deals.save_seed(number, self._tables.services.entropy(SEED_BYTES).hex())
                seed = await self._store.day_deals.seed(number)  # another server may have been faster
                assert seed is not None
            self._deals[number] = DayDeal(day, bytes.fromhex(seed))
            if len(self._deals) > _MOST_KEPT:
                del self._deals[next(iter(self._deals))]
        return self._deals[number]

    # --- what a guest sees ----------------------------------------------------------------------------

    async def shown_today(self, guest: str | None, who: Asker = SERVER) -> DayToday:
        """Return today's deal; bots begin to play it for comparison.

        An attempt in progress is read in the share of `who`.
        """
        day = self.today
        deal, tomorrow = await self.deal(day), await self.deal(day + timedelta(days=1))
        attempts = await self._attempts(guest)
        own = attempts.get(day.toordinal())
        bots, _ = await self._bots(deal)
        ended = own is not None and own.status in ("over", "unfinished")
        return DayToday(
            **self._game(deal, own),
            left_s=max(0, (end_of(day) - self._now) // 1000),
            played=await self._store.day_deals.played(day.toordinal()),
            place=await self._place(own),
            club=next((bot.mean for bot in bots if bot.level == "club" and ended), None),
            streak=streak(attempts, day.toordinal()),
            commitment=deal.shuffle.commitment,
            next_commitment=tomorrow.shuffle.commitment,
            on_device=self._on_device,
            progress=await self._progress(own, who),
        )

    async def _progress(self, own: DayAttempt | None, who: Asker) -> DayProgress | None:
        """Return how far an attempt has come; None if it is not in progress or has no table yet."""
        if own is None or self._status(own) != "playing":
            return None
        try:
            return (await self._tables.standing(own.table_id, who)).attempt
        except (LogError, StoreError):
            return None

    async def result(self, day: date, guest: str | None, who: Asker) -> DayResult:
        """Return the result of a day's deal. Raises `TableError` before the guest's attempt of today ends."""
        deal, number = await self.deal(day), day.toordinal()
        attempts = await self._attempts(guest)
        own = attempts.get(number)
        status = self._ended(day, own)
        counts = await self._store.day_deals.counts(number)
        place, costliest = await self._place(own), None
        bots, awaited = await self._bots(deal, alone=place is not None and sum(counts.values()) == 1)
        if own is not None and own.status == "over" and self._reviews is not None:
            costliest = await self._reviews.costliest(own.table_id, own.guest_id, who)
        return DayResult(
            **self._game(deal, own),
            played=sum(counts.values()),
            place=place,
            best=max(counts, default=None),
            counts=[] if status in ("new", "unfinished") and day == self.today else list(counts.items()),
            near=[] if own is None or place is None else await self._near(own, counts),
            bots=bots,
            awaited=awaited,
            costliest=None if costliest is None else DayDecision(costliest[0], -costliest[1]),
            streak=streak(attempts, self.today.toordinal()),
            on_device=self._on_device,
        )

    async def standing(self, day: date, guest: str | None, skip: int, limit: int) -> DayStandings:
        """Return a part of the standing of a day's deal, without the first `skip` results.

        Raises `TableError` before the guest's attempt of today ends. Without a result of today that counts,
        the guest does not get the standing of today.
        """
        number = day.toordinal()
        own = None if guest is None else await self._store.day_deals.attempt(guest, number)
        if day == self.today and self._ended(day, own) != "over":
            return DayStandings([], await self._store.day_deals.played(number))
        counts = await self._store.day_deals.counts(number)
        rows = await self._store.day_deals.standing(number, skip, limit)
        return DayStandings(await self._standings(rows, guest, counts), sum(counts.values()))

    async def calendar(self, guest: str | None) -> DayCalendar:
        """Return the last days, today last."""
        today = self.today
        days = [today - timedelta(days=back) for back in reversed(range(CALENDAR_DAYS))]
        days = [day for day in days if _has_deal(day)]
        attempts = await self._attempts(guest)
        bots = await self._store.day_deals.bots([day.toordinal() for day in days])
        cells = []
        for day in days:
            own, points = attempts.get(day.toordinal()), bots.get((day.toordinal(), "club"))
            secret = day == today and self._status(own) in ("new", "playing")
            club = None if secret or not points else _mean(points)
            cells.append(DayCell(**self._game(DayDeal(day, bytes(SEED_BYTES)), own), club=club))
        return DayCalendar(cells, streak(attempts, today.toordinal()))

    async def proof(self, text: str) -> DayProof:
        """Return how a day's cards follow from its seed, which is published when the day is over.

        Tomorrow's deal has a proof too. Raises `TableError` for a day on which nobody played.
        """
        today = self.today
        day = _dated(text, today + timedelta(days=1))
        if day < today and await self._store.day_deals.seed(day.toordinal()) is None:
            raise TableError("day.unknown")
        deal = await self.deal(day)
        return DayProof(
            day=text,
            profile=deal.rules.name,
            players=deal.players,
            context=deal.shuffle.context,
            pack=texts(sorted(deal.rules.deck(deal.players))),
            commitment=deal.shuffle.commitment,
            seed=deal.seed.hex() if day < today or self._on_device else "",
        )

    async def export(self, guest: str) -> list[dict[str, Any]]:
        """Return a guest's attempts as plain data."""
        return [
            {
                "day": date.fromordinal(one.day).isoformat(),
                "status": self._status(one),
                "points": one.points,
                "table": one.table_id,
            }
            for one in await self._store.day_deals.of_guest(guest)
        ]

    # --- playing --------------------------------------------------------------------------------------

    async def play(
        self,
        day: date,
        guest: str,
        *,
        practice: bool,
        bot_pause_ms: int,
        address: str,
        check: Callable[[], None],
    ) -> str:
        """Return the table at which a guest plays a deal: a new one, or that of the attempt in progress.

        `check` is called before a new table is made; it may refuse that. Raises `TableError` for a second
        attempt, an attempt at an earlier day's deal, and practice of today's deal.
        """
        if practice == (day == self.today):
            raise TableError("day.today" if practice else "day.over")
        deal = await self.deal(day)
        table = self._tables.new_id()
        if not practice:
            attempt = await self._store.day_deals.attempt(guest, day.toordinal())
            if attempt is None:
                check()
                await self._store.day_deals.begin(
                    DayAttempt(
                        day=day.toordinal(),
                        guest_id=guest,
                        table_id=table,
                        status="playing",
                        points=None,
                        at=self._now,
                    )
                )
                # Of several requests at the same time, the first one determines the table.
                attempt = await self._store.day_deals.attempt(guest, day.toordinal())
                assert attempt is not None
            if attempt.status != "playing":
                raise TableError("day.played")
            table = attempt.table_id
        else:
            check()
        who = Guest(guest, await self._names.of(guest))
        return await self._tables.play_day_deal(
            deal, who, table, practice=practice, bot_pause_ms=bot_pause_ms, address=address
        )

    # --- parts ----------------------------------------------------------------------------------------

    async def _attempts(self, guest: str | None) -> dict[int, DayAttempt]:
        """Return a guest's attempts by day."""
        found = [] if guest is None else await self._store.day_deals.of_guest(guest)
        return {one.day: one for one in found}

    def _status(self, attempt: DayAttempt | None) -> DayStatus:
        if attempt is None:
            return "new"
        if attempt.status == "playing" and attempt.day < self.today.toordinal():
            return "unfinished"  # its table has not been woken yet
        return attempt.status

    def _ended(self, day: date, own: DayAttempt | None) -> DayStatus:
        """Return what a guest has done with a deal. Raises `TableError` before the attempt of today ends."""
        status = self._status(own)
        if day == self.today and status in ("new", "playing"):
            raise TableError("day.playing")
        return status

    def _game(self, deal: DayDeal, own: DayAttempt | None) -> dict[str, Any]:
        return {
            "day": deal.day.isoformat(),
            "number": deal.number,
            "profile": deal.rules.name,
            "title": deal.rules.title,
            "players": deal.players,
            "level": deal.level,
            "status": self._status(own),
            "table": None if own is None else own.table_id,
            "points": None if own is None else own.points,
        }

    async def _place(self, own: DayAttempt | None) -> int | None:
        if own is None or own.status != "over" or own.points is None:
            return None
        return place_of(own.points, await self._store.day_deals.counts(own.day))

    async def _near(self, own: DayAttempt, counts: Mapping[int, int]) -> list[DayStanding]:
        """Return the guest and up to `NEAR` neighbours on each side in the standing, best first."""
        assert own.points is not None
        found = await self._store.day_deals.near(own.day, own.points, NEAR + 1)
        others = [one for one in found if one.guest_id != own.guest_id and one.points is not None]
        better = [one for one in others if (one.points or 0) >= own.points][-NEAR:]
        worse = [one for one in others if (one.points or 0) < own.points][:NEAR]
        return await self._standings([*better, own, *worse], own.guest_id, counts)

    async def _standings(
        self, attempts: Sequence[DayAttempt], guest: str | None, counts: Mapping[int, int]
    ) -> list[DayStanding]:
        """Return results as this guest sees them: names only of people with whom the guest has played."""
        ids = [one.guest_id for one in attempts]
        known = set() if guest is None else {guest, *await self._store.day_deals.known_to(guest, ids)}
        return [
            DayStanding(
                place_of(one.points or 0, counts),
                await self._names.of(one.guest_id) if one.guest_id in known else None,
                one.points or 0,
                one.guest_id == guest,
            )
            for one in attempts
        ]

    # --- bots on the same cards -------------------------------------------------------------------------

    async def _bots(self, deal: DayDeal, *, alone: bool = False) -> tuple[list[DayBot], list[str]]:
        """Return how the bots did on a deal, and the levels that have not played it yet: they begin now.

        The guest who is `alone` is compared with all levels, other guests with the usual ones.
        """
        number = deal.day.toordinal()
        known = await self._store.day_deals.bots([number])
        levels = [level for level in self._levels if alone or level in USUAL]
        for level in levels:
            if (number, level) not in known and (number, level) not in self._playing:
                task = asyncio.get_running_loop().create_task(self._play_bot(deal, level))
                self._playing[number, level] = task
                task.add_done_callback(lambda _, key=(number, level): self._playing.pop(key, None))  # type: ignore[misc]
        found = [
            DayBot(level, len(points), round(_mean(points), 1), *quartiles(points))
            for level in levels
            if (points := known.get((number, level)))
        ]
        return found, [level for level in levels if (number, level) not in known]

    async def _play_bot(self, deal: DayDeal, level: str) -> None:
        """Let a bot play a deal several times and store its points. A later request retries a failure."""
        found: list[int] = []
        # Games of a level that does not search take milliseconds: they do not wait for reviews.
        waits = level not in QUICK and self._executor.scheduler.lanes.get("background", 0)
        work = Work.REVIEW if waits else Work.PRACTICE
        try:
            for first in range(0, GAMES, AT_ONCE):
                found += _points(
                    await self._executor.call(
                        work, SERVER, BOT_POINTS, deal.day.isoformat(), deal.seed.hex(), level, first, AT_ONCE
                    )
                )
            await self._store.day_deals.save_bot(deal.day.toordinal(), level, found)
        except (Busy, StoreError, WorkFailed) as error:
            log().warning("day_deal.bots_failed", day=deal.day.isoformat(), level=level, error=error)

    async def close(self) -> None:
        """Stop the bots that are playing."""
        for task in self._playing.values():
            task.cancel()
        await asyncio.gather(*self._playing.values(), return_exceptions=True)


def place_of(points: int, counts: Mapping[int, int]) -> int:
    """Return the place of a result: 1 more than the number of guests with more points.

    >>> place_of(62, {40: 3, 62: 2, 77: 1})
    2
    """
    return 1 + sum(players for other, players in counts.items() if other > points)


def streak(attempts: Mapping[int, DayAttempt], today: int) -> int:
    """Return the days played in a row up to today or yesterday; a single missed day does not end the row."""
    played = {day for day, one in attempts.items() if one.status == "over"}
    return streak_at(played, today)


def streak_at(played: Set[int], today: int) -> int:
    """Return the streak of a guest who has played on these days, as of `today`.

    >>> streak_at({1, 2, 4}, 5), streak_at({1, 4}, 5)
    (3, 1)
    """
    day, missed, found = today if today in played else today - 1, False, 0
    while day in played or not missed:
        found, missed = found + (day in played), day not in played
        day -= 1
    return found


def _mean(points: Sequence[int]) -> float:
    return sum(points) / len(points)


def _dated(text: str, last: date) -> date:
    """Return the day with this date. Raises `TableError` unless it has a deal and is not after `last`."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise TableError("day.unknown") from None
    if day > last or not _has_deal(day):
        raise TableError("day.unknown")
    return day


def _has_deal(day: date) -> bool:
    try:
        deal_number(day)
    except ValueError:
        return False
    return True
