"""Measure one environment of random legal actions for `bench/lab.py`: decisions a second of processor time.

    python bench/environments.py NAME [--seconds 1]

prints the speed as JSON, or why that environment is missing. Observation and mask are made at every decision,
from Python, in the loop of each project's own documentation.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from peers import PeerMissing, require, rlcard_steps


def open_spiel(seconds: float, *, load: str, needs: str | None = None) -> float:
    """Return the decisions a second of a game of OpenSpiel, with its tensor; chance is drawn in Python."""
    pyspiel = require("pyspiel", "open_spiel")
    if needs:
        require(needs, "rum500 with numpy")
    game, chance = pyspiel.load_game(load), random.Random(1)

    def play() -> Iterator[None]:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(actions, odds)[0])
            else:
                state.observation_tensor(state.current_player())
                state.apply_action(chance.choice(state.legal_actions()))
                yield

    return speed(play, seconds)


def pettingzoo(seconds: float, *, module: str, needs: str) -> float:
    """Return the decisions a second of a raw environment of PettingZoo."""
    env = require(module, needs).raw_env()
    require("pettingzoo", "pettingzoo")
    env.reset(seed=1)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)

    def play() -> Iterator[None]:
        env.reset()
        for agent in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                yield

    return speed(play, seconds)


def rlcard(seconds: float) -> float:
    """Return the decisions a second of RLCard's gin rummy, with its own random agents."""
    return float(rlcard_steps(seconds)["steps_per_second"])


def speed(play: Callable[[], Iterator[None]], seconds: float) -> float:
    """Play games for this many seconds, after one game to warm up; return the decisions a second."""
    for _ in play():
        pass
    decisions, start = 0, time.process_time()
    while (taken := time.process_time() - start) < seconds:
        decisions += sum(1 for _ in play())
    return decisions / taken


ENVIRONMENTS: dict[str, Callable[[float], float]] = {
    "gin_rummy": lambda seconds: open_spiel(seconds, load="gin_rummy"),
    "open_spiel": lambda seconds: open_spiel(
        seconds, load="python_rum500", needs="rum500.adapters.open_spiel"
    ),
    "open_spiel_sampled": lambda seconds: open_spiel(
        seconds, load="python_rum500(deals=1000)", needs="rum500.adapters.open_spiel"
    ),
    "texas_holdem": lambda seconds: pettingzoo(
        seconds, module="pettingzoo.classic.texas_holdem_v4", needs="pettingzoo with rlcard and pygame"
    ),
    "pettingzoo": lambda seconds: pettingzoo(
        seconds, module="rum500.adapters.pettingzoo", needs="rum500 with pettingzoo"
    ),
    "rlcard": rlcard,
}


def main() -> None:
    """Print the speed of one environment."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("name", choices=ENVIRONMENTS)
    options.add_argument("--seconds", type=float, default=1.0, help="how long it plays")
    chosen = options.parse_args()
    try:
        found: dict[str, Any] = {"speed": ENVIRONMENTS[chosen.name](chosen.seconds)}
    except PeerMissing as reason:
        found = {"missing": str(reason)}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
