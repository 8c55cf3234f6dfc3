"""Data cards: a Markdown file beside each Parquet file says what is in it and how to repeat it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from rum500.sim.output_files import write_atomic

LICENCE = (
    "rum500, under the MIT licence, claims no rights in what it generates: this file belongs to its maker. "
    "If you publish it and say nothing else, it is under CC0 1.0."
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a file."""

    name: str
    kind: str
    """The Arrow type of the column; `dictionary<int8, string>` for texts that are stored once each."""
    meaning: str
    """What the column contains, with the unit."""


@dataclass(frozen=True, slots=True)
class DataCard:
    """The contents of a data card."""

    title: str
    """What the file is."""
    rows: str
    """What a row is."""
    columns: Sequence[Column]
    """The columns."""
    made: Mapping[str, str]
    """The origin of the data by topic: game, players, bots, seed."""
    repeat: str
    """The command that writes the same bytes."""
    sources: Mapping[str, str]
    """Digests of the code that played, by name."""
    rules: Mapping[str, str]
    """The rule sets as TOML, by title."""

    def write(self, data: Path, path: Path) -> None:
        """Write the card of the file `data` beside `path`, the path to which that file will be renamed."""
        write_atomic(card_of(path), self.text(data, path.name))

    def text(self, data: Path, name: str) -> str:
        """Return the card of the file `data` as Markdown; `name` is the name that the file will have."""
        return "\n".join(self._lines(data, name)) + "\n"

    def _lines(self, data: Path, name: str) -> Iterator[str]:
        yield f"# {name}"
        yield ""
        yield f"{self.title} {self.rows}"
        yield ""
        yield from column_lines(self.columns)
        yield ""
        yield "## How it was made"
        yield ""
        yield "| | |"
        yield "|---|---|"
        for topic, fact in self.made.items():
            yield f"| {topic} | {fact} |"
        yield f"| rum500 | {version('rum500')} |"
        yield f"| pyarrow, which wrote the file | {version('pyarrow')} |"
        for source, held in self.sources.items():
            yield f"| digest of {source} | `{held}` |"
        yield f"| SHA-256 of the file | `{sha256(data)}` |"
        yield ""
        yield "The same command and the same versions write the same bytes, with any number of workers:"
        yield ""
        yield "```text"
        yield self.repeat
        yield "```"
        yield ""
        yield f"Licence: {LICENCE}"
        for title, text in self.rules.items():
            yield ""
            yield f"## {title}"
            yield ""
            yield "```toml"
            yield text.rstrip("\n")
            yield "```"


def column_lines(columns: Iterable[Column]) -> Iterator[str]:
    """Yield the lines of the table that lists columns."""
    yield "| column | type | content |"
    yield "|---|---|---|"
    for column in columns:
        yield f"| `{column.name}` | {column.kind} | {column.meaning} |"


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def card_of(path: Path) -> Path:
    """Return the path of a file's data card."""
    return path.with_name(path.name + ".md")
