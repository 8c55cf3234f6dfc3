"""Ratings of players, solvers and puzzles: a solver who solves a puzzle beats it, and one who fails loses.

Ratings follow a Bradley-Terry model with uncertainty (Weng and Lin, 2011, algorithm 1), on a scale like that
of Elo. Unlike with Elo, a new solver's rating moves fast and then settles. docs/decisions/own-code.md
explains why no library does this.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from math import exp, sqrt
from typing import Annotated

import msgspec

from rum500.puzzles.collection import Entry
from rum500.puzzles.mining import QUIET
from rum500.rng import Rng

MEAN, DEVIATION = 1_500.0, 350.0
"""The rating of a solver who has not yet solved or failed a puzzle."""
MOST = 100_000.0
"""The largest number in a stored rating, far beyond any computed one."""
PUZZLE_DEVIATION = 150.0
"""The deviation of a puzzle's initial rating, which is only estimated from the levels that fail."""
PROVISIONAL = 140.0
"""With a larger deviation than this, a rating is provisional: so is every first rating."""
NEAR = 12
"""The next puzzle is drawn from this many puzzles, those nearest to the solver's rating."""
CHANCE = 200.0
"""The deviation of a single attempt's performance."""
_DRIFT = 8.0
"""The deviation that is added before each attempt, so that ratings never stop moving."""
_LEAST = 0.0001
"""The smallest factor by which one attempt reduces a variance."""


class Rating(msgspec.Struct, frozen=True):
    """The strength of a solver, or the difficulty of a puzzle."""

    mean: Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)] = MEAN
    """The estimate."""
    deviation: Annotated[float, msgspec.Meta(ge=0, le=MOST)] = DEVIATION
    """The uncertainty of the rating, as a standard deviation."""

    @property
    def provisional(self) -> bool:
        """Whether the estimate is so uncertain that it says little."""
        return self.deviation > PROVISIONAL


def first_rating(puzzle: Entry) -> Rating:
    """Return the initial rating of a puzzle."""
    return Rating(puzzle.rating, PUZZLE_DEVIATION)


def rated(solver: Rating, puzzle: Rating, *, solved: bool) -> tuple[Rating, Rating]:
    """Return the new ratings of solver and puzzle after an attempt.

    >>> solver, puzzle = rated(Rating(), Rating(1_600.0, 150.0), solved=True)
    >>> solver.mean > 1_500 and puzzle.mean < 1_600 and solver.deviation < 350
    True
    """
    return after(solver, [(puzzle, solved)]), after(puzzle, [(solver, not solved)])


def after(rating: Rating, contests: Iterable[tuple[Rating, float]]) -> Rating:
    """Return a rating after one match, given each opponent's rating and the result: 1 won, 0 lost, 0.5 even.

    >>> after(Rating(), [(Rating(1_500.0, 0.0), 1), (Rating(1_500.0, 0.0), 0)]).mean
    1500.0
    """
    variance = rating.deviation**2 + _DRIFT**2
    gain = smaller = 0.0
    for other, won in contests:
        total = variance + other.deviation**2 + _DRIFT**2 + 2 * CHANCE**2
        expected = 1 / (1 + exp((other.mean - rating.mean) / sqrt(total)))
        gain += variance / sqrt(total) * (won - expected)
        smaller += (variance / total) ** 1.5 * expected * (1 - expected)
    factor = max(1 - smaller, _LEAST)
    return Rating(round(rating.mean + gain, 2), round(sqrt(variance * factor), 2))


def next_puzzle(puzzles: Iterable[Entry], tried: Set[str], rating: Rating, rng: Rng) -> Entry | None:
    """Return a puzzle that the solver has not tried, near the solver's rating; None if there is none.

    One in `QUIET` puzzles is quiet (its obvious play is right), whatever the rating: quiet puzzles are easy,
    and a strong solver who never met one would know that the obvious play is wrong.
    """
    left = [puzzle for puzzle in puzzles if puzzle.id not in tried]
    quiet = rng.below(QUIET) == 0
    left = [puzzle for puzzle in left if puzzle.quiet == quiet] or left
    left.sort(key=lambda puzzle: (abs(puzzle.rating - rating.mean), puzzle.id))
    return left[rng.below(min(NEAR, len(left)))] if left else None
