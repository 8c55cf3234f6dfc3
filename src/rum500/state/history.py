"""The actions of a deal, with the time at which each hidden card came into a hand and left it.

A *slot* is a place that receives a card face down: a place in a first hand, a draw, or a place in the stock.
A card *shows* when it is played from a slot. The *time* of an action is its index in `View.past`. Each
restock (H5) begins a new *stock*; stocks are counted from 0. The slots of a stock contain exactly the cards
that went into that stock.

To a seat, two deals look the same if they differ only in the cards in the slots of other seats and of the
stock, and if every shown card could have come from its slot. `CardHistory.resampled` returns such a deal; all
assignments of cards to slots are equally likely. There is one approximation: if copies of a card are hidden
in several stocks, the stock that each shown copy came from is chosen at random for each copy separately, so
such assignments are only nearly equally likely.

This module is compiled, or runs interpreted.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.rng import advance, mix64
    from rum500.rules.engine.core import (
        DISCARD,
        DRAW,
        JOKER_CARD,
        ONE,
        PHASE_OVER,
        Core,
        Moves,
        bit,
        lowest,
    )

    STOCK_SEAT = 15  # the seat of slots in the stock
    HELD = (1 << 22) - 1  # the time of leaving the hand, for a card that is still in it
    STAYS = 50  # the bit of a card that is in a hand and not played yet (known by H4, or assigned)
    TRIES = 100_000


class CardHistory:
    """The slots of a deal, and the shown cards."""

    def __init__(self, core: Core, past, draws) -> None:
        """Replay the actions `past` (as in `View`); `draws` has the card of each draw, in order.

        Raises `ValueError` if `past` is empty, or if `draws` does not have exactly one card for each draw.
        """
        if not past:
            raise ValueError("the course of this deal is unknown")
        self.past = past
        self.draws = draws
        self.n = core.n
        self.stocks = self.first_draw = self.tries = 0
        self.moves = Moves()
        self.acted = Moves()
        self.drew = Moves()
        self.shows = Moves()
        self.slots = Moves()
        self.cards = Moves()
        self.left = Moves()
        self.todo = Moves()
        self.spots = Moves()
        self.failed = 0
        self.walk(core)
        if self.failed or self.drew.n != len(draws):
            raise ValueError("the cards drawn in this deal are unknown")

    # --- the past actions -------------------------------------------------------------------------

    def walk(self, core):
        """Replay the actions, and record each draw and each shown card with its seat and time."""
        i: cython.int
        code: u64
        kind: cython.int
        table: Core = Core()
        table.copy_from(core)
        _reset_to_opening(table, self.past[0] >> 4)
        drawn: cython.int = len(self.draws)
        for i in range(1, len(self.past)):
            code = self.past[i]
            kind = code & 15
            self.acted.push(table.actor)
            if kind == DRAW:
                if self.drew.n == drawn:
                    self.failed = 1
                    return
                if table.stock_next == table.stock_end:
                    table.gather()
                    self.stocks += 1
                table.stock[table.stock_next] = self.draws[self.drew.n]
                self.drew.push(word(table.stock[table.stock_next], table.turn, self.stocks, i))
            elif kind >= DISCARD:
                self.show(table, code, i)
            table.apply(code, self.moves)
        # A position can be stored after a restock and before the draw that caused it: count that stock too.
        if table.stock_next == table.stock_end and core.stock_next < core.stock_end:
            self.stocks += 1

    def show(self, table, code, time):
        """Record the cards that an action plays from slots, and add them to the seat's hand in the replay."""
        seat: cython.int = table.turn
        cards: u64
        jokers: cython.int
        if code & 15 == DISCARD:
            card: cython.int = code >> 4
            if card == JOKER_CARD:
                self.show_jokers(table, seat, 1, time)
                if table.ban == card and table.kj[seat] == 1:
                    self.pin(seat, card, time)
                return
            self.show_naturals(table, seat, bit(card), table.k1[seat], time)
            if table.ban == card and not table.k2[seat] & bit(card):
                self.pin(seat, card, time)
            return
        cards = table.cards_of(code)
        self.show_naturals(table, seat, cards, table.k1[seat], time)
        if table.same_suit:
            # These are the second copies; the call above has recorded the first copies.
            self.show_naturals(table, seat, table.twins_of(code), table.k2[seat], time)
        jokers = table.jokers_of(code)
        if jokers:
            self.show_jokers(table, seat, jokers, time)

    def show_naturals(self, table, seat, cards, known, time):
        """Record the cards of the mask `cards` that are not in `known`, and add them to the seat's hand."""
        card: cython.int
        cards &= ~known
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            self.show_one(seat, card, time)
            table.gain(seat, card)
            table.hn[seat] -= 1

    def show_jokers(self, table, seat, jokers, time):
        """Record those of the played jokers that were not known to all, and add them to the seat's hand."""
        _: cython.int
        for _ in range(jokers - table.kj[seat]):
            self.show_one(seat, JOKER_CARD, time)
        table.hj[seat] = max(table.hj[seat], jokers)

    def show_one(self, seat, card, time):
        """Record one card that is played from a slot; if `pin` recorded it before, only mark it as played."""
        i: cython.int = self.pinned(seat, card)
        if i >= 0:
            self.shows.a[i] ^= ONE << STAYS
        else:
            self.shows.push(word(card, seat, 0, time))

    def pin(self, seat, card, time):
        """Record that this seat keeps a second copy of the banned card that it discards, as H4 requires."""
        if self.pinned(seat, card) < 0:
            self.shows.push((ONE << STAYS) | word(card, seat, 0, time))

    def pinned(self, seat, card):
        """Return the index in `shows` of a card that `pin` recorded and that is still held, else -1."""
        i: cython.int
        for i in range(self.shows.n):
            if self.shows.a[i] >> STAYS and self.shows.a[i] & 1023 == word(card, seat, 0, 0):
                return i
        return -1

    # --- knowledge of a seat ----------------------------------------------------------------------

    def first_hand(self, core: Core, seat: int) -> list[int]:
        """Return the cards that were dealt to a seat, sorted."""
        count = [0] * 64
        i: cython.int
        for card in core.hand_cards(seat):
            count[card] += 1
        for card in core.known_cards(seat):
            count[card] -= 1
        for i in range(self.shows.n):
            if (self.shows.a[i] >> 6) & 15 == seat and not self.shows.a[i] >> STAYS:
                count[self.shows.a[i] & 63] += 1
        for i in range(self.drew.n):
            if (self.drew.a[i] >> 6) & 15 == seat:
                count[self.drew.a[i] & 63] -= 1
        return [card for card in range(64) for _ in range(count[card])]

    def draws_of(self, seat: int) -> list[int]:
        """Return the cards that a seat drew, in order."""
        i: cython.int
        return [self.drew.a[i] & 63 for i in range(self.drew.n) if (self.drew.a[i] >> 6) & 15 == seat]

    def actors(self) -> list[int]:
        """Return the seat that acted, for each action after the upcard."""
        return self.acted.actions()

    # --- other deals that the seat cannot tell from this one --------------------------------------

    def resampled(self, core: Core, seat: int, seed: int, world=None):
        """Return another deal that the seat cannot tell from this one, and the cards drawn there, in order.

        With `world`, the hidden hands and the stock are those of that core. Returns None if no such deal was
        found. The result depends on what the seat knows, on `seed` and on `world`, not on the true hidden
        cards.
        """
        random: u64 = mix64(seed)
        tries: cython.int
        i: cython.int
        twin: Core = Core()
        model: Core = core if world is None else world
        fixed: cython.int = world is not None or core.phase == PHASE_OVER
        self.gather_slots(core, seat)
        self.tries = 0
        for tries in range(TRIES if world is None else 1):
            self.tries += 1
            random = advance(random)
            self.place_shown(model, seat, fixed, mix64(random))
            if self.failed:
                continue
            self.deal(core, twin, seat)
            if world is not None:
                twin.set_stock(model.stock_cards())
            twin.rng = mix64(advance(random))
            if twin.phase != PHASE_OVER and twin.actor != seat:
                twin.generate(self.moves)
                if self.moves.n == 0:
                    continue
            i = self.first_draw
            return twin, tuple([self.cards.a[k] & 63 for k in range(i, i + self.drew.n)])
        return None

    def gather_slots(self, core, seat):
        """List all slots with their true cards: first hands by seat, then draws, then the stock.

        Sets `left[64 * stock + card]` to the number of copies of the card in slots unknown to the seat.
        """
        i: cython.int
        other: cython.int
        if not self.first_draw:
            for other in range(self.n):
                for card in self.first_hand(core, other):
                    self.slots.push(word(card, other, 0, 0))
            self.first_draw = self.slots.n
            for i in range(self.drew.n):
                self.slots.push(self.drew.a[i])
        self.slots.n = self.first_draw + self.drew.n
        for i in range(core.stock_next, core.stock_end):
            self.slots.push(word(core.stock[i], STOCK_SEAT, self.stocks, HELD))
        self.left.n = self.cards.n = 0
        for i in range(128 * (self.stocks + 1)):
            self.left.push(0)
        for i in range(self.slots.n):
            self.cards.push(0)
            if (self.slots.a[i] >> 6) & 15 != seat:
                self.left.a[64 * ((self.slots.a[i] >> 10) & 4095) + (self.slots.a[i] & 63)] += 1

    def place_shown(self, core, seat, fixed, random):
        """Choose a slot for each shown card, then fill the other slots at random.

        `failed` is set if a card found no slot. `cards` has the card of each slot, with bit 6 set once a card
        is assigned, and bit 7 if that card has been played. With `fixed`, the hidden cards in the hands of
        `core` are assigned first, as cards that are still held.
        """
        i: cython.int
        k: cython.int
        other: cython.int
        for i in range(self.slots.n):
            self.cards.a[i] = 0
        # The first half of `left` keeps the original counts for later tries; this try works on the second.
        k = 64 * (self.stocks + 1)
        for i in range(k):
            self.left.a[k + i] = self.left.a[i]
        self.todo.n = self.spots.n = self.failed = 0
        for i in range(self.shows.n):
            if (self.shows.a[i] >> 6) & 15 != seat:
                self.todo.push(self.shows.a[i])
        if fixed:
            for other in range(self.n):
                if other != seat:
                    self.hold(core, other)
            if self.failed:
                return
        for i in range(self.todo.n):
            self.spots.push(0)
            random = self.place(i, random)
            if self.failed:
                random = self.repair(i, random)
            if self.failed:
                return
        for k in range(self.stocks + 1):
            random = self.fill(seat, k, random)
        for i in range(self.slots.n):
            if (self.slots.a[i] >> 6) & 15 == seat:
                self.cards.a[i] = self.slots.a[i] & 63

    def hold(self, core, seat):
        """Add the hidden cards of this seat's hand in `core` to `todo`, marked as still held."""
        i: cython.int
        held = core.hand_cards(seat)
        for card in core.known_cards(seat):
            held.remove(card)
        for i in range(self.shows.n):
            if (self.shows.a[i] >> 6) & 15 == seat and self.shows.a[i] >> STAYS:
                if self.shows.a[i] & 63 not in held:
                    self.failed = 1
                    return
                held.remove(self.shows.a[i] & 63)
        for card in held:
            self.todo.push((ONE << STAYS) | word(card, seat, 0, HELD))

    def repair(self, which, random):
        """Move an assigned card to another slot, so that the card `todo[which]`, which found none, gets one.

        Return the generator's state. `failed` is set if no move helps.
        """
        i: cython.int
        k: cython.int
        number: cython.int
        spot: u64
        shown: u64 = self.todo.a[which]
        span: u64 = which
        random = advance(random)
        for i in range(which):
            k = (((mix64(random) >> 32) * span) >> 32) + i
            if k >= which:
                k -= which
            # Only another copy of the card, or a card of the same seat, can make room.
            if (self.todo.a[k] ^ shown) & 63 and ((self.todo.a[k] ^ shown) >> 6) & 15:
                continue
            spot = self.spots.a[k]
            self.take_back(k)
            for number in (which, k):
                random = self.place(number, random)
                if self.failed:
                    break
            else:
                return random
            if number == k:
                self.take_back(which)
            self.put_in(k, spot)
        self.failed = 1
        return random

    def put_in(self, which, spot):
        """Assign the shown card `todo[which]` to the slot `spot`."""
        shown: u64 = self.todo.a[which]
        stock: cython.int = (self.slots.a[spot] >> 10) & 4095
        self.cards.a[spot] = (shown & 63) | 64
        if not shown >> STAYS:
            self.cards.a[spot] |= 128
        self.left.a[64 * (self.stocks + 1 + stock) + (shown & 63)] -= 1
        self.spots.a[which] = spot

    def take_back(self, which):
        """Remove the shown card `todo[which]` from its slot, so that another card can use the slot."""
        spot: u64 = self.spots.a[which]
        self.failed = 0
        stock: cython.int = (self.slots.a[spot] >> 10) & 4095
        self.left.a[64 * (self.stocks + 1 + stock) + (self.cards.a[spot] & 63)] += 1
        self.cards.a[spot] = 0

    def place(self, number, random):
        """Assign the shown card `todo[number]` to a random slot that its seat filled before the card showed.

        Return the generator's state. `failed` is set if there is no such slot.
        """
        i: cython.int
        shown: u64 = self.todo.a[number]
        card: cython.int = shown & 63
        time: u64 = (shown >> 22) & HELD
        total: u64 = 0
        which: u64
        weight: u64
        here: u64
        base: cython.int = 64 * (self.stocks + 1)
        stock: cython.int
        chosen: cython.int = -1
        free: cython.int = 0
        pick: cython.int
        # Choose the card's stock in proportion to the copies hidden in each stock.
        for stock in range(self.stocks + 1):
            here = self.left.a[base + 64 * stock + card]
            if here and self.count_free(shown, stock, time):
                total += here
                chosen = stock
        if total == 0:
            self.failed = 1
            return random
        if total > self.left.a[base + 64 * chosen + card]:
            random = advance(random)
            which = ((mix64(random) >> 32) * total) >> 32
            for stock in range(self.stocks + 1):
                here = self.left.a[base + 64 * stock + card]
                if here and self.count_free(shown, stock, time):
                    if which < here:
                        chosen = stock
                        break
                    which -= here
        free = self.count_free(shown, chosen, time)
        random = advance(random)
        weight = free
        pick = ((mix64(random) >> 32) * weight) >> 32
        for i in range(self.slots.n):
            if self.is_free(i, shown, chosen, time):
                if pick == 0:
                    self.put_in(number, i)
                    break
                pick -= 1
        return random

    def is_free(self, i, shown, stock, time):
        """Return whether slot i of this stock is free and was filled by the card's seat before this time."""
        slot: u64 = self.slots.a[i]
        return (
            self.cards.a[i] == 0
            and ((slot ^ shown) >> 6) & 15 == 0
            and (slot >> 10) & 4095 == stock
            and (slot >> 22) < time
        )

    def count_free(self, shown, stock, time):
        """Return the number of free slots of a stock for a card that showed at this time."""
        i: cython.int
        count: cython.int = 0
        for i in range(self.slots.n):
            count += self.is_free(i, shown, stock, time)
        return count

    def fill(self, seat, stock, random):
        """Put the remaining cards of a stock into its free slots, except those of `seat`, in a random order.

        Return the generator's state.
        """
        i: cython.int
        k: cython.int
        card: cython.int
        count: cython.int = 0
        span: u64
        base: cython.int = 64 * (self.stocks + 1 + stock)
        for card in range(64):
            for k in range(self.left.a[base + card]):
                self.moves.n = count
                self.moves.push(card)
                count += 1
        for i in range(self.slots.n):
            if (
                self.cards.a[i]
                or (self.slots.a[i] >> 6) & 15 == seat
                or (self.slots.a[i] >> 10) & 4095 != stock
            ):
                continue
            span = count
            random = advance(random)
            k = ((mix64(random) >> 32) * span) >> 32
            count -= 1
            self.cards.a[i] = self.moves.a[k] | 64
            self.moves.a[k] = self.moves.a[count]
        return random

    def deal(self, core, twin, seat):
        """Set `twin` to the deal in which the slots contain the assigned cards."""
        i: cython.int
        other: cython.int
        card: cython.int
        twin.copy_from(core)
        for other in range(self.n):
            if other != seat:
                twin.h1[other] = twin.k1[other]
                twin.h2[other] = twin.k2[other]
                twin.hj[other] = twin.kj[other]
        for i in range(self.slots.n):
            other = (self.slots.a[i] >> 6) & 15
            card = self.cards.a[i] & 63
            if other == STOCK_SEAT:
                twin.stock[core.stock_next + i - self.first_draw - self.drew.n] = card
            elif other != seat and not self.cards.a[i] & 128:
                twin.gain(other, card)
                twin.hn[other] -= 1
        if core.drawn >= 0 and core.turn != seat and self.drew.n:
            twin.drawn = self.cards.a[self.first_draw + self.drew.n - 1] & 63


def word(card, seat, stock, time):
    """Pack a card, its seat, its stock and the time at which it came or showed into one integer."""
    return card | (seat << 6) | (stock << 10) | (time << 22)


def _reset_to_opening(table, upcard):
    """Reset a core to the deal's opening: this upcard, and unknown cards in the hands and the stock."""
    i: cython.int
    cards: cython.int = table.stock_end - table.stock_next + table.pile_n
    for i in range(table.n):
        cards += table.hn[i]
    for i in range(table.meld_n):
        cards += table.meld_count(table.meld[i])
    table.start(table.dealer)
    for i in range(table.n):
        table.h1[i] = table.h2[i] = 0
        table.hj[i] = 0
    table.cut_pile(0)
    table.throw(upcard)
    table.stock_next = 0
    table.stock_end = cards - 1 - table.hand_size * table.n
