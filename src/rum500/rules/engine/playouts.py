"""Random playouts and perft (counts of lines of play) on the core, without the GIL where that is faster."""

from __future__ import annotations

import cython

if not cython.compiled:
    from rum500.rng import advance, mix64
    from rum500.rules.engine.core import PHASE_OVER, Core, Moves


def random_deals(core: Core, seed: int, count: int) -> tuple[int, int]:
    """Play `count` shuffled deals with uniformly random actions; seat 0 deals first, then each seat in turn.

    Returns the number of actions and a checksum of all points. Afterwards `core` is the finished last deal.
    """
    moves = Moves()
    actions, checksum = _random_deals(core, moves, seed, count), core.rng
    return actions, checksum


def _random_deals(core, moves, seed, count):
    total: u64 = 0
    check: u64 = 0
    i: cython.int
    s: cython.int
    points: u64
    with cython.nogil:
        for i in range(count):
            seed = advance(seed)
            core.shuffle(mix64(seed))
            core.start(i % core.n)
            total += core.playout(moves, seed)
            for s in range(core.n):
                points = core.score(s) + 65536
                check = mix64(check ^ points)
        core.rng = check
    return total


def copies(target: Core, source: Core, count: int) -> None:
    """Copy `source` to `target` `count` times, as a search copies deals; for the benchmark."""
    _copies(target, source, count)


def _copies(target, source, count):
    _: cython.int
    with cython.nogil:
        for _ in range(count):
            target.copy_from(source)


def perft(core: Core, depth: int) -> int:
    """Return the number of lines of play with exactly `depth` actions; a finished deal has none."""
    if depth == 0:
        return 1
    if core.phase == PHASE_OVER:
        return 0
    moves = Moves()
    actions = core.legal(moves)
    if depth == 1:
        return len(actions)
    total = 0
    child = Core()
    for action in actions:
        child.copy_from(core)
        child.apply(action, moves)
        total += perft(child, depth - 1)
    return total


def finished_lines(core: Core) -> int:
    """Return the number of lines of play from this position to the end of the deal; for small positions."""
    if core.phase == PHASE_OVER:
        return 1
    moves = Moves()
    total = 0
    child = Core()
    for action in core.legal(moves):
        child.copy_from(core)
        child.apply(action, moves)
        total += finished_lines(child)
    return total
