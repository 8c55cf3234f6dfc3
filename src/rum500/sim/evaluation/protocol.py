"""The protocols of the evaluation: everything that is the same for every bot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rum500.rules.profiles import ruleset
from rum500.sim.arena.clusters import Plan
from rum500.sim.deals import Entrant
from rum500.styles import STYLES

VERSION = 1
"""The version of the protocols. It changes with their games, opponents, seeds and numbers of pairs, and if an
opponent plays differently.
"""
SEED = 4_200_000
"""The seed of the first contest; every contest has its own. No bot was tuned on these cards."""
MEASURE = "club"
"""The level against which the opponents and the time of a choice are measured."""


@dataclass(frozen=True, slots=True)
class EvaluationGame:
    """A game of the protocol."""

    profile: str
    players: int
    pairs: int
    """The number of shuffles against each opponent, each played in every seating."""

    @property
    def name(self) -> str:
        """The profile and the number of players, `500-rum/2`."""
        return f"{self.profile}/{self.players}"


@dataclass(frozen=True)
class Protocol:
    """The games, opponents and cards of an evaluation."""

    name: str
    """The name in results; results of different protocols cannot be compared."""
    games: tuple[EvaluationGame, ...]
    """The games."""
    opponents: tuple[str, ...]
    """The opponents, weakest levels first. Those that search have a budget in worlds, and no clock."""
    toys: tuple[str, ...]
    """The toy games in which the exploitability is computed, by the names of `TOYS`."""
    toy_seeds: int
    """The number of seeds with which a bot is asked in each view of a toy game."""
    timed_deals: int
    """The number of deals of each game in which the time of choices is measured."""

    def plans(self, bot: Entrant) -> list[Plan]:
        """Return the plans of the bot's contests, game by game, in each game against every opponent."""
        return [
            self._plan(game, at, bot, opponent, game.pairs, number)
            for at, game in enumerate(self.games)
            for number, opponent in enumerate(self.opponents)
        ]

    @cached_property
    def opponent_plans(self) -> list[Plan]:
        """The plans of one pair of deals of each opponent in each game, which show how it plays."""
        return [
            self._plan(game, at, opponent, MEASURE, 1, len(self.opponents) + number)
            for at, game in enumerate(self.games)
            for number, opponent in enumerate(self.opponents)
        ]

    def _plan(
        self, game: EvaluationGame, at: int, bot: Entrant, opponent: str, pairs: int, number: int
    ) -> Plan:
        seed = SEED + 100 * at + number
        return Plan(ruleset(game.profile), game.players, (bot, opponent), pairs, seed, "deal")


def _games(pairs: int) -> tuple[EvaluationGame, ...]:
    """Return the games; with three players, who have three times the seatings, a third of the pairs."""
    return (
        EvaluationGame("500-rum", 2, pairs),
        EvaluationGame("rummy-500", 2, pairs),
        EvaluationGame("michigan-rum", 3, max(3, pairs // 3)),
        EvaluationGame("persian-rummy", 4, pairs),
        EvaluationGame("500-rummy", 6, pairs),
    )


_STYLES = tuple(f"{style.__module__}:{style.__name__}" for style in STYLES)
FULL = Protocol(
    name=str(VERSION),
    games=_games(60),
    opponents=("greedy", "club", "strong:worlds=16", *_STYLES),
    toys=("small", "laying"),
    toy_seeds=8,
    timed_deals=4,
)
"""The protocol of results that are published."""
QUICK = Protocol(
    name=f"{VERSION}-quick",
    games=_games(6),
    opponents=("greedy", "club", "strong:worlds=4", *_STYLES),
    toys=("small",),
    toy_seeds=8,
    timed_deals=1,
)
"""A tenth of the pairs, for a first look and for bots that think for long."""
