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
WORLDS = 16_384
"""The number of fresh worlds in the last measurement."""
FIRST = 4_096
"""The part of these worlds after which the last measurement is given up, or continues without the actions
that are far behind.
"""
OPINION = 4_096
"""The number of worlds drawn the other way."""
MOST_RIGHT = 4
"""The largest number of right plays: the best one and those as good."""
FEWEST_DROPPED = 1_024
"""From this number of worlds on, an action that is far behind is not measured again."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """A quick measurement, made before the accurate last one."""

    worlds: int
    """The number of worlds."""
    tolerance: float
    """A decision is given up if a loss is between the bounds and this many standard errors away from both."""


LOOKS = (Measuring(64, 0.5), Measuring(256, 0.0), Measuring(1_024, 0.5))
"""The quick measurements, each more accurate than the one before; the first is for one way of playing on."""


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
    looked = [_Looking(case, compared) for case in ways]
    for number, look in enumerate(LOOKS):
        worlds = rng_for(seed, number).next64()
        ways_now = looked if number else looked[:1]
        if not all(one.look(look, worlds, choices, quiet=quiet) for one in ways_now):
            return None
    advice = Adviser(threads=threads).advise(view)
    best = None if advice is None else advice.best
    if best is None or any(best in {far.code for far in one.far} for one in looked):
        return None
    last = [_LastMeasurement(one, best, seed) for one in looked]
    if not all(one.begin() for one in last):
        return None
    hold = last[0].end()
    lay = None if hold is None else last[1].end()
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


class _Looking:
    """The quick measurements of a decision for one way of playing on."""

    def __init__(self, case: Case, codes: list[int]) -> None:
        self.case = case
        self.codes = codes
        """The actions to measure, best first."""
        self.far = list[Loss]()
        """The losses of the actions far behind the best."""

    def look(self, look: Measuring, seed: int, choices: Mapping[str, int], *, quiet: bool | None) -> bool:
        """Make the next quick measurement; return False if it shows that the decision is no puzzle."""
        case, codes = self.case, self.codes
        strata = _measure(case, codes, seed, look.worlds)
        losses = _losses(case, codes, strata)
        best = min(losses, key=lambda one: (one.loss, one.code))
        if best.loss < 0:
            if self.far:
                return False
            losses = _against(best, losses)
        every = [*losses, *self.far]
        if _given_up(every, case, look.tolerance) or not _is_sort(every, case, choices, quiet=quiet):
            return False
        if look.worlds >= FEWEST_DROPPED and best.code == codes[0]:
            settled = _far_behind(case, codes, strata) - {_second(losses, case)}
            self.far += [one for one in losses if one.code in settled]
            losses = [one for one in losses if one.code not in settled]
        losses.sort(key=lambda one: (one.code != best.code, one.loss, one.code))
        self.codes = [one.code for one in losses]
        return True


class _LastMeasurement:
    """The measurement that confirms a decision for one way of playing on, in fresh worlds."""

    def __init__(self, looked: _Looking, best: int, seed: int) -> None:
        self.case = looked.case
        self.codes = [best, *(code for code in looked.codes if code != best)]
        """The actions to measure, the best one first."""
        self.far = list(looked.far)
        """The losses of the actions far behind the best."""
        self.seeds = [rng_for(seed, len(LOOKS) + at).next64() for at in range(2)]
        self.watched = cards_put_away(decode(best))
        self.strata: list[list[Measured]] = []
        self.other: list[Loss] = []
        """The losses in worlds drawn the other way."""

    def begin(self) -> bool:
        """Measure in the first worlds, and in those drawn the other way; return False to give up."""
        case = self.case
        self.strata = case.measure(self.codes, self.seeds[0], 0, min(FIRST, WORLDS), self.watched)
        losses = _losses(case, self.codes, self.strata)
        if _given_up([*losses, *self.far], case, 0.0):
            return False
        settled = _far_behind(case, self.codes, self.strata) - {_second(losses, case)}
        self.far += [one for one in losses if one.code in settled]
        left = [at for at, code in enumerate(self.codes) if code not in settled]
        self.codes = [self.codes[at] for at in left]
        self.strata = [[stratum[at] for at in left] for stratum in self.strata]
        worlds = case.worlds(self.seeds[1], OPINION, other=True)
        drawn = case.compare(worlds, self.codes, self.seeds[1], 0, OPINION)
        self.other = _losses(case, self.codes, drawn)
        gap = GAP * case.deviation
        return _agrees(self.other, {one.code for one in losses if one.loss < gap / 2}, gap)

    def end(self) -> ClearBest | None:
        """Measure in all worlds; return the decision if its best play is clear in each measurement."""
        case = self.case
        if FIRST < WORLDS:
            more = case.measure(self.codes, self.seeds[0], FIRST, WORLDS, self.watched)
            pairs = zip(self.strata, more, strict=True)
            self.strata = [[*map(Measured.__add__, old, new)] for old, new in pairs]
        losses = _losses(case, self.codes, self.strata)
        band, gap = BAND * case.deviation, GAP * case.deviation
        right = [one for one in losses if abs(one.loss) + MARGIN * one.error <= band]
        wrong = [one for one in losses if one.loss - MARGIN * one.error >= gap and _sure(one)]
        if len(right) + len(wrong) < len(losses) or len(right) > MOST_RIGHT or not (wrong or self.far):
            return None
        accepted = {one.code for one in right}
        kinds = (_losses(case, self.codes, [stratum]) for stratum in self.strata)
        if not all(_agrees(losses, accepted, gap) for losses in (self.other, *kinds)):
            return None
        every = sorted([*wrong, *self.far], key=lambda one: (one.loss, one.code))
        return ClearBest(tuple(one.code for one in right), tuple(every))


def _agrees(losses: Sequence[Loss], right: set[int], gap: float) -> bool:
    return all(one.loss < gap if one.code in right else one.loss >= gap and _sure(one) for one in losses)


def _sure(one: Loss) -> bool:
    return one.loss >= SURE * one.error


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
