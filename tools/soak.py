"""Play many random deals of each profile and check every one: python tools/soak.py --deals 200000.

Each deal's cards are counted and its points are computed again at the end. Some deals are checked at each
play, with their legal actions and thousands of others. The checks are those of tests/test_properties.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500.rules.profiles import profile_names, ruleset
from tests.support.dealing import check_deals


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--deals", type=int, default=200_000, help="deals of each profile")
    options.add_argument("--profile", default="all", choices=["all", *profile_names()])
    options.add_argument("--seed", type=int, default=500)
    options.add_argument(
        "--sample", type=int, default=1000, help="check every so many deals at each play; 0: none"
    )
    options.add_argument("--workers", type=int, default=1, help="profiles played at once")
    chosen = options.parse_args()
    names = profile_names() if chosen.profile == "all" else (chosen.profile,)
    jobs = [(name, chosen.deals, chosen.seed, chosen.sample) for name in names]
    if chosen.workers == 1:
        for job in jobs:
            print(soak(*job), flush=True)
        return 0
    with ProcessPoolExecutor(chosen.workers) as pool:
        for line in pool.map(soak, *zip(*jobs, strict=True)):
            print(line, flush=True)
    return 0


def soak(name: str, deals: int, seed: int, sample: int) -> str:
    """Check one profile's deals and return a line with the result. Raises an error for a failed check."""
    started = time.perf_counter()
    count, plays, reasons = check_deals(ruleset(name), deals, seed, sample)
    seconds = time.perf_counter() - started
    ends = ", ".join(f"{reason} {number}" for reason, number in sorted(reasons.items()))
    return f"{name}: {count} deals, {plays} plays, all right; {ends}; {seconds:.1f} s"


if __name__ == "__main__":
    sys.exit(main())
