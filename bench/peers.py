"""Measure random play in other projects' gin rummy, in steps a second: an order of magnitude for comparison.

Both are another game than 500 Rum, so the numbers show how fast such engines are, not which game is cheaper.
A *step* is a decision of a player: chance events (the card that a draw turns out to be) are not counted, as
our engine has no action for them either. Run with an interpreter that has `requirements/peers.txt` installed;
a peer that is missing is reported, never an error:

    python bench/peers.py [--seconds 5] [--seed 1]
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib import metadata
from typing import Any

ROOTS = 8  # deals whose continuations are played out in OpenSpiel
COUNTED = 250  # rollouts from each of these deals, to find how long a rollout is
ROUNDS = 5  # measurements of each peer; the fastest counts


class PeerMissing(Exception):
    """A peer, or something it needs at import, is not installed; the message names it."""


def require(name: str, distribution: str) -> Any:
    """Return a module. Raises `PeerMissing` if it, or something it imports, is not there."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise PeerMissing(f"{distribution} is not installed ({error}); see requirements/peers.in") from None


def open_spiel_steps(seconds: float = 5.0, seed: int = 1) -> dict[str, Any]:
    """Return the steps a second of OpenSpiel's gin_rummy in uniform random rollouts that stay within C++.

    One search with one simulation evaluates only its root, by the requested number of C++ rollouts. OpenSpiel
    does not report the number of steps in a rollout: it is the mean over separate rollouts driven from here,
    from the same roots and with the same policy (`mean_steps`, with its standard error).
    """
    pyspiel = require("pyspiel", "open_spiel")
    rng = random.Random(seed)
    game = pyspiel.load_game("gin_rummy")
    roots = [_dealt(game, rng) for _ in range(ROOTS)]
    lengths = [[_rollout_length(root, rng) for _ in range(COUNTED)] for root in roots]
    decisions = [length for by_root in lengths for length, _ in by_root]
    mean = statistics.fmean(decisions)
    error = (sum(statistics.variance(x for x, _ in by_root) for by_root in lengths) / COUNTED) ** 0.5 / ROOTS

    def search(root: Any, rollouts: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, rng.getrandbits(31))
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, rng.getrandbits(31), False)
        started = time.perf_counter()
        visits: int = bot.mcts_search(root).explore_count
        elapsed = time.perf_counter() - started
        if visits != 1:
            raise RuntimeError(f"OpenSpiel evaluated {visits} positions, not the root alone")
        return elapsed

    probe = search(roots[0], 100) / 100
    rollouts = max(20, int(seconds / (ROUNDS * ROOTS * probe)))
    times = [sum(search(root, rollouts) for root in roots) for _ in range(ROUNDS)]
    played = rollouts * ROOTS
    chance = statistics.fmean(draws for by_root in lengths for _, draws in by_root)
    return {
        "steps_per_second": played * mean / min(times),
        "steps_and_chance_per_second": played * (mean + chance) / min(times),
        "mean_steps": mean,
        "mean_steps_error": error,
        "rollouts": played * ROUNDS,
        "version": metadata.version("open_spiel"),
        "how": "pyspiel.RandomRolloutEvaluator, gin_rummy",
    }


def _dealt(game: Any, rng: random.Random) -> Any:
    """Return a position of `game` after a random deal, with a player to decide."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(_chance(state, rng))
    return state


def _chance(state: Any, rng: random.Random) -> int:
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choices(outcomes, weights)[0])


def _rollout_length(root: Any, rng: random.Random) -> tuple[int, int]:
    """Return the numbers of decisions and chance events of one uniform random rollout."""
    state, decisions, chances = root.clone(), 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_chance(state, rng))
            chances += 1
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions, chances


def rlcard_steps(seconds: float = 5.0, seed: int = 1) -> dict[str, Any]:
    """Return the steps a second of RLCard's gin-rummy environment with its own random agents."""
    rlcard = require("rlcard", "rlcard")
    try:
        agents = require("rlcard.agents", "rlcard")
    except PeerMissing:
        raise
    except Exception as error:  # noqa: BLE001  # its import runs `pip freeze`, which fails in any way it likes
        raise PeerMissing(
            f"rlcard.agents cannot be imported without pip in the environment ({error})"
        ) from None
    environment = rlcard.make("gin-rummy", config={"seed": seed})
    environment.set_agents([agents.RandomAgent(num_actions=environment.num_actions) for _ in range(2)])
    environment.run(is_training=False)
    speeds, steps, games = [], 0, 0
    for _ in range(ROUNDS):
        before, started = environment.timestep, time.process_time()
        while time.process_time() - started < seconds / ROUNDS:
            environment.run(is_training=False)
            games += 1
        elapsed = time.process_time() - started
        speeds.append((environment.timestep - before) / elapsed)
        steps += environment.timestep - before
    return {
        "steps_per_second": max(speeds),
        "mean_steps": steps / games,
        "rollouts": games,
        "version": metadata.version("rlcard"),
        "how": "rlcard gin-rummy, RandomAgent, Env.run",
    }


PEERS: dict[str, Callable[[float, int], dict[str, Any]]] = {
    "open_spiel": open_spiel_steps,
    "rlcard": rlcard_steps,
}


def measure(seconds: float = 5.0, seed: int = 1) -> dict[str, dict[str, Any]]:
    """Return every peer's numbers by name; for a missing one only `missing`, the reason."""
    results: dict[str, dict[str, Any]] = {}
    for name, peer in PEERS.items():
        try:
            results[name] = peer(seconds, seed)
        except PeerMissing as reason:
            results[name] = {"missing": str(reason)}
    return results


def main() -> None:
    """Print the measurements as JSON, and missing peers on standard error too."""
    parser = argparse.ArgumentParser(description="Random play in other projects' gin rummy, steps a second.")
    parser.add_argument("--seconds", type=float, default=5.0, help="time to measure each peer for (5)")
    parser.add_argument("--seed", type=int, default=1, help="seed of deals and rollouts (1)")
    options = parser.parse_args()
    results = measure(options.seconds, options.seed)
    for name, result in results.items():
        if "missing" in result:
            print(f"{name}: {result['missing']}", file=sys.stderr)
    print(json.dumps({"python": platform.python_version(), "peers": results}, indent=2))


if __name__ == "__main__":
    main()
