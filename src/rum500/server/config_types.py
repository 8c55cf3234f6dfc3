"""The kinds of values that the configuration holds: each reads what it is given, or says what it expects."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from limits import parse

_ON = ("true", "yes", "on", "1")
_OFF = ("false", "no", "off", "0")


class Kind(Protocol):
    """What a value of the configuration may be."""

    @property
    def expected(self) -> str:
        """What is expected, to be said after "expected"."""
        ...

    def read(self, given: object) -> object:
        """The value in what was given, a word from outside or what TOML holds; `ValueError`."""
        ...


@dataclass(frozen=True, slots=True)
class String:
    """Any text; an empty one only where that is said."""

    what: str
    empty: bool = False

    @property
    def expected(self) -> str:
        """What it is."""
        return self.what

    def read(self, given: object) -> str:
        """The text, without spaces around it."""
        if not isinstance(given, str) or not given.isprintable() or not (given.strip() or self.empty):
            raise ValueError(given)
        return given.strip()


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    @property
    def expected(self) -> str:
        """The range."""
        return f"a whole number from {self.low} to {self.high}"

    def read(self, given: object) -> int:
        """The number."""
        if isinstance(given, str) and given.strip().isdecimal():
            given = int(given)
        if not isinstance(given, int) or isinstance(given, bool) or not self.low <= given <= self.high:
            raise ValueError(given)
        return given


@dataclass(frozen=True, slots=True)
class Boolean:
    """On or off."""

    expected: str = "true or false"

    def read(self, given: object) -> bool:
        """True for on."""
        word = str(given).strip().casefold() if isinstance(given, bool | str) else ""
        if word not in (*_ON, *_OFF):
            raise ValueError(given)
        return word in _ON


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        """The words."""
        return f"{', '.join(self.words[:-1])} or {self.words[-1]}"

    def read(self, given: object) -> str:
        """The word, in lower case."""
        word = given.strip().casefold() if isinstance(given, str) else ""
        if word not in self.words:
            raise ValueError(given)
        return word


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder; `~` is one's home."""

    expected: str = "a folder"

    def read(self, given: object) -> Path:
        """The folder's absolute path."""
        if not isinstance(given, str | Path) or not str(given).strip() or "\0" in str(given):
            raise ValueError(given)
        return Path(given).expanduser().absolute()


@dataclass(frozen=True, slots=True)
class Networks:
    """Addresses and networks."""

    expected: str = "addresses or networks such as 127.0.0.1 or 10.0.0.0/8, separated by commas"

    def read(self, given: object) -> tuple[str, ...]:
        """Each as it is written; `ValueError` for one that is none."""
        found = _parts(given)
        for one in found:
            ipaddress.ip_network(one, strict=False)
        return found


@dataclass(frozen=True, slots=True)
class Origins:
    """Addresses of sites: scheme, host, perhaps a port, no path; `single`: at most one."""

    single: bool = False

    @property
    def expected(self) -> str:
        """What one looks like."""
        one = "an address such as https://cards.example.org"
        return one if self.single else f"{one}, or several separated by commas"

    def read(self, given: object) -> tuple[str, ...]:
        """The addresses, in lower case and without a slash at the end."""
        found = tuple(one.rstrip("/").casefold() for one in _parts(given))
        for one in found:
            parts = urlsplit(one)
            if parts.scheme not in ("http", "https") or not parts.hostname or one != _origin_of(one):
                raise ValueError(one)
        if self.single and len(found) > 1:
            raise ValueError(given)
        return found


@dataclass(frozen=True, slots=True)
class Modules:
    """Names of Python modules."""

    expected: str = "Python modules such as my_bots, separated by commas"

    def read(self, given: object) -> tuple[str, ...]:
        """Each by its name; `ValueError` for one that can be none."""
        found = _parts(given)
        for one in found:
            if not all(part.isidentifier() for part in one.split(".")):
                raise ValueError(one)
        return found


@dataclass(frozen=True, slots=True)
class Rate:
    """So many in a time, or `off`."""

    expected: str = "a rate such as 30 per minute, or off"

    def read(self, given: object) -> str:
        """The rate in its usual wording; empty for none."""
        word = given.strip().casefold() if isinstance(given, str) else ""
        return "" if word in _OFF else str(parse(word))


def written(value: object) -> str:
    """A value as TOML writes it.

    >>> written(("10.0.0.0/8",))
    '["10.0.0.0/8"]'
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case tuple():
            return f"[{', '.join(written(one) for one in value)}]"
    told = str(value).translate(_ESCAPES)
    return f'"{told}"'


_ESCAPES: Mapping[int, str] = {ord('"'): '\\"', ord("\\"): "\\\\"}


def _parts(given: object) -> tuple[str, ...]:
    """A list, or a text with commas."""
    words = given.split(",") if isinstance(given, str) else given
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise ValueError(given)
    return tuple(word.strip() for word in words if word.strip())


def _origin_of(address: str) -> str:
    parts = urlsplit(address)
    _ = parts.port  # a ValueError for one that cannot be
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
