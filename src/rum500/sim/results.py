"""Notes on players in results: a mark after the name, and its meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


@dataclass(frozen=True, slots=True)
class Note:
    """A mark and its footnote; `key` is the JSON key of the list of players to whom it applies."""

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
    def from_dict(cls, names: Iterable[str], told: Mapping[str, Sequence[str]]) -> Self:
        """Return the notes on these players that `as_dict` told."""
        return cls({name: tuple(note for note in NOTES if name in told[note.key]) for name in names})

    def marked(self, name: str) -> str:
        """Return a player's name with its marks."""
        return name + "".join(note.mark for note in self.on[name])

    def footnotes(self) -> list[str]:
        """Return one line for each mark in use."""
        return [f"{note.mark} {note.sentence}" for note in NOTES if self._those(note)]

    def as_dict(self) -> dict[str, list[str]]:
        """Return plain data, for JSON: the players to whom each note applies."""
        return {note.key: self._those(note) for note in NOTES}

    def _those(self, note: Note) -> list[str]:
        return [name for name, notes in self.on.items() if note in notes]


@contextmanager
def atomic_file(path: Path | None) -> Iterator[Path | None]:
    """Yield a temporary path for a file that is renamed to `path` on success; None if `path` is None.

    Raises `OSError` immediately if it cannot be written there.
    """
    if path is None:
        yield None
        return
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory", str(path))
    part = path.with_name(path.name + ".part")
    part.open("wb").close()
    try:
        yield part
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    part.replace(path)
