"""The plan of a simulation, and its jobs, each of some deals with seeds of their own."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

import msgspec

from rum500.ai.policy_deals import club_deals
from rum500.bots import Bot
from rum500.bots.policy_bots import Random
from rum500.cards import JOKER
from rum500.external_bots import files_of
from rum500.rng import Rng, checked_seed
from rum500.rules.action_codes import action_kind, discarded_card
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import Moves
from rum500.rules.ruleset import Ruleset
from rum500.sim import players as _players
from rum500.sim.deals import (
    MOST_DEALS,
    Entrant,
    SimulationError,
    checked_number,
    deal_seed,
    entrant_name,
    play_deal,
    policies,
    seat_bot,
)
from rum500.sim.jobs import Job, PlayedDeals
from rum500.sim.moves import MOVE_WIDTH, CourseCounter, MoveRecorder, are_endings, are_moves
from rum500.state import State, deal

if TYPE_CHECKING:
    from typing import Self

LEAD = 3
"""The number of values in a row before the points by seat: actions, reason, seat that went out or -1."""
COURSE = 3
"""The number of values after the points if turns are counted: turns, takes and calls, cards taken."""
_CHOICES = 0x5DEECE66D1CE4E5B
"""A constant that separates the stream of random choices from that of shuffles."""
_HALF = 1 << 32


class _Described(msgspec.Struct):
    """The form in which the file of a run stores a plan."""

    bots: tuple[str, ...]
    players: int
    deals: int
    seed: int
    dealer: int | None = None
    moves: bool = False


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """Everything that determines a simulation; `bots` are by seat.

    `dealer` is the seat that deals; if it is None the deal passes around the table. With `moves` every move
    is stored.
    """

    ITEMS: ClassVar[str] = "deals"
    SIZES: ClassVar[frozenset[str]] = frozenset({"deals"})

    rules: Ruleset
    players: int
    deals: int
    seed: int
    bots: tuple[str | Bot, ...]
    dealer: int | None = None
    moves: bool = False

    def __post_init__(self) -> None:
        """Convert integers of any type to `int`, and check them."""
        numbers = {
            "players": checked_number("the number of players", self.players),
            "deals": checked_number("the number of deals", self.deals),
            "seed": checked_seed(self.seed),
        }
        self.rules.check_players(numbers["players"])
        if self.dealer is not None:
            numbers["dealer"] = checked_number("the dealer", self.dealer, -MOST_DEALS)
            if not 0 <= numbers["dealer"] < numbers["players"]:
                seats = f"0 to {self.players - 1}"
                raise SimulationError(f"the dealer is a seat, {seats}, not {self.dealer}")
        for name, number in numbers.items():
            object.__setattr__(self, name, number)

    @property
    def contests(self) -> tuple[tuple[int, ...], ...]:
        """The only contest, between all bots."""
        return (tuple(range(self.players)),)

    @property
    def total(self) -> int:
        """The number of deals."""
        return self.deals

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots, by seat."""
        return tuple(map(entrant_name, self.bots))

    def dealer_of(self, number: int) -> int:
        """Return the seat that deals deal number `number`."""
        return number % self.players if self.dealer is None else self.dealer

    def described(self) -> dict[str, Any]:
        """Return the plan as plain data, which can be compared."""
        more = ({} if self.dealer is None else {"dealer": self.dealer}) | (
            {"moves": True} if self.moves else {}
        )
        return more | {
            "bots": list(self.names),
            "profile": self.rules.name,
            "rules": self.rules.to_toml(),
            "players": self.players,
            "seed": self.seed,
            "deals": self.deals,
        }

    @classmethod
    def from_described(cls, data: Mapping[str, Any], rules: Ruleset) -> Self:
        """Return the plan from `data`, which `described` returned; its bots are names, not objects."""
        read = msgspec.convert(data, _Described)
        if len(read.bots) != read.players:
            raise SimulationError(f"{len(read.bots)} bots are named for {read.players} players")
        return cls(rules, read.players, read.deals, read.seed, read.bots, read.dealer, read.moves)

    def holds(self, played: PlayedDeals, items: range) -> bool:
        """Return whether `played` has a valid row for each of these deals, and valid moves if stored."""
        width = LEAD + self.players
        kept = MOVE_WIDTH * sum(played.rows[::width]) if self.moves else 0
        return (
            len(played.rows) == len(items) * width
            and len(played.moves) == kept
            and are_endings(played.rows, width, 0, self.players)
            and (not kept or are_moves(played.moves, self.rules, self.players))
        )

    def sources(self, bots: Iterable[Entrant]) -> dict[str, str]:
        """Return digests of the code that affects play, by name: `rum500 itself`, and each external bot."""
        return _players.sources(bots, files_of)


def by_seat(bots: Sequence[str | Bot], players: int) -> tuple[str | Bot, ...]:
    """Return an entrant for each seat; fewer entrants than seats are repeated in turn.

    Raises `SimulationError` for no or too many entrants, and `TypeError` for an object that is not a bot.
    """
    if isinstance(bots, str):
        raise TypeError(f"bots are a list of names or bots, such as [{bots!r}], not {bots!r}")
    for bot in bots:
        if not isinstance(bot, str) and not callable(getattr(bot, "choose", None)):
            raise TypeError(f"a bot is a name, or has a name and a choose(view, rng), and {bot!r} is none")
    if not bots:
        raise SimulationError("no bot is named")
    if len(bots) > checked_number("the number of players", players):
        raise SimulationError(f"{len(bots)} bots are named for {players} players")
    return tuple(bots[seat % len(bots)] for seat in range(players))


def seat_bots(names: Sequence[str | Bot], players: int) -> tuple[Bot, ...]:
    """Return a bot for each seat; fewer bots than seats are repeated in turn.

    A name is one that `rum500.external_bots.open_bot` accepts. A bot has no time limit by default. Raises
    `SimulationError` for no or too many names, or an unknown one, and `TypeError` for other objects.
    """
    return tuple(cast(Bot, _players.player(bot, seat_bot)) for bot in by_seat(names, players))


@dataclass(frozen=True, slots=True)
class SimulationJob(Job[SimulationPlan]):
    """A job that plays some deals of a simulation, each with its own seed and dealer."""

    def play(self) -> PlayedDeals:
        """Return one row for each deal: the numbers that `LEAD` describes, then the points by seat."""
        moves = MoveRecorder(self.plan.rules, self.plan.players) if self.plan.moves else None
        rows = play_rows(self.plan, self.first, self.count, moves)
        return PlayedDeals(rows, array("Q") if moves is None else moves.numbers)


def play_rows(
    plan: SimulationPlan,
    first: int,
    count: int,
    watch: Callable[[State, int], None] | None = None,
    *,
    course: bool = False,
) -> array[int]:
    """Play some deals and return their rows; with `course` each row ends with the `COURSE` numbers.

    `watch` is called with the state and the code of each action, before the action is applied. The deals are
    the same with and without it.
    """
    bots = seat_bots(plan.bots, plan.players)
    at_random = all(type(bot) is Random for bot in bots)
    if watch is None and not (at_random and course):
        if at_random:
            return _at_random(plan, first, count)
        if ways := policies(bots, plan.rules, plan.players):
            core = deal(plan.rules, plan.players).core
            dealer = -1 if plan.dealer is None else plan.dealer
            return array("i", club_deals(core, ways, plan.seed, first, count, dealer, course))
    rows, counter = array("i"), CourseCounter()

    def see(state: State, code: int) -> None:
        counter.see(code)
        if watch is not None:
            watch(state, code)

    for index in range(first, first + count):
        seed = deal_seed(plan.seed, index)
        state = deal(plan.rules, plan.players, seed, plan.dealer_of(index))
        actions = _play_at_random(state, seed, see) if at_random else play_deal(state, bots, seed, see)
        rows.extend((actions, state.core.reason, state.core.out, *state.scores()))
        data = counter.finish()
        rows.extend(data if course else ())
    return rows


def _at_random(plan: SimulationPlan, first: int, count: int) -> array[int]:
    core = deal(plan.rules, plan.players).core
    rows, moves, seats = array("i"), Moves(), range(plan.players)
    for index in range(first, first + count):
        seed = deal_seed(plan.seed, index)
        core.shuffle(seed)
        core.start(plan.dealer_of(index))
        actions = core.playout(moves, _choices_seed(seed))
        rows.extend((actions, core.reason, core.out, *[core.score(seat) for seat in seats]))
    return rows


def _play_at_random(state: State, seed: int, watch: Callable[[State, int], None]) -> int:
    """Play a deal action by action, exactly as the core plays random bots. Return the number of actions."""
    rng, actions = Rng(_choices_seed(seed)), 0
    while not state.is_over:
        legal = state.legal_ints()
        if _discards_joker(legal[-1]):  # the core has a joker as the first discard, not the last
            plays = sum(action_kind(code) is not ActionKind.DISCARD for code in legal)
            legal.insert(plays, legal.pop())
        code = legal[rng.next64() // _HALF * len(legal) // _HALF]
        watch(state, code)
        state.apply_int(code)
        actions += 1
    return actions


def _choices_seed(seed: int) -> int:
    return seed ^ _CHOICES


def _discards_joker(code: int) -> bool:
    return action_kind(code) is ActionKind.DISCARD and discarded_card(code) == JOKER
