"""The core: the rules of all games on bit masks, compiled or interpreted.

Cython compiles this file with `core.pxd`; without the compiled module the interpreter runs it with identical
results. All functions that must be inlined together are in this file, so it is long.

Cards are the codes of `rum500.cards`; a mask of cards has bit `card` set. A hand is two masks (`h1` at least
one copy, `h2` both copies, for two packs) and a number of jokers. A *place* is a position in a run: bits 0 to
12 are ace to king, bit 13 is an ace above the king. A mask of places has 16 bits for each suit, like a mask
of cards. An action is one 64-bit number:

    bits 0-3   kind
    TAKE, CALL      count << 4          (cards taken, from the top)
    DISCARD         card << 4
    MELD_RUN        suit << 4 | places << 6 | places of jokers << 20
    MELD_SET        rank << 4 | natural cards by suit << 8 | jokers by suit << 16 | unnamed << 24
    LAY_RUN/SET     the added cards alone, as above, and the meld's number << 34

In the fields of a set each suit has two bits. A set of jokers of their own rank (R-MELD-4) has rank 14 and
its number of cards in the field of natural cards. A meld on the table has the same form.

Points go to the seat that lays the card, when it is laid (R-LAY-3). Each play updates the masks of cards that
can be laid off: `ups` and `downs` are the places above and below runs, `opens` the cards that fit sets.
`runs` (by suit) and `sets` (by rank) are masks of the numbers of the melds to examine.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

from operator import index

from rum500.cards import CARDS

if not cython.compiled:
    from rum500.rng import advance, mix64

    ONE = 1
    ACES = 0x0001000100010001
    NATURALS = 0x1FFF1FFF1FFF1FFF
    PLACES = 0x3FFF3FFF3FFF3FFF
    ABOVE_ACE = 0x3FFE3FFE3FFE3FFE
    FULL_RUN = 0x3FFF
    RUM500_SOURCE_HASH = b""
    # kinds of action
    DRAW, PASS, END, LET_GO, TAKE, CALL, DISCARD, MELD_RUN, MELD_SET, LAY_RUN, LAY_SET = range(11)
    PHASE_DRAW, PHASE_USE, PHASE_PLAY, PHASE_CLAIM, PHASE_OVER = range(5)
    REASON_NONE, REASON_OUT, REASON_STOCK, REASON_PASSES, REASON_NO_PROGRESS, REASON_TARGET = range(6)
    GO_OUT_EITHER, GO_OUT_MELD, GO_OUT_DISCARD = range(3)
    JOKER_CARD = 62
    JOKER_RANK = 14
    MELD_SHIFT = 34
    MAX_SEATS = 8
    MAX_CARDS = 112
    MAX_MELDS = 36
    PACK_HEAD = 63
    PACK_SEAT = 42
    SPREAD = [0] * 16
    SUITS_ONCE = [0] * 256
    SUITS_TWICE = [0] * 256
    SHAPE_NEED = [0] * 512
    SHAPE_NATURAL = [0] * 512
    SHAPE_WILD = [0] * 512
    SHAPE_JOKERS = [0] * 512
    SHAPE_COUNT = [0] * 512


def source_hash() -> str:
    """Return the hash of the sources of this compiled module; empty when interpreted."""
    return RUM500_SOURCE_HASH.decode()


# --- bits -----------------------------------------------------------------------------------------


def popcount(x):
    """Return the number of bits set."""
    if cython.compiled:
        return rum500_popcount(x)
    else:
        return x.bit_count()


def lowest(x):
    """Return the index of the lowest bit set."""
    if cython.compiled:
        return rum500_lowest(x)
    else:
        return (x & -x).bit_length() - 1


def highest(x):
    """Return the index of the highest bit set."""
    if cython.compiled:
        return rum500_highest(x)
    else:
        return x.bit_length() - 1


def bit(card):
    """Return the mask of one card."""
    return ONE << card


def suits_at(mask, rank):
    """Return the suits in which `mask` has this rank, as four bits."""
    x: u64 = (mask >> rank) & ACES
    return (x | (x >> 15) | (x >> 30) | (x >> 45)) & 15


def two_bit_sum(field):
    """Return the number of cards in a field of a set, which has a two-bit count for each suit."""
    return (field & 3) + ((field >> 2) & 3) + ((field >> 4) & 3) + ((field >> 6) & 3)


def nth_card(mask, n):
    """Return the n-th lowest card of a mask, counting from 0."""
    if cython.compiled:
        return rum500_nth(mask, n)
    else:
        while n > 0:
            mask &= mask - 1
            n -= 1
        return lowest(mask)


def _set_shapes():
    """Return the shapes of sets, sorted: those without a suit twice first, then by the number of jokers.

    A shape is (suit twice, jokers, cards, (naturals, jokers) of each suit). It has at least one natural card
    (D9), three or four cards (R-MELD-1), and no suit more than twice (D20).
    """
    shapes = []
    ways = [(n, w) for n in range(3) for w in range(3 - n)]
    for a in ways:
        for b in ways:
            for c in ways:
                for d in ways:
                    suits = (a, b, c, d)
                    natural = sum(n for n, w in suits)
                    jokers = sum(w for n, w in suits)
                    if natural >= 1 and 3 <= natural + jokers <= 4:
                        twice = any(n + w > 1 for n, w in suits)
                        shapes.append((twice, jokers, natural + jokers, suits))
    return sorted(shapes)


def _fill_tables():
    """Fill the module's tables once, at import."""
    global N_SHAPES, N_PLAIN_SHAPES
    for p in range(16):
        SPREAD[p] = sum(1 << (2 * s) for s in range(4) if p >> s & 1)
    for p in range(256):
        SUITS_ONCE[p] = sum(1 << (16 * s) for s in range(4) if p >> 2 * s & 3)
        SUITS_TWICE[p] = sum(1 << (16 * s) for s in range(4) if p >> 2 * s & 2)
    shapes = _set_shapes()
    N_SHAPES = len(shapes)
    N_PLAIN_SHAPES = len([shape for shape in shapes if not shape[0]])
    for i, (_twice, jokers, count, suits) in enumerate(shapes):
        SHAPE_NEED[i] = sum(n << (4 * s) for s, (n, w) in enumerate(suits))
        SHAPE_NATURAL[i] = sum(n << (2 * s) for s, (n, w) in enumerate(suits))
        SHAPE_WILD[i] = sum(w << (2 * s) for s, (n, w) in enumerate(suits))
        SHAPE_JOKERS[i] = jokers
        SHAPE_COUNT[i] = count


_fill_tables()


def put(data, at, value, count):
    """Write the `count` low bytes of a number from `data[at]` on, lowest first; return the next index."""
    i: cython.int
    for i in range(count):
        data[at + i] = (value >> (8 * i)) & 255
    return at + count


def get(data, at, count):
    """Return the number that `count` bytes of `data` store from index `at` on, lowest byte first."""
    i: cython.int
    value: u64 = 0
    for i in range(count):
        byte: u64 = data[at + i] & 255
        value |= byte << (8 * i)
    return value


def with_sign(value):
    """Convert an unsigned 32-bit number to the signed number with the same bits."""
    return value - ((value & (ONE << 31)) << 1)


class Moves:
    """A growing list of actions that is reused between calls; the first `n` are valid."""

    def __init__(self):
        self.n = 0
        self.cap = 0
        if not cython.compiled:
            self.a = []
        self.grow()

    def __dealloc__(self):
        if cython.compiled:
            free(self.a)

    def grow(self):
        """Double the memory."""
        if cython.compiled:
            self.a = roomier(self.a, 2 * (self.cap + 256))
        else:
            self.a.extend([0] * (self.cap + 512))
        self.cap = 2 * (self.cap + 256)
        return 0

    def push(self, action):
        """Add an action."""
        if self.n == self.cap:
            self.grow()
        self.a[self.n] = action
        self.n += 1

    def actions(self) -> list[int]:
        """Return the valid actions as a list of integers."""
        i: cython.int
        return [self.a[i] for i in range(self.n)]


class Core:
    """A deal in progress, as plain numbers. `rum500.State` is its public interface."""

    def __init__(self):
        self.n = 2
        self.packs = 1
        self.dealer = self.turn = self.actor = 0
        self.must = self.ban = self.out = self.drawn = -1
        if not cython.compiled:
            self._blank()

    def _blank(self):
        """Set the attributes to 0; in the compiled engine they are 0 from the start."""
        for name in (
            "sides",
            "wild",
            "own_rank",
            "ace_low",
            "same_suit",
            "top_must_meld",
            "go_out",
            "may_pass",
            "restock_allowed",
            "upcard_free",
            "doubles",
            "at_once",
            "target",
            "bonus",
            "to_winner",
            "unnamed_jokers",
            "keep_upcard",
            "claim_allowed",
            "claim_blind",
            "idle_limit",
            "restock_limit",
            "joker_value",
            "stock_next",
            "stock_end",
            "pile_n",
            "pile_j",
            "pile_mask",
            "meld_n",
            "ups",
            "downs",
            "opens",
            "down1",
            "down2",
            "r1",
            "r2",
            "rj",
            "phase",
            "claiming",
            "floater",
            "progress",
            "t1",
            "t2",
            "tj",
            "idle",
            "passes",
            "restocks",
            "reason",
            "rng",
            "hand_size",
            "jokers_total",
            "number",
        ):
            setattr(self, name, 0)
        for name in ("h1", "h2", "k1", "k2", "hj", "hn", "kj", "laid", "totals"):
            setattr(self, name, [0] * MAX_SEATS)
        for name, length in (
            ("stock", MAX_CARDS),
            ("pile", MAX_CARDS),
            ("meld", MAX_MELDS),
            ("owner", MAX_MELDS),
            ("runs", 4),
            ("sets", 16),
            ("value", 14),
        ):
            setattr(self, name, [0] * length)

    def copy_from(self, other):
        """Make this deal a copy of another deal, with its rules."""
        self.n = other.n
        self.sides = other.sides
        self.packs = other.packs
        self.wild = other.wild
        self.own_rank = other.own_rank
        self.ace_low = other.ace_low
        self.same_suit = other.same_suit
        self.top_must_meld = other.top_must_meld
        self.go_out = other.go_out
        self.may_pass = other.may_pass
        self.restock_allowed = other.restock_allowed
        self.upcard_free = other.upcard_free
        self.doubles = other.doubles
        self.at_once = other.at_once
        self.target = other.target
        self.bonus = other.bonus
        self.to_winner = other.to_winner
        self.unnamed_jokers = other.unnamed_jokers
        self.keep_upcard = other.keep_upcard
        self.claim_allowed = other.claim_allowed
        self.claim_blind = other.claim_blind
        self.idle_limit = other.idle_limit
        self.restock_limit = other.restock_limit
        self.joker_value = other.joker_value
        self.hand_size = other.hand_size
        self.jokers_total = other.jokers_total
        self.value[:] = other.value[:]
        self.totals[:] = other.totals[:]
        self.h1[:] = other.h1[:]
        self.h2[:] = other.h2[:]
        self.k1[:] = other.k1[:]
        self.k2[:] = other.k2[:]
        self.hj[:] = other.hj[:]
        self.hn[:] = other.hn[:]
        self.kj[:] = other.kj[:]
        self.laid[:] = other.laid[:]
        self.stock[:] = other.stock[:]
        self.pile[:] = other.pile[:]
        self.stock_next = other.stock_next
        self.stock_end = other.stock_end
        self.pile_n = other.pile_n
        self.pile_j = other.pile_j
        self.pile_mask = other.pile_mask
        self.meld[:] = other.meld[:]
        self.owner[:] = other.owner[:]
        self.meld_n = other.meld_n
        self.ups = other.ups
        self.downs = other.downs
        self.opens = other.opens
        self.down1 = other.down1
        self.down2 = other.down2
        self.runs[:] = other.runs[:]
        self.sets[:] = other.sets[:]
        self.r1 = other.r1
        self.r2 = other.r2
        self.rj = other.rj
        self.dealer = other.dealer
        self.turn = other.turn
        self.actor = other.actor
        self.phase = other.phase
        self.must = other.must
        self.claiming = other.claiming
        self.ban = other.ban
        self.floater = other.floater
        self.progress = other.progress
        self.t1 = other.t1
        self.t2 = other.t2
        self.tj = other.tj
        self.idle = other.idle
        self.passes = other.passes
        self.restocks = other.restocks
        self.drawn = other.drawn
        self.reason = other.reason
        self.out = other.out
        self.number = other.number
        self.rng = other.rng

    # --- chance -----------------------------------------------------------------------------------

    def below(self, n):
        """Return an unbiased number below n (n < 2**31) from the deal's own generator."""
        span: u64 = n
        while True:
            self.rng = advance(self.rng)
            product: u64 = (mix64(self.rng) >> 32) * span
            low: u64 = product & ((ONE << 32) - 1)
            if low >= span or low >= (ONE << 32) % span:
                return product >> 32

    def mix(self, first, end):
        """Shuffle the stock from index `first` to `end` - 1."""
        i: cython.int = end - 1
        while i > first:
            k: cython.int = first + self.below(i - first + 1)
            card: cython.short = self.stock[i]
            self.stock[i] = self.stock[k]
            self.stock[k] = card
            i -= 1

    def shuffle(self, seed):
        """Put the shuffled deck into the stock. The seed also starts the deal's random generator."""
        count: cython.int = 0
        _: cython.int
        suit: cython.int
        rank: cython.int
        for _ in range(self.packs):
            for suit in range(4):
                for rank in range(13):
                    self.stock[count] = suit * 16 + rank
                    count += 1
        for _ in range(self.jokers_total):
            self.stock[count] = JOKER_CARD
            count += 1
        self.stock_next = 0
        self.stock_end = count
        self.rng = mix64(seed)
        self.mix(0, count)

    def start(self, dealer):
        """Deal the hands, one card at a time from the dealer's left, then turn up a card (R-DEAL-2/3)."""
        seat: cython.int
        _: cython.int
        for seat in range(MAX_SEATS):
            self.h1[seat] = self.h2[seat] = self.k1[seat] = self.k2[seat] = 0
            self.hj[seat] = self.hn[seat] = self.kj[seat] = self.laid[seat] = 0
        self.clear_melds()
        self.pile_n = self.pile_j = self.rj = 0
        self.pile_mask = self.r1 = self.r2 = 0
        self.idle = self.passes = self.restocks = 0
        self.reason = REASON_NONE
        self.out = -1
        self.dealer = dealer
        self.stock_next = 0
        seat = dealer
        for _ in range(self.hand_size * self.n):
            seat = seat + 1 if seat + 1 < self.n else 0
            self.gain(seat, self.stock[self.stock_next])
            self.stock_next += 1
        self.throw(self.stock[self.stock_next])
        self.stock_next += 1
        self.next_turn(dealer + 1 if dealer + 1 < self.n else 0)

    # --- hands and pile ---------------------------------------------------------------------------

    def gain(self, seat, card):
        """Add a card to a hand."""
        self.hn[seat] += 1
        if card == JOKER_CARD:
            self.hj[seat] += 1
        elif self.h1[seat] & bit(card):
            self.h2[seat] |= bit(card)
        else:
            self.h1[seat] |= bit(card)

    def throw(self, card):
        """Put a card on the pile."""
        self.pile[self.pile_n] = card
        self.pile_n += 1
        if card == JOKER_CARD:
            self.pile_j += 1
        else:
            self.pile_mask |= bit(card)

    def cut_pile(self, left):
        """Remove the newest cards of the pile, so that the `left` oldest remain."""
        i: cython.int
        self.pile_n = left
        self.pile_j = 0
        self.pile_mask = 0
        for i in range(left):
            if self.pile[i] == JOKER_CARD:
                self.pile_j += 1
            else:
                self.pile_mask |= bit(self.pile[i])

    # --- what can be laid -------------------------------------------------------------------------

    def places(self, cards):
        """Convert cards to places in runs: an ace is low, high or both, as the profile says."""
        x: u64 = cards | ((cards & ACES) << 13)
        if self.ace_low:
            return x
        return x & ABOVE_ACE

    def usable(self, cards):
        """Return the cards of the mask that can be laid without jokers, with each other or on the table.

        The result is exact for one pack without wild jokers. Otherwise it may contain a card too many, but it
        never lacks one.
        """
        a: u64 = cards & FULL_RUN
        b: u64 = (cards >> 16) & FULL_RUN
        c: u64 = (cards >> 32) & FULL_RUN
        d: u64 = (cards >> 48) & FULL_RUN
        x: u64 = self.places(cards)
        t: u64
        if self.same_suit:
            t = (a & b) | (c & d) | ((a | b) & (c | d))
        else:
            t = (a & b & (c | d)) | (c & d & (a | b))
        r: u64 = x & (x >> 1) & (x >> 2)
        r |= (r << 1) | (r << 2)
        return ((t * ACES) | r | ((r >> 13) & ACES) | self.layable(x)) & cards

    def layable(self, places):
        """Return the cards at `places` that can be laid off on runs, and all cards that can be laid on sets.

        A card may need another card at `places` before it. Other bits may be set too; callers remove them.
        """
        u: u64 = self.ups & places
        # Adding the lowest place of an unbroken sequence of places carries to the place above the sequence.
        m: u64 = u | ((places + u) ^ places)
        u = self.downs & places
        while u:
            m |= u
            u = (u >> 1) & places
        return self.opens | m | ((m >> 13) & ACES)

    def joker_pairs(self, card, a1, a2):
        """Return whether this natural card, one joker and one more card of `a1` or `a2` make a meld."""
        suit: cython.int = card >> 4
        rank: cython.int = card & 15
        if popcount(suits_at(a1, rank)) > 1 or (self.same_suit and (a2 >> card) & 1):
            return 1
        lane: u64 = (self.places(a1) >> (16 * suit)) & FULL_RUN
        if (rank or self.ace_low) and lane & ((27 * bit(rank)) >> 2):
            return 1
        return 1 if rank == 0 and lane & ((27 * bit(13)) >> 2) else 0

    def can_use(self, moves, card, a1, a2, jokers):
        """Return whether some meld or lay-off of `a1`, `a2` and `jokers` uses `card` (R-DRAW-3).

        `a1` is a mask of cards, `a2` a mask of second copies, and `jokers` a number.
        """
        before: cython.int = moves.n
        if self.wild and jokers > 0 and card != JOKER_CARD:
            if jokers > 1 or self.joker_pairs(card, a1, a2):
                return 1
        self.gen_plays(moves, a1, a2, jokers, card)
        found: cython.int = moves.n > before
        moves.n = before
        return found

    def clear_melds(self):
        """Remove all melds from the table."""
        i: cython.int
        self.meld_n = 0
        self.ups = self.downs = self.opens = 0
        self.down1 = self.down2 = 0
        for i in range(4):
            self.runs[i] = 0
        for i in range(16):
            self.sets[i] = 0

    def place_meld(self, meld):
        """Put a meld on the table and record where it can grow."""
        suit: cython.int
        rank: cython.int
        self.meld[self.meld_n] = meld
        if meld & 15 == MELD_RUN:
            suit = (meld >> 4) & 3
            self.runs[suit] |= ONE << self.meld_n
            self.ups |= self.room_above(meld)
            self.downs |= self.room_below(meld)
        else:
            rank = (meld >> 4) & 15
            self.sets[rank] |= ONE << self.meld_n
            self.opens |= self.room_in_set(meld)
        self.meld_n += 1

    def grow_meld(self, index, action):
        """Add a lay-off's cards to a meld; update where runs of the suit or sets of the rank can grow."""
        left: u64
        kept: u64
        self.meld[index] = self.joined(index, action)
        suit: cython.int = (action >> 4) & 3
        rank: cython.int = (action >> 4) & 15
        if action & 15 == LAY_RUN:
            kept = PLACES ^ (FULL_RUN << (16 * suit))
            self.ups &= kept
            self.downs &= kept
            left = self.runs[suit]
            while left:
                self.ups |= self.room_above(self.meld[lowest(left)])
                self.downs |= self.room_below(self.meld[lowest(left)])
                left &= left - 1
        elif rank != JOKER_RANK:
            self.opens &= NATURALS ^ (ACES << rank)
            left = self.sets[rank]
            while left:
                self.opens |= self.room_in_set(self.meld[lowest(left)])
                left &= left - 1

    def room_above(self, meld):
        """Return the place where a card extends a run upwards, as a mask; 0 if none exists (R-LAY-1, D4)."""
        mask: u64 = (meld >> 6) & FULL_RUN
        above: u64 = (mask << 1) & (FULL_RUN ^ mask)
        if above >> 13 and mask & 1:
            above = 0
        return above << (meld & 48)

    def room_below(self, meld):
        """Return the place where a card extends a run downwards, as a mask; 0 if none exists."""
        mask: u64 = (meld >> 6) & FULL_RUN
        below: u64 = (mask >> 1) & (FULL_RUN ^ mask)
        if below & 1 and (not self.ace_low or mask >> 13):
            below = 0
        return below << (meld & 48)

    def room_in_set(self, meld):
        """Return the natural cards that can be laid on a set (R-LAY-1, D2, D20)."""
        rank: cython.int = (meld >> 4) & 15
        full: u64
        if rank == JOKER_RANK or self.meld_count(meld) > 3:
            return 0
        both: u64 = ((meld >> 8) & 255) + ((meld >> 16) & 255)
        full = SUITS_TWICE[both] if self.same_suit and self.packs > 1 else SUITS_ONCE[both]
        return (ACES ^ full) << rank

    def room_for_joker(self, meld):
        """Return whether a joker can be laid on a meld (R-MELD-4, R-MELD-5, H3)."""
        if meld & 15 == MELD_RUN:
            return self.wild and (self.room_above(meld) or self.room_below(meld)) != 0
        if self.meld_count(meld) > 3:
            return 0
        if (meld >> 4) & 15 == JOKER_RANK:
            return 1
        return self.wild and (meld >> 24) & 1 == 0

    def fits_meld(self, meld, card):
        """Return whether this card alone can be laid on a meld."""
        places: u64
        if card == JOKER_CARD:
            return self.room_for_joker(meld)
        if meld & 15 != MELD_RUN:
            return (self.room_in_set(meld) >> card) & 1
        places = self.places(bit(card))
        return (places & (self.room_above(meld) | self.room_below(meld))) != 0

    def fits_table(self, card):
        """Return whether this card alone can be laid on a meld on the table."""
        i: cython.int
        if card != JOKER_CARD:
            return ((self.opens >> card) & 1) or (self.places(bit(card)) & (self.ups | self.downs)) != 0
        if self.wild and self.ups | self.downs:
            return 1
        for i in range(self.meld_n):
            if self.room_for_joker(self.meld[i]):
                return 1
        return 0

    def meld_count(self, meld):
        """Return the number of cards in a meld or a play."""
        if meld & 15 == MELD_RUN or meld & 15 == LAY_RUN:
            return popcount((meld >> 6) & FULL_RUN)
        if (meld >> 4) & 15 == JOKER_RANK:
            return (meld >> 8) & 255
        return two_bit_sum((meld >> 8) & 255) + two_bit_sum((meld >> 16) & 255) + 2 * ((meld >> 24) & 1)

    # --- plays: new melds and lay-offs ------------------------------------------------------------
    # The cards that may be played are `a1` (a mask of cards), `a2` (a mask of second copies) and `jokers` (a
    # number). `must` is a card that each play must use, or -1.

    def gen_plays(self, moves, a1, a2, jokers, must):
        """Add all new melds and lay-offs of cards in `a1`, `a2` and `jokers` to `moves` (R-TURN-1)."""
        self.gen_sets(moves, a1, a2, jokers, must)
        if self.wild and jokers > 0:
            self.gen_wild_runs(moves, a1, jokers, must)
        elif must != JOKER_CARD:
            self.gen_runs(moves, a1, must)
        self.gen_lays(moves, a1, jokers, must)

    def gen_sets(self, moves, a1, a2, jokers, must):
        """Add sets to `moves`: three or four of a rank (R-MELD-1), jokers of their own rank (R-MELD-4)."""
        wild: cython.int = jokers if self.wild else 0
        a: u64 = a1 & FULL_RUN
        b: u64 = (a1 >> 16) & FULL_RUN
        c: u64 = (a1 >> 32) & FULL_RUN
        d: u64 = (a1 >> 48) & FULL_RUN
        head: u64
        ranks: u64
        p: cython.int
        rank: cython.int
        s: cython.int
        if self.own_rank and jokers >= 3 and (must < 0 or must == JOKER_CARD):
            head = MELD_SET | (JOKER_RANK << 4)
            moves.push(head | (3 << 8))
            if jokers >= 4:
                moves.push(head | (4 << 8))
        if must == JOKER_CARD and not wild:
            return
        general: cython.int = wild or (self.same_suit and a2 != 0)
        if must >= 0 and must != JOKER_CARD:
            ranks = bit(must & 15) & (a | b | c | d)
        elif general:
            ranks = a | b | c | d
        else:
            ranks = (a & b & (c | d)) | (c & d & (a | b))
        while ranks:
            rank = lowest(ranks)
            ranks &= ranks - 1
            p = suits_at(a1, rank)
            if general and (wild or suits_at(a2, rank)):
                if popcount(p) + popcount(suits_at(a2, rank)) + wild >= 3:
                    self.gen_shapes(moves, rank, a1, a2, wild, must)
                continue
            if popcount(p) < 3:
                continue
            head = MELD_SET | (rank << 4)
            moves.push(head | (SPREAD[p] << 8))
            if p == 15:
                for s in range(4):
                    if must < 0 or must >> 4 != s:
                        moves.push(head | (SPREAD[15 ^ (1 << s)] << 8))

    def gen_shapes(self, moves, rank, a1, a2, jokers, must):
        """Add sets of a rank to `moves` where jokers, or a suit twice, give many shapes (D9, D20, H3)."""
        have: cython.int = 0
        s: cython.int
        i: cython.int
        by_joker: cython.int = must == JOKER_CARD
        suit: cython.int = must >> 4
        head: u64 = MELD_SET | (rank << 4)
        shape: u64
        for s in range(4):
            have |= (((a1 >> (16 * s + rank)) & 1) + ((a2 >> (16 * s + rank)) & 1)) << (4 * s)
        for i in range(N_SHAPES if self.same_suit else N_PLAIN_SHAPES):
            if SHAPE_JOKERS[i] > jokers or ((have | 0x8888) - SHAPE_NEED[i]) & 0x8888 != 0x8888:
                continue
            if by_joker:
                if SHAPE_JOKERS[i] == 0:
                    continue
            elif must >= 0 and (SHAPE_NEED[i] >> (4 * suit)) & 3 == 0:
                continue
            if self.unnamed_jokers and SHAPE_JOKERS[i] == 2 and SHAPE_COUNT[i] == 3:
                continue
            shape = SHAPE_NATURAL[i] | (SHAPE_WILD[i] << 8)
            moves.push(head | (shape << 8))
        if self.unnamed_jokers and jokers >= 2:
            for s in range(4):
                if (have >> (4 * s)) & 3 and (must < 0 or by_joker or suit == s):
                    moves.push(head | (ONE << (8 + 2 * s)) | (ONE << 24))

    def gen_runs(self, moves, a1, must):
        """Add runs of natural cards to `moves` (R-MELD-2), each rank once (D4)."""
        x: u64 = self.places(a1)
        spot: u64 = 0
        if must >= 0:
            suit: cython.int = must >> 4
            x &= FULL_RUN << (16 * suit)
            spot = bit(must)
            if must & 15 == 0:
                spot |= bit(must + 13)
        r: u64 = x & (x >> 1) & (x >> 2)
        starts: u64
        mask: u64 = 7
        length: cython.int = 3
        while r and length <= 13:
            starts = r
            while starts:
                i: cython.int = lowest(starts)
                starts &= starts - 1
                if must < 0 or (mask << i) & spot:
                    moves.push(MELD_RUN | ((i >> 4) << 4) | ((mask << (i & 15)) << 6))
            r &= x >> length
            mask = (mask << 1) | 1
            length += 1

    def gen_wild_runs(self, moves, a1, jokers, must):
        """Add runs with at least one natural card and every placement of jokers to `moves` (R-MELD-5, D9)."""
        suit: cython.int
        low: cython.int
        high: cython.int
        missing: cython.int
        x: u64 = self.places(a1)
        spot: u64 = 0
        by_joker: cython.int = must == JOKER_CARD
        if must >= 0 and not by_joker:
            spot = bit(must & 15)
            if must & 15 == 0:
                spot |= bit(13)
        for suit in range(4):
            lane: u64 = (x >> (16 * suit)) & FULL_RUN
            if lane == 0 or (spot and must >> 4 != suit):
                continue
            for low in range(0 if self.ace_low else 1, 12):
                mask: u64 = 0
                missing = 0
                for high in range(low, 14):
                    if low == 0 and high == 13:
                        break
                    mask |= bit(high)
                    if not lane & bit(high):
                        missing += 1
                        if missing > jokers:
                            break
                    natural: u64 = mask & lane
                    if high < low + 2 or natural == 0 or (spot and not spot & mask):
                        continue
                    self.push_wild(
                        moves,
                        MELD_RUN | (suit << 4) | (mask << 6),
                        mask ^ natural,
                        natural ^ (natural & spot),
                        jokers - missing,
                        mask,
                        by_joker,
                    )

    def push_wild(self, moves, head, wild, rest, left, never, need):
        """Add the play `head` with jokers at the places `wild`, and with up to `left` more jokers at any of
        the places `rest`.

        `wild`, `rest` and `never` are masks of positions. Jokers at exactly `never` are not allowed: a new
        meld of jokers alone. `need` requires at least one joker.
        """
        if wild != never and (wild or not need):
            moves.push(head | (wild << 20))
        if left > 0:
            while rest:
                b: u64 = rest & (rest ^ (rest - 1))
                rest ^= b
                self.push_wild(moves, head, wild | b, rest, left - 1, never, need)

    def gen_lays(self, moves, a1, jokers, must):
        """Add the lay-offs of cards in `a1` and `jokers` to `moves`, each on one meld (R-LAY-1, D3b).

        `must` is a card that each lay-off must use, or -1.
        """
        i: cython.int
        suit: cython.int
        left: u64
        if self.wild and jokers > 0:
            for i in range(self.meld_n):
                if self.meld[i] & 15 == MELD_RUN:
                    self.gen_wild_lays(moves, i, a1, jokers, must)
                else:
                    self.gen_set_lays(moves, i, a1, jokers, must)
            return
        x: u64 = self.places(a1)
        ends: u64 = x & (self.ups | self.downs)
        opens: u64 = a1 & self.opens
        if must >= 0:
            if must == JOKER_CARD:
                ends = opens = 0
            else:
                ends &= FULL_RUN << (16 * (must >> 4))
                opens &= bit(must)
        while ends:
            suit = lowest(ends) >> 4
            ends &= PLACES ^ (FULL_RUN << (16 * suit))
            left = self.runs[suit]
            while left:
                self.gen_run_lays(moves, lowest(left), (x >> (16 * suit)) & FULL_RUN, must)
                left &= left - 1
        while opens:
            i = lowest(opens) & 15
            opens &= NATURALS ^ (ACES << i)
            left = self.sets[i]
            while left:
                self.gen_set_lays(moves, lowest(left), a1, 0, must)
                left &= left - 1
        left = self.sets[JOKER_RANK] if jokers > 0 else 0
        while left:
            self.gen_set_lays(moves, lowest(left), a1, jokers, must)
            left &= left - 1

    def gen_run_lays(self, moves, index, lane, must):
        """Add the lay-offs of natural cards on a run to `moves`: in sequence, below and above it."""
        mask: u64 = (self.meld[index] >> 6) & FULL_RUN
        head: u64 = index
        low: u64 = mask
        high: u64
        both: u64
        end: u64
        spot: u64 = 0
        if must >= 0:
            spot = bit(must & 15)
            if must & 15 == 0:
                spot |= bit(13)
        head = LAY_RUN | (self.meld[index] & 48) | (head << MELD_SHIFT)
        while True:
            high = low
            while True:
                both = high ^ mask
                if both and (must < 0 or both & spot):
                    moves.push(head | (both << 6))
                end = (high << 1) & lane & (FULL_RUN ^ high)
                if end == 0 or (end >> 13 and high & 1):
                    break
                high |= end
            end = (low >> 1) & lane & (FULL_RUN ^ low)
            if end == 0 or (end & 1 and low >> 13):
                return
            low |= end

    def gen_wild_lays(self, moves, index, a1, jokers, must):
        """Add the lay-offs on a run to `moves`, with every placement of jokers among them (R-MELD-5, D9)."""
        suit: cython.int = (self.meld[index] >> 4) & 3
        mask: u64 = (self.meld[index] >> 6) & FULL_RUN
        low: cython.int = lowest(mask)
        high: cython.int = highest(mask)
        bottom: cython.int = 0 if self.ace_low else 1
        lane: u64 = (self.places(a1) >> (16 * suit)) & FULL_RUN
        spot: u64 = 0
        by_joker: cython.int = must == JOKER_CARD
        if must >= 0 and not by_joker:
            if must >> 4 != suit:
                return
            spot = bit(must & 15)
            if must & 15 == 0:
                spot |= bit(13)
        head: u64 = index
        head = LAY_RUN | (suit << 4) | (head << MELD_SHIFT)
        down: cython.int = low
        added_low: u64 = 0
        missing_low: cython.int = 0
        while True:
            added: u64 = added_low
            missing: cython.int = missing_low
            up: cython.int = high
            while True:
                if added and (not spot or spot & added):
                    natural: u64 = added & lane
                    self.push_wild(
                        moves,
                        head | (added << 6),
                        added ^ natural,
                        natural ^ (natural & spot),
                        jokers - missing,
                        FULL_RUN,
                        by_joker,
                    )
                up += 1
                if up > 13 or (up == 13 and down == 0):
                    break
                added |= bit(up)
                if not lane & bit(up):
                    missing += 1
                    if missing > jokers:
                        break
            down -= 1
            if down < bottom or (down == 0 and high == 13):
                return
            added_low |= bit(down)
            if not lane & bit(down):
                missing_low += 1
                if missing_low > jokers:
                    return

    def gen_set_lays(self, moves, index, a1, jokers, must):
        """Add the lay-offs on a set to `moves`: a natural card, or a joker for one (R-LAY-1, D10, H3)."""
        meld: u64 = self.meld[index]
        rank: cython.int = (meld >> 4) & 15
        head: u64 = index
        room: u64 = self.room_in_set(meld)
        named: cython.int = jokers > 0 and (must < 0 or must == JOKER_CARD) and self.room_for_joker(meld)
        suit: cython.int
        head = LAY_SET | (rank << 4) | (head << MELD_SHIFT)
        if rank == JOKER_RANK:
            if named:
                moves.push(head | (1 << 8))
            return
        for suit in range(4):
            if not (room >> (16 * suit + rank)) & 1:
                continue
            if (a1 >> (16 * suit + rank)) & 1 and (must < 0 or must == 16 * suit + rank):
                moves.push(head | (ONE << (8 + 2 * suit)))
            if named:
                moves.push(head | (ONE << (16 + 2 * suit)))

    # --- legal actions ----------------------------------------------------------------------------

    def may_restock(self):
        """Return whether an empty stock can be refilled from the pile (H5, D7)."""
        return self.restock_allowed and self.pile_n >= 2 and self.restocks < self.restock_limit

    def top_binds(self):
        """Return whether the top discard, taken alone, must be melded at once (R-DRAW-4, H1, D5)."""
        if self.top_must_meld:
            return 1
        if self.stock_next < self.stock_end or self.upcard_free:
            return 0
        return not self.may_restock()

    def gen_takes(self, moves):
        """Add takes to `moves`: the lowest card taken must be usable at once (R-DRAW-2/3/4, D18)."""
        seat: cython.int = self.turn
        a1: u64 = self.h1[seat]
        a2: u64 = self.h2[seat]
        jokers: cython.int = self.hj[seat]
        top: cython.int
        if self.pile_n == 0:
            return
        skip_top: cython.int = not self.top_binds()
        if skip_top:
            top = self.pile[self.pile_n - 1]
            # A player without cards who takes this card could neither discard it (H2, H4) nor keep it (D3a).
            if (
                self.hn[seat] > 0
                or not (self.keep_upcard or self.go_out == GO_OUT_DISCARD)
                or self.fits_table(top)
            ):
                moves.push(TAKE | (1 << 4))
        self.gen_pile(moves, TAKE, a1, a2, jokers, skip_top, 0)

    def gen_calls(self, moves, first_only):
        """Add calls of "Rummy!" to `moves`, for pile cards that can be used without hand cards (R-CLAIM-1).

        With `first_only`, add one call at most.
        """
        self.gen_pile(moves, CALL, 0, 0, 0, 0, first_only)

    def gen_pile(self, moves, kind, a1, a2, jokers, skip, first_only):
        """Add a take or call (`kind`) for each pile card that could be used as the lowest card taken.

        The card must make a play with pile cards above it, hand cards (`a1`, `a2`, `jokers`) or the table.
        For the top `skip` cards, add no action. With `first_only`, add one action at most.
        """
        hope: u64 = NATURALS
        exact: cython.int = 0
        card: cython.int
        i: cython.int = self.pile_n - 1
        left: cython.int = 1
        if jokers == 0 and self.pile_j == 0:
            hope = self.usable(a1 | self.pile_mask) & self.pile_mask
            # With jokers or a second pack, `usable` may wrongly use an ace round the corner (D4), so each
            # card has to be checked separately.
            exact = self.packs == 1 and not self.wild
            left = popcount(hope) if exact else (hope != 0)
        while i >= 0 and left > 0:
            card = self.pile[i]
            if card == JOKER_CARD:
                jokers += 1
            elif a1 & bit(card):
                a2 |= bit(card)
            else:
                a1 |= bit(card)
            if skip > 0:
                skip -= 1
                if exact and hope & bit(card):
                    left -= 1
            elif exact:
                if hope & bit(card):
                    left -= 1
                    if self.usable(a1) & bit(card):
                        moves.push(kind | ((self.pile_n - i) << 4))
                        if first_only:
                            return
            elif (card == JOKER_CARD or hope & bit(card)) and self.can_use(moves, card, a1, a2, jokers):
                moves.push(kind | ((self.pile_n - i) << 4))
                if first_only:
                    return
            i -= 1

    def uses(self, action, card):
        """Return whether a play lays this natural card; if the card is a joker, whether it lays any joker."""
        kind: cython.int = action & 15
        rank: cython.int = (action >> 4) & 15
        if kind == MELD_RUN or kind == LAY_RUN:
            wild: u64 = (action >> 20) & FULL_RUN
            if card == JOKER_CARD:
                return wild != 0
            if (action >> 4) & 3 != card >> 4:
                return 0
            natural: u64 = ((action >> 6) & FULL_RUN) ^ wild
            return (natural >> (card & 15)) & 1 or (card & 15 == 0 and (natural >> 13) & 1)
        if card == JOKER_CARD:
            return rank == JOKER_RANK or (action >> 16) & 511 != 0
        return rank == card & 15 and (action >> (8 + 2 * (card >> 4))) & 3 != 0

    def strands(self, action):
        """Return whether a play leaves a single card that may be neither discarded nor laid off (D3a, H4)."""
        index: cython.int = -1
        i: cython.int
        if self.hn[self.turn] - self.meld_count(action) != 1 or self.uses(action, self.ban):
            return 0
        if action & 15 >= LAY_RUN:
            index = action >> MELD_SHIFT
        elif self.fits_meld(action, self.ban):
            return 0
        for i in range(self.meld_n):
            if self.fits_meld(self.joined(i, action) if i == index else self.meld[i], self.ban):
                return 0
        return 1

    def joined(self, index, action):
        """Return meld number `index` with the cards of this lay-off added."""
        if action & 15 == LAY_RUN:
            return self.meld[index] | (((action >> 6) & ((ONE << 28) - 1)) << 6)
        return self.meld[index] + (((action >> 8) & ((ONE << 16) - 1)) << 8)

    def drop_stranding(self, moves):
        """Remove the plays after which the turn could not end legally (D3a)."""
        kept: cython.int = 0
        i: cython.int
        for i in range(moves.n):
            if not self.strands(moves.a[i]):
                moves.a[kept] = moves.a[i]
                kept += 1
        moves.n = kept

    def last_bound(self):
        """Return whether a floater's last card must be laid off, because it fits the table (H2, D26)."""
        if not (self.floater and self.go_out == GO_OUT_DISCARD and self.hn[self.turn] == 1):
            return 0
        return self.fits_table(JOKER_CARD if self.hj[self.turn] else lowest(self.h1[self.turn]))

    def discards(self):
        """Return the natural cards that may be discarded, as a mask."""
        seat: cython.int = self.turn
        mask: u64 = self.h1[seat]
        if self.floater and self.last_bound():
            return 0
        if self.ban >= 0 and self.ban != JOKER_CARD and not self.h2[seat] & bit(self.ban):
            mask &= NATURALS ^ bit(self.ban)
        return mask

    def joker_discard(self):
        """Return whether a joker may be discarded."""
        jokers: cython.int = self.hj[self.turn]
        if jokers == 0 or (self.ban == JOKER_CARD and jokers == 1):
            return 0
        return not (self.floater and self.last_bound())

    def gen_turn(self, moves):
        """Set `moves` to all legal actions of the actor except discards."""
        seat: cython.int = self.turn
        moves.n = 0
        if self.phase == PHASE_PLAY:
            self.gen_plays(moves, self.h1[seat], self.h2[seat], self.hj[seat], -1)
            if self.ban >= 0 and moves.n:
                self.drop_stranding(moves)
        elif self.phase == PHASE_DRAW:
            if self.stock_next < self.stock_end or self.may_restock():
                moves.push(DRAW)
            else:
                moves.push(PASS if self.may_pass else END)
            self.gen_takes(moves)
        elif self.phase == PHASE_USE:
            if self.claiming:
                self.gen_plays(moves, self.t1, self.t2, self.tj, self.must)
            else:
                self.gen_plays(moves, self.h1[seat], self.h2[seat], self.hj[seat], self.must)
        elif self.phase == PHASE_CLAIM:
            self.gen_calls(moves, 0)
            moves.push(LET_GO)

    def generate(self, moves):
        """Set `moves` to all legal actions of the actor."""
        self.gen_turn(moves)
        if self.phase == PHASE_PLAY:
            mask: u64 = self.discards()
            while mask:
                moves.push(DISCARD | (lowest(mask) << 4))
                mask &= mask - 1
            if self.joker_discard():
                moves.push(DISCARD | (JOKER_CARD << 4))

    def legal(self, moves: Moves) -> list[int]:
        """Return all legal actions of the actor as a list of integers."""
        self.generate(moves)
        return moves.actions()

    def pick(self, moves, random):
        """Return a legal action, each equally likely, chosen by the upper half of the 64 bits of `random`."""
        cards: u64 = 0
        count: cython.int
        jokers: cython.int = 0
        self.gen_turn(moves)
        count = moves.n
        if self.phase == PHASE_PLAY:
            cards = self.discards()
            jokers = self.joker_discard()
            count += popcount(cards) + jokers
        i: cython.int = ((random >> 32) * count) >> 32
        if i < moves.n:
            return moves.a[i]
        i -= moves.n
        if jokers:
            if i == 0:
                return DISCARD | (JOKER_CARD << 4)
            i -= 1
        return DISCARD | (nth_card(cards, i) << 4)

    # --- applying ---------------------------------------------------------------------------------

    def apply(self, action, moves):
        """Apply a legal action without checking it. `moves` is working memory."""
        kind: cython.int = action & 15
        if kind >= MELD_RUN:
            self.put_down(action, moves)
        elif kind == DISCARD:
            self.discard(action >> 4, moves)
        elif kind == DRAW:
            self.draw()
        elif kind == TAKE:
            self.take(action >> 4, self.top_binds())
        elif kind == CALL:
            self.turn = self.actor
            self.begin()
            self.passes = 0
            self.take(action >> 4, 1)
            self.claiming = 1
        elif kind == LET_GO:
            seat: cython.int = self.actor + 1 if self.actor + 1 < self.n else 0
            if seat == self.turn:
                self.next_turn(seat + 1 if seat + 1 < self.n else 0)
            else:
                self.actor = seat
        elif kind == PASS:
            self.passes += 1
            if self.passes >= self.n:
                self.finish(REASON_PASSES, -1)
            else:
                self.end_turn(moves)
        else:
            self.finish(REASON_STOCK, -1)

    def play(self, code, moves: Moves):
        """Apply the action with this code if it is legal; return the code, or None if it is not.

        `moves` contains the actor's legal actions or is empty; it is empty afterwards.
        """
        i: cython.int = 0
        action: u64
        if type(code) is not int:
            code = index(code)
        try:
            action = code
        except OverflowError:
            return None
        while i < moves.n and moves.a[i] != action:
            i += 1
        if i == moves.n:
            self.generate(moves)
            i = 0
            while i < moves.n and moves.a[i] != action:
                i += 1
        if i == moves.n:
            moves.n = 0
            return None
        self.apply(action, moves)
        moves.n = 0
        return code

    def begin(self):
        """Reset the attributes that describe one turn."""
        self.must = self.ban = self.drawn = -1
        self.claiming = self.progress = 0
        self.floater = self.hn[self.turn] == 0

    def next_turn(self, seat):
        """Give the turn to this seat."""
        self.turn = self.actor = seat
        self.phase = PHASE_DRAW
        self.begin()

    def draw(self):
        """Draw a card from the stock (R-DRAW-1), which is first refilled if it is empty (H5)."""
        if self.stock_next == self.stock_end:
            self.restock()
        self.drawn = self.stock[self.stock_next]
        self.stock_next += 1
        self.gain(self.turn, self.drawn)
        self.progress = 1
        self.passes = 0
        self.phase = PHASE_PLAY

    def gather(self):
        """Move all of the pile except its top card into the stock, in the pile's order (H5).

        All players know these cards.
        """
        i: cython.int
        card: cython.int
        self.r1 = self.r2 = 0
        self.rj = 0
        self.stock_next = 0
        self.stock_end = self.pile_n - 1
        for i in range(self.stock_end):
            card = self.pile[i]
            self.stock[i] = card
            if card == JOKER_CARD:
                self.rj += 1
            elif self.r1 & bit(card):
                self.r2 |= bit(card)
            else:
                self.r1 |= bit(card)
        self.pile[0] = self.pile[self.pile_n - 1]
        self.cut_pile(1)
        self.restocks += 1

    def restock(self):
        """Shuffle the pile, except its top card, into a new stock (H5)."""
        self.gather()
        self.mix(0, self.stock_end)

    def take(self, count, top_binds):
        """Take `count` pile cards; if `count` > 1 or `top_binds`, the lowest must be used (R-DRAW-2/3/4)."""
        seat: cython.int = self.turn
        first: cython.int = self.pile_n - count
        i: cython.int
        card: cython.int
        self.t1 = self.t2 = 0
        self.tj = 0
        self.passes = 0
        for i in range(first, self.pile_n):
            card = self.pile[i]
            self.gain(seat, card)
            if card == JOKER_CARD:
                self.kj[seat] += 1
                self.tj += 1
                continue
            if self.k1[seat] & bit(card):
                self.k2[seat] |= bit(card)
            else:
                self.k1[seat] |= bit(card)
            if self.t1 & bit(card):
                self.t2 |= bit(card)
            else:
                self.t1 |= bit(card)
        card = self.pile[first]
        if self.packs == 1:
            self.pile_n = first
            self.pile_mask ^= self.t1
            self.pile_j -= self.tj
        else:
            self.cut_pile(first)
        if count > 1 or top_binds:
            self.must = card
            self.phase = PHASE_USE
        else:
            self.phase = PHASE_PLAY
            if self.keep_upcard:
                self.ban = card

    def discard(self, card, moves):
        """Discard a card, which ends the turn and may be going out (R-TURN-1, R-END-1)."""
        if card == JOKER_CARD:
            self.lose_jokers(1)
        else:
            self.lose_cards(bit(card))
        self.throw(card)
        if self.hn[self.turn] == 0 and self.go_out != GO_OUT_MELD:
            self.finish(REASON_OUT, self.turn)
        else:
            self.end_turn(moves)

    def points(self, action):
        """Return the points that a play scores for the seat that lays it (R-SCORE-2/3, D8, D9, D11)."""
        total: cython.int = 0
        kind: cython.int = action & 15
        rank: cython.int = (action >> 4) & 15
        if kind == MELD_RUN or kind == LAY_RUN:
            wild: u64 = (action >> 20) & FULL_RUN
            natural: u64 = ((action >> 6) & FULL_RUN) ^ wild
            total = self.joker_value * popcount(wild)
            while natural:
                total += self.value[lowest(natural)]
                natural &= natural - 1
            return 2 * total if self.doubled(action) else total
        if rank == JOKER_RANK:
            total = self.joker_value * ((action >> 8) & 255)
        else:
            total = self.value[rank if rank else 13] * two_bit_sum((action >> 8) & 255)
            total += self.joker_value * (two_bit_sum((action >> 16) & 255) + 2 * ((action >> 24) & 1))
        return 2 * total if self.doubled(action) else total

    def doubled(self, action):
        """Return whether a play counts double: four laid at once (R-SCORE-3, D11)."""
        if self.doubles == 0 or action & 15 > MELD_SET or self.meld_count(action) != 4:
            return 0
        return action & 15 == MELD_SET or self.doubles == 2

    def put_down(self, action, moves):
        """Lay a new meld, or cards on a meld (R-TURN-1, R-MELD-6, R-LAY-3)."""
        seat: cython.int = self.turn
        kind: cython.int = action & 15
        index: cython.int = self.meld_n
        if self.ban >= 0 and self.uses(action, self.ban):
            self.ban = -1
        self.laid[seat] += self.points(action)
        self.lose_play(action)
        if kind == MELD_RUN or kind == MELD_SET:
            self.owner[index] = (ONE * seat) << 60
            self.place_meld(action)
        else:
            index = action >> MELD_SHIFT
            self.grow_meld(index, action)
        self.sign(index, action)
        self.progress = 1
        self.restocks = 0
        self.must = -1
        self.claiming = 0
        self.phase = PHASE_PLAY
        if self.at_once and self.side_points(seat) >= self.target:
            self.finish(REASON_TARGET, seat)
        elif self.hn[seat] == 0:
            if self.go_out == GO_OUT_DISCARD:
                self.end_turn(moves)
            else:
                self.finish(REASON_OUT, seat)

    def sign(self, index, action):
        """Record in `owner`, 4 bits each, which seat laid these cards.

        A run has the seat at each place. A set has the seat of its first three or four cards, then the seat
        and the suit of a card laid on it.
        """
        seat: u64 = self.turn
        kind: cython.int = action & 15
        suit: cython.int
        if kind == MELD_RUN or kind == LAY_RUN:
            mask: u64 = (action >> 6) & FULL_RUN if seat else 0
            while mask:
                self.owner[index] |= seat << (4 * lowest(mask))
                mask &= mask - 1
        elif kind == MELD_SET:
            self.owner[index] |= seat
        else:
            self.owner[index] |= (seat << 4) | (1 << 11)
            for suit in range(4):
                if (action >> (8 + 2 * suit)) & 3:
                    self.owner[index] |= suit << 8
                elif (action >> (16 + 2 * suit)) & 3:
                    self.owner[index] |= (suit << 8) | (1 << 10)
        if kind == MELD_RUN or kind == MELD_SET:
            if self.meld_count(action) == 4:
                self.meld[index] |= ONE << 50

    def cards_of(self, action):
        """Return the natural cards of a play, each once."""
        mask: u64
        if action & 15 == MELD_RUN or action & 15 == LAY_RUN:
            mask = ((action >> 6) & FULL_RUN) ^ ((action >> 20) & FULL_RUN)
            return ((mask & 0x1FFF) | (mask >> 13)) << (action & 48)
        if (action >> 4) & 15 == JOKER_RANK:
            return 0
        return SUITS_ONCE[(action >> 8) & 255] << ((action >> 4) & 15)

    def twins_of(self, action):
        """Return the natural cards that a play lays twice (D20)."""
        if action & 15 == MELD_RUN or action & 15 == LAY_RUN or (action >> 4) & 15 == JOKER_RANK:
            return 0
        return SUITS_TWICE[(action >> 8) & 255] << ((action >> 4) & 15)

    def jokers_of(self, action):
        """Return the number of jokers in a play."""
        if action & 15 == MELD_RUN or action & 15 == LAY_RUN:
            return popcount((action >> 20) & FULL_RUN)
        if (action >> 4) & 15 == JOKER_RANK:
            return (action >> 8) & 255
        return two_bit_sum((action >> 16) & 255) + 2 * ((action >> 24) & 1)

    def lose_play(self, action):
        """Remove the cards of a play from the hand."""
        cards: u64 = self.cards_of(action)
        self.lose_cards(cards)
        self.see_laid(cards)
        if self.same_suit:
            cards = self.twins_of(action)
            self.lose_cards(cards)
            self.see_laid(cards)
        if self.jokers_total:
            self.lose_jokers(self.jokers_of(action))

    def see_laid(self, cards):
        """Record that these natural cards are on the table."""
        self.down2 |= self.down1 & cards
        self.down1 |= cards

    def lose_cards(self, cards):
        """Remove one copy of each card from the hand of the player in turn, a known copy first (D20)."""
        seat: cython.int = self.turn
        twice: u64 = self.h2[seat] & cards
        self.hn[seat] -= popcount(cards)
        self.h2[seat] ^= twice
        self.h1[seat] ^= cards ^ twice
        twice = self.k2[seat] & cards
        self.k2[seat] ^= twice
        self.k1[seat] &= NATURALS ^ (cards ^ twice)

    def lose_jokers(self, count):
        """Remove this many jokers from the hand of the player in turn, known ones first."""
        seat: cython.int = self.turn
        self.hn[seat] -= count
        self.hj[seat] -= count
        self.kj[seat] -= min(count, self.kj[seat])

    def end_turn(self, moves):
        """End a turn: check the no-progress limit (D7), offer claims (R-CLAIM-1), or begin the next turn."""
        self.idle = 0 if self.progress else self.idle + 1
        if self.idle >= self.idle_limit:
            self.finish(REASON_NO_PROGRESS, -1)
            return
        seat: cython.int = self.turn + 1 if self.turn + 1 < self.n else 0
        if self.claim_allowed:
            moves.n = 0
            self.gen_calls(moves, 1)
            if moves.n or self.claim_blind:
                self.actor = seat
                self.phase = PHASE_CLAIM
                self.must = self.ban = -1
                return
        self.next_turn(seat)

    def finish(self, reason, out):
        """End the deal for this reason; `out` is the seat that went out, or -1."""
        self.phase = PHASE_OVER
        self.reason = reason
        self.out = out

    # --- points -----------------------------------------------------------------------------------

    def same_side(self, a, b):
        """Return whether two seats are the same seat or partners (R-MATCH-5)."""
        return a == b or (self.sides == 2 and (a ^ b) & 1 == 0)

    def side_points(self, seat):
        """Return the match total of this seat's side, including its points on the table."""
        total: cython.int = self.totals[seat]
        other: cython.int
        for other in range(self.n):
            if self.same_side(seat, other):
                total += self.laid[other]
        return total

    def held(self, seat):
        """Return the points of the cards in a hand; an ace counts as a high ace."""
        cards: u64 = self.h1[seat]
        total: cython.int = self.joker_value * self.hj[seat]
        rank: cython.int
        while cards:
            rank = lowest(cards) & 15
            total += self.value[rank if rank else 13]
            cards &= cards - 1
        cards = self.h2[seat]
        while cards:
            rank = lowest(cards) & 15
            total += self.value[rank if rank else 13]
            cards &= cards - 1
        return total

    def deduction(self, seat):
        """Return the points that a seat's own hand costs at the end (R-SCORE-1; none with R-SCORE-4)."""
        if self.to_winner or self.reason == REASON_TARGET:
            return 0
        return self.held(seat)

    def collected(self, seat):
        """Return the points of other hands that a seat receives at the end (R-SCORE-4, D14)."""
        total: cython.int = 0
        other: cython.int
        if self.to_winner and self.reason == REASON_OUT and self.out == seat:
            for other in range(self.n):
                if not self.same_side(seat, other):
                    total += self.held(other)
        return total

    def bonus_of(self, seat):
        """Return the bonus for going out if this seat went out, else 0 (D12)."""
        return self.bonus if self.reason == REASON_OUT and self.out == seat else 0

    def score(self, seat):
        """Return a seat's points in this finished deal (R-SCORE-1)."""
        return self.laid[seat] - self.deduction(seat) + self.collected(seat) + self.bonus_of(seat)

    # --- random play ------------------------------------------------------------------------------

    def playout(self, moves, seed):
        """Play the deal to its end, every legal action equally likely; return the number of actions."""
        count: u64 = 0
        while self.phase != PHASE_OVER:
            seed = advance(seed)
            self.apply(self.pick(moves, mix64(seed)), moves)
            count += 1
        return count

    # --- for Python: whole lists ------------------------------------------------------------------

    def hand_cards(self, seat: int) -> list[Card]:
        """Return a seat's hand, sorted."""
        return _cards(self.h1[seat], self.h2[seat], self.hj[seat])

    def known_cards(self, seat: int) -> list[Card]:
        """Return the cards that all players know a seat to hold: taken and not yet played (D21)."""
        return _cards(self.k1[seat], self.k2[seat], self.kj[seat])

    def taken_cards(self) -> list[Card]:
        """Return the cards of the current take or call."""
        return _cards(self.t1, self.t2, self.tj)

    def restocked_cards(self) -> list[Card]:
        """Return the cards that the last restock put into the stock, sorted; empty if there was none."""
        return _cards(self.r1, self.r2, self.rj)

    def stock_cards(self) -> list[Card]:
        """Return the stock, next card first."""
        return [CARDS[self.stock[i]] for i in range(self.stock_next, self.stock_end)]

    def pile_cards(self) -> list[Card]:
        """Return the pile, oldest card first."""
        return [CARDS[self.pile[i]] for i in range(self.pile_n)]

    def melds(self) -> list[tuple[int, int]]:
        """Return two integers, (meld, owners), for each meld on the table.

        `meld` has the form of an action's code. `owners` has the seats, as `sign` stores them.
        """
        return [(self.meld[i], self.owner[i]) for i in range(self.meld_n)]

    def set_stock(self, cards) -> None:
        """Set the stock to these cards, next card first."""
        for i, card in enumerate(cards):
            self.stock[i] = int(card)
        self.stock_next = 0
        self.stock_end = len(cards)

    def set_pile(self, cards) -> None:
        """Set the pile to these cards, oldest first."""
        for i, card in enumerate(cards):
            self.pile[i] = int(card)
        self.cut_pile(len(cards))

    def set_melds(self, melds) -> None:
        """Set the melds on the table, in the form of `melds()`."""
        self.clear_melds()
        for meld, owner in melds:
            self.owner[self.meld_n] = owner
            self.place_meld(meld)
            self.see_laid(self.cards_of(meld))
            self.see_laid(self.twins_of(meld))

    def pack(self, past) -> bytes:
        """Return this deal and its past actions as bytes, without the rules. `unpack` reads them.

        Numbers have their low byte first. Derived data is not included: pile masks, room on the melds,
        numbers of cards. The actions come last, each in groups of seven bits, lowest first.
        """
        codes: tuple = past
        stock: cython.int = self.stock_end - self.stock_next
        room: cython.int = PACK_HEAD + PACK_SEAT * self.n + 3 + stock + self.pile_n + 16 * self.meld_n
        data: bytearray = bytearray(room + 10 * len(codes))
        at: cython.int = 0
        i: cython.int
        code: u64
        used: cython.int = self.phase == PHASE_USE
        at = put(data, at, self.n, 1)
        at = put(data, at, self.dealer, 1)
        at = put(data, at, self.turn, 1)
        at = put(data, at, self.actor, 1)
        at = put(data, at, self.phase, 1)
        at = put(data, at, self.must + 1, 1)
        at = put(data, at, self.ban + 1, 1)
        at = put(data, at, self.drawn + 1, 1)
        at = put(data, at, self.out + 1, 1)
        at = put(data, at, self.claiming, 1)
        at = put(data, at, self.floater, 1)
        at = put(data, at, self.progress, 1)
        at = put(data, at, self.reason, 1)
        at = put(data, at, self.rj, 1)
        at = put(data, at, self.passes, 1)
        at = put(data, at, self.restocks, 1)
        at = put(data, at, self.idle, 2)
        at = put(data, at, self.number, 4)
        at = put(data, at, self.rng, 8)
        at = put(data, at, self.r1, 8)
        at = put(data, at, self.r2, 8)
        at = put(data, at, self.t1 if used else 0, 8)
        at = put(data, at, self.t2 if used else 0, 8)
        at = put(data, at, self.tj if used else 0, 1)
        for i in range(self.n):
            at = put(data, at, self.h1[i], 8)
            at = put(data, at, self.h2[i], 8)
            at = put(data, at, self.k1[i], 8)
            at = put(data, at, self.k2[i], 8)
            data[at] = self.hj[i]
            data[at + 1] = self.kj[i]
            at = put(data, at + 2, self.laid[i], 4)
            at = put(data, at, self.totals[i], 4)
        data[at] = stock
        data[at + 1] = self.pile_n
        data[at + 2] = self.meld_n
        at += 3
        for i in range(self.stock_next, self.stock_end):
            data[at] = self.stock[i]
            at += 1
        for i in range(self.pile_n):
            data[at] = self.pile[i]
            at += 1
        for i in range(self.meld_n):
            at = put(data, at, self.meld[i], 8)
            at = put(data, at, self.owner[i], 8)
        for i in range(len(codes)):
            code = codes[i]
            while code > 127:
                data[at] = (code & 127) | 128
                at += 1
                code >>= 7
            data[at] = code
            at += 1
        return bytes(data[:at])

    def unpack(self, packed) -> tuple[int, ...]:
        """Set this core, which must have the deal's rules, from the bytes of `pack`; return the past actions.

        Raises `ValueError` for bytes that are cut off or contain invalid seats, cards, phases, counts or
        melds, or whose cards are not the whole deck. After an error the core must not be used.
        """
        data: bytes = packed
        size: cython.int = len(data)
        at: cython.int = 0
        i: cython.int
        j: cython.int
        shift: cython.int
        stock: cython.int
        code: u64
        if size < PACK_HEAD or get(data, 0, 1) != self.n or size < PACK_HEAD + PACK_SEAT * self.n + 3:
            raise ValueError("another number of players, or cut off")
        self.dealer = get(data, 1, 1)
        self.turn = get(data, 2, 1)
        self.actor = get(data, 3, 1)
        self.phase = get(data, 4, 1)
        self.must = with_sign(get(data, 5, 1)) - 1
        self.ban = with_sign(get(data, 6, 1)) - 1
        self.drawn = with_sign(get(data, 7, 1)) - 1
        self.out = with_sign(get(data, 8, 1)) - 1
        self.claiming = get(data, 9, 1)
        self.floater = get(data, 10, 1)
        self.progress = get(data, 11, 1)
        self.reason = get(data, 12, 1)
        self.rj = get(data, 13, 1)
        self.passes = get(data, 14, 1)
        self.restocks = get(data, 15, 1)
        self.idle = get(data, 16, 2)
        self.number = get(data, 18, 4) & 0x7FFFFFFF
        self.rng = get(data, 22, 8)
        self.r1 = get(data, 30, 8)
        self.r2 = get(data, 38, 8)
        self.t1 = get(data, 46, 8)
        self.t2 = get(data, 54, 8)
        self.tj = get(data, 62, 1)
        at = PACK_HEAD
        for i in range(self.n):
            self.h1[i] = get(data, at, 8)
            self.h2[i] = get(data, at + 8, 8)
            self.k1[i] = get(data, at + 16, 8)
            self.k2[i] = get(data, at + 24, 8)
            self.hj[i] = get(data, at + 32, 1)
            self.kj[i] = get(data, at + 33, 1)
            self.hn[i] = popcount(self.h1[i]) + popcount(self.h2[i]) + self.hj[i]
            self.laid[i] = with_sign(get(data, at + 34, 4))
            self.totals[i] = with_sign(get(data, at + 38, 4))
            at += PACK_SEAT
        stock = get(data, at, 1)
        self.stock_next = 0
        self.stock_end = stock
        self.pile_n = get(data, at + 1, 1)
        j = get(data, at + 2, 1)
        at += 3
        if stock + self.pile_n > MAX_CARDS or j > MAX_MELDS or size < at + stock + self.pile_n + 16 * j:
            raise ValueError("too many cards or melds, or cut off")
        for i in range(stock):
            self.stock[i] = get(data, at, 1)
            at += 1
        for i in range(self.pile_n):
            self.pile[i] = get(data, at, 1)
            at += 1
        self.clear_melds()
        for i in range(j):
            code = get(data, at, 8)
            self.owner[i] = get(data, at + 8, 8)
            at += 16
            if not self.is_meld(code, self.owner[i]):
                raise ValueError("a meld that is none")
            self.place_meld(code)
            self.see_laid(self.cards_of(code))
            self.see_laid(self.twins_of(code))
        if not self.is_sound():
            raise ValueError("cards, seats or counts that cannot be")
        self.cut_pile(self.pile_n)
        past = []
        while at < size:
            code = 0
            shift = 0
            while at < size and get(data, at, 1) > 127 and shift < 63:
                byte: u64 = get(data, at, 1)
                code |= (byte & 127) << shift
                shift += 7
                at += 1
            if at == size or (shift == 63 and get(data, at, 1) > 1):
                raise ValueError("a course that is cut off")
            last: u64 = get(data, at, 1)
            code |= last << shift
            at += 1
            if code & 15 > LAY_SET:
                raise ValueError("a course with no action in it")
            past.append(code)
        return tuple(past)

    def is_meld(self, meld, owner):
        """Return whether `melds()` could return this pair."""
        run: u64 = (meld >> 6) & FULL_RUN
        wild: u64 = (meld >> 20) & FULL_RUN
        rank: cython.int = (meld >> 4) & 15
        i: cython.int
        if meld >> 51 or (owner >> 60) >= self.n:
            return 0
        if meld & 15 == MELD_RUN:
            if (meld >> 34) & 0xFFFF or wild & ~run or popcount(run) < 3:
                return 0
            for i in range(14):
                if (run >> i) & 1 and ((owner >> (4 * i)) & 15) >= self.n:
                    return 0
            run >>= lowest(run)
            return run & (run + 1) == 0
        if meld & 15 != MELD_SET or (meld >> 25) & 0x1FFFFFF or (rank > 12 and rank != JOKER_RANK):
            return 0
        i = self.meld_count(meld)
        if i < 3 or i > 4 or (owner & 15) >= self.n or ((owner >> 4) & 15) >= self.n:
            return 0
        if (owner >> 12) & ((ONE << 48) - 1):
            return 0
        if not owner & 2048:
            return (owner >> 4) & 255 == 0
        if i == 3:
            return 0
        return rank == JOKER_RANK or (meld >> ((16 if owner & 1024 else 8) + 2 * ((owner >> 8) & 3))) & 3 != 0

    def is_sound(self):
        """Return whether seats, phase, counts and known cards are consistent, and the cards are the deck."""
        once: u64 = 0
        twice: u64 = 0
        jokers: cython.int = 0
        total: cython.int = 0
        i: cython.int
        card: cython.int
        for i in range(self.n):
            if (
                (self.h1[i] | self.k1[i]) & ~NATURALS
                or self.h2[i] & ~self.h1[i]
                or self.k2[i] & ~self.k1[i]
                or self.k1[i] & ~self.h1[i]
                or self.k2[i] & ~self.h2[i]
                or self.kj[i] > self.hj[i]
                or (once & self.h1[i] & twice)
                or self.h2[i] & once
            ):
                return 0
            twice |= (once & self.h1[i]) | self.h2[i]
            once |= self.h1[i]
            jokers += self.hj[i]
            total += self.hn[i]
        for i in range(self.stock_end + self.pile_n):
            card = self.stock[i] if i < self.stock_end else self.pile[i - self.stock_end]
            if card == JOKER_CARD:
                jokers += 1
            elif card > JOKER_CARD or not (NATURALS >> card) & 1 or (twice >> card) & 1:
                return 0
            else:
                twice |= once & bit(card)
                once |= bit(card)
        total += self.stock_end + self.pile_n
        if self.down2 & ~self.down1 or self.down1 & twice or self.down2 & once:
            return 0
        twice |= (once & self.down1) | self.down2
        for i in range(self.meld_n):
            jokers += self.jokers_of(self.meld[i])
            total += self.meld_count(self.meld[i])
        if total != 52 * self.packs + self.jokers_total or jokers != self.jokers_total:
            return 0
        if self.packs == 1 and twice:
            return 0
        if self.dealer >= self.n or self.turn >= self.n or self.actor >= self.n or self.out >= self.n:
            return 0
        if self.phase > PHASE_OVER or self.reason > REASON_TARGET or self.idle > self.idle_limit:
            return 0
        if (self.phase == PHASE_OVER) != (self.reason != REASON_NONE) or (self.out >= 0 and not self.reason):
            return 0
        if (
            self.claiming > 1
            or self.floater > 1
            or self.progress > 1
            or self.passes > self.n
            or self.number < 1
        ):
            return 0
        if (self.r1 | self.t1) & ~NATURALS or self.r2 & ~self.r1 or self.t2 & ~self.t1:
            return 0
        if self.rj > self.jokers_total or self.restocks > self.restock_limit:
            return 0
        if (self.phase == PHASE_USE) != (self.must >= 0) and self.phase != PHASE_OVER:
            return 0
        if self.t1 & ~self.k1[self.turn] or self.t2 & ~self.k2[self.turn] or self.tj > self.kj[self.turn]:
            return 0
        if self.must >= 0 and not self.holds_taken(self.must):
            return 0
        return self.is_card(self.ban) and self.is_card(self.drawn)

    def holds_taken(self, card):
        """Return whether the current take or call contains this card."""
        return self.tj > 0 if card == JOKER_CARD else card < JOKER_CARD and (self.t1 >> card) & 1

    def is_card(self, card):
        """Return whether this is the code of a card, or negative (no card)."""
        return card < 0 or card == JOKER_CARD or (card < JOKER_CARD and (NATURALS >> card) & 1)

    def restock_in(self, cards) -> None:
        """Restock without shuffling: the new stock consists of these cards, next card first (H5)."""
        self.gather()
        self.set_stock(cards)


def _cards(once, twice, jokers):
    """Return a sorted list of the cards in the masks `once` and `twice` (second copies), and jokers."""
    found = []
    card: cython.int
    while once:
        card = lowest(once)
        found.append(CARDS[card])
        if twice & bit(card):
            found.append(CARDS[card])
        once &= once - 1
    return found + [CARDS[JOKER_CARD]] * jokers
