"""Collections of puzzles. The first line of the file is the mining plan, and each other line is a puzzle."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from os import PathLike

import msgspec

from rum500.bots import rng_for
from rum500.file_reading import TooLargeError, read_file
from rum500.puzzles.mining import MiningPlan
from rum500.puzzles.puzzle import Puzzle, PuzzleError, rating_for
from rum500.rules.problems import RulesetError

MOST_BYTES = 256 << 20
"""The largest size of a file of puzzles, in bytes."""
VERSION = 1
"""The version of the format."""
SHIPPED = "shipped.jsonl"


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    puzzles: int
    plan: MiningPlan


class _Glance(msgspec.Struct):
    """The fields of a line that a collection needs; the others are read when the puzzle is requested."""

    id: str
    right: list[str]
    levels: dict[str, str]
    quiet: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle of a collection, not yet parsed."""

    number: int
    """The puzzle's number in the mining plan, from 0."""
    id: str
    """The puzzle's name."""
    profile: str
    """The profile of its game."""
    players: int
    """The number of players."""
    rating: float
    """The puzzle's rating before anybody has tried it."""
    quiet: bool
    """Whether the obvious play is right."""
    line: str
    """The puzzle as text."""

    def puzzle(self) -> Puzzle:
        """Return the puzzle. Raises `PuzzleError`, with the number of the line, if it is invalid."""
        try:
            return Puzzle.from_json(self.line)
        except PuzzleError as error:
            raise PuzzleError(f"line {self.number + 2}: {' '.join(str(error).split())}") from None


@dataclass(frozen=True, slots=True)
class Collection:
    """The puzzles of one mining plan, in order."""

    plan: MiningPlan
    """The plan by which they were mined."""
    entries: tuple[Entry, ...]
    """The puzzles."""

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Collection:
        """Return the collection in a file. Raises the errors of `from_text`, and `OSError`."""
        try:
            return cls.from_text(read_file(path, MOST_BYTES).decode("utf-8"))
        except UnicodeDecodeError as error:
            raise PuzzleError(f"is not UTF-8 text (byte {error.start + 1})") from None
        except TooLargeError as error:
            raise PuzzleError(error.strerror) from None

    @classmethod
    def from_text(cls, text: str) -> Collection:
        """Return the collection in a text. Raises `PuzzleError`, with the number of the line, if it is
        invalid.

        The puzzles themselves are parsed and checked when they are requested.
        """
        head, *lines = text.splitlines() or [""]
        try:
            content = msgspec.json.decode(head, type=_Head)
            content.plan.check()
        except (msgspec.DecodeError, PuzzleError, RulesetError, RecursionError) as error:
            why = " ".join(str(error).split())
            raise PuzzleError(f"line 1: does not begin a collection of puzzles: {why}") from None
        if content.puzzles != VERSION:
            raise PuzzleError(f"line 1: found format {content.puzzles}, expected {VERSION}")
        return cls(
            content.plan, tuple(_entry(content.plan, number, line) for number, line in enumerate(lines))
        )

    def get(self, name: str) -> Entry | None:
        """Return the puzzle with this name; None if there is none."""
        return next((entry for entry in self.entries if entry.id == name), None)

    def of_profile(self, profile: str) -> Collection:
        """Return the puzzles of one profile, a collection that may be empty."""
        return Collection(self.plan, tuple(entry for entry in self.entries if entry.profile == profile))

    def daily(self, day: date) -> Entry:
        """Return the puzzle of a day, which is the same for all guests.

        No puzzle is repeated before all have been used.

        Raises `PuzzleError` if there are no puzzles.
        """
        number = len(self.entries)
        if not number:
            raise PuzzleError("there are no puzzles")
        cycle, at = divmod(day.toordinal(), number)
        order = list(range(number))
        rng_for(cycle, number).shuffle(order)
        return self.entries[order[at]]


def _entry(plan: MiningPlan, number: int, line: str) -> Entry:
    try:
        seen = msgspec.json.decode(line, type=_Glance)
        profile, players = plan.game(number)
    except (msgspec.DecodeError, RecursionError) as error:
        raise PuzzleError(f"line {number + 2}: is no puzzle: {error}") from None
    fails = sum(play not in seen.right for play in seen.levels.values())
    return Entry(number, seen.id, profile, players, rating_for(fails), seen.quiet, line)


def head_line(plan: MiningPlan) -> str:
    """Return the first line of a collection's file."""
    return msgspec.json.encode(_Head(VERSION, plan)).decode() + "\n"


@cache
def shipped() -> Collection:
    """Return the puzzles that are part of rum500."""
    folder = resources.files("rum500.puzzles")
    packed = folder.joinpath(f"{SHIPPED}.gz")  # compressed in an installed package
    text = gzip.decompress(packed.read_bytes()) if packed.is_file() else folder.joinpath(SHIPPED).read_bytes()
    return Collection.from_text(text.decode("utf-8"))
