"""The driver: deals shared out to workers, their results put back in order and summed up."""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from rum500.bots import Bot
from rum500.bots.policy_bots import Random
from rum500.rules.ruleset import Ruleset
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
    """What many deals brought; tuples are by seat.

    `workers` were asked for, `workers_used` had something to do: a few deals are not shared out. `seconds`
    is the time spent playing, in the worker that played longest. `checksum` is a digest of every
    deal's length, end and points, in order: rules, players, seed, bots and number of deals decide it.
    `ends` counts the ways deals ended, `went_out` is the share of deals each seat went out in, `lengths`
    the number of actions of a deal: least, mean, median and most. `notes` say who thinks against the clock.
    """

    profile: str
    players: int
    bots: tuple[str, ...]
    seed: int
    workers: int
    workers_used: int
    deals: int
    actions: int
    seconds: float
    checksum: str
    mean_points: tuple[float, ...]
    sd_points: tuple[float, ...]
    went_out: tuple[float, ...]
    ends: Mapping[str, int]
    lengths: Mapping[str, float]
    notes: Notes

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        told = asdict(self) | self.notes.as_dict()
        del told["notes"]
        return told


def seat_bots(names: Sequence[str | Bot], players: int) -> tuple[Bot, ...]:
    """A bot for each seat; fewer than there are seats are repeated in turn.

    A name is whatever `rum500.external_bots.open_bot` takes; a level that is given no seconds thinks in
    worlds alone. `SimulationError` for none or too many, or one that cannot be had.
    """
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
    out: Path | None = None,
) -> Simulation:
    """Play `deals` deals between bots and sum them up.

    Each deal has a seed of its own, made of `seed` and its number, so that neither the number of workers
    nor the order of their work changes anything. The deal passes round the table. `progress` is called
    with the number of deals done; `out` gets one row a deal, as Parquet. With several workers the calling
    script needs the usual `if __name__ == "__main__"`. `SimulationError` or `RulesetError` for what cannot
    be played, `OSError` if `out` cannot be written, all before the first deal; `SimulationError`
    for a bot that fails too.
    """
    rules.check_players(players)
    for number, what in ((deals, "deals"), (workers, "workers")):
        if number < 1:
            raise SimulationError(f"the number of {what} is 1 or more, not {number}")
    job = SimulationJob(rules, players, seed, seat_bots(bots, players))
    stretches = list(_stretches(job, deals))
    used = min(workers, len(stretches))
    names = tuple(entrant_name(bots[seat % len(bots)]) for seat in range(players))
    tally = _Tally(job)
    with atomic_file(out) as part, ParquetOut(part, job, names) as rows_out:
        for stretch in in_order(play_stretch, job, stretches, used):
            tally.add(stretch)
            rows_out.add(stretch)
            if progress is not None:
                progress(tally.deals)
    return tally.summed_up(names, workers, used)


def _stretches(job: SimulationJob, deals: int) -> Iterator[tuple[int, int]]:
    """First deal and number of deals for each piece of work."""
    step = 5000 if all(type(bot) is Random for bot in job.bots) else 25
    for first in range(0, deals, step):
        yield first, min(step, deals - first)


class _Tally:
    """Sums over the deals so far."""

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
        """Count a stretch in; stretches come in order."""
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
    """The lower median of counted numbers."""
    seen = 0
    for number in sorted(counts):
        seen += counts[number]
        if 2 * seen >= total:
            return number
    raise ValueError("nothing was counted")
