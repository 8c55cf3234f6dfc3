"""Batches and spaces of every profile and house rule: `make asan ASAN_SCRIPT=bench/asan_lab.py`."""

from __future__ import annotations

import sys
from array import array

import numpy as np
from asan_playouts import games

import rum500
from rum500._compiled import engine_kind
from rum500.lab import Batch
from rum500.spaces import Actions, Features, HiddenState

ROWS = 6


def main() -> None:
    """Play and print what was played."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print(f"{engine_kind()} engine, {steps} steps each", flush=True)
    for rules in games():
        for players in rules.players:
            play(rules, players, steps)
        print(rules.name, *rules.house_rules, flush=True)


def play(rules: rum500.Ruleset, players: int, steps: int) -> None:
    """Step batches against each level, with wrong choices between, and write each deal by the spaces too."""
    actions, features = Actions(rules, players), Features(rules, players)
    hidden = HiddenState(rules, players)
    # Each buffer has exactly the size that is written: a byte too far is another block's.
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


if __name__ == "__main__":
    main()
