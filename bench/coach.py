"""Measure the coach: its time, how often it is sure, and whether many more worlds confirm its golden plays.

    python bench/coach.py [--decisions 100] [--worlds 4096] [--seed 1]

Decisions are sampled from deals of `greedy`, `casual` and `club` in five games. Each is judged as for a hint,
and again in `--worlds` worlds of another seed. A golden play is confirmed if in these worlds no other play is
surely better, in either way of going on. Times are processor time of one thread.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from statistics import mean

from review import GAMES, decisions

from rum500.coach import Advice, Adviser
from rum500.review.verdict import Budget
from rum500.rng import Rng


def confirmed(advice: Advice, again: Advice) -> bool:
    """Return whether the golden play is the best in another measurement too, as far as that can tell."""
    assert advice.gold is not None
    return not any(way.of(advice.gold).sure for way in again.ways)


def main() -> int:
    """Judge the decisions and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--decisions", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=4_096)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sure = Adviser(Budget("sure", given.worlds, 1_024, whole=True), seed=1)
    print(f"| {platform.machine()} | decisions | ms a hint | depends | golden | confirmed |")
    print("|---|---|---|---|---|---|")
    rng = Rng(given.seed)
    for game in GAMES:
        times, depends, golden, right = list[float](), 0, 0, 0
        for number in range(given.decisions // len(GAMES)):
            found = decisions(game, 1000 * given.seed + number)
            state, _ = found[rng.below(len(found))]
            view = state.view(state.actor)
            began = time.process_time()
            advice = Adviser().advise(view)
            times.append(1000 * (time.process_time() - began))
            assert advice is not None
            depends += advice.depends
            if advice.gold is not None:
                again = sure.advise(view)
                assert again is not None
                golden, right = golden + 1, right + confirmed(advice, again)
        row = (len(times), f"{mean(times):.0f}", depends, golden, right)
        print(f"| {game[0]}, {game[1]} players | {' | '.join(map(str, row))} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
