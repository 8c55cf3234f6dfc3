"""Whole hands weighed by what their owners did: who held this, would they have drawn, kept and thrown that?

A guess at a deal tells of every card that others hold unseen, or brought to the table from their own hands,
when it came to them: dealt, or with one of their draws. So for each thing a seat did since, the guess tells
what it held then, and a policy how likely it was to do that with it; players of two kinds are thought of, and
each seat may be either. A walk (Metropolis) swaps cards between hands, moments and the stock, and leaves
behind guesses as often as they are likely. All numbers are whole: every machine walks the same way.

The restocked pile (H5) brings back cards that were seen before; a course with one is not looked at here.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # interpreted where it is not installed
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.ai.worlds import KEEP, KEEP_STEPS, STOCK_PLACE
    from rum500.rng import advance, mix64
    from rum500.rules.engine.core import (
        DISCARD,
        DRAW,
        JOKER_CARD,
        MELD_RUN,
        PHASE_DRAW,
        PHASE_PLAY,
        TAKE,
        Core,
        Moves,
        bit,
    )

    HELD = 1 << 30  # when a card goes that is still held
    MOST_ACTS = 1024
    SLOTS = 112
    LOG = [0] * 64
    DRAW_T = 160  # a draw or take this much worse than the best, in 1/16 of a point, is e times less likely
    DISCARD_T = 30  # so is a discard that costs this much more than the cheapest, in 1/64 of a point
    HOLD = 1000  # told, in 1/256 nat, against who lays what this kind of player would keep, or the reverse
    LAX = 655  # what anybody may do at any moment, in 65536ths, on top of what is likely


def _fill_table():
    """Fill `LOG` once, at import: 256 ln(1 + i / 64), from integer squarings, the same on every platform."""
    for i in range(64):
        # 2**30 times the mantissa, squared again and again: each doubling is a binary digit of its logarithm.
        x, digits = (64 + i) << 24, 0
        for _ in range(20):
            x = x * x >> 30
            digits *= 2
            if x >= 2 << 30:
                x >>= 1
                digits += 1
        LOG[i] = (digits * 45426 >> 20) + 128 >> 8


_fill_table()


def log_of(x):
    """256 times the natural logarithm of a whole number above 0, to about a 64th of a nat."""
    doublings: cython.int = 0
    y: u64 = x
    while y >= 128:
        y >>= 1
        doublings += 1
    while y < 64:
        y <<= 1
        doublings -= 1
    return LOG[y - 64] + ((doublings + 6) * 45426 >> 8)


class HandSampler:
    """What the others did in one deal, and a guess at what they had in their hands meanwhile."""

    def __init__(self, course: ClueTracker, seat: int, own: Policy, other: Policy) -> None:
        """Of a course not yet followed, as this seat sees it; `own` and `other` are the two kinds of player.

        Neither policy is shared with other threads.
        """
        if not cython.compiled:
            for name in ("act_time", "act_code", "moments"):
                setattr(self, name, [0] * MOST_ACTS)
            for name in ("seat", "came", "went", "card", "index"):
                setattr(self, name, [0] * SLOTS)
            for name in ("first_act", "end_act", "first_slot", "end_slot", "likely"):
                setattr(self, name, [0] * (STOCK_PLACE + 1))
            self.cost = [0] * (1 + SLOTS)
        self.course = course
        self.observer = seat
        self.own = own
        self.other = other
        self.moves = Moves()
        self.slots = self.stopped = 0
        self.open_book()

    # --- the public course ------------------------------------------------------------------------

    def open_book(self):
        """By seat: when its own cards came, which of them it showed and when, and what it did before whom."""
        core: Core = self.course.table
        self.time = 0
        self.drew = [[-1] * core.hand_size for _ in range(core.n)]
        self.shown = [[] for _ in range(core.n)]
        self.acts = [[] for _ in range(core.n)]
        self.kept = []

    def run(self, past: tuple[int, ...]) -> None:
        """Follow these actions, all there are, in order."""
        for code in past:
            self.follow(code)
        self.file_acts()

    def follow(self, code):
        """One action: the table before it is kept if it tells of a hand, and when own cards came and went."""
        core: Core = self.course.table
        seat: cython.int = core.turn
        kind: cython.int = code & 15
        if seat != self.observer and (core.phase == PHASE_DRAW or core.phase == PHASE_PLAY):
            if kind == DRAW or kind == TAKE or kind >= DISCARD:
                moment = Core()
                moment.copy_from(core)
                self.acts[seat].append((self.time, code, moment))
        if kind == DRAW:
            self.drew[seat].append(self.time)
            self.course.draw()
        elif kind >= DISCARD:
            self.course.reveal(code)
            before = self.own_cards(core, seat)
            core.apply(code, self.moves)
            after = self.own_cards(core, seat)
            for card in range(64):
                self.shown[seat].extend([(card, self.time, -1)] * (before[card] - after[card]))
        else:
            core.apply(code, self.moves)
        self.time += 1

    def own_cards(self, core, seat):
        """By card, how many copies this hand holds here beyond those it is known to hold."""
        card: cython.int
        count: cython.int
        found = [0] * 64
        for card in range(62):
            count = ((core.h1[seat] >> card) & 1) + ((core.h2[seat] >> card) & 1)
            found[card] = count - ((core.k1[seat] >> card) & 1) - ((core.k2[seat] >> card) & 1)
        found[JOKER_CARD] = core.hj[seat] - core.kj[seat]
        return found

    def file_acts(self):
        """Line up what was kept, seat by seat, where it is reached without the GIL."""
        seat: cython.int
        i: cython.int = 0
        for seat in range(self.course.table.n):
            self.first_act[seat] = i
            for time, code, moment in self.acts[seat]:
                if i < MOST_ACTS:
                    self.act_time[i] = time
                    self.act_code[i] = code
                    self.kept.append(moment)
                    self.put_moment(i, moment)
                    i += 1
            self.end_act[seat] = i

    def put_moment(self, i, moment):
        """Note where the table before the i-th act is; `kept` holds on to it."""
        if cython.compiled:
            self.moments[i] = cython.cast(cython.p_void, moment)
        else:
            self.moments[i] = moment

    # --- guesses ----------------------------------------------------------------------------------

    def guesses(self, worlds: Worlds, seed: int, number: int, step: int, ahead: int) -> bytes:
        """So many arrangements of a walk that begins with one of `worlds`; fewer if it is stopped.

        Between two of them there are `step` proposals, before the first `ahead`. Each is a byte for each slot
        as `Worlds.keep` wants it; none at all where the course cannot be told from the cards.
        """
        found = bytearray()
        if not self.begin(worlds, seed):
            return b""
        start: u64 = mix64(seed)
        self.walk(start, ahead)
        for i in range(number):
            self.walk(mix64(start + i + 1), step)
            if self.stopped:
                break
            found += self.arrangement()
        return bytes(found)

    def stop(self) -> None:
        """End the walk in progress, and any to come; from any thread, at any moment."""
        self.stopped = 1

    def begin(self, worlds, seed):
        """Lay out a first guess; False where the cards and the course do not fit each other.

        The latest draws are dealt with first: few cards can have come by them.
        """
        random: u64 = mix64(seed ^ 1)
        seat: cython.int
        at: cython.int = 0
        lying = worlds.arrangement(seed)
        self.slots = 0
        for seat in range(self.course.table.n):
            end: cython.int = at + worlds.room[seat]
            own = [(worlds.cards[k], HELD, k) for k in lying[at:end]]
            at = end
            if seat == self.observer:
                continue
            own += self.shown[seat]
            if len(own) != len(self.drew[seat]):
                return False
            self.first_slot[seat] = self.slots
            for time in reversed(self.drew[seat]):
                able = [x for x in own if x[1] > time]
                if not able:
                    return False
                random = advance(random)
                x = able[((mix64(random) >> 32) * len(able)) >> 32]
                own.remove(x)
                self.put(seat, time, x)
            self.end_slot[seat] = self.slots
        for k in lying[at:]:
            self.put(STOCK_PLACE, -1, (worlds.cards[k], HELD, k))
        for seat in range(self.course.table.n):
            self.likely[seat] = 0 if seat == self.observer else self.weigh(seat)
        self.likely[STOCK_PLACE] = 0
        return True

    def put(self, seat, time, what):
        """A card, when it goes and which unseen card it is, in the next slot: of this seat, come then."""
        self.seat[self.slots] = seat
        self.came[self.slots] = time
        self.card[self.slots], self.went[self.slots], self.index[self.slots] = what
        self.slots += 1

    def arrangement(self):
        """The unseen cards in the order of the slots of `Worlds`."""
        i: cython.int
        return bytes([self.index[i] for i in range(self.slots) if self.index[i] >= 0])

    def walk(self, seed, steps):
        """So many proposals; the GIL is free meanwhile."""
        s: u64 = seed
        n: cython.int = steps
        with cython.nogil:
            self.wander(s, n)

    def wander(self, random, steps):
        """`walk`, for C."""
        i: cython.int
        j: cython.int
        step: cython.int
        span: u64 = self.slots
        x: u64
        for step in range(steps):
            if self.stopped:
                return
            random = advance(random)
            x = mix64(random)
            i = ((x >> 48) * span) >> 16
            j = (((x >> 32) & 0xFFFF) * span) >> 16
            if self.differ(i, j) and self.fits(i, j) and self.fits(j, i):
                self.propose(i, j, x & 0x7FFFFFFF)

    def differ(self, i, j):
        """Whether it makes a difference to swap two slots' cards."""
        return self.card[i] != self.card[j] and (self.seat[i] != self.seat[j] or self.came[i] != self.came[j])

    def fits(self, i, j):
        """Whether the card in slot i may lie in slot j: one that was shown, in its own hand, and before."""
        return self.went[i] == HELD or (self.seat[i] == self.seat[j] and self.came[j] < self.went[i])

    def propose(self, i, j, chance):
        """Swap two slots' cards, or leave them, as likely as the guesses are."""
        s: cython.int = self.seat[i]
        t: cython.int = self.seat[j]
        was: cython.int = self.likely[s] + (self.likely[t] if t != s else 0)
        self.swap(i, j)
        a: cython.int = self.weigh(s)
        b: cython.int = self.weigh(t) if t != s else 0
        loss: cython.int = was - a - b
        if loss > 0 and (loss >= KEEP_STEPS or chance >= KEEP[loss]):
            self.swap(i, j)
            return
        self.likely[s] = a
        if t != s:
            self.likely[t] = b

    def swap(self, i, j):
        """Swap two slots' cards."""
        card: cython.int = self.card[i]
        went: cython.int = self.went[i]
        index: cython.int = self.index[i]
        self.card[i] = self.card[j]
        self.went[i] = self.went[j]
        self.index[i] = self.index[j]
        self.card[j] = card
        self.went[j] = went
        self.index[j] = index

    # --- how likely -------------------------------------------------------------------------------

    def weigh(self, seat):
        """How likely what the seat did is with the cards of this guess, in 1/256 nat; 0 for the stock."""
        i: cython.int
        own: cython.int = 0
        other: cython.int = 0
        if seat == STOCK_PLACE:
            return 0
        for i in range(self.first_act[seat], self.end_act[seat]):
            self.show(cython.cast(Core, self.moments[i]), seat, self.act_time[i])
            own += self.judge(cython.cast(Core, self.moments[i]), self.own, self.act_code[i])
            other += self.judge(cython.cast(Core, self.moments[i]), self.other, self.act_code[i])
        gap: cython.int = own - other if own > other else other - own
        more: u64 = KEEP[gap] if gap < KEEP_STEPS else 0
        return max(own, other) + log_of(KEEP[0] + more) - log_of(KEEP[0])

    def show(self, core, seat, time):
        """Put into the seat's hand what it held at this time."""
        i: cython.int
        b: u64
        core.h1[seat] = core.k1[seat]
        core.h2[seat] = core.k2[seat]
        core.hj[seat] = core.kj[seat]
        for i in range(self.first_slot[seat], self.end_slot[seat]):
            if self.came[i] < time <= self.went[i]:
                if self.card[i] == JOKER_CARD:
                    core.hj[seat] += 1
                else:
                    b = bit(self.card[i])
                    core.h2[seat] |= core.h1[seat] & b
                    core.h1[seat] |= b

    def judge(self, core, policy, code):
        """How likely a player of this kind does this, in 1/256 nat: 0 or less."""
        kind: cython.int = code & 15
        choice: u64
        told: cython.int = 0
        if kind == DRAW or kind == TAKE:
            return self.judge_draw(core, policy, code)
        choice = policy.choose(core, self.moves)
        if (choice & 15 >= MELD_RUN) != (kind >= MELD_RUN):
            told = -HOLD
        if kind == DISCARD:
            told += self.judge_discard(core, policy, code >> 4)
        return told

    def judge_draw(self, core, policy, code):
        """How likely a draw or take is among all there are."""
        i: cython.int
        done: cython.int = -1
        policy.attend(core)
        n: cython.int = policy.weigh_draws(core, self.moves)
        for i in range(n):
            self.cost[i] = -policy.paid[i]
            if self.moves.a[i] == code:
                done = i
        return share_of(self.cost, n, done, DRAW_T)

    def judge_discard(self, core, policy, card):
        """How likely a discard is among all there are."""
        policy.weigh_discards(core)
        return share_of(policy.price, 64, card, DISCARD_T)


def share_of(costs, count, done, t):
    """How likely what was done is among so many choices of these costs, in 1/256 nat.

    A choice that costs `t` more than another one is e times as rare. A little is added for what anybody may
    do, but what is certain stays so.
    """
    i: cython.int
    x: i64
    part: u64 = 0
    total: u64 = 0
    best: i64 = costs[0]
    for i in range(1, count):
        best = min(best, costs[i])
    for i in range(count):
        x = (costs[i] - best) * 256 // t
        if x < KEEP_STEPS:
            total += KEEP[x]
            if i == done:
                part = KEEP[x]
    part = (part << 16) // total
    return min(0, log_of(part + LAX) - 2839)
