"""The deals of the day in the database: their seeds, the guests' attempts, and the results of all."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, select, text, update

from rum500.store._store_part import StorePart, upsert
from rum500.store.rows import DayAttempt
from rum500.store.schema import day_attempts, day_bots, day_counts, day_seeds, people
from rum500.store.writer import Statement

_NEW_SEED = upsert(day_seeds)
_NEW_ATTEMPT = upsert(day_attempts)
_NEW_BOT = upsert(day_bots)
_ENDED = (
    update(day_attempts)
    .where(day_attempts.c.day == bindparam("of_day"), day_attempts.c.guest_id == bindparam("of_guest"))
    .values(status=bindparam("new_status"), points=bindparam("new_points"), at=bindparam("ended"))
)
_COUNTED = text(
    "INSERT INTO day_counts (day, points, players) VALUES (:day, :points, 1) "
    "ON CONFLICT (day, points) DO UPDATE SET players = day_counts.players + 1"
)
_points = msgspec.json.Decoder(list[int]).decode


class DayDealStore(StorePart):
    """Reads and writes everything about deals of the day. Days are numbered as by `date.toordinal`."""

    async def seed(self, day: int) -> str | None:
        """Return the seed of a day in hexadecimal; None if none is stored."""
        rows = await self._read(select(day_seeds.c.seed).where(day_seeds.c.day == day))
        return str(rows[0][0]) if rows else None

    async def save_seed(self, day: int, seed: str) -> None:
        """Store the seed of a day, unless the day has one already."""
        await self._change(statements=[(_NEW_SEED, {"day": day, "seed": seed})])

    async def begin(self, attempt: DayAttempt) -> None:
        """Store a new attempt, unless the guest has one at the deal of this day already."""
        await self._change(statements=[(_NEW_ATTEMPT, msgspec.structs.asdict(attempt))])

    async def attempt(self, guest: str, day: int) -> DayAttempt | None:
        """Return a guest's attempt at the deal of a day; None if there is none."""
        found = await self._attempts(day_attempts.c.guest_id == guest, day_attempts.c.day == day)
        return found[0] if found else None

    async def at_table(self, table: str) -> DayAttempt | None:
        """Return the attempt that is played at a table; None if there is none."""
        found = await self._attempts(day_attempts.c.table_id == table)
        return found[0] if found else None

    async def of_guest(self, guest: str, since: int = 0) -> list[DayAttempt]:
        """Return a guest's attempts from the day `since` on, earliest first."""
        return await self._attempts(day_attempts.c.guest_id == guest, day_attempts.c.day >= since)

    async def _attempts(self, *conditions: ColumnElement[bool]) -> list[DayAttempt]:
        wanted = select(day_attempts).where(*conditions).order_by(day_attempts.c.day)
        return await self._rows(DayAttempt, day_attempts, wanted)

    async def counts(self, day: int) -> dict[int, int]:
        """Return how many guests got how many points in the deal of a day, by points in rising order."""
        wanted = select(day_counts.c.points, day_counts.c.players).where(day_counts.c.day == day)
        rows = await self._read(wanted.order_by(day_counts.c.points))
        return {int(points): int(players) for points, players in rows}

    async def played(self, day: int) -> int:
        """Return how many guests have played the deal of a day to the end."""
        wanted = select(func.coalesce(func.sum(day_counts.c.players), 0)).where(day_counts.c.day == day)
        return int((await self._read(wanted))[0][0])

    async def near(self, day: int, points: int, most: int) -> list[DayAttempt]:
        """Return the played attempts nearest to `points`: `most` at or above and `most` below, best first."""
        of = day_attempts.c
        ended = select(day_attempts).where(of.day == day, of.status == "over")
        better = ended.where(of.points >= points).order_by(of.points, of.at).limit(most)
        worse = ended.where(of.points < points).order_by(of.points.desc(), of.at).limit(most)
        above, below = [await self._rows(DayAttempt, day_attempts, each) for each in (better, worse)]
        return [*reversed(above), *below]

    async def standing(self, day: int, skip: int, limit: int) -> list[DayAttempt]:
        """Return the played attempts at the deal of a day, best first, without the first `skip` ones."""
        of = day_attempts.c
        ended = select(day_attempts).where(of.day == day, of.status == "over")
        ordered = ended.order_by(of.points.desc(), of.at, of.guest_id).offset(skip).limit(limit)
        return await self._rows(DayAttempt, day_attempts, ordered)

    async def known_to(self, guest: str, others: Sequence[str]) -> set[str]:
        """Return those of `others` who have had a seat at a table of this guest."""
        mine, theirs = people.alias(), people.alias()
        both = select(theirs.c.guest_id).join(mine, mine.c.table_id == theirs.c.table_id).distinct()
        rows = await self._read(both.where(mine.c.guest_id == guest, theirs.c.guest_id.in_(others)))
        return {str(other) for (other,) in rows}

    async def bots(self, days: Sequence[int]) -> dict[tuple[int, str], list[int]]:
        """Return the points of bots in the deals of these days, by day and level."""
        rows = await self._read(select(day_bots).where(day_bots.c.day.in_(days)))
        return {(int(day), str(level)): _points(points) for day, level, points in rows}

    async def save_bot(self, day: int, level: str, points: Sequence[int]) -> None:
        """Store the points of a level's bot in the deal of a day, unless some are stored already."""
        values = {"day": day, "level": level, "points": msgspec.json.encode(list(points)).decode()}
        await self._change(statements=[(_NEW_BOT, values)])


def ended_attempt(attempt: DayAttempt | None) -> list[Statement]:
    """Return the statements that store the end of an attempt, for the transaction that ends the match.

    If the attempt was practice, a row is added unless the guest has one for the day; `counts` ignores it.
    """
    if attempt is None:
        return []
    if attempt.status == "practised":
        return [(_NEW_ATTEMPT, msgspec.structs.asdict(attempt))]
    ended = {
        "of_day": attempt.day,
        "of_guest": attempt.guest_id,
        "new_status": attempt.status,
        "new_points": attempt.points,
        "ended": attempt.at,
    }
    counted = {"day": attempt.day, "points": attempt.points}
    return [(_ENDED, ended), *([(_COUNTED, counted)] if attempt.points is not None else [])]
