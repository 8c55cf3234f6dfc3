"""The plan of a corpus, and its jobs: deals of a simulation in which each deal draws its own bots."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

from rum500.rng import Rng
from rum500.sim.deals import Entrant
from rum500.sim.jobs import Job, PlayedDeals
from rum500.sim.moves import MoveRecorder
from rum500.sim.simulation_plan import SimulationPlan, play_rows

MIX: Mapping[str, int] = MappingProxyType(
    {"random": 4, "greedy": 8, "level2": 8, "level3": 8, "casual": 26, "club": 44, "strong:worlds=8": 2}
)
"""The bots of a corpus if none are named, each with its share of the seats in percent.

Few search, so that a hundred thousand deals take minutes.
"""
TEST_EVERY = 10
"""Of this many deals in a row, the last belongs to the split `test`, the others to `train`."""
_SEATS = 0x5EA7
"""A constant that separates the stream that draws the bots from that of shuffles."""


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """Everything that determines a corpus.

    `simulation` has the game, the deals and the seed; its bots are drawn for each seat of each deal, with
    chances in proportion to `shares`. A deal does not depend on the number of deals.
    """

    ITEMS: ClassVar[str] = "deals"
    SIZES: ClassVar[frozenset[str]] = frozenset({"deals"})

    simulation: SimulationPlan
    shares: tuple[int, ...]

    @property
    def bots(self) -> tuple[Entrant, ...]:
        """The bots that are drawn from."""
        return self.simulation.bots

    @property
    def contests(self) -> tuple[tuple[int, ...], ...]:
        """The only contest, between all bots."""
        return (tuple(range(len(self.bots))),)

    @property
    def total(self) -> int:
        """The number of deals."""
        return self.simulation.deals

    def described(self) -> dict[str, Any]:
        """Return the plan as plain data, which can be compared."""
        return self.simulation.described() | {"shares": list(self.shares)}

    def holds(self, played: PlayedDeals, items: range) -> bool:
        """Return whether `played` has a valid row for each of these deals, and valid moves."""
        return self.simulation.holds(played, items)

    def sources(self, bots: Iterable[Entrant]) -> dict[str, str]:
        """Return digests of the code that affects play, by name: `rum500 itself`, and each external bot."""
        return self.simulation.sources(bots)

    def seated(self, number: int) -> tuple[str, ...]:
        """Return the names of the bots of deal number `number`, by seat."""
        chance, total = Rng(self.simulation.seed).spawn(number, _SEATS), sum(self.shares)
        return tuple(self._drawn(chance.below(total)) for _ in range(self.simulation.players))

    def _drawn(self, at: int) -> str:
        for name, share in zip(self.simulation.names, self.shares, strict=True):
            if at < share:
                return name
            at -= share
        raise ValueError("the number is above the sum of the shares")


@dataclass(frozen=True, slots=True)
class CorpusJob(Job[CorpusPlan]):
    """A job that plays some deals of a corpus.

    Deal number N is deal number N of `simulate` with the same seed and the bots of the deal.
    """

    def play(self) -> PlayedDeals:
        """Return the rows of the deals, as of a simulation, and their moves."""
        plan = self.plan.simulation
        rows, moves = array("i"), MoveRecorder(plan.rules, plan.players)
        for number in range(self.first, self.first + self.count):
            rows += play_rows(replace(plan, bots=self.plan.seated(number)), number, 1, moves)
        return PlayedDeals(rows, moves.numbers)
