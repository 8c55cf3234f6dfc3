"""Measure the laboratory, and other projects' card environments in the same run.

Each contender plays random legal actions, with observation and mask made at every step. The contenders take
turns in several rounds, and the best round counts. Single threads are measured in processor time, so that
other work on the machine matters less; two threads and two processes in elapsed time, on as many free cores.
The other environments need `make peers`; without it they are reported as missing, and so are the ratios to
them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rum500 import State

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "build" / "peers" / "bin" / "python"
POSITIONS = 200  # the number of positions that are copied and so on
DEALS = 1_000_000  # simulated by one and two processes in half a minute; starting them takes half a second
WORKER_ROUNDS = 3  # of the simulations; the other contenders have as many rounds as requested
ENVIRONMENTS = {
    "gin_rummy": "OpenSpiel's gin_rummy (C++) from Python",
    "open_spiel": "rum500 as a game of OpenSpiel (Python)",
    "open_spiel_sampled": "the same with sampled chance",
    "texas_holdem": "PettingZoo's texas_holdem_v4, raw",
    "pettingzoo": "rum500 for PettingZoo, raw",
    "rlcard": "RLCard's gin-rummy",
}
BATCHES = {
    "narrow": ("`Batch`, one thread, 256 deals", 256, 1),
    "narrow two": ("`Batch`, two threads, 256 deals", 256, 2),
    "one": ("`Batch`, one thread, 2,048 deals", 2048, 1),
    "two": ("`Batch`, two threads, 2,048 deals", 2048, 2),
}


class Goal(NamedTuple):
    """A goal: a ratio of two speeds, or a speed."""

    what: str
    of: str
    to: str | None
    least: float


GOALS = (
    Goal("`Batch`, one thread, to gin_rummy", "narrow", "gin_rummy", 50),
    Goal("`Batch`, one thread, steps a second", "narrow", None, 1_800_000),
    Goal("two threads to one", "two", "one", 1.8),
    Goal("PettingZoo, to texas_holdem_v4", "pettingzoo", "texas_holdem", 3),
    Goal("PettingZoo, steps a second", "pettingzoo", None, 25_000),
    Goal("OpenSpiel, to gin_rummy", "open_spiel", "gin_rummy", 1.4),
    Goal("two worker processes to twice one", "workers 2", "workers 1, doubled", 0.95),
    Goal("`copy`, a second (1 µs)", "copy", None, 1_000_000),
    Goal("`to_bytes`, a second (3 µs)", "to_bytes", None, 333_333),
    Goal("`resample`, even, a second (20 µs)", "resample", None, 50_000),
)


def batch_speed(n: int, threads: int, seconds: float) -> float:
    """Return the steps a second of a batch; two players of 500 Rum, the choices drawn by the batch."""
    from rum500 import ruleset  # noqa: PLC0415 - so that --help needs no engine
    from rum500.lab import Batch  # noqa: PLC0415

    with Batch(ruleset("500-rum"), 2, n, 1, threads) as batch:
        for _ in range(20):
            batch.step(batch.sample())
        clock = time.process_time if threads == 1 else time.perf_counter
        steps, start = 0, clock()
        while (taken := clock() - start) < seconds:
            for _ in range(20):
                batch.step(batch.sample())
            steps += 20 * n
        return steps / taken


def worker_speed(workers: int) -> float:
    """Return the deals a second of `simulate` in this many processes, including their start."""
    from rum500 import ruleset, simulate  # noqa: PLC0415

    start = time.perf_counter()
    simulate(ruleset("500-rum"), 2, DEALS, seed=1, bots=["club"], workers=workers)
    return DEALS / (time.perf_counter() - start)


def positions() -> list[State]:
    """Return positions in the middle of random deals."""
    from rum500 import deal, ruleset  # noqa: PLC0415

    chance = random.Random(1)
    found: list[State] = []
    while len(found) < POSITIONS:
        state = deal(ruleset("500-rum"), 2, seed=len(found))
        for _ in range(chance.randrange(5, 40)):
            if not state.is_over:
                state.apply_int(chance.choice(state.legal_ints()))
        if not state.is_over:
            found.append(state)
    return found


def state_speeds(states: list[State], seconds: float) -> dict[str, float]:
    """Return how often a second a state is copied, written and resampled, over all positions in turn."""
    from rum500 import Rng, State  # noqa: PLC0415

    rng = Rng(1)
    done: dict[str, Callable[[State], object]] = {
        "copy": State.copy,
        "to_bytes": State.to_bytes,
        "resample": lambda state: state.resample(0, rng),
    }
    speeds = {}
    for name, call in done.items():
        for state in states:
            call(state)
        calls, start = 0, time.process_time()
        while (taken := time.process_time() - start) < seconds:
            for state in states:
                call(state)
            calls += len(states)
        speeds[name] = calls / taken
    return speeds


def environment_speed(name: str, seconds: float) -> float | str:
    """Return the decisions a second of an environment, in a separate process, or why it is missing."""
    if not PEERS.exists():
        return "make peers installs it"
    done = subprocess.run(
        [str(PEERS), str(ROOT / "bench" / "environments.py"), name, "--seconds", str(seconds)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    found = json.loads(done.stdout.splitlines()[-1])
    return str(found["missing"]) if "missing" in found else float(found["speed"])


def measure(rounds: int, seconds: float) -> tuple[dict[str, float], dict[str, str]]:
    """Return the best speed of each contender, all in turn, and why others are missing."""
    best: dict[str, float] = {}
    missing: dict[str, str] = {}
    states = positions()
    for _ in range(rounds):
        found: dict[str, float | str] = {
            name: batch_speed(n, threads, seconds) for name, (_, n, threads) in BATCHES.items()
        }
        found |= state_speeds(states, seconds / 3)
        found |= {name: environment_speed(name, seconds) for name in ENVIRONMENTS}
        for name, speed in found.items():
            if isinstance(speed, str):
                missing[name] = speed
            else:
                best[name] = max(best.get(name, 0.0), speed)
    # The runs are long, so that the start of the processes matters little; fewer rounds are enough.
    speeds = [(worker_speed(1), worker_speed(2)) for _ in range(min(rounds, WORKER_ROUNDS))]
    best |= {
        "workers 1, doubled": 2 * max(one for one, _ in speeds),
        "workers 2": max(two for _, two in speeds),
    }
    return best, missing


def report_lines(best: dict[str, float], missing: dict[str, str]) -> list[str]:
    """Return the two tables: speeds compared with gin_rummy's, and the goals with the speeds reached."""
    names = {name: title for name, (title, *_) in BATCHES.items()} | ENVIRONMENTS
    lines = ["| what | steps a second | times gin_rummy |", "|---|---|---|"]
    for name, title in names.items():
        if name in best:
            times = f"{best[name] / best['gin_rummy']:.2f}" if "gin_rummy" in best else ""
            lines.append(f"| {title} | {best[name] / 1000:,.1f} k | {times} |")
        else:
            lines.append(f"| {title} | missing: {missing[name]} | |")
    lines += ["", "| goal | at least | measured |", "|---|---|---|"]
    for goal in GOALS:
        lacking = next((name for name in (goal.of, goal.to) if name is not None and name not in best), None)
        if lacking is None:
            reached = best[goal.of] / (1 if goal.to is None else best[goal.to])
            figure = f"{reached:.2f}" if goal.to else f"{reached:,.0f}"
            figure += "" if reached >= goal.least else ", not reached"
        else:
            figure = f"{names[lacking]} is missing"
        lines.append(f"| {goal.what} | {goal.least:,} | {figure} |")
    return lines


def main() -> None:
    """Measure all contenders in turn and print the tables."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=5, help="rounds of which the best counts")
    options.add_argument("--seconds", type=float, default=1.0, help="the length of a round of each contender")
    chosen = options.parse_args()
    best, missing = measure(chosen.rounds, chosen.seconds)
    title = f"{platform.machine()}, Python {platform.python_version()}, best of {chosen.rounds} rounds"
    sys.stdout.write("\n".join([title, "", *report_lines(best, missing)]) + "\n")


if __name__ == "__main__":
    main()
