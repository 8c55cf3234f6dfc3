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

import cython

if not cython.compiled:
    from rum500.rules.engine.core import (
        ACES,
        DISCARD,
        DRAW,
        END,
        FULL_RUN,
        GO_OUT_DISCARD,
        GO_OUT_MELD,
        JOKER_CARD,
        JOKER_RANK,
        LAY_RUN,
        LET_GO,
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
        SUITS_ONCE,
        SUITS_TWICE,
        Core,
        Moves,
        bit,
        lowest,
        popcount,
    )

    DRAWN, CARDS, HOPE, TEMPO, MELDED, LAY, FOURTH, JOKER, LONE_JOKER, JOKER_GIFT, GO, GO_CARDS = range(12)
    OPEN, LEFT, BURDEN, COST, SIGNS, WEIGHTS, MIXES = 12, 13, 16, 24, 15, 114, 24
    FAR = -(1 << 30)

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
    ("joker_gift", "a joker given away, per point", 27),
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
#: When it is judged: others hold three cards at least or fewer, seven, more.
TIMES = ("late", "middle", "early")


def names() -> tuple[str, ...]:
    """The weights' names in their order."""
    plain = [name for name, _, _ in MEANING]
    parts = [(time, name) for time in TIMES for name, _, _, _ in SIGNS_MEANING]
    return tuple(plain + [f"{time}_{name}{of}" for time, name in parts for of in ("", "_per_point")])


def hand_set() -> list[int]:
    """The weights as set by hand, where tuning starts."""
    costs = [cost for _, _, flat, per_point in SIGNS_MEANING for cost in (flat, per_point)]
    return [weight for _, _, weight in MEANING] + costs * len(TIMES)


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

    It holds room to work in: one for each thread. `forgets`: 0, it remembers who took what; 1, it does not;
    2, it remembers of the next player alone; 3, of its opponents, of two sides.
    """

    def __init__(self, weights, forgets: int = 0):
        """Weights as `names()` has them; short of the whole, those set by hand fill up."""
        i: cython.int
        if len(weights) > WEIGHTS:
            raise ValueError(f"{len(weights)} weights are given, there are {WEIGHTS}")
        full = [*weights, *hand_set()[len(weights) :]]
        if not cython.compiled:
            self.w = [0] * WEIGHTS
            self.a, self.b, self.c = ([0] * (6 * MIXES) for _ in range(3))
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
        if core.value[1] + 16 * core.value[13] != self.scale:
            self.see_values(core)
        self.seat = core.actor
        if core.phase == PHASE_DRAW:
            return self.choose_draw(core, moves)
        if core.phase == PHASE_USE:
            return self.choose_use(core, moves)
        if core.phase == PHASE_CLAIM:
            return self.choose_call(core, moves)
        return self.choose_play(core, moves)

    # --- reading ----------------------------------------------------------------------------------

    def see_values(self, core):
        """Cut the cards' points into four masks, so that counting bits adds them up."""
        rank: cython.int
        value: u64
        self.scale = core.value[1] + 16 * core.value[13]
        self.v0 = self.v1 = self.v2 = self.v3 = 0
        for rank in range(13):
            value = core.value[rank if rank else 13]
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
        place: cython.int
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
            if self.remembers(core, other):
                k = core.k1[other]
                s2 |= (s1 & k) | core.k2[other]
                s1 |= k
            else:
                k = 0
            if not (core.sides == 2 and ((other ^ seat) & 1) == 0):
                self.foe |= k
                self.others += size
                self.foes = max(self.foes, size)
        for i in range(core.meld_n):
            mask = core.meld[i]
            if mask & 15 == MELD_RUN:
                mask = ((mask >> 6) & FULL_RUN) ^ ((mask >> 20) & FULL_RUN)
                mask = ((mask & 0x1FFF) | (mask >> 13)) << (core.meld[i] & 48)
            else:
                place = (mask >> 4) & 15
                if place == JOKER_RANK:
                    continue
                mask = (mask >> 8) & 255
                s2 |= SUITS_TWICE[mask] << place
                mask = SUITS_ONCE[mask] << place
            s2 |= s1 & mask
            s1 |= mask
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
        self.see_end(core)

    def remembers(self, core, other):
        """Whether it remembers what this other seat took."""
        if self.forgets == 2:
            return other == (self.seat + 1) % core.n
        if self.forgets == 3:
            return (other ^ self.seat) & 1
        return self.forgets == 0

    def see_end(self, core):
        """How near the end is: what a held point risks, and how likely one unseen card still comes."""
        stock: cython.int = core.stock_end - core.stock_next
        turns: cython.int
        if not core.restock_allowed and not core.may_pass and 2 * stock < self.least * core.n:
            self.least = 2 * stock // core.n
        turns = self.least
        if turns > 10:
            self.burden = self.w[BURDEN + 7]
        elif turns > 6:
            self.burden = self.w[BURDEN + 6]
        elif turns > 4:
            self.burden = self.w[BURDEN + 5]
        else:
            self.burden = self.w[BURDEN + turns]
        self.time = 0 if turns < 4 else 1 if turns < 8 else 2
        self.chance = (256 * self.foes) // self.hidden

    def waiting(self, core, hand, outs):
        """The cards of a hand that one of these outs would bring down."""
        x: u64 = core.places(hand)
        y: u64 = core.places(outs)
        up: u64 = x >> 1
        down: u64 = x << 1
        found: u64 = (y << 1) & (up | (x << 2))
        found |= (y >> 1) & (down | (x >> 2))
        found |= ((y >> 2) & up) | ((y << 2) & down)
        found |= ((core.ups & y) << 1) | ((core.downs & y) >> 1)
        return (folded(found & PLACES) | (at_least_two(hand) & at_least_one(outs))) & hand

    def parted(self, core, hand):
        """What can go down where a set and a run want the same card: runs first, or sets first."""
        runs: u64 = self.runs(core, hand)
        sets: u64 = at_least_three(hand) & hand
        runs |= core.usable(hand ^ runs)
        sets |= core.usable(hand ^ sets)
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

    def runs(self, core, hand):
        """The cards of a hand that are part of a run in it."""
        x: u64 = core.places(hand)
        r: u64 = x & (x >> 1) & (x >> 2)
        return folded(r | (r << 1) | (r << 2)) & hand

    def worth(self, core, h1, h2, jokers):
        """What a hand is worth: what can go down, what may, and what the rest risks."""
        down: u64 = core.usable(h1)
        x: u64 = down & at_least_three(h1)
        if x:
            x &= self.runs(core, h1)
            if x:
                down = self.parted(core, h1)
        rest: u64 = h1 ^ down
        left: cython.int = self.points(rest)
        total: cython.int = self.w[MELDED] * self.points(down)
        x = down & ACES
        if x:
            x &= NATURALS ^ self.high_aces(core, h1)
            if x:
                total -= self.w[MELDED] * (core.value[13] - core.value[0]) * popcount(x)
        self.rest = popcount(rest)
        if h2:
            left += self.points(h2)
            self.rest += popcount(h2)
        if core.doubles:
            x = down & at_least_three(h1)
            if x:
                x &= all_four(h1)
                total += self.w[MELDED] * self.points(x)
            if jokers > 3 and not core.wild:
                total += self.w[JOKER] * core.joker_value * jokers
        if jokers:
            self.rest += self.stuck(core, rest, down, jokers)
            if core.wild or jokers > 2:
                total += self.w[JOKER] * core.joker_value * jokers
            else:
                total += self.w[LONE_JOKER] * core.joker_value * jokers
                left += core.joker_value * jokers
        if rest:
            total += self.w[HOPE] * self.points(rest & self.waiting(core, rest, self.live | self.pile))
        return total - self.burden * left

    # --- draw, take, call -------------------------------------------------------------------------

    def choose_draw(self, core, moves):
        """The stock, or the take that pays best."""
        seat: cython.int = self.seat
        i: cython.int
        total: cython.int
        best: cython.int
        choice: u64
        core.generate(moves)
        if moves.n == 1:
            return moves.a[0]
        self.look(core)
        choice = moves.a[0]
        if choice == END:
            best = -16 * core.held(seat)
        else:
            best = self.worth(core, core.h1[seat], core.h2[seat], core.hj[seat])
            if choice == DRAW:
                best += self.w[DRAWN]
        for i in range(1, moves.n):
            total = self.taken_worth(core, moves.a[i] >> 4)
            if total > best:
                best = total
                choice = moves.a[i]
        return choice

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
        floor: cython.int
        count: cython.int
        self.look(core)
        if core.go_out == GO_OUT_DISCARD and core.hn[seat] == 1 and not core.floater and core.discards():
            # One goes out by this discard, and floats by laying the card (H2).
            return self.choose_discard(core, moves)
        if jokers or core.usable(core.h1[seat]) or core.h2[seat]:
            floor = self.worth(core, core.h1[seat], core.h2[seat], jokers)
            count = 0 if core.wild else jokers
            if self.ends(core):
                floor = FAR
            elif core.doubles and (all_four(core.h1[seat]) or (jokers > 3 and not core.wild)):
                choice = self.four_at_once(core, moves)
                if choice:
                    return choice
            if floor != FAR and self.w[LAY] + self.burden <= 0 and not core.at_once:
                # What is not to be laid now is not looked at: hands are held for the turn that ends the deal.
                count = jokers + 1
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
        if core.discards() == 0 and not core.joker_discard():
            # A play must be made after all (D3a, D26): there is one.
            moves.n = 0
            core.generate(moves)
            return self.best_play(core, moves, FAR)
        return self.choose_discard(core, moves)

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
        for i in range(moves.n):
            action = moves.a[i]
            cards = self.cards_of(action)
            twins = core.h2[seat] & cards
            points = core.points(action)
            total = (self.w[MELDED] + self.w[LAY] + self.burden) * points
            total += self.worth(
                core,
                core.h1[seat] & (NATURALS ^ (cards ^ twins)) & (NATURALS ^ self.twins_of(action)),
                core.h2[seat] & (NATURALS ^ cards),
                core.hj[seat] - self.jokers_of(action),
            )
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

    def cards_of(self, action):
        """The natural cards of a play, each once."""
        mask: u64
        if action & 15 == MELD_RUN or action & 15 == LAY_RUN:
            mask = ((action >> 6) & FULL_RUN) ^ ((action >> 20) & FULL_RUN)
            return ((mask & 0x1FFF) | (mask >> 13)) << (action & 48)
        if (action >> 4) & 15 == JOKER_RANK:
            return 0
        return SUITS_ONCE[(action >> 8) & 255] << ((action >> 4) & 15)

    def twins_of(self, action):
        """Of a play's natural cards, those that it lays twice (D20)."""
        if action & 15 == MELD_RUN or action & 15 == LAY_RUN or (action >> 4) & 15 == JOKER_RANK:
            return 0
        return SUITS_TWICE[(action >> 8) & 255] << ((action >> 4) & 15)

    def jokers_of(self, action):
        """How many jokers a play lays."""
        if action & 15 == MELD_RUN or action & 15 == LAY_RUN:
            return popcount((action >> 20) & FULL_RUN)
        if (action >> 4) & 15 == JOKER_RANK:
            return (action >> 8) & 255
        return (
            popcount((action >> 16) & 0x55) + 2 * popcount((action >> 16) & 0xAA) + 2 * ((action >> 24) & 1)
        )

    # --- discard ----------------------------------------------------------------------------------

    def choose_discard(self, core, moves):
        """The card whose loss costs least, by what it may become, what it risks, what it gives."""
        seat: cython.int = self.seat
        mask: u64 = core.discards()
        joker: cython.int = core.hj[seat] and core.joker_discard()
        best: cython.int = -FAR
        total: cython.int
        card: cython.int
        choice: u64 = DISCARD | (JOKER_CARD << 4)
        if mask & (mask - 1) == 0 and not joker:
            return DISCARD | (lowest(mask) << 4)
        self.read_signs(core)
        while mask:
            card = lowest(mask)
            mask &= mask - 1
            total = self.cost(core, card)
            if total < best:
                best = total
                choice = DISCARD | (card << 4)
        if joker and self.joker_cost(core) < best:
            choice = DISCARD | (JOKER_CARD << 4)
        return choice

    def read_signs(self, core):
        """Which cards in hand show which signs, as masks; the signs are told in `SIGNS_MEANING`."""
        hand: u64 = core.h1[self.seat]
        live: u64 = self.live
        x: u64 = core.places(hand)
        y: u64 = core.places(live)
        up: u64 = x >> 1
        down: u64 = x << 1
        both_up: u64 = up | (x << 2)
        both_down: u64 = down | (x >> 2)
        sure: u64 = (self.foe | self.pile) & (NATURALS ^ hand)
        self.r1 = folded((y << 1) & both_up)
        self.r2 = folded((y >> 1) & both_down)
        self.r3 = folded((y >> 2) & up)
        self.r4 = folded((y << 2) & down)
        self.t1 = folded(((core.ups & y) << 1) | ((core.downs & y) >> 1))
        self.n1 = folded(y << 1)
        self.n2 = folded(y >> 1)
        # pairs of unseen cards that would make a meld of it
        self.u1 = folded((y << 1) & (y << 2))
        self.u2 = folded((y << 1) & (y >> 1))
        self.u3 = folded((y >> 1) & (y >> 2))
        self.u4 = at_least_two(live)
        self.u5 = at_least_three(live)
        z: u64 = core.places(sure)
        self.k1 = folded(((y << 1) & (z << 2)) | ((z << 1) & (y << 2)))
        self.k2 = folded(((y << 1) & (z >> 1)) | ((z << 1) & (y >> 1)))
        self.k3 = folded(((y >> 1) & (z >> 2)) | ((z >> 1) & (y >> 2)))
        self.k4 = at_least_one(sure) & at_least_one(live)
        self.g1 = folded(
            ((z << 1) & (z << 2)) | ((z << 1) & (z >> 1)) | ((z >> 1) & (z >> 2))
        ) | at_least_two(sure)
        sure = self.foe & (NATURALS ^ hand)
        self.g2 = self.c1 = self.c2 = self.c3 = self.c4 = 0
        if sure:
            z = core.places(sure)
            self.c1 = folded(((y << 1) & (z << 2)) | ((z << 1) & (y << 2)))
            self.c2 = folded(((y << 1) & (z >> 1)) | ((z << 1) & (y >> 1)))
            self.c3 = folded(((y >> 1) & (z >> 2)) | ((z >> 1) & (y >> 2)))
            self.c4 = at_least_one(sure) & at_least_one(live)
            self.g2 = folded(((z << 1) & (z << 2)) | ((z << 1) & (z >> 1)) | ((z >> 1) & (z >> 2)))
            self.g2 |= at_least_two(sure)
        z = core.places(self.pile)
        self.q1 = folded(((z << 1) & both_up) | ((z >> 1) & both_down) | ((z >> 2) & up) | ((z << 2) & down))
        self.q1 |= folded(((core.ups & z) << 1) | ((core.downs & z) >> 1))
        self.m1 = folded((down & (x << 2)) | (down & up) | (up & (x >> 2))) | at_least_three(hand)
        z = at_least_two(hand)
        self.s1 = z & at_least_one(live)
        self.s2 = z & at_least_two(live)
        self.q1 |= z & at_least_one(self.pile)
        self.f1 = core.opens | folded(core.ups | core.downs)

    def add_up(self):
        """Add up the weights of the signs that are there or not, for every mix of them: three tables."""
        time: cython.int
        i: cython.int
        of: cython.int
        p: cython.int
        for time in range(3):
            for of in range(2):
                p = COST + 2 * SIGNS * time + of
                for i in range(MIXES):
                    self.a[2 * (MIXES * time + i) + of] = (
                        self.w[p]
                        + i % 3 * self.w[p + 2]
                        + i // 3 % 2 * self.w[p + 8]
                        + i // 6 % 2 * self.w[p + 14]
                        + i // 12 * self.w[p + 16]
                    )
                    self.b[2 * (MIXES * time + i) + of] = (
                        i % 5 * self.w[p + 4] + i // 5 % 2 * self.w[p + 6] + i // 10 % 2 * self.w[p + 18]
                    )
                    self.c[2 * (MIXES * time + i) + of] = (
                        i % 3 * self.w[p + 10]
                        + i // 3 % 2 * self.w[p + 12]
                        + i // 6 % 2 * self.w[p + 24]
                        + i // 12 * self.w[p + 26]
                    )

    def cost(self, core, card):
        """What discarding a card costs, in 1/64 of a point: every sign's weight, and its weight per point."""
        p: cython.int = COST + 2 * SIGNS * self.time
        time: cython.int = MIXES * self.time
        flat: cython.int
        per_point: cython.int
        n: cython.int
        i: cython.int = card
        n = ((self.s1 >> i) & 1) + ((self.s2 >> i) & 1) + 3 * ((self.q1 >> i) & 1)
        n = 2 * (time + n + 6 * ((self.m1 >> i) & 1) + 12 * ((self.f1 >> i) & 1))
        flat = self.a[n]
        per_point = self.a[n + 1]
        n = ((self.r1 >> i) & 1) + ((self.r2 >> i) & 1) + ((self.r3 >> i) & 1) + ((self.r4 >> i) & 1)
        n = 2 * (time + n + 5 * ((self.t1 >> i) & 1) + 10 * ((self.g1 >> i) & 1))
        flat += self.b[n]
        per_point += self.b[n + 1]
        n = ((self.n1 >> i) & 1) + ((self.n2 >> i) & 1) + 3 * ((self.u4 >> i) & 1)
        n = 2 * (time + n + 6 * ((core.h2[self.seat] >> i) & 1) + 12 * ((self.g2 >> i) & 1))
        flat += self.c[n]
        per_point += self.c[n + 1]
        n = self.half(i)
        flat += n * self.w[p + 20]
        per_point += n * self.w[p + 21]
        n = self.maybe(i)
        flat += n * self.w[p + 22]
        per_point += n * self.w[p + 23]
        if self.foe:
            n = ((self.c1 >> i) & 1) + ((self.c2 >> i) & 1) + ((self.c3 >> i) & 1) + ((self.c4 >> i) & 1)
            n = (n * self.chance) >> 5
            flat += n * self.w[p + 28]
            per_point += n * self.w[p + 29]
        return flat + per_point * core.value[i & 15 if i & 15 else 13]

    def half(self, i):
        """Pairs of a card within the next player's reach and an unseen one, times its chance."""
        n: cython.int = (
            ((self.k1 >> i) & 1) + ((self.k2 >> i) & 1) + ((self.k3 >> i) & 1) + ((self.k4 >> i) & 1)
        )
        return (n * self.chance) >> 5

    def maybe(self, i):
        """Pairs of unseen cards, times the chance of two."""
        n: cython.int = (
            ((self.u1 >> i) & 1) + ((self.u2 >> i) & 1) + ((self.u3 >> i) & 1) + ((self.u4 >> i) & 1)
        )
        n += 2 * ((self.u5 >> i) & 1)
        return (n * self.chance * self.chance) >> 11

    def signs(self, core: Core) -> tuple[int, list[tuple[int, list[int]]]]:
        """For tuning: the time, and each natural card that may be discarded with its value and signs."""
        card: cython.int
        i: cython.int
        if core.value[1] + 16 * core.value[13] != self.scale:
            self.see_values(core)
        self.seat = core.actor
        self.look(core)
        self.read_signs(core)
        mask: u64 = core.discards()
        cards = [card for card in range(64) if (mask >> card) & 1]
        found = [(card, [self.measured(core, card, i) for i in range(2 * SIGNS)]) for card in cards]
        return self.time, found

    def measured(self, core, card, which):
        """How strongly a card shows a sign: what its cost is with this weight 1 and the others 0."""
        w: list[int] = self.weights()
        i: cython.int
        for i in range(COST, WEIGHTS):
            self.w[i] = 0
        self.w[COST + 2 * SIGNS * self.time + which] = 1
        self.add_up()
        found: cython.int = self.cost(core, card)
        for i in range(WEIGHTS):
            self.w[i] = w[i]
        self.add_up()
        return found

    def joker_cost(self, core):
        """What discarding a joker costs."""
        seat: cython.int = self.seat
        total: cython.int = self.w[JOKER_GIFT] - self.burden
        if core.wild or core.hj[seat] > 2 or core.fits_table(JOKER_CARD):
            total += self.w[JOKER]
        else:
            total += self.w[LONE_JOKER] * core.hj[seat]
        return 4 * total * core.joker_value


class Seating:
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
