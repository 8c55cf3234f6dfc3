"""Estimates with 95 % intervals: from deals, or from clusters (all seatings of a deal or a match).

Deals with the same shuffle are not independent of each other, so they form a cluster; clusters are
independent. Intervals of clusters are based on the spread between clusters. Elo expresses shares of matches
as differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, log10, sqrt
from typing import Protocol

from rum500.intervals import Z, student


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, its standard error and its 95 % interval; the ends are infinite if nothing is known."""

    value: float
    """The value."""
    error: float
    """The standard error of the value."""
    low: float
    """The lower end of the interval."""
    high: float
    """The upper end."""

    def ends(self) -> list[float | None]:
        """Return both ends of the interval for JSON; None stands for an infinite end."""
        return [end if isfinite(end) else None for end in (self.low, self.high)]


class Interval(Protocol):
    """A value with its 95 % interval."""

    @property
    def value(self) -> float:
        """The value."""

    @property
    def low(self) -> float:
        """The lower end of the interval."""

    @property
    def high(self) -> float:
        """The upper end."""


def columns_of(name: str, figures: Iterable[Interval | None]) -> dict[str, list[float | None]]:
    """Return three columns of a table: `name` with the values, and both ends of their intervals."""
    rows = [(None, None, None) if one is None else (one.value, one.low, one.high) for one in figures]
    names = (name, f"{name}_low", f"{name}_high")
    return {column: [row[at] for row in rows] for at, column in enumerate(names)}


def mean_of(mean: float, deviation: float, count: int) -> Estimate:
    """Return the estimate of a mean of `count` independent values with this standard deviation of the values.

    >>> round(mean_of(10.0, 2.0, 101).error, 2)
    0.2
    """
    error = deviation / sqrt(count - 1) if count > 1 else inf
    reach = student(count - 1) * error
    return Estimate(mean, error, mean - reach, mean + reach)


def share_of(mean: float, count: float, z: float = Z) -> Estimate:
    """Return the estimate of a share; `mean` is the share in `count` independent cases.

    The interval is Wilson's, valid near 0 and 1 too. If the share is 0 or 1, the interval ends there.
    """
    fair = mean * (1 - mean)
    centre = (mean + z * z / (2 * count)) / (1 + z * z / count)
    reach = z / (1 + z * z / count) * sqrt(fair / count + z * z / (4 * count * count))
    low = 0.0 if mean == 0 else centre - reach  # exactly 0, not only nearly
    high = 1.0 if mean == 1 else centre + reach
    return Estimate(mean, sqrt(fair / count), low, high)


def per_item(totals: Sequence[float], counts: Sequence[float]) -> Estimate:
    """Return the mean for each item, such as a deal, from each cluster's total and number of items.

    This is a ratio of sums. Clusters of matches contain different numbers of deals, so a mean of their means
    would give short matches too much weight.
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
    """Return the estimate of a share of matches, from each cluster's wins and number of matches.

    The interval is Wilson's. Its number of cases is that of independent matches with the same spread as the
    clusters, or the number of clusters if they do not differ. One cluster alone gives no information.
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
    return replace(share_of(mean, count, student(clusters - 1)), error=spread)


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
    """Return the Elo difference for a share of matches; a share of 0 or 1 is first moved by half a match."""
    inside = min(max(of.value, 0.5 / (matches + 1)), 1 - 0.5 / (matches + 1))
    low, high = elo(of.low, fair), elo(of.high, fair)
    return Estimate(elo(inside, fair), inf, low, high)
