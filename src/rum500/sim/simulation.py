"""The driver of simulations: deals are distributed to workers, and results are added up in order."""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any

from rum500.bots import Bot
from rum500.bots.policy_bots import Random
from rum500.rules.ruleset import Ruleset, check_ruleset
from rum500.sim.deal_parquet import ParquetOut
from rum500.sim.deals import (
    LEAD,
    DealBatch,
    SimulationError,
    SimulationJob,
    entrant_name,
    notes_on,
    play_stretch,
    seat_bot,
)
from rum500.sim.results import Notes, atomic_file
from rum500.sim.worker_pool import in_order
from rum500.view import REASONS


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of many deals; tuples are by seat."""

    profile: str
    """The name of the rule set."""
    players: int
    """The number of players."""
    bots: tuple[str, ...]
    """The names of the bots."""
    seed: int
    """The seed."""
    workers: int
    """The requested number of workers."""
    workers_used: int
    """The number of workers with something to do."""
    deals: int
    """The number of deals."""
    actions: int
    """The number of actions."""
    seconds: float
    """The playing time of the worker that played longest, in seconds."""
    checksum: str
    """A digest of every deal's length, end and points; it depends on the parameters only."""
    mean_points: tuple[float, ...]
    """The mean points of a deal."""
    sd_points: tuple[float, ...]
    """Their standard deviation."""
    went_out: tuple[float, ...]
    """The share of deals in which the seat went out."""
    ends: Mapping[str, int]
    """The number of deals by reason for their end."""
    lengths: Mapping[str, float]
    """The number of actions of a deal: least, mean, median and most."""
    notes: Notes
    """The bots that have a time limit."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        told = asdict(self) | self.notes.as_dict()
        del told["notes"]
        return told


def seat_bots(names: Sequence[str | Bot], players: int) -> tuple[Bot, ...]:
    """Return a bot for each seat; fewer bots than seats are repeated in turn.

    A name is one that `rum500.external_bots.open_bot` accepts, without a default time limit. Raises
    `SimulationError` for no or too many names, or an unknown one, and `TypeError` for what is no bot.
    """
    if isinstance(names, str):
        raise TypeError(f"bots are a list of names or bots, such as [{names!r}], not {names!r}")
    for name in names:
        if not isinstance(name, str) and not callable(getattr(name, "choose", None)):
            raise TypeError(f"a bot is a name, or has a name and a choose(view, rng), and {name!r} is none")
    if not names:
        raise SimulationError("no bot is named")
    if len(names) > players:
        raise SimulationError(f"{len(names)} bots are named for {players} players")
    made = [seat_bot(name) if isinstance(name, str) else name for name in names]
    return tuple(made[seat % len(made)] for seat in range(players))


def simulate(
    rules: Ruleset,
    players: int,
    deals: int,
    seed: int = 0,
    bots: Sequence[str | Bot] = ("random",),
    workers: int = 1,
    *,
    progress: Callable[[int], None] | None = None,
    out: str | PathLike[str] | None = None,
) -> Simulation:
    """Play `deals` deals between bots and return the totals.

    Each deal has its own seed, made from `seed` and its number, so the number of workers and the order of
    their work do not affect the result. The dealer moves around the table. `progress` is called with the
    number of deals done; `out` gets one row for each deal, as Parquet. With several workers the calling
    script needs the usual `if __name__ == "__main__"`. Before the first deal, raises `SimulationError` or
    `RulesetError` for an impossible simulation, `TypeError` for a wrong type, and `OSError` if `out` cannot
    be written; `SimulationError` later if a bot fails.
    """
    check_ruleset(rules)
    rules.check_players(players)
    for number, what in ((deals, "deals"), (workers, "workers")):
        if index(number) < 1:
            raise SimulationError(f"the number of {what} is 1 or more, not {number}")
    job = SimulationJob(rules, players, seed, seat_bots(bots, players))
    stretches = list(_stretches(job, deals))
    used = min(workers, len(stretches))
    names = tuple(entrant_name(bots[seat % len(bots)]) for seat in range(players))
    tally = _Tally(job)
    with atomic_file(None if out is None else Path(out)) as part, ParquetOut(part, job, names) as rows_out:
        for stretch in in_order(play_stretch, job, stretches, used):
            tally.add(stretch)
            rows_out.add(stretch)
            if progress is not None:
                progress(tally.deals)
    return tally.summed_up(names, workers, used)


def _stretches(job: SimulationJob, deals: int) -> Iterator[tuple[int, int]]:
    """Yield the first deal and the number of deals of each piece of work."""
    step = 5000 if all(type(bot) is Random for bot in job.bots) else 25
    for first in range(0, deals, step):
        yield first, min(step, deals - first)


class _Tally:
    """The sums over the deals so far."""

    def __init__(self, job: SimulationJob) -> None:
        self.job = job
        self.deals = self.actions = 0
        self.width = LEAD + job.players
        self.digest = hashlib.blake2b(digest_size=8)
        self.seconds: dict[int, float] = {}
        self.lengths: Counter[int] = Counter()
        self.reasons: Counter[int] = Counter()
        self.outs: Counter[int] = Counter()
        self.points = [0] * job.players
        self.squares = [0] * job.players

    def add(self, stretch: DealBatch) -> None:
        """Add a batch; batches come in order."""
        rows, width = stretch.rows, self.width
        self.digest.update(_little_endian(rows))
        self.deals += len(rows) // width
        self.seconds[stretch.worker] = self.seconds.get(stretch.worker, 0.0) + stretch.seconds
        self.actions += sum(rows[::width])
        self.lengths.update(rows[::width])
        self.reasons.update(rows[1::width])
        self.outs.update(rows[2::width])
        for seat in range(self.job.players):
            points = rows[LEAD + seat :: width]
            self.points[seat] += sum(points)
            self.squares[seat] += sum(x * x for x in points)

    def summed_up(self, names: tuple[str, ...], workers: int, used: int) -> Simulation:
        job, deals = self.job, self.deals
        means = [total / deals for total in self.points]
        spreads = [max(0.0, sq / deals - mean * mean) for sq, mean in zip(self.squares, means, strict=True)]
        return Simulation(
            profile=job.rules.name,
            players=job.players,
            bots=names,
            seed=job.seed,
            workers=workers,
            workers_used=used,
            deals=deals,
            actions=self.actions,
            seconds=max(self.seconds.values()),
            checksum=self.digest.hexdigest(),
            mean_points=tuple(means),
            sd_points=tuple(map(sqrt, spreads)),
            went_out=tuple(self.outs[seat] / deals for seat in range(job.players)),
            ends={name: self.reasons[code] for code, name in REASONS.items() if self.reasons[code]},
            lengths={
                "least": min(self.lengths),
                "mean": self.actions / deals,
                "median": _median(self.lengths, deals),
                "most": max(self.lengths),
            },
            notes=Notes({name: notes_on(bot) for name, bot in zip(names, job.bots, strict=True)}),
        )


def _little_endian(rows: array[int]) -> bytes:
    if sys.byteorder == "big":
        rows = rows[:]
        rows.byteswap()
    return rows.tobytes()


def _median(counts: Counter[int], total: int) -> int:
    """Return the lower median of counted numbers."""
    seen = 0
    for number in sorted(counts):
        seen += counts[number]
        if 2 * seen >= total:
            return number
    raise ValueError("nothing was counted")
