"""The guests' mistakes in the database."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import bindparam, select, update

from rum500.store._store_part import StorePart, upsert
from rum500.store.rows import MistakeRow
from rum500.store.schema import mistakes

_OF = mistakes.c
_GUEST_ID = _OF.guest_id == bindparam("guest")
_MATCH_ID = _OF.table_id == bindparam("table")
_CHANGED = update(mistakes).where(
    _GUEST_ID, _MATCH_ID, _OF.deal == bindparam("in_deal"), _OF.step == bindparam("at_step")
)
_NEW_MISTAKE = upsert(mistakes)
_ANSWERED = ("seen", "due", "last", "stability", "difficulty", "answers", "right", "hinted")


class MistakeStore(StorePart):
    """Reads and writes the guests' mistakes."""

    async def add(self, rows: Sequence[MistakeRow]) -> None:
        """Add mistakes; existing ones stay as they are."""
        if rows:
            values = [msgspec.structs.asdict(row) for row in rows]
            await self._change(statements=[(_NEW_MISTAKE, values)])

    async def save(self, row: MistakeRow) -> None:
        """Update the practice fields of a stored mistake; a mistake that has been deleted stays deleted."""
        where = {"guest": row.guest_id, "table": row.table_id, "in_deal": row.deal, "at_step": row.step}
        await self._change(statements=[(_CHANGED, where | {name: getattr(row, name) for name in _ANSWERED})])

    async def get(self, guest: str, table: str, deal: int, step: int) -> MistakeRow | None:
        """Return a mistake; None if it is not stored."""
        wanted = select(mistakes).where(
            _OF.guest_id == guest, _OF.table_id == table, _OF.deal == deal, _OF.step == step
        )
        rows = await self._rows(MistakeRow, mistakes, wanted)
        return rows[0] if rows else None

    async def of_guest(self, guest: str) -> list[MistakeRow]:
        """Return all mistakes of a guest; those added or answered last come last."""
        wanted = select(mistakes).where(_OF.guest_id == guest)
        wanted = wanted.order_by(_OF.seen, _OF.table_id, _OF.deal, _OF.step)
        return await self._rows(MistakeRow, mistakes, wanted)

    async def due(self, guest: str, day: int, limit: int) -> list[MistakeRow]:
        """Return up to `limit` mistakes of a guest due on `day` or earlier, the longest overdue first."""
        wanted = select(mistakes).where(_OF.guest_id == guest, _OF.due <= day)
        order = (_OF.due, _OF.seen, _OF.table_id, _OF.deal, _OF.step)
        return await self._rows(MistakeRow, mistakes, wanted.order_by(*order).limit(limit))

    async def days(self, guest: str) -> list[tuple[str, int, int | None, int | None]]:
        """Return (table, deal, day due, day of the last answer) of each mistake of a guest."""
        wanted = select(_OF.table_id, _OF.deal, _OF.due, _OF.last).where(_OF.guest_id == guest)
        return [(table, deal, due, last) for table, deal, due, last in await self._read(wanted)]
