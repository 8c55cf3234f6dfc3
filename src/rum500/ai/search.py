"""Search over worlds: each candidate is played in the same deals, which policies play out, without the GIL.

A world is a deal that agrees with what the seat knows (`worlds`). In each world every remaining candidate is
applied and the deal is played to its end; the utilities are added up as integers. World number w depends only
on the seed and w, and the sums do not depend on the order of worlds. So the result is the same for every
number of threads and every division of the worlds among them.

Nothing here reads a clock. A caller with a time limit calls `Search.stop` from another thread; the sums of
the worlds completed so far remain valid.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.rng import mix64
    from rum500.rules.engine.core import (
        CALL,
        DISCARD,
        DRAW,
        JOKER_CARD,
        LET_GO,
        MELD_RUN,
        ONE,
        PHASE_OVER,
        REASON_OUT,
        REASON_TARGET,
        TAKE,
        Core,
        Moves,
    )

    MOST = 64
    MEASURES = 17
    OWN_LAID, OWN_HELD, OTHERS_LAID, OTHERS_HELD, BONUS, POINTS, CHANCE, VALUE = range(8)
    OUT, OTHER_OUT, NO_OUT, NEXT_TAKES, CAUGHT, TOOK_BACK, AT_ONCE, OTHER_GETS, PARTNER_GETS = range(
        8, MEASURES
    )
    STEPS = 36  # the number of distances from the target in the table of winning chances
    STEP = 20  # the points between two of these distances
    SURE = 1000  # the chance of a match that is won, in thousandths
    WORTH = 8  # the points that 0.1 % winning chance is worth near the end of a match

#: What a `Breakdown` measures of each finished deal, in this order. The first five add up to `points`. These
#: five and `points` are multiplied by the number of other accounts. `chance` is in thousandths, and `value`
#: is in the units that were given to the `Breakdown`. All measures after `value` are events: 0 or 1.
MEASURE_NAMES = (
    "own_laid",
    "own_held",
    "others_laid",
    "others_held",
    "bonus",
    "points",
    "chance",
    "value",
    "out",
    "other_out",
    "no_out",
    "next_takes",
    "caught",
    "took_back",
    "at_once",
    "other_gets",
    "partner_gets",
)


class Breakdown:
    """The components of the candidates' results, to explain why one candidate is better than another.

    For each candidate and each measure (`MEASURE_NAMES`) it stores the sum of the values, the sum of the
    leads over the first candidate, and the sum of the squares of these leads. For each event it also stores
    two sums of the lead in `value`. One is over the worlds in which the event happens only after the
    candidate, the other over those in which it happens only after the first candidate.
    """

    def __init__(self, of_points: int, of_chance: int, watched=()) -> None:
        """Set the units of the measure `value`, and the cards of the measure `caught`.

        `value` has `of_points` for each point of the deal, and `of_chance` for each thousandth of the chance
        to win the match. `caught` counts the deals that end with one of the cards `watched` in the seat's
        hand. Jokers cannot be watched.
        """
        if not cython.compiled:
            for name in ("total", "lead", "lead_square", "gained", "lost", "row"):
                setattr(self, name, [0] * (MOST * MEASURES))
        self.of_points = of_points
        self.of_chance = of_chance
        self.watched = 0
        for card in watched:
            if card != JOKER_CARD:
                self.watched |= ONE << card

    def twin(self) -> Breakdown:
        """Return an empty breakdown with the same units, for another worker."""
        breakdown: Breakdown = Breakdown(self.of_points, self.of_chance)
        breakdown.watched = self.watched
        return breakdown

    def measures(self, index: int) -> list[tuple[int, int, int]]:
        """Return (sum, sum of leads over the first, sum of squared leads) of each measure of a candidate."""
        i: cython.int
        first: cython.int = index * MEASURES
        return [(self.total[i], self.lead[i], self.lead_square[i]) for i in range(first, first + MEASURES)]

    def contrasts(self, index: int) -> list[tuple[int, int]]:
        """Return two sums of leads in `value` for each event; zeros for the other measures.

        The first sum is over the worlds in which the event happens only after the candidate, the second over
        those in which it happens only after the first candidate.
        """
        i: cython.int
        first: cython.int = index * MEASURES
        return [(self.gained[i], self.lost[i]) for i in range(first, first + MEASURES)]

    def enter(self, i):
        """Add the measures of candidate i in the current world to its sums."""
        k: cython.int
        at: cython.int = i * MEASURES
        value: i64
        for k in range(MEASURES):
            value = self.row[at + k]
            self.total[at + k] += value
            value -= self.row[k]
            self.lead[at + k] += value
            self.lead_square[at + k] += value * value
        value = self.row[at + VALUE] - self.row[VALUE]
        for k in range(OUT, MEASURES):
            if self.row[at + k] > self.row[k]:
                self.gained[at + k] += value
            elif self.row[at + k] < self.row[k]:
                self.lost[at + k] += value

    def move(self, other):
        """Add the sums of another breakdown to this one, and set them to 0 in the other."""
        i: cython.int
        for i in range(MOST * MEASURES):
            self.total[i] += other.total[i]
            self.lead[i] += other.lead[i]
            self.lead_square[i] += other.lead_square[i]
            self.gained[i] += other.gained[i]
            self.lost[i] += other.lost[i]
            other.total[i] = other.lead[i] = other.lead_square[i] = other.gained[i] = other.lost[i] = 0


_NO_BREAKDOWN = Breakdown(0, 0)


class Search:
    """One decision: the candidates and their sums so far.

    All candidates are compared with the first. Candidates after the first `MOST` (64) are ignored.
    """

    def __init__(self, worlds, seat: int, actions) -> None:
        """Set the candidates: actions of this seat that are legal in every world."""
        if not cython.compiled:
            for name in ("action", "alive", "tried", "total", "square", "gap", "gap_square"):
                setattr(self, name, [0] * MOST)
            self.chances = [0] * (STEPS * STEPS)
        self.worlds = worlds
        self.seat = seat
        self.staked = self.target = self.prize = self.chance_alone = 0
        self.breakdown = None
        self.n = min(len(actions), MOST)
        self.done = self.stopped = 0
        i: cython.int
        for i in range(self.n):
            self.action[i] = actions[i]
            self.alive[i] = 1

    def value_match(self, target: int, chances) -> None:
        """Make the search maximize points plus the chance to win the match, which ends at `target` points.

        `chances[STEPS * i + j]` is the chance, in thousandths, of an account `STEP * i` points from the
        target to win against one `STEP * j` points from the target, before a new deal.
        """
        i: cython.int
        for i in range(STEPS * STEPS):
            self.chances[i] = chances[i]
        self.target = target
        self.staked = 1

    def value_prize(self, prize: int) -> None:
        """Make the search also maximize a prize for being first after this last deal of the match.

        The first account's lead over each other account rises by `prize` points.
        """
        self.prize = prize

    def value_chance(self) -> None:
        """Make the search maximize only the chance to win the match. Needs `value_match` too."""
        self.chance_alone = 1

    def explain(self, breakdown) -> None:
        """Store the components of the results in this breakdown. Call it before creating workers."""
        self.breakdown = breakdown

    def explained(self) -> bool:
        """Return whether the search has a breakdown."""
        return self.breakdown is not None

    def breakdown_of_worker(self) -> Breakdown:
        """Return a new breakdown for one worker; a search without breakdown returns one that is not used."""
        return self.breakdown.twin() if self.explained() else _NO_BREAKDOWN

    def stop(self) -> None:
        """Stop the current run and any later one at the next playout. May be called from any thread."""
        self.stopped = 1

    def keep(self, indices) -> None:
        """Remove all candidates except these indices and the first."""
        i: cython.int
        for i in range(self.n):
            if self.alive[i]:
                self.tried[i] = self.done
                self.alive[i] = i == 0 or i in indices

    def in_running(self) -> list[int]:
        """Return the indices of the remaining candidates."""
        i: cython.int
        return [i for i in range(self.n) if self.alive[i]]

    def worlds_of(self, index: int) -> int:
        """Return the number of worlds that the sums of a candidate cover."""
        return self.done if self.alive[index] else self.tried[index]

    def statistics(self, index: int) -> tuple[int, int, int, int]:
        """Return four sums for a candidate: utilities, squared utilities, leads, squared leads.

        A lead is the candidate's utility less that of the first candidate. The sums cover all worlds that
        were completed while the candidate remained.
        """
        return self.total[index], self.square[index], self.gap[index], self.gap_square[index]

    def add(self, worker: SearchWorker) -> None:
        """Add a worker's sums to the search, and set them to 0 in the worker."""
        i: cython.int
        for i in range(self.n):
            self.total[i] += worker.total[i]
            self.square[i] += worker.square[i]
            self.gap[i] += worker.gap[i]
            self.gap_square[i] += worker.gap_square[i]
        self.done += worker.done
        if worker.explaining:
            self.breakdown.move(worker.breakdown)
        worker.clear()


class SearchWorker:
    """The working memory of one thread that plays out deals."""

    def __init__(self, search, own, other=None, seat_policy=None) -> None:
        """Set the policies, which other threads must not use.

        `own` plays all seats. If `other` is given, it plays the opponents in every second world, so that a
        plan must work against both policies. If `seat_policy` is given, it plays the searching seat in all
        worlds.
        """
        if not cython.compiled:
            for name in ("total", "square", "gap", "gap_square", "row"):
                setattr(self, name, [0] * MOST)
        self.search = search
        self.world = Core()
        self.twin = Core()
        self.moves = Moves()
        self.own = own
        self.other = own if other is None else other
        self.of_seat = own if seat_policy is None else seat_policy
        self.unlike = 0
        self.two = other is not None
        self.explaining = search.explained()
        self.breakdown = search.breakdown_of_worker()
        self.next_takes = self.took_back = self.at_once = self.other_gets = self.partner_gets = 0
        self.clear()

    def clear(self) -> None:
        """Set all sums to 0."""
        i: cython.int
        self.done = 0
        for i in range(MOST):
            self.total[i] = self.square[i] = self.gap[i] = self.gap_square[i] = 0

    def run(self, seed: int, first: int, end: int, step: int = 1) -> None:
        """Play every candidate in the worlds `first`, `first + step`, ... before `end`, without the GIL."""
        self._run(seed, first, end, step)

    def _run(self, seed, first, end, step):
        s: u64 = seed
        a: i64 = first
        b: i64 = end
        c: i64 = step
        with cython.nogil:
            self.work(s, a, b, c)

    def work(self, seed, first, end, step):
        """Do the part of `run` that needs no GIL."""
        i: cython.int
        number: i64 = first
        value: i64
        while number < end and not self.search.stopped:
            self.search.worlds.deal(self.world, mix64(seed ^ mix64(number + 1)))
            self.unlike = self.two and (number & 1)
            for i in range(self.search.n):
                if not self.search.alive[i]:
                    continue
                self.twin.copy_from(self.world)
                self.twin.apply(self.search.action[i], self.moves)
                self.play_out(self.search.action[i])
                if self.search.stopped:
                    return
                self.row[i] = self.utility()
                if self.explaining:
                    self.measure(i * MEASURES)
            for i in range(self.search.n):
                if not self.search.alive[i]:
                    continue
                value = self.row[i]
                self.total[i] += value
                self.square[i] += value * value
                value -= self.row[0]
                self.gap[i] += value
                self.gap_square[i] += value * value
                if self.explaining:
                    self.breakdown.enter(i)
            self.done += 1
            number += step

    def play_out(self, played):
        """Play the deal in `twin` to its end after this action of the seat, and note the events on the way.

        `next_takes` is whether the next player's turn begins with a take or call. `took_back`, `other_gets`
        and `partner_gets` are whether the seat, an opponent or the partner takes the card discarded now.
        `at_once` is whether the seat goes out in a later turn and lays nothing before that turn.
        """
        kind: cython.int = played & 15
        actor: cython.int
        waiting: cython.int = 1
        turns: cython.int = 0
        laid: cython.int = 0 if kind >= MELD_RUN else -1
        action: u64
        held: u64
        thrown: u64 = 0
        if kind == DISCARD and (played >> 4) != JOKER_CARD:
            thrown = ONE << (played >> 4)
        self.next_takes = self.took_back = self.other_gets = self.partner_gets = 0
        while self.twin.phase != PHASE_OVER:
            if self.twin.actor == self.search.seat:
                action = self.of_seat.choose(self.twin, self.moves)
            elif self.unlike and not self.twin.same_side(self.twin.actor, self.search.seat):
                action = self.other.choose(self.twin, self.moves)
            else:
                action = self.own.choose(self.twin, self.moves)
            actor = self.twin.actor
            kind = action & 15
            if waiting and actor != self.search.seat and kind != LET_GO:
                self.next_takes = kind == TAKE or kind == CALL
                waiting = 0
            if actor == self.search.seat:
                if kind == DRAW or kind == TAKE:
                    turns += 1
                elif kind >= MELD_RUN and laid < 0:
                    laid = turns
            held = self.twin.h1[actor]
            self.twin.apply(action, self.moves)
            if thrown and (kind == TAKE or kind == CALL) and self.twin.h1[actor] & ~held & thrown:
                if actor == self.search.seat:
                    self.took_back = 1
                elif self.twin.same_side(actor, self.search.seat):
                    self.partner_gets = 1
                else:
                    self.other_gets = 1
        self.at_once = self.twin.out == self.search.seat and turns > 0 and laid == turns

    def measure(self, at):
        """Write the measures of the finished deal into the breakdown's row, from index `at` on.

        If the winner of the deal collects the other hands (R-SCORE-4), the points of a hand count as held by
        the player who held it, not as the winner's.
        """
        seat: cython.int
        own: cython.int
        out: cython.int = self.twin.out
        ended: cython.int = self.twin.to_winner and self.twin.reason == REASON_OUT
        others: i64 = 1 if self.twin.sides else self.twin.n - 1
        own_laid: i64 = 0
        own_held: i64 = 0
        others_laid: i64 = 0
        others_held: i64 = 0
        bonus: i64 = 0
        held: i64
        points: i64
        chance: i64
        for seat in range(self.twin.n):
            own = self.twin.same_side(seat, self.search.seat)
            held = others * self.twin.deduction(seat) if own else self.twin.deduction(seat)
            if ended and not self.twin.same_side(seat, out):
                if own:
                    held += self.twin.held(seat)
                elif self.twin.same_side(out, self.search.seat):
                    held += others * self.twin.held(seat)
                else:
                    held -= self.twin.held(seat)
            if own:
                own_laid += others * self.twin.laid[seat]
                own_held -= held
                bonus += others * self.twin.bonus_of(seat)
            else:
                others_laid -= self.twin.laid[seat]
                others_held += held
                bonus -= self.twin.bonus_of(seat)
        points = own_laid + own_held + others_laid + others_held + bonus
        chance = self.chance_of_seat()
        self.breakdown.row[at + OWN_LAID] = own_laid
        self.breakdown.row[at + OWN_HELD] = own_held
        self.breakdown.row[at + OTHERS_LAID] = others_laid
        self.breakdown.row[at + OTHERS_HELD] = others_held
        self.breakdown.row[at + BONUS] = bonus
        self.breakdown.row[at + POINTS] = points
        self.breakdown.row[at + CHANCE] = chance
        self.breakdown.row[at + VALUE] = self.breakdown.of_points * points + self.breakdown.of_chance * chance
        own = out >= 0 and self.twin.same_side(out, self.search.seat)
        self.breakdown.row[at + OUT] = own
        self.breakdown.row[at + OTHER_OUT] = out >= 0 and not own
        self.breakdown.row[at + NO_OUT] = out < 0
        self.breakdown.row[at + NEXT_TAKES] = self.next_takes
        held = 1 if self.twin.h1[self.search.seat] & self.breakdown.watched else 0
        self.breakdown.row[at + CAUGHT] = held
        self.breakdown.row[at + TOOK_BACK] = self.took_back
        self.breakdown.row[at + AT_ONCE] = self.at_once
        self.breakdown.row[at + OTHER_GETS] = self.other_gets
        self.breakdown.row[at + PARTNER_GETS] = self.partner_gets

    def chance_of_seat(self):
        """Return the seat's chance to win the match or the prize, in thousandths; 0 if there is neither."""
        others: i64 = 1 if self.twin.sides else self.twin.n - 1
        if self.search.staked:
            return self.winning()
        if self.search.prize:
            return SURE * (self.ahead() + 1) // (others + 1)
        return 0

    def add_chances(self, core, chances):
        """Add each seat's chance to win the match or the prize, after this finished deal, to `chances`."""
        seat: cython.int
        self.twin.copy_from(core)
        for seat in range(self.twin.n):
            self.search.seat = seat
            chances[seat] += self.chance_of_seat()

    def seat_chances(self, core: Core) -> list[int]:
        """Return each seat's chance to win the match or prize after this finished deal, in thousandths."""
        seat: cython.int
        for seat in range(core.n):
            self.row[seat] = 0
        self.add_chances(core, self.row)
        return [self.row[seat] for seat in range(core.n)]

    def chance(self, core: Core) -> int:
        """Return the seat's chance to win the match after this finished deal, in thousandths.

        Needs `value_match`.
        """
        self.twin.copy_from(core)
        return int(self.winning())

    def utility(self):
        """Return the value of the finished deal for the seat, times the number of other accounts.

        The value is the points of the seat's side less the mean of the other sides, plus the worth of the
        prize or match, if set. After `value_chance` it is only the chance to win the match, in thousandths.
        """
        seat: cython.int
        own: i64 = 0
        others: i64 = 0
        if self.search.chance_alone:
            return self.winning()
        for seat in range(self.twin.n):
            if self.twin.same_side(seat, self.search.seat):
                own += self.twin.score(seat)
            else:
                others += self.twin.score(seat)
        own = own - others if self.twin.sides else own * (self.twin.n - 1) - others
        if self.search.prize:
            own += self.search.prize * self.ahead()
        if self.search.staked:
            own += WORTH * self.winning()
        return own

    def final_total(self, seat):
        """Return the total of a seat's account after this deal (R-MATCH-5)."""
        other: cython.int
        total: cython.int = self.twin.totals[seat]
        for other in range(self.twin.n):
            if self.twin.same_side(seat, other):
                total += self.twin.score(other)
        return total

    def ahead(self):
        """Return whether the seat's account is first after this deal: the number of other accounts if it is,
        -1 if another account is first, and 0 for a tie.
        """
        accounts: cython.int = 2 if self.twin.sides else self.twin.n
        own: cython.int = self.search.seat & 1 if self.twin.sides else self.search.seat
        best: cython.int = -(1 << 30)
        first: cython.int = 0
        i: cython.int
        k: cython.int
        for i in range(accounts):
            k = self.final_total(i)
            if k > best:
                best = k
                first = i
            elif k == best:
                first = -1
        if first < 0:
            return 0
        return accounts - 1 if first == own else -1

    def winning(self):
        """Return the seat's chance to win the match after this deal, in thousandths.

        With more than two accounts, each pair is looked up in the table; an account's chance is proportional
        to the product of its chances against the others.
        """
        accounts: cython.int = 2 if self.twin.sides else self.twin.n
        own: cython.int = self.search.seat & 1 if self.twin.sides else self.search.seat
        best: cython.int = -(1 << 30)
        ties: cython.int = 0
        i: cython.int
        k: cython.int
        chance: i64
        total: i64 = 0
        mine: i64 = 0
        if self.twin.reason == REASON_TARGET:
            return SURE if self.twin.same_side(self.twin.out, self.search.seat) else 0
        for i in range(accounts):
            k = self.final_total(i)
            if k > best:
                best = k
                ties = 0
            ties += k == best
        if best >= self.search.target:
            return SURE // ties if self.final_total(own) == best else 0
        for i in range(accounts):
            chance = 1 << 20
            for k in range(accounts):
                if k != i:
                    chance = (
                        chance
                        * chance_of(
                            self.search.chances,
                            self.search.target - self.final_total(i),
                            self.search.target - self.final_total(k),
                        )
                    ) // SURE
            total += chance
            if i == own:
                mine = chance
        return SURE * mine // total if total else SURE // accounts


def chance_of(chances, own, other):
    """Return the chance interpolated in the table `chances`, at `own` and `other` points from the target."""
    own = min(own, (STEPS - 1) * STEP - 1)
    other = min(other, (STEPS - 1) * STEP - 1)
    i: cython.int = own // STEP
    k: cython.int = other // STEP
    x: i64 = own - i * STEP
    y: i64 = other - k * STEP
    at: cython.int = STEPS * i + k
    return (
        (STEP - x) * ((STEP - y) * chances[at] + y * chances[at + 1])
        + x * ((STEP - y) * chances[at + STEPS] + y * chances[at + STEPS + 1])
    ) // (STEP * STEP)
