"""The puzzles of a server: which puzzle a guest gets, the guest's answers, and ratings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import lru_cache
from hashlib import blake2b

from rum500.puzzles.collection import Collection, Entry
from rum500.puzzles.puzzle import Puzzle
from rum500.puzzles.ratings import Rating, first_rating, next_puzzle, rated
from rum500.rng import Rng
from rum500.rules.notation import play_text
from rum500.rules.profiles import profile_rules
from rum500.server.messages.positions import SeatPosition
from rum500.server.messages.puzzles import (
    GamePuzzles,
    OfflinePuzzle,
    PuzzleResult,
    PuzzleShown,
    PuzzleStanding,
)
from rum500.server.messages.table_error import TableError
from rum500.server.practice.positions import play_chosen, seat_position
from rum500.server.practice.puzzle_results import judged, offline_puzzle
from rum500.store import PuzzleAnswer, PuzzleRating, TableStore
from rum500.view import View

RETIRED_BELOW = -5
"""A puzzle whose votes add up to less than this is only given as the puzzle of a day."""
_KEPT = 256


class PuzzleBook:
    """Puzzles for guests, from one collection."""

    def __init__(self, store: TableStore, collection: Collection, retired: Collection | None = None) -> None:
        """Use the puzzles of this collection.

        The puzzles in `retired` are found by their names, and given to guests who have answered all others.
        """
        self._store = store
        self._collection = collection
        self._older = retired or Collection(collection.plan, ())
        every = (*self._older.entries, *collection.entries)
        self._entries = {entry.id: entry for entry in every}
        self._new = {entry.id for entry in collection.entries}
        self._one = asyncio.Lock()
        self._puzzle = lru_cache(_KEPT)(lambda name: self._entry(name).puzzle())
        self._position = lru_cache(_KEPT)(lambda name, at: seat_position(self._puzzle(name).moves[at].view))

    def _entry(self, name: str) -> Entry:
        entry = self._entries.get(name)
        if entry is None:
            raise TableError("puzzle.unknown")
        return entry

    def puzzle(self, name: str) -> Puzzle:
        """Return a puzzle by its name. Raises `TableError` if there is none."""
        return self._puzzle(name)

    def words_of(self, answer: PuzzleAnswer) -> tuple[str, str]:
        """Return the game's title and the plays in notation; two empty texts if the puzzle was removed."""
        if answer.puzzle not in self._entries:
            return "", ""
        puzzle = self._puzzle(answer.puzzle)
        moves = zip(puzzle.moves, _codes(answer), strict=False)
        return puzzle.view.rules.title, "; ".join(play_text(code, move.view) for move, code in moves)

    def view(self, name: str, before: Sequence[str]) -> View:
        """Return the position after these plays; if one is wrong, the position before the first wrong one."""
        puzzle = self._puzzle(name)
        codes = self.codes(name, before)
        at, right = puzzle.judged(codes) if codes else (-1, True)
        return puzzle.moves[min(at + right, len(puzzle.moves) - 1)].view

    def codes(self, name: str, plays: Sequence[str]) -> list[int]:
        """Return the plays of a puzzle's moves as codes, up to the first wrong one.

        Raises `NotationError` for a play that cannot be read, and `IllegalPlay` for one that is not legal.
        """
        found = list[int]()
        for move, play in zip(self._puzzle(name).moves, plays, strict=False):
            found.append(play_chosen(move.view, play))
            if move.wrong_play(found[-1]) is not None:
                break
        return found

    # --- which puzzle a guest gets ----------------------------------------------------------------------

    async def daily(self, guest: str | None, now: datetime) -> PuzzleShown:
        """Return the puzzle of the day."""
        if not self._entries:
            raise TableError("puzzle.none")
        day = _day(now)
        return await self.shown(self._collection.daily(day).id, guest, day)

    def daily_with_answers(self, now: datetime) -> OfflinePuzzle:
        """Return the puzzle of the day with its answers. This takes some milliseconds: call it in a thread.

        Raises `TableError` if there are no puzzles.
        """
        if not self._entries:
            raise TableError("puzzle.none")
        day = _day(now)
        name = self._collection.daily(day).id
        return offline_puzzle(self._puzzle(name), day, retired=name not in self._new)

    async def shown(self, name: str, guest: str | None, day: date | None = None) -> PuzzleShown:
        """Return a puzzle, with the result of the guest's first answer if there is one."""
        position: SeatPosition = self._position(name, 0)
        result = None
        if guest is not None:
            answers = await self._store.puzzles.of(guest)
            given = next((one for one in answers if one.puzzle == name), None)
            if given is not None:
                result = await self._result(name, _codes(given), guest, answers, given)
        return PuzzleShown(
            name,
            None if day is None else day.isoformat(),
            len(self._puzzle(name).moves),
            name not in self._new,
            position,
            result,
        )

    async def next(self, guest: str, profile: str | None, after: str | None) -> PuzzleShown:
        """Return a puzzle that the guest has not answered, near the guest's rating.

        Returns the puzzle `after` only if no other is left. Repeated calls return the same puzzle until the
        guest answers one. Raises `TableError` if none is left.
        """
        answers = await self._store.puzzles.of(guest)
        name = None if profile is None else profile_rules(profile).name
        tried = {one.puzzle for one in answers} | await self._store.puzzles.with_votes_below(RETIRED_BELOW)
        ratings = await self._store.puzzles.ratings()
        seed = blake2b(f"{guest} {len(answers)} {profile} {after}".encode(), digest_size=8).digest()
        for collection in (self._collection, self._older):
            of = collection if name is None else collection.of_profile(name)
            left = [_rated(entry, ratings) for entry in of.entries if entry.id != after]
            rng = Rng(int.from_bytes(seed, "big"))
            if found := next_puzzle(left, tried, _rating(answers), rng):
                return await self.shown(found.id, guest)
        if after is not None and after not in tried:
            return await self.shown(after, guest)
        raise TableError("puzzle.none")

    # --- answers ----------------------------------------------------------------------------------------

    async def answer(
        self, name: str, codes: Sequence[int], guest: str, now: datetime
    ) -> PuzzleResult | SeatPosition:
        """Judge a guest's plays, one for each move so far; only the guest's first complete answer counts.

        Returns the position of the next move if all plays are right and a move is left.
        """
        puzzle = self._puzzle(name)
        at, right = puzzle.judged(codes)
        if right and at + 1 < len(puzzle.moves):
            following: SeatPosition = self._position(name, at + 1)
            return following
        codes = codes[: at + 1]
        async with self._one:
            day = _day(now)
            if self._collection.daily(day).id == name:
                await self._store.puzzles.save_day(guest, day.toordinal())
            answers, hardness = await self._store.puzzles.of(guest), await self._puzzle_rating(name)
            if all(one.puzzle != name for one in answers):
                given = await self._count(name, codes, guest, answers, now, solved=right)
                result = await self._result(name, codes, guest, [*answers, given], given, now)
                result.puzzle_rating = hardness.mean
                return result
        return await self._result(name, codes, guest, answers, None, now)

    async def _count(
        self,
        name: str,
        codes: Sequence[int],
        guest: str,
        answers: Sequence[PuzzleAnswer],
        now: datetime,
        *,
        solved: bool,
    ) -> PuzzleAnswer:
        """Store a guest's first answer, and the new ratings of the guest and of the puzzle."""
        solver = _rating(answers)
        after, puzzle = rated(solver, await self._puzzle_rating(name), solved=solved)
        given = PuzzleAnswer(
            guest_id=guest,
            puzzle=name,
            at=int(now.timestamp() * 1000),
            play=" ".join(map(str, codes)),
            solved=solved,
            mean=after.mean,
            deviation=after.deviation,
            before=solver.mean,
        )
        await self._store.puzzles.save(given, PuzzleRating(name, puzzle.mean, puzzle.deviation))
        return given

    async def vote(self, name: str, guest: str, vote: int) -> None:
        """Store a guest's vote on a puzzle. Raises `TableError` if the guest has not answered it."""
        self._entry(name)
        if all(one.puzzle != name for one in await self._store.puzzles.of(guest)):
            raise TableError("puzzle.unanswered")
        await self._store.puzzles.vote(guest, name, vote)

    async def standing(self, guest: str | None, now: datetime) -> PuzzleStanding:
        """Return the guest's progress; `guest` is None for a visitor without a cookie."""
        answers = [] if guest is None else await self._store.puzzles.of(guest)
        days = [] if guest is None else await self._store.puzzles.days(guest)
        rating, today = _rating(answers), _day(now)
        done = {one.puzzle for one in answers}
        return PuzzleStanding(
            rating=rating.mean,
            deviation=rating.deviation,
            provisional=rating.provisional,
            answered=len(answers),
            solved=sum(one.solved for one in answers),
            day=today.isoformat(),
            today=today.toordinal() in days,
            streak=streak(days, today),
            games=[
                GamePuzzles(
                    name,
                    profile_rules(name).title,
                    len(own),
                    sum(one.id in done for one in own),
                )
                for name in self._collection.plan.profiles
                if (own := [one for one in self._entries.values() if one.profile == name])
            ],
        )

    async def _puzzle_rating(self, name: str) -> Rating:
        known = (await self._store.puzzles.ratings()).get(name)
        return first_rating(self._entry(name)) if known is None else Rating(known.mean, known.deviation)

    async def _result(
        self,
        name: str,
        codes: Sequence[int],
        guest: str,
        answers: Sequence[PuzzleAnswer],
        given: PuzzleAnswer | None,
        now: datetime | None = None,
    ) -> PuzzleResult:
        """Return the result of these plays; `given` is their stored answer, None if they were not counted."""
        first = next(one for one in answers if one.puzzle == name)
        days = await self._store.puzzles.days(guest)
        hardness, rating = await self._puzzle_rating(name), _rating(answers)
        answered, solved = await self._store.puzzles.counts(name)
        at = len(codes) - 1
        return PuzzleResult(
            **judged(self._puzzle(name), at, codes[at]),
            position=self._position(name, at),
            answers=answered,
            solved=solved,
            puzzle_rating=hardness.mean,
            puzzle_provisional=hardness.provisional,
            before=None if given is None else given.before,
            rating=rating.mean if given is None else given.mean,
            provisional=rating.provisional,
            streak=streak(days, _day(now or datetime.now(UTC))),
            vote=first.vote,
        )


def _codes(answer: PuzzleAnswer) -> list[int]:
    """Return the plays of an answer, one for each move."""
    return [int(code) for code in answer.play.split()]


def streak(days: Sequence[int], today: date) -> int:
    """Return the number of consecutive days in `days` that end today or yesterday.

    `days` has numbers as `date.toordinal` returns them, the latest day first.

    >>> streak([738_003, 738_002, 737_999], date.fromordinal(738_004))
    2
    """
    end = today.toordinal()
    if end not in days:
        end -= 1
    length = 0
    while end - length in days:
        length += 1
    return length


def _day(now: datetime) -> date:
    """Return the day in UTC, which is the same for everybody."""
    return now.astimezone(UTC).date()


def _rating(answers: Sequence[PuzzleAnswer]) -> Rating:
    return Rating(answers[-1].mean, answers[-1].deviation) if answers else Rating()


def _rated(entry: Entry, ratings: dict[str, PuzzleRating]) -> Entry:
    """Return a puzzle's entry with the rating from the guests' answers, if there are any."""
    known = ratings.get(entry.id)
    return entry if known is None else replace(entry, rating=known.mean)
