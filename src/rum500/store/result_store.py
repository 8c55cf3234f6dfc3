"""The results of ended matches, for each guest, in the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import BindParameter, Select, bindparam, case, delete, func, not_, select, update

from rum500.store._store_part import StorePart, upsert
from rum500.store.rows import Achievement, DealPoints, GameFigures, ResultRow, names_of, names_text
from rum500.store.schema import achievements, former_guests, mistakes, people, results, review_sums, tables
from rum500.store.writer import Statement

_TABLE: BindParameter[str] = bindparam("table")
_GUEST: BindParameter[str] = bindparam("guest")
_NEW_RESULT = upsert(results)
_NEW_ACHIEVEMENT = upsert(achievements)
_EXAMINED = (
    update(results)
    .where(results.c.guest_id == _GUEST, results.c.table_id == _TABLE)
    .values(by_deal=bindparam("deals_text"), examined=bindparam("version"))
)
_deals_of = msgspec.json.Decoder(list[DealPoints]).decode
_ALL_JUDGED = (
    select(func.count())
    .select_from(review_sums)
    .where(
        review_sums.c.guest_id == results.c.guest_id,
        review_sums.c.table_id == results.c.table_id,
        review_sums.c.marks.is_not(None),
    )
    .scalar_subquery()
    >= results.c.deals
)
_GONE = [
    delete(each).where(each.c.guest_id == _GUEST, each.c.table_id == _TABLE)
    for each in (results, review_sums, mistakes, people)
]


class ResultStore(StorePart):
    """Reads and writes the results of matches, one row for each guest who played."""

    async def save(self, rows: Sequence[ResultRow]) -> None:
        """Store results of ended matches; existing ones stay as they are."""
        if rows:
            await self._change(statements=new_results(rows))

    async def save_missing(self, table: str, rows: Sequence[ResultRow]) -> None:
        """Store the results that the log of an ended match has; existing ones stay as they are.

        The log also names guests who have deleted their data or removed the match, who get no result, and
        guests who were merged: the result is that of the guest who remains.
        """
        wanted = (
            select(people.c.guest_id, former_guests.c.former)
            .outerjoin(former_guests, former_guests.c.guest_id == people.c.guest_id)
            .where(people.c.table_id == table)
        )
        found = await self._read(wanted)
        own = {guest: guest for guest, _ in found}
        merged = {former: guest for guest, former in found if former is not None and former not in own}
        ordered = sorted(rows, key=lambda row: row.guest_id in merged)  # a guest's own result comes first
        remaining: dict[str, ResultRow] = {}
        for row in ordered:
            guest = (own | merged).get(row.guest_id)
            if guest is not None:
                remaining.setdefault(guest, replace(row, guest_id=guest))
        await self.save(list(remaining.values()))

    async def of_guest(
        self,
        guest: str,
        *,
        profile: str | None = None,
        with_people: bool | None = None,
        reviewed: bool | None = None,
        skip: int = 0,
        limit: int = 20,
    ) -> list[ResultRow]:
        """Return results of a guest's matches with at least one finished deal, latest first.

        A condition that is None does not restrict the matches. A match is `reviewed` if all of the guest's
        decisions in its finished deals have verdicts.
        """
        wanted = _results_of(select(results), guest, profile, with_people, reviewed)
        wanted = wanted.order_by(results.c.ended.desc(), results.c.table_id).offset(skip).limit(limit)
        return [_result(row) for row in await self._read(wanted)]

    async def count(
        self,
        guest: str,
        *,
        profile: str | None = None,
        with_people: bool | None = None,
        reviewed: bool | None = None,
    ) -> int:
        """Return how many results `of_guest` would return without `skip` and `limit`."""
        counted = select(func.count()).select_from(results)
        wanted = _results_of(counted, guest, profile, with_people, reviewed)
        return int((await self._read(wanted))[0][0])

    async def figures(self, guest: str) -> list[GameFigures]:
        """Return the totals of a guest's finished matches by game, the most often played game first."""
        of = results.c
        matches = func.count().label("matches")
        wanted = (
            select(
                of.profile,
                func.max(of.title),
                matches,
                func.sum(case((of.won, 1), else_=0)),
                func.sum(1.0 / of.accounts),
                func.sum(of.deals),
                func.sum(of.points),
                func.max(of.best_deal),
            )
            .where(of.guest_id == guest, of.status == "over", of.deals > 0)
            .group_by(of.profile)
            .order_by(matches.desc(), of.profile)
        )
        return [GameFigures(*row) for row in await self._read(wanted)]

    async def missing(self, guest: str) -> list[str]:
        """Return the guest's ended tables without a stored result: older versions did not store results."""
        known = select(results.c.table_id).where(results.c.guest_id == guest)
        wanted = (
            select(tables.c.id)
            .join(people, people.c.table_id == tables.c.id)
            .where(people.c.guest_id == guest, tables.c.status.in_(("over", "abandoned")))
            .where(tables.c.id.not_in(known))
        )
        return [row[0] for row in await self._read(wanted)]

    async def unexamined(self, guest: str, version: int) -> list[str]:
        """Return the tables of a guest's results that were not examined for deeds of this version.

        Those that ended first come first.
        """
        of = results.c
        wanted = select(of.table_id).where(of.guest_id == guest, of.examined < version)
        return [row[0] for row in await self._read(wanted.order_by(of.ended, of.table_id))]

    async def save_examined(
        self,
        guest: str,
        table: str,
        version: int,
        by_deal: Sequence[DealPoints],
        reached: Sequence[Achievement],
    ) -> None:
        """Store the points of a match's deals in a guest's result, and what the guest reached.

        An achievement that is stored already stays as it is.
        """
        found = {"guest": guest, "table": table, "deals_text": _deals_text(by_deal), "version": version}
        await self._change(table=table, statements=[(_EXAMINED, found), *_new_achievements(reached)])

    async def reach(self, reached: Sequence[Achievement]) -> None:
        """Store achievements; existing ones stay as they are."""
        if reached:
            await self._change(statements=_new_achievements(reached))

    async def achievements(self, guest: str) -> list[Achievement]:
        """Return what a guest has reached, earliest first."""
        of = achievements.c
        wanted = select(achievements).where(of.guest_id == guest).order_by(of.at, of.name)
        return await self._rows(Achievement, achievements, wanted)

    async def remove(self, guest: str, table: str) -> None:
        """Remove an ended match from the guest's results, mistakes and tables; the table itself stays."""
        names = {"guest": guest, "table": table}
        await self._change(table=table, statements=[(each, names) for each in _GONE])


def new_results(rows: Sequence[ResultRow]) -> list[Statement]:
    """Return the statements that add these results; existing ones stay as they are."""
    values = [
        msgspec.structs.asdict(row)
        | {"partners": names_text(row.partners), "opponents": names_text(row.opponents)}
        | {"by_deal": _deals_text(row.by_deal)}
        for row in rows
    ]
    return [(_NEW_RESULT, values)] if values else []


def _results_of(
    wanted: Select[Any], guest: str, profile: str | None, with_people: bool | None, reviewed: bool | None
) -> Select[Any]:
    wanted = wanted.where(results.c.guest_id == guest, results.c.deals > 0)
    if profile is not None:
        wanted = wanted.where(results.c.profile == profile)
    if with_people is not None:
        wanted = wanted.where(results.c.with_people == with_people)
    if reviewed is not None:
        wanted = wanted.where(_ALL_JUDGED if reviewed else not_(_ALL_JUDGED))
    return wanted


def _result(row: Sequence[Any]) -> ResultRow:
    values = dict(zip(results.columns.keys(), row, strict=True))
    names = {name: names_of(values[name]) for name in ("partners", "opponents")}
    return ResultRow(**values | names | {"by_deal": _deals_of(values["by_deal"])})


def _new_achievements(reached: Sequence[Achievement]) -> list[Statement]:
    values = [msgspec.structs.asdict(one) for one in reached]
    return [(_NEW_ACHIEVEMENT, values)] if values else []


def _deals_text(by_deal: Sequence[DealPoints]) -> str:
    return msgspec.json.encode(by_deal).decode()
