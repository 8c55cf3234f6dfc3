"""The levels with numbers: a staircase on which each level wins about a third of its matches against the
next.

A level mixes the choices of two neighbours among four players: `random`, a newcomer, `club` and `expert`. The
proportions are data (`staircase.toml`), by class of game, because a mixture differs in strength between
games.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from typing import Any

from rum500.ai import known_deal
from rum500.ai.heuristic_levels import class_of, per_thread, policy_of
from rum500.ai.policy import Policy
from rum500.bots.policy_bots import Random
from rum500.bots.protocol import FastBot
from rum500.bots.search_bot import SearchBot, expert
from rum500.cards import JOKER, rank_of
from rum500.rng import Rng
from rum500.rules.action_codes import action_kind, discarded_card, taken_count
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import DRAW
from rum500.rules.ruleset import Ruleset
from rum500.view import View

FILE = files(__package__) / "staircase.toml"
MISSED = 40
"""The percentage of its lay-offs that a newcomer misses."""
SHY = 60
"""The percentage of a newcomer's takes of several cards that are replaced by a draw from the stock."""
CLUB = 2.0
"""The position of `club`; levels above it search."""
_LAY_OFFS = (ActionKind.LAY_RUN, ActionKind.LAY_SET)


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FILE.read_text("utf-8"))


def steps(rules: Ruleset, players: int) -> tuple[float, ...]:
    """Return the position of each numbered level, lowest level first.

    On this scale `random` is at 0.0, the newcomer at 1.0, `club` at 2.0, and `expert` at 3.0.
    """
    return tuple(_table()["steps"][_class_of_steps(rules, players)])


def below_first(rules: Ruleset, players: int) -> str | None:
    """Return the named level to propose below level 1, where level 1 is too strong for beginners."""
    found: str | None = _table()["below_first"].get(_class_of_steps(rules, players))
    return found


def _class_of_steps(rules: Ruleset, players: int) -> str:
    """Return the class of this game, or the one whose steps it has."""
    found = class_of(rules, players)
    return found if found in _table()["steps"] else "two-plain" if players == 2 else "table-plain"


def position_of(name: str) -> float | None:
    """Return the position of a named level; None for a level that the staircase does not use."""
    return {"random": 0.0, "club": CLUB, "expert": CLUB + 1}.get(name)


def lays_at(rules: Ruleset, players: int) -> int:
    """Return the `lays_at` of the staircase's `club` (`PromptClub`) in this game.

    This bot lays all it can once another player has this many cards or fewer; with 0, it never does so.
    """
    found: int = _table()["lays_at"].get(class_of(rules, players), 0)
    return found


def count() -> int:
    """Return the number of levels, the same in every game."""
    return len(_table()["steps"]["two-plain"])


def is_searching(number: int) -> bool:
    """Return whether the level with this number, from 1, searches in at least one game."""
    return any(positions[number - 1] > CLUB for positions in _table()["steps"].values())


def searches(number: int, rules: Ruleset, players: int) -> bool:
    """Return whether the level with this number, from 1, searches in this game."""
    return steps(rules, players)[number - 1] > CLUB


@per_thread
def _club(name: str, few: int) -> Policy:
    return Policy(policy_of(name).weights(), lays_at=few)


@per_thread
def _newcomer(name: str) -> Policy:
    return policy_of(name, "newcomer")


class Newcomer(FastBot):
    """A bot that makes the mistakes of people who are new to the game.

    It lays early, forgets what others took, keeps high cards, misses lay-offs, and rarely takes piles.
    """

    name = "newcomer"

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the choice of the newcomer's policy, changed at random by typical mistakes."""
        if len(view.legal) == 1:
            return view.legal[0]
        code = _newcomer(class_of(view.rules, view.players)).choice(known_deal(view).core)
        kind = action_kind(code)
        if kind is ActionKind.TAKE and taken_count(code) > 1 and DRAW in view.legal and rng.below(100) < SHY:
            return DRAW
        if kind in _LAY_OFFS and rng.below(100) < MISSED:
            discards = [one for one in view.legal if action_kind(one) is ActionKind.DISCARD]
            return min(discards, key=_rank, default=code)
        return code


def _rank(discard: int) -> int:
    card = discarded_card(discard)
    return 99 if card == JOKER else rank_of(card) or 13


class PromptClub(FastBot):
    """`club` as the staircase uses it: it lays in time when another player is about to go out."""

    name = "club"

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the heuristic's choice; nothing is random."""
        if len(view.legal) == 1:
            return view.legal[0]
        rules, players = view.rules, view.players
        mind = _club(class_of(rules, players), lays_at(rules, players))
        return mind.choice(known_deal(view).core)


class Step(FastBot):
    """A bot of a numbered level. Each choice is made by one of two players, selected at random.

    The two players are the neighbours of the level's position; see `steps`.
    """

    def __init__(self, number: int) -> None:
        """Set the level's number, from 1."""
        self.name = f"level{number}"
        self.number = number
        self._players: tuple[FastBot, ...] = (Random(), Newcomer(), PromptClub())

    def position(self, view: View) -> float:
        """Return the level's position on the staircase in this game, such as 1.25; see `steps`."""
        return steps(view.rules, view.players)[self.number - 1]

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the choice of the weaker or the stronger neighbour."""
        position = self.position(view)
        lower = int(position)
        stronger = position > lower and rng.random() < position - lower
        return self._players[lower + stronger].choose_int(view, rng)


class SearchingStep(Step):
    """A bot of a numbered level that makes some of its choices by search, with the budget of `expert`."""

    def __init__(
        self, number: int, worlds: int | None = None, seconds: float | None = None, threads: int = 1
    ) -> None:
        """Set the level's number, from 1, and the budget of its searches, as for `expert`."""
        super().__init__(number)
        self._expert: SearchBot = expert(worlds, seconds, threads)
        self._players = (*self._players, self._expert)

    def searches(self, rules: Ruleset, players: int) -> bool:
        """Return whether the level makes some of its choices by search in this game."""
        return searches(self.number, rules, players)

    @property
    def seconds(self) -> float:
        """The time limit of a choice in seconds, 0 for none."""
        return self._expert.seconds

    def stop(self) -> None:
        """End the current choice with the best action found so far. May be called from any thread."""
        self._expert.stop()


def maker(number: int) -> Callable[..., FastBot]:
    """Return the function that makes the bot of the level with this number, from 1."""
    return partial(SearchingStep if is_searching(number) else Step, number)
