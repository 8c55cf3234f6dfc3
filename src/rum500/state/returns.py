"""The value of a finished deal for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

ReturnKind = Literal["points", "margin", "zero_sum"]
"""What `State.returns` returns."""
RETURN_KINDS: tuple[str, ...] = get_args(ReturnKind)


def returns_of(points: Sequence[int], sides: int, kind: ReturnKind, *, is_over: bool) -> tuple[float, ...]:
    """Return the value of these points for each seat, as `State.returns` defines it; zeros unless the deal is
    over.
    """
    if kind not in RETURN_KINDS:
        raise ValueError(f"returns are {', '.join(RETURN_KINDS)}, not {kind!r}")
    if not is_over:
        return (0.0,) * len(points)
    if kind == "points":
        return tuple(map(float, points))
    sides = sides or len(points)
    own = [sum(points[seat % sides :: sides]) for seat in range(len(points))]
    mean = sum(points) / sides
    scale = sides / (sides - 1) if kind == "margin" else 1.0
    return tuple((worth - mean) * scale for worth in own)
