"""The tuned heuristic on the compiled core: it plays the bot `club` and the rollouts of searches.

A `Policy` chooses by a vector of integer weights (`policy_weights`). It reads only what the actor may know:
its own hand, known cards of others, the sizes of hands, the pile, the melds, the size of the stock, the
totals. So it also works on a core whose hidden cards are guesses, or missing.

The whole class is in one module, because the compiler can inline calls between its methods only there.

A card's *outs* are the cards that would make a meld of it and another card in hand. Outs are *live* while
unseen; outs in the pile can be taken. A mask represents a set of cards: bit `16 * suit + rank`. A mask of
*places* has the same bits for positions in runs, with bit 13 of each suit for an ace above the king. So in `x
>> 1` the bit of each place says whether the next higher place is occupied.

A *sign* is a property of a card by which its discard is judged; `policy_weights` lists the signs. Sums are in
1/16 of a point: a weight of 16 counts each point at its face value.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

from rum500.ai.policy_weights import hand_set

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
    OPEN, LEFT, BURDEN, NEAR, COST, SIGNS, JOKER_COST, JOKER_SIGNS, WEIGHTS = (
        11,
        12,
        15,
        23,
        24,
        15,
        114,
        4,
        126,
    )
    FAR = -(1 << 30)
    NO_PRICE = 1 << 40
    MOST_DRAWS = 1 + MAX_CARDS
    UPPER = 1 << 32
    FEW = 6
    LAY_ALL = 64  # the value of laying a point now; so high that every card that can be laid is laid
    SPREAD = [0] * 256

    def byte(words, i):
        """Return byte i of a list of 64-bit words; byte 0 is the lowest of the first word."""
        return (words[i >> 3] >> 8 * (i & 7)) & 255


def _fill_table():
    """Fill `SPREAD`, once at import: each of a byte's eight bits becomes one byte, 0 or 1."""
    for bits in range(256):
        SPREAD[bits] = sum(1 << 8 * i for i in range(8) if bits >> i & 1)


_fill_table()


def turned(places):
    """Convert places to a mask of cards: a high ace also sets the ace's bit. Other bits may be set too."""
    return places | ((places >> 13) & ACES)


def trios(x):
    """Return the places that complete three in sequence with two of the places in x."""
    return ((x << 1) & (x << 2)) | ((x << 1) & (x >> 1)) | ((x >> 1) & (x >> 2))


def folded(places):
    """Convert places to a mask of cards: a high ace becomes the ace. No other bits are set."""
    return (places | ((places >> 13) & ACES)) & NATURALS


def at_least_one(x):
    """Return all four cards of each rank of which x has at least one card."""
    return ((x | (x >> 16) | (x >> 32) | (x >> 48)) & 0x1FFF) * ACES


def at_least_two(x):
    """Return all four cards of each rank of which x has at least two cards."""
    a: u64 = x & 0x1FFF
    b: u64 = (x >> 16) & 0x1FFF
    c: u64 = (x >> 32) & 0x1FFF
    d: u64 = (x >> 48) & 0x1FFF
    return ((a & b) | (c & d) | ((a | b) & (c | d))) * ACES


def at_least_three(x):
    """Return all four cards of each rank of which x has at least three cards."""
    a: u64 = x & 0x1FFF
    b: u64 = (x >> 16) & 0x1FFF
    c: u64 = (x >> 32) & 0x1FFF
    d: u64 = (x >> 48) & 0x1FFF
    return ((a & b & (c | d)) | (c & d & (a | b))) * ACES


def all_four(x):
    """Return all four cards of each rank of which x has four cards."""
    return (x & (x >> 16) & (x >> 32) & (x >> 48) & 0x1FFF) * ACES


class Policy:
    """A player in the core that chooses by weights.

    It contains working memory, so each thread needs its own. A policy that `forgets` ignores which cards
    others took. With `lays_at` it lays all it can once another player has this many cards or fewer.
    """

    def __init__(self, weights, forgets: bool = False, lays_at: int = 0):
        """Set the weights, in the order of `policy_weights.names`. Untuned weights complete a short list.

        Raises `ValueError` for too many weights.
        """
        i: cython.int
        if len(weights) > WEIGHTS:
            raise ValueError(f"{len(weights)} weights are given, there are {WEIGHTS}")
        full = [*weights, *hand_set()[len(weights) :]]
        if not cython.compiled:
            self.w = [0] * WEIGHTS
            self.near_sum, self.flag_sum, self.uses_held = [0] * 768, [0] * 192, [0] * 3
            self.half_sum, self.maybe_sum, self.held_sum = [0] * 8, [0] * 8, [0] * 16
            self.sign, self.value = [0] * 24, [0] * 13
            self.paid, self.price = [0] * MOST_DRAWS, [0] * 64
            for name in ("near_bytes", "flag_bytes", "chance_bytes", "held_bytes"):
                setattr(self, name, [0] * 8)
        for i in range(WEIGHTS):
            self.w[i] = max(-4096, min(4096, full[i]))
        self.add_up()
        self.forgets = forgets
        self.lays_at = lays_at
        self.scale = -1

    def weights(self) -> list[int]:
        """Return the weights, in the order of `policy_weights.names`."""
        i: cython.int
        return [self.w[i] for i in range(WEIGHTS)]

    def copy(self) -> Policy:
        """Return a policy with the same settings and its own working memory."""
        return Policy(self.weights(), self.forgets, self.lays_at)

    def choice(self, core: Core) -> int:
        """Return the code of the action that the actor of this deal chooses, one of `core.legal`."""
        chosen: int = self.choose(core, Moves())
        return chosen

    def choose(self, core, moves):
        """Return the code of the action that the actor chooses; `moves` is working memory."""
        self.set_actor(core)
        if core.phase == PHASE_DRAW:
            return self.choose_draw(core, moves)
        if core.phase == PHASE_USE:
            return self.choose_use(core, moves)
        if core.phase == PHASE_CLAIM:
            return self.choose_call(core, moves)
        return self.choose_play(core, moves)

    # --- reading ----------------------------------------------------------------------------------

    def set_actor(self, core):
        """Set `seat` to the actor, and recompute card values and places if this core has other rules."""
        self.seat = core.actor
        if core.value[1] + 16 * core.value[13] + 256 * core.ace_low != self.scale:
            self.read_values(core)

    def places(self, cards):
        """Return the places that these cards can take in runs, as `Core.places` does."""
        return (cards | ((cards & ACES) << 13)) & self.ground

    def read_values(self, core):
        """Store the cards' points as four masks, one for each binary digit, to add points by popcounts."""
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
        """Return the sum of the points of these natural cards, with aces high."""
        return (
            popcount(cards & self.v0)
            + 2 * popcount(cards & self.v1)
            + 4 * popcount(cards & self.v2)
            + 8 * popcount(cards & self.v3)
        )

    def read_table(self, core):
        """Compute live cards, cards that opponents are known to hold, and how near the deal's end is."""
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
        self.outs = PLACES  # matches no set of outs, so that `waiting` computes them again
        self.read_end(core)

    def is_foe(self, core, other):
        """Return whether the seat `other` is an opponent of the actor."""
        return core.sides != 2 or (other ^ self.seat) & 1

    def read_end(self, core):
        """Estimate how near the end of the deal is, and set the values that depend on it.

        `burden` is the cost of a point held at the end, `lay` the value of laying a point, `time` 0 if late.

        A player with a single card may go out next turn. A stock lasts about twice as long as its size
        suggests, because players who hold cards back also take from the pile.
        """
        stock: cython.int = core.stock_end - core.stock_next
        turns: cython.int
        self.lay = self.w[LAY]
        if self.least == 1:
            self.lay += self.w[NEAR]
        if self.lays_at and self.least <= self.lays_at:
            self.lay = max(self.lay, LAY_ALL)
        if not core.restock_allowed and not core.may_pass and 2 * stock < self.least * core.n:
            self.least = 2 * stock // core.n
        turns = self.least
        self.burden = self.w[BURDEN + (turns if turns < 5 else 5 + (turns > 6) + (turns > 10))]
        self.time = (turns > 3) + (turns > 7)

    def waiting(self, core, hand, outs):
        """Return the cards of a hand that could be laid with one more card of the mask `outs`."""
        if outs != self.outs:
            self.read_outs(core, outs)
        x: u64 = self.places(hand)
        y: u64 = self.out_places
        up: u64 = x >> 1
        down: u64 = x << 1
        found: u64 = (y << 1) & (up | (x << 2))
        found |= (y >> 1) & (down | (x >> 2))
        found |= ((y >> 2) & up) | ((y << 2) & down) | self.out_ends
        return (turned(found) | (at_least_two(hand) & self.out_ranks)) & hand

    def read_outs(self, core, outs):
        """Compute the masks of `waiting` that depend only on `outs`, often the same for many hands."""
        self.outs = outs
        self.out_places = self.places(outs)
        self.out_ends = ((core.ups & self.out_places) << 1) | ((core.downs & self.out_places) >> 1)
        self.out_ranks = at_least_one(outs)

    def part(self, core, h1, h2, jokers):
        """Split a hand into cards that can be laid (`down`) and others (`left`, their number is `rest`)."""
        x: u64 = self.places(h1)
        r: u64 = x & (x >> 1) & (x >> 2)
        runs: u64 = turned(r | (r << 1) | (r << 2)) & h1
        self.sets = at_least_three(h1) & h1
        self.down = runs | (self.sets if not core.same_suit else at_least_two(h1) & h1)
        if core.opens | core.ups | core.downs:
            self.down |= core.layable(x) & h1
        if runs & self.sets:
            self.down = self.best_partition(core, h1, runs)
        self.left = h1 ^ self.down
        self.rest = popcount(self.left) + popcount(h2)
        if jokers:
            self.rest += self.stuck(core, self.left, self.down, jokers)

    def best_partition(self, core, hand, runs):
        """Return the cards to lay if a set and a run share cards: sets or runs first, by their points."""
        sets: u64 = self.sets | core.usable(hand ^ self.sets)
        runs |= core.usable(hand ^ runs)
        return runs if self.points(runs) > self.points(sets) else sets

    def stuck(self, core, rest, down, jokers):
        """Return by how much the jokers in hand change the number of cards that cannot be laid.

        The result is negative if wild jokers make it possible to lay other cards.
        """
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
        """Return the aces that would be laid high: in a set, or above a king."""
        kings: u64 = hand >> 12
        return (
            (kings & (hand >> 11))
            | (core.ups >> 13)
            | (kings & (core.ups >> 12))
            | at_least_three(hand)
            | core.opens
        ) & ACES

    def ends(self, core):
        """Return whether the hand that `part` split last can go out this turn."""
        if core.go_out == GO_OUT_MELD:
            return self.rest == 0
        return self.rest < 2

    def worth(self, core, h1, h2, jokers):
        """Return the value of a hand: points to lay now or perhaps later, less the risk of other cards."""
        self.part(core, h1, h2, jokers)
        return self.parts_worth(core, h1, h2, jokers)

    def parts_worth(self, core, h1, h2, jokers):
        """Return the value of the hand that `part` split last."""
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
        """Return the draw or the take with the highest value."""
        i: cython.int
        best: cython.int = 0
        for i in range(1, self.weigh_draws(core, moves)):
            if self.paid[i] > self.paid[best]:
                best = i
        return moves.a[best]

    def weigh_draws(self, core, moves):
        """Return the number of legal actions. If it is above 1, set `paid[i]` to the value of action i."""
        seat: cython.int = self.seat
        i: cython.int
        core.generate(moves)
        if moves.n == 1:
            return 1
        self.read_table(core)
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
        """Return the call with the highest value, or `LET_GO` if no call improves the hand."""
        seat: cython.int = self.seat
        i: cython.int
        total: cython.int
        best: cython.int
        choice: u64
        core.generate(moves)
        if moves.n == 1:
            return moves.a[0]
        self.read_table(core)
        choice = LET_GO
        best = self.worth(core, core.h1[seat], core.h2[seat], core.hj[seat])
        for i in range(moves.n - 1):
            total = self.taken_worth(core, moves.a[i] >> 4) + self.w[TEMPO]
            if total > best:
                best = total
                choice = moves.a[i]
        return choice

    def taken_worth(self, core, count):
        """Return the value of the hand after taking the top `count` cards of the pile."""
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
            # With two packs, a second copy that stays in the pile is ignored: this is an estimate.
            self.pile &= NATURALS ^ card
        total = self.worth(core, h1, h2, jokers)
        self.pile = pile
        if self.ends(core):
            total += self.w[GO] + self.w[GO_CARDS] * self.others
        return total + self.w[CARDS] * count

    # --- meld and lay off -------------------------------------------------------------------------

    def choose_use(self, core, moves):
        """Return the play with the highest value among those that use the lowest taken card."""
        seat: cython.int = self.seat
        jokers: cython.int
        self.read_table(core)
        if core.claiming:
            core.generate(moves)
        else:
            # Try few jokers first: with many jokers there are thousands of plays.
            jokers = 0 if core.wild else core.hj[seat]
            while True:
                moves.n = 0
                core.gen_plays(moves, core.h1[seat], core.h2[seat], jokers, core.must)
                if moves.n or jokers >= core.hj[seat]:
                    break
                jokers += 1
        return self.best_play(core, moves, FAR)

    def choose_play(self, core, moves):
        """Return the best play, or a discard if no play improves the hand."""
        seat: cython.int = self.seat
        jokers: cython.int = core.hj[seat]
        choice: u64
        cards: u64
        floor: cython.int
        count: cython.int
        self.read_table(core)
        if core.go_out == GO_OUT_DISCARD and core.hn[seat] == 1 and not core.floater and core.discards():
            # This discard goes out, whereas laying the card makes a floater (H2).
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
                if self.lay + self.burden <= 0 and not core.at_once:
                    # Plays are not examined: the policy holds cards back for the turn that ends the deal.
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
                    # Plays with more jokers than necessary are many (thousands) and not better.
                    break
        cards = core.discards()
        if cards == 0 and not core.joker_discard():
            # Without a legal discard the player must make a play, and one exists (D3a, D26).
            moves.n = 0
            core.generate(moves)
            return self.best_play(core, moves, FAR)
        return self.choose_discard(core, cards)

    def four_at_once(self, core, moves):
        """Return the best play that counts double, which is never held back (R-SCORE-3), or 0."""
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
        """Return the play with the highest value, or 0 if no value exceeds `floor`."""
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
            total = (self.w[MELDED] + self.lay + self.burden) * points
            total += self.worth(core, h1, h2, jokers - core.jokers_of(action) if jokers else 0)
            if self.ends(core):
                total += self.w[GO] + self.w[GO_CARDS] * self.others
            else:
                if 2 <= self.rest <= 4:
                    total += self.w[LEFT + self.rest - 2]
                total -= (self.w[OPEN] * self.points(self.opened(core, action) & (self.live | self.foe))) >> 2
            if core.go_out == GO_OUT_DISCARD and core.hn[seat] == core.meld_count(action):
                # This play makes a floater; keeping one card would allow going out (H2).
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
        """Return the cards that can be added to the meld which this play makes or extends."""
        meld: u64 = action
        index: cython.int
        if action & 15 >= LAY_RUN:
            index = action >> MELD_SHIFT
            meld = core.joined(index, action)
        if action & 15 == MELD_RUN or action & 15 == LAY_RUN:
            return folded(core.room_above(meld) | core.room_below(meld))
        return core.room_in_set(meld)

    def fourth(self, core, action):
        """Return the cost of laying three of a rank if a fourth may come and four would count double."""
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
        """Return the cheapest discard among the cards in `mask`, and a joker if one may be discarded."""
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
        """Compute a mask for each sign (`SIGNS_MEANING`): the cards in hand that have the sign.

        A sign that counts (0 to 7) is stored as the masks of its binary digits, the highest first. Bits that
        are no cards are undefined.
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
        # pairs of unseen cards that would make a meld with the card
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
        self.held = sure != 0 and self.uses_held[self.time]
        if self.held:
            z = self.places(sure)
            self.count_pairs(21, y, z, at_least_one(sure) & mates)
            self.sign[20] = turned(trios(z)) | at_least_two(sure)

    def count_pairs(self, at, y, z, mates):
        """Count, for each card, the pairs of a place in `y` and a place in `z` that make a run with it.

        A card in `mates` has one pair more, of its rank. The count goes to three masks from `sign[at]` on.
        """
        self.count(
            at,
            turned(((y << 1) & (z << 2)) | ((z << 1) & (y << 2))),
            ((y << 1) & (z >> 1)) | ((z << 1) & (y >> 1)),
            ((y >> 1) & (z >> 2)) | ((z >> 1) & (y >> 2)),
            mates,
        )

    def count(self, at, a, b, c, d):
        """Count how many of four masks contain each card; write three binary digits from `sign[at]` on."""
        one: u64 = (a & b) ^ (c & d)
        two: u64 = (a ^ b) & (c ^ d)
        self.sign[at] = a & b & c & d
        self.sign[at + 1] = one | two
        self.sign[at + 2] = a ^ b ^ c ^ d

    def add_up(self):
        """Precompute the costs of every combination of signs, indexed by the bits of `read_signs`."""
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
            self.uses_held[time] = self.both(time, 13) != 0 or self.both(time, 14) != 0

    def both(self, time, sign):
        """Return a sign's flat cost plus `UPPER` times its cost per point, so that one addition adds both."""
        at: cython.int = COST + 2 * (SIGNS * time + sign)
        per_point: i64 = self.w[at + 1]
        return self.w[at] + UPPER * per_point

    def add_chances(self):
        """Compute the costs of pairs with unseen cards, and of pairs with cards in opponents' hands."""
        i: cython.int
        each: i64 = self.both(self.time, 10)
        # the chance that an opponent receives one given unseen card, in 256ths
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
        """Return the card whose discard costs least; set `lowest_cost` to its cost, in 1/64 of a point."""
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
        """Set `price[card]` to the cost of discarding each card, in 1/64 of a point; `NO_PRICE` if it cannot
        be discarded.
        """
        cards: u64 = core.discards()
        card: cython.int
        self.set_actor(core)
        self.read_table(core)
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
        """Return `cost` for a card, with its signs collected bit by bit."""
        return self.cost(
            card,
            self.bits(0, 8, card),
            self.bits(8, 14, card),
            self.bits(14, 20, card),
            self.bits(20, 24, card) if self.held else 0,
        )

    def cost(self, card, near, flags, chances, held):
        """Return the cost of discarding a card with these signs, times 64, plus the card."""
        total: i64 = self.near_sum[256 * self.time + near] + self.flag_sum[64 * self.time + flags]
        total += self.half_sum[chances >> 3] + self.maybe_sum[chances & 7]
        if self.held:
            total += self.held_sum[held]
        per_point: i64 = (total + (UPPER >> 1)) >> 32
        total += per_point * (self.value[card & 15] - UPPER)
        return 64 * total + card

    def bits(self, first, end, card):
        """Return signs `first` to `end - 1` of a card as a number; the first sign is its highest bit."""
        found: u64 = 0
        i: cython.int
        for i in range(first, end):
            found = 2 * found + ((self.sign[i] >> card) & 1)
        return found

    def read_bytes(self):
        """Store the signs of all cards as bytes, one byte for each card, in words of eight cards."""
        block: cython.int
        for block in range(8):
            self.near_bytes[block] = self.bytes(0, 8, block)
            self.flag_bytes[block] = self.bytes(8, 14, block)
            self.chance_bytes[block] = self.bytes(14, 20, block)
            if self.held:
                self.held_bytes[block] = self.bytes(20, 24, block)

    def bytes(self, first, end, block):
        """Return signs `first` to `end - 1` of the eight cards of a block, packed in one byte for each."""
        found: u64 = 0
        i: cython.int
        for i in range(first, end):
            found = 2 * found + SPREAD[byte(self.sign, 8 * i + block)]
        return found

    def joker_cost(self, core):
        """Return the cost of discarding a joker, in 1/64 of a point; see `JOKER_SIGNS_MEANING`."""
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
    """A policy for each seat; several seats may share one.

    Threads must not share it, nor its policies.
    """

    def __init__(self, policies):
        """Set the policies by seat. Seats without a policy use the first one.

        Raises `ValueError` unless there are one to eight policies.
        """
        if not 1 <= len(policies) <= MAX_SEATS:
            raise ValueError(f"{len(policies)} policies are given, a table has up to {MAX_SEATS} seats")
        full = [*policies, *[policies[0]] * (MAX_SEATS - len(policies))]
        self.p0, self.p1, self.p2, self.p3, self.p4, self.p5, self.p6, self.p7 = full

    def choose(self, core, moves):
        """Return the code of the action that the actor's policy chooses; `moves` is working memory."""
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
        """Play the deal to its end, each seat by its policy; return the number of actions."""
        count: u64 = 0
        while core.phase != PHASE_OVER:
            core.apply(self.choose(core, moves), moves)
            count += 1
        return count
