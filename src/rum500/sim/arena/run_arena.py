"""Runs arenas: contests are divided into jobs, whose results are counted in order and stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from rum500.rules.ruleset import Ruleset
from rum500.sim import job_queue
from rum500.sim.arena.arena_parquet import card_of_arena, write_parquet
from rum500.sim.arena.clusters import ArenaJob, Plan
from rum500.sim.arena.entrants import notes_on_all, seat_entrant
from rum500.sim.arena.score_and_verdict import PairScore, Tally, as_data
from rum500.sim.arena.sprt import CHANCE, ELO, POINTS, SprtBounds
from rum500.sim.deals import Entrant, SimulationError, checked_workers, entrant_name
from rum500.sim.estimates import columns_of
from rum500.sim.jobs import WHOLE, DealBatch, Shard, divided, in_turn
from rum500.sim.output_files import atomic_file, check_distinct
from rum500.sim.results import Notes, Result
from rum500.sim.run_file import RunFile, RunHead
from rum500.sim.shards import Shards

UNITS = ("match", "deal")
COMMAND = "arena"


@dataclass(frozen=True, slots=True, repr=False)
class Arena(Result):
    """The results of a run: a score for every two bots, in the order of the plan's contests.

    `notes` mark players that are not ordinary bots. `seconds` is the playing time of all workers. `shard` is
    the part of the run that was played.
    """

    plan: Plan
    scores: tuple[PairScore, ...]
    notes: Notes
    seconds: float
    shard: Shard = WHOLE

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots."""
        return tuple(entrant_name(bot) for bot in self.plan.bots)

    @property
    def title(self) -> str:
        """One line: the rules, the size of the run, and each lead in points a deal."""
        plan = self.plan
        leads = ", ".join(f"{one.a} {one.points.value:+.1f} {one.b}" for one in self.scores)
        size = f"{plan.pairs:,} pairs, by {plan.unit}, seed {plan.seed}"
        return f"{plan.rules.name}, {size}: points a deal {leads}"

    def table(self) -> dict[str, list[Any]]:
        """Return the figures by contest, each with the ends of its 95 % interval."""
        return {
            "a": [score.a for score in self.scores],
            "b": [score.b for score in self.scores],
            "pairs": [score.pairs for score in self.scores],
            **columns_of("points", (score.points for score in self.scores)),
            **columns_of("match_win", (score.match_win for score in self.scores)),
            **columns_of("elo", (score.elo for score in self.scores)),
        }

    def score(self, a: int, b: int) -> PairScore:
        """Return the score of bot number `a` against bot number `b`; a must be below b."""
        return self.scores[self.plan.contests.index((a, b))]

    def matrix(self, of: Callable[[PairScore], float | None]) -> list[list[float | None]]:
        """Return a square table: row a, column b has `of(score)` for the score of bot a against bot b.

        Cells with b ≤ a are None.
        """
        size = len(self.plan.bots)
        table: list[list[float | None]] = [[None] * size for _ in range(size)]
        for (a, b), score in zip(self.plan.contests, self.scores, strict=True):
            table[a][b] = of(score)
        return table

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON. With two bots, their score is also at the top level."""
        plan = self.plan.described()
        rules = self.plan.rules
        points = self.matrix(lambda score: score.points.value)
        won = self.matrix(lambda score: None if score.match_win is None else score.match_win.value)
        for a, b in self.plan.contests:
            above, share = points[a][b], won[a][b]
            points[b][a] = None if above is None else -above
            fair = self.score(a, b).fair
            won[b][a] = 1 - share if share is not None and fair == 0.5 else None
        data: dict[str, Any] = {
            "profile": rules.name,
            "house_rules": list(rules.house_rules),
            **{key: plan[key] for key in ("players", "bots", "seed", "unit", "seating")},
            "pairs_asked": plan["pairs"],
            "shard": str(self.shard),
            **self.notes.as_dict(),
            "seconds": self.seconds,
        }
        if len(self.scores) == 1:
            data |= as_data(self.scores[0])
        data["contests"] = [as_data(score) for score in self.scores]
        data["matrix"] = {"points_a_deal": points, "match_win": won}
        return data


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
    executor: Executor | None = None,
    shard: Shard = WHOLE,
    run: Path | None = None,
    out: Path | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> Arena:
    """Play every two of these bots against each other with the same cards in exchanged seats.

    Each contest has `pairs` clusters: a match (`unit="match"`) or a deal, with the same shuffles in every
    seating. With `sprt` a contest ends as soon as the test has a verdict. The numbers are the same for any
    number of workers. Jobs run in this process, in `workers` processes, or on `executor`, which then has
    `workers` workers. `shard` plays a part of each contest. `run` is the file from which a stopped run
    continues, and which `merge_files` reads; `out` gets a row for each deal, as Parquet; `progress` gets the
    tally after each batch.

    Before the first deal, raises `SimulationError`, `RulesetError` or `UnknownBot` for an impossible run,
    `OSError` for a file that cannot be written, and `ModuleNotFoundError` if `out` is given and pyarrow is
    not installed. Later raises `SimulationError` if a bot fails.
    """
    players = rules.players[0] if players is None else players
    plan = Plan(rules, players, tuple(bots), pairs, seed, unit, seating, sprt)
    check(plan, workers, shard)
    head = RunHead(COMMAND, [plan], notes_on_all(plan.bots), shard)
    check_distinct(run=run, out=out)
    with RunFile(run, head) as kept, _parquet_of(out, plan) as rows:
        (tallies,), seconds = play(head, kept, workers=workers, executor=executor, progress=progress)
        rows.extend(tallies)
    return _scored(head, tallies, seconds)


def jobs(plan: Plan, size: int = 10) -> list[ArenaJob]:
    """Return the jobs of all contests of a plan, of `size` clusters each, for `run_job` and `merge`.

    Each can be pickled and run anywhere, in any order. Raises `SimulationError` for an impossible plan, or
    for one with a sequential test, which has no fixed number of jobs.
    """
    if plan.sprt is not None:
        raise SimulationError(
            "a sequential test decides from results what is played, so it has no fixed jobs"
        )
    check(plan)
    return divided(ArenaJob, plan, size)


def merge(batches: Iterable[DealBatch], out: Path | None = None) -> Arena:
    """Return the scores from the results of all jobs of a plan, given in any order.

    They equal the scores of one process. `out` gets a row for each deal, as Parquet.
    Raises `SimulationError` if results are missing, given twice, or of different plans.
    """
    ordered = list(in_turn(batches))
    plan: Plan = ordered[0].job.plan
    numbered = ((batch.job.contest, batch) for batch in ordered)
    return _merged(RunHead(COMMAND, [plan], notes_on_all(plan.bots)), numbered, out)


def merge_files(paths: Sequence[Path], out: Path | None = None) -> Arena:
    """Return the scores from the files of all shards of a run, which `arena(run=…)` wrote.

    They equal the scores of one process. The bots are not needed. `out` gets a row for each deal.
    Raises `SimulationError` if a shard is missing, unfinished, given twice, or of another run, and `OSError`
    for a file that cannot be read or written.
    """
    shards = Shards(paths, COMMAND, Plan.from_described)
    head = replace(shards.head, plans=[shards.plan])
    return _merged(head, shards.batches(lambda shard: of_all(head, shard)), out)


def _merged(head: RunHead[Plan], batches: Iterable[tuple[int, DealBatch]], out: Path | None) -> Arena:
    with _parquet_of(out, head.plans[0]) as rows:
        (tallies,), seconds = counted(head, batches)
        rows.extend(tallies)
    return _scored(head, tallies, seconds)


@contextmanager
def _parquet_of(out: Path | None, plan: Plan) -> Iterator[list[Tally]]:
    """Yield a list for tallies; after the block, write their deals and a data card, if `out` is given."""
    tallies: list[Tally] = []
    if out is not None:
        import_module("pyarrow.parquet")  # report a missing package before the first deal
    with atomic_file(out) as part:
        yield tallies
        if out is not None and part is not None:
            write_parquet(part, plan, tallies)
            card_of_arena(plan).write(part, out)


def _scored(head: RunHead[Plan], tallies: Sequence[Tally], seconds: float) -> Arena:
    (plan,) = head.plans
    return Arena(plan, tuple(tally.score() for tally in tallies), head.notes, seconds, head.shard)


def of_all(head: RunHead[Plan], shard: Shard) -> list[Tally]:
    """Return the tallies of a shard, in order: one for each contest of each plan."""
    return [Tally(plan, number, shard) for plan in head.plans for number in range(len(plan.contests))]


def play(
    head: RunHead[Plan],
    kept: RunFile,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> tuple[list[list[Tally]], float]:
    """Play all contests of the plans in `head`. Return the tallies by plan, and the seconds played.

    Contests that `kept`, an open file, already contains are not played again.
    """
    tallies = of_all(head, head.shard)
    seconds = job_queue.play(tallies, kept, progress, workers=workers, executor=executor)
    return _by_plan(head, tallies), seconds


def counted(head: RunHead[Plan], batches: Iterable[tuple[int, DealBatch]]) -> tuple[list[list[Tally]], float]:
    """Count results; each comes with the number of its contest among the contests of all plans.

    Returns the same as `play`: the tallies by plan, and the seconds played.
    """
    tallies, seconds = of_all(head, WHOLE), 0.0
    for number, batch in batches:
        tallies[number].add(batch)
        seconds += batch.seconds
    return _by_plan(head, tallies), seconds


def _by_plan(head: RunHead[Plan], tallies: Sequence[Tally]) -> list[list[Tally]]:
    left = iter(tallies)
    return [list(islice(left, len(plan.contests))) for plan in head.plans]


def check(plan: Plan, workers: int = 1, shard: Shard = WHOLE) -> None:
    """Raise an error if a plan cannot be played, before its first deal."""
    if len(plan.bots) < 2:
        raise SimulationError("an arena takes two bots or more")
    checked_workers(workers)
    if plan.unit not in UNITS:
        raise SimulationError(f"there is no unit {plan.unit!r}; there are {' and '.join(UNITS)}")
    shard.check(plan)
    if plan.sprt is not None:
        _check_bounds(plan.sprt, plan.unit)
        if shard.of > 1:
            raise SimulationError(
                "a sequential test cannot be divided into shards: none of them knows when to stop"
            )
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


def bounds(
    unit: str,
    *,
    elo: tuple[float | None, float | None] = (None, None),
    points: tuple[float | None, float | None] = (None, None),
    alpha: float | None = None,
    beta: float | None = None,
) -> SprtBounds:
    """Return the bounds of a sequential test.

    The default is `ELO`, or `POINTS` for single deals, and `CHANCE` for each chance of error.
    """
    nothing = (None, None)
    if nothing not in (elo, points):
        raise SimulationError("a test is in Elo, of matches, or in points a deal, not in both")
    in_points = points != nothing or (unit == "deal" and elo == nothing)
    asked = points if in_points else elo
    lower, upper = (
        usual if given is None else given
        for given, usual in zip(asked, POINTS if in_points else ELO, strict=True)
    )
    chances = (CHANCE if chance is None else chance for chance in (alpha, beta))
    return SprtBounds("points" if in_points else "elo", float(lower), float(upper), *chances)
