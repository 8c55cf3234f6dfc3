"""Many deals played by policies on the core, without the GIL, for simulations and training."""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # interpreted where it is not installed
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.ai.policy import SeatPolicies
    from rum500.rng import advance, mix64
    from rum500.rules.engine.core import Moves

    SHIFT = 1048576


def club_deals(core: Core, policies, seed: int, first: int, count: int) -> list[int]:
    """Play deals `first` to `first + count - 1` of a simulation, each seat by its policy.

    Returns, deal after deal, the number of actions, the reason for the end, the seat that went out or -1, and
    the points by seat. Deal number i is dealt by seat i modulo players, from the seed that
    `Rng(seed).spawn(i)` gives first. The core is left at the end of the last deal. The policies are copied,
    so other threads may use them meanwhile.
    """
    rows = Moves()
    _club_deals(core, SeatPolicies(copies(policies)), Moves(), rows, mix64(advance(seed)), first, count)
    return [number - SHIFT for number in rows.actions()]


def copies(policies):
    """Return copies of some policies; one that is there several times is copied once."""
    own = {id(policy): policy.copy() for policy in policies}
    return [own[id(policy)] for policy in policies]


def _club_deals(core, seating, moves, rows, stream, first, count):
    i: cython.int
    s: cython.int
    number: u64
    rows.n = 0
    with cython.nogil:
        for i in range(first, first + count):
            number = i
            number = mix64(advance(stream ^ mix64(advance(number))))
            core.shuffle(mix64(advance(number)))
            core.start(i % core.n)
            rows.push(seating.playout(core, moves) + SHIFT)
            rows.push(core.reason + SHIFT)
            rows.push(core.out + SHIFT)
            for s in range(core.n):
                rows.push(core.score(s) + SHIFT)


def duel(core: Core, one, other, seed: int, count: int) -> list[int]:
    """Play `count` duplicate deals between two policies, each once for every seat that `one` can have.

    In partnerships both partners use the same policy. Returns the margins of `one` deal by deal, summed over
    its seats: (players - 1) x its points less all others', or in partnerships its side's points less the
    other side's. The policies are copied, so other threads may use them meanwhile.
    """
    one, other = copies([one, other])
    rotations = 2 if core.sides == 2 else core.n
    moves, rows = Moves(), Moves()
    for turn in range(rotations):
        mine = [seat % 2 == turn if core.sides == 2 else seat == turn for seat in range(core.n)]
        seating = SeatPolicies([one if own else other for own in mine])
        _duel_deals(core, seating, moves, rows, mix64(advance(seed)), turn, count)
    margins = rows.actions()
    return [sum(margins[i::count]) - SHIFT * rotations for i in range(count)]


def _duel_deals(core, seating, moves, rows, seed, turn, count):
    i: cython.int
    s: cython.int
    points: cython.int
    with cython.nogil:
        for i in range(count):
            seed = advance(seed)
            core.shuffle(mix64(seed))
            core.start(i % core.n)
            seating.playout(core, moves)
            points = 0
            for s in range(core.n):
                if s == turn or (core.sides == 2 and ((s ^ turn) & 1) == 0):
                    points += core.score(s) * (1 if core.sides == 2 else core.n - 1)
                else:
                    points -= core.score(s)
            rows.push(points + SHIFT)
