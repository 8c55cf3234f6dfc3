"""Puzzles over HTTP: the puzzle of the day, the next one, answers, votes, and a guest's answers as a file."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta

from rum500.rules.notation import NotationError
from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.http.history import csv_file
from rum500.server.limits import Limits
from rum500.server.messages import PositionAdvice
from rum500.server.messages.positions import SeatPosition
from rum500.server.messages.puzzles import (
    PuzzleAnswered,
    PuzzlePlay,
    PuzzleQuestion,
    PuzzleShown,
    PuzzleStanding,
    PuzzleVote,
)
from rum500.server.messages.render import refused
from rum500.server.practice.advisor import Advisor
from rum500.server.practice.puzzle_book import PuzzleBook
from rum500.server.work_scheduler import Light, Work
from rum500.state import IllegalPlay
from rum500.store import PuzzleAnswer, TableStore

_NAME = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
_PUZZLE = Param("puzzle", _NAME, "The name of the puzzle.")
_PROFILE = Param("profile", Annotated[str, Meta(min_length=1, max_length=64)], "Only this game, by its name.")
_AFTER = Param("after", _NAME, "The name of a puzzle to be put off, for another one.")
_COLUMNS = ("answered", "puzzle", "game", "play", "right", "rating")


class PuzzleHandlers:
    """The handlers of the requests for puzzles."""

    def __init__(self, store: TableStore, book: PuzzleBook, limits: Limits, advisor: Advisor) -> None:
        self._store = store
        self._book = book
        self._limits = limits
        self._advisor = advisor

    @answers("GET", "/api/puzzles", work=Light.ROWS)
    async def puzzle_standing(self, asker: ApiRequest) -> PuzzleStanding:
        """Return the guest's progress with puzzles, and the games that have puzzles."""
        return await self._book.standing(asker.known, _now())

    @answers("GET", "/api/puzzles/daily", work=Light.ROWS, refuses=(404,))
    async def daily_puzzle(self, asker: ApiRequest) -> PuzzleShown:
        """Return the puzzle of the day in UTC, which is the same for everybody."""
        self._limits.check("practice", asker.address)
        return await self._book.daily(asker.known, _now())

    @answers("GET", "/api/puzzles/next", work=Light.ROWS, query=(_PROFILE, _AFTER), refuses=(401, 404, 422))
    async def next_puzzle(self, asker: ApiRequest) -> PuzzleShown:
        """Return a puzzle that the guest has not answered, near the guest's rating."""
        guest = asker.guest.id
        self._limits.check("practice", guest)
        return await self._book.next(guest, asker.param(_PROFILE), asker.param(_AFTER))

    @answers(
        "GET", "/api/puzzles/answers.csv", work=Work.EXPORT, media="text/csv; charset=utf-8", refuses=(401,)
    )
    async def puzzle_answers_csv(self, asker: ApiRequest) -> bytes:
        """Return the guest's first answers to puzzles as CSV, with a heading."""
        guest = asker.guest.id
        self._limits.check("replays", asker.address)
        rows = await self._store.puzzles.of(guest)
        return await self._advisor.executor.scheduler.in_thread(
            Work.EXPORT,
            asker.who,
            lambda: csv_file(asker, "rum500-puzzles.csv", [_COLUMNS, *map(self._csv_row, rows)]),
        )

    def _csv_row(self, row: PuzzleAnswer) -> list[object]:
        at = datetime.fromtimestamp(row.at / 1000, UTC).isoformat(timespec="seconds")
        return [at, row.puzzle, *self._book.words_of(row), "yes" if row.solved else "no", round(row.mean)]

    @answers("GET", "/api/puzzles/{puzzle}", work=Light.ROWS, params=(_PUZZLE,), refuses=(404,))
    async def puzzle(self, asker: ApiRequest) -> PuzzleShown:
        """Return a puzzle by its name."""
        self._limits.check("practice", asker.address)
        return await self._book.shown(asker.path["puzzle"], asker.known)

    @answers(
        "POST",
        "/api/puzzles/{puzzle}/ask",
        work=Work.ADVICE,
        params=(_PUZZLE,),
        takes=PuzzleQuestion,
        refuses=(404, 409, 422),
    )
    async def ask_puzzle(self, asker: ApiRequest) -> PositionAdvice:
        """Return what the rules allow in the position of a puzzle's move."""
        self._limits.check("questions", asker.address)
        view = self._book.view(asker.path["puzzle"], asker.body.before)
        return await self._advisor.advice(view, asker.body, asker.who)

    @answers(
        "POST",
        "/api/puzzles/{puzzle}/answer",
        work=Light.ROWS,
        params=(_PUZZLE,),
        takes=PuzzlePlay,
        refuses=(401, 404),
    )
    async def answer_puzzle(self, asker: ApiRequest) -> PuzzleAnswered:
        """Judge the guest's play for a move of a puzzle. Only the first answer counts for the rating.

        An answer has a play for each move, and ends with the first wrong play or the last move.
        """
        guest, name = asker.guest.id, asker.path["puzzle"]
        self._limits.check("practice", guest)
        try:
            codes = self._book.codes(name, [*asker.body.before, asker.body.play])
        except (IllegalPlay, NotationError) as error:
            refusal = refused("", error)
            return PuzzleAnswered(None, None, refusal.reason, refusal.column)
        found = await self._book.answer(name, codes, guest, _now())
        if isinstance(found, SeatPosition):
            return PuzzleAnswered(None, found, None, None)
        return PuzzleAnswered(found, None, None, None)

    @answers(
        "POST",
        "/api/puzzles/{puzzle}/vote",
        work=Light.ROWS,
        params=(_PUZZLE,),
        takes=PuzzleVote,
        refuses=(401, 404, 409),
    )
    async def vote_puzzle(self, asker: ApiRequest) -> PuzzleVote:
        """Vote for or against a puzzle, after having answered it."""
        guest = asker.guest.id
        self._limits.check("practice", guest)
        vote: PuzzleVote = asker.body
        await self._book.vote(asker.path["puzzle"], guest, vote.vote)
        return vote


def _now() -> datetime:
    return datetime.now(UTC)
