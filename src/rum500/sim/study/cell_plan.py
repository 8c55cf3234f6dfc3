"""The plan of a study's cell, and its jobs: the deals of a simulation, with the turns and the luck of each
deal.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rum500 import review
from rum500.rules.ruleset import Ruleset
from rum500.sim import players as _players
from rum500.sim.deals import Entrant
from rum500.sim.jobs import Job, PlayedDeals, without_moves
from rum500.sim.moves import are_endings
from rum500.sim.simulation_plan import COURSE, LEAD, SimulationPlan, play_rows
from rum500.sim.study.deal_luck import LUCK_VALUES, DealLuckMeter

if TYPE_CHECKING:
    from typing import Self

_REVIEW = "the measuring of luck"


@dataclass(frozen=True, slots=True)
class CellPlan:
    """Everything that determines a cell.

    A row has the values of the simulation's row and its `COURSE` numbers. If `luck` is not 0, `LUCK_VALUES`
    numbers for each seat follow; `luck` is the number of orders of the stock over which luck is measured.
    """

    ITEMS: ClassVar[str] = "deals"
    SIZES: ClassVar[frozenset[str]] = frozenset({"deals"})

    simulation: SimulationPlan
    luck: int = 0

    @property
    def bots(self) -> tuple[Entrant, ...]:
        """The players, by seat."""
        return self.simulation.bots

    @property
    def contests(self) -> tuple[tuple[int, ...], ...]:
        """The only contest, between all bots."""
        return self.simulation.contests

    @property
    def total(self) -> int:
        """The number of deals."""
        return self.simulation.deals

    @property
    def simulated(self) -> int:
        """The number of values in a row of the simulation."""
        return LEAD + self.simulation.players

    @property
    def width(self) -> int:
        """The number of values in a row."""
        return self.simulated + COURSE + (LUCK_VALUES * self.simulation.players if self.luck else 0)

    def described(self) -> dict[str, Any]:
        """Return the plan as plain data, which can be compared."""
        return self.simulation.described() | {"luck_orders": self.luck}

    @classmethod
    def from_described(cls, data: Mapping[str, Any], rules: Ruleset) -> Self:
        """Return the plan from `data`, which `described` returned; its bots are names, not objects."""
        return cls(SimulationPlan.from_described(data, rules), index(data["luck_orders"]))

    def holds(self, played: PlayedDeals, items: range) -> bool:
        """Return whether `played` has a valid row for each of these deals."""
        simulation = self.simulation
        return (
            len(played.rows) == len(items) * self.width
            and not played.moves
            and are_endings(played.rows, self.width, 0, simulation.players)
        )

    def sources(self, bots: Iterable[Entrant]) -> dict[str, str]:
        """Return digests of the code that affects play, as for a simulation, and of the code that measures
        luck.
        """
        found = self.simulation.sources(bots)
        return found | {_REVIEW: _review_sources()} if self.luck else found


def _review_sources() -> str:
    folder = Path(review.__file__).parent
    return _players.digest(sorted([*folder.glob("*.py"), *folder.glob("*.toml")]))


@dataclass(frozen=True, slots=True)
class CellJob(Job[CellPlan]):
    """A job that plays some deals of a cell."""

    def play(self) -> PlayedDeals:
        """Return a row for each deal."""
        plan = self.plan
        if not plan.luck:
            return without_moves(play_rows(plan.simulation, self.first, self.count, course=True))
        rows = array("i")
        meter = DealLuckMeter(plan.simulation, plan.luck)
        for number in range(self.first, self.first + self.count):
            rows += play_rows(plan.simulation, number, 1, meter, course=True)
            rows.extend(meter.finish(number))
        return without_moves(rows)
