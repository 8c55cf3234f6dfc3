"""Collections of puzzles: a file of lines, of which the first tells how the others were mined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources

import msgspec

from rum500.bots import rng_for
from rum500.puzzles.mining import Plan
from rum500.puzzles.puzzle import Puzzle, PuzzleError

VERSION = 1
"""The version of the format."""
SHIPPED = "shipped.jsonl"


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    puzzles: int
    plan: Plan


@dataclass(frozen=True, slots=True)
class Collection:
    """Puzzles of one plan, in order."""

    plan: Plan
    """How they were mined."""
    puzzles: tuple[Puzzle, ...]
    """The puzzles: number 0 of the plan, number 1 and so on."""

    def to_text(self) -> str:
        """Return it as the text of a file."""
        return "".join([head_line(self.plan), *(f"{puzzle.to_json()}\n" for puzzle in self.puzzles)])

    @classmethod
    def from_text(cls, text: str) -> Collection:
        """Return the collection in a text. Raises `PuzzleError`, with the line, for anything else."""
        head, *lines = text.splitlines() or [""]
        try:
            told = msgspec.json.decode(head, type=_Head)
        except msgspec.DecodeError as error:
            raise PuzzleError(f"line 1: does not begin a collection of puzzles: {error}") from None
        if told.puzzles != VERSION:
            raise PuzzleError(f"line 1: found format {told.puzzles}, expected {VERSION}")
        return cls(told.plan, tuple(_read(lines)))

    def by_id(self, name: str) -> Puzzle | None:
        """Return the puzzle of this id; None if there is none."""
        return next((puzzle for puzzle in self.puzzles if puzzle.id == name), None)

    def of_profile(self, profile: str) -> Collection:
        """Return its puzzles of one profile, which may be none."""
        kept = tuple(puzzle for puzzle in self.puzzles if puzzle.view.rules.name == profile)
        return Collection(self.plan, kept)

    def daily(self, day: date) -> Puzzle:
        """Return the puzzle of a day, the same for all: no puzzle comes again until all have come.

        Raises `PuzzleError` if there are no puzzles.
        """
        number = len(self.puzzles)
        if not number:
            raise PuzzleError("there are no puzzles")
        cycle, at = divmod(day.toordinal(), number)
        order = list(range(number))
        rng_for(cycle, number).shuffle(order)
        return self.puzzles[order[at]]


def head_line(plan: Plan) -> str:
    """Return the first line of a collection's file."""
    return msgspec.json.encode(_Head(VERSION, plan)).decode() + "\n"


@cache
def shipped() -> Collection:
    """Return the puzzles that come with rum500."""
    text = resources.files("rum500.puzzles").joinpath(SHIPPED).read_text("utf-8")
    return Collection.from_text(text)


def _read(lines: Sequence[str]) -> Iterable[Puzzle]:
    for number, line in enumerate(lines, 2):
        try:
            yield Puzzle.from_json(line)
        except PuzzleError as error:
            raise PuzzleError(f"line {number}: {error}") from None
