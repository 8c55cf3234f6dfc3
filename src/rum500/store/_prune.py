"""Removing what nobody has used for long: tables with all that belongs to them, and guests."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import BindParameter, bindparam, delete, or_, select

from rum500.store.mistakes import MISTAKES_OF_GUEST_GONE, MistakeStore
from rum500.store.notices import NoticeStore
from rum500.store.puzzles import PuzzleAnswers
from rum500.store.rows import PruneReport
from rum500.store.schema import (
    browsers,
    entries,
    guests,
    notices,
    people,
    results,
    review_sums,
    reviews,
    tables,
)
from rum500.store.writer import Change, Read

_TABLE: BindParameter[str] = bindparam("table")
_ALL_GONE = [
    *(delete(each).where(each.c.table_id == _TABLE)
      for each in (entries, people, results, notices, reviews, review_sums)),
    delete(tables).where(tables.c.id == _TABLE),
]  # fmt: skip
_PLACES = select(people.c.guest_id, tables.c.id).join(tables, people.c.table_id == tables.c.id)
_ALL_GUESTS = select(guests.c.id)
_ALL_COOKIES_COUNT = select(guests.c.id).where(guests.c.valid_from == 0)


class Pruning:
    """Removes old tables, and guests who have nothing else."""

    def __init__(
        self,
        read: Read,
        change: Change,
        puzzles: PuzzleAnswers,
        mistakes: MistakeStore,
        notices: NoticeStore,
    ) -> None:
        """Use the store's reading and writing, and its parts that know guests."""
        self._read = read
        self._change = change
        self._puzzles = puzzles
        self._mistakes = mistakes
        self._notices = notices

    async def prune(self, before: int, keep: Callable[[str], bool], dry_run: bool) -> PruneReport:
        """Remove what `Store.prune` describes."""
        unused = tables.c.updated < before, tables.c.due.is_(None)
        old = [row[0] for row in await self._read(select(tables.c.id).where(*unused))]
        old = [table for table in old if not keep(table)]
        used = or_(tables.c.updated >= before, tables.c.due.is_not(None))
        staying = {row[0] for row in await self._read(_PLACES.where(used))}
        staying |= {row[0] for row in await self._read(_PLACES) if keep(row[1])}
        solving = await self._puzzles.last_answers()
        staying |= {guest for guest, last in solving.items() if last >= before}
        seen_before = await self._read(_ALL_COOKIES_COUNT.where(guests.c.seen < before))
        gone = [row[0] for row in seen_before if row[0] not in staying]
        unseen = await self._read(
            select(browsers.c.guest_id, browsers.c.endpoint).where(browsers.c.seen < before)
        )
        forgotten = await self._mistakes.guests_unseen(before)
        if not dry_run:
            for table in old:
                values = {"table": table}
                await self._change(table=table, statements=[(each, values) for each in _ALL_GONE])
            for guest in gone:
                await self._change(statements=[(delete(guests).where(guests.c.id == guest), None)])
            seen_since = {row[0] for row in await self._read(_ALL_GUESTS.where(guests.c.seen >= before))}
            for guest in solving.keys() - staying - seen_since:
                await self._puzzles.remove(guest)
            for guest, endpoint in unseen:
                if guest not in staying:
                    await self._notices.remove_browser(endpoint)
            for guest in set(forgotten) - staying:
                await self._change(statements=[(MISTAKES_OF_GUEST_GONE, {"guest": guest})])
        return PruneReport(tables=len(old), guests=len(gone))
