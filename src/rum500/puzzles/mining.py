"""Mining of puzzles: bots of mixed levels play deals, and decisions with one clear best play become puzzles.

A puzzle has two or three moves. After a move, the best play is made in a deal that agrees with what the seat
knows, and bots reply. Until the next decision with a clear best play, the seat plays what the coach advises.
At least one other player acts between the first move and the last.

A puzzle depends only on the plan and its number: not on the number of threads, and not on where mining began.
So an interrupted run continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from types import MappingProxyType
from typing import Annotated

import msgspec

from rum500.ai.known_deal import sample
from rum500.bots import rng_for
from rum500.coach import Adviser
from rum500.puzzles.bot_deals import bot_named, play_deal
from rum500.puzzles.clear_best import ROUNDS, ClearBest, clear_best
from rum500.puzzles.puzzle import MOST_MOVES, Move, Puzzle, PuzzleError, WrongPlay, name_of
from rum500.review.judge import Judge
from rum500.review.verdict import Budget
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.state import State
from rum500.view import View

PLAYERS = ("greedy", "casual", "club", "strong:64")
"""The bots that play the deals; one is drawn for each seat. The number after a colon is its worlds."""
PLAIN = ("greedy", "casual", "club")
"""All of these bots solve a quiet puzzle; at least one fails the first move of any other."""
SOLVERS = (*PLAIN, "strong:512", "expert:2048")
"""The levels whose choices are stored with a puzzle."""
REPLIES = ("casual", "club")
"""The bots that reply between the moves; one is drawn for each seat."""
QUIET = 5
"""One in this many puzzles is quiet: the obvious plays are right."""
DECISIONS = 24
"""The number of decisions of a deal that are examined, drawn at random. At most one becomes a puzzle."""
FEWEST_PLAYS = 5
"""The smallest number of legal plays at the first move."""
MOST_LEGAL = 40
"""The largest number of legal plays at a move: with more, nobody looks at all of them."""
AHEAD = 6
"""The next move must be among this many decisions of the seat that follow the last move."""
WAYS_ON = 6
"""The number of deals in which moves after the first are sought."""
HOUSE = 3
"""One in this many deals has a house rule."""
QUOTAS: tuple[tuple[str, int], ...] = (
    ("500-rum", 2), ("500-rum", 4), ("rummy-500", 3),
    ("rummy-500", 2), ("partnership-500-rum", 4), ("500-rum", 3),
    ("500-rum", 2), ("persian-rummy", 4), ("rummy-500", 4),
    ("500-rummy", 2), ("500-rum", 4), ("michigan-rum", 3),
    ("500-rum", 2), ("rummy-500", 3), ("partnership-500-rummy", 4),
    ("rummy-500", 2), ("500-rum", 3), ("persian-rummy-fosdick", 4),
    ("500-rum", 2), ("500-rum", 5), ("michigan-rum", 4),
    ("rummy-500", 2), ("partnership-500-rum", 4), ("500-rummy", 3),
    ("500-rum", 2), ("500-rum", 4), ("persian-rummy", 4),
    ("michigan-rum", 2), ("rummy-500", 4), ("persian-rummy-gamerules", 4),
)  # fmt: skip
"""The games by popularity, in turn: a third for two players, most of 500 Rum, then most of Rummy 500."""


class MiningPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The games to mine: those of `QUOTAS` in turn, or profiles in turn, each with all numbers of players."""

    seed: int
    """The seed of all deals, bots and measurements."""
    profiles: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    """The names of the profiles."""
    players: int | None = None
    """The number of players; None for all numbers that each profile allows."""
    quotas: bool = False
    """Whether the games are those of `QUOTAS`; then `profiles` has their names."""

    @classmethod
    def of(cls, seed: int, profiles: Sequence[str] = (), players: int | None = None) -> MiningPlan:
        """Return a plan for these profiles, by default for all that allow this number of players.

        Without `profiles` and `players`, the games are those of `QUOTAS`.

        Raises `RulesetError` for an unknown profile, or for one that does not allow this number of players.
        """
        if not profiles and players is None:
            return cls(seed, tuple(dict.fromkeys(name for name, _ in QUOTAS)), quotas=True)
        chosen = [ruleset(name) for name in profiles]
        for rules in chosen:
            if players is not None:
                rules.check_players(players)
        every = [ruleset(name) for name in profile_names()]
        found = chosen or [rules for rules in every if players is None or players in rules.players]
        if not found:
            assert players is not None
            every[0].check_players(players)
        return cls(seed, tuple(dict.fromkeys(rules.name for rules in found)), players)

    def check(self) -> None:
        """Raise `PuzzleError` for an unknown profile, `RulesetError` for a wrong number of players."""
        for name in self.profiles:
            if name not in profile_names():  # the name could be the path of a file
                raise PuzzleError(f"there is no profile {name[:80]!r}")
            if self.players is not None:
                ruleset(name).check_players(self.players)

    def game(self, index: int) -> tuple[str, int]:
        """Return the profile and the number of players of puzzle number `index`."""
        if self.quotas:
            return QUOTAS[index % len(QUOTAS)]
        turn, at = divmod(index, len(self.profiles))
        seats = ruleset(self.profiles[at]).players
        return self.profiles[at], self.players or seats[turn % len(seats)]

    def is_quiet(self, index: int) -> bool:
        """Return whether a puzzle is quiet, which means that weak players find its right play.

        Every fifth puzzle of each profile is quiet.
        """
        number = len(QUOTAS if self.quotas else self.profiles)
        return (index if number % QUIET else index + index // number) % QUIET == QUIET - 1


def mine(plan: MiningPlan, number: int, *, first: int = 0, threads: int = 1) -> Iterator[Puzzle]:
    """Yield the puzzles of a plan with numbers `first` to `number - 1`, counted from 0."""
    for index in range(first, number):
        yield mined(plan, index, threads)


def mined(plan: MiningPlan, index: int, threads: int = 1) -> Puzzle:
    """Return puzzle number `index` of a plan.

    Deals are played until one contains a suitable decision.
    """
    profile, players = plan.game(index)
    for attempt in count():
        rng = rng_for(plan.seed, index, attempt)
        rules = _rules(profile, players, rng)
        found = _from_deal(rules, players, rng, threads, quiet=plan.is_quiet(index))
        if found is not None:
            return found
    raise AssertionError  # unreachable: count() does not end


@cache
def house_rules(profile: str, players: int) -> tuple[Ruleset, ...]:
    """Return variants of a profile, each with one of the house rules that it can have."""
    found = []
    for house_rule in HOUSE_RULES:
        try:
            rules = ruleset(profile, (house_rule,))
            rules.check_players(players)
        except RulesetError:
            continue
        found.append(rules)
    return tuple(found)


def _rules(profile: str, players: int, rng: Rng) -> Ruleset:
    changed = house_rules(profile, players)
    if changed and rng.below(HOUSE) == 0:
        return changed[rng.below(len(changed))]
    return ruleset(profile)


def _from_deal(rules: Ruleset, players: int, rng: Rng, threads: int, *, quiet: bool) -> Puzzle | None:
    """Play a deal and return a puzzle from it; None if no examined decision is suitable."""
    decisions = [
        view
        for view in play_deal(rules, players, PLAYERS, rng)[0]
        if FEWEST_PLAYS <= len(view.legal) <= MOST_LEGAL
    ]
    rng.shuffle(decisions)
    for view in decisions[:DECISIONS]:
        choices = {name: _choice(name, view, rng) for name in PLAIN}
        found = clear_best(view, rng.next64(), choices, quiet=quiet, threads=threads)
        if found is not None:
            later = _later_moves(view, found.right[0], rng, threads, quiet=quiet)
            if later:
                return _puzzle([(view, found), *later], rng, quiet=quiet)
    return None


def _later_moves(
    view: View, best: int, rng: Rng, threads: int, *, quiet: bool
) -> list[tuple[View, ClearBest]]:
    """Return the moves after the first one, `best`; an empty list if no sampled deal has suitable moves."""
    measured = _Measured(rng.next64(), threads, quiet=quiet)
    for _ in range(WAYS_ON):
        state = State(view.rules, sample(view, Rng(rng.next64()), 1)[0], view.past)
        found = list(_moves_after(state, view.seat, best, rng, measured))
        if any(replied for _, _, replied in found):
            return [(later, clear) for later, clear, _ in found]
    return []


class _Measured:
    """The decisions after a first move, each measured once: several deals often begin with the same ones."""

    def __init__(self, seed: int, threads: int, *, quiet: bool) -> None:
        self.seed = seed
        self.threads = threads
        self.quiet = quiet
        self.clear: dict[str, ClearBest | None] = {}
        self.advised: dict[str, int] = {}

    def clear_best(self, view: View) -> ClearBest | None:
        """Return the decision with its clear best play; None if it has none, or too many plays."""
        name = name_of(view)
        if name not in self.clear:
            seed, found = rng_for(self.seed, len(view.past)), None
            if len(view.legal) <= MOST_LEGAL:
                choices = {one: _choice(one, view, seed) for one in PLAIN} if self.quiet else {}
                found = clear_best(
                    view, seed.next64(), choices, quiet=self.quiet or None, threads=self.threads
                )
            self.clear[name] = found
        return self.clear[name]

    def best(self, view: View) -> int:
        """Return the coach's best play; if the two ways of playing on disagree, the best for holding back."""
        name = name_of(view)
        if name not in self.advised:
            advice = Adviser(threads=self.threads, plans=False).advise(view)
            assert advice is not None
            self.advised[name] = advice.ways[0].best if advice.best is None else advice.best
        return self.advised[name]


def _moves_after(
    state: State, seat: int | None, best: int, rng: Rng, measured: _Measured
) -> Iterator[tuple[View, ClearBest, bool]]:
    """Make the best play, then play on and yield the decisions of the seat that have a clear best play.

    Each is a view with its clear best play, and whether another player has acted since the first move. The
    last move comes after another player's play, so before one it is not looked for.
    """
    minds = [bot_named(REPLIES[rng.below(len(REPLIES))]) for _ in range(state.players)]
    state.apply_int(best)
    moves, passed, replied = 1, 0, False
    while not state.is_over and moves < MOST_MOVES and passed < AHEAD:
        view = state.view(state.actor)
        if state.actor != seat or len(view.legal) == 1:
            replied = replied or state.actor != seat
            state.apply(minds[state.actor].choose(view, rng))
            continue
        found = measured.clear_best(view) if replied or moves < MOST_MOVES - 1 else None
        if found is None:
            passed += 1
            state.apply_int(measured.best(view))
        else:
            moves, passed = moves + 1, 0
            yield view, found, replied
            state.apply_int(found.right[0])


def _puzzle(moves: Sequence[tuple[View, ClearBest]], rng: Rng, *, quiet: bool) -> Puzzle:
    view = moves[0][0]
    judge = Judge(Budget("puzzle", ROUNDS[-1])).identity(view.rules, view.players)
    return Puzzle(name_of(view), tuple(_move(*one, rng) for one in moves), quiet, judge)


def _move(view: View, found: ClearBest, rng: Rng) -> Move:
    best = found.right[0]
    levels = {name.partition(":")[0]: _choice(name, view, rng) for name in SOLVERS}
    wrong = tuple(
        WrongPlay(one.code, one.loss, one.error, one.why(best), one.plan(best)) for one in found.wrong
    )
    return Move(view, found.right, wrong, MappingProxyType(levels))


def _choice(name: str, view: View, rng: Rng) -> int:
    return code_of(bot_named(name).choose(view, Rng(rng.next64())))
