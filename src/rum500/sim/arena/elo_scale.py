"""Elo: shares of matches as differences, and back."""

from __future__ import annotations

from math import inf, log10

from rum500.sim.estimates import Estimate


def elo(won: float, fair: float = 0.5) -> float:
    """Return the Elo difference for an expected share of matches; `fair` is the share between equals.

    >>> round(elo(0.75)), round(elo(0.5)), round(elo(0.25, fair=0.25))
    (191, 0, 0)
    """
    if not 0 < won < 1:
        return inf if won >= 1 else -inf
    return 400 * log10(won / (1 - won) * (1 - fair) / fair)


def expected(difference: float, fair: float = 0.5) -> float:
    """Return the expected share of matches for an Elo difference: the inverse of `elo`.

    >>> round(expected(191), 2)
    0.75
    """
    odds = 10 ** (difference / 400) * fair / (1 - fair)
    return odds / (1 + odds)


def elo_estimate(of: Estimate, matches: int, fair: float = 0.5) -> Estimate:
    """Return a share of matches as an Elo difference; all or none count as half a match less."""
    inside = min(max(of.value, 0.5 / (matches + 1)), 1 - 0.5 / (matches + 1))
    low, high = elo(of.low, fair), elo(of.high, fair)
    return Estimate(elo(inside, fair), inf, low, high)
