"""Tune the weights of the core's heuristic in a league, class by class of game.

    python -m tools.tune two-plain --seed 1

A champion plays duplicate deals, seats swapped, against a league: the weights set by hand, which lay cards
as they come, one who goes out as fast as can be, a distortion, the weights it all started from. In each round
the champion is bettered against the whole league, and then somebody is bettered against the champion alone
and joins the league: whoever relies on what all others do is found out, and learns better.

To better is an evolution strategy with one parent and one child. A child changes a few weights at random and
takes the parent's place if it does better on the same deals and again on four times as many others. Every few
trials the deals change, so that none is learnt by heart; the deals of the measurement at the end are from
seeds that the tuning never uses. The result, a matter of the seed and the numbers alone, is written to
src/rum500/bots/weights/.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

from rum500.bots.weights import weights
from rum500.rules.engine.club import COST, Policy, hand_set, names
from rum500.rules.engine.core import Core
from rum500.rules.engine.play import duel
from rum500.rules.ruleset import ruleset
from rum500.sim.arena._sprt import Bounds, Sprt
from rum500.state._setup import new_core

FOLDER = Path(__file__).resolve().parent.parent / "src" / "rum500" / "bots" / "weights"
#: What each class is tuned on: profile and players.
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
#: Seeds of deals from here on are for the measurement at the end.
CONFIRM = 1 << 40
#: What is accepted is likelier better by so many points a deal and seat than no better,
BETTER = 0.5
#: after so many deals at most.
MOST = 200_000


class League:
    """Those whom a candidate plays, at a class's tables; so many deals against all of them together."""

    def __init__(self, tables: tuple[tuple[str, int], ...], opponents: list[list[int]], deals: int) -> None:
        self.cores = [new_core(ruleset(name), players) for name, players in tables]
        self.opponents = opponents
        self.deals = max(20, deals // (len(self.cores) * len(opponents)))

    def margins(self, candidate: list[int], seed: int, times: int = 1) -> list[float]:
        """Points a deal and seat, deal by deal, against each opponent."""
        found: list[float] = []
        for i, opponent in enumerate(self.opponents):
            for k, core in enumerate(self.cores):
                both = Policy(candidate), Policy(opponent)
                found += per_seat(core, duel(core, *both, seed + 16 * i + k, times * self.deals))
        return found


def per_seat(core: Core, margins: list[int]) -> list[float]:
    """Margins of a duel as points a deal and player."""
    parts = 2 * (core.n // 2) if core.sides == 2 else core.n * (core.n - 1)
    return [margin / parts for margin in margins]


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean, and its standard error."""
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / len(values) / (len(values) - 1))


def distorted(chance: random.Random, spread: float) -> list[int]:
    """The weights set by hand, each off by a random factor."""
    return [round(weight * math.exp(chance.gauss(0, spread))) for weight in hand_set()]


def rusher() -> list[int]:
    """One who takes little, lays all at once and goes out as fast as can be."""
    changed = {"lay": 64, "cards": -32, "go": 4000, "fourth": 0, "open": 0}
    return [changed.get(name, weight) for name, weight in zip(names(), hand_set(), strict=True)]


def child_of(parent: list[int], chance: random.Random) -> list[int]:
    """A few weights changed: by a factor, by a step, now and then to the other sign."""
    child = list(parent)
    # There are many signs of a discard, and each matters little: the rest needs the tuning more.
    places = range(COST) if chance.random() < 0.6 else range(len(parent))
    for place in chance.sample(places, chance.choice((1, 1, 2, 2, 3, 5))):
        weight = child[place]
        step = chance.gauss(0, 0.4 * abs(weight) + 2)
        child[place] = max(-4000, min(4000, round(weight + step)))
        if child[place] == weight:
            child[place] += chance.choice((-1, 1))
    return child


def bettered(parent: list[int], league: League, trials: int, chance: random.Random) -> list[int]:
    """The best weights found from `parent` against a league."""
    margins: list[float] = []
    shared = 0
    for trial in range(trials):
        if trial % SHARED == 0:
            shared, margins = seed_of(chance), []
        child = child_of(parent, chance)
        margins = margins or league.margins(parent, shared)
        if better(league.margins(child, shared), margins):
            fresh = seed_of(chance)
            if better(league.margins(child, fresh, 4), league.margins(parent, fresh, 4)):
                parent, margins = child, []
    return parent


def seed_of(chance: random.Random) -> int:
    """A seed below those of the measurement, with room for every opponent and table."""
    return chance.randrange(CONFIRM >> 10) << 10


def tune(name: str, start: list[int], options: argparse.Namespace) -> list[int]:
    """The champion of a league, from `start`."""
    chance = random.Random(f"{name} {options.seed}")
    tables = TABLES[name]
    champion = start
    opponents = [hand_set(), rusher(), distorted(chance, 0.3), start]
    for number in range(1, options.rounds + 1):
        champion = bettered(champion, League(tables, opponents, options.deals), options.trials, chance)
        alone = League(tables, [champion], options.deals)
        nearest = max(opponents, key=lambda other: mean_and_error(alone.margins(other, CONFIRM >> 1, 4))[0])
        found = bettered(nearest, alone, options.trials, chance)
        gain, error = mean_and_error(alone.margins(found, CONFIRM >> 1, 4))
        print(f"{name}: round {number}; found out by {gain:.1f} ± {1.96 * error:.1f}", flush=True)
        opponents.append(found)
    return bettered(champion, League(tables, opponents, options.deals), options.trials, chance)


def better(child: Iterable[float], parent: Iterable[float]) -> bool:
    """Whether the child's margins are better than the parent's, by a standard error."""
    mean, error = mean_and_error([one - other for one, other in zip(child, parent, strict=True)])
    return mean > error


def confirmed(name: str, best: list[int], deals: int) -> str:
    """What the weights bring against those set by hand, on deals the tuning never saw."""
    said = []
    for k, (profile, players) in enumerate(TABLES[name]):
        core = new_core(ruleset(profile), players)
        seed = CONFIRM + 64 * k
        mean, error = mean_and_error(per_seat(core, duel(core, Policy(best), Policy([]), seed, deals)))
        said.append(f"{profile} {players}: {mean:+.2f} ± {1.96 * error:.2f}")
    return "; ".join(said)


def accepted(name: str, new: list[int], old: list[int]) -> str:
    """What a sequential test says of new weights, none if it does not take them.

    Both play the same deals, which the tuning never saw, with the old weights, those set by hand, and one who
    goes out as fast as can be. Accepted is what is likelier better by `BETTER` points a deal than no better.
    """
    field = League(TABLES[name], [old, hand_set(), rusher()], 0)
    test = Sprt(Bounds("points", 0.0, BETTER), 0.0, BETTER)
    seed = CONFIRM << 1
    while test.verdict is None and test.clusters < MOST:
        for one, other in zip(field.margins(new, seed, 5), field.margins(old, seed, 5), strict=True):
            test.add(one - other)
        seed += 1 << 10
    if test.verdict != "upper":
        return ""
    return f"{BETTER} rather than 0 points a deal better, after {test.clusters} deals"


def write(name: str, best: list[int], old: list[int], made: str, deals: int) -> None:
    """Keep the weights, if they are accepted, with what they were made by (if anew) and what they brought."""
    verdict = accepted(name, best, old)
    if not verdict:
        print(f"{name}: {made or 'again'}; not shown to be better: nothing is written", flush=True)
        return
    file = FOLDER / f"{name}.toml"
    before = tomllib.loads(file.read_text())["made"] if file.is_file() and "--fresh" not in made else []
    compared = "those they started from" if made else "those set by hand"
    said = confirmed(name, best, deals)
    print(f"{name}: {made or 'again'}; {verdict}; against the weights set by hand, {said}", flush=True)
    lines = [
        "# Written by tools/distil.py and tools/tune.py: do not edit.",
        "made = [",
        *(f'    "{step}",' for step in [*before, *([made] if made else [])]),
        "]",
        "# What a sequential test said, 5 % of error, on deals the tuning never saw.",
        f'accepted = "{verdict}, than {compared}"',
        "# Points a deal and player against the weights set by hand, 95 %, on deals the tuning never saw.",
        f'confirmed = "{said}"',
        f"confirmed_deals = {deals}",
        f"confirmed_seed = {CONFIRM}",
        "",
        "[weights]",
        *(f"{key} = {weight}" for key, weight in zip(names(), best, strict=True)),
        "",
    ]
    file.write_text("\n".join(lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("classes", nargs="*", help="classes of game; all if none is named")
    parser.add_argument("--rounds", type=int, default=5, help="how often the champion is found out")
    parser.add_argument("--trials", type=int, default=1000, help="children of each bettering")
    parser.add_argument("--deals", type=int, default=1200, help="deals of a first trial")
    parser.add_argument("--confirm", type=int, default=20_000, help="deals of the measurement at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", help="start from this class's weights, and not from its own of now")
    parser.add_argument(
        "--again", action="store_true", help="tune nothing; test and measure what is there, and write that"
    )
    parser.add_argument("--fresh", action="store_true", help="start from the weights set by hand")
    options = parser.parse_args()
    for name in options.classes or TABLES:
        if options.again:
            write(name, list(weights(name)), hand_set(), "", options.confirm)
            continue
        start = hand_set() if options.fresh else list(weights(options.start or name))
        best = tune(name, start, options)
        fresh = " --fresh" if options.fresh else f" --start {options.start}" if options.start else ""
        made = (
            f"tools/tune.py {name}{fresh} --seed {options.seed} --rounds {options.rounds} "
            f"--trials {options.trials} --deals {options.deals}"
        )
        write(name, best, start, made, options.confirm)
    return 0


if __name__ == "__main__":
    sys.exit(main())
