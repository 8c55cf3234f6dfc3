"""Tune the weights of the core's heuristic on duplicate deals, class by class of game.

    .venv/bin/python tools/tune.py two-plain --minutes 4 --seed 1

An evolution strategy with one parent and one child. A child changes a few weights at random and plays the
same deals, seats swapped, against the same opponents as its parent: the weights set by hand, which lay cards
as they come, one who goes out as fast as can be, a distortion, the weights it all started from, and the
parent of some time ago. It takes the parent's place if it does better on these deals and again on four times
as many others. Every few trials the deals change, so that none is learnt by heart; the deals of the final
measurement are from seeds that the tuning never uses. `--trials` in place of `--minutes` makes the whole run
a matter of the seed alone. The result is written to src/rum500/bots/weights/.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
import tomllib
from collections.abc import Iterable
from pathlib import Path

from rum500.bots.weights import weights
from rum500.rules.engine.club import COST, Policy, hand_set, names
from rum500.rules.engine.core import Core
from rum500.rules.engine.play import duel
from rum500.rules.ruleset import ruleset
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


class Trial:
    """Plays candidates against the opponents, on a class's tables in turn."""

    def __init__(self, tables: tuple[tuple[str, int], ...], opponents: list[list[int]]) -> None:
        self.cores = [new_core(ruleset(name), players) for name, players in tables]
        self.opponents = opponents
        self.parent: tuple[list[int], int, list[float]] = ([], 0, [])

    def parents(self, parent: list[int], seed: int, deals: int) -> list[float]:
        """The parent's margins, played once for the children that are tried on the same deals."""
        if self.parent[:2] != (parent, seed):
            self.parent = (list(parent), seed, self.margins(parent, seed, deals))
        return self.parent[2]

    def margins(self, candidate: list[int], seed: int, deals: int) -> list[float]:
        """Points a deal and seat, deal by deal, against each opponent."""
        found: list[float] = []
        for i, opponent in enumerate(self.opponents):
            for k, core in enumerate(self.cores):
                found += per_seat(
                    core, duel(core, Policy(candidate), Policy(opponent), seed + 16 * i + k, deals)
                )
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
    # What a discard costs has been fitted before (tools/distil.py): the rest needs the tuning more.
    places = range(COST) if chance.random() < 0.7 else range(len(parent))
    for place in chance.sample(places, chance.choice((1, 1, 2, 2, 3, 5))):
        weight = child[place]
        step = chance.gauss(0, 0.4 * abs(weight) + 2)
        child[place] = max(-4000, min(4000, round(weight + step)))
        if child[place] == weight:
            child[place] += chance.choice((-1, 1))
    return child


def tune(name: str, start: list[int], options: argparse.Namespace) -> list[int]:
    """The best weights found from `start`."""
    chance = random.Random(f"{name} {options.seed}")
    parent = start
    opponents = [hand_set(), rusher(), distorted(chance, 0.3), list(start), list(parent)]
    trial = Trial(TABLES[name], opponents)
    deals = max(60, options.deals // len(trial.cores))
    end = time.monotonic() + 60 * options.minutes
    tried = taken = 0
    while tried < options.trials if options.trials else time.monotonic() < end:
        child = child_of(parent, chance)
        tried += 1
        seed = (options.seed * 1_000_003 + tried) * 1024
        shared = (options.seed * 1_000_003 + tried // SHARED * SHARED) * 1024 + 512
        first = zip(trial.margins(child, shared, deals), trial.parents(parent, shared, deals), strict=True)
        if better(first) and better(
            zip(trial.margins(child, seed, 4 * deals), trial.margins(parent, seed, 4 * deals), strict=True)
        ):
            parent = child
            taken += 1
            if taken % 10 == 0:
                trial.opponents[-1] = list(parent)
                trial.parent = ([], 0, [])
                print(f"{name}: {tried} tried, {taken} taken", parent, flush=True)
    options.tried, options.taken = tried, taken
    return parent


def better(both: Iterable[tuple[float, float]]) -> bool:
    """Whether the child's margins are better than the parent's, by a standard error."""
    mean, error = mean_and_error([one - other for one, other in both])
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


def write(name: str, best: list[int], made: str, deals: int) -> None:
    """Keep the weights with what they were made by, after what went before, and what they brought."""
    file = FOLDER / f"{name}.toml"
    before = tomllib.loads(file.read_text())["made"] if file.is_file() and "--fresh" not in made else []
    said = confirmed(name, best, deals)
    print(f"{name}: {made}; against the weights set by hand, {said}", flush=True)
    lines = [
        "# Written by tools/distil.py and tools/tune.py, one after the other: do not edit.",
        "made = [",
        *(f'    "{step}",' for step in [*before, made]),
        "]",
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
    parser.add_argument("--minutes", type=float, default=4, help="time for each class")
    parser.add_argument("--trials", type=int, default=0, help="children for each class, in place of minutes")
    parser.add_argument(
        "--deals", type=int, default=600, help="deals of a first trial, against each opponent"
    )
    parser.add_argument("--confirm", type=int, default=20_000, help="deals of the measurement at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", help="start from this class's weights, and not from its own of now")
    parser.add_argument("--fresh", action="store_true", help="start from the weights set by hand")
    options = parser.parse_args()
    for name in options.classes or TABLES:
        start = hand_set() if options.fresh else list(weights(options.start or name))
        best = tune(name, start, options)
        fresh = " --fresh" if options.fresh else f" --start {options.start}" if options.start else ""
        made = f"tools/tune.py {name} --seed {options.seed} --trials {options.tried} --deals {options.deals}"
        write(name, best, f"{made}{fresh} ({options.taken} taken)", options.confirm)
    return 0


if __name__ == "__main__":
    sys.exit(main())
