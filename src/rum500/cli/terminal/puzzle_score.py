"""The solver's rating and answers, in a file of the user's state folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

from rum500.cli.user_error import UserError
from rum500.puzzles.collection import Entry
from rum500.puzzles.ratings import Rating, first_rating, rated


class _Content(msgspec.Struct, forbid_unknown_fields=True):
    rating: Rating
    answers: dict[str, bool]


class PuzzleScore:
    """What a solver has answered, and the rating that follows."""

    def __init__(self, path: Path, rating: Rating, answers: dict[str, bool]) -> None:
        """Continue from a rating and answers, by puzzle: whether it was solved."""
        self.path = path
        self.rating = rating
        self.answers = answers

    @classmethod
    def read(cls, path: Path) -> PuzzleScore:
        """Return what a file holds; a new solver's if there is none. Raises `UserError` for another file."""
        if not path.exists():
            return cls(path, Rating(), {})
        try:
            content = msgspec.json.decode(path.read_bytes(), type=_Content)
        except msgspec.DecodeError as error:
            raise UserError(f"{path}: holds no rating: {error}; remove it to begin again") from None
        return cls(path, content.rating, content.answers)

    @property
    def solved(self) -> int:
        """The number of puzzles solved."""
        return sum(self.answers.values())

    def answer(self, puzzle: Entry, *, solved: bool) -> None:
        """Count an answer, if it is the first to this puzzle, and write the file."""
        if puzzle.id in self.answers:
            return
        self.rating, _ = rated(self.rating, first_rating(puzzle), solved=solved)
        self.answers[puzzle.id] = solved
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        content = msgspec.json.format(msgspec.json.encode(_Content(self.rating, self.answers)), indent=1)
        fresh.write_bytes(content)
        fresh.replace(self.path)
