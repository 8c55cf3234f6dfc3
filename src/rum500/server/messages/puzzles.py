"""The types of puzzles over HTTP: questions, verdicts on answers, and ratings.

Nothing that reveals the right play is sent before the guest has answered.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from rum500.server.messages.parts import Reason
from rum500.server.messages.positions import SeatPosition
from rum500.server.messages.review import LossWhy, ReviewCandidate, ReviewPlay

Vote = Annotated[int, Meta(ge=-1, le=1)]


class GamePuzzles(Struct):
    """The puzzles of one game."""

    profile: str
    """The name of the game."""
    title: str
    """The title of the game."""
    puzzles: int
    """The number of puzzles."""
    answered: int
    """The number of puzzles that the guest has answered."""


class PuzzleStanding(Struct):
    """A guest's progress with puzzles."""

    rating: float
    """The guest's rating; everybody begins with 1500."""
    deviation: float
    """The uncertainty of the rating, as a standard deviation."""
    answered: int
    """The number of puzzles that the guest has answered."""
    solved: int
    """The number of these answers that were right."""
    day: str
    """The present day in UTC, such as `2026-11-24`."""
    today: bool
    """Whether the guest has answered the puzzle of the day."""
    streak: int
    """The number of consecutive days, the last being today or yesterday, on which the guest answered the
    puzzle of the day.
    """
    games: list[GamePuzzles]
    """The games that have puzzles."""


class PuzzleLevel(Struct):
    """The choice of a level of bots in a puzzle."""

    level: str
    play: ReviewPlay
    right: bool


class PuzzleResult(Struct):
    """The result of an answer: whether it is right, what the plays lose, and why."""

    right: bool
    """Whether the play is the best, or as good given what the seat could know."""
    quiet: bool
    """Whether the obvious play is right in this puzzle."""
    played: ReviewPlay
    best: ReviewPlay
    """The best play; `candidates` also has the plays that are as good."""
    loss: float
    """The loss of the play against the best, in even-score points; 0 if it is right."""
    error: float
    """The standard error of the loss."""
    candidates: list[ReviewCandidate]
    """All plays, best first, each with its gain compared with the chosen one."""
    why: LossWhy | None
    """The components of the loss; for a right play, those of the best wrong play."""
    why_of: ReviewPlay | None
    """The play that `why` is about."""
    levels: list[PuzzleLevel]
    """The choices of bots, weakest level first."""
    puzzle_rating: float
    """The rating of the puzzle before this answer; if the answer was given earlier, the present rating."""
    before: float | None
    """The guest's rating before this answer; None if an earlier answer counted instead."""
    rating: float
    """The guest's rating."""
    streak: int
    """As in [PuzzleStanding](#puzzlestanding)."""
    vote: Vote
    """The guest's vote: 1 for a good puzzle, -1 for a bad one, 0 for none."""


class PuzzleShown(Struct):
    """A puzzle as it is shown."""

    id: str
    """The name of the puzzle."""
    day: str | None
    """The day, if it was requested as the puzzle of a day; else None."""
    position: SeatPosition
    result: PuzzleResult | None
    """The result of the guest's first answer; None if there was none."""


class PuzzleAnswered(Struct):
    """The result of an answer, or the reason why the play is not possible."""

    result: PuzzleResult | None
    """The result; None if the play is refused."""
    refused: Reason | None
    column: int | None
    """For a refused play in the notation, the column of the error, counted from 1."""


class PuzzleVote(Struct, forbid_unknown_fields=True):
    """A guest's vote on a puzzle that the guest has answered."""

    vote: Vote
    """1: a good puzzle, -1: a bad one, 0: no vote."""
