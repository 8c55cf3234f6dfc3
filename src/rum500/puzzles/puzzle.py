"""A puzzle: one to three moves of a seat, each with the seat's view, right plays, and losses of other plays.

A puzzle is stored as a line of JSON. If it has one move, the line has the fields of the move itself, as in
the first version of the format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Any

import msgspec

from rum500.review.loss_reasons import Why, others_of, why_from_dict
from rum500.review.plans import Plan, PlanName
from rum500.review.verdict import JudgeIdentity
from rum500.rules.action_codes import decode
from rum500.rules.notation import play_text
from rum500.state import PositionError, State, position_from_text, view_to_text
from rum500.view import View

EASIEST, STEP = 1_200.0, 200.0
"""The initial rating of a puzzle that every level solves, and the points added for each level that fails."""

MOST_MOVES = 3
"""The largest number of moves."""


def rating_for(fails: int) -> float:
    """Return the initial rating of a puzzle that this number of bot levels fail."""
    return EASIEST + STEP * fails


def name_of(view: View) -> str:
    """Return the name of the puzzle with this view, a digest of the view."""
    return blake2b(f"{view_to_text(view)}{view.past}".encode(), digest_size=5).hexdigest()


class PuzzleError(ValueError):
    """A line that is not a puzzle."""


@dataclass(frozen=True, slots=True)
class WrongPlay:
    """A play that is not right, with its loss."""

    code: int
    """The action."""
    loss: float
    """The loss of the play compared with the best play, in even-score points."""
    error: float
    """The standard error of the loss."""
    why: Why
    """The components of the loss."""
    plan: Plan | None = None
    """The plan by which the best play is better; None if none was found."""

    def as_dict(self, view: View) -> dict[str, Any]:
        """Return a dict for JSON; the play is in the notation for this view."""
        why = self.why
        plan = {} if self.plan is None else self.plan.as_dict()
        for said in ("sentence", "others"):
            plan.pop(said, None)
        return {
            "play": play_text(self.code, view),
            "loss": round(self.loss, 1),
            "error": round(self.error, 2),
            "why": {
                "code": why.code,
                "points": round(why.points, 1),
                "error": round(why.error, 2),
                **({} if why.chance is None else {"chance": round(why.chance, 4)}),
                "reasons": [reason.as_dict() for reason in why.reasons],
            },
            **({"plan": plan} if plan else {}),
        }


@dataclass(frozen=True, slots=True)
class Move:
    """A decision of a puzzle, with one clear best play."""

    view: View
    """The seat's view, with the past actions of the deal. Cards that the seat cannot see are not stored."""
    right: tuple[int, ...]
    """The best play and those that are as good, best first, as codes."""
    wrong: tuple[WrongPlay, ...]
    """All other legal plays, smallest loss first."""
    levels: Mapping[str, int]
    """The choice of each level, as a code."""

    @property
    def state(self) -> State:
        """A deal in this position, in which the cards that the seat cannot see are in canonical order."""
        return position_from_text(view_to_text(self.view)).state

    def wrong_play(self, code: int) -> WrongPlay | None:
        """Return a wrong play with its loss; None for a right play.

        Raises `ValueError` for an action that is not legal.
        """
        if code not in self.view.legal:
            raise ValueError(f"{code} is none of the actions of the puzzle")
        return next((play for play in self.wrong if play.code == code), None)

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON: the fields of the move in a puzzle's line."""
        view = self.view
        return {
            "position": view_to_text(view).splitlines(),
            "course": view.past,
            "right": [play_text(code, view) for code in self.right],
            "wrong": [play.as_dict(view) for play in self.wrong],
            "levels": {level: play_text(code, view) for level, code in self.levels.items()},
        }


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one clear best play, and the moves that follow if the solver finds this play."""

    id: str
    """Its name, which depends only on the first position (`name_of`)."""
    moves: tuple[Move, ...]
    """The decisions in their order. After each, the best play is made and the others reply."""
    quiet: bool
    """Whether the obvious plays are right."""
    judge: JudgeIdentity
    """The judge that measured it."""

    @property
    def view(self) -> View:
        """The seat's view at the first move."""
        return self.moves[0].view

    @property
    def fails(self) -> tuple[str, ...]:
        """The levels of bots that fail at least one of the moves, weakest first."""
        first = self.moves[0].levels
        return tuple(
            level for level in first if any(one.levels[level] not in one.right for one in self.moves)
        )

    @property
    def rating(self) -> float:
        """The rating of the puzzle before anybody has tried it."""
        return rating_for(len(self.fails))

    def judged(self, plays: Sequence[int]) -> tuple[int, bool]:
        """Return the number, from 0, of the move that decides the result, and whether all plays are right.

        The first wrong play decides, otherwise the last play. Raises `ValueError` without plays, for more
        plays than moves, and for an action that is not legal.
        """
        if not 1 <= len(plays) <= len(self.moves):
            raise ValueError(f"the puzzle has 1 to {len(self.moves)} plays, not {len(plays)}")
        for number, (move, code) in enumerate(zip(self.moves, plays, strict=False)):
            if move.wrong_play(code) is not None:
                return number, False
        return len(plays) - 1, True

    def to_json(self) -> str:
        """Return the puzzle as one line of JSON, without a line end."""
        moves = [move.as_dict() for move in self.moves]
        content = {
            "id": self.id,
            **(moves[0] if len(moves) == 1 else {"moves": moves}),
            "quiet": self.quiet,
            "judge": self.judge.as_dict(),
        }
        return msgspec.json.encode(content).decode()

    @classmethod
    def from_json(cls, line: str | bytes) -> Puzzle:
        """Return the puzzle in a line. Raises `PuzzleError`, with one sentence, if it is invalid."""
        try:
            content = msgspec.json.decode(line, type=_Line)
            moves = tuple(_move(one) for one in content.all_moves)
            puzzle = cls(content.id, moves, content.quiet, msgspec.convert(content.judge, JudgeIdentity))
        except (msgspec.DecodeError, RecursionError) as error:
            raise PuzzleError(f"is no puzzle: {error}") from None
        except PositionError as error:
            raise PuzzleError(f"the position is wrong: {' '.join(str(error).split())}") from None
        except KeyError as error:
            raise PuzzleError(f"{error.args[0]!r} is not legal in its position") from None
        _check(puzzle)
        return puzzle


class _Reason(msgspec.Struct, forbid_unknown_fields=True):
    code: str
    points: float
    error: float
    params: dict[str, int | float | str | list[int]]


class _Why(msgspec.Struct, forbid_unknown_fields=True):
    code: str
    points: float
    error: float
    reasons: list[_Reason]
    chance: float | None = None


class _Plan(msgspec.Struct, forbid_unknown_fields=True):
    name: PlanName
    cards: tuple[int, ...]
    played: float
    best: float
    explains: float


class _Wrong(msgspec.Struct, forbid_unknown_fields=True):
    play: str
    loss: float
    error: float
    why: _Why
    plan: _Plan | None = None


class _Move(msgspec.Struct, forbid_unknown_fields=True):
    position: list[str]
    course: tuple[int, ...]
    right: list[str]
    wrong: list[_Wrong]
    levels: dict[str, str]


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of a line. Unknown fields are refused, because they could reveal a hidden card."""

    id: str
    quiet: bool
    judge: dict[str, Any]
    moves: Annotated[list[_Move], msgspec.Meta(min_length=2, max_length=MOST_MOVES)] | None = None
    position: list[str] | None = None
    course: tuple[int, ...] | None = None
    right: list[str] | None = None
    wrong: list[_Wrong] | None = None
    levels: dict[str, str] | None = None

    @property
    def all_moves(self) -> list[_Move]:
        """The moves; if there is only one, the line itself has its fields."""
        own = self.position, self.course, self.right, self.wrong, self.levels
        if self.moves is not None and own == (None,) * len(own):
            return self.moves
        if self.moves is not None or None in own:
            raise PuzzleError("is no puzzle: a line has either `moves` or the fields of one move")
        return [_Move(*own)]  # type: ignore[arg-type]


def _move(content: _Move) -> Move:
    view = _view(content.position, content.course)
    codes = {play_text(code, view): code for code in view.legal}
    sides = bool(view.rules.sides)
    others = others_of(1 if sides else view.players - 1, sides=sides)
    return Move(
        view,
        tuple(codes[play] for play in content.right),
        tuple(_wrong_play(play, codes, others) for play in content.wrong),
        {level: codes[play] for level, play in content.levels.items()},
    )


def _view(position: Sequence[str], course: tuple[int, ...]) -> View:
    read = position_from_text("\n".join(position) + "\n")
    if read.complete or read.seat is None or read.seat != read.state.actor:
        raise PuzzleError("the position is not what the seat to act knows")
    return msgspec.structs.replace(read.view, past=course)


def _wrong_play(content: _Wrong, codes: Mapping[str, int], others: str) -> WrongPlay:
    code = codes[content.play]
    why = why_from_dict(msgspec.to_builtins(content.why), decode(code), others)
    found = None if content.plan is None else Plan(**msgspec.structs.asdict(content.plan), others=others)
    return WrongPlay(code, content.loss, content.error, why, found)


def _check(puzzle: Puzzle) -> None:
    """Raise `PuzzleError` unless all moves are complete and of one seat, and the name fits the first view."""
    first = puzzle.moves[0]
    for move in puzzle.moves:
        answers = [*move.right, *(play.code for play in move.wrong)]
        if not move.right or sorted(answers) != sorted(move.view.legal):
            raise PuzzleError("right and wrong plays are not the legal plays of its position")
        if move.levels.keys() != first.levels.keys():
            raise PuzzleError("its moves have the choices of different levels")
        if (move.view.seat, move.view.rules) != (first.view.seat, first.view.rules):
            raise PuzzleError("its moves are of different seats or games")
        try:
            _ = [(play.why.sentence, play.plan and play.plan.sentence) for play in move.wrong]
        except (LookupError, TypeError, ValueError, AttributeError):
            raise PuzzleError("the reasons against a play, or its plan, have no sentence") from None
    if puzzle.id != name_of(puzzle.view):
        raise PuzzleError(f"its position has the name {name_of(puzzle.view)}, not {puzzle.id}")
