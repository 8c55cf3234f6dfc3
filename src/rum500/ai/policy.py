"""The tuned heuristic in the compiled core: the bot `club`, and the policy of a search's rollouts.

A `Policy` is a vector of whole-number weights and a way to choose by them. It reads of a core only what the
actor may know: its own hand, what others are known to hold, the sizes of hands, the pile, the melds, the size
of the stock, the totals; so it may be asked about a core whose hidden cards are guesses, or blank.

A card's *outs* are the cards that would make a meld of it and another in hand. They are *live* while unseen;
those in the pile can be taken. Masks answer for all cards of a hand at once: `x >> 1` has, at each place of a
run, whether the place above is filled.

Sums are in 1/16 of a point; a weight of 16 takes a thing at its face value.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # interpreted where it is not installed
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.rules.engine.core import (
        ABOVE_ACE,
        ACES,
        DISCARD,
        DRAW,
        END,
        GO_OUT_DISCARD,
        GO_OUT_MELD,
        JOKER_CARD,
        JOKER_RANK,
        LAY_RUN,
        LET_GO,
        MAX_CARDS,
        MAX_SEATS,
        MELD_RUN,
        MELD_SET,
        MELD_SHIFT,
        NATURALS,
        PHASE_CLAIM,
        PHASE_DRAW,
        PHASE_OVER,
        PHASE_USE,
        PLACES,
        Core,
        Moves,
        bit,
        lowest,
        popcount,
    )

    DRAWN, CARDS, HOPE, TEMPO, MELDED, LAY, FOURTH, JOKER, LONE_JOKER, GO, GO_CARDS = range(11)
    OPEN, LEFT, BURDEN, COST, SIGNS, JOKER_COST, JOKER_SIGNS, WEIGHTS = 11, 12, 15, 23, 15, 113, 4, 125
    FAR = -(1 << 30)
    NO_PRICE = 1 << 40
    MOST_DRAWS = 1 + MAX_CARDS
    UPPER = 1 << 32
    FEW = 6
    SPREAD = [0] * 256

    def byte(words, i):
        """The i-th byte of these words, the lowest of the first word first."""
        return (words[i >> 3] >> 8 * (i & 7)) & 255


#: The weights in their order, with a word on each and where the tuning starts.
MEANING: tuple[tuple[str, str, int], ...] = (
    ("drawn", "what a card from the stock brings", 72),
    ("cards", "a card more in hand after a take", 8),
    ("hope", "a card in hand that one live card would bring down, per point", 11),
    ("tempo", "the turn that a call brings", 63),
    ("melded", "a point that can go down now", 32),
    ("lay", "a point laid now and not later", 8),
    ("fourth", "three of a kind laid whose fourth may come, where four count double, per point", 16),
    ("joker", "a wild joker in hand, or one of three, per point", 23),
    ("lone_joker", "each joker of its own rank short of three, per point", 16),
    ("go", "going out now", 389),
    ("go_cards", "for each card that others hold", 29),
    ("open", "a live card that a play lets others lay off, per quarter of a point", 1),
    ("left_2", "a play that leaves two cards when it is time to discard", 0),
    ("left_3", "three", 0),
    ("left_4", "four", 0),
    ("burden_0", "a point held, by the least number of cards another holds: none", 32),
    ("burden_1", "one", 58),
    ("burden_2", "two", 19),
    ("burden_3", "three", 17),
    ("burden_4", "four", 14),
    ("burden_5", "five or six", 5),
    ("burden_7", "seven to ten", 3),
    ("burden_11", "eleven and more", 2),
)
#: What a discard is judged by: each sign costs so much, and so much per point of the card.
SIGNS_MEANING: tuple[tuple[str, str, int, int], ...] = (
    ("card", "the card itself", 0, -40),
    ("out_set", "a live out to a set", 0, 20),
    ("out_run", "a live out to a run", 0, 20),
    ("out_table", "a live out to a lay-off", 0, 10),
    ("out_pile", "an out that lies in the pile", 0, 30),
    ("near_run", "a live neighbour", 0, 10),
    ("near_set", "two live mates", 0, 5),
    ("made", "it is part of a meld in hand", 0, 240),
    ("fits", "it fits the table", 0, 140),
    ("sure", "two cards to go with it are known to be within reach of the next player", 100, 200),
    ("half", "one is, and one is unseen: each such pair, in thirty-seconds of the chance", 20, 9),
    ("maybe", "both are unseen", 15, 6),
    ("twin", "the same card is held twice", 0, -100),
    ("held", "two cards to go with it are known to be in others' hands: so much the more", 0, 0),
    ("half_held", "one is, and one is unseen: so much the more, in thirty-seconds of the chance", 0, 0),
)
#: What a joker's discard is judged by, per point.
JOKER_SIGNS_MEANING: tuple[tuple[str, str, int], ...] = (
    ("joker_lone", "a joker of its own rank, held alone", 120),
    ("joker_pair", "one of two", 180),
    ("joker_made", "a wild one, one of three, or one that the table takes", 200),
    ("joker_near", "each joker in the pile or known to be in an opponent's hand", 0),
)
#: When it is judged: others hold three cards at least or fewer, seven, more.
TIMES = ("late", "middle", "early")


def names() -> tuple[str, ...]:
    """The weights' names in their order."""
    plain = [name for name, _, _ in MEANING]
    parts = [(time, name) for time in TIMES for name, _, _, _ in SIGNS_MEANING]
    jokers = [f"{time}_{name}" for time in TIMES for name, _, _ in JOKER_SIGNS_MEANING]
    return (*plain, *(f"{time}_{name}{of}" for time, name in parts for of in ("", "_per_point")), *jokers)


def hand_set() -> list[int]:
    """The weights as set by hand, where tuning starts."""
    costs = [cost for _, _, flat, per_point in SIGNS_MEANING for cost in (flat, per_point)]
    jokers = [cost for _, _, cost in JOKER_SIGNS_MEANING]
    return [weight for _, _, weight in MEANING] + costs * len(TIMES) + jokers * len(TIMES)


def _fill_table():
    """Fill the table that spreads eight bits over eight bytes, once, at import."""
    for bits in range(256):
        SPREAD[bits] = sum(1 << 8 * i for i in range(8) if bits >> i & 1)


_fill_table()


def turned(places):
    """Places as cards, but for what lies where no card is: an ace above the king is the ace."""
    return places | ((places >> 13) & ACES)


def trios(x):
    """The places that would be part of three in sequence with two of these."""
    return ((x << 1) & (x << 2)) | ((x << 1) & (x >> 1)) | ((x >> 1) & (x >> 2))


def folded(places):
    """Places as cards: an ace above the king is the ace."""
    return (places | ((places >> 13) & ACES)) & NATURALS


def at_least_one(x):
    """The ranks of which one card is there, at all four suits."""
    return ((x | (x >> 16) | (x >> 32) | (x >> 48)) & 0x1FFF) * ACES


def at_least_two(x):
    """The ranks of which two cards are there, at all four suits."""
    a: u64 = x & 0x1FFF
    b: u64 = (x >> 16) & 0x1FFF
    c: u64 = (x >> 32) & 0x1FFF
    d: u64 = (x >> 48) & 0x1FFF
    return ((a & b) | (c & d) | ((a | b) & (c | d))) * ACES


def at_least_three(x):
    """The ranks of which three cards are there, at all four suits."""
    a: u64 = x & 0x1FFF
    b: u64 = (x >> 16) & 0x1FFF
    c: u64 = (x >> 32) & 0x1FFF
    d: u64 = (x >> 48) & 0x1FFF
    return ((a & b & (c | d)) | (c & d & (a | b))) * ACES


def all_four(x):
    """The ranks of which all four cards are there, at all four suits."""
    return (x & (x >> 16) & (x >> 32) & (x >> 48) & 0x1FFF) * ACES


class Policy:
    """A player in the core: weights, and the choice they make.

    It holds room to work in: one for each thread. One that `forgets` does not remember who took what.
    """

    def __init__(self, weights, forgets: bool = False):
        """Weights as `names()` has them; short of the whole, those set by hand fill up."""
        i: cython.int
        if len(weights) > WEIGHTS:
            raise ValueError(f"{len(weights)} weights are given, there are {WEIGHTS}")
        full = [*weights, *hand_set()[len(weights) :]]
        if not cython.compiled:
            self.w = [0] * WEIGHTS
            self.near_sum, self.flag_sum, self.heeds = [0] * 768, [0] * 192, [0] * 3
            self.half_sum, self.maybe_sum, self.held_sum = [0] * 8, [0] * 8, [0] * 16
            self.sign, self.value = [0] * 24, [0] * 13
            self.paid, self.price = [0] * MOST_DRAWS, [0] * 64
            for name in ("near_bytes", "flag_bytes", "chance_bytes", "held_bytes"):
                setattr(self, name, [0] * 8)
        for i in range(WEIGHTS):
            self.w[i] = max(-4096, min(4096, full[i]))
        self.add_up()
        self.forgets = forgets
        self.scale = -1

    def weights(self) -> list[int]:
        """The weights."""
        i: cython.int
        return [self.w[i] for i in range(WEIGHTS)]

    def choice(self, core: Core) -> int:
        """What the actor of this deal, not yet over, does: one of `core.legal`."""
        chosen: int = self.choose(core, Moves())
        return chosen

    def playout(self, core, moves):
        """Play to the end, each seat by this policy; return the number of actions."""
        count: u64 = 0
        while core.phase != PHASE_OVER:
            core.apply(self.choose(core, moves), moves)
            count += 1
        return count

    def choose(self, core, moves):
        """The actor's choice; `moves` is room to work in."""
        self.attend(core)
        if core.phase == PHASE_DRAW:
            return self.choose_draw(core, moves)
        if core.phase == PHASE_USE:
            return self.choose_use(core, moves)
        if core.phase == PHASE_CLAIM:
            return self.choose_call(core, moves)
        return self.choose_play(core, moves)

    # --- reading ----------------------------------------------------------------------------------

    def attend(self, core):
        """Take the actor's seat, and see to it that values and places are those of this core's rules."""
        self.seat = core.actor
        if core.value[1] + 16 * core.value[13] + 256 * core.ace_low != self.scale:
            self.see_values(core)

    def places(self, cards):
        """The places these cards can take in runs, as `Core.places` has them."""
        return (cards | ((cards & ACES) << 13)) & self.ground

    def see_values(self, core):
        """Cut the cards' points into four masks, so that counting bits adds them up."""
        rank: cython.int
        value: u64
        self.scale = core.value[1] + 16 * core.value[13] + 256 * core.ace_low
        self.ground = PLACES if core.ace_low else ABOVE_ACE
        self.v0 = self.v1 = self.v2 = self.v3 = 0
        for rank in range(13):
            value = self.value[rank] = core.value[rank or 13]
            self.v0 |= ((value & 1) * ACES) << rank
            self.v1 |= (((value >> 1) & 1) * ACES) << rank
            self.v2 |= (((value >> 2) & 1) * ACES) << rank
            self.v3 |= (((value >> 3) & 1) * ACES) << rank

    def points(self, cards):
        """What natural cards count in hand."""
        return (
            popcount(cards & self.v0)
            + 2 * popcount(cards & self.v1)
            + 4 * popcount(cards & self.v2)
            + 8 * popcount(cards & self.v3)
        )

    def look(self, core):
        """What is live, what the foes are known to hold, how near the end is."""
        seat: cython.int = self.seat
        other: cython.int
        i: cython.int
        size: cython.int
        k: u64
        mask: u64
        s1: u64 = core.h1[seat]
        s2: u64 = core.h2[seat]
        self.foe = 0
        self.least = 99
        self.foes = 0
        self.others = 0
        self.hidden = core.stock_end - core.stock_next + 1
        for other in range(core.n):
            if other == seat:
                continue
            size = core.hn[other]
            self.hidden += size
            self.least = min(self.least, size)
            k = 0
            if not self.forgets:
                k = core.k1[other]
                s2 |= (s1 & k) | core.k2[other]
                s1 |= k
            if self.is_foe(core, other):
                self.foe |= k
                self.others += size
                self.foes = max(self.foes, size)
        s2 |= (s1 & core.down1) | core.down2
        s1 |= core.down1
        if core.packs == 1:
            self.live = NATURALS ^ (s1 | core.pile_mask)
        else:
            for i in range(core.pile_n):
                if core.pile[i] != JOKER_CARD:
                    mask = bit(core.pile[i])
                    s2 |= s1 & mask
                    s1 |= mask
            self.live = NATURALS ^ s2
        self.pile = core.pile_mask
        self.outs = PLACES  # none that `waiting` is asked about
        self.see_end(core)

    def is_foe(self, core, other):
        """Whether another seat is on the other side."""
        return core.sides != 2 or (other ^ self.seat) & 1

    def see_end(self, core):
        """How near the end is, and what a held point risks."""
        stock: cython.int = core.stock_end - core.stock_next
        turns: cython.int
        if not core.restock_allowed and not core.may_pass and 2 * stock < self.least * core.n:
            self.least = 2 * stock // core.n
        turns = self.least
        self.burden = self.w[BURDEN + (turns if turns < 5 else 5 + (turns > 6) + (turns > 10))]
        self.time = (turns > 3) + (turns > 7)

    def waiting(self, core, hand, outs):
        """The cards of a hand that one of these outs would bring down."""
        if outs != self.outs:
            self.see_outs(core, outs)
        x: u64 = self.places(hand)
        y: u64 = self.out_places
        up: u64 = x >> 1
        down: u64 = x << 1
        found: u64 = (y << 1) & (up | (x << 2))
        found |= (y >> 1) & (down | (x >> 2))
        found |= ((y >> 2) & up) | ((y << 2) & down) | self.out_ends
        return (turned(found) | (at_least_two(hand) & self.out_ranks)) & hand

    def see_outs(self, core, outs):
        """Note what `waiting` reads of outs: they stay the same from hand to hand."""
        self.outs = outs
        self.out_places = self.places(outs)
        self.out_ends = ((core.ups & self.out_places) << 1) | ((core.downs & self.out_places) >> 1)
        self.out_ranks = at_least_one(outs)

    def part(self, core, h1, h2, jokers):
        """Part a hand into what can go down and the rest, of which the number of cards is noted."""
        x: u64 = self.places(h1)
        r: u64 = x & (x >> 1) & (x >> 2)
        runs: u64 = turned(r | (r << 1) | (r << 2)) & h1
        self.sets = at_least_three(h1) & h1
        self.down = runs | (self.sets if not core.same_suit else at_least_two(h1) & h1)
        if core.opens | core.ups | core.downs:
            self.down |= core.layable(x) & h1
        if runs & self.sets:
            self.down = self.parted(core, h1, runs)
        self.left = h1 ^ self.down
        self.rest = popcount(self.left) + popcount(h2)
        if jokers:
            self.rest += self.stuck(core, self.left, self.down, jokers)

    def parted(self, core, hand, runs):
        """What can go down where a set and a run want the same card: runs first, or sets first."""
        sets: u64 = self.sets | core.usable(hand ^ self.sets)
        runs |= core.usable(hand ^ runs)
        return runs if self.points(runs) > self.points(sets) else sets

    def stuck(self, core, rest, down, jokers):
        """What jokers add to the cards that cannot go down: below 0 where wild ones take others along."""
        n: cython.int
        if not core.wild:
            return jokers if jokers < 3 else 0
        n = popcount(self.waiting(core, rest, NATURALS)) if rest else 0
        if n > 1:
            return -min(n, 2 * jokers)
        if n == 0 and (down | core.ups | core.downs | core.opens) == 0:
            return jokers
        return -n

    def high_aces(self, core, hand):
        """The aces that would not go down low: in a set, or above a king."""
        kings: u64 = hand >> 12
        return (
            (kings & (hand >> 11))
            | (core.ups >> 13)
            | (kings & (core.ups >> 12))
            | at_least_three(hand)
            | core.opens
        ) & ACES

    def ends(self, core):
        """Whether a player whose hand `worth` has just seen can go out this turn."""
        if core.go_out == GO_OUT_MELD:
            return self.rest == 0
        return self.rest < 2

    def worth(self, core, h1, h2, jokers):
        """What a hand is worth: what can go down, what may, and what the rest risks."""
        self.part(core, h1, h2, jokers)
        return self.parts_worth(core, h1, h2, jokers)

    def parts_worth(self, core, h1, h2, jokers):
        """What the hand is worth that was parted last."""
        left: cython.int = self.points(self.left)
        total: cython.int = self.w[MELDED] * self.points(self.down)
        x: u64 = self.down & ACES
        if x:
            x &= NATURALS ^ self.high_aces(core, h1)
            if x:
                total -= self.w[MELDED] * (core.value[13] - core.value[0]) * popcount(x)
        if h2:
            left += self.points(h2)
        if core.doubles:
            x = self.down & self.sets
            if x:
                x &= all_four(h1)
                total += self.w[MELDED] * self.points(x)
            if jokers > 3 and not core.wild:
                total += self.w[JOKER] * core.joker_value * jokers
        if jokers:
            if core.wild or jokers > 2:
                total += self.w[JOKER] * core.joker_value * jokers
            else:
                total += self.w[LONE_JOKER] * core.joker_value * jokers
                left += core.joker_value * jokers
        if self.left:
            x = self.waiting(core, self.left, self.live | self.pile)
            total += self.w[HOPE] * self.points(x)
        return total - self.burden * left

    # --- draw, take, call -------------------------------------------------------------------------

    def choose_draw(self, core, moves):
        """The stock, or the take that pays best."""
        i: cython.int
        best: cython.int = 0
        for i in range(1, self.weigh_draws(core, moves)):
            if self.paid[i] > self.paid[best]:
                best = i
        return moves.a[best]

    def weigh_draws(self, core, moves):
        """What the stock and each take are worth, into `paid`; their number. One alone is not weighed."""
        seat: cython.int = self.seat
        i: cython.int
        core.generate(moves)
        if moves.n == 1:
            return 1
        self.look(core)
        if moves.a[0] == END:
            self.paid[0] = -16 * core.held(seat)
        else:
            self.paid[0] = self.worth(core, core.h1[seat], core.h2[seat], core.hj[seat])
            if moves.a[0] == DRAW:
                self.paid[0] += self.w[DRAWN]
        for i in range(1, moves.n):
            self.paid[i] = self.taken_worth(core, moves.a[i] >> 4)
        return moves.n

    def choose_call(self, core, moves):
        """The call that pays best, or none: the last of the legal actions lets it go."""
        seat: cython.int = self.seat
        i: cython.int
        total: cython.int
        best: cython.int
        choice: u64
        core.generate(moves)
        if moves.n == 1:
            return moves.a[0]
        self.look(core)
        choice = LET_GO
        best = self.worth(core, core.h1[seat], core.h2[seat], core.hj[seat])
        for i in range(moves.n - 1):
            total = self.taken_worth(core, moves.a[i] >> 4) + self.w[TEMPO]
            if total > best:
                best = total
                choice = moves.a[i]
        return choice

    def taken_worth(self, core, count):
        """What the hand is worth with the top `count` cards of the pile in it."""
        seat: cython.int = self.seat
        h1: u64 = core.h1[seat]
        h2: u64 = core.h2[seat]
        pile: u64 = self.pile
        card: u64
        total: cython.int
        jokers: cython.int = core.hj[seat]
        i: cython.int
        for i in range(core.pile_n - count, core.pile_n):
            if core.pile[i] == JOKER_CARD:
                jokers += 1
                continue
            card = bit(core.pile[i])
            h2 |= h1 & card
            h1 |= card
            # A twin left in the pile is forgotten here: the count is rough enough without it.
            self.pile &= NATURALS ^ card
        total = self.worth(core, h1, h2, jokers)
        self.pile = pile
        if self.ends(core):
            total += self.w[GO] + self.w[GO_CARDS] * self.others
        return total + self.w[CARDS] * count

    # --- meld and lay off -------------------------------------------------------------------------

    def choose_use(self, core, moves):
        """The play of the lowest card taken that leaves most."""
        seat: cython.int = self.seat
        jokers: cython.int
        self.look(core)
        if core.claiming:
            core.generate(moves)
        else:
            # With few jokers first: with many there are thousands of ways.
            jokers = 0 if core.wild else core.hj[seat]
            while True:
                moves.n = 0
                core.gen_plays(moves, core.h1[seat], core.h2[seat], jokers, core.must)
                if moves.n or jokers >= core.hj[seat]:
                    break
                jokers += 1
        return self.best_play(core, moves, FAR)

    def choose_play(self, core, moves):
        """The play that pays best; a discard where none does."""
        seat: cython.int = self.seat
        jokers: cython.int = core.hj[seat]
        choice: u64
        cards: u64
        floor: cython.int
        count: cython.int
        self.look(core)
        if core.go_out == GO_OUT_DISCARD and core.hn[seat] == 1 and not core.floater and core.discards():
            # One goes out by this discard, and floats by laying the card (H2).
            return self.choose_discard(core, core.discards())
        self.part(core, core.h1[seat], core.h2[seat], jokers)
        if jokers or self.down or core.h2[seat]:
            floor = FAR
            count = 0 if core.wild else jokers
            if not self.ends(core):
                if core.doubles and (all_four(core.h1[seat]) or (jokers > 3 and not core.wild)):
                    choice = self.four_at_once(core, moves)
                    if choice:
                        return choice
                if self.w[LAY] + self.burden <= 0 and not core.at_once:
                    # What is not to be laid now is not looked at: it is held for the turn that ends the deal.
                    count = jokers + 1
                else:
                    floor = self.parts_worth(core, core.h1[seat], core.h2[seat], jokers)
            while count <= jokers and (count <= 2 or not core.wild):
                moves.n = 0
                core.gen_plays(moves, core.h1[seat], core.h2[seat], count, -1)
                if core.ban >= 0 and moves.n:
                    core.drop_stranding(moves)
                count += 1
                if moves.n == 0:
                    continue
                choice = self.best_play(core, moves, floor)
                if choice:
                    return choice
                if count > 1 and core.wild:
                    # More jokers in a play that one joker makes too: thousands of ways, none better.
                    break
        cards = core.discards()
        if cards == 0 and not core.joker_discard():
            # A play must be made after all (D3a, D26): there is one.
            moves.n = 0
            core.generate(moves)
            return self.best_play(core, moves, FAR)
        return self.choose_discard(core, cards)

    def four_at_once(self, core, moves):
        """The play that counts double and most, 0 if there is none: it is not held back (R-SCORE-3)."""
        seat: cython.int = self.seat
        best: cython.int = 0
        choice: u64 = 0
        i: cython.int
        moves.n = 0
        core.gen_plays(moves, core.h1[seat], core.h2[seat], 0 if core.wild else core.hj[seat], -1)
        if core.ban >= 0 and moves.n:
            core.drop_stranding(moves)
        for i in range(moves.n):
            if core.doubled(moves.a[i]) and core.points(moves.a[i]) > best:
                best = core.points(moves.a[i])
                choice = moves.a[i]
        return choice

    def best_play(self, core, moves, floor):
        """The play that brings most; none, 0, if it brings no more than `floor`."""
        seat: cython.int = self.seat
        i: cython.int
        points: cython.int
        total: cython.int
        best: cython.int = floor
        choice: u64 = 0
        action: u64
        cards: u64
        twins: u64
        h1: u64
        h2: u64
        jokers: cython.int = core.hj[seat]
        for i in range(moves.n):
            action = moves.a[i]
            cards = core.cards_of(action)
            twins = core.h2[seat] & cards
            h1 = core.h1[seat] ^ cards ^ twins
            h2 = core.h2[seat] ^ twins
            if core.same_suit:
                h1 &= NATURALS ^ core.twins_of(action)
            points = core.points(action)
            total = (self.w[MELDED] + self.w[LAY] + self.burden) * points
            total += self.worth(core, h1, h2, jokers - core.jokers_of(action) if jokers else 0)
            if self.ends(core):
                total += self.w[GO] + self.w[GO_CARDS] * self.others
            else:
                if 2 <= self.rest <= 4:
                    total += self.w[LEFT + self.rest - 2]
                total -= (self.w[OPEN] * self.points(self.opened(core, action) & (self.live | self.foe))) >> 2
            if core.go_out == GO_OUT_DISCARD and core.hn[seat] == core.meld_count(action):
                # It floats where a card kept back would go out (H2).
                total -= self.w[GO] + self.w[GO_CARDS] * self.others
            if core.at_once and core.side_points(seat) + points >= core.target:
                total += 1 << 20
            if core.doubles and floor != FAR:
                total -= self.fourth(core, action)
            if total > best or (choice == 0 and floor == FAR):
                best = total
                choice = action
        return choice

    def opened(self, core, action):
        """The cards that can be laid on a meld once this play is made."""
        meld: u64 = action
        index: cython.int
        if action & 15 >= LAY_RUN:
            index = action >> MELD_SHIFT
            meld = core.joined(index, action)
        if action & 15 == MELD_RUN or action & 15 == LAY_RUN:
            return folded(core.room_above(meld) | core.room_below(meld))
        return core.room_in_set(meld)

    def fourth(self, core, action):
        """What is lost by laying three of a kind whose fourth would count double with them."""
        rank: cython.int = (action >> 4) & 15
        comes: cython.int
        if action & 15 != MELD_SET or core.meld_count(action) != 3 or self.least < 3:
            return 0
        if rank == JOKER_RANK:
            comes = 1
        else:
            comes = popcount((self.live | self.pile) & (ACES << rank))
        return self.w[FOURTH] * core.points(action) * (comes > 0)

    # --- discard ----------------------------------------------------------------------------------

    def choose_discard(self, core, mask):
        """Of these and a joker what costs least: what it may become, what it risks, what it gives."""
        joker: cython.int = core.hj[self.seat] and core.joker_discard()
        card: cython.int
        if mask & (mask - 1) == 0 and not joker:
            return DISCARD | (lowest(mask) << 4)
        self.read_signs(core)
        card = self.cheapest(mask)
        if joker and self.joker_cost(core) < self.lowest_cost:
            card = JOKER_CARD
        return DISCARD | (card << 4)

    def read_signs(self, core):
        """Which cards in hand show which signs, as masks; they are told in `SIGNS_MEANING`.

        Counts are kept as masks of their bits, the highest first. Of what lies where no card is nothing is
        to be read.
        """
        hand: u64 = core.h1[self.seat]
        live: u64 = self.live
        sure: u64 = (self.foe | self.pile) & (NATURALS ^ hand)
        x: u64 = self.places(hand)
        y: u64 = self.places(live)
        z: u64 = self.places(sure)
        up: u64 = x >> 1
        down: u64 = x << 1
        both_up: u64 = up | (x << 2)
        both_down: u64 = down | (x >> 2)
        pairs: u64 = at_least_two(hand)
        mates: u64 = at_least_one(live)
        many: u64 = at_least_two(live)
        self.count(
            0, turned((y << 1) & both_up), (y >> 1) & both_down, (y >> 2) & up, turned((y << 2) & down)
        )
        self.sign[3] = turned(y << 1)
        self.sign[4] = y >> 1
        self.sign[5] = pairs & mates
        self.sign[6] = pairs & many
        self.sign[7] = many
        self.sign[8] = turned(trios(x)) | at_least_three(hand)
        self.sign[9] = turned(((core.ups & y) << 1) | ((core.downs & y) >> 1))
        self.sign[10] = core.opens | turned(core.ups | core.downs)
        self.sign[11] = turned(trios(z)) | at_least_two(sure)
        self.count_pairs(14, y, z, at_least_one(sure) & mates)
        # pairs of unseen cards that would make a meld of it
        self.count(17, turned((y << 1) & (y << 2)), (y << 1) & (y >> 1), (y >> 1) & (y >> 2), many)
        many = at_least_three(live)
        self.sign[17] |= self.sign[18] & many
        self.sign[18] ^= many
        z = self.places(self.pile)
        sure = ((z << 1) & both_up) | ((z >> 1) & both_down) | ((z >> 2) & up) | ((z << 2) & down)
        self.sign[12] = turned(sure | ((core.ups & z) << 1) | ((core.downs & z) >> 1))
        self.sign[12] |= pairs & at_least_one(self.pile)
        self.sign[13] = core.h2[self.seat]
        sure = self.foe & (NATURALS ^ hand)
        self.held = sure != 0 and self.heeds[self.time]
        if self.held:
            z = self.places(sure)
            self.count_pairs(21, y, z, at_least_one(sure) & mates)
            self.sign[20] = turned(trios(z)) | at_least_two(sure)

    def count_pairs(self, at, y, z, mates):
        """Count, at this sign, the pairs of a live card and one of `z` that make a meld of a card."""
        self.count(
            at,
            turned(((y << 1) & (z << 2)) | ((z << 1) & (y << 2))),
            ((y << 1) & (z >> 1)) | ((z << 1) & (y >> 1)),
            ((y >> 1) & (z >> 2)) | ((z >> 1) & (y >> 2)),
            mates,
        )

    def count(self, at, a, b, c, d):
        """Write the number of four signs that a card shows to the three signs from `at` on."""
        one: u64 = (a & b) ^ (c & d)
        two: u64 = (a ^ b) & (c ^ d)
        self.sign[at] = a & b & c & d
        self.sign[at + 1] = one | two
        self.sign[at + 2] = a ^ b ^ c ^ d

    def add_up(self):
        """Add up the weights of signs for every mix of them: bit by bit as `read_signs` has them."""
        time: cython.int
        i: cython.int
        for time in range(3):
            for i in range(256):
                self.near_sum[256 * time + i] = (
                    (i >> 5) * self.both(time, 2)
                    + popcount(i & 24) * self.both(time, 5)
                    + popcount(i & 6) * self.both(time, 1)
                    + (i & 1) * self.both(time, 6)
                )
            for i in range(64):
                self.flag_sum[64 * time + i] = (
                    self.both(time, 0)
                    + (i >> 5) * self.both(time, 7)
                    + (i >> 4 & 1) * self.both(time, 3)
                    + (i >> 3 & 1) * self.both(time, 8)
                    + (i >> 2 & 1) * self.both(time, 9)
                    + (i >> 1 & 1) * self.both(time, 4)
                    + (i & 1) * self.both(time, 12)
                )
            self.heeds[time] = self.both(time, 13) != 0 or self.both(time, 14) != 0

    def both(self, time, sign):
        """A sign's weight and, `UPPER` times, its weight per point: both are added up at once."""
        at: cython.int = COST + 2 * (SIGNS * time + sign)
        per_point: i64 = self.w[at + 1]
        return self.w[at] + UPPER * per_point

    def add_chances(self):
        """What pairs add that are yet to come, by number; what those in others' hands, by number and sign."""
        i: cython.int
        each: i64 = self.both(self.time, 10)
        # how likely one unseen card comes to another player, in 256ths
        chance: cython.int = (256 * self.foes) // self.hidden
        for i in range(5):
            self.half_sum[i] = ((i * chance) >> 5) * each
        each = self.both(self.time, 11)
        for i in range(7):
            self.maybe_sum[i] = ((i * chance * chance) >> 11) * each
        if self.held:
            each = self.both(self.time, 14)
            for i in range(5):
                self.held_sum[i] = ((i * chance) >> 5) * each
                self.held_sum[i + 8] = self.held_sum[i] + self.both(self.time, 13)

    def cheapest(self, cards):
        """Of these cards the one whose discard costs least; what it costs, in 1/64 of a point, is noted."""
        best: i64 = 64 * UPPER + JOKER_CARD
        card: cython.int
        self.add_chances()
        if popcount(cards) > FEW:
            self.read_bytes()
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                best = min(
                    best,
                    self.cost(
                        card,
                        byte(self.near_bytes, card),
                        byte(self.flag_bytes, card),
                        byte(self.chance_bytes, card),
                        byte(self.held_bytes, card),
                    ),
                )
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            best = min(best, self.read_cost(card))
        self.lowest_cost = best >> 6
        return best & 63

    def weigh_discards(self, core):
        """What each of the actor's discards costs, in 1/64 of a point, into `price`; else `NO_PRICE`."""
        cards: u64 = core.discards()
        card: cython.int
        self.attend(core)
        self.look(core)
        self.read_signs(core)
        self.add_chances()
        for card in range(64):
            self.price[card] = NO_PRICE
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            self.price[card] = self.read_cost(card) >> 6
        if core.hj[self.seat] and core.joker_discard():
            self.price[JOKER_CARD] = self.joker_cost(core)

    def read_cost(self, card):
        """`cost` of a card, by its signs."""
        return self.cost(
            card,
            self.bits(0, 8, card),
            self.bits(8, 14, card),
            self.bits(14, 20, card),
            self.bits(20, 24, card) if self.held else 0,
        )

    def cost(self, card, near, flags, chances, held):
        """64 times what discarding a card of these signs costs, and the card."""
        total: i64 = self.near_sum[256 * self.time + near] + self.flag_sum[64 * self.time + flags]
        total += self.half_sum[chances >> 3] + self.maybe_sum[chances & 7]
        if self.held:
            total += self.held_sum[held]
        per_point: i64 = (total + (UPPER >> 1)) >> 32
        total += per_point * (self.value[card & 15] - UPPER)
        return 64 * total + card

    def bits(self, first, end, card):
        """The signs from `first` to before `end` of a card, the first as the highest bit."""
        found: u64 = 0
        i: cython.int
        for i in range(first, end):
            found = 2 * found + ((self.sign[i] >> card) & 1)
        return found

    def read_bytes(self):
        """The signs card by card, a byte for each, in words of eight cards."""
        block: cython.int
        for block in range(8):
            self.near_bytes[block] = self.bytes(0, 8, block)
            self.flag_bytes[block] = self.bytes(8, 14, block)
            self.chance_bytes[block] = self.bytes(14, 20, block)
            if self.held:
                self.held_bytes[block] = self.bytes(20, 24, block)

    def bytes(self, first, end, block):
        """The signs from `first` to before `end` of the eight cards of a block, a byte for each card."""
        found: u64 = 0
        i: cython.int
        for i in range(first, end):
            found = 2 * found + SPREAD[byte(self.sign, 8 * i + block)]
        return found

    def joker_cost(self, core):
        """What discarding a joker costs, in 1/64 of a point: its signs are told in `JOKER_SIGNS_MEANING`."""
        p: cython.int = JOKER_COST + JOKER_SIGNS * self.time
        held: cython.int = core.hj[self.seat]
        total: cython.int
        i: cython.int
        near: cython.int = 0
        if core.wild or held > 2 or core.fits_table(JOKER_CARD):
            total = self.w[p + 2]
        else:
            total = self.w[p + held - 1]
        for i in range(core.pile_n):
            near += core.pile[i] == JOKER_CARD
        for i in range(core.n):
            if i != self.seat and self.is_foe(core, i) and not self.forgets:
                near += core.kj[i]
        return core.joker_value * (total + near * self.w[p + 3])


class SeatPolicies:
    """Who sits where: a policy for each seat, which may be one and the same in several.

    Not to be shared between threads, as its policies are not.
    """

    def __init__(self, policies):
        """The policies by seat, two to eight."""
        if not 2 <= len(policies) <= MAX_SEATS:
            raise ValueError(f"{len(policies)} policies are given, a table has 2 to {MAX_SEATS} seats")
        full = [*policies, *[policies[0]] * (MAX_SEATS - len(policies))]
        self.p0, self.p1, self.p2, self.p3, self.p4, self.p5, self.p6, self.p7 = full

    def choose(self, core, moves):
        """The choice of the actor's policy."""
        seat: cython.int = core.actor
        if seat == 0:
            return self.p0.choose(core, moves)
        if seat == 1:
            return self.p1.choose(core, moves)
        if seat == 2:
            return self.p2.choose(core, moves)
        if seat == 3:
            return self.p3.choose(core, moves)
        if seat == 4:
            return self.p4.choose(core, moves)
        if seat == 5:
            return self.p5.choose(core, moves)
        if seat == 6:
            return self.p6.choose(core, moves)
        return self.p7.choose(core, moves)

    def playout(self, core, moves):
        """Play to the end, each seat by its policy; return the number of actions."""
        count: u64 = 0
        while core.phase != PHASE_OVER:
            core.apply(self.choose(core, moves), moves)
            count += 1
        return count
