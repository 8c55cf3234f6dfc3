"""Reviews of deals in the database, and their results for the guests who played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import select

from rum500.store._store_part import StorePart, upsert
from rum500.store.rows import ReviewRow, ReviewSum
from rum500.store.schema import review_sums, reviews, tables

_NUMBERS = msgspec.json.Decoder(dict[str, int])
_REVIEW = upsert(reviews, ["judge", "done", "at", "data"])
_SUM = upsert(review_sums, ["play", "play_error", "decisions", "marks", "mistakes"])


class ReviewStore(StorePart):
    """Reads and writes reviews and their results for guests."""

    async def save(self, row: ReviewRow, sums: Sequence[ReviewSum] = ()) -> None:
        """Store a part of a deal's review, and the review's results for the guests who played.

        The new part replaces the stored one of its kind. Nothing is stored if the table has been removed.
        """
        if not await self._read(select(tables.c.id).where(tables.c.id == row.table_id)):
            return
        values = [
            msgspec.structs.asdict(one) | {"marks": _object(one.marks), "mistakes": _object(one.mistakes)}
            for one in sums
        ]
        await self._change(
            table=row.table_id,
            statements=[(_REVIEW, msgspec.structs.asdict(row)), *([(_SUM, values)] if values else [])],
        )

    async def of_table(self, table: str, judge: str | None, deal: int | None = None) -> list[ReviewRow]:
        """Return the stored reviews of a table: of all deals or of `deal`, by any judge or by `judge`."""
        wanted = select(reviews).where(reviews.c.table_id == table)
        if judge is not None:
            wanted = wanted.where(reviews.c.judge == judge)
        if deal is not None:
            wanted = wanted.where(reviews.c.deal == deal)
        return await self._rows(ReviewRow, reviews, wanted.order_by(reviews.c.deal))

    async def sums(self, guest: str, tables: Sequence[str] | None = None) -> list[ReviewSum]:
        """Return the results of reviews for a guest, earliest first, at `tables`; None means all tables."""
        wanted = select(review_sums).where(review_sums.c.guest_id == guest)
        if tables is not None:
            wanted = wanted.where(review_sums.c.table_id.in_(tables))
        rows = await self._read(wanted.order_by(review_sums.c.at, review_sums.c.deal))
        return [_sum(row) for row in rows]


def _object(numbers: dict[str, int] | None) -> str | None:
    return None if numbers is None else msgspec.json.encode(numbers).decode()


def _sum(row: Sequence[Any]) -> ReviewSum:
    values = dict(zip(review_sums.columns.keys(), row, strict=True))
    numbers = {name: values[name] and _NUMBERS.decode(values[name]) for name in ("marks", "mistakes")}
    return ReviewSum(**values | numbers)
