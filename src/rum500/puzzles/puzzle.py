"""A puzzle: one seat's view, the right plays, and the losses of wrong plays; stored as a line of JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import msgspec

from rum500.review.loss_reasons import Why, others_of, why_from_dict
from rum500.review.verdict import JudgeIdentity
from rum500.rules.action_codes import decode
from rum500.rules.notation import play_text
from rum500.state import PositionError, State, position_from_text, view_to_text
from rum500.view import View

EASIEST, STEP = 1_200.0, 200.0
"""The initial rating of a puzzle that every level solves, and the points added for each level that fails."""


def rating_for(fails: int) -> float:
    """Return the initial rating of a puzzle that this number of bot levels do not solve."""
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

    def as_dict(self, view: View) -> dict[str, Any]:
        """Return a dict for JSON; the play is in the notation for this view."""
        why = self.why
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
        }


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one clear best play, as its seat sees it."""

    id: str
    """The puzzle's name, which depends only on the position (`name_of`)."""
    view: View
    """The seat's view, with the past actions of the deal. No other card is stored."""
    right: tuple[int, ...]
    """The best play and those that are as good, best first, as codes."""
    wrong: tuple[WrongPlay, ...]
    """All other legal plays, smallest loss first."""
    levels: Mapping[str, int]
    """The choice of each level, as a code."""
    quiet: bool
    """Whether the obvious play is right."""
    judge: JudgeIdentity
    """The judge that measured it."""

    @property
    def state(self) -> State:
        """A deal in this position, in which the cards that the seat cannot see are in canonical order."""
        return position_from_text(view_to_text(self.view)).state

    @property
    def fails(self) -> tuple[str, ...]:
        """The levels of bots that do not solve the puzzle, weakest first."""
        return tuple(level for level, code in self.levels.items() if code not in self.right)

    @property
    def rating(self) -> float:
        """The rating of the puzzle before anybody has tried it."""
        return rating_for(len(self.fails))

    def wrong_play(self, code: int) -> WrongPlay | None:
        """Return a wrong play with its loss; None for a right play.

        Raises `ValueError` for an action that is not legal.
        """
        if code not in self.view.legal:
            raise ValueError(f"{code} is none of the actions of the puzzle")
        return next((play for play in self.wrong if play.code == code), None)

    def to_json(self) -> str:
        """Return the puzzle as one line of JSON, without a line end."""
        content = {
            "id": self.id,
            "position": view_to_text(self.view).splitlines(),
            "course": self.view.past,
            "right": [play_text(code, self.view) for code in self.right],
            "wrong": [play.as_dict(self.view) for play in self.wrong],
            "levels": {level: play_text(code, self.view) for level, code in self.levels.items()},
            "quiet": self.quiet,
            "judge": self.judge.as_dict(),
        }
        return msgspec.json.encode(content).decode()

    @classmethod
    def from_json(cls, line: str | bytes) -> Puzzle:
        """Return the puzzle in a line. Raises `PuzzleError`, with one sentence, if it is invalid."""
        try:
            content = msgspec.json.decode(line, type=_Line)
            view = _view(content.position, content.course)
            codes = {play_text(code, view): code for code in view.legal}
            sides = bool(view.rules.sides)
            others = others_of(1 if sides else view.players - 1, sides=sides)
            puzzle = cls(
                content.id,
                view,
                tuple(codes[play] for play in content.right),
                tuple(_wrong_play(play, codes, others) for play in content.wrong),
                {level: codes[play] for level, play in content.levels.items()},
                content.quiet,
                msgspec.convert(content.judge, JudgeIdentity),
            )
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


class _Wrong(msgspec.Struct, forbid_unknown_fields=True):
    play: str
    loss: float
    error: float
    why: _Why


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of a line. Unknown fields are refused, because they could reveal a hidden card."""

    id: str
    position: list[str]
    course: tuple[int, ...]
    right: list[str]
    wrong: list[_Wrong]
    levels: dict[str, str]
    quiet: bool
    judge: dict[str, Any]


def _view(position: Sequence[str], course: tuple[int, ...]) -> View:
    read = position_from_text("\n".join(position) + "\n")
    if read.complete or read.seat is None or read.seat != read.state.actor:
        raise PuzzleError("the position is not what the seat to act knows")
    return msgspec.structs.replace(read.view, past=course)


def _wrong_play(content: _Wrong, codes: Mapping[str, int], others: str) -> WrongPlay:
    code = codes[content.play]
    why = why_from_dict(msgspec.to_builtins(content.why), decode(code), others)
    return WrongPlay(code, content.loss, content.error, why)


def _check(puzzle: Puzzle) -> None:
    """Raise `PuzzleError` unless the puzzle has every legal play as right or wrong, and the right name."""
    answers = [*puzzle.right, *(play.code for play in puzzle.wrong)]
    if not puzzle.right or sorted(answers) != sorted(puzzle.view.legal):
        raise PuzzleError("right and wrong plays are not the legal plays of its position")
    for play in puzzle.wrong:
        try:
            _ = play.why.sentence
        except (LookupError, TypeError, ValueError, AttributeError):
            raise PuzzleError(
                f"the reasons against {play_text(play.code, puzzle.view)} have no sentence"
            ) from None
    if puzzle.id != name_of(puzzle.view):
        raise PuzzleError(f"its position has the name {name_of(puzzle.view)}, not {puzzle.id}")
