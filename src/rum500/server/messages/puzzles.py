"""The types of puzzles over HTTP: questions, verdicts on answers, and ratings.

Nothing that reveals the right play is sent before the guest has answered, except the answers of the day's
puzzle for pages without a network ([OfflinePuzzle](#offlinepuzzle)).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from rum500.puzzles.puzzle import MOST_MOVES
from rum500.server.messages.parts import PositionAdvice, Reason
from rum500.server.messages.positions import PositionPlay, PositionQuestion, SeatPosition
from rum500.server.messages.review import LossWhy, ReviewCandidate, ReviewPlan, ReviewPlay

Vote = Annotated[int, Meta(ge=-1, le=1)]
Before = Annotated[list[Annotated[str, Meta(min_length=1, max_length=200)]], Meta(max_length=MOST_MOVES - 1)]
"""The right plays of the moves before, as codes or in notation."""


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
    provisional: bool
    """Whether the rating is so uncertain that it says little."""
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
    """The play that a level of bots chooses in a puzzle."""

    level: str
    play: ReviewPlay
    right: bool


class PuzzleResult(Struct):
    """The result of an answer: whether it is right, what the plays lose, and why."""

    right: bool
    """Whether the play is the best, or as good as the best by what the seat could know."""
    quiet: bool
    """Whether the obvious plays are right in this puzzle."""
    move: int
    """The number of the move that decided the result, from 1: the first wrong one, otherwise the last."""
    moves: int
    """The number of moves of the puzzle."""
    position: SeatPosition
    """The position of this move. All plays below are plays in this position."""
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
    plan: ReviewPlan | None
    """The plan by which the best play is better than `why_of`; None if none was found."""
    levels: list[PuzzleLevel]
    """The choices of bots, weakest level first."""
    answers: int
    """The number of guests who have answered the puzzle on this server."""
    solved: int
    """The number of these guests who solved it with their first answer."""
    puzzle_rating: float
    """The rating of the puzzle before this answer; if the answer was given earlier, the present rating."""
    puzzle_provisional: bool
    """Whether the puzzle's rating is so uncertain that it says little."""
    before: float | None
    """The guest's rating before this answer; None if an earlier answer counted instead."""
    rating: float
    """The guest's rating."""
    provisional: bool
    """Whether the guest's rating is so uncertain that it says little."""
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
    moves: int
    """The number of moves."""
    retired: bool
    """Whether the puzzle was replaced by others and is only found by its name."""
    position: SeatPosition
    """The position of the first move."""
    result: PuzzleResult | None
    """The result of the guest's first answer; None if there was none."""


class OfflinePlay(Struct):
    """A legal play of a puzzle's move, with what it loses."""

    code: str
    """The code of the play."""
    text: str
    """The play in notation."""
    play: ReviewPlay
    right: bool
    """Whether the play is the best, or as good as the best."""
    loss: float
    """The loss of the play against the best, in even-score points; 0 if it is right."""
    error: float
    """The standard error of the loss."""
    why: LossWhy | None
    """The components of the loss; None if the play is right."""
    plan: ReviewPlan | None
    """The plan by which the best play is better; None if none was found or the play is right."""


class OfflineMove(Struct):
    """A move of a puzzle with all that the server would answer about it."""

    position: SeatPosition
    turn: PositionAdvice
    """The answer to a [PositionQuestion](#positionquestion) about the `turn`."""
    takes: dict[str, PositionAdvice]
    """The answers about takes, by the number of cards."""
    cards: dict[str, PositionAdvice]
    """The answers about the cards of each meld and lay-off, and about single cards. A key has the cards in
    alphabetical order, separated by blanks.
    """
    plays: list[OfflinePlay]
    """All legal plays, best first."""
    levels: list[PuzzleLevel]
    """The choices of bots, weakest level first."""


class OfflinePuzzle(Struct):
    """The puzzle of a day with its answers, so that a page without a network can judge plays."""

    id: str
    """The name of the puzzle."""
    day: str
    """The day in UTC, such as `2026-11-24`."""
    retired: bool
    """Whether the puzzle was replaced by others and is only found by its name."""
    quiet: bool
    """Whether the obvious plays are right in this puzzle."""
    moves: list[OfflineMove]


class PuzzlePlay(PositionPlay):
    """A guest's play in a puzzle."""

    before: Before = []
    """The right plays of the moves before; empty for the first move."""


class PuzzleQuestion(PositionQuestion):
    """A question about what the rules allow in the position of a puzzle's move."""

    before: Before = []
    """As in [PuzzlePlay](#puzzleplay)."""


class PuzzleAnswered(Struct):
    """The result of an answer, the position of the next move, or the reason why the play is not possible."""

    result: PuzzleResult | None
    """None if the play is refused, or right with moves to come."""
    next: SeatPosition | None
    """The position of the next move, if the play is right and there is one."""
    refused: Reason | None
    column: int | None
    """For a refused play in the notation, the column of the error, counted from 1."""


class PuzzleVote(Struct, forbid_unknown_fields=True):
    """A guest's vote on a puzzle that the guest has answered."""

    vote: Vote
    """1: a good puzzle, -1: a bad one, 0: no vote."""
