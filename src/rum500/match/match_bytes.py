"""A match as bytes: its parameters and its inputs, from which it is replayed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from rum500.match.decisions import CutAt, DrawAt, Input, PackOrder, Resign, Restock
from rum500.record import MOST_RECORD
from rum500.rules.actions import Call, Discard, Draw, EndDeal, LayOff, LetGo, Meld, Pass, Take
from rum500.rules.ruleset import Ruleset
from rum500.state.deal_bytes import MATCH, BytesError, seal, unseal

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
    """The decisions that the generator makes in addition to shuffling, sorted: `cut`, `draw`."""
    inputs: tuple[tuple[str, dict[str, Any]], ...]
    """The inputs, each as the name of its class and its fields."""


def packed(
    rules: Ruleset,
    names: tuple[str, ...],
    dealer: int | None,
    seed: int | None,
    auto: Iterable[str],
    inputs: Iterable[Input],
) -> bytes:
    """Return a match with these parameters as bytes."""
    entries = tuple((type(entry).__name__, msgspec.to_builtins(entry)) for entry in inputs)
    data = MatchData(names, dealer, seed, tuple(sorted(auto)), entries)
    return seal(MATCH, rules, msgspec.msgpack.encode(data))


def unpacked(rules: Ruleset, data: bytes) -> tuple[MatchData, list[Input]]:
    """Return the content of a match's bytes, and its inputs. Raises `BytesError`."""
    body = unseal(MATCH, rules, data, MOST_RECORD)
    try:
        saved = msgspec.msgpack.decode(body, type=MatchData)
        return saved, [_read(name, values) for name, values in saved.inputs]
    except ValueError as error:
        raise BytesError("bytes.invalid", f"these bytes are no match: {error}") from None


def _read(name: str, values: dict[str, Any]) -> Input:
    """Return the input of this class name and fields. Raises `ValueError` if there is no such input."""
    if name not in _BY_NAME:
        raise ValueError(f"{name!r} is not an input of a match")
    entry: Input = msgspec.convert(values, _BY_NAME[name])
    return entry
