"""Measure the laboratory: steps of `Batch`, beside other projects' card environments in the same run.

Each contender plays random legal actions, with observation and mask made at every step. Rounds take turns,
and the best counts. The other projects run in the environment of `make peers`, where they are installed.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "build" / "peers" / "bin" / "python"
GAMES = 300
GIN_RUMMY = """
import json, random, time, pyspiel
game, chance, steps = pyspiel.load_game("gin_rummy"), random.Random(1), 0
def play():
    state, steps = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes())
            state.apply_action(chance.choices(actions, odds)[0])
        else:
            state.observation_tensor(state.current_player())
            state.apply_action(chance.choice(state.legal_actions()))
            steps += 1
    return steps
play()
start = time.perf_counter()
steps = sum(play() for _ in range(GAMES))
print(json.dumps(steps / (time.perf_counter() - start)))
"""


def batch_speed(n: int, threads: int, seconds: float) -> float:
    """Return the steps a second of a batch; two players of 500 Rum, the choices drawn by the batch."""
    from rum500 import ruleset  # noqa: PLC0415 - so that --help needs no engine
    from rum500.lab import Batch  # noqa: PLC0415

    with Batch(ruleset("500-rum"), 2, n, 1, threads) as batch:
        for _ in range(20):
            batch.step(batch.sample())
        steps, start = 0, time.perf_counter()
        while (taken := time.perf_counter() - start) < seconds:
            for _ in range(20):
                batch.step(batch.sample())
            steps += 20 * n
        return steps / taken


def gin_rummy_speed(games: int) -> float | None:
    """Return the decisions a second of OpenSpiel's gin rummy in C++, stepped from Python with its tensor."""
    if not PEERS.exists():
        return None
    code = GIN_RUMMY.replace("GAMES", str(games))
    done = subprocess.run([str(PEERS), "-c", code], capture_output=True, text=True, check=False)
    return float(json.loads(done.stdout)) if done.returncode == 0 else None


def main() -> None:
    """Measure in turn and print the table."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=5, help="rounds of which the best counts")
    options.add_argument("--seconds", type=float, default=1.0, help="the length of a round of a batch")
    chosen = options.parse_args()
    names = {"one": "`Batch`, one thread, 256 deals", "wide": "`Batch`, one thread, 2,048 deals"}
    names |= {"two": "`Batch`, two threads, 2,048 deals", "gin": "OpenSpiel gin_rummy (C++) from Python"}
    best: dict[str, float] = {}
    for _ in range(chosen.rounds):
        found = {
            "one": batch_speed(256, 1, chosen.seconds),
            "wide": batch_speed(2048, 1, chosen.seconds),
            "two": batch_speed(2048, 2, chosen.seconds),
            "gin": gin_rummy_speed(GAMES),
        }
        for name, speed in found.items():
            if speed is not None:
                best[name] = max(best.get(name, 0.0), speed)
    sys.stdout.write(
        f"{platform.machine()}, Python {platform.python_version()}, best of {chosen.rounds} rounds\n\n"
    )
    sys.stdout.write("| what | steps a second | times gin_rummy |\n|---|---|---|\n")
    for name, speed in best.items():
        ratio = f"{speed / best['gin']:.1f}" if "gin" in best else "not measured: make peers"
        sys.stdout.write(f"| {names[name]} | {speed / 1000:,.0f} k | {ratio} |\n")
    sys.stdout.write(f"\nTwo threads: {best['two'] / best['wide']:.2f} times one with as many deals\n")


if __name__ == "__main__":
    main()
