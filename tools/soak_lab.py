"""Play batches, adapters and states for some minutes; memory may not grow: python tools/soak_lab.py.

Each round does the same with other deals: batches of every profile on two threads are stepped, saved,
restored and closed; deals are resampled, written by the spaces and pickled; environments play an episode. The
resident set is printed after each tenth of the time. It ends with an error if the median of the second half
is more than 8 MiB above that of the first: single figures vary with the sizes of the last batches.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rum500
from rum500.adapters import pettingzoo
from rum500.lab import Batch
from rum500.spaces import Actions, Features
from tests.support.soaking import Memory

MOST_GROWTH = 8 << 20
"""The largest growth in bytes from half to half. A leak in each round exceeds it in an hour."""
SAMPLES = 10
ROWS, STEPS = 512, 60
OPPONENTS = (None, "club", "casual", "random")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--minutes", type=float, default=120.0)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    rounds, steps = 0, 0
    start, seconds = time.perf_counter(), 60 * chosen.minutes
    held: list[int] = []
    for sample in range(SAMPLES + 1):
        # The first round fills the caches; growth is counted from the memory after it.
        while rounds == 0 or time.perf_counter() - start < seconds * sample / SAMPLES:
            steps += play(chosen.seed, rounds)
            rounds += 1
        held.append(Memory.now().resident)
        print(
            f"{(time.perf_counter() - start) / 60:6.1f} min, {steps:,} steps: {held[-1] / 1024:,.0f} KiB",
            flush=True,
        )
    half = SAMPLES // 2
    growth = median(held[half + 1 :]) - median(held[1 : half + 1])
    print(f"{rounds} rounds; the second half added {growth / 1024:+,.0f} KiB")
    return int(growth > MOST_GROWTH)


def play(seed: int, number: int) -> int:
    """Do everything once with other deals; return the number of the batches' steps."""
    steps = 0
    for name in rum500.profile_names():
        rules = rum500.ruleset(name)
        players = rules.players[number % len(rules.players)]
        opponents = OPPONENTS[number % len(OPPONENTS)]
        batch = Batch(rules, players, ROWS, seed + number, 2, opponents, hidden=True)
        for _ in range(STEPS):
            batch.step(batch.sample())
        again = Batch.from_bytes(batch.to_bytes(), rules, 2)
        again.step(again.choices("club"))
        refused(batch)
        batch.close()
        again.close()
        steps += STEPS * ROWS
        states(rules, players, seed + number)
        episode(name, players, seed + number)
    return steps


def states(rules: rum500.Ruleset, players: int, seed: int) -> None:
    """Resample, write and pickle some deals in progress whose past actions are known."""
    actions, features = Actions(rules, players), Features(rules, players)
    rng = rum500.Rng(seed)
    for number in range(20):
        state = rum500.deal(rules, players, rng.next64(), number % players)
        for _ in range(rng.below(60)):
            legal = state.legal_ints()
            if legal:
                state.apply_int(legal[rng.below(len(legal))])
        if state.is_over:
            continue
        seat = state.actor
        twin = state.resample(seat, rng)
        assert features.write(twin, seat) == features.write(state.view(seat), seat)
        assert actions.mask(twin) == actions.mask(state)
        assert pickle.loads(pickle.dumps(state)) == state


def refused(batch: Batch) -> None:
    """Make an illegal choice in every deal."""
    try:
        batch.step([-1] * batch.n)
    except ValueError:
        return
    raise AssertionError("an illegal number was taken")


def episode(profile: str, players: int, seed: int) -> None:
    """Play an episode in PettingZoo's environment."""
    env = pettingzoo.env(profile, players)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        mask = None if over or cut else observation["action_mask"]
        env.step(None if mask is None else env.action_space(agent).sample(mask))
    env.close()


if __name__ == "__main__":
    sys.exit(main())
