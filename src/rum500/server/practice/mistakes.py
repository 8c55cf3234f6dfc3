"""Which of a guest's mistakes are due today, and when an answer makes them due again."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from rum500.server.live.log.time_source import TimeSource
from rum500.server.messages.mistakes import (
    MistakeAnswer,
    MistakeHint,
    MistakeName,
    MistakeQuestion,
    MistakeResult,
    MistakesToday,
)
from rum500.server.messages.review import ReviewVerdict
from rum500.server.messages.table_error import TableError
from rum500.server.messages.verdicts import play_shown
from rum500.server.practice.positions import deal_of, play_chosen, seat_position
from rum500.server.practice.schedule import A_DAY, answered, day_of, rating_of
from rum500.server.reviewing.reviews import Reviews
from rum500.server.reviewing.stored import (
    StoredMistake,
    read_mistake,
    read_positions,
    read_verdict,
    write,
)
from rum500.server.work_scheduler import Asker
from rum500.store import MistakeRow, ReviewSum, Store
from rum500.view import View

MOST_TAKEN = 30
"""The largest number of deals whose mistakes are added at once."""
_BAD = ("mistake", "blunder")


class Mistakes:
    """The guests' mistakes. When a guest practises, mistakes are added from reviews of the guest's deals."""

    def __init__(self, store: Store, reviews: Reviews, time: TimeSource) -> None:
        """Set the store, the reviews, whose processes judge answers, and a clock."""
        self._store = store
        self._reviews = reviews
        self._time = time

    async def today(self, guest: str, zone: str, who: Asker) -> MistakesToday:
        """Return the guest's progress today, and the next mistake."""
        day = day_of(self._time.wall(), zone)
        new = await self._take_in(guest, day, who)
        days = await self._store.mistakes.days(guest)
        done = sum(last == day for _, _, _, last in days)
        coming = [due for _, _, due, _ in days if due is not None]
        ready = sum(due <= day for due in coming)
        left = min(ready, max(0, A_DAY - done))
        rows = await self._store.mistakes.due(guest, day, 1) if left else []
        return MistakesToday(
            left=left,
            done=done,
            waiting=len(coming) + new,
            learned=len(days) - len(coming),
            back=None if left or not coming else _iso(max(min(coming), day + 1)),
            next=_question(rows[0]) if rows else None,
        )

    async def view(self, guest: str, name: MistakeName) -> View:
        """Return the view of a mistake's decision. Raises `TableError` if there is no such mistake."""
        return read_mistake((await self._row(guest, name)).data).position.view()

    async def hint(self, guest: str, name: MistakeName) -> MistakeHint:
        """Return a hint, and store that it was given. Raises `TableError` if there is no such mistake."""
        row = await self._row(guest, name)
        await self._store.mistakes.save(msgspec.structs.replace(row, hinted=True))
        return _hint(read_mistake(row.data).verdict)

    async def answer(self, guest: str, given: MistakeAnswer, who: Asker) -> MistakeResult:
        """Judge an answer, and store when the mistake is due again.

        Raises `TableError` if there is no such mistake, or it is not due today; `NotationError` or
        `IllegalPlay` for an impossible play.
        """
        row, now = await self._row(guest, given), self._time.wall()
        day = day_of(now, given.zone)
        if row.due is None or row.due > day:
            raise TableError("mistake.answered")
        stored = read_mistake(row.data)
        view = stored.position.view()
        code, deal = play_chosen(view, given.play), deal_of(view)
        verdict = await self._verdict(stored, code, who)
        right = verdict is None
        rating = rating_of(right=right, hinted=row.hinted, seconds=given.seconds)
        row = answered(row, rating, day, now)
        await self._store.mistakes.save(row)
        return MistakeResult(
            right=right,
            rating=rating,
            answer=play_shown(deal, code, doubled=bool(deal.core.doubled(code))),
            verdict=verdict,
            then=stored.verdict,
            back=None if row.due is None else _iso(row.due),
            days=None if row.due is None else row.due - day,
        )

    async def export(self, guest: str) -> list[dict[str, Any]]:
        """Return all mistakes of a guest as plain data."""
        return [_exported(row) for row in await self._store.mistakes.of_guest(guest)]

    # --- parts ----------------------------------------------------------------------------------------

    async def _row(self, guest: str, name: MistakeName) -> MistakeRow:
        row = await self._store.mistakes.get(guest, name.table, name.deal, name.step)
        if row is None:
            raise TableError("mistake.unknown")
        return row

    async def _verdict(self, stored: StoredMistake, code: int, who: Asker) -> ReviewVerdict | None:
        """Return the verdict on a new play if it is wrong; None if it is right."""
        if stored.verdict.played.code == str(code):
            return stored.verdict
        if any(one.as_good and one.play.code == str(code) for one in stored.verdict.candidates):
            return None
        at = stored.position
        found = read_verdict(
            await self._reviews.practise(who, "verdict", at.position, at.course, code, self._reviews.budget)
        )
        return None if found.mark in ("good", "decided") else found

    async def _take_in(self, guest: str, day: int, who: Asker) -> int:
        """Add mistakes of reviewed deals, the latest deals first, up to today's limit of answers.

        Returns how many mistakes of reviewed deals have not been added yet.
        """
        days = await self._store.mistakes.days(guest)
        known = {(table, deal) for table, deal, _, _ in days}
        room = A_DAY - sum(last == day or (due is not None and due <= day) for _, _, due, last in days)
        sums = await self._store.reviews.sums(guest)
        new = [one for one in reversed(sums) if one.mistakes and (one.table_id, one.deal) not in known]
        left = sum(sum((one.mistakes or {}).values()) for one in new)
        for one in new[:MOST_TAKEN]:
            if room <= 0:
                break
            rows = await self._mistakes_of(guest, one, day, who)
            await self._store.mistakes.add(rows)
            room -= len(rows)
            left -= sum((one.mistakes or {}).values())
        return left

    async def _mistakes_of(self, guest: str, one: ReviewSum, day: int, who: Asker) -> list[MistakeRow]:
        """Return the mistakes of the guest's seats in a deal; none if the review no longer exists."""
        deal = await self._reviews.deal(one.table_id, one.deal)
        if deal.breakdown is None:
            return []
        own = {seat for seat, other in enumerate(deal.breakdown.guests) if other == guest}
        bad = [verdict for verdict in deal.verdicts if verdict.seat in own and verdict.mark in _BAD]
        if not bad:
            return []
        found = read_positions(await self._reviews.positions(who, deal, [verdict.step for verdict in bad]))
        return [
            MistakeRow(
                guest_id=guest,
                table_id=one.table_id,
                deal=one.deal,
                step=verdict.step,
                seen=self._time.wall(),
                due=day,
                data=write(StoredMistake(deal.breakdown.names, position, verdict)),
            )
            for verdict, position in zip(bad, found, strict=True)
        ]


def _question(row: MistakeRow) -> MistakeQuestion:
    stored = read_mistake(row.data)
    return MistakeQuestion(
        name=MistakeName(row.table_id, row.deal, row.step),
        position=seat_position(stored.position.view(), stored.names),
        answers=row.answers,
        hint=_hint(stored.verdict) if row.hinted else None,
    )


def _hint(verdict: ReviewVerdict) -> MistakeHint:
    right = sum(one.as_good for one in verdict.candidates)
    return MistakeHint(verdict.played, verdict.kind, verdict.best.kind, max(1, right))


def _exported(row: MistakeRow) -> dict[str, Any]:
    stored = read_mistake(row.data)
    return {
        "table": row.table_id,
        "deal": row.deal,
        "step": row.step,
        "back": None if row.due is None else _iso(row.due),
        "answers": row.answers,
        "right": row.right,
        "played": stored.verdict.played.text,
        "best": stored.verdict.best.text,
        "loss": stored.verdict.loss,
        "mark": stored.verdict.mark,
        "position": stored.position.position.splitlines(),
    }


def _iso(day: int) -> str:
    return date.fromordinal(day).isoformat()
