"""Plays many deals by policies on the core, without the GIL, for simulations and training."""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.ai.policy import SeatPolicies
    from rum500.rng import advance, mix64
    from rum500.rules.engine.core import CALL, LET_GO, PHASE_OVER, TAKE, Moves

    SHIFT = 1048576


def club_deals(
    core: Core, policies, seed: int, first: int, count: int, dealer: int = -1, counted: bool = False
) -> list[int]:
    """Play deals `first` to `first + count - 1` of a simulation, each seat by its policy.

    Returns one flat list. For each deal it has the number of actions, the reason for the end, the seat that
    went out or -1, and the points by seat. With `counted` three numbers follow: the turns, the takes and
    calls, and the cards that these took. The dealer of deal number i is seat `dealer`, or seat i modulo
    players if `dealer` is -1. The seed of the deal is the first number of `Rng(seed).spawn(i)`.
    Afterwards `core` is the end of the last deal. The policies are copied, so other threads may use them
    meanwhile.
    """
    rows = Moves()
    stream, seating = mix64(advance(seed)), SeatPolicies(copies(policies))
    _club_deals(core, seating, Moves(), rows, stream, first, count, dealer, counted)
    return [number - SHIFT for number in rows.actions()]


def copies(policies):
    """Return a list of copies of policies. A policy that occurs several times is copied only once."""
    own = {id(policy): policy.copy() for policy in policies}
    return [own[id(policy)] for policy in policies]


def _club_deals(core, seating, moves, rows, stream, first, count, dealer, counted):
    i: cython.int
    s: cython.int
    number: u64
    actions: u64
    rows.n = 0
    counts = Moves()
    with cython.nogil:
        for i in range(first, first + count):
            number = i
            number = mix64(advance(stream ^ mix64(advance(number))))
            core.shuffle(mix64(advance(number)))
            core.start(i % core.n if dealer < 0 else dealer)
            actions = (
                _counted_playout(core, seating, moves, counts) if counted else seating.playout(core, moves)
            )
            rows.push(actions + SHIFT)
            rows.push(core.reason + SHIFT)
            rows.push(core.out + SHIFT)
            for s in range(core.n):
                rows.push(core.score(s) + SHIFT)
            if counted:
                for s in range(3):
                    rows.push(counts.a[s] + SHIFT)


def _counted_playout(core, seating, moves, counts):
    """Play like `SeatPolicies.playout`; set `counts` to three counts: turns, takes and calls, cards taken."""
    count: u64 = 0
    turns: u64 = 0
    takes: u64 = 0
    taken: u64 = 0
    code: u64
    while core.phase != PHASE_OVER:
        code = seating.choose(core, moves)
        core.apply(code, moves)
        count += 1
        if code & 15 <= CALL and code & 15 != LET_GO:
            turns += 1
            if code & 15 >= TAKE:
                takes += 1
                taken += code >> 4
    counts.n = 0
    counts.push(turns)
    counts.push(takes)
    counts.push(taken)
    return count


def duel(core: Core, one, other, seed: int, count: int) -> list[int]:
    """Play `count` deals between two policies, each deal once for every seat that `one` can have.

    In partnerships both partners use the same policy. Returns the margin of `one` for each deal, summed over
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
