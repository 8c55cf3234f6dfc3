"""The driver of arenas: contests are distributed to workers, counted in order, stored, and stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from rum500.rules.ruleset import Ruleset
from rum500.sim.arena.arena_parquet import write_parquet
from rum500.sim.arena.clusters import ClusterBatch, Plan, play_clusters
from rum500.sim.arena.entrants import close_entrants, notes_on_all, seat_entrant
from rum500.sim.arena.run_file import Run, described
from rum500.sim.arena.sprt import SprtBounds
from rum500.sim.arena.tally import PairScore, Tally, as_data
from rum500.sim.deals import Entrant, SimulationError, entrant_name
from rum500.sim.results import Notes, atomic_file
from rum500.sim.worker_pool import in_order

UNITS = ("match", "deal")
PIECE_SECONDS = 0.4
"""The intended duration of a piece of work: long enough to be worth sending, short enough to lose little."""


@dataclass(frozen=True, slots=True)
class Arena:
    """The results of a run: a score for every two bots, in the order of the plan's contests.

    `notes` mark players that are not ordinary bots. `seconds` is the playing time of all workers.
    """

    plan: Plan
    scores: tuple[PairScore, ...]
    notes: Notes
    seconds: float

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots."""
        return tuple(entrant_name(bot) for bot in self.plan.bots)

    def score(self, a: int, b: int) -> PairScore:
        """Return the score of bot number `a` against bot number `b`, a < b."""
        return self.scores[self.plan.contests.index((a, b))]

    def matrix(self, of: Callable[[PairScore], float | None]) -> list[list[float | None]]:
        """Return a figure of every bot (row) against every later one (column); None in the lower half."""
        size = len(self.plan.bots)
        table: list[list[float | None]] = [[None] * size for _ in range(size)]
        for (a, b), score in zip(self.plan.contests, self.scores, strict=True):
            table[a][b] = of(score)
        return table

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON. With two bots, their score is also at the top level."""
        plan = described(self.plan)
        rules = self.plan.rules
        points = self.matrix(lambda score: score.points.value)
        won = self.matrix(lambda score: None if score.match_win is None else score.match_win.value)
        for a, b in self.plan.contests:
            above, share = points[a][b], won[a][b]
            points[b][a] = None if above is None else -above
            fair = self.score(a, b).fair
            won[b][a] = 1 - share if share is not None and fair == 0.5 else None
        told: dict[str, Any] = {
            "profile": rules.name,
            "house_rules": list(rules.house_rules),
            **{key: plan[key] for key in ("players", "bots", "seed", "unit", "seating")},
            "pairs_asked": plan["pairs"],
            **self.notes.as_dict(),
            "seconds": self.seconds,
        }
        if len(self.scores) == 1:
            told |= as_data(self.scores[0])
        told["contests"] = [as_data(score) for score in self.scores]
        told["matrix"] = {"points_a_deal": points, "match_win": won}
        return told


def arena(  # noqa: PLR0913 - every option is an argument
    rules: Ruleset,
    bots: Sequence[Entrant],
    pairs: int = 200,
    seed: int = 0,
    *,
    players: int | None = None,
    unit: str = "match",
    seating: str = "alternate",
    sprt: SprtBounds | None = None,
    workers: int = 1,
    run: Path | None = None,
    out: Path | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> Arena:
    """Play every two of these bots against each other with the same cards in exchanged seats.

    Each contest is `pairs` clusters: a match (`unit="match"`) or a deal, with the same shuffles in every
    seating. With `sprt` a contest ends as soon as the test has a verdict. The numbers are the same for any
    number of workers. `run` is the file from which a stopped run continues; `out` gets a row for each deal,
    as Parquet; `progress` gets the tally after each piece.

    Before the first deal, raises `SimulationError`, `RulesetError` or `UnknownBot` for an impossible run,
    `OSError` for a file that cannot be written, and `ModuleNotFoundError` if `out` is given and pyarrow is
    not installed. Later raises `SimulationError` if a bot fails.
    """
    players = rules.players[0] if players is None else players
    plan = Plan(rules, players, tuple(bots), pairs, seed, unit, seating, sprt)
    check(plan, workers)
    notes = notes_on_all(plan.bots)
    if out is not None:
        import_module("pyarrow.parquet")  # report a missing package before the first deal
    with atomic_file(out) as part:
        (tallies,), seconds = play([plan], workers=workers, run=run, progress=progress)
        if part is not None:
            write_parquet(part, plan, tallies)
    scores = tuple(tally.score() for tally in tallies)
    return Arena(plan, scores, notes, seconds)


def play(
    plans: Sequence[Plan],
    *,
    workers: int = 1,
    run: Path | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> tuple[list[list[Tally]], float]:
    """Play all contests of some plans, one after another. Return the tallies by plan, and the seconds played.

    Contests that `run` already contains are not played again.
    """
    tallies = [[Tally(plan, contest) for contest in range(len(plan.contests))] for plan in plans]
    seconds = 0.0
    with Run(run, plans) as kept:
        for piece in kept.pieces():
            tallies[piece.plan][piece.contest].add(piece)
            seconds += piece.seconds
        if progress is not None:
            for tally in chain.from_iterable(tallies):
                progress(tally)
        work = _Work(tallies)
        played = in_order(play_clusters, tuple(plans), work.pieces(), workers)
        try:
            for piece in played:
                tally = tallies[piece.plan][piece.contest]
                work.heed(piece)
                if tally.is_over:
                    continue
                seconds += piece.seconds
                kept.add(piece)
                tally.add(piece)
                if progress is not None:
                    progress(tally)
        finally:
            played.close()
            close_entrants()
    return tallies, seconds


def check(plan: Plan, workers: int = 1) -> None:
    """Raise an error for a plan that cannot be played, before the first deal."""
    if len(plan.bots) < 2:
        raise SimulationError("an arena takes two bots or more")
    for number, what in ((plan.pairs, "pairs"), (workers, "workers")):
        if number < 1:
            raise SimulationError(f"the number of {what} is 1 or more, not {number}")
    if plan.unit not in UNITS:
        raise SimulationError(f"there is no unit {plan.unit!r}; there are {' and '.join(UNITS)}")
    if plan.sprt is not None:
        _check_bounds(plan.sprt, plan.unit)
    assert plan.seatings
    for bot in plan.bots:
        seat_entrant(bot)


def _check_bounds(bounds: SprtBounds, unit: str) -> None:
    if not bounds.lower < bounds.upper:
        raise SimulationError(
            f"the test's lower bound is below its upper, not {bounds.lower:g} and {bounds.upper:g}"
        )
    for name, chance in (("alpha", bounds.alpha), ("beta", bounds.beta)):
        if not 0 < chance < 0.5:
            raise SimulationError(f"{name} is a chance between 0 and 0.5, not {chance:g}")
    if bounds.measure == "elo" and unit == "deal":
        raise SimulationError("Elo is counted in matches; bounds for deals alone are in points")


class _Work:
    """The division of the remaining work into pieces, by the pace of earlier pieces and the open contests."""

    def __init__(self, tallies: Sequence[Sequence[Tally]]) -> None:
        self.tallies = tallies
        self.pace: dict[tuple[int, int], float] = {}

    def heed(self, piece: ClusterBatch) -> None:
        """Record the time that a cluster takes."""
        self.pace[piece.plan, piece.contest] = piece.seconds / piece.count

    def pieces(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield plan, contest, first cluster and number of clusters of each piece, in order."""
        for plan, contests in enumerate(self.tallies):
            for contest, tally in enumerate(contests):
                upcoming = tally.done
                while upcoming < tally.plan.pairs and not tally.is_over:
                    count = min(self._size(plan, contest), tally.plan.pairs - upcoming)
                    yield plan, contest, upcoming, count
                    upcoming += count

    def _size(self, plan: int, contest: int) -> int:
        pace = self.pace.get((plan, contest))
        return 1 if pace is None else max(1, min(2000, int(PIECE_SECONDS / max(pace, 1e-6))))


def bounds(
    unit: str,
    *,
    elo: tuple[float | None, float | None] = (None, None),
    points: tuple[float | None, float | None] = (None, None),
    alpha: float | None = None,
    beta: float | None = None,
) -> SprtBounds:
    """Return the bounds of a sequential test.

    The default is 0 and 20 Elo, or 0 and 4 points for single deals, and chances of error of 0.05 each.
    """
    nothing = (None, None)
    if nothing not in (elo, points):
        raise SimulationError("a test is in Elo, of matches, or in points a deal, not in both")
    in_points = points != nothing or (unit == "deal" and elo == nothing)
    asked = points if in_points else elo
    lower, upper = (
        usual if given is None else given
        for given, usual in zip(asked, (0, 4 if in_points else 20), strict=True)
    )
    chances = (0.05 if chance is None else chance for chance in (alpha, beta))
    return SprtBounds("points" if in_points else "elo", float(lower), float(upper), *chances)


__all__ = ["UNITS", "Arena", "SprtBounds", "arena", "bounds", "check", "play"]
