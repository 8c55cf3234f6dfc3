"""Decisions in which nothing is hidden: the values of all plays with best play by both sides."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.ai.search import MEASURE_NAMES, Search, SearchWorker
from rum500.ai.worlds import Worlds
from rum500.bots.endings import end_of_best_line, is_solvable, solved_for
from rum500.review.case import Case
from rum500.review.loss_reasons import Measured


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
    if (judge := _judge(case)) is not None:
        values = solved_for(case.seat, judge)
    if points is None or values is None:
        return None
    return ExactValues(values, points, case.stakes.of_chance / case.unit if match else 1.0, match)


def exact_comparison(case: Case, played: int, best: int) -> Measured | None:
    """Compare the ends of the deal after two plays, with best play by both sides from there.

    The known deal counts as two worlds, because one world has no standard error. Of the events, only who goes
    out is counted. Returns None if too many positions can follow.
    """
    after_played, after_best = (_measures_of_end(case, code) for code in (played, best))
    if after_played is None or after_best is None:
        return None
    leads = [b - a for a, b in zip(after_played, after_best, strict=True)]
    value = leads[MEASURE_NAMES.index("value")]
    contrasts = tuple((value * (lead > 0), value * (lead < 0)) for lead in leads)
    world = Measured(after_played, after_best, tuple(lead * lead for lead in leads), 1, contrasts)
    return world + world


def _measures_of_end(case: Case, code: int) -> tuple[int, ...] | None:
    """Return the measures of the finished deal that follows a play; only those of its end are meaningful."""
    end = end_of_best_line(case.seat, code, _judge(case))
    if end is None:
        return None
    core, last = end
    task, breakdown, workers = case.search(Worlds(core, (), 0, (0,) * case.view.players), (last,))
    workers[0].run(0, 0, 1)
    task.add(workers[0])
    return tuple(total for total, _, _ in breakdown.measures(0))


def _judge(case: Case) -> SearchWorker | None:
    """Return the worker that values finished deals; None if only the points of this deal count."""
    if case.stakes.kind == "points":
        return None
    task = Search(case.seat.worlds(), case.seat.core.actor, ())
    case.stakes.apply(task)
    if case.stakes.kind == "match":
        task.value_chance()
    return SearchWorker(task, None)
