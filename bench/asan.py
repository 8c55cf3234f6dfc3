"""Playouts, bots and batches of every profile, which `make asan` runs under the sanitizers.

make asan ARGS="engine 200"    200 random deals of every profile and mix of house rules
make asan ARGS="bots 100"      100 deals with every level mixed
make asan ARGS="lab 60"        batches and spaces, 60 steps each
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rum500
from rum500 import Rng, deal
from rum500._compiled import engine_kind
from rum500.ai import sample
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy_deals import club_deals
from rum500.lab import Batch
from rum500.rules.engine import playouts
from rum500.spaces import Actions, Features, HiddenState
from rum500.state.core_setup import new_core
from tests.support.levels import cheap
from tests.support.soaking import Soaked, soak

ROWS = 6
MIXES: tuple[tuple[str, ...], ...] = (
    (),
    ("H1",),
    ("H2",),
    ("H3",),
    ("H4",),
    ("H5",),
    ("H6",),
    ("H2", "H3", "H4", "H5", "H6"),
)


def games() -> Iterator[rum500.Ruleset]:
    """Yield every profile with every mix of house rules that it allows."""
    for name in rum500.profile_names():
        for mix in MIXES:
            with suppress(rum500.RulesetError):
                yield rum500.ruleset(name, house_rules=mix)


def engine(deals: int) -> None:
    """Play random deals."""
    for rules in games():
        actions = sum(playouts.random_deals(new_core(rules, n), 7, deals)[0] for n in rules.players)
        print(f"{rules.name} {' '.join(rules.house_rules)}: {actions} actions", flush=True)


def bots(deals: int) -> None:
    """Play deals of the levels that do not search, then of all levels mixed."""
    for name in rum500.profile_names():
        rules = rum500.ruleset(name)
        for players in rules.players:
            policies = [policy(rules, players, ("club", "casual")[seat % 2]) for seat in range(players)]
            club_deals(new_core(rules, players), policies, 7, 0, deals)
            state = deal(rules, players, seed=players)
            sample(state.view(state.actor), Rng(1), 20)
        print(f"{name}: {deals} deals by rule of thumb", flush=True)
    found = Soaked()
    soak(4, range(deals), cheap, lambda level: 1_000.0, found)
    print(f"{found.deals} deals of all levels mixed, {found.choices} choices", flush=True)


def lab(steps: int) -> None:
    """Step batches."""
    for rules in games():
        for players in rules.players:
            play(rules, players, steps)
        print(rules.name, *rules.house_rules, flush=True)


def play(rules: rum500.Ruleset, players: int, steps: int) -> None:
    """Step batches against each level, with wrong choices between, and write each deal by the spaces too."""
    actions, features = Actions(rules, players), Features(rules, players)
    hidden = HiddenState(rules, players)
    # Each buffer has exactly the size that is written, so that a write beyond it hits another block.
    mask, seen, unseen = bytearray(actions.n), array("f", [0] * features.size), array("f", [0] * hidden.size)
    for opponents in (None, "club", (*["random"] * (players - 1), None)):
        batch = Batch(rules, players, ROWS, players, 2, opponents, "zero_sum", hidden=True, skip_forced=True)
        for step in range(steps):
            ids = batch.sample()
            variants = batch.play_counts(ids) - 1
            refused(batch, np.full(ROWS, -1 if step % 2 else actions.n))
            refused(batch, ids, variants + 1)
            batch.step(ids, np.maximum(variants, 0))
            row = step % ROWS
            state = batch.state(row)
            seat = state.actor
            assert bytes(actions.mask(state, mask)) == batch.now.mask[row].tobytes()
            for source in (state, state.view(seat)):
                assert actions.legal(source) == batch.now.mask[row].nonzero()[0].tolist()
                assert features.write(source, seat, seen).tobytes() == batch.now.obs[row].tobytes()
                assert features.to_list(source, seat) == seen.tolist()
            assert hidden.write(state, seat, unseen).tobytes() == batch.hidden[row].tobytes()
        again = Batch.from_bytes(batch.to_bytes(), rules)
        batch.choices("club")
        again.close()
        batch.close()


def refused(batch: Batch, ids: np.ndarray, variants: np.ndarray | None = None) -> None:
    """Make a wrong choice in every deal."""
    try:
        batch.step(ids, variants)
    except ValueError:
        return
    raise AssertionError("a wrong choice was made")


PARTS = {"engine": (engine, 200), "bots": (bots, 100), "lab": (lab, 60)}


def main() -> None:
    """Run one part and print what was played."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", nargs="?", choices=PARTS, default="engine", help="what is played (engine)")
    parser.add_argument("count", nargs="?", type=int, help="deals or steps of each")
    given = parser.parse_args()
    part, usual = PARTS[given.part]
    count = usual if given.count is None else given.count
    print(f"{engine_kind()} engine, {count} each", flush=True)
    part(count)


if __name__ == "__main__":
    main()
