"""Confidence intervals of means."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from statistics import NormalDist

LEVEL = 0.95
"""The confidence level of intervals."""
Z = 1.96
"""The half-width of a 95 % interval for a mean of many observations, in standard errors."""
Z_OF_LOOKS = 2.24
"""The half-width of the interval of a loss, in standard errors. It is larger than `Z`, because the search
tests the loss after every round of worlds and may stop as soon as the loss is clear.
"""
_T_SMALL = {1: 12.706, 2: 4.303, 3: 3.182}
"""Quantiles of Student's distribution, by degrees of freedom, where the expansion below is inaccurate."""


def student(freedom: int, level: float = LEVEL) -> float:
    """Return the half-width of a two-sided confidence interval of a mean, in standard errors.

    `freedom`: the degrees of freedom. `level`: the confidence level, such as 0.95.

    Uses Cornish and Fisher's expansion about the normal distribution, accurate to 0.5 % from four degrees up.

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


def error_of_mean(values: Sequence[float]) -> float:
    """Return the standard error of the mean of independent values; infinite for fewer than two.

    >>> error_of_mean([1, 3])
    1.0
    """
    count = len(values)
    if count < 2:
        return inf
    mean = sum(values) / count
    return sqrt(sum((value - mean) ** 2 for value in values) / (count * (count - 1)))


def standard_error(total: int, squares: int, count: int) -> float:
    """Return the standard error of a mean of integers from their sum, the sum of squares and their number."""
    if count < 2:
        return inf
    return sqrt(max(0, count * squares - total * total) / (count * count * (count - 1)))
