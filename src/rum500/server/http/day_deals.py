"""The deal of the day over HTTP: today's deal, playing it, results, the calendar, and proofs."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from rum500.server.config import Config
from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.limits import Limits
from rum500.server.live.table_registry import TableRegistry
from rum500.server.messages.day_deals import (
    Day,
    DayCalendar,
    DayPlay,
    DayProof,
    DayResult,
    DayStandings,
    DayToday,
)
from rum500.server.messages.http import NewTableId
from rum500.server.practice.day_book import DayBook
from rum500.server.work_scheduler import Light, Work

_MOST = 100
_DAY = Param("day", Day, "The date of the deal, in UTC.")
_SKIP = Param("skip", Annotated[int, Meta(ge=0, le=10_000)], "The results to leave out; by default 0.")


class DayDealHandlers:
    """The handlers of the requests for deals of the day."""

    def __init__(self, config: Config, tables: TableRegistry, book: DayBook, limits: Limits) -> None:
        self._config = config
        self._tables = tables
        self._book = book
        self._limits = limits

    @answers("GET", "/api/day-deals/today", work=Work.READ)
    async def day_deal(self, asker: ApiRequest) -> DayToday:
        """Return the deal of the day in UTC, which is the same for everybody."""
        self._limits.check("practice", asker.address)
        return await self._book.shown_today(asker.known, asker.who)

    @answers("GET", "/api/day-deals", work=Light.ROWS)
    async def day_deals(self, asker: ApiRequest) -> DayCalendar:
        """List the deals of the last 30 days with the guest's results, today's last."""
        self._limits.check("practice", asker.address)
        return await self._book.calendar(asker.known)

    @answers("GET", "/api/day-deals/{day}", work=Light.ROWS, params=(_DAY,), refuses=(404, 409, 422))
    async def day_result(self, asker: ApiRequest) -> DayResult:
        """Return the results of a day's deal, after the guest's attempt or after the day."""
        self._limits.check("practice", asker.address)
        return await self._book.result(self._book.day(asker.param(_DAY)), asker.known, asker.who)

    @answers(
        "GET",
        "/api/day-deals/{day}/standing",
        work=Light.ROWS,
        params=(_DAY,),
        query=(_SKIP,),
        refuses=(404, 409, 422),
    )
    async def day_standing(self, asker: ApiRequest) -> DayStandings:
        """Return up to 100 results of a day's deal, best first, after the guest's attempt or after the day.

        Only players with whom the guest has had a seat at the same table have names.
        """
        self._limits.check("practice", asker.address)
        day, skip = self._book.day(asker.param(_DAY)), asker.param(_SKIP, "0")
        return await self._book.standing(day, asker.known, skip, _MOST)

    @answers("GET", "/api/day-deals/{day}/proof", work=Light.ROWS, params=(_DAY,), refuses=(404, 422))
    async def day_proof(self, asker: ApiRequest) -> DayProof:
        """Return the commitment to a day's cards (tomorrow's too), and the seed when the day is over."""
        self._limits.check("practice", asker.address)
        return await self._book.proof(asker.param(_DAY))

    @answers(
        "POST",
        "/api/day-deals/{day}/play",
        work=Work.READ,
        takes=DayPlay,
        params=(_DAY,),
        status=201,
        refuses=(401, 404, 409, 422),
    )
    async def play_day_deal(self, asker: ApiRequest) -> NewTableId:
        """Return the table of the guest's one attempt at today's deal, or a new table for practice.

        The attempt in progress is resumed at the same table.
        """
        guest, made_by = asker.guest, self._tables.made_by

        def check() -> None:
            self._limits.check_new_table(guest.id, asker.address, made_by(guest.id), made_by(asker.address))

        day = self._book.day(asker.param(_DAY))
        made = await self._book.play(
            day,
            guest.id,
            practice=asker.body.practice,
            bot_pause_ms=self._config.bot_pause_ms,
            address=asker.address,
            check=check,
        )
        return NewTableId(made)
