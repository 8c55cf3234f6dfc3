"""Decisions in which nothing is hidden: the values of all plays with best play by both sides."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.ai.search import Search, SearchWorker
from rum500.bots.endings import is_solvable, solved_for
from rum500.review.case import Case


@dataclass(frozen=True, slots=True)
class ExactValues:
    """The values of the legal plays, by code."""

    values: dict[int, int]
    """The values that rank the plays: points, points and prize, or thousandths of the chance to win."""
    points: dict[int, int]
    """The margin in points."""
    points_per_unit: float
    """How many even-score points one unit of `values` is worth."""
    of_match: bool
    """Whether `values` are chances to win the match."""

    @property
    def ranked(self) -> list[int]:
        """The plays, the best first."""
        return sorted(self.values, key=lambda code: (-self.values[code], -self.points[code], code))


def exact_values(case: Case) -> ExactValues | None:
    """Return the values of all plays; None if cards are hidden or too many positions can follow."""
    if not is_solvable(case.view, case.seat):
        return None
    points = solved_for(case.seat, None)
    values, match = points, case.stakes.kind == "match"
    if case.stakes.kind != "points":
        task = Search(case.seat.worlds(), case.seat.core.actor, ())
        case.stakes.apply(task)
        if match:
            task.value_chance()
        values = solved_for(case.seat, SearchWorker(task, None))
    if points is None or values is None:
        return None
    return ExactValues(values, points, case.stakes.of_chance / case.unit if match else 1.0, match)
