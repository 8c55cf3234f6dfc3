"""The kinds of values in the configuration: each kind checks values and describes which ones it accepts."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

BOT_PAUSE_MS, MAX_BOT_PAUSE_MS = 700, 10_000
"""The milliseconds that a bot waits before each play: default and maximum. Existing tables keep theirs."""
_ON = ("true", "yes", "on", "1")
_OFF = ("false", "no", "off", "0")
_SECONDS = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86_400,
    "month": 30 * 86_400,
    "year": 360 * 86_400,
}
_PASSWORD = re.compile(r"(^postgres(?:ql)?://[^:/@]*:).*(?=@)|((?<=[?&])password=)[^&]*")
_TOKEN = re.compile(r"(?:[!-~]{16,})?")
_RATE = re.compile(rf"(\d+)\s*(?:/|per)\s*([1-9]\d*)?\s*({'|'.join(_SECONDS)})s?")


class Kind(NamedTuple):
    """A kind of value of the configuration."""

    expected: str
    """The accepted values in words, which follow the word "expected" in messages."""
    read: Callable[[object], object]
    """The function that converts a text or a TOML value. Raises `ValueError` if it is invalid."""


def text(what: str, *, empty: bool = False) -> Kind:
    """Return the kind of printable texts; `what` describes them in messages, `empty` allows an empty text."""

    def read(given: object) -> str:
        if not isinstance(given, str) or not given.isprintable() or not (given.strip() or empty):
            raise ValueError(given)
        return given.strip()

    return Kind(what, read)


def integer(low: int, high: int) -> Kind:
    """Return the kind of a whole number from `low` to `high`, both included."""

    def read(given: object) -> int:
        number = int(given) if isinstance(given, str) and given.strip().isdecimal() else given
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            raise ValueError(given)
        return number

    return Kind(f"a whole number from {low} to {high}", read)


def one_of(*words: str) -> Kind:
    """Return the kind of one of these words; values are converted to lower case."""

    def read(given: object) -> str:
        word = _word(given)
        if word not in words:
            raise ValueError(given)
        return word

    return Kind(f"{', '.join(words[:-1])} or {words[-1]}", read)


def origins(*, single: bool = False) -> Kind:
    """Return the kind of a tuple of site addresses, in lower case; with `single` at most one.

    An address is a scheme, a host and optionally a port, without a path.
    """

    def read(given: object) -> tuple[str, ...]:
        found = tuple(one.rstrip("/").casefold() for one in _parts(given))
        for one in found:
            parts = urlsplit(one)
            if parts.scheme not in ("http", "https") or not parts.hostname or one != _origin_of(one):
                raise ValueError(one)
        if single and len(found) > 1:
            raise ValueError(given)
        return found

    one = "an address such as https://cards.example.org"
    return Kind(one if single else f"{one}, or several separated by commas", read)


_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")
_OWN_PATHS = {"api", "assets", "t", "ws"}


def site() -> Kind:
    """Return the kind of a tuple of at most one site address, which may have a path."""
    origin = origins(single=True)

    def read(given: object) -> tuple[str, ...]:
        if not (words := _parts(given)):
            return ()
        parts = urlsplit(words[0].rstrip("/"))
        origin.read([host := f"{parts.scheme}://{parts.netloc}".casefold(), *words[1:]])
        first = parts.path.partition("/")[2].partition("/")[0]
        if not _PATH.fullmatch(parts.path) or first in _OWN_PATHS or parts.query or parts.fragment:
            raise ValueError(given)
        return (host + parts.path,)

    return Kind("an address such as https://cards.example.org or https://example.org/cards", read)


def _token(given: object) -> str:
    if not isinstance(given, str) or not _TOKEN.fullmatch(given.strip()):
        raise ValueError(given)
    return given.strip()


def _switch(given: object) -> bool:
    word = str(given).casefold() if isinstance(given, bool) else _word(given)
    if word not in (*_ON, *_OFF):
        raise ValueError(given)
    return word in _ON


def _folder(given: object) -> Path:
    if not isinstance(given, str | Path) or not str(given).strip() or "\0" in str(given):
        raise ValueError(given)
    return Path(given).expanduser().absolute()


def _networks(given: object) -> tuple[str, ...]:
    found = _parts(given)
    for one in found:
        ipaddress.ip_network(one, strict=False)
    return found


def _hosts(given: object) -> tuple[str, ...]:
    found = tuple(one.casefold() for one in _parts(given))
    for one in found:
        if one != "*" and urlsplit(f"//{one}").netloc != urlsplit(f"//{one}").hostname:
            raise ValueError(one)
    return found


def _services(given: object) -> tuple[str, ...]:
    found = tuple(one.casefold() for one in _parts(given))
    for one in found:
        if one != "*":
            parts = urlsplit(f"//{one.removeprefix('*.')}")
            _ = parts.port  # raises ValueError for an invalid port
            if not parts.hostname or "*" in parts.netloc or parts.path or parts.username is not None:
                raise ValueError(one)
    return found


def _modules(given: object) -> tuple[str, ...]:
    found = _parts(given)
    for one in found:
        if not all(part.isidentifier() for part in one.split(".")):
            raise ValueError(one)
    return found


def _budget(given: object) -> str:
    from rum500.review.verdict import Budget  # noqa: PLC0415 - it loads the search, which few commands need

    return Budget.of(str(given)).name


def _rate(given: object) -> str:
    word = _word(given)
    if word in _OFF:
        return ""
    if not (found := _RATE.fullmatch(word)):
        raise ValueError(given)
    amount, multiple, unit = found.groups()
    return f"{int(amount)} per {int(multiple or 1)} {unit}"


def _database(given: object) -> str:
    if not isinstance(given, str) or not given.isprintable():
        raise ValueError(given)
    return given.strip()


def without_password(url: str) -> str:
    """Return a database's URL without its password.

    >>> without_password("postgresql://ann:secret@cards.example/rum500")
    'postgresql://ann:...@cards.example/rum500'
    """
    return _PASSWORD.sub(r"\1\2...", url)


TOKEN = Kind("at least 16 letters, digits or signs without spaces", _token)
SWITCH = Kind("true or false", _switch)
FOLDER = Kind("a folder", _folder)
DATABASE = Kind(
    "a URL such as sqlite:////srv/rum500/rum500.sqlite3 or postgresql://rum500@localhost/rum500", _database
)
NETWORKS = Kind("addresses or networks such as 127.0.0.1 or 10.0.0.0/8, separated by commas", _networks)
HOSTS = Kind("host names such as cards.local, separated by commas; * for any", _hosts)
SERVICES = Kind(
    "host names such as *.push.apple.com or push.local:8443, separated by commas; * for any", _services
)
MODULES = Kind("Python modules such as my_bots, separated by commas", _modules)
BUDGET = Kind("quick, usual, deep, or a number of worlds from 16", _budget)
RATE = Kind("a rate such as 30 per minute, or off", _rate)


def seconds_of(rate: str) -> tuple[int, int]:
    """Return the number of requests that a rate allows, and the period in seconds.

    >>> seconds_of("100 per 5 second"), seconds_of("3/minute")
    ((100, 5), (3, 60))
    """
    amount, _, multiple, unit = _rate(rate).split()
    return int(amount), int(multiple) * _SECONDS[unit]


def written(value: object) -> str:
    """Return a value in the syntax of TOML.

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
    escaped = str(value).translate(_ESCAPES)
    return f'"{escaped}"'


_ESCAPES: Mapping[int, str] = {ord('"'): '\\"', ord("\\"): "\\\\"}


def _word(given: object) -> str:
    return given.strip().casefold() if isinstance(given, str) else ""


def _parts(given: object) -> tuple[str, ...]:
    """Return the texts of a list, or of a text with commas. Raises `ValueError` for other values."""
    words = given.split(",") if isinstance(given, str) else given
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise ValueError(given)
    return tuple(word.strip() for word in words if word.strip())


def _origin_of(address: str) -> str:
    parts = urlsplit(address)
    _ = parts.port  # raises ValueError for an invalid port
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
