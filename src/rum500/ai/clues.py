"""Clues about hidden hands in the actions of a deal. This module is compiled, or runs interpreted.

`ClueTracker` plays the public actions of a deal (`View.past`) on a core that knows no hidden card: a card
enters a hand there only when it is taken or shown. Meanwhile it collects clues for each seat and card:
discards of the seat near the card, pile cards that the seat left although they would have made a meld with
the card, how long the seat has not laid the card although it could, and how carelessly the seat plays.
`ClueNetwork`, a small integer network, turns the clues into the log-odds that a seat holds a card. Everything
here is a function of public information and, for `ClueTracker.observe`, of one seat's own hand.

Clues by seat and card are stored at `64 * seat + card`. A clue counts `CLUE` at first and fades by an eighth
with each further turn of the seat, since the card may have come later. The features of the network:

    0-12  the card's rank          13  whether it is a joker
    14 same  15 rank  16 next  17 gap     the seat's discards: this card, its rank, its suit one and two off
    18 declined                           draws though this card would have allowed a take
    19 top_rank  20 top_next  21 top_gap  upcards not taken: of the card's rank, of its suit one and two off
    22 streak                             turns in a row ended though this card could have been laid
    23 whether it could be laid now, with the table and the cards the seat is known to hold
    24-26 the seat's known cards   27-29 the pile   30-32 the unseen cards: of its rank, one and two off
    33 unseen copies   34 whether a neighbour of it would extend a run on the table
    35-37 the last discard: of its rank, one and two off
    38-65 the seat, the deal and the rules: see `read_seat`
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.rules.engine.core import (
        ACES,
        CALL,
        DISCARD,
        DRAW,
        FULL_RUN,
        JOKER_CARD,
        JOKER_RANK,
        LAY_RUN,
        MELD_RUN,
        NATURALS,
        ONE,
        PHASE_CLAIM,
        PHASE_DRAW,
        TAKE,
        Core,
        Moves,
        bit,
        lowest,
        popcount,
        two_bit_sum,
    )

    CARD_FEATURES = 38
    FEATURES = 66
    NEURONS = 32
    CLUE = 16
    STREAK = 15
    MOST = 8192


def near(card, step, ace_low):
    """Return a mask of the cards `step` ranks away in the same suit; an ace is low and high if `ace_low`."""
    x: u64 = ONE << (card & 15)
    lane: u64
    if x == 1:
        x = (ONE << 13) | (1 if ace_low else 0)
    lane = ((x << step) | (x >> step)) & FULL_RUN
    if not ace_low:
        lane &= FULL_RUN ^ 1
    return ((lane & 0x1FFF) | (lane >> 13)) << (card & 48)


class ClueNetwork:
    """A network with one hidden layer in fixed point: 66 features, 32 neurons, one output in 1/1024 nat."""

    def __init__(self, inner: list[int], bias: list[int], outer: list[int], last: int) -> None:
        """Store the weights, in 1/4096: `inner[32 * feature + neuron]`, `bias` and `outer` by neuron.

        `last` is the constant of the output.
        """
        i: cython.int
        assert len(inner) == FEATURES * NEURONS
        assert len(bias) == len(outer) == NEURONS
        if not cython.compiled:
            self.inner, self.bias, self.outer = list(inner), list(bias), list(outer)
        for i in range(FEATURES * NEURONS):
            self.inner[i] = inner[i]
        for i in range(NEURONS):
            self.bias[i] = bias[i]
            self.outer[i] = outer[i]
        self.last = last


class ClueTracker:
    """Replays one deal from its opening and collects the clues on the way."""

    def __init__(self, table: Core) -> None:
        """Start with a core that has the upcard, the sizes of hands and stock, and no cards in hands."""
        i: cython.int
        self.table = table
        self.moves = Moves()
        if not cython.compiled:
            for name in (
                "same",
                "rank",
                "next",
                "gap",
                "declined",
                "top_rank",
                "top_next",
                "top_gap",
                "streak",
            ):
                setattr(self, name, [0] * 512)
            for name in ("turns", "takes", "gifts", "idle", "missed", "last", "late", "busy"):
                setattr(self, name, [0] * 8)
            self.x = [0] * FEATURES
            self.base = [0] * NEURONS
            self.sums = [0] * NEURONS
            self.unseen1 = self.unseen2 = self.unseen_jokers = self.plays = self.taken = 0
        for i in range(8):
            self.last[i] = -1

    # --- the public actions -----------------------------------------------------------------------

    def run(self, past: tuple[int, ...]) -> None:
        """Follow these actions, in order. Raises `ValueError` for an action that is not legal at its time."""
        for code in past:
            if not self.admits(code):
                raise ValueError(f"the actions of the deal cannot be replayed: {code} is not legal here")
            self.follow(code)

    def admits(self, code):
        """Return whether an action can be legal, assuming that the hand has the hidden cards it needs."""
        core: Core = self.table
        kind: cython.int = code & 15
        if kind == TAKE or kind == CALL:
            phase: cython.int = PHASE_DRAW if kind == TAKE else PHASE_CLAIM
            return core.phase == phase and 0 < code >> 4 <= core.pile_n
        if kind >= DISCARD:
            self.reveal(code)
        core.generate(self.moves)
        return code in self.moves.actions()

    def need(self, seat, card, copies):
        """Add copies of a card to the seat's hand until it has `copies`: the seat is about to play them."""
        if copies > 0:
            self.table.h1[seat] |= bit(card)
        if copies > 1:
            self.table.h2[seat] |= bit(card)

    def reveal(self, code):
        """Put the cards that an action shows into the hand that plays them."""
        core: Core = self.table
        seat: cython.int = core.turn
        kind: cython.int = code & 15
        rank: cython.int = (code >> 4) & 15
        jokers: cython.int = 0
        suit: cython.int
        wild: u64
        natural: u64
        if kind == DISCARD:
            copies: cython.int = (
                2 if code >> 4 == core.ban else 1
            )  # the copy just taken may not be discarded (H4)
            if code >> 4 == JOKER_CARD:
                jokers = copies
            else:
                self.need(seat, code >> 4, copies)
        elif kind == MELD_RUN or kind == LAY_RUN:
            wild = (code >> 20) & FULL_RUN
            natural = ((code >> 6) & FULL_RUN) ^ wild
            core.h1[seat] |= ((natural & 0x1FFF) | (natural >> 13)) << (16 * (rank & 3))
            jokers = popcount(wild)
        elif rank == JOKER_RANK:
            jokers = (code >> 8) & 255
        else:
            for suit in range(4):
                self.need(seat, 16 * suit + rank, (code >> (8 + 2 * suit)) & 3)
            jokers = two_bit_sum((code >> 16) & 255) + 2 * ((code >> 24) & 1)
        core.hj[seat] = max(core.hj[seat], jokers)

    def follow(self, code):
        """Collect the clues of one action, then apply the action to the table."""
        core: Core = self.table
        kind: cython.int = code & 15
        seat: cython.int = core.turn
        if kind == DRAW:
            self.decay(seat)
            self.read_draw(seat)
            self.draw()
            return
        if kind == TAKE:
            self.decay(seat)
            self.takes[seat] += 1
            self.plays = 0
            self.taken = 1
        elif kind == DISCARD:
            self.read_discard(seat, code >> 4)
        elif kind >= MELD_RUN:
            self.read_play(seat)
        if kind >= DISCARD:
            self.reveal(code)
        core.apply(code, self.moves)

    def draw(self):
        """Move a hidden card from the stock to the hand of the player in turn; restock first if necessary."""
        core: Core = self.table
        self.plays = self.taken = 0
        if core.stock_next == core.stock_end:
            core.gather()
        core.stock_next += 1
        core.hn[core.turn] += 1
        core.progress = 1
        core.passes = 0
        core.phase = 2

    # --- clues ------------------------------------------------------------------------------------

    def decay(self, seat):
        """Reduce the seat's earlier clues by an eighth, at the start of its turn."""
        i: cython.int
        for i in range(64 * seat, 64 * seat + 64):
            self.same[i] -= self.same[i] >> 3
            self.rank[i] -= self.rank[i] >> 3
            self.next[i] -= self.next[i] >> 3
            self.gap[i] -= self.gap[i] >> 3
            self.declined[i] -= self.declined[i] >> 3
            self.top_rank[i] -= self.top_rank[i] >> 3
            self.top_next[i] -= self.top_next[i] >> 3
            self.top_gap[i] -= self.top_gap[i] >> 3

    def add_near(self, clues, seat, cards):
        """Add a clue about a seat and each card of a mask to the list `clues`."""
        while cards:
            clues[64 * seat + lowest(cards)] += CLUE
            cards &= cards - 1

    def read_draw(self, seat):
        """Record each card that this draw makes unlikely: with it, the seat could have taken pile cards."""
        core: Core = self.table
        moves: Moves = self.moves
        known: u64 = core.k1[seat]
        skip: cython.int = not core.top_binds()
        plain: cython.int = core.pile_j == 0 and core.kj[seat] == 0 and not core.wild and core.packs == 1
        suit: cython.int
        rank: cython.int
        top: cython.int
        card: cython.int
        if core.pile_n == 0:
            return
        top = core.pile[core.pile_n - 1]
        if top != JOKER_CARD:
            self.add_near(self.top_rank, seat, (ACES << (top & 15)) ^ bit(top))
            self.add_near(self.top_next, seat, near(top, 1, core.ace_low))
            self.add_near(self.top_gap, seat, near(top, 2, core.ace_low))
        moves.n = 0
        core.gen_pile(moves, TAKE, known, core.k2[seat], core.kj[seat], skip, 1)
        if moves.n:
            self.missed[seat] += 1
            return
        for suit in range(4):
            for rank in range(13):
                card = 16 * suit + rank
                if plain and (core.usable(known | core.pile_mask | bit(card)) & core.pile_mask) == 0:
                    continue
                if known & bit(card):
                    continue
                moves.n = 0
                core.gen_pile(moves, TAKE, known | bit(card), core.k2[seat], core.kj[seat], skip, 1)
                if moves.n:
                    self.declined[64 * seat + card] += CLUE

    def read_play(self, seat):
        """Record a play. In a turn that began with a draw, a second play shows that cards were held back."""
        self.plays += 1
        if self.plays == 1:
            self.busy[seat] += 1
        elif self.plays == 2 and not self.taken:
            self.late[seat] += 1

    def read_discard(self, seat, card):
        """Record a discard, and the cards that the seat could have laid this turn if it held them."""
        core: Core = self.table
        known: u64 = core.k1[seat]
        i: cython.int
        suit: cython.int
        rank: cython.int
        fits: cython.int
        self.turns[seat] += 1
        self.last[seat] = card
        if core.hn[seat] > 1 and core.fits_table(card):
            self.gifts[seat] += 1
        if card != JOKER_CARD:
            self.add_near(self.same, seat, bit(card))
            self.add_near(self.rank, seat, (ACES << (card & 15)) ^ bit(card))
            self.add_near(self.next, seat, near(card, 1, core.ace_low))
            self.add_near(self.gap, seat, near(card, 2, core.ace_low))
            known &= NATURALS ^ bit(card)
        else:
            self.same[64 * seat + card] += CLUE
        if core.usable(known) != 0:
            self.idle[seat] += 1
        for suit in range(4):
            for rank in range(13):
                i = 16 * suit + rank
                fits = (core.usable(known | bit(i)) >> i) & 1
                i += 64 * seat
                self.streak[i] = min(self.streak[i] + 1, STREAK) if fits else 0
        i = 64 * seat + JOKER_CARD
        self.streak[i] = min(self.streak[i] + 1, STREAK) if core.fits_table(JOKER_CARD) else 0

    # --- features ---------------------------------------------------------------------------------

    def set_unseen(self, card, copies):
        """Set how many copies of a card the observer does not see."""
        if card == JOKER_CARD:
            self.unseen_jokers = copies
            return
        if copies > 0:
            self.unseen1 |= bit(card)
        if copies > 1:
            self.unseen2 |= bit(card)

    def read_seat(self, seat, observer):
        """Compute the features that do not depend on a card: the seat, the deal and its rules."""
        core: Core = self.table
        known: cython.int = popcount(core.k1[seat]) + popcount(core.k2[seat]) + core.kj[seat]
        n: cython.int = core.n
        self.x[38] = min(self.turns[seat], 24)
        self.x[39] = core.hn[seat] - known
        self.x[40] = known
        self.x[41] = self.takes[seat]
        self.x[42] = min(self.gifts[seat], 8)
        self.x[43] = min(self.idle[seat], 8)
        self.x[44] = min(self.missed[seat], 8)
        self.x[45] = min(core.laid[seat] >> 3, 32)
        self.x[46] = core.same_side(seat, observer)
        self.x[47] = 1 if seat - observer in (1, 1 - n) else 0
        self.x[48] = 1 if observer - seat in (1, 1 - n) else 0
        self.x[49] = (core.stock_end - core.stock_next) >> 2
        self.x[50] = n
        self.x[51] = core.meld_n
        self.x[52] = min(core.pile_n, 32)
        self.x[53] = core.top_must_meld
        self.x[54] = core.wild
        self.x[55] = core.own_rank
        self.x[56] = core.same_suit
        self.x[57] = core.doubles
        self.x[58] = core.go_out
        self.x[59] = 1 if core.value[3] == 5 else 0
        self.x[60] = core.ace_low
        self.x[61] = core.packs
        self.x[62] = core.hand_size
        self.x[63] = core.restock_allowed
        self.x[64] = min(self.late[seat], 8)
        self.x[65] = min(self.busy[seat], 16)

    def read_card(self, seat, card):
        """Compute the features of one card in this seat's hand."""
        core: Core = self.table
        i: cython.int = 64 * seat + card
        f: cython.int
        mates: u64
        one: u64
        two: u64
        last: cython.int = self.last[seat]
        known: u64 = core.k1[seat]
        for f in range(CARD_FEATURES):
            self.x[f] = 0
        self.x[14] = self.same[i]
        self.x[22] = self.streak[i]
        if card == JOKER_CARD:
            self.x[13] = 1
            self.x[23] = core.fits_table(card)
            self.x[33] = self.unseen_jokers
            return
        mates = (ACES << (card & 15)) ^ bit(card)
        one = near(card, 1, core.ace_low)
        two = near(card, 2, core.ace_low)
        self.x[card & 15] = 1
        self.x[15] = self.rank[i]
        self.x[16] = self.next[i]
        self.x[17] = self.gap[i]
        self.x[18] = self.declined[i]
        self.x[19] = self.top_rank[i]
        self.x[20] = self.top_next[i]
        self.x[21] = self.top_gap[i]
        self.x[23] = (core.usable(known | bit(card)) >> card) & 1
        self.x[24] = popcount(known & mates)
        self.x[25] = popcount(known & one)
        self.x[26] = popcount(known & two)
        self.x[27] = popcount(core.pile_mask & mates)
        self.x[28] = popcount(core.pile_mask & one)
        self.x[29] = popcount(core.pile_mask & two)
        self.x[30] = popcount(self.unseen1 & mates)
        self.x[31] = popcount(self.unseen1 & one)
        self.x[32] = popcount(self.unseen1 & two)
        self.x[33] = ((self.unseen1 >> card) & 1) + ((self.unseen2 >> card) & 1)
        self.x[34] = 1 if core.places(one) & (core.ups | core.downs) else 0
        if last >= 0 and last != JOKER_CARD:
            self.x[35] = (mates >> last) & 1
            self.x[36] = (one >> last) & 1
            self.x[37] = (two >> last) & 1

    def features(self, seat: int, observer: int, cards: list[int]) -> list[list[int]]:
        """Return the 66 features of each of these cards, as a possible card of the seat's hand.

        The features use what `observer` sees.
        """
        self.read_seat(seat, observer)
        rows = []
        for card in cards:
            self.read_card(seat, card)
            rows.append([self.x[f] for f in range(FEATURES)])
        return rows

    def seat_features(self, seat: int, observer: int) -> list[int]:
        """Return the 28 features of a seat that do not depend on a card."""
        self.read_seat(seat, observer)
        return [self.x[f] for f in range(CARD_FEATURES, FEATURES)]

    def observe(self, unseen: list[int]) -> None:
        """Set the cards that the observer cannot see: sorted codes, a code twice for two copies."""
        self.unseen1 = self.unseen2 = 0
        self.unseen_jokers = 0
        for card in unseen:
            if card == JOKER_CARD:
                self.unseen_jokers += 1
            else:
                self.set_unseen(card, 2 if (self.unseen1 >> card) & 1 else 1)

    # --- log-odds ---------------------------------------------------------------------------------

    def weigh_seat(self, net):
        """Compute the part of each neuron's sum that depends only on the seat."""
        j: cython.int
        f: cython.int
        for j in range(NEURONS):
            self.base[j] = net.bias[j]
        for f in range(CARD_FEATURES, FEATURES):
            if self.x[f]:
                for j in range(NEURONS):
                    self.base[j] += net.inner[NEURONS * f + j] * self.x[f]

    def weigh_card(self, net):
        """Return the network's output for the current features: log-odds in 1/1024 nat."""
        j: cython.int
        f: cython.int
        total: i64 = net.last
        for j in range(NEURONS):
            self.sums[j] = self.base[j]
        for f in range(CARD_FEATURES):
            if self.x[f]:
                for j in range(NEURONS):
                    self.sums[j] += net.inner[NEURONS * f + j] * self.x[f]
        for j in range(NEURONS):
            if self.sums[j] > 0:
                total += (self.sums[j] >> 4) * net.outer[j]
        total >>= 10
        return max(-MOST, min(MOST, total))

    def odds(self, net: ClueNetwork, seat: int, observer: int, cards: list[int]) -> list[int]:
        """Return the log-odds, in 1/1024 nat, that this seat holds a copy of each card; a list by code 0 to
        63.

        Codes that are not in `cards` have 0.
        """
        found = [0] * 64
        self.read_seat(seat, observer)
        self.weigh_seat(net)
        for card in cards:
            self.read_card(seat, card)
            found[card] = self.weigh_card(net)
        return found
