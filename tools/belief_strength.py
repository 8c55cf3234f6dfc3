"""Measure the value of beliefs in play: the same search with and without them, on the same cards.

For each opponent the search plays duplicate deals, once with worlds drawn by the beliefs and once uniformly,
with the same number of worlds. The figures are the points for each deal above the mean of the others at the
table, and the difference of the two with its 95 % interval, clustered by deal.

    python -m tools.belief_strength --profile 500-rum --players 2 --worlds 256 --pairs 200 club greedy
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence

from rum500 import bots
from rum500.bots import Bot
from rum500.bots.search_bot import SearchBot
from rum500.rng import Rng
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
from rum500.state import deal


def lead(rules: Ruleset, players: int, seed: int, ours: Bot, theirs: Bot) -> float:
    """Return `ours`' lead over the others in points a deal, with the same cards and `ours` in every seat."""
    ways = range(2) if rules.sides else range(players)
    total = 0.0
    for way in ways:
        mine = [seat for seat in range(players) if (seat % 2 if rules.sides else seat) == way]
        points = played(rules, seed, [ours if seat in mine else theirs for seat in range(players)])
        total += sum(points[seat] for seat in mine) / len(mine)
        total -= sum(points[seat] for seat in range(players) if seat not in mine) / (players - len(mine))
    return total / len(ways)


def played(rules: Ruleset, seed: int, seats: Sequence[Bot]) -> tuple[int, ...]:
    """Return the points of one deal."""
    state = deal(rules, len(seats), seed, seed % len(seats))
    chances = [bots.rng_for(seed, seat) for seat in range(len(seats))]
    while not state.is_over:
        actor = state.actor
        choice = seats[actor].choose(state.view(actor), chances[actor])
        assert isinstance(choice, int)
        state.apply_int(choice)
    return state.scores()


def mean(values: Sequence[float]) -> str:
    """Return a mean with its 95 % interval."""
    middle = sum(values) / len(values)
    spread = sum((value - middle) ** 2 for value in values) / (len(values) - 1)
    return f"{middle:+.1f} ± {1.96 * math.sqrt(spread / len(values)):.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("opponents", nargs="+", help="bots by name; `even`: the search without beliefs")
    parser.add_argument("--profile", default="500-rum")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules = ruleset(given.profile)
    even = SearchBot("even", given.worlds)
    told = SearchBot("told", given.worlds, inference=True)
    print("| profile | players | worlds | opponent | without | with beliefs | difference | deals |")
    print("|---|---|---|---|---|---|---|---|")
    for name in given.opponents:
        other = even if name == "even" else bots.get(name)
        plain, better = [], []
        for index in range(given.pairs):
            seed = Rng(given.seed).spawn(index).next64()
            better.append(lead(rules, given.players, seed, told, other))
            plain.append(0.0 if other is even else lead(rules, given.players, seed, even, other))
        both = [a - b for a, b in zip(better, plain, strict=True)]
        print(
            f"| {given.profile} | {given.players} | {given.worlds} | {name} | {mean(plain)} "
            f"| {mean(better)} | {mean(both)} | {given.pairs} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
