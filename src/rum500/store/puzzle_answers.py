"""The guests' answers to puzzles and votes on them, and the puzzles' ratings, in the database."""

from __future__ import annotations

import msgspec
from sqlalchemy import func, select, update

from rum500.store._store_part import StorePart, upsert
from rum500.store.rows import PuzzleAnswer, PuzzleRating
from rum500.store.schema import puzzle_answers, puzzle_days, puzzle_ratings

_NEW_ANSWER = upsert(puzzle_answers)
_NEW_DAY = upsert(puzzle_days)
_RATING = upsert(puzzle_ratings, ["mean", "deviation"])


class PuzzleAnswers(StorePart):
    """Reads and writes the guests' answers to puzzles."""

    async def of(self, guest: str) -> list[PuzzleAnswer]:
        """Return a guest's answers, oldest first."""
        wanted = select(puzzle_answers).where(puzzle_answers.c.guest_id == guest)
        wanted = wanted.order_by(puzzle_answers.c.at, puzzle_answers.c.puzzle)
        return await self._rows(PuzzleAnswer, puzzle_answers, wanted)

    async def save(self, answer: PuzzleAnswer, rating: PuzzleRating) -> None:
        """Store a guest's first answer to a puzzle, and the puzzle's rating after it."""
        statements = [
            (_NEW_ANSWER, msgspec.structs.asdict(answer)),
            (_RATING, msgspec.structs.asdict(rating)),
        ]
        await self._change(statements=statements)

    async def ratings(self) -> dict[str, PuzzleRating]:
        """Return the ratings of all answered puzzles, by the puzzle's name."""
        return {row[0]: PuzzleRating(*row) for row in await self._read(select(puzzle_ratings))}

    async def counts(self, puzzle: str) -> tuple[int, int]:
        """Return how many guests have answered a puzzle, and how many solved it with their first answer."""
        own = select(func.count()).where(puzzle_answers.c.puzzle == puzzle)
        ((answers,),) = await self._read(own)
        ((solved,),) = await self._read(own.where(puzzle_answers.c.solved))
        return answers, solved

    async def days(self, guest: str) -> list[int]:
        """Return the days (`date.toordinal`) on which a guest answered the day's puzzle, latest first."""
        wanted = select(puzzle_days.c.day).where(puzzle_days.c.guest_id == guest)
        return [row[0] for row in await self._read(wanted.order_by(puzzle_days.c.day.desc()))]

    async def save_day(self, guest: str, day: int) -> None:
        """Store that a guest has answered the puzzle of this day, on the day itself."""
        await self._change(statements=[(_NEW_DAY, {"guest_id": guest, "day": day})])

    async def vote(self, guest: str, puzzle: str, vote: int) -> None:
        """Store a guest's vote on a puzzle that the guest has answered: 1, -1 or 0."""
        changed = update(puzzle_answers).where(
            puzzle_answers.c.guest_id == guest, puzzle_answers.c.puzzle == puzzle
        )
        await self._change(statements=[(changed.values(vote=vote), None)])

    async def with_votes_below(self, least: int) -> set[str]:
        """Return the puzzles whose votes add up to less than `least`."""
        total = func.sum(puzzle_answers.c.vote)
        wanted = select(puzzle_answers.c.puzzle).where(puzzle_answers.c.vote != 0)
        rows = await self._read(wanted.group_by(puzzle_answers.c.puzzle).having(total < least))
        return {row[0] for row in rows}
