"""A match as bytes: its parameters and its inputs, from which it is replayed."""

from __future__ import annotations

from typing import Any

import msgspec

from rum500.match.decisions import CutAt, DrawAt, Input, PackOrder, Resign, Restock
from rum500.rules.actions import Call, Discard, Draw, EndDeal, LayOff, LetGo, Meld, Pass, Take

_KINDS = (
    DrawAt, PackOrder, CutAt, Restock, Resign, Draw, Take, Meld, LayOff, Discard, Call, LetGo, Pass, EndDeal,
)  # fmt: skip
_BY_NAME: dict[str, Any] = {kind.__name__: kind for kind in _KINDS}


class MatchData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a match in bytes."""

    names: tuple[str, ...]
    """The players' names, in the order of their first seats."""
    dealer: int | None
    """The first dealer, if it was set; else None."""
    seed: int | None
    """The state of the match's generator; None if it has none."""
    auto: tuple[str, ...]
    """The names of what the generator does, sorted: `cut`, `draw`."""
    inputs: tuple[tuple[str, dict[str, Any]], ...]
    """The inputs, each as the name of its class and its fields."""


def written(entry: Input) -> tuple[str, dict[str, Any]]:
    """Return an input as the name of its class and its fields."""
    return type(entry).__name__, msgspec.to_builtins(entry)


def read(name: str, values: dict[str, Any]) -> Input:
    """Return the input of this class name and fields. Raises `ValueError` if there is no such input."""
    if name not in _BY_NAME:
        raise ValueError(f"{name!r} is not an input of a match")
    entry: Input = msgspec.convert(values, _BY_NAME[name])
    return entry
