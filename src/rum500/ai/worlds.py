"""Worlds: random deals that agree with what one seat knows, generated without the GIL.

The cards that a seat does not see are in other hands and in the stock. A world assigns a place to each of
them. All arrangements are equally likely, or their probabilities follow given weights.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.rng import advance, mix64
    from rum500.rules.engine.core import JOKER_CARD, MAX_CARDS, MAX_SEATS, ONE, Core

    PLACES_TO_LIE = 9  # the seats, and then the stock
    STOCK_PLACE = 8
    KEEP_STEPS = 2048
    TRIES = 8
    KEEP = [0] * KEEP_STEPS


#: The difference between two weights that makes one place e times as likely as the other.
WEIGHT_ONE = 256


def _fill_table():
    """Fill `KEEP`, once at import: exp(-x / 256) in units of 2**-31, computed with integers alone."""
    keep = (1 << 31) - 1 << 31
    factor = 0xFF007FD5  # exp(-1 / 256) in 2**32nds
    for x in range(KEEP_STEPS):
        KEEP[x] = keep >> 31
        keep = keep * factor >> 32


_fill_table()


class Worlds:
    """The cards that one seat does not see, and the places where they may be."""

    def __init__(self, base: Core, cards, bound: int, room) -> None:
        """Store the deal as the seat knows it: in `base`, other hands contain only the known cards.

        `cards` are the codes of the unseen cards. The first `bound` of them cannot be in the stock, because
        they were not in the pile that became the stock (H5). `room[seat]` is the number of unseen cards in
        each hand; the other unseen cards are in the stock. Raises `ValueError` if the cards do not fit.
        """
        if not cython.compiled:
            self.cards = [0] * MAX_CARDS
            self.places = [0] * MAX_CARDS
            self.room = [0] * PLACES_TO_LIE
            self.weights = [0] * (MAX_CARDS * PLACES_TO_LIE)
            self.penalties = [0] * MAX_SEATS
        self.base = Core()
        self.base.copy_from(base)
        self.count = len(cards)
        self.bound = bound
        self.weighted = self.plain = self.penalized = 0
        self.sweeps = 6
        self.kept = self.kept_at = b""
        self.kept_n = 0
        for i, card in enumerate(cards):
            self.cards[i] = card
        for seat, size in enumerate(room):
            self.room[seat] = size
        self.room[STOCK_PLACE] = len(cards) - sum(room)
        if bound > sum(room) or self.room[STOCK_PLACE] < 0:
            raise ValueError("the unseen cards do not fit where they may lie")
        slot = 0
        for place in range(PLACES_TO_LIE):
            for _ in range(self.room[place]):
                self.places[slot] = place
                slot += 1

    def set_weights(self, weights, plain: int = 0) -> None:
        """Set weights for the places of unseen cards: `weights[i]` has one for each seat, then the stock's.

        A weight is a log-odds in 1/256 nat: apart from the other cards, a card is e times as likely to be at
        a place whose weight is 256 higher. `plain` percent of the worlds are drawn without weights.
        """
        for i, row in enumerate(weights):
            *seats, stock = row
            for seat, weight in enumerate(seats):
                self.weights[PLACES_TO_LIE * i + seat] = weight
            self.weights[PLACES_TO_LIE * i + STOCK_PLACE] = stock
        self.weighted = 1
        self.plain = plain

    def set_ready_meld_penalties(self, penalties) -> None:
        """Set a penalty for each seat, in 1/256 nat, for hands that could lay something at once; 0 is none.

        A weighted world in which such a hand has penalty x is kept with probability exp(-x / 256), and
        otherwise drawn again. Weights of single cards cannot express that a seat holds complete melds back.
        """
        for seat, penalty in enumerate(penalties):
            self.penalties[seat] = min(max(penalty, 0), KEEP_STEPS - 1)
            if penalty > 0:
                self.penalized = 1

    def use_arrangements(self, arrangements: bytes, plain: int = 0) -> None:
        """From now on, draw worlds from these arrangements, each equally likely, instead of by weights.

        An arrangement has one byte for each slot, which is the index of the unseen card in this slot: first
        the slots of the hands by seat, then those of the stock, whose order is drawn again for each world.
        `plain` percent of the worlds are still drawn from all possible arrangements. If
        `arrangements` is empty, nothing changes.
        """
        self.kept = self.kept_at = arrangements
        self.kept_n = len(arrangements) // self.count if self.count else 0
        self.plain = plain

    def arrangement(self, seed: int) -> list[int]:
        """Return the index of the unseen card in each slot of this seed's world, the stock's slots last."""
        into = Core()
        self.deal_weighted(into, seed)
        return [into.stock[i] for i in range(self.count)]

    def world(self, seed: int) -> Core:
        """Return the world of this seed as a new core."""
        into = Core()
        self.deal(into, seed)
        return into

    def deal(self, into, seed):
        """Set the core `into` to the world of this seed."""
        i: cython.int
        card: cython.int
        place: cython.int
        end: cython.int = 0
        b: u64
        random: u64 = self.deal_weighted(into, seed)
        for i in range(self.count):
            place = self.places[i]
            card = self.cards[into.stock[i]]
            if place == STOCK_PLACE:
                into.stock[end] = card
                end += 1
            elif card == JOKER_CARD:
                into.hj[place] += 1
            else:
                b = ONE << card
                if into.h1[place] & b:
                    into.h2[place] |= b
                else:
                    into.h1[place] |= b
        into.stock_next = 0
        into.stock_end = end
        into.rng = mix64(advance(random))

    def deal_weighted(self, into, seed):
        """Put the unseen cards into slots at random, by the weights; return the generator's state."""
        tries: cython.int = 0
        # The arrangement is built in the array of the stock; `deal` then overwrites it from its start.
        into.copy_from(self.base)
        random: u64 = self.deal_evenly(into, mix64(seed))
        if self.kept_n:
            random = advance(random)
            if ((mix64(random) >> 32) * 100) >> 32 >= self.plain:
                random = self.restore(into, random)
        elif self.weighted:
            random = advance(random)
            if ((mix64(random) >> 32) * 100) >> 32 >= self.plain:
                random = self.settle(into, random)
                while self.penalized and tries < TRIES:
                    random = advance(random)
                    if self.is_accepted(into, random):
                        break
                    random = self.settle(into, self.deal_evenly(into, random))
                    tries += 1
        return random

    def restore(self, into, random):
        """Put the cards into slots as in one of the given arrangements, but the stock in random order.

        Return the generator's state.
        """
        at: cython.Py_ssize_t
        i: cython.int
        span: u64 = self.kept_n
        random = advance(random)
        at = ((mix64(random) >> 32) * span) >> 32
        at *= self.count
        for i in range(self.count):
            into.stock[i] = self.kept_at[at + i]
        held: cython.int = self.count - self.room[STOCK_PLACE]
        return shuffle_part(into.stock, held, self.count, held, random)

    def deal_evenly(self, into, random):
        """Put the unseen cards into slots; every arrangement is equally likely. Return the generator's state.

        The stock's slots, which are last, are filled first, from the cards that may be in the stock.
        """
        i: cython.int
        held: cython.int = self.count - self.room[STOCK_PLACE]
        for i in range(self.count):
            into.stock[i] = i
        random = shuffle_part(into.stock, held, self.count, self.bound, random)
        return shuffle_part(into.stock, 0, held, 0, random)

    def is_accepted(self, into, random):
        """Draw whether to keep this arrangement: the penalties of hands that can lay make it less likely."""
        i: cython.int
        seat: cython.int
        card: cython.int
        hand: u64
        for seat in range(into.n):
            if self.penalties[seat] == 0 or self.room[seat] == 0:
                continue
            hand = self.base.h1[seat]
            for i in range(self.count):
                if self.places[i] == seat:
                    card = self.cards[into.stock[i]]
                    if card != JOKER_CARD:
                        hand |= ONE << card
            random = advance(random)
            if into.usable(hand) and (mix64(random) & 0x7FFFFFFF) >= KEEP[self.penalties[seat]]:
                return 0
        return 1

    def settle(self, into, random):
        """Swap cards between places by the Metropolis rule for the weights; return the generator's state."""
        i: cython.int
        k: cython.int
        a: cython.int
        b: cython.int
        gain: cython.int
        _: cython.int
        x: u64
        span: u64 = self.count
        for _ in range(self.sweeps * self.count):
            random = advance(random)
            x = mix64(random)
            i = ((x >> 48) * span) >> 16
            k = (((x >> 32) & 0xFFFF) * span) >> 16
            if self.places[i] == self.places[k]:
                continue
            a = into.stock[i]
            b = into.stock[k]
            if self.places[i] == STOCK_PLACE and b < self.bound:
                continue
            if self.places[k] == STOCK_PLACE and a < self.bound:
                continue
            gain = (
                self.weights[PLACES_TO_LIE * a + self.places[k]]
                + self.weights[PLACES_TO_LIE * b + self.places[i]]
                - self.weights[PLACES_TO_LIE * a + self.places[i]]
                - self.weights[PLACES_TO_LIE * b + self.places[k]]
            )
            if gain < 0:
                if -gain >= KEEP_STEPS or (x & 0x7FFFFFFF) >= KEEP[-gain]:
                    continue
            into.stock[i] = b
            into.stock[k] = a
        return random


def shuffle_part(cards, first, end, low, random):
    """Swap random cards from positions `low` to `end - 1` of a list into positions `first` to `end - 1`.

    Every choice and order is equally likely. Returns the generator's state.
    """
    i: cython.int = end - 1
    k: cython.int
    span: u64
    other: cython.short
    while i >= first and i > low:
        span = i - low + 1
        random = advance(random)
        k = low + (((mix64(random) >> 32) * span) >> 32)
        other = cards[i]
        cards[i] = cards[k]
        cards[k] = other
        i -= 1
    return random
