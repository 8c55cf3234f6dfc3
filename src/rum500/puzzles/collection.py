"""Collections of puzzles. The first line of the file is the mining plan, and each other line is a puzzle."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
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
VERSION = 2
"""The version of the format, of puzzles with several moves. Files of version 1 are read too."""
SHIPPED, RETIRED = "shipped.jsonl", "retired.jsonl"


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    puzzles: int
    plan: MiningPlan


class _MoveSummary(msgspec.Struct):
    right: list[str]
    levels: dict[str, str]


class _LineSummary(msgspec.Struct):
    """The fields of a line that a collection needs; the others are read when the puzzle is requested."""

    id: str
    quiet: bool
    moves: list[_MoveSummary] = []
    right: list[str] = []
    levels: dict[str, str] = {}

    @property
    def all_moves(self) -> list[_MoveSummary]:
        """The moves; if there is only one, the line itself has its fields."""
        return self.moves or [_MoveSummary(self.right, self.levels)]

    @property
    def fails(self) -> int:
        """The number of levels that fail at least one of the moves."""
        moves = self.all_moves
        return len({name for one in moves for name, play in one.levels.items() if play not in one.right})


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
    """Whether the obvious plays are right."""
    packed: bytes
    """The puzzle as text, compressed by zlib: a server keeps all for the few that are requested."""

    @property
    def line(self) -> str:
        """The puzzle as text."""
        return zlib.decompress(self.packed).decode()

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
    version: int = VERSION
    """The version of the file's format."""

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
        return cls.from_lines(text.splitlines())

    @classmethod
    def from_lines(cls, lines: Iterable[str]) -> Collection:
        """Return the collection in lines without line ends. Raises `PuzzleError` as `from_text`."""
        remaining = iter(lines)
        head = next(remaining, "")
        try:
            content = msgspec.json.decode(head, type=_Head)
            content.plan.check()
        except (msgspec.DecodeError, PuzzleError, RulesetError, RecursionError) as error:
            why = " ".join(str(error).split())
            raise PuzzleError(f"line 1: does not begin a collection of puzzles: {why}") from None
        if not 1 <= content.puzzles <= VERSION:
            raise PuzzleError(f"line 1: found format {content.puzzles}, expected 1 to {VERSION}")
        entries = tuple(_entry(content.plan, number, line) for number, line in enumerate(remaining))
        return cls(content.plan, entries, content.puzzles)

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
        seen = msgspec.json.decode(line, type=_LineSummary)
        profile, players = plan.game(number)
    except (msgspec.DecodeError, RecursionError) as error:
        raise PuzzleError(f"line {number + 2}: is no puzzle: {error}") from None
    packed = zlib.compress(line.encode(), zlib.Z_BEST_SPEED)
    return Entry(number, seen.id, profile, players, rating_for(seen.fails), seen.quiet, packed)


def head_line(plan: MiningPlan) -> str:
    """Return the first line of a collection's file."""
    return msgspec.json.encode(_Head(VERSION, plan)).decode() + "\n"


@cache
def shipped() -> Collection:
    """Return the puzzles that are part of rum500."""
    return _of_package(SHIPPED)


@cache
def retired() -> Collection:
    """Return the puzzles of earlier versions, of one move each; answers to them stay valid."""
    return _of_package(RETIRED)


def _of_package(name: str) -> Collection:
    folder = resources.files("rum500.puzzles")
    packed = folder.joinpath(f"{name}.gz")  # compressed in an installed package
    with packed.open("rb") if packed.is_file() else folder.joinpath(name).open("rb") as file:
        lines = gzip.GzipFile(fileobj=file) if packed.is_file() else file
        return Collection.from_lines(line.decode("utf-8").removesuffix("\n") for line in lines)
