"""The plan of an arena, and its jobs. A cluster is one deal or one match, played with the same shuffles in
every seating.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec

from rum500.match.scores import by_account, by_seat, ending, is_due
from rum500.rng import Rng, checked_seed
from rum500.rules.ruleset import Ruleset
from rum500.sim import players as _players
from rum500.sim.arena.entrants import files_of_entrant, seat_entrant
from rum500.sim.arena.sprt import SprtBounds
from rum500.sim.deals import (
    Entrant,
    Seated,
    SimulationError,
    checked_number,
    deal_seed,
    entrant_name,
    play_deal,
)
from rum500.sim.jobs import Job, PlayedDeals, without_moves
from rum500.sim.moves import are_endings
from rum500.state import deal

if TYPE_CHECKING:
    from typing import Self

LEAD = 7
"""The number of values in a row of a deal before the points by seat.

They are: cluster, seating, number of the deal in its match, actions, reason, seat that went out or -1, and
the seats that won the match as a mask. The mask is 0 while the match continues, or for single deals; it
includes `CUT_SHORT` if the arena ended the match.
"""
CUT_SHORT = 1 << 8
LONGEST = 100
"""The number of deals after which an undecided match ends and the leader wins."""


class _Described(msgspec.Struct):
    """The form in which the file of a run stores a plan."""

    bots: tuple[str, ...]
    players: int
    seed: int
    unit: Literal["match", "deal"]
    seating: Literal["alternate", "lone"]
    pairs: int
    sprt: tuple[Literal["elo", "points"], float, float, float, float] | None


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that determines a run: two runs of the same plan give the same numbers."""

    ITEMS: ClassVar[str] = "pairs"
    SIZES: ClassVar[frozenset[str]] = frozenset({"pairs", "sprt"})

    rules: Ruleset
    """The rules of the game."""
    players: int
    """The number of players."""
    bots: tuple[Entrant, ...]
    """The bots that play against each other."""
    pairs: int
    """The number of clusters for each two bots."""
    seed: int
    """The seed."""
    unit: str = "match"
    """`match` or `deal`."""
    seating: str = "alternate"
    """`alternate` or `lone`; see `seatings`."""
    sprt: SprtBounds | None = None
    """The bounds of a test that can end a contest early; None for no test."""

    def __post_init__(self) -> None:
        """Convert integers of any type to `int`, and check them."""
        numbers = {
            "players": checked_number("the number of players", self.players),
            "pairs": checked_number("the number of pairs", self.pairs),
            "seed": checked_seed(self.seed),
        }
        self.rules.check_players(numbers["players"])
        for name, number in numbers.items():
            object.__setattr__(self, name, number)

    @property
    def contests(self) -> tuple[tuple[int, int], ...]:
        """The contests, one for every two bots: their indices in `bots`, the lower one first."""
        count = len(self.bots)
        return tuple((a, b) for a in range(count) for b in range(a + 1, count))

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The seatings. Each cluster is played once in each of them."""
        return seatings(self.rules, self.players, self.seating)

    @property
    def total(self) -> int:
        """The number of clusters of each contest."""
        return self.pairs

    def described(self) -> dict[str, Any]:
        """Return the plan as plain data, which can be compared."""
        bounds = self.sprt
        return {
            "bots": [entrant_name(bot) for bot in self.bots],
            "profile": self.rules.name,
            "rules": self.rules.to_toml(),
            "players": self.players,
            "seed": self.seed,
            "unit": self.unit,
            "seating": self.seating,
            "pairs": self.pairs,
            "sprt": None
            if bounds is None
            else [bounds.measure, bounds.lower, bounds.upper, bounds.alpha, bounds.beta],
        }

    @classmethod
    def from_described(cls, data: Mapping[str, Any], rules: Ruleset) -> Self:
        """Return the plan from `data`, which `described` returned; its bots are names, not objects."""
        read = msgspec.convert(data, _Described)
        bounds = None if read.sprt is None else SprtBounds(*read.sprt)
        sizes, ways = (read.pairs, read.seed), (read.unit, read.seating)
        return cls(rules, read.players, read.bots, *sizes, *ways, bounds)

    def holds(self, played: PlayedDeals, items: range) -> bool:
        """Return whether `played` has valid rows, exactly those of the clusters `items` in every seating."""
        rows, width = played.rows, LEAD + self.players
        if len(rows) % width or not are_endings(rows, width, 3, self.players):
            return False
        games = list(zip(rows[::width], rows[1::width], strict=True))
        if games != sorted(games):
            return False
        wanted = [(cluster, seating) for cluster in items for seating in range(len(self.seatings))]
        masks = rows[6::width]
        if self.unit == "deal":
            return games == wanted and set(masks) == {0}
        ends = [game for game, mask in zip(games, masks, strict=True) if mask]
        seats = {mask & ~CUT_SHORT for mask in masks if mask}
        return list(dict.fromkeys(games)) == ends == wanted and seats <= set(range(1, 1 << self.players))

    def sources(self, bots: Iterable[Entrant]) -> dict[str, str]:
        """Return digests of the code that affects play, by name: `rum500 itself`, and each external bot."""
        return _players.sources(bots, files_of_entrant)


def seed_of(plan_seed: int, unit: str, cluster: int, number: int) -> int:
    """Return the seed of a deal, for `rum500.deal(rules, players, seed=…)`.

    A single deal has the same seed as deal number `cluster` of a simulation. In a match, the seed of deal
    number `number` is made from the match's seed.
    """
    seed = deal_seed(plan_seed, cluster)
    return seed if unit == "deal" else Rng(seed).spawn(number).next64()


@dataclass(frozen=True, slots=True)
class ArenaJob(Job[Plan]):
    """A job that plays some clusters of a contest, each in every seating."""

    def play(self) -> PlayedDeals:
        """Return one row for each deal: the numbers that `LEAD` describes, then the points by seat."""
        plan = self.plan
        two = [seat_entrant(plan.bots[number]) for number in plan.contests[self.contest]]
        rows = array("i")
        for cluster in range(self.first, self.first + self.count):
            for number, seating in enumerate(plan.seatings):
                seated = [two[bot] for bot in seating]
                for row in _played(plan, seated, cluster):
                    rows.extend((cluster, number, *row))
        return without_moves(rows)


def _played(plan: Plan, seated: Sequence[Seated], cluster: int) -> Iterator[tuple[int, ...]]:
    rules, players = plan.rules, plan.players
    accounts = by_account(rules, (0,) * players)
    number, deciding, mask = 0, False, 0
    while not mask:
        number += 1
        seed = seed_of(plan.seed, plan.unit, cluster, number)
        totals = by_seat(rules, accounts, players)
        state = deal(rules, players, seed, (cluster + number - 1) % players, totals, number)
        actions = play_deal(state, seated, seed)
        core, result = state.core, state.result
        assert result is not None
        if plan.unit == "match":
            gained = by_account(rules, result.points)
            accounts = tuple(total + more for total, more in zip(accounts, gained, strict=True))
            end = ending(rules, accounts, number, deciding, result)
            if end is not None or number == LONGEST:
                mask = _winners(rules, players, accounts, None if end is None else end[1])
                mask |= CUT_SHORT * (end is None)
            deciding = deciding or is_due(rules, accounts, number)
        yield number, actions, core.reason, core.out, mask, *result.points
        if plan.unit == "deal":
            return


def _winners(rules: Ruleset, players: int, accounts: Sequence[int], winner: int | None) -> int:
    best = max(accounts)
    won = [account for account, total in enumerate(accounts) if total == best] if winner is None else [winner]
    return sum(1 << seat for seat in range(players) if rules.side(seat) in won)


SEATINGS = ("alternate", "lone")


def seatings(rules: Ruleset, players: int, kind: str = "alternate") -> tuple[tuple[int, ...], ...]:
    """Return all seatings of two bots at a table; a seating has the bot (0 or 1) of each seat.

    `alternate`: the first bot has every other seat, in all rotations and with the bots exchanged. Two players
    swap seats, partnerships swap sides, and with an odd number of players each bot is in the majority equally
    often. `lone`: the first bot sits alone among the others, at each seat in turn.

    >>> from rum500.rules.profiles import ruleset
    >>> seatings(ruleset("500-rum"), 2), len(seatings(ruleset("500-rum"), 3))
    (((0, 1), (1, 0)), 6)
    """
    rules.check_players(players)
    if kind == "lone":
        if rules.sides:
            raise SimulationError(f"in {rules.title} nobody plays alone: the seating is alternate")
        return tuple(tuple(int(seat != own) for seat in range(players)) for own in range(players))
    if kind != "alternate":
        raise SimulationError(f"there is no seating {kind!r}; there are {' and '.join(SEATINGS)}")
    found: dict[tuple[int, ...], None] = {}
    for first in (0, 1):
        for turned in range(players):
            found[tuple((first + (seat - turned) % players) % 2 for seat in range(players))] = None
    return tuple(sorted(found))
