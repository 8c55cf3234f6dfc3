"""Helpers for public values and exceptions: checks of integers, conversion to plain data for JSON, and
pickling.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any, Self, SupportsIndex


def whole_number(what: str, number: SupportsIndex, least: int, most: int) -> int:
    """Return an integer of any integer type as `int`. `what` is its name in error messages.

    Raises `TypeError` for anything else, such as 2.0, and `ValueError` unless it is from `least` to `most`.
    """
    try:
        found = index(number)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {number!r}") from None
    if found < least:
        raise ValueError(f"{what} is {least} or more, not {found}")
    if found > most:
        raise ValueError(f"{what} is {most:,} at most, not {found}")
    return found


class Plain:
    """The base of values whose fields are plain data."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the value as plain data, which `json.dumps` takes; `from_dict` reads it."""
        from msgspec import to_builtins  # noqa: PLC0415 - cards load without it

        fields: dict[str, Any] = to_builtins(self, str_keys=True)
        return fields

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `to_dict`. Raises `ValueError` for anything else."""
        from msgspec import convert  # noqa: PLC0415

        return convert(data, cls, str_keys=True)


class PicklableError(Exception):
    """An exception that can be copied and pickled, whatever arguments its constructor takes.

    Python rebuilds an exception by calling its class with `args`, which fails if the constructor takes other
    arguments than the message. An exception that fails to load blocks a pool of processes.
    """

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.args), self.__dict__


def _rebuilt(kind: type[PicklableError], args: tuple[object, ...]) -> PicklableError:
    error = kind.__new__(kind)
    error.args = args
    return error
