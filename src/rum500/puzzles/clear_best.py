"""Decisions with one clear best play: found by quick measurements, then confirmed in many fresh worlds.

A best play is clear if every action either is as good (within `review.verdict.BAND`) or loses at least `GAP`,
with nothing in between. This must hold for both ways of playing on (`WayName`), and for each way in three
measurements: in all worlds; against each kind of opponents alone; in worlds drawn the other way
(`Case.worlds`). Each measurement has fresh worlds, so that no play counts as good by chance. The best play is
the one that the coach advises in a hint. Decisions with a loss close to a bound are given up early: each step
begins with the cheaper measurement, and the last one with a part of its worlds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from rum500.bots import halving, rng_for
from rum500.bots.endings import is_solvable, winning_play
from rum500.coach import Adviser
from rum500.review.case import Case
from rum500.review.loss_reasons import Measured, Why, cards_kept, cards_put_away
from rum500.review.plans import Plan, plan_of
from rum500.review.verdict import BAND, BOUNDS
from rum500.rules.action_codes import decode
from rum500.view import View

GAP = BOUNDS[1]
"""The smallest loss of a wrong answer, in standard deviations of a deal: that of a mistake (10 points in 500
Rum with two players).
"""
SURE = 4.0
"""In every comparison, a wrong answer's loss is at least this many standard errors above zero."""
MARGIN = 2.5
"""Over all worlds, a loss is at least this many standard errors away from the bound it must not cross."""
EARLY = 4.0
"""The last measurement ends before all worlds are used if each loss is this many standard errors away."""
ROUNDS = (256, 1_024, 2_048, 4_096, 8_192, 16_384)
"""The last measurement looks at its losses after these numbers of fresh worlds. After each it may be given
up; from `LEAST` worlds on, it may also end, or continue without the actions that are far behind.
"""
LEAST = 1_024
"""The fewest fresh worlds that show that a best play is clear, or that an action is far behind."""
MANY, HOPELESS = 4_096, -0.5
"""From `MANY` worlds on, the last measurement is also given up if a loss between the bounds, or not half a
standard error beyond one, would have to move far: with all worlds it must be `MARGIN` standard errors away.
"""
OPINION = (1_024, 4_096)
"""The numbers of worlds drawn the other way. The first is enough if each loss is `MARGIN` standard errors
away from the bound.
"""
MOST_RIGHT = 4
"""The largest number of right plays: the best one and those as good."""
ASIDE = 0.5
"""A quick measurement leaves out an action whose loss is at least this many standard errors above `GAP`."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """A quick measurement, made before the accurate last one."""

    worlds: int
    """The number of worlds."""
    tolerance: float
    """A decision is given up if a loss is between the bounds and this many standard errors away from both."""


LOOKS = (Measuring(32, 0.0), Measuring(64, 0.0), Measuring(128, 0.0), Measuring(256, 0.0))
"""The quick measurements, each more accurate than the one before."""


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of an action compared with the best action, for one way of playing on."""

    code: int
    """The action."""
    loss: float
    """The loss, in even-score points (`review.stakes`)."""
    error: float
    """The standard error of the loss; 0 for the best action itself."""
    measured: Measured
    """The sums from which it is computed."""
    case: Case
    """The decision, with this way of playing on."""

    def between(self, tolerance: float) -> bool:
        """Return whether the loss is between `BAND` and `GAP`, `tolerance` standard errors away from both."""
        reach, deviation = tolerance * self.error, self.case.deviation
        return self.loss - reach > BAND * deviation and self.loss + reach < GAP * deviation

    def why(self, best: int) -> Why:
        """Return the components of the loss compared with the best action."""
        return self.case.why(self.measured, self.code, best)

    def plan(self, best: int) -> Plan | None:
        """Return the plan by which the best action is better; None if none is found."""
        actions = decode(self.code), decode(best)
        watched = cards_kept(*actions) == cards_put_away(actions[1])
        return plan_of(self.measured, self.code, best, self.case.view.legal, watched=watched)


@dataclass(frozen=True, slots=True)
class ClearBest:
    """A decision with a clear best play."""

    right: tuple[int, ...]
    """The best play and those that are as good in both ways of playing on, best first."""
    wrong: tuple[Loss, ...]
    """The other actions, smallest loss first. Each loss is the smaller one of the two ways."""

    def is_right(self, code: int) -> bool:
        """Return whether an action is the best or as good as the best."""
        return code in self.right


def clear_best(
    view: View, seed: int, choices: Mapping[str, int], *, quiet: bool | None, threads: int = 1
) -> ClearBest | None:
    """Return the decision with its clear best play; None if it has none, or if `quiet` does not hold.

    `choices` has the actions of weak bots by name. If `quiet` is True, all of these must be right; if False,
    at least one must be wrong; None sets no condition. The result is also None if nothing is hidden, if a
    play wins the match at once, or if there are more actions than a search compares.
    """
    ways = [Case.of(view, threads, lays=lays) for lays in (False, True)]
    core, codes = ways[0].seat.core, list(view.legal)
    compared = halving.candidates(core, codes, codes[0])[: halving.MOST_CANDIDATES]
    if len(codes) < 2 or len(compared) < len(codes) or winning_play(view, core) is not None:
        return None
    if is_solvable(view, ways[0].seat):
        return None
    if not all(_may_be_clear(case, compared, seed, choices, quiet=quiet) for case in ways):
        return None
    advice = Adviser(threads=threads, plans=False).advise(view)
    if advice is None or advice.best is None:
        return None
    last = [_LastMeasurement(case, advice.best, seed) for case in ways]
    for end in ROUNDS:
        if not all(one.found or one.go_on(end) for one in last):
            return None
        if end == LEAST and not all(one.agrees_with_others() for one in last):
            return None
    hold, lay = (one.result() for one in last)
    if hold is None or lay is None or set(hold.right) != set(lay.right):
        return None
    other = {loss.code: loss for loss in lay.wrong}
    wrong = [min(loss, other[loss.code], key=lambda one: one.loss) for loss in hold.wrong]
    both = ClearBest(hold.right, tuple(sorted(wrong, key=lambda one: (one.loss, one.code))))
    return None if quiet is not None and all(map(both.is_right, choices.values())) != quiet else both


def is_still_clear(view: View, right: Sequence[int], seed: int, worlds: int) -> bool:
    """Return whether fresh worlds of this seed confirm which actions are right, in both ways of playing on.

    There is no safety margin: a right action must lose at most `BAND` to the first of `right`, and every
    other action at least `GAP`.
    """
    codes = [*right, *(code for code in view.legal if code not in right)]
    return all(
        one.loss <= BAND * case.deviation if one.code in right else one.loss >= GAP * case.deviation
        for case in (Case.of(view, lays=lays) for lays in (False, True))
        for one in _losses(case, codes, _measure(case, codes, seed, worlds))
    )


def _may_be_clear(
    case: Case, codes: Sequence[int], seed: int, choices: Mapping[str, int], *, quiet: bool | None
) -> bool:
    """Return whether a best play may be clear in this way of playing on, by quick measurements."""
    aside = list[Loss]()
    for number, look in enumerate(LOOKS):
        losses = _losses(case, codes, case.measure(codes, rng_for(seed, number).next64(), 0, look.worlds))
        best = min(losses, key=lambda one: (one.loss, one.code))
        if best.loss < 0:
            losses = _against(best, losses)
        every = [*losses, *aside]
        if _given_up(every, case, look.tolerance) or not _is_sort(every, case, choices, quiet=quiet):
            return False
        gap = GAP * case.deviation
        near = [one for one in losses if one.loss - ASIDE * one.error < gap]
        aside += [one for one in losses if one not in near]
        codes = [best.code, *(one.code for one in near if one.code != best.code)]
        if len(codes) == 1:
            break
    return True


class _LastMeasurement:
    """The measurement that confirms a decision for one way of playing on, in fresh worlds."""

    def __init__(self, case: Case, best: int, seed: int) -> None:
        self.case = case
        self.codes = [best, *(code for code in case.view.legal if code != best)]
        """The actions to measure, the best one first."""
        self.far = list[Loss]()
        """The losses of the actions far behind the best."""
        self.seeds = [rng_for(seed, len(LOOKS) + at).next64() for at in range(2)]
        self.watched = cards_put_away(decode(best))
        self.done = 0
        self.strata: list[list[Measured]] = []
        self.other: list[Loss] = []
        """The losses in worlds drawn the other way."""
        self.found: ClearBest | None = None
        """The decision, once its best play is clear."""

    def go_on(self, end: int) -> bool:
        """Measure in the worlds up to `end`; return False if they show that no best play is clear."""
        case = self.case
        more = case.measure(self.codes, self.seeds[0], self.done, end, self.watched)
        self.strata, self.done = _added(self.strata, more), end
        losses = _losses(case, self.codes, self.strata)
        tolerance = HOPELESS if end >= MANY else 0.0
        if _given_up([*losses, *self.far], case, tolerance) or any(
            one.loss < -BAND * case.deviation for one in losses
        ):
            return False
        if end < LEAST:
            return True
        self.found = self._clear(losses)
        settled = _far_behind(case, self.codes, self.strata) - {_second(losses, case)}
        self.far += [one for one in losses if one.code in settled]
        left = [at for at, code in enumerate(self.codes) if code not in settled]
        self.codes = [self.codes[at] for at in left]
        self.strata = [[stratum[at] for at in left] for stratum in self.strata]
        return True

    def agrees_with_others(self) -> bool:
        """Measure in worlds drawn the other way; return whether the same actions are right there."""
        case, gap = self.case, GAP * self.case.deviation
        right = {one.code for one in _losses(case, self.codes, self.strata) if one.loss < gap / 2}
        worlds, done, strata = case.worlds(self.seeds[1], OPINION[-1], other=True), 0, list[list[Measured]]()
        for end in OPINION:
            strata = _added(strata, case.compare(worlds, self.codes, self.seeds[1], done, end))
            self.other, done = _losses(case, self.codes, strata), end
            if not _agrees(self.other, right, gap, sure=0.0):
                return False
            if _agrees(self.other, right, gap, MARGIN):
                break
        return _agrees(self.other, right, gap)

    def result(self) -> ClearBest | None:
        """Return the decision if its best play is clear, in worlds drawn the other way too."""
        found, gap = self.found, GAP * self.case.deviation
        return found if found and _agrees(self.other, set(found.right), gap) else None

    def _clear(self, losses: Sequence[Loss]) -> ClearBest | None:
        """Return the decision if its best play is clear in each measurement up to now."""
        case = self.case
        last = self.done == ROUNDS[-1]
        margin = MARGIN if last else EARLY
        band, gap = BAND * case.deviation, GAP * case.deviation
        right = [one for one in losses if abs(one.loss) + margin * one.error <= band]
        wrong = [one for one in losses if one.loss - margin * one.error >= gap and _sure(one)]
        if len(right) + len(wrong) < len(losses) or len(right) > MOST_RIGHT or not (wrong or self.far):
            return None
        accepted = {one.code for one in right}
        kinds = (_losses(case, self.codes, [stratum]) for stratum in self.strata)
        if not all(_agrees(each, accepted, gap, 0.0 if last else MARGIN) for each in kinds):
            return None
        every = sorted([*wrong, *self.far], key=lambda one: (one.loss, one.code))
        return ClearBest(tuple(one.code for one in right), tuple(every))


def _agrees(
    losses: Sequence[Loss], right: set[int], gap: float, margin: float = 0.0, sure: float = SURE
) -> bool:
    """Return whether these losses show that the actions `right` are right, and all others wrong.

    They must be `margin` standard errors away from `gap`, and those of wrong actions `sure` from zero.
    """
    return all(
        one.loss + margin * one.error < gap
        if one.code in right
        else one.loss - margin * one.error >= gap and _sure(one, sure)
        for one in losses
    )


def _sure(one: Loss, errors: float = SURE) -> bool:
    return one.loss >= errors * one.error


def _added(old: list[list[Measured]], new: list[list[Measured]]) -> list[list[Measured]]:
    """Return the sums by stratum and action, after adding those in new worlds."""
    if not old:
        return new
    return [[*map(Measured.__add__, *pair)] for pair in zip(old, new, strict=True)]


def _given_up(losses: Sequence[Loss], case: Case, tolerance: float) -> bool:
    """Return whether these losses show that no best play is clear.

    They do if a loss lies between `BAND` and `GAP`, if no loss reaches `GAP`, or if too many are small.
    """
    gap = GAP * case.deviation
    near = sum(one.loss < gap / 2 for one in losses)
    none_worse = all(one.loss + tolerance * one.error < gap for one in losses)
    return none_worse or near > MOST_RIGHT or any(one.between(tolerance) for one in losses)


def _is_sort(losses: Sequence[Loss], case: Case, choices: Mapping[str, int], *, quiet: bool | None) -> bool:
    """Return whether all choices are right (`quiet` True) or at least one is wrong (False); True for None."""
    if quiet is None:
        return True
    bound = GAP * case.deviation / 2
    right = {one.code for one in losses if one.loss < bound}
    return all(code in right for code in choices.values()) == quiet


def _far_behind(case: Case, codes: Sequence[int], strata: Sequence[Sequence[Measured]]) -> set[int]:
    """Return the actions that certainly lose at least `GAP` against each kind of opponents."""
    gap = GAP * case.deviation
    return {
        one.code
        for one, *others in zip(*(_losses(case, codes, [stratum]) for stratum in strata), strict=True)
        if all(each.loss - SURE * each.error >= gap for each in (one, *others))
    }


def _second(losses: Sequence[Loss], case: Case) -> int:
    """Return the code of the best wrong action; if no action is wrong, of the best one."""
    worse = [one for one in losses if one.loss >= GAP * case.deviation / 2] or list(losses)
    return min(worse, key=lambda one: (one.loss, one.code)).code


def _measure(case: Case, codes: Sequence[int], seed: int, worlds: int) -> list[list[Measured]]:
    return case.measure(codes, seed, 0, worlds, cards_put_away(decode(codes[0])))


def _losses(case: Case, codes: Sequence[int], strata: Sequence[Sequence[Measured]]) -> list[Loss]:
    losses = []
    for index, code in enumerate(codes):
        measured = reduce(Measured.__add__, (comparisons[index] for comparisons in strata)).reversed
        losses.append(Loss(code, *measured.lead("value", case.unit), measured, case))
    return losses


def _against(best: Loss, losses: Sequence[Loss]) -> list[Loss]:
    """Return the losses compared with `best` instead of the first action; their errors are overestimated."""
    return [
        Loss(one.code, one.loss - best.loss, math.hypot(one.error, best.error), one.measured, one.case)
        for one in losses
    ]
