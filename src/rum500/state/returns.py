"""The value of a finished deal for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

ReturnKind = Literal["points", "margin", "zero_sum"]
"""What `State.returns` returns."""
RETURN_KINDS: tuple[str, ...] = get_args(ReturnKind)


def returns_of(points: Sequence[int], sides: int, kind: ReturnKind, *, is_over: bool) -> tuple[float, ...]:
    """Return the value of these points for each seat, as `State.returns` defines it; zeros unless the deal is
    over.
    """
    found = returns_of_all([points], sides, kind)[0]
    return found if is_over else (0.0,) * len(points)


def returns_of_all(deals: Iterable[Sequence[int]], sides: int, kind: ReturnKind) -> list[tuple[float, ...]]:
    """Return the values of finished deals of one game, each from its points by seat."""
    if kind not in RETURN_KINDS:
        raise ValueError(f"returns are {', '.join(RETURN_KINDS)}, not {kind!r}")
    if kind == "points":
        return [tuple(map(float, points)) for points in deals]
    found = []
    for points in deals:
        own = points
        if sides:
            own = [sum(points[seat % sides :: sides]) for seat in range(len(points))]
        accounts = sides or len(points)
        mean = sum(points) / accounts
        scale = accounts / (accounts - 1) if kind == "margin" else 1.0
        found.append(tuple([(worth - mean) * scale for worth in own]))
    return found
