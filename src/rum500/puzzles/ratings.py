"""Ratings of solvers and puzzles: who solves a puzzle has won against it, who does not has lost.

They follow a Bradley-Terry model with uncertainty (Weng and Lin, 2011, algorithm 1), on a scale like Elo's.
Unlike Elo a new solver's rating moves fast and then settles. docs/decisions/own-code.md explains why this is
not done by a library.
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
"""The largest number in a stored rating; none that was computed comes near it."""
PUZZLE_DEVIATION = 150.0
"""The deviation of a puzzle's first rating, which is only guessed from the levels that fail."""
NEAR = 12
"""The next puzzle is drawn from the puzzles nearest to the solver's rating; this is their number."""
_CHANCE = 200.0
"""The deviation of how well an attempt goes."""
_DRIFT = 8.0
"""The deviation that is added before each attempt, so that ratings never stop to move."""
_LEAST = 0.0001
"""The least factor by which one attempt makes a variance smaller."""


class Rating(msgspec.Struct, frozen=True):
    """The strength of a solver, or the difficulty of a puzzle."""

    mean: Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)] = MEAN
    """The estimate."""
    deviation: Annotated[float, msgspec.Meta(ge=0, le=MOST)] = DEVIATION
    """Its uncertainty, as a standard deviation."""


def first_rating(puzzle: Entry) -> Rating:
    """Return the rating of a puzzle that nobody has tried yet."""
    return Rating(puzzle.rating, PUZZLE_DEVIATION)


def rated(solver: Rating, puzzle: Rating, *, solved: bool) -> tuple[Rating, Rating]:
    """Return both ratings after an attempt.

    >>> solver, puzzle = rated(Rating(), Rating(1_600.0, 150.0), solved=True)
    >>> solver.mean > 1_500 and puzzle.mean < 1_600 and solver.deviation < 350
    True
    """
    return _after(solver, puzzle, won=solved), _after(puzzle, solver, won=not solved)


def _after(rating: Rating, other: Rating, *, won: bool) -> Rating:
    variance = rating.deviation**2 + _DRIFT**2
    total = variance + other.deviation**2 + _DRIFT**2 + 2 * _CHANCE**2
    expected = 1 / (1 + exp((other.mean - rating.mean) / sqrt(total)))
    mean = rating.mean + variance / sqrt(total) * (won - expected)
    smaller = 1 - (variance / total) ** 1.5 * expected * (1 - expected)
    return Rating(round(mean, 2), round(sqrt(variance * max(smaller, _LEAST)), 2))


def next_puzzle(puzzles: Iterable[Entry], tried: Set[str], rating: Rating, rng: Rng) -> Entry | None:
    """Return a puzzle that was not tried yet, near a solver's rating; None if there is none.

    One of `QUIET` is a quiet one, whatever the rating: they are easy, and a strong solver who never met one
    would know that the plain play is wrong.
    """
    left = [puzzle for puzzle in puzzles if puzzle.id not in tried]
    quiet = rng.below(QUIET) == 0
    left = [puzzle for puzzle in left if puzzle.quiet == quiet] or left
    left.sort(key=lambda puzzle: (abs(puzzle.rating - rating.mean), puzzle.id))
    return left[rng.below(min(NEAR, len(left)))] if left else None
