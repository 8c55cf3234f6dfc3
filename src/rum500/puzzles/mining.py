"""Mining of puzzles: bots of mixed levels play deals, and decisions with one clear best play become puzzles.

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

from rum500.bots import rng_for
from rum500.puzzles.bot_deals import bot_named, play_deal
from rum500.puzzles.clear_best import WORLDS, ClearBest, clear_best
from rum500.puzzles.puzzle import Puzzle, PuzzleError, WrongPlay, name_of
from rum500.review.case import Case
from rum500.review.judge import Judge
from rum500.review.verdict import Budget
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.view import View

PLAYERS = ("greedy", "casual", "club", "strong:64")
"""The bots that play the deals; one is drawn for each seat. The number after a colon is its worlds."""
WEAK = ("greedy", "casual")
"""At least one of these bots fails a puzzle, unless the puzzle is quiet."""
PLAIN = (*WEAK, "club")
"""All of these bots solve a quiet puzzle."""
SOLVERS = (*PLAIN, "strong:512", "expert:2048")
"""The levels whose choices are stored with a puzzle."""
QUIET = 5
"""One in this many puzzles is quiet: the obvious play is right."""
DECISIONS = 12
"""The number of decisions of a deal that are examined, drawn at random. At most one becomes a puzzle."""
HOUSE = 3
"""One in this many deals has a house rule."""


class MiningPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The games to mine. Profiles alternate, and so do their numbers of players."""

    seed: int
    """The seed of all deals, bots and measurements."""
    profiles: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    """The names of the profiles."""
    players: int | None = None
    """The number of players; None for all numbers that each profile allows."""

    @classmethod
    def of(cls, seed: int, profiles: Sequence[str] = (), players: int | None = None) -> MiningPlan:
        """Return a plan for these profiles, by default for all that allow this number of players.

        Raises `RulesetError` for an unknown profile, or for one that does not allow this number of players.
        """
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
        turn, at = divmod(index, len(self.profiles))
        seats = ruleset(self.profiles[at]).players
        return self.profiles[at], self.players or seats[turn % len(seats)]

    def is_quiet(self, index: int) -> bool:
        """Return whether a puzzle is quiet, which means that weak players find its right play.

        Every fifth puzzle of each profile is quiet.
        """
        number = len(self.profiles)
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
    """Return a profile with each house rule that it can have, one at a time."""
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
    decisions = play_deal(rules, players, PLAYERS, rng)[0]
    rng.shuffle(decisions)
    weak = PLAIN if quiet else WEAK
    for view in decisions[:DECISIONS]:
        choices = {name: _choice(name, view, rng) for name in weak}
        seed = rng.next64()
        found = clear_best(Case.of(view, threads), seed, choices, quiet=quiet)
        if found is not None:
            return _puzzle(found, rng, quiet=quiet)
    return None


def _puzzle(found: ClearBest, rng: Rng, *, quiet: bool) -> Puzzle:
    view = found.case.view
    levels = {name.partition(":")[0]: _choice(name, view, rng) for name in SOLVERS}
    judge = Judge(Budget("puzzle", WORLDS)).identity(view.rules, view.players)
    wrong = tuple(WrongPlay(one.code, one.loss, one.error, found.why(one)) for one in found.wrong)
    right = tuple(one.code for one in found.right)
    return Puzzle(name_of(view), view, right, wrong, MappingProxyType(levels), quiet, judge)


def _choice(name: str, view: View, rng: Rng) -> int:
    return code_of(bot_named(name).choose(view, Rng(rng.next64())))
