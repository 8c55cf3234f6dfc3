"""The generalised sequential probability ratio test on clusters, as in Fishtest.

After every cluster (a pair of duplicate deals or matches, or all seatings of one shuffle), the test
compares two hypotheses about the mean, a lower and an upper one. For Elo, each hypothesis is represented by
the distribution of outcomes that fits the data best among those with its mean; for points, by a normal
distribution. The run ends when the log-likelihood ratio reaches a bound. The bounds follow from `alpha`,
the chance of accepting the upper hypothesis when the lower is true, and `beta`, the chance of the reverse.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import log

FEWEST = 16
"""The number of clusters before a verdict is possible; with fewer, the spread is too uncertain."""
ELO, POINTS, CHANCE = (0, 20), (0, 4), 0.05
"""The default hypotheses, in Elo and in points of a single deal, and the default chance of each error."""
_EXTRA = 1e-3
"""Added to the count of each outcome, so that no outcome has probability 0 (the number is Fishtest's)."""


@dataclass(frozen=True, slots=True)
class SprtBounds:
    """The two hypotheses, in `elo` or in `points` for each deal, and the chances of error."""

    measure: str
    lower: float
    upper: float
    alpha: float = CHANCE
    beta: float = CHANCE

    @property
    def accept_lower(self) -> float:
        """The log-likelihood ratio at which the lower hypothesis is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def accept_upper(self) -> float:
        """The log-likelihood ratio at which the upper hypothesis is accepted."""
        return log((1 - self.beta) / self.alpha)


@dataclass(slots=True)
class Sprt:
    """A test in progress; `lower` and `upper` are the two means, in the unit of the values added."""

    bounds: SprtBounds
    lower: float
    upper: float
    clusters: int = 0
    total: float = 0.0
    squares: float = 0.0
    counts: Counter[float] = field(default_factory=Counter)
    verdict: str | None = None

    def add(self, value: float) -> None:
        """Add a cluster's mean. After a verdict nothing changes."""
        if self.verdict is not None:
            return
        self.clusters += 1
        self.total += value
        self.squares += value * value
        if self.bounds.measure == "elo":
            self.counts[value] += 1
        if self.clusters >= FEWEST:
            ratio = self.ratio
            if ratio >= self.bounds.accept_upper:
                self.verdict = "upper"
            elif ratio <= self.bounds.accept_lower:
                self.verdict = "lower"

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio, so far, of the upper hypothesis to the lower one."""
        if self.clusters < 2:
            return 0.0
        if self.bounds.measure == "elo":
            return likelihood_ratio(self.counts, self.lower, self.upper)
        mean = self.total / self.clusters
        spread = (self.squares - self.clusters * mean * mean) / (self.clusters - 1)
        if spread <= 0:
            return 0.0
        return (self.upper - self.lower) * self.clusters * (mean - (self.lower + self.upper) / 2) / spread


def likelihood_ratio(counts: Counter[float], lower: float, upper: float) -> float:
    """Return the log-likelihood ratio of mean `upper` to mean `lower`, for counts of outcomes from 0 to 1.

    Under each mean, the probabilities of outcomes maximize the likelihood of the counts.
    """
    held = {value: float(count) for value, count in counts.items()}
    for value in (0.0, 0.5, 1.0):
        held[value] = held.get(value, 0.0) + _EXTRA
    return _against(held, lower) - _against(held, upper)


def _against(counts: dict[float, float], mean: float) -> float:
    """Return the log-likelihood ratio of the mean of the counts to `mean`."""
    theta = _tilt(counts, mean)
    return sum(count * log(1 + theta * (value - mean)) for value, count in counts.items())


def _tilt(counts: dict[float, float], mean: float) -> float:
    """Return the Lagrange multiplier of the maximum-likelihood distribution with this mean, by bisection."""
    low, high = -1 / (max(counts) - mean), 1 / (mean - min(counts))
    for _ in range(60):
        middle = (low + high) / 2
        if sum(n * (a - mean) / (1 + middle * (a - mean)) for a, n in counts.items()) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
