"""A league that improves the weights of the core's heuristic, separately for each class of game.

A champion plays duplicate deals, with seats swapped, against a league: the manual weights, which lay cards as
soon as they can, a player who goes out as fast as possible, and a distorted copy. In each round the champion
is improved against the whole league. Then a challenger is improved against the champion alone and joins the
league, which exposes a champion that relies on the habits of the other players.

The improvement is an evolution strategy with one parent and one child. A child changes a few weights at
random and replaces the parent if it is better on the same deals and again on four times as many others. Every
few trials the deals change, to prevent overfitting. The league never uses the seeds of tests and
measurements.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

from rum500.ai.policy import COST, Policy
from rum500.ai.policy_deals import duel
from rum500.ai.policy_weights import hand_set, names
from rum500.rules.engine.core import Core
from rum500.rules.profiles import ruleset
from rum500.state.core_setup import new_core

#: The tables at which each class is played: profile and players.
TABLES: dict[str, tuple[tuple[str, int], ...]] = {
    "two-plain": (("500-rum", 2), ("500-rummy", 2)),
    "two-wild": (("rummy-500", 2),),
    "two-winner": (("michigan-rum", 2),),
    "table-plain": (("500-rum", 3), ("500-rum", 4), ("500-rummy", 3)),
    "table-wild": (("rummy-500", 3), ("rummy-500", 4)),
    "table-winner": (("michigan-rum", 3), ("michigan-rum", 4)),
    "packs-plain": (("500-rum", 6), ("500-rummy", 5), ("500-rum", 8)),
    "packs-wild": (("rummy-500", 6), ("rummy-500", 5)),
    "packs-winner": (("michigan-rum", 6), ("michigan-rum", 5)),
    "sides-plain": (("partnership-500-rum", 4), ("partnership-500-rummy", 4)),
    "sides-rank": (
        ("persian-rummy", 4),
        ("persian-rummy-fosdick", 4),
        ("persian-rummy-gamerules", 4),
    ),
}
#: So many children in a row are tried on the same deals at first.
SHARED = 8
#: Seeds from this one on are for tests and measurements.
CONFIRM = 1 << 40


class League:
    """The opponents of a candidate at the tables of a class, and the number of deals against all of them."""

    def __init__(self, tables: tuple[tuple[str, int], ...], opponents: list[list[int]], deals: int) -> None:
        self.cores = [new_core(ruleset(name), players) for name, players in tables]
        self.opponents = opponents
        self.deals = max(20, deals // (len(self.cores) * len(opponents)))

    def margins(self, candidate: list[int], seed: int, times: int = 1) -> list[float]:
        """Return points for each deal and seat, deal by deal, against each opponent."""
        found: list[float] = []
        for i, opponent in enumerate(self.opponents):
            for k, core in enumerate(self.cores):
                both = Policy(candidate), Policy(opponent)
                found += per_seat(core, duel(core, *both, seed + 16 * i + k, times * self.deals))
        return found


def per_seat(core: Core, margins: list[int]) -> list[float]:
    """Return margins of a duel as points for each deal and player."""
    parts = 2 * (core.n // 2) if core.sides == 2 else core.n * (core.n - 1)
    return [margin / parts for margin in margins]


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / len(values) / (len(values) - 1))


def distorted(chance: random.Random, spread: float) -> list[int]:
    """Return the manual weights, each changed by a random factor."""
    return [round(weight * math.exp(chance.gauss(0, spread))) for weight in hand_set()]


def rusher() -> list[int]:
    """Return the weights of a player who takes few cards, lays all at once and goes out very fast."""
    changed = {"lay": 64, "cards": -32, "go": 4000, "fourth": 0, "open": 0}
    return [changed.get(name, weight) for name, weight in zip(names(), hand_set(), strict=True)]


def child_of(parent: list[int], chance: random.Random) -> list[int]:
    """Return the weights with one to five of them changed by a random step."""
    child = list(parent)
    # Many weights concern discards, and each of them matters little; the others need more tuning.
    places = range(COST) if chance.random() < 0.6 else range(len(parent))
    for place in chance.sample(places, chance.choice((1, 1, 2, 2, 3, 5))):
        weight = child[place]
        step = chance.gauss(0, 0.4 * abs(weight) + 2)
        child[place] = max(-4000, min(4000, round(weight + step)))
        if child[place] == weight:
            child[place] += chance.choice((-1, 1))
    return child


def bettered(
    parent: list[int], league: League, trials: int, chance: random.Random, rivals: League | None = None
) -> list[int]:
    """Return the best weights found from `parent` against a league; they are not worse against `rivals`."""
    margins: list[float] = []
    shared = 0
    for trial in range(trials):
        if trial % SHARED == 0:
            shared, margins = seed_of(chance), []
        child = child_of(parent, chance)
        margins = margins or league.margins(parent, shared)
        if better(league.margins(child, shared), margins):
            fresh = seed_of(chance)
            if better(league.margins(child, fresh, 4), league.margins(parent, fresh, 4)) and (
                rivals is None
                or sum(rivals.margins(child, fresh, 4)) >= sum(rivals.margins(parent, fresh, 4))
            ):
                parent, margins = child, []
    return parent


def seed_of(chance: random.Random) -> int:
    """Return a seed below those of tests and measurements, with room for every opponent and table."""
    return chance.randrange(CONFIRM >> 10) << 10


def champion(name: str, seed: int, rounds: int, trials: int, deals: int = 1200) -> list[int]:
    """Return the champion of a class's league after this many rounds, from the manual weights.

    `trials` is the number of children of each improvement, `deals` the number in a first trial against the
    whole league.
    """
    chance = random.Random(f"{name} {seed} league")
    tables = TABLES[name]
    best = hand_set()
    opponents = [hand_set(), rusher(), distorted(chance, 0.3)]
    for number in range(1, rounds + 1):
        best = bettered(best, League(tables, opponents, deals), trials, chance)
        alone = League(tables, [best], deals)
        nearest = max(opponents, key=lambda other: mean_and_error(alone.margins(other, CONFIRM >> 1, 4))[0])
        found = bettered(nearest, alone, trials, chance)
        gain, error = mean_and_error(alone.margins(found, CONFIRM >> 1, 4))
        print(f"{name}: round {number}; found out by {gain:.1f} ± {1.96 * error:.1f}", flush=True)
        opponents.append(found)
    return bettered(best, League(tables, opponents, deals), trials, chance)


def widened(name: str, best: list[int], seed: int, trials: int, deals: int = 1200) -> list[int]:
    """Return weights that win more from players who lay at once, and do not lose against `best`."""
    chance = random.Random(f"{name} {seed} widen")
    strangers = League(TABLES[name], [hand_set(), rusher(), distorted(chance, 0.3)], deals)
    return bettered(best, strangers, trials, chance, League(TABLES[name], [best], deals // 2))


def better(child: Iterable[float], parent: Iterable[float]) -> bool:
    """Return whether the child's margins are better than the parent's, by a standard error."""
    mean, error = mean_and_error([one - other for one, other in zip(child, parent, strict=True)])
    return mean > error
