"""Mean results of deals that given policies play to the end, computed without the GIL.

`Outcomes.compare` measures how many more points one action brings than another, in deals that agree with what
a seat knows. `Outcomes.value` measures the expected points with known hands, over orders of the stock.
`Outcomes.play_out` plays one deal as it is.

Everything follows from seeds. Sums are integers, so no result depends on the number of threads.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.rng import mix64
    from rum500.rules.engine.core import DISCARD, DRAW, JOKER_CARD, MAX_SEATS, PHASE_PLAY, Core, Moves


class Outcomes:
    """The working memory of one thread. Each seat plays by its policy, which no other thread may use."""

    def __init__(self, seating) -> None:
        """Set the seats' policies, a `SeatPolicies`; with None, `play_out` plays at random."""
        if not cython.compiled:
            self.points = [0] * MAX_SEATS
            self.square = [0] * MAX_SEATS
            self.chances = [0] * MAX_SEATS
        self.seating = seating
        self.winner = None
        self.at_random = seating is None
        self.done = self.counting = 0
        self.world = Core()
        self.twin = Core()
        self.moves = Moves()

    def compare(self, worlds, played: int, other: int, seed: int, count: int) -> tuple[list[int], list[int]]:
        """Compare the results of the actions `played` and `other` in worlds 0 to `count - 1` of this seed.

        Returns two lists by seat: the summed differences in points (`played` less `other`), and the sums of
        the squared differences in margin. A margin is (players - 1) x the seat's points less all others', in
        partnerships its side's points less the other side's. World number w is the one that `Search` uses for
        this seed and number.
        """
        i: cython.int
        self._compare(worlds, played, other, seed, count)
        return [self.points[i] for i in range(self.world.n)], [self.square[i] for i in range(self.world.n)]

    def _compare(self, worlds, played, other, seed, count):
        a: u64 = played
        b: u64 = other
        s: u64 = seed
        n: i64 = count
        with cython.nogil:
            self.compare_all(worlds, a, b, s, n)

    def compare_all(self, worlds, played, other, seed, count):
        """Do the part of `compare` that needs no GIL."""
        number: i64
        i: cython.int
        k: cython.int
        gap: i64
        total: i64
        for i in range(MAX_SEATS):
            self.points[i] = self.square[i] = 0
        for number in range(count):
            worlds.deal(self.world, mix64(seed ^ mix64(number + 1)))
            self.twin.copy_from(self.world)
            self.twin.apply(played, self.moves)
            self.seating.playout(self.twin, self.moves)
            self.world.apply(other, self.moves)
            self.seating.playout(self.world, self.moves)
            total = 0
            for i in range(self.twin.n):
                gap = self.twin.score(i) - self.world.score(i)
                self.points[i] += gap
                total += gap
            for i in range(self.twin.n):
                gap = 0
                for k in range(self.twin.n):
                    if self.twin.same_side(i, k):
                        gap += self.twin.score(k) - self.world.score(k)
                gap = 2 * gap - total if self.twin.sides else self.twin.n * gap - total
                self.square[i] += gap * gap

    def value(self, core: Core, drawing: int, seed: int, orders: int) -> tuple[list[int], int]:
        """Return (points by seat, number of orders): the final points, summed over orders of the stock.

        The hands are those of `core`. Orders are drawn at random, whatever the stock's true order. If the
        stock has at most `orders` orders and no restock (H5) is possible, each is played once instead. With
        `drawing` the actor draws first; otherwise all seats follow their policies from the start. Later
        restocks are random.
        """
        i: cython.int
        self.world.copy_from(core)
        self.world.set_stock(sorted(core.stock_cards()))
        self._value(drawing, seed, orders)
        return [self.points[i] for i in range(self.world.n)], self.done

    def value_and_chances(
        self, core: Core, drawing: int, seed: int, orders: int, winner
    ) -> tuple[list[int], list[int], int]:
        """Return (points by seat, chances by seat, number of orders): `value` with chances.

        Chances are in thousandths and are summed over the orders, like the points. `winner` is a
        `SearchWorker` of this thread whose search values the match or the prize.
        """
        i: cython.int
        self.winner, self.counting = winner, 1
        points, done = self.value(core, drawing, seed, orders)
        self.counting = 0
        return points, [self.chances[i] for i in range(self.world.n)], done

    def _value(self, drawing, seed, orders):
        first: cython.int = drawing
        s: u64 = seed
        n: cython.int = orders
        with cython.nogil:
            self.value_all(first, s, n)

    def value_all(self, drawing, seed, orders):
        """Do the part of `value` that needs no GIL."""
        k: cython.int
        i: cython.int
        all_orders: cython.int = 1
        number: u64
        for i in range(2, self.world.stock_end + 1):
            all_orders *= i
            if all_orders > orders:
                break
        if self.world.restock_allowed:
            all_orders = orders + 1
        self.done = min(orders, all_orders)
        for i in range(MAX_SEATS):
            self.points[i] = self.chances[i] = 0
        for k in range(self.done):
            number = k + 1
            self.twin.copy_from(self.world)
            self.twin.rng = mix64(seed ^ mix64(number))
            if all_orders <= orders:
                self.put_in_order(k)
            else:
                self.twin.mix(0, self.twin.stock_end)
            if drawing:
                self.twin.apply(DRAW, self.moves)
            self.seating.playout(self.twin, self.moves)
            for i in range(self.twin.n):
                self.points[i] += self.twin.score(i)
            if self.counting:
                self.winner.add_chances(self.twin, self.chances)

    def play_out(self, cores, first: int, seed: int, times: int) -> list[list[int]]:
        """Return, for each of these deals, the final points by seat, summed over this number of playouts.

        `first` is the code of an action that is applied first, -1 for none. The result ends before the first
        deal in which it is not legal. The deals do not change. The first playout of a deal keeps the order of
        the stock, each further one shuffles it. Later restocks and random actions follow from the seed.
        """
        core: Core
        i: cython.int
        start: u64 = seed
        number: u64
        found = []
        for number, core in enumerate(cores, 1):
            self.world.copy_from(core)
            if first >= 0 and not self.begin(first):
                break
            self._play_out(mix64(start ^ mix64(number)), times)
            found.append([self.points[i] for i in range(self.world.n)])
        return found

    def begin(self, first):
        """Apply the first action to `world` and return True, or return False if it is not legal.

        The legality of the discard of a natural card is known without generating all legal actions.
        """
        if self.world.phase == PHASE_PLAY and first & 15 == DISCARD and first >> 4 < JOKER_CARD:
            code: u64 = first
            if not (self.world.discards() >> (code >> 4)) & 1:
                return False
            self.world.apply(code, self.moves)
            return True
        self.moves.n = 0
        return self.world.play(first, self.moves) is not None

    def _play_out(self, seed, times):
        s: u64 = seed
        n: cython.int = times
        with cython.nogil:
            self.play_out_all(s, n)

    def play_out_all(self, seed, times):
        """Do the part of `play_out` that needs no GIL."""
        k: cython.int
        i: cython.int
        number: u64
        for i in range(MAX_SEATS):
            self.points[i] = 0
        for k in range(times):
            number = k + 1
            self.twin.copy_from(self.world)
            self.twin.rng = mix64(seed ^ mix64(number))
            if k:
                self.twin.mix(self.twin.stock_next, self.twin.stock_end)
            if self.at_random:
                self.twin.playout(self.moves, mix64(self.twin.rng))
            else:
                self.seating.playout(self.twin, self.moves)
            for i in range(self.twin.n):
                self.points[i] += self.twin.score(i)

    def put_in_order(self, number):
        """Put the sorted stock of n cards into permutation `number`; 0 to n! - 1 give all permutations."""
        i: cython.int
        k: cython.int
        card: cython.short
        for i in range(self.twin.stock_end - 1, 0, -1):
            k = number % (i + 1)
            number //= i + 1
            card = self.twin.stock[i]
            self.twin.stock[i] = self.twin.stock[k]
            self.twin.stock[k] = card
