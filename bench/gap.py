"""Measure how much of the gain from seeing the others' hands a level reaches without seeing them.

    python bench/gap.py persian-rummy [--worlds 256] [--pairs 60] [--seed 41] [--run FILE]

`club`, `expert` and the reference that sees hands each play the same shuffles, in exchanged seats, against
`greedy`, which neither the rollouts nor the beliefs know. The share is the gain of `expert` over `club`
divided by the gain of the reference; its interval is 95 % and clustered by shuffle, which all three share.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rum500 import ruleset
from rum500.sim.arena.clusters import Plan
from rum500.sim.arena.entrants import notes_on_all
from rum500.sim.arena.run_arena import play
from rum500.sim.arena.tally import Tally
from rum500.sim.estimates import Estimate, per_item
from rum500.sim.run_file import RunHead

STRANGER = "greedy"
SEES = "sees-hands:worlds=256"


def share(low: Tally, bot: Tally, high: Tally) -> Estimate:
    """Return how far a bot is between the two others, on the shuffles that all played."""
    gained, gap = (
        [mine - his for mine, his in zip(of.points, low.points, strict=True)] for of in (bot, high)
    )
    return per_item(gained, gap)


def told(estimate: Estimate, unit: float = 1, digits: int = 1) -> str:
    """Return a figure with its interval, for tables."""
    value, low, high = (unit * each for each in (estimate.value, estimate.low, estimate.high))
    return f"{value:+.{digits}f} ({low:.{digits}f} to {high:.{digits}f})".replace("-", "−")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profile")
    parser.add_argument("--worlds", type=int, default=256, help="those of expert")
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--run", type=Path, help="keep what was played in this file, and go on from it")
    given = parser.parse_args()
    rules = ruleset(given.profile)
    entrants = ("club", f"expert:worlds={given.worlds}", SEES)
    plans = [
        Plan(rules, rules.players[0], (entrant, STRANGER), given.pairs, given.seed, "deal", "alternate", None)
        for entrant in entrants
    ]
    head = RunHead("gap", plans, notes_on_all(entrants))
    tallies = [tally for (tally,) in play(head, workers=given.workers, run=given.run)[0]]
    means = [told(tally.score().points) for tally in tallies]
    reached = told(share(*tallies), 100, 0).lstrip("+")
    print(f"| game, pairs | {' | '.join(f'`{name}`' for name in entrants)} | share of the gap |")
    print("|---|---|---|---|---|")
    print(f"| `{rules.name}`, {given.pairs} | {' | '.join(means)} | {reached} % |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
