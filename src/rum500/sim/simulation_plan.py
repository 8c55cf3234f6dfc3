"""The plan of a simulation, and its jobs: some deals of it, each with its own seed."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from rum500.ai.policy_deals import club_deals
from rum500.bots import Bot
from rum500.bots.policy_bots import Random
from rum500.external_bots import files_of
from rum500.rules.engine.core import Moves
from rum500.rules.ruleset import Ruleset
from rum500.sim import players as _players
from rum500.sim.deals import (
    Entrant,
    Seated,
    SimulationError,
    deal_seed,
    entrant_name,
    play_deal,
    policies,
    seat_bot,
)
from rum500.state import deal

if TYPE_CHECKING:
    from typing import Self

LEAD = 3
"""The number of values in a row before the points by seat: actions, reason, seat that went out or -1."""
_CHOICES = 0x5DEECE66D1CE4E5B
"""Separates the stream of random choices from that of the shuffles."""


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """Everything that determines a simulation; `bots` are by seat."""

    ITEMS: ClassVar[str] = "deals"
    SIZES: ClassVar[frozenset[str]] = frozenset({"deals"})

    rules: Ruleset
    players: int
    deals: int
    seed: int
    bots: tuple[str | Bot, ...]

    @property
    def contests(self) -> tuple[tuple[int, ...], ...]:
        """The only contest, of all bots."""
        return (tuple(range(self.players)),)

    @property
    def total(self) -> int:
        """The number of deals."""
        return self.deals

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots, by seat."""
        return tuple(map(entrant_name, self.bots))

    def described(self) -> dict[str, Any]:
        """Return the plan as data that can be compared."""
        return {
            "bots": list(self.names),
            "profile": self.rules.name,
            "rules": self.rules.to_toml(),
            "players": self.players,
            "seed": self.seed,
            "deals": self.deals,
        }

    @classmethod
    def from_described(cls, told: Mapping[str, Any], rules: Ruleset) -> Self:
        """Return the plan that was described; its bots are known by name only."""
        return cls(rules, int(told["players"]), int(told["deals"]), int(told["seed"]), tuple(told["bots"]))

    def holds(self, rows: array[int], items: range) -> bool:
        """Return whether there is a row for each deal."""
        return len(rows) == len(items) * (LEAD + self.players)

    def sources(self, bots: Iterable[Entrant]) -> dict[str, str]:
        """Return digests of the code by which this process lets these bots play."""
        return _players.sources(bots, files_of)


def by_seat(bots: Sequence[str | Bot], players: int) -> tuple[str | Bot, ...]:
    """Return an entrant for each seat; fewer than seats are repeated in turn.

    Raises `SimulationError` for none or too many, and `TypeError` for what is no bot.
    """
    if isinstance(bots, str):
        raise TypeError(f"bots are a list of names or bots, such as [{bots!r}], not {bots!r}")
    for bot in bots:
        if not isinstance(bot, str) and not callable(getattr(bot, "choose", None)):
            raise TypeError(f"a bot is a name, or has a name and a choose(view, rng), and {bot!r} is none")
    if not bots:
        raise SimulationError("no bot is named")
    if len(bots) > players:
        raise SimulationError(f"{len(bots)} bots are named for {players} players")
    return tuple(bots[seat % len(bots)] for seat in range(players))


def seat_bots(names: Sequence[str | Bot], players: int) -> tuple[Bot, ...]:
    """Return a bot for each seat; fewer bots than seats are repeated in turn.

    A name is one that `rum500.external_bots.open_bot` accepts, without a default time limit. Raises
    `SimulationError` for no or too many names, or an unknown one, and `TypeError` for what is no bot.
    """
    return tuple(cast(Bot, _players.player(bot, seat_bot)) for bot in by_seat(names, players))


@dataclass(frozen=True, slots=True)
class SimulationJob:
    """Some deals of a simulation; deal number i is dealt by seat i modulo players."""

    plan: SimulationPlan
    first: int
    count: int
    sources: Mapping[str, str]
    contest: ClassVar[int] = 0

    def play(self) -> array[int]:
        """Return a row for each deal: the numbers told at `LEAD`, then the points by seat."""
        plan = self.plan
        bots = seat_bots(plan.bots, plan.players)
        seeds = [deal_seed(plan.seed, index) for index in range(self.first, self.first + self.count)]
        if all(type(bot) is Random for bot in bots):
            return _at_random(plan, self.first, seeds)
        if policies(bots, plan.rules, plan.players):
            return _by_policies(plan, bots, self.first, self.count)
        return _by_bots(plan, bots, self.first, seeds)


def _at_random(plan: SimulationPlan, first: int, seeds: Sequence[int]) -> array[int]:
    """Play random bots only: the core plays them itself, without a view for each choice."""
    core = deal(plan.rules, plan.players).core
    rows, moves, seats = array("i"), Moves(), range(plan.players)
    for index, seed in enumerate(seeds, first):
        core.shuffle(seed)
        core.start(index % plan.players)
        actions = core.playout(moves, seed ^ _CHOICES)
        rows.extend((actions, core.reason, core.out, *[core.score(seat) for seat in seats]))
    return rows


def _by_policies(plan: SimulationPlan, bots: Sequence[Seated], first: int, count: int) -> array[int]:
    """Play bots with policies: the core plays all deals in one call."""
    core = deal(plan.rules, plan.players).core
    return array("i", club_deals(core, policies(bots, plan.rules, plan.players), plan.seed, first, count))


def _by_bots(plan: SimulationPlan, bots: Sequence[Seated], first: int, seeds: Sequence[int]) -> array[int]:
    rows = array("i")
    for index, seed in enumerate(seeds, first):
        state = deal(plan.rules, plan.players, seed, index % plan.players)
        actions = play_deal(state, bots, seed)
        core = state.core
        rows.extend((actions, core.reason, core.out, *state.scores()))
    return rows
