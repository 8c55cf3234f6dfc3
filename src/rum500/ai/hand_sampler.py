"""Samples complete hidden hands in proportion to how well they explain the opponents' actions.

A sample says when each hidden card of another player came into the hand: when the hand was dealt, or with one
of the player's draws. Hidden cards are those still unseen and those laid or discarded from the player's own
hand. So a sample gives each seat's hand at each of its actions, and a policy gives the likelihood of that
action. There are two policies, and each seat may follow either. A random walk (Metropolis) swaps cards
between hands, times and the stock, and visits samples in proportion to their likelihood. All numbers are
integers, so results are the same on every machine.

Deals with a restock (H5) are not supported, because cards that were seen become hidden again.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
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

    HELD = 1 << 30  # the time at which a card leaves a hand, if it is still held
    MOST_ACTS = 1024
    SLOTS = 112
    LOG = [0] * 64
    DRAW_T = 160  # a draw or take that is worth this much less, in 1/16 of a point, is e times less likely
    DISCARD_T = 30  # a discard that costs this much more, in 1/64 of a point, is e times less likely
    HOLD = 1000  # the penalty, in 1/256 nat, for laying when the policy would not, or the reverse
    LAX = 655  # the extra probability of every action, in 65536ths: players do not always follow a policy


def _fill_table():
    """Fill `LOG`, once at import: 256 ln(1 + i / 64), computed with integers alone."""
    for i in range(64):
        # x is a mantissa in [1, 2) times 2**30. After each squaring, the next binary digit of the base-2
        # logarithm is 1 if the square is at least 2; then the square is halved.
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
    """Return 256 times the natural logarithm of an integer above 0, with an error of up to about 1/64 nat."""
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
    """A random walk (Metropolis) over the hands that the other players may have had.

    It visits hands in proportion to their likelihood: that of the other players' actions with these hands,
    under two policies.
    """

    def __init__(self, tracker: ClueTracker, seat: int, own: Policy, other: Policy) -> None:
        """Prepare to follow a deal as this seat sees it; `tracker` is one that has not run yet.

        `own` and `other` are the two policies. Neither may be shared with other threads.
        """
        if not cython.compiled:
            for name in ("act_time", "act_code", "moments"):
                setattr(self, name, [0] * MOST_ACTS)
            for name in ("seat", "came", "went", "card", "index"):
                setattr(self, name, [0] * SLOTS)
            for name in ("first_act", "end_act", "first_slot", "end_slot", "likely"):
                setattr(self, name, [0] * (STOCK_PLACE + 1))
            self.cost = [0] * (1 + SLOTS)
        self.tracker = tracker
        self.observer = seat
        self.own = own
        self.other = other
        self.moves = Moves()
        self.slots = self.stopped = 0
        self.reset()

    # --- the public actions -----------------------------------------------------------------------

    def reset(self):
        """Clear the data by seat: the times at which hidden cards came and were played, and the actions."""
        core: Core = self.tracker.table
        self.time = 0
        self.drew = [[-1] * core.hand_size for _ in range(core.n)]
        self.shown = [[] for _ in range(core.n)]
        self.acts = [[] for _ in range(core.n)]
        self.kept = []

    def run(self, past: tuple[int, ...]) -> None:
        """Follow all public actions of the deal (`View.past`), in order."""
        for code in past:
            self.follow(code)
        self.index_actions()

    def follow(self, code):
        """Follow one action, and store when hidden cards come to a hand and leave it.

        If another seat's choice is evidence of its hand, store the action and the position before it.
        """
        core: Core = self.tracker.table
        seat: cython.int = core.turn
        kind: cython.int = code & 15
        if seat != self.observer and (core.phase == PHASE_DRAW or core.phase == PHASE_PLAY):
            if kind == DRAW or kind == TAKE or kind >= DISCARD:
                moment = Core()
                moment.copy_from(core)
                self.acts[seat].append((self.time, code, moment))
        if kind == DRAW:
            self.drew[seat].append(self.time)
            self.tracker.draw()
        elif kind >= DISCARD:
            self.tracker.reveal(code)
            before = self.own_cards(core, seat)
            core.apply(code, self.moves)
            after = self.own_cards(core, seat)
            for card in range(64):
                self.shown[seat].extend([(card, self.time, -1)] * (before[card] - after[card]))
        else:
            core.apply(code, self.moves)
        self.time += 1

    def own_cards(self, core, seat):
        """Return, by card code, how many copies this hand has beyond those that all players know."""
        card: cython.int
        count: cython.int
        found = [0] * 64
        for card in range(62):
            count = ((core.h1[seat] >> card) & 1) + ((core.h2[seat] >> card) & 1)
            found[card] = count - ((core.k1[seat] >> card) & 1) - ((core.k2[seat] >> card) & 1)
        found[JOKER_CARD] = core.hj[seat] - core.kj[seat]
        return found

    def index_actions(self):
        """Copy the actions to arrays, seat by seat, which code without the GIL can read."""
        seat: cython.int
        i: cython.int = 0
        for seat in range(self.tracker.table.n):
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
        """Store the address of the position before action i; `kept` keeps the object alive."""
        if cython.compiled:
            self.moments[i] = cython.cast(cython.p_void, moment)
        else:
            self.moments[i] = moment

    # --- samples ----------------------------------------------------------------------------------

    def sample(self, worlds: Worlds, seed: int, number: int, step: int, ahead: int) -> bytes:
        """Return `number` samples of a walk that begins with one of `worlds`; fewer if it is stopped.

        The walk makes `ahead` proposals before the first sample and `step` proposals between two samples. A
        sample has one byte for each slot, as `Worlds.use_arrangements` expects. The result is empty if the
        cards contradict the actions.
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
        """End the current walk and all later ones. May be called from any thread."""
        self.stopped = 1

    def begin(self, worlds, seed):
        """Construct the first sample; return False if the cards contradict the actions.

        The latest draws are filled first, because the fewest cards can have come with them.
        """
        random: u64 = mix64(seed ^ 1)
        seat: cython.int
        at: cython.int = 0
        lying = worlds.arrangement(seed)
        self.slots = 0
        for seat in range(self.tracker.table.n):
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
        for seat in range(self.tracker.table.n):
            self.likely[seat] = 0 if seat == self.observer else self.weigh(seat)
        self.likely[STOCK_PLACE] = 0
        return True

    def put(self, seat, time, what):
        """Fill the next slot with a card that came to this seat's hand at this time.

        `what` is (the card, the time at which it left the hand, its index among the unseen cards or -1).
        """
        self.seat[self.slots] = seat
        self.came[self.slots] = time
        self.card[self.slots], self.went[self.slots], self.index[self.slots] = what
        self.slots += 1

    def arrangement(self):
        """Return the indices of the unseen cards in the order of the slots of `Worlds`, one byte each."""
        i: cython.int
        return bytes([self.index[i] for i in range(self.slots) if self.index[i] >= 0])

    def walk(self, seed, steps):
        """Make this many proposals of the walk, without the GIL."""
        s: u64 = seed
        n: cython.int = steps
        with cython.nogil:
            self.metropolis_steps(s, n)

    def metropolis_steps(self, random, steps):
        """Do the part of `walk` that needs no GIL."""
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
        """Return whether swapping the cards of two slots would change the sample."""
        return self.card[i] != self.card[j] and (self.seat[i] != self.seat[j] or self.came[i] != self.came[j])

    def fits(self, i, j):
        """Return whether the card in slot i may be in slot j.

        A card that was played must stay in the same hand, in a slot that was filled before the play.
        """
        return self.went[i] == HELD or (self.seat[i] == self.seat[j] and self.came[j] < self.went[i])

    def propose(self, i, j, chance):
        """Swap the cards of two slots with the Metropolis probability; `chance` has 31 random bits."""
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
        """Swap the cards of two slots."""
        card: cython.int = self.card[i]
        went: cython.int = self.went[i]
        index: cython.int = self.index[i]
        self.card[i] = self.card[j]
        self.went[i] = self.went[j]
        self.index[i] = self.index[j]
        self.card[j] = card
        self.went[j] = went
        self.index[j] = index

    # --- likelihoods ------------------------------------------------------------------------------

    def weigh(self, seat):
        """Return the log-likelihood of the seat's actions with these cards, in 1/256 nat; 0 for the stock."""
        i: cython.int
        own: cython.int = 0
        other: cython.int = 0
        if seat == STOCK_PLACE:
            return 0
        for i in range(self.first_act[seat], self.end_act[seat]):
            self.show(cython.cast(Core, self.moments[i]), seat, self.act_time[i])
            own += self.action_cost(cython.cast(Core, self.moments[i]), self.own, self.act_code[i])
            other += self.action_cost(cython.cast(Core, self.moments[i]), self.other, self.act_code[i])
        gap: cython.int = own - other if own > other else other - own
        more: u64 = KEEP[gap] if gap < KEEP_STEPS else 0
        return max(own, other) + log_of(KEEP[0] + more) - log_of(KEEP[0])

    def show(self, core, seat, time):
        """Set the seat's hand in `core` to the cards that it held at this time."""
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

    def action_cost(self, core, policy, code):
        """Return the log-likelihood (0 or less) of an action under this policy, in 1/256 nat."""
        kind: cython.int = code & 15
        choice: u64
        cost: cython.int = 0
        if kind == DRAW or kind == TAKE:
            return self.action_cost_draw(core, policy, code)
        choice = policy.choose(core, self.moves)
        if (choice & 15 >= MELD_RUN) != (kind >= MELD_RUN):
            cost = -HOLD
        if kind == DISCARD:
            cost += self.action_cost_discard(core, policy, code >> 4)
        return cost

    def action_cost_draw(self, core, policy, code):
        """Return the log-likelihood of a draw or take among the possible ones, in 1/256 nat."""
        i: cython.int
        done: cython.int = -1
        policy.set_actor(core)
        n: cython.int = policy.weigh_draws(core, self.moves)
        for i in range(n):
            self.cost[i] = -policy.paid[i]
            if self.moves.a[i] == code:
                done = i
        return share_of(self.cost, n, done, DRAW_T)

    def action_cost_discard(self, core, policy, card):
        """Return the log-likelihood of a discard among the possible ones, in 1/256 nat."""
        policy.weigh_discards(core)
        return share_of(policy.price, 64, card, DISCARD_T)


def share_of(costs, count, done, t):
    """Return the log-likelihood, in 1/256 nat, of choosing option `done` among options with these costs.

    An option that costs `t` more than another is e times less likely. Every option gets a small extra
    probability.
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
