"""Play deals with every level mixed at random and check each choice: python tools/soak_bots.py --deals 5000.

Profiles, house rules and numbers of players change from deal to deal. It ends with an error at the first
choice that is illegal or late, if a deal does not end, and if memory grows. The checks are those of
tests/test_bot_soak.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500 import bots
from tests.support.soaking import Memory, Soaked, SoakFailure, soak

GRACE = 0.05
"""The time that a choice may exceed its level's budget, as at a live table."""
MOST_GROWTH = 8 << 20
"""The largest growth of a worker in bytes over the second half of its deals; any leak exceeds it."""
STRETCH = 50
WORLDS = 64


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--deals", type=int, default=5000)
    options.add_argument("--seed", type=int, default=500)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument(
        "--seconds", type=float, default=0.02, help="a choice's budget for levels that search"
    )
    options.add_argument("--first", type=int, default=0, help="the first deal's number")
    chosen = options.parse_args()
    started, found, workers = time.perf_counter(), Soaked(), []
    job = partial(worker, chosen)
    if chosen.workers == 1:
        results: Iterator[tuple[Soaked, list[int]]] = map(job, [0])
    else:
        pool = ProcessPoolExecutor(chosen.workers)
        results = pool.map(job, range(chosen.workers))
    try:
        for part, grown in results:
            found.add(part)
            workers.append(grown)
    except SoakFailure as failure:
        print(failure, file=sys.stderr)
        return 1
    print(summary(found, workers, time.perf_counter() - started))
    return int(max(sum(grown[2:]) for grown in workers) > MOST_GROWTH)


def worker(chosen: argparse.Namespace, number: int) -> tuple[Soaked, list[int]]:
    """Play a share of the deals; return what was played, and the growth in bytes in each quarter."""
    numbers = range(chosen.first + number, chosen.first + chosen.deals, chosen.workers)
    found, held = Soaked(), [Memory.now().resident]
    for quarter in range(4):
        part = numbers[quarter * len(numbers) // 4 : (quarter + 1) * len(numbers) // 4]
        for first in range(0, len(part), STRETCH):
            soak(
                chosen.seed,
                part[first : first + STRETCH],
                partial(make, chosen.seconds),
                lambda level: budget(level, chosen.seconds) + GRACE,
                found,
            )
            if chosen.workers == 1 and sys.stderr.isatty():
                print(f"\r{found.deals} deals", end="", file=sys.stderr, flush=True)
        held.append(Memory.now().resident)
    return found, [after - before for before, after in pairwise(held)]


def make(seconds: float, name: str) -> bots.Bot:
    """Return a bot of this level: with its time limit for a choice if it has one, else with few worlds."""
    takes = allowed(name)
    if "seconds" in takes:
        return bots.get(name, seconds=seconds)
    return bots.get(name, worlds=WORLDS) if "worlds" in takes else bots.get(name)


def budget(name: str, seconds: float) -> float:
    """Return the seconds for a choice of a level that searches; 0 for other levels."""
    return seconds if allowed(name) else 0.0


def allowed(name: str) -> frozenset[str]:
    """Return the options of a level's budget."""
    return frozenset(next((level.budget for level in bots.levels() if level.name == name), {}))


def summary(found: Soaked, workers: list[list[int]], seconds: float) -> str:
    """Return the lines with the result."""
    ends = ", ".join(f"{reason} {count}" for reason, count in sorted(found.ends.items()))
    lines = [
        f"{found.deals} deals, {len(found.tables)} kinds of table, {found.choices} choices, legal, in time",
        f"ends: {ends}",
    ]
    for name, times in sorted(found.times.items()):
        ordered = sorted(times)
        at = [
            ordered[min(len(ordered) - 1, len(ordered) * share // 1000)] * 1000 for share in (500, 950, 999)
        ]
        lines.append(
            f"{name}: {len(times)} choices, median {at[0]:.2f} ms, 95 % {at[1]:.2f}, 99.9 % {at[2]:.2f}, "
            f"most {ordered[-1] * 1000:.2f}"
        )
    for number, grown in enumerate(workers, 1):
        each = ", ".join(f"{more / 1024:+.0f}" for more in grown)
        lines.append(f"memory of worker {number}, KiB by quarter: {each}")
    lines.append(f"{seconds:.0f} s")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
