"""Train the weights of the core's heuristic, from the manual ones; writes src/rum500/ai/weights/.

    python -m tools.train_club [two-plain ...] [--seed N] [--workers 2]

Each class of game is a separate run: a league first (tools/league.py), then lessons by search, each with the
rollouts of the one before (tools/distil.py). Finally the weights are improved against players who lay cards
as they come, as long as the new weights lose nothing against the old ones. The result depends only on the
seed and the numbers, not on the workers. With `--set NAME=VALUE` nothing is trained: the existing weights are
tested with this one weight changed. Weights are written only if a sequential test on deals that training
never saw shows that they are better than the existing ones. With `--fresh` they are tested against the manual
ones; with `--again` nothing is trained, and the existing ones are tested in this way.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from rum500.ai.heuristic_levels import toml_lines, weights
from rum500.ai.policy import Policy
from rum500.ai.policy_deals import duel
from rum500.ai.policy_weights import hand_set, names
from rum500.rules.profiles import ruleset
from rum500.sim.arena.sprt import Sprt, SprtBounds
from rum500.state.core_setup import new_core
from tools.distil import Lesson, taught
from tools.league import CONFIRM, TABLES, League, champion, mean_and_error, per_seat, rusher, widened

FOLDER = Path(__file__).resolve().parent.parent / "src" / "rum500" / "ai" / "weights"
#: Classes whose weights come from a second seed: with the first, a copy that weighed the others half as much
#: was better.
SEEDS = {"table-wild": 2}
#: New weights are accepted if they are likelier better by so many points a deal and seat than not better,
BETTER = 0.5
#: after at most this many deals.
MOST = 200_000
#: The number of deals of the measurement at each table.
MEASURED = 20_000


def trained(name: str, seed: int, options: argparse.Namespace) -> list[int]:
    """Return the weights of a class: the league's champion, taught by search, and widened."""
    began = time.monotonic()
    best = champion(name, seed, options.rounds, options.trials)
    print(f"{name}: the league took {time.monotonic() - began:.0f} s", flush=True)
    best = taught(name, best, seed, options.lessons, Lesson(options.positions))
    best = widened(name, best, seed, options.trials)
    print(f"{name}: trained in {time.monotonic() - began:.0f} s", flush=True)
    return best


def changed(weights: list[int], words: str) -> list[int]:
    """Return the weights with one of them set, given as `name=value`."""
    key, _, value = words.partition("=")
    found = list(weights)
    found[names().index(key)] = int(value)
    return found


def accepted(name: str, new: list[int], old: list[int]) -> str:
    """Return the verdict of a sequential test of new weights; empty if it rejects them.

    Both play the same deals, which training never saw, with the old weights, the manual ones, and a player
    who goes out as fast as possible. Weights are accepted if they are likelier better by `BETTER` points for
    each deal than no better.
    """
    field = League(TABLES[name], [old, hand_set(), rusher()], 0)
    test = Sprt(SprtBounds("points", 0.0, BETTER), 0.0, BETTER)
    seed = CONFIRM << 1
    while test.verdict is None and test.clusters < MOST:
        for one, other in zip(field.margins(new, seed, 5), field.margins(old, seed, 5), strict=True):
            test.add(one - other)
        seed += 1 << 10
    if test.verdict != "upper":
        return ""
    return f"{BETTER} rather than 0 points a deal better, after {test.clusters} deals"


def measured(name: str, best: list[int]) -> str:
    """Return the gain of the weights over the manual ones, on deals that training never saw."""
    said = []
    for k, (profile, players) in enumerate(TABLES[name]):
        core = new_core(ruleset(profile), players)
        seed = CONFIRM + 64 * k
        mean, error = mean_and_error(per_seat(core, duel(core, Policy(best), Policy([]), seed, MEASURED)))
        said.append(f"{profile} {players}: {mean:+.2f} ± {1.96 * error:.2f}")
    return "; ".join(said)


def run(name: str, options: argparse.Namespace) -> str:
    """Train a class, or take the existing weights; store accepted ones. Return a line with the result."""
    stands = list(weights(name))
    seed = SEEDS.get(name, 1) if options.seed is None else options.seed
    if options.set:
        best = changed(stands, options.set)
    else:
        best = stands if options.again else trained(name, seed, options)
    by_hand = options.again or options.fresh
    verdict = accepted(name, best, hand_set() if by_hand else stands)
    if not verdict:
        return f"{name}: not shown to be better, nothing is written"
    said = measured(name, best)
    made = (
        f"python -m tools.train_club {name} --seed {seed} --rounds {options.rounds} "
        f"--trials {options.trials} --lessons {options.lessons} --positions {options.positions}"
    )
    file = FOLDER / f"{name}.toml"
    head = file.read_text().split("\n", 2) if options.again or options.set else ["", f'made = "{made}"', ""]
    if options.set:
        head[1] = f'{head[1]}\nthen = "python -m tools.train_club {name} --set {options.set}"'
    lines = [
        "# Written by tools/train_club.py: do not edit.",
        head[1],
        "# What a sequential test said, 5 % of error, on deals that training never saw.",
        f'accepted = "{verdict}, than {"those set by hand" if by_hand else "those before them"}"',
        "# Points a deal and player against the weights set by hand, 95 %, on deals that training never saw.",
        f'measured = "{said}"',
        f"measured_deals = {MEASURED}",
        f"measured_seed = {CONFIRM}",
        "",
        "[weights]",
        *toml_lines(best),
        "",
    ]
    file.write_text("\n".join(lines))
    return f"{name}: {verdict}; against the weights set by hand, {said}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("classes", nargs="*", metavar="class", help="classes of game; all if none is named")
    parser.add_argument("--rounds", type=int, default=4, help="how often the league's champion is found out")
    parser.add_argument("--trials", type=int, default=800, help="children of each bettering")
    parser.add_argument("--lessons", type=int, default=4, help="lessons by search")
    parser.add_argument("--positions", type=int, default=6000, help="searched choices of a lesson")
    parser.add_argument("--set", metavar="NAME=VALUE", help="train nothing; test the weights with this one")
    parser.add_argument("--seed", type=int, help="in place of each class's own")
    parser.add_argument("--workers", type=int, default=2, help="classes that are trained at once")
    parser.add_argument("--fresh", action="store_true", help="test against the weights set by hand")
    parser.add_argument(
        "--again", action="store_true", help="train nothing; test and measure the weights that are there"
    )
    options = parser.parse_args()
    # The largest tables take longest. If begun last, one of them would leave the other workers idle at the
    # end.
    classes = options.classes or list(reversed(TABLES))
    if unknown := set(classes) - set(TABLES):
        parser.error(f"no class of game is named {', '.join(sorted(unknown))}; there are {', '.join(TABLES)}")
    with ProcessPoolExecutor(options.workers) as pool:
        for future in as_completed([pool.submit(run, name, options) for name in classes]):
            print(future.result(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
