"""Endings in which nothing is hidden, played out exactly: two sides, every line to the deal's end.

Alpha-beta search with a table of positions met before. Where more positions would have to be looked at than
it may, it gives no answer rather than a guess.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # interpreted where it is not installed
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.rng import mix64
    from rum500.rules.engine.core import MELD_SHIFT, ONE, PHASE_OVER, PHASE_USE, Core, Moves

    DEEPEST = 160
    SLOTS = 32768
    WORST = -1000000


class SearchNode:
    """Room for one position on the way down."""

    def __init__(self) -> None:
        """An empty room."""
        self.core = Core()
        self.moves = Moves()
        self.next = None


class Endgame:
    """A solver; its room and its table serve one thread, for one position after the other."""

    def __init__(self) -> None:
        """Make room for the deepest line."""
        if not cython.compiled:
            self.keys = [0] * SLOTS
            self.values = [0] * SLOTS
            self.bounds = [0] * SLOTS
        self.first = SearchNode()
        last: SearchNode = self.first
        for _ in range(DEEPEST):
            last.next = SearchNode()  # type: ignore[assignment]
            last = last.next  # type: ignore[assignment]

    def solve(self, core: Core, seat: int, budget: int = 20_000, judge=None) -> dict[int, int] | None:
        """By legal action, what this seat leads by in the end if both sides play as well as can be.

        With a `SearchWorker` as its judge, an end is worth what that one's search says, whatever it was
        told to be about.

        None if that takes looking at more than `budget` positions. Every card must be where it is said to
        be, the stock in its order, and no stock be made anew on the way.
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
        """The value of the position after an action."""
        frame.next.core.copy_from(frame.core)
        frame.next.core.apply(action, frame.next.moves)
        return self.value(frame.next, alpha, beta)

    def lead(self, core):
        """The points on the table that this seat leads by; 0 where an end is worth more than its points."""
        seat: cython.int
        lead: cython.int = 0
        if self.judged:
            return 0
        for seat in range(core.n):
            lead += core.laid[seat] if core.same_side(seat, self.seat) else -core.laid[seat]
        return lead

    def outcome(self, core):
        """What a deal that is over is worth: the points that this seat's side leads by, or as judged."""
        seat: cython.int
        lead: cython.int = 0
        if self.judged:
            self.judge.twin.copy_from(core)
            return self.judge.utility()
        for seat in range(core.n):
            lead += core.score(seat) if core.same_side(seat, self.seat) else -core.score(seat)
        return lead

    def value(self, frame, alpha, beta):
        """The lead in the end from here; outside of alpha to beta only a bound on it."""
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
        # What is on the table already counts the same in every line: the table keeps what is still to come.
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
        """A hash of all that the rest of the deal depends on; melds count in any order."""
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
