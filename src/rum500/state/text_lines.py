"""Text files of `key: value` lines, the basis of positions and records.

A file begins with its kind and version (`rum500 position 1`). `#` begins a comment, at the start of a line or
after a blank. A line that begins with `|` belongs to the block of the key above it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from rum500.rules.notation_tokens import CardReader
from rum500.rules.problems import Problem

_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_HEAD = re.compile(r"rum500\s+([a-z]+)\s+([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class KeyLine:
    """One line with its key and value."""

    key: tuple[str, ...]
    """The words of the key."""
    value: str
    """The value."""
    line: int
    """The number of the line, from 1."""
    column: int
    """The column of the key, from 1."""
    at: int
    """The column of the value, from 1."""

    @property
    def name(self) -> str:
        """The key as written."""
        return " ".join(self.key)

    def reader(self) -> CardReader:
        """Return a reader of the value's cards and words."""
        return CardReader(self.value, self.line, self.at)


def physical_lines(text: str) -> list[str]:
    """Return the lines of a text, which may have the line ends of any platform and a byte order mark."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def bare(line: str) -> str:
    """Return a line without its comment, and without the blanks before the comment."""
    quoted = False
    for i, char in enumerate(line):
        if char == '"' and (i == 0 or line[i - 1] != "\\"):
            quoted = not quoted
        elif char == "#" and not quoted and (i == 0 or line[i - 1].isspace()):
            return line[:i].rstrip()
    return line.rstrip()


def key_line(line: str, number: int) -> KeyLine | None:
    """Return a `key: value` line; None if it has no key."""
    key, colon, value = line.partition(":")
    words = tuple(key.split())
    if not colon or not words:
        return None
    column = 1 + len(key) - len(key.lstrip())
    return KeyLine(words, value.strip(), number, column, len(key) + 2 + len(value) - len(value.lstrip()))


def check_head(line: str, number: int, kind: str, version: int) -> Problem | None:
    """Return the problem of a file's first line; None if it is right."""
    found = _HEAD.fullmatch(line.strip().lower())
    if not found:
        said = f"found {line.strip()[:40]!r}, expected" if line.strip() else "expected"
        return Problem(f"{kind}.head", "", "", f"{said} 'rum500 {kind} {version}'", number, 1)
    if found[1] != kind:
        message = f"this is a {found[1]}, expected a {kind} ('rum500 {kind} {version}')"
        return Problem(f"{kind}.head", "", "", message, number, 1)
    if int(found[2]) != version:
        message = f"this is {kind} format {found[2]}, which this rum500 cannot read: it reads {version}"
        return Problem(f"{kind}.version", "", "", message, number, 1)
    return None


def unknown_key(kind: str, line: KeyLine, known: Iterable[str]) -> Problem:
    """Return the problem of an unknown key, with the nearest known one."""
    keys = list(known)
    near = difflib.get_close_matches(line.name.lower(), keys, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(keys)}"
    return Problem(f"{kind}.key", "", "", f"found key {line.name[:40]!r}; {hint}", line.line, line.column)


def whole_number(text: str) -> int | None:
    """Return the integer of at most nine digits in a text; None for any other text."""
    return int(text) if _NUMBER.fullmatch(text) else None


def problems_text(problems: Iterable[Problem]) -> str:
    """Return all problems in one line."""
    found = list(problems)
    if len(found) == 1:
        return str(found[0])
    return f"{len(found)} problems: " + "; ".join(f"({i}) {problem}" for i, problem in enumerate(found, 1))
