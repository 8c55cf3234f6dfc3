"""Measure how long somebody waits for a review at a running server: for the first mark, and for the deal.

    python bench/review_wait.py [--deals 10] [--profile 500-rum]

A guest plays deals of two against `greedy` at `rum500 serve`, which has its defaults but no limits by
address, and asks for the review of each. The time runs from the request to the answer that has the first
verdict, and to the one that says that all are there. The account, which the server makes by itself at a
deal's end, is waited for before.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.live_server import Guest, LiveServer, play_on

_LOOK_EVERY_S = 0.05
_LONGEST_S = 300.0


def waits(server: LiveServer, profile: str, seed: int) -> tuple[float, float, int]:
    """Play a deal. Return the seconds until its first verdict and until its last, and how many there are."""
    guest = Guest(server, "Reader")
    table = guest.new_table(profile, level="greedy", start=True, players=2, deals=1, target=5000)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over", seed=seed)
    path = f"/api/tables/{table}/deals/1/review"

    def passed(met: Callable[[Any], object]) -> float:
        begun = time.perf_counter()
        while time.perf_counter() - begun < _LONGEST_S:
            if met(guest.call("GET", path)):
                return time.perf_counter() - begun
            time.sleep(_LOOK_EVERY_S)
        raise SystemExit(f"no review after {_LONGEST_S:.0f} s: {guest.call('GET', path)['state']}")

    passed(lambda found: found["state"]["account"] == "done")
    guest.call("POST", path, {})
    first = passed(lambda found: found["verdicts"])
    rest = passed(lambda found: found["state"]["marks"] == "done")
    return first, first + rest, len(guest.call("GET", path)["verdicts"])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=10, help="how many deals (10)")
    parser.add_argument("--profile", default="500-rum", help="the game (500-rum)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        server = LiveServer(Path(data), "--bot-pause-ms", "0", "--no-limits")
        with server:
            found = [waits(server, given.profile, seed) for seed in range(given.deals)]
    for name, times in (("first mark", [row[0] for row in found]), ("whole deal", [row[1] for row in found])):
        print(f"{name}: median {statistics.median(times):.2f} s, longest {max(times):.2f} s")
    print(f"decisions judged in a deal: {', '.join(str(row[2]) for row in found)}")


if __name__ == "__main__":
    main()
