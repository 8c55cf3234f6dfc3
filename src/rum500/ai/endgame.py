"""Exact solution of endings without hidden cards: two sides, every line to the end of the deal.

This is an alpha-beta search with a transposition table. If it would have to examine more positions than
allowed, it returns no answer instead of a guess.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.rng import mix64
    from rum500.rules.engine.core import MELD_SHIFT, ONE, PHASE_OVER, PHASE_USE, Core, Moves

    DEEPEST = 160
    SLOTS = 32768
    WORST = -1000000


class SearchNode:
    """Working memory for one position on the search path."""

    def __init__(self) -> None:
        """Allocate the memory."""
        self.core = Core()
        self.moves = Moves()
        self.next = None


class Endgame:
    """A solver. One thread may use it, for one position after another."""

    def __init__(self) -> None:
        """Allocate the memory for the deepest line."""
        if not cython.compiled:
            self.keys = [0] * SLOTS
            self.values = [0] * SLOTS
            self.bounds = [0] * SLOTS
        self.first = SearchNode()
        last: SearchNode = self.first
        for _ in range(DEEPEST):
            last.next = SearchNode()  # type: ignore[assignment]
            last = last.next  # type: ignore[assignment]

    def solve(self, core: Core, seat: int, budget: int, judge=None) -> dict[int, int] | None:
        """Return, for each legal action, the final lead of the side of `seat` with best play by both sides.

        With a `SearchWorker` as `judge`, the value of a final position is the utility of that worker's search
        instead. Returns None if more than `budget` positions would have to be examined. In `core` every card
        must be at its true place with the stock in order, and no restock may be possible.
        """
        i: cython.int
        for i in range(SLOTS):
            self.keys[i] = 0
        self.first.core.copy_from(core)
        self.seat = seat
        self.judged = judge is not None
        self.judge = judge
        self.nodes = 0
        self.budget = budget
        found = {}
        for action in core.legal(self.first.moves):
            found[action] = self._open(action)
            if self.nodes > self.budget:
                return None
        return found

    def _open(self, action):
        code: u64 = action
        with cython.nogil:
            result: cython.int = self.child(self.first, code, WORST, -WORST)
        return result

    def child(self, frame, action, alpha, beta):
        """Return the value of the position after an action, for the bounds alpha and beta."""
        frame.next.core.copy_from(frame.core)
        frame.next.core.apply(action, frame.next.moves)
        return self.value(frame.next, alpha, beta)

    def lead(self, core):
        """Return by how many points on the table the side of `self.seat` leads; `solve` sets this seat.

        The result is 0 if a judge values final positions.
        """
        seat: cython.int
        lead: cython.int = 0
        if self.judged:
            return 0
        for seat in range(core.n):
            lead += core.laid[seat] if core.same_side(seat, self.seat) else -core.laid[seat]
        return lead

    def outcome(self, core):
        """Return the value of a finished deal: the lead of `self.seat`'s side, or the judge's utility."""
        seat: cython.int
        lead: cython.int = 0
        if self.judged:
            self.judge.twin.copy_from(core)
            return self.judge.utility()
        for seat in range(core.n):
            lead += core.score(seat) if core.same_side(seat, self.seat) else -core.score(seat)
        return lead

    def value(self, frame, alpha, beta):
        """Return the value of the position in `frame` with best play by both sides.

        A value outside of `alpha` to `beta` is only a bound of the true value.
        """
        i: cython.int
        best: cython.int
        found: cython.int
        lead: cython.int
        low: cython.int = alpha
        high: cython.int = beta
        slot: cython.int
        key: u64
        own: cython.int
        if frame.core.phase == PHASE_OVER:
            return self.outcome(frame.core)
        self.nodes += 1
        if self.nodes > self.budget or frame.next is None or frame.next.next is None:
            self.nodes = self.budget + 1
            return 0
        # Points on the table are the same in every line, so the table of positions stores later points only.
        lead = self.lead(frame.core)
        key = self.key(frame.core)
        slot = key & (SLOTS - 1)
        if self.keys[slot] == key:
            found = self.values[slot] + lead
            if self.bounds[slot] == 0:
                return found
            if self.bounds[slot] > 0:
                low = max(low, found)
            else:
                high = min(high, found)
            if low >= high:
                return found
        frame.core.generate(frame.moves)
        own = frame.core.same_side(frame.core.actor, self.seat)
        best = WORST if own else -WORST
        for i in range(frame.moves.n):
            if own:
                found = self.child(frame, frame.moves.a[i], max(low, best), high)
                best = max(best, found)
            else:
                found = self.child(frame, frame.moves.a[i], low, min(high, best))
                best = min(best, found)
            if self.nodes > self.budget:
                return 0
            if (best >= high) if own else (best <= low):
                break
        self.keys[slot] = key
        self.values[slot] = best - lead
        self.bounds[slot] = 1 if best >= high else -1 if best <= low else 0
        return best

    def key(self, core):
        """Return a hash of all that affects the rest of the deal, independent of the order of melds."""
        i: cython.int
        x: u64 = 0
        melds: u64 = 0
        field: u64
        for i in range(core.n):
            field = core.hj[i]
            x = mix64(x ^ core.h1[i]) ^ mix64(core.h2[i] ^ 1) ^ (field << 32)
            if self.judged:
                x = mix64(x ^ core.laid[i])
        for i in range(core.pile_n):
            x = mix64(x ^ (core.pile[i] + 1))
        for i in range(core.stock_next, core.stock_end):
            x = mix64(x ^ (core.stock[i] + 97))
        for i in range(core.meld_n):
            melds += mix64(core.meld[i] & ((ONE << MELD_SHIFT) - 1)) >> 6
        field = (
            core.actor
            | (core.turn << 4)
            | (core.phase << 8)
            | ((core.must + 1) << 12)
            | ((core.ban + 1) << 20)
        )
        x = mix64(x ^ mix64(melds) ^ (field << 28))
        field = (
            core.claiming
            | (core.floater << 1)
            | (core.progress << 2)
            | (core.idle << 8)
            | (core.passes << 16)
        )
        x = mix64(x ^ field)
        if core.phase == PHASE_USE:
            field = core.tj
            x = mix64(x ^ core.t1) ^ mix64(core.t2 ^ (field << 60))
        return x
