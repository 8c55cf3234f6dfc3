"""Deals for training and testing beliefs about hidden hands: who plays them, and what is collected."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rum500 import bots
from rum500.ai.card_odds import CLASSES, profile_class
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy import Policy
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
from rum500.state import State, deal
from rum500.view import View

Chooser = Callable[[State, Rng], int]

GAMES: dict[str, tuple[tuple[Ruleset, int], ...]] = {
    "two": tuple(
        (ruleset(name), 2) for name in ("500-rum", "500-rum", "500-rummy", "rummy-500", "michigan-rum")
    ),
    "several": tuple(
        (ruleset(name), players)
        for players in (3, 4)
        for name in ("500-rum", "500-rummy", "rummy-500", "michigan-rum")
    ),
    "partners": tuple(
        (ruleset(name), 4)
        for name in (
            "partnership-500-rum",
            "partnership-500-rummy",
            "persian-rummy",
            "persian-rummy-fosdick",
            "persian-rummy-gamerules",
        )
    ),
    "double": tuple((ruleset(name), players) for players in (5, 6) for name in ("500-rum", "rummy-500")),
}
"""The games of each class of profiles."""


def check_games() -> None:
    """Check that every game is listed under its class."""
    assert tuple(GAMES) == CLASSES
    for name, games in GAMES.items():
        assert all(profile_class(rules, players) == name for rules, players in games), name


def club(rules: Ruleset, players: int, rng: Rng) -> Chooser:
    """Return `club`, the tuned heuristic."""
    plays = policy(rules, players)
    return lambda state, chance: plays.choice(state.core)


def casual(rules: Ruleset, players: int, rng: Rng) -> Chooser:
    """Return `casual`, the heuristic that forgets which cards others took."""
    plays = policy(rules, players, "casual")
    return lambda state, chance: plays.choice(state.core)


def kin(rules: Ruleset, players: int, rng: Rng) -> Chooser:
    """Return a heuristic whose weights are each changed by a random factor between 1/e and e."""
    weights = [round(w * math.exp(rng.random() * 2 - 1)) for w in policy(rules, players).weights()]
    plays = Policy(weights, rng.random() < 0.5)
    return lambda state, chance: plays.choice(state.core)


def prompt(rules: Ruleset, players: int, rng: Rng) -> Chooser:
    """Return the manual heuristic before tuning, which lays what it can at once."""
    plays = Policy([])
    return lambda state, chance: plays.choice(state.core)


def lax(rules: Ruleset, players: int, rng: Rng) -> Chooser:
    """Return a heuristic that sometimes plays at random, up to once in four."""
    plays, often = kin(rules, players, rng), rng.random() / 4
    return lambda state, chance: at_random(state, chance) if chance.random() < often else plays(state, chance)


def at_random(state: State, chance: Rng) -> int:
    """Return a random legal action."""
    legal = state.legal_ints()
    return legal[chance.below(len(legal))]


def bot(name: str, **budget: float) -> Callable[[Ruleset, int, Rng], Chooser]:
    """Return a function that makes a registered bot, which chooses from its view."""

    def maker(rules: Ruleset, players: int, rng: Rng) -> Chooser:
        plays = bots.get(name, **budget)

        def choose(state: State, chance: Rng) -> int:
            return code_of(plays.choose(state.view(state.actor), chance))

        return choose

    return maker


PLAYERS: dict[str, Callable[[Ruleset, int, Rng], Chooser]] = {
    "club": club,
    "casual": casual,
    "kin": kin,
    "prompt": prompt,
    "lax": lax,
    "random": lambda rules, players, rng: at_random,
    "searcher": bot("strong", worlds=32),
    "greedy": bot("greedy"),
}
TRAINING = (
    *("club", "club", "casual", "kin", "kin", "prompt", "prompt", "lax", "random"),
    *("searcher", "searcher", "searcher"),
)
"""The players of the training deals; `greedy` is not among them."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A decision: the view of its seat, and how many of each hidden card every other seat really has."""

    view: View
    hidden: tuple[Counter[int], ...]
    deal: int
    players: tuple[str, ...]


def samples(
    games: Sequence[tuple[Ruleset, int]], kinds: Sequence[str], seed: int, deals: int, rate: float
) -> Iterator[Sample]:
    """Play this many deals and yield each decision with the probability `rate`.

    Every seat's player is drawn from `kinds`; in half of the deals all players are of the same kind.
    """
    for index in range(deals):
        rng = Rng(seed).spawn(index)
        rules, players = games[index % len(games)]
        names = tuple(kinds[rng.below(len(kinds))] for _ in range(players))
        names = names if rng.below(2) else (names[0],) * players
        choosers = [PLAYERS[name](rules, players, rng) for name in names]
        state = deal(rules, players, rng.next64(), rng.below(players))
        while not state.is_over:
            if rng.random() < rate and len(state.past) > players:
                yield Sample(state.view(state.actor), _hidden(state), index, names)
            state.apply_int(choosers[state.actor](state, rng))


def _hidden(state: State) -> tuple[Counter[int], ...]:
    return tuple(
        Counter[int](hand) - Counter(state.known(seat)) if seat != state.actor else Counter()
        for seat, hand in enumerate(state.hands)
    )
