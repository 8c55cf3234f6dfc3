"""The guest's ended matches over HTTP: a list, totals, and all of them as files."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import Meta

from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.limits import Limits
from rum500.server.live.log.entries import LogError
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.server.messages.http import History, HistoryRow, HistoryTable
from rum500.server.messages.review import HistoryReview
from rum500.server.reviewing.answers import history_review, play_sum
from rum500.server.work_scheduler import Light, Work
from rum500.store import MatchSummary, ResultRow, ReviewSum, TableStore

MOST_ROWS = 100
MISTAKES = "mistakes.json"
"""The file with the guest's mistakes, in the ZIP file with the records."""
DAYS = "deals-of-the-day.json"
"""The file with the guest's attempts at deals of the day, in the same ZIP file."""
_EVERY = 1_000_000
_PROFILE = Param("profile", Annotated[str, Meta(min_length=1, max_length=64)], "Only this game, by its name.")
_WITH = Param("with", Literal["people", "bots"], "Only matches with other people, or against bots alone.")
_REVIEWED = Param("reviewed", bool, "Only matches whose decisions are all judged, or only the others.")
_SKIP = Param("skip", Annotated[int, Meta(ge=0, le=_EVERY)], "The number of rows to leave out; by default 0.")
_LIMIT = Param("limit", Annotated[int, Meta(ge=1, le=MOST_ROWS)], "The most rows to return; by default 20.")
_COLUMNS = (
    "ended", "game", "players", "opponents", "partners", "result", "place", "points", "margin", "deals",
    "table",
)  # fmt: skip


class RunningReviews(Protocol):
    """Reports which tables are being reviewed."""

    def judging(self, table: str) -> bool:
        """Return whether decisions of this table are being judged."""


class Exported(Protocol):
    """Reads one kind of the guests' data from the store."""

    async def export(self, guest: str) -> list[dict[str, Any]]:
        """Return everything of this kind that a guest has, as plain data."""


@dataclass(slots=True, eq=False)
class HistoryHandlers:
    """The handlers of the requests for the guest's ended matches."""

    _store: TableStore
    _tables: TableRegistry
    _reviews: RunningReviews
    _mistakes: Exported
    _limits: Limits
    _days: Exported

    @answers(
        "GET",
        "/api/history",
        work=Work.READ,
        query=(_PROFILE, _WITH, _REVIEWED, _SKIP, _LIMIT),
        refuses=(401, 422),
    )
    async def history(self, asker: ApiRequest) -> History:
        """List the guest's ended matches with at least one finished deal, latest first."""
        guest, company = asker.guest.id, asker.param(_WITH)
        wanted = {
            "profile": asker.param(_PROFILE),
            "with_people": None if company is None else company == "people",
            "reviewed": asker.param(_REVIEWED),
        }
        await self._tables.save_results(guest, asker.who)
        rows = await self._store.results.of_guest(
            guest, **wanted, skip=asker.param(_SKIP, "0"), limit=asker.param(_LIMIT, "20")
        )
        sums = await self._store.reviews.sums(guest)
        return History(
            rows=[
                self._row(
                    row, [one for one in sums if one.table_id == row.table_id], await self._hints(row, asker)
                )
                for row in rows
            ],
            total=await self._store.results.count(guest, **wanted),
            games=list(await self._store.results.figures(guest)),
            play=play_sum(sums),
        )

    def _row(self, row: ResultRow, sums: Sequence[ReviewSum], hints: int) -> HistoryRow:
        judging = self._reviews.judging(row.table_id)
        return _row(row, history_review(sums, row.deals, judging=judging), hints)

    @answers("POST", "/api/history/remove", work=Light.ROWS, takes=HistoryTable, refuses=(401,))
    async def remove_from_history(self, asker: ApiRequest) -> HistoryTable:
        """Remove an ended match from the guest's history; the table itself stays."""
        await self._store.results.remove(asker.guest.id, asker.body.table)
        return HistoryTable(asker.body.table)

    @answers("GET", "/api/history.csv", work=Work.EXPORT, media="text/csv; charset=utf-8", refuses=(401,))
    async def history_csv(self, asker: ApiRequest) -> bytes:
        """Return all rows of the guest's history as CSV, with a heading."""
        rows = await self._all(asker)
        return await self._tables.work.in_thread(
            Work.EXPORT,
            asker.who,
            lambda: csv_file(asker, "rum500-history.csv", [_COLUMNS, *map(_csv_row, rows)]),
        )

    @answers("GET", "/api/history.zip", work=Work.EXPORT, media="application/zip", refuses=(401,))
    async def history_zip(self, asker: ApiRequest) -> bytes:
        """Return the records of all matches in the guest's history, the mistakes and the deals of the day, as
        a ZIP file.
        """
        rows = await self._all(asker)
        guest = asker.guest.id
        others = {MISTAKES: await self._mistakes.export(guest), DAYS: await self._days.export(guest)}
        asker.headers["content-disposition"] = 'attachment; filename="rum500-history.zip"'
        # Not closed if the guest disconnects, because a thread may be writing to it.
        file = zipfile.ZipFile(out := io.BytesIO(), "w", zipfile.ZIP_DEFLATED)
        for row in rows:
            if text := await self._record(row, asker):
                write = partial(file.writestr, _file_name(row), text)
                await self._tables.work.in_thread(Work.EXPORT, asker.who, write)
        for name, found in others.items():
            if found:
                file.writestr(name, msgspec.json.format(msgspec.json.encode(found)))
        file.close()
        return out.getvalue()

    async def _record(self, row: ResultRow, asker: ApiRequest) -> str | None:
        try:
            return await self._tables.record(row.table_id, who=asker.who)
        except LogError as error:
            log().warning("table.unreadable", table=shown(row.table_id), error=error)
            return None

    async def _hints(self, row: ResultRow, asker: ApiRequest) -> int:
        """Return for how many decisions a guest got a hint; 0 if other people played: then none is given."""
        if row.with_people:
            return 0
        try:
            deals = await self._tables.deals(row.table_id, asker.who)
        except LogError as error:
            log().warning("table.unreadable", table=shown(row.table_id), error=error)
            return 0
        return sum(
            hints for guest, hints in zip(deals.guests, deals.hints, strict=True) if guest == row.guest_id
        )

    async def _all(self, asker: ApiRequest) -> Sequence[ResultRow]:
        guest = asker.guest.id
        self._limits.check("replays", asker.address)
        await self._tables.save_results(guest, asker.who)
        return await self._store.results.of_guest(guest, limit=_EVERY)


def _row(row: ResultRow, review: HistoryReview, hints: int) -> HistoryRow:
    shared = {name: getattr(row, name) for name in MatchSummary.__struct_fields__}
    return HistoryRow(table=row.table_id, hints=hints, review=review, **shared)


def csv_file(asker: ApiRequest, name: str, rows: Iterable[Sequence[object]]) -> bytes:
    """Return rows as a CSV file, to be saved under this name."""
    asker.headers["content-disposition"] = f'attachment; filename="{name}"'
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


def _csv_row(row: ResultRow) -> list[object]:
    result = "won" if row.won else "abandoned" if row.place is None else "not won"
    names = (_plain("; ".join(names)) for names in (row.opponents, row.partners))
    ended = _ended(row).isoformat(timespec="seconds")
    return [
        ended,
        row.title,
        row.players,
        *names,
        result,
        row.place,
        row.points,
        row.margin,
        row.deals,
        row.table_id,
    ]


def _plain(text: str) -> str:
    """Escape a text that a spreadsheet would take for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _file_name(row: ResultRow) -> str:
    return f"{_ended(row):%Y-%m-%d}-{row.profile}-{row.table_id[:6]}.rum500"


def _ended(row: ResultRow) -> datetime:
    return datetime.fromtimestamp(row.ended / 1000, UTC)
