"""Runs simulations: many deals, divided into jobs whose results are counted in order."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import sqrt
from os import PathLike
from pathlib import Path
from typing import Any

from rum500.bots import Bot
from rum500.rules.profiles import ruleset_of
from rum500.rules.ruleset import Ruleset
from rum500.sim.deals import SimulationError, checked_workers, notes_on
from rum500.sim.estimates import Estimate, columns_of, mean_of, share_of
from rum500.sim.job_queue import play
from rum500.sim.jobs import WHOLE, DealBatch, RunTally, Shard, divided, in_turn, little_endian
from rum500.sim.moves import MOVE_WIDTH
from rum500.sim.output_files import atomic_file, check_distinct
from rum500.sim.parquet import DealFile, MoveFile
from rum500.sim.results import Notes, Result
from rum500.sim.run_file import RunFile, RunHead
from rum500.sim.shards import Shards
from rum500.sim.simulation_card import deal_card, metadata_of, move_card
from rum500.sim.simulation_plan import LEAD, SimulationJob, SimulationPlan, by_seat, seat_bots
from rum500.view import REASONS

COMMAND = "simulate"


@dataclass(frozen=True, slots=True, repr=False)
class Simulation(Result):
    """The results of many deals; tuples are by seat, or by position after the dealer."""

    rules: Ruleset
    """The rule set."""
    profile: str
    """The name of the rule set."""
    players: int
    """The number of players."""
    bots: tuple[str, ...]
    """The names of the bots."""
    seed: int
    """The seed."""
    dealer: int | None
    """The seat that dealt all deals; None if the deal passed around the table."""
    shard: str
    """The part that was played, such as `2/4`; `1/1` for all deals."""
    workers: int
    """The number of workers that played."""
    deals: int
    """The number of deals."""
    actions: int
    """The number of actions."""
    seconds: float
    """The largest playing time of a worker, in seconds."""
    checksum: str
    """A digest of every deal's length, end and points; it depends only on the parameters."""
    mean_points: tuple[float, ...]
    """The mean points of a deal."""
    sd_points: tuple[float, ...]
    """The standard deviation of the points of a deal."""
    mean_by_position: tuple[float, ...]
    """The mean points by position, from the seat on the dealer's left, which plays first, to the dealer."""
    sd_by_position: tuple[float, ...]
    """The standard deviation of the points by position."""
    went_out: tuple[float, ...]
    """The share of deals in which the seat went out."""
    ends: Mapping[str, int]
    """The number of deals for each reason for their end."""
    lengths: Mapping[str, float]
    """The number of actions in a deal: least, mean, median and most."""
    notes: Notes
    """The notes on bots, for example on those with a time limit."""

    @property
    def points(self) -> tuple[Estimate, ...]:
        """The mean points of a deal by seat, each with its 95 % interval."""
        return self._means(self.mean_points, self.sd_points)

    @property
    def points_by_position(self) -> tuple[Estimate, ...]:
        """The mean points of a deal by position, each with its 95 % interval."""
        return self._means(self.mean_by_position, self.sd_by_position)

    @property
    def out(self) -> tuple[Estimate, ...]:
        """The share of deals in which the seat went out, with its 95 % interval."""
        return tuple(share_of(share, self.deals) for share in self.went_out)

    @property
    def title(self) -> str:
        """One line: the game, the number of deals, the seed, and the mean points of each bot."""
        points = ", ".join(
            f"{bot} {points:.1f}" for bot, points in zip(self.bots, self.mean_points, strict=True)
        )
        return f"{self.profile}, {self.deals:,} deals, seed {self.seed}: points a deal {points}"

    def table(self) -> dict[str, list[Any]]:
        """Return the results by seat as columns; each mean has the ends of its 95 % interval."""
        return {
            "seat": list(range(self.players)),
            "bot": list(self.bots),
            **columns_of("points", self.points),
            **columns_of("out", self.out),
        }

    def _means(self, means: Sequence[float], deviations: Sequence[float]) -> tuple[Estimate, ...]:
        return tuple(
            mean_of(mean, deviation, self.deals) for mean, deviation in zip(means, deviations, strict=True)
        )

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON; intervals are two numbers, null where nothing is known."""
        data = asdict(self) | self.notes.as_dict()
        data["points_interval"] = [found.ends() for found in self.points]
        data["position_interval"] = [found.ends() for found in self.points_by_position]
        data["out_interval"] = [found.ends() for found in self.out]
        del data["notes"], data["rules"]
        return data


def simulate(  # noqa: PLR0913 - every option is an argument
    rules: Ruleset | str | PathLike[str],
    players: int,
    deals: int,
    seed: int = 0,
    bots: Sequence[str | Bot] = ("random",),
    workers: int = 1,
    *,
    dealer: int | None = None,
    executor: Executor | None = None,
    shard: Shard = WHOLE,
    run: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
    out: str | PathLike[str] | None = None,
    moves: str | PathLike[str] | None = None,
) -> Simulation:
    """Play `deals` deals between bots and return the totals.

    Each deal has its own seed, made from `seed` and its number, so the number of workers, the division into
    jobs and the order of their work do not affect the result. Seat i modulo players deals deal number i,
    unless `dealer` is the seat that deals all deals.

    With one worker, jobs run in this process; with several, in that many processes. With `executor` they run
    there, and `workers` is its number of workers. With several workers, the calling script needs the usual
    guard `if __name__ == "__main__"`. `shard` plays a part of the deals. `run` is the file from which a
    stopped run continues, and which `merge_files` reads; `out` gets one row for each deal and `moves` one row
    for each move, as Parquet, each with a data card beside it; `progress` is called with the number of deals
    done.

    Before the first deal, raises `SimulationError` or `RulesetError` for an impossible simulation,
    `TypeError` for a wrong type, `OSError` for a file that cannot be written, and `ModuleNotFoundError` if
    `out` or `moves` is given and pyarrow is not installed. Later raises `SimulationError` if a bot fails.
    """
    plan = SimulationPlan(
        ruleset_of(rules), players, deals, seed, by_seat(bots, players), dealer, moves is not None
    )
    notes = _check(plan, workers, shard)
    head = RunHead(COMMAND, [plan], notes, shard)
    check_distinct(run=run, out=out, moves=moves)
    with (
        RunFile(None if run is None else Path(run), head) as kept,
        _files(plan, out, moves, shard) as files,
    ):
        tally = _Tally(plan, files, shard)
        play(
            [tally],
            kept,
            None if progress is None else lambda tally: progress(tally.done),
            workers=workers,
            executor=executor,
        )
    return tally.summed_up(notes)


def jobs(
    rules: Ruleset | str | PathLike[str],
    players: int,
    deals: int,
    seed: int = 0,
    bots: Sequence[str | Bot] = ("random",),
    *,
    dealer: int | None = None,
    moves: bool = False,
    size: int = 1000,
) -> list[SimulationJob]:
    """Return the jobs of a simulation, of `size` deals each, for `run_job` and `merge`.

    With `moves` they store every move. Each job can be pickled and run anywhere, in any order. Raises
    `SimulationError` or `RulesetError` for an impossible simulation.
    """
    plan = SimulationPlan(ruleset_of(rules), players, deals, seed, by_seat(bots, players), dealer, moves)
    _check(plan)
    return divided(SimulationJob, plan, size)


def merge(
    batches: Iterable[DealBatch],
    out: str | PathLike[str] | None = None,
    moves: str | PathLike[str] | None = None,
) -> Simulation:
    """Return the totals of the results of all jobs of a simulation, given in any order.

    They equal the totals of one process. `out` gets one row for each deal, as Parquet, and `moves` one for
    each move. Raises `SimulationError` if results are missing, given twice, or of different simulations, or
    if `moves` is given but the jobs stored no moves.
    """
    ordered = list(in_turn(batches))
    plan: SimulationPlan = ordered[0].job.plan
    return _merged(plan, _notes(plan), ordered, out, moves)


def merge_files(
    paths: Sequence[str | PathLike[str]],
    out: str | PathLike[str] | None = None,
    moves: str | PathLike[str] | None = None,
) -> Simulation:
    """Return the totals of a simulation from the files of all its shards, which `simulate(run=…)` wrote.

    They equal the totals of one process. The bots are not needed. `out` gets one row for each deal, as
    Parquet, and `moves` one for each move. Raises `SimulationError` if a shard is missing, unfinished, given
    twice, or of another simulation, or if `moves` is given but the shards stored no moves, and `OSError` for
    a file that cannot be read or written.
    """
    shards = Shards(list(map(Path, paths)), COMMAND, SimulationPlan.from_described)
    plan = shards.plan
    batches = (batch for _, batch in shards.batches(lambda shard: [_Tally(plan, None, shard)]))
    return _merged(plan, shards.head.notes, batches, out, moves)


def _merged(
    plan: SimulationPlan,
    notes: Notes,
    batches: Iterable[DealBatch],
    out: str | PathLike[str] | None,
    moves: str | PathLike[str] | None,
) -> Simulation:
    if moves is not None and not plan.moves:
        raise SimulationError("these deals were played without keeping their moves; play them with moves")
    with _files(plan, out, moves, WHOLE) as files:
        tally = _Tally(plan, files)
        for batch in batches:
            tally.add(batch)
    return tally.summed_up(notes)


@dataclass(frozen=True, slots=True)
class _Files:
    deals: DealFile
    moves: MoveFile

    def add(self, deals: Sequence[int], rows: array[int], moves: array[int]) -> None:
        self.deals.add(deals, rows)
        self.moves.add(deals, rows, moves)


@contextmanager
def _files(
    plan: SimulationPlan,
    out: str | PathLike[str] | None,
    moves: str | PathLike[str] | None,
    shard: Shard,
) -> Iterator[_Files]:
    paths = [None if path is None else Path(path) for path in (out, moves)]
    with atomic_file(paths[0]) as deals_part, atomic_file(paths[1]) as moves_part:
        with (
            DealFile(deals_part, plan, metadata_of(plan)) as deals_out,
            MoveFile(moves_part, plan, metadata_of(plan)) as moves_out,
        ):
            yield _Files(deals_out, moves_out)
        for path, part, card in zip(paths, (deals_part, moves_part), (deal_card, move_card), strict=True):
            if path is not None and part is not None:
                card(plan, shard, path.name).write(part, path)


def _check(plan: SimulationPlan, workers: int = 1, shard: Shard = WHOLE) -> Notes:
    checked_workers(workers)
    shard.check(plan)
    return _notes(plan)


def _notes(plan: SimulationPlan) -> Notes:
    seated = seat_bots(plan.bots, plan.players)
    return Notes({name: notes_on(bot) for name, bot in zip(plan.names, seated, strict=True)})


class _Tally(RunTally[SimulationPlan]):
    JOB = SimulationJob

    def __init__(self, plan: SimulationPlan, files: _Files | None, shard: Shard = WHOLE) -> None:
        super().__init__(plan, shard)
        self.width = LEAD + plan.players
        self.files = files
        self.shard = shard
        self.actions = 0
        self.digest = hashlib.blake2b(digest_size=8)
        self.seconds: dict[str, float] = {}
        self.lengths: Counter[int] = Counter()
        self.reasons: Counter[int] = Counter()
        self.outs: Counter[int] = Counter()
        self.points = _Sums(plan.players)
        self.positions = _Sums(plan.players)

    def add(self, batch: DealBatch) -> None:
        """Add the next batch of results. Deals beyond the end of the simulation are left out."""
        width, rows = self.width, self.needed(batch, self.width)
        self.digest.update(little_endian(rows))
        self._add_points(rows)
        deals = range(self.upcoming, self.upcoming + len(rows) // width)
        self.done += len(deals)
        self.seconds[batch.worker] = self.seconds.get(batch.worker, 0.0) + batch.seconds
        self.actions += sum(rows[::width])
        self.lengths.update(rows[::width])
        self.reasons.update(rows[1::width])
        self.outs.update(rows[2::width])
        if self.files is not None:
            self.files.add(deals, rows, batch.moves[: MOVE_WIDTH * sum(rows[::width])])

    def _add_points(self, rows: array[int]) -> None:
        players = self.plan.players
        for number in range(players):  # deals whose numbers differ by `players` have the same dealer
            dealer = self.plan.dealer_of(self.upcoming + number)
            for seat in range(players):
                points = rows[self.width * number + LEAD + seat :: self.width * players]
                total, squares = sum(points), sum(x * x for x in points)
                self.points.add(seat, total, squares)
                self.positions.add((seat - dealer - 1) % players, total, squares)

    def summed_up(self, notes: Notes) -> Simulation:
        plan, deals = self.plan, self.done
        return Simulation(
            rules=plan.rules,
            profile=plan.rules.name,
            players=plan.players,
            bots=plan.names,
            seed=plan.seed,
            dealer=plan.dealer,
            shard=str(self.shard),
            workers=len(self.seconds),
            deals=deals,
            actions=self.actions,
            seconds=max(self.seconds.values()),
            checksum=self.digest.hexdigest(),
            mean_points=self.points.means(deals),
            sd_points=self.points.deviations(deals),
            mean_by_position=self.positions.means(deals),
            sd_by_position=self.positions.deviations(deals),
            went_out=tuple(self.outs[seat] / deals for seat in range(plan.players)),
            ends={name: self.reasons[code] for code, name in REASONS.items() if self.reasons[code]},
            lengths={
                "least": min(self.lengths),
                "mean": self.actions / deals,
                "median": _median(self.lengths, deals),
                "most": max(self.lengths),
            },
            notes=notes,
        )


class _Sums:
    def __init__(self, players: int) -> None:
        self.totals = [0] * players
        self.squares = [0] * players

    def add(self, place: int, total: int, squares: int) -> None:
        self.totals[place] += total
        self.squares[place] += squares

    def means(self, deals: int) -> tuple[float, ...]:
        return tuple(total / deals for total in self.totals)

    def deviations(self, deals: int) -> tuple[float, ...]:
        pairs = zip(self.squares, self.means(deals), strict=True)
        return tuple(sqrt(max(0.0, squares / deals - mean * mean)) for squares, mean in pairs)


def _median(counts: Counter[int], total: int) -> int:
    seen = 0
    for number in sorted(counts):
        seen += counts[number]
        if 2 * seen >= total:
            return number
    raise ValueError("nothing was counted")
