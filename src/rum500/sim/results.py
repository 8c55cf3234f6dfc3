"""What results say of a player besides its name: a mark behind it, and what the mark means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Note:
    """A mark and its footnote; `key` is what JSON lists those under to whom it applies."""

    key: str
    mark: str
    sentence: str


HIDDEN = Note("references", "†", "sees hidden cards: a reference for measuring, which no table seats")
ANSWERS = Note("responses", "‡", "knows how the bot it answers plays: for measuring, and no table seats it")
CLOCK = Note("by_the_clock", "§", "thinks against the clock: its numbers depend on the machine")
NOTES = (HIDDEN, ANSWERS, CLOCK)


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes on all players of a result, by what it calls them."""

    on: Mapping[str, tuple[Note, ...]]

    def marked(self, name: str) -> str:
        """A player's name with its marks."""
        return name + "".join(note.mark for note in self.on[name])

    def footnotes(self) -> list[str]:
        """A line for each mark there is."""
        return [f"{note.mark} {note.sentence}" for note in NOTES if self._those(note)]

    def as_dict(self) -> dict[str, list[str]]:
        """Plain data, for JSON: whom each note applies to."""
        return {note.key: self._those(note) for note in NOTES}

    def _those(self, note: Note) -> list[str]:
        return [name for name, notes in self.on.items() if note in notes]


@contextmanager
def atomic_file(path: Path | None) -> Iterator[Path | None]:
    """Where to write a file that is to appear as `path`, once all is well; None for no path.

    `OSError` at once if it cannot be written there.
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
