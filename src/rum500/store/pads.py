"""The score sheets that others watch, in the database."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, select

from rum500.store._store_part import StorePart, upsert
from rum500.store.schema import pads

_SAVED = upsert(pads, ["sheet", "at"])
_REMOVED = delete(pads).where(pads.c.id == bindparam("pad"))
_OLD = delete(pads).where(pads.c.at < bindparam("before"))
_newest = select(pads.c.id).order_by(pads.c.at.desc())
_BEYOND = delete(pads).where(pads.c.id.in_(_newest.offset(bindparam("most")).limit(100)))


class Pads(StorePart):
    """Reads and writes score sheets. Times are milliseconds since 1970."""

    async def save(self, pad: str, sheet: str, at: int, before: int, most: int) -> None:
        """Store a sheet. Remove those last changed before `before`, and the oldest beyond `most`."""
        statements = [
            (_OLD, {"before": before}),
            (_SAVED, {"id": pad, "sheet": sheet, "at": at}),
            (_BEYOND, {"most": most}),
        ]
        await self._change(statements=statements)

    async def remove(self, pad: str) -> None:
        """Remove a sheet, if it is there."""
        await self._change(statements=[(_REMOVED, {"pad": pad})])

    async def sheet(self, pad: str, since: int) -> str | None:
        """Return a sheet; None if it was not changed since a time."""
        rows = await self._read(select(pads.c.sheet).where(pads.c.id == pad, pads.c.at >= since))
        return str(rows[0][0]) if rows else None
