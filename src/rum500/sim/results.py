"""The common parts of results: notes on players, title, table, data frames, and files written as a whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self


@dataclass(frozen=True, slots=True)
class Note:
    """A mark after players' names, and its footnote. `key` is the JSON key of the list of these players."""

    key: str
    mark: str
    sentence: str


HIDDEN = Note("references", "†", "sees hidden cards: a reference for measuring, which no table seats")
ANSWERS = Note("responses", "‡", "knows how the bot it answers plays: for measuring, and no table seats it")
CLOCK = Note("by_the_clock", "§", "thinks against the clock: its numbers depend on the machine")
NOTES = (HIDDEN, ANSWERS, CLOCK)


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes on all players of a result, by name."""

    on: Mapping[str, tuple[Note, ...]]

    @classmethod
    def from_dict(cls, names: Iterable[str], data: Mapping[str, Sequence[str]]) -> Self:
        """Return the notes on these players from the data of `as_dict`."""
        return cls({name: tuple(note for note in NOTES if name in data[note.key]) for name in names})

    def marked(self, name: str) -> str:
        """Return a player's name followed by its marks."""
        return name + "".join(note.mark for note in self.on[name])

    def footnotes(self) -> list[str]:
        """Return one line for each mark in use."""
        return [f"{note.mark} {note.sentence}" for note in NOTES if self._with_note(note)]

    def as_dict(self) -> dict[str, list[str]]:
        """Return a dict for JSON: for each note, the players that have it."""
        return {note.key: self._with_note(note) for note in NOTES}

    def _with_note(self, note: Note) -> list[str]:
        return [name for name, notes in self.on.items() if note in notes]


_WIDTH = 120
"""The largest length of a line in the display of a result, in characters."""


class Result(ABC):
    """A result with a title and a table: one row for each seat, contest or cell."""

    __slots__ = ()

    @property
    @abstractmethod
    def title(self) -> str:
        """A heading of one line: what was played, how much of it, and the seed."""

    @abstractmethod
    def table(self) -> dict[str, list[Any]]:
        """Return the figures as columns of equal length, by column name."""

    def __repr__(self) -> str:
        line = f"<{type(self).__name__} {self.title}>"
        return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 2]}…>"

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        table = self.table()
        heads = "".join(f"<th>{escape(name)}</th>" for name in table)
        rows = (
            "".join(f"<td>{escape(_shown(cell))}</td>" for cell in row)
            for row in zip(*table.values(), strict=True)
        )
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"

    def to_pandas(self) -> Any:
        """Return the table as a `pandas.DataFrame`. Raises `ModuleNotFoundError` without pandas."""
        return import_package("pandas").DataFrame(self.table())

    def to_polars(self) -> Any:
        """Return the table as a `polars.DataFrame`. Raises `ModuleNotFoundError` without polars."""
        return import_package("polars").DataFrame(self.table())


def _shown(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return "" if cell is None else str(cell)


def import_package(name: str) -> Any:
    """Import a package of data frames.

    Raises `ModuleNotFoundError`, with the command that installs it, if it is missing.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(f"this needs {name}: pip install {name}", name=name) from None
