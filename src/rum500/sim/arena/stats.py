"""Estimates with their 95 % intervals, from clusters that each hold a deal's or a match's every seating.

Deals that were dealt from one shuffle are no independent evidence; clusters of them are. All intervals are
made from the spread between clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from statistics import NormalDist

LEVEL = 0.95
"""How sure intervals are."""
_T_SMALL = {1: 12.706, 2: 4.303, 3: 3.182}
"""Student's quantiles where the expansion is not good enough."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, its standard error and 95 % interval; the ends are infinite where nothing is known."""

    value: float
    error: float
    low: float
    high: float


def student(freedom: int, level: float = LEVEL) -> float:
    """How many standard errors a two-sided interval reaches, with so many degrees of freedom.

    Cornish and Fisher's expansion about the normal distribution; good to 0.5 % from four degrees up.

    >>> round(student(10), 2), round(student(100_000), 2)
    (2.23, 1.96)
    """
    if freedom < 1:
        return inf
    if level == LEVEL and freedom in _T_SMALL:
        return _T_SMALL[freedom]
    z, v = NormalDist().inv_cdf((1 + level) / 2), freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def per_item(totals: Sequence[float], counts: Sequence[float]) -> Estimate:
    """The mean of a figure an item, each cluster giving its total and its number of items.

    A ratio of sums: clusters of matches hold unlike numbers of deals, and a mean of their means would favour
    short matches.
    """
    clusters, items = len(totals), sum(counts)
    mean = sum(totals) / items
    if clusters < 2:
        return Estimate(mean, inf, -inf, inf)
    strays = sum((total - mean * count) ** 2 for total, count in zip(totals, counts, strict=True))
    error = sqrt(strays * clusters / (clusters - 1)) / items
    reach = student(clusters - 1) * error
    return Estimate(mean, error, mean - reach, mean + reach)


def share(won: Sequence[float], matches: Sequence[int]) -> Estimate:
    """A share between 0 and 1 and Wilson's interval, which keeps its promise near the ends too.

    The interval counts as many independent matches as would give the spread seen between clusters; where
    there is none to see, as many as there are clusters. Where none or all were won it ends at that share;
    one cluster tells nothing.
    """
    clusters, played = len(won), sum(matches)
    mean = sum(won) / played
    if clusters < 2:
        return Estimate(mean, inf, 0.0, 1.0)
    spread = per_item(won, matches).error
    fair = mean * (1 - mean)
    count = float(clusters)
    if spread > 0 and fair > 0:
        count = min(max(fair / spread**2, clusters), 2 * played)
    z = student(clusters - 1)
    centre = (mean + z * z / (2 * count)) / (1 + z * z / count)
    reach = z / (1 + z * z / count) * sqrt(fair / count + z * z / (4 * count * count))
    low = 0.0 if mean == 0 else centre - reach  # which is not quite nothing, as floats go
    high = 1.0 if mean == 1 else centre + reach
    return Estimate(mean, spread, low, high)


def elo(won: float, fair: float = 0.5) -> float:
    """The Elo difference at which this share of matches is expected; `fair` is the share of equals.

    >>> round(elo(0.75)), round(elo(0.5)), round(elo(0.25, fair=0.25))
    (191, 0, 0)
    """
    if not 0 < won < 1:
        return inf if won >= 1 else -inf
    return 400 * log10(won / (1 - won) * (1 - fair) / fair)


def expected(difference: float, fair: float = 0.5) -> float:
    """The share of matches that an Elo difference lets expect: `elo` turned round.

    >>> round(expected(191), 2)
    0.75
    """
    odds = 10 ** (difference / 400) * fair / (1 - fair)
    return odds / (1 + odds)


def elo_estimate(of: Estimate, matches: int, fair: float = 0.5) -> Estimate:
    """A share of matches as an Elo difference; all or none of them count as half a match less."""
    inside = min(max(of.value, 0.5 / (matches + 1)), 1 - 0.5 / (matches + 1))
    low, high = elo(of.low, fair), elo(of.high, fair)
    return Estimate(elo(inside, fair), inf, low, high)
