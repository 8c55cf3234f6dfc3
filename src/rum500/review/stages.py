"""The two stages of judging: explore all candidates, then measure the best ones against the played action.

Exploring only selects: a candidate that looks best there is partly lucky, so losses are measured in *fresh*
worlds. All candidates that may be the best are measured there, because the one that looks best need not be
the best. The loss is the lead of the rival that is most likely the best, and the upper end of its interval is
the highest upper end among all rivals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rum500.ai.search import MEASURE_NAMES
from rum500.bots import halving
from rum500.intervals import Z_OF_LOOKS, standard_error
from rum500.review.case import STRATA, Case
from rum500.review.loss_reasons import Measured, cards_kept
from rum500.review.verdict import Budget, class_of
from rum500.rules.action_codes import decode

FIRST = 256
"""The number of worlds in the first round of exploring."""
LEFT = 8
"""The largest number of candidates after the first round."""
BEHIND = 2.5
"""A candidate this many standard errors behind the best is dropped."""
CLOSE = 1.0
"""A rival this many standard errors behind the best is dropped in the second stage, where all remaining
rivals are nearly as good. Their leads share the random error of the played action, so this is stricter than
it looks.
"""
Lead = tuple[float, float]
"""A mean lead over the played action in even-score points, and its standard error."""


@dataclass(frozen=True, slots=True)
class Explored:
    """The result of the first stage."""

    leads: dict[int, Lead]
    """The leads of all candidates by code, the played action first, each in the worlds where it was tried."""
    left: tuple[int, ...]
    """The candidates that may be the best, best first."""
    worlds: int
    """The number of worlds in which the candidates of `left` were tried."""

    @property
    def rivals(self) -> tuple[int, ...]:
        """The candidates against which the played action is to be measured: at least one."""
        played, *others = self.leads
        left = tuple(code for code in self.left if code != played)
        return left or (max(others, key=lambda code: self.leads[code][0]),)

    def seen_from(self, code: int) -> Explored:
        """Return the same result with the candidate `code` in the place of the played action.

        `code` becomes the first key, and leads are over it. Standard errors are unchanged, which is only an
        approximation; the played action, which had none, gets the error of `code`.
        """
        base, error = self.leads[code]
        leads = {other: (lead - base, its or error) for other, (lead, its) in self.leads.items()}
        return Explored(
            {code: (0.0, 0.0)} | {k: v for k, v in leads.items() if k != code}, self.left, self.worlds
        )


def explore(case: Case, codes: Sequence[int], seed: int, most: int) -> Explored:
    """Compare all candidates, the played action first, in up to `most` worlds."""
    task, breakdown, workers = case.search(case.worlds(seed, most), codes)
    leads: list[Lead] = [(0.0, 0.0)] * task.n
    done, left = 0, list(range(task.n))
    for end in _doubling(min(FIRST, most), most):
        halving.share(workers, seed, done, end)
        for worker in workers:
            task.add(worker)
        done = end
        for i in task.in_running():
            _, lead, square = breakdown.measures(i)[_VALUE]
            leads[i] = (lead / (done * case.unit), standard_error(lead, square, done) / case.unit)
        ranked = sorted(task.in_running(), key=lambda i: (-leads[i][0], i))
        left = [i for i in ranked if not _is_behind(leads[i], leads[ranked[0]])][:LEFT]
        task.keep(left)
        if len(left) == 1:
            break
    return Explored({codes[i]: leads[i] for i in range(task.n)}, tuple(codes[i] for i in left), done)


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The result of the second stage: the played action measured against its rivals."""

    rival: int
    """The best rival by all worlds, including those of the first stage."""
    strata: tuple[Measured, ...]
    """The rival's lead over the played action in fresh worlds, by stratum."""
    leads: dict[int, Lead]
    """The leads, in fresh worlds, of the rivals that may be the best."""
    watched: bool = True
    """Whether `strata` also counts how often cards that the rival puts away stay in the hand to the end."""

    def loss(self, reach: float = Z_OF_LOOKS) -> tuple[float, float, float]:
        """Return the rival's lead and the ends of its interval, in even-score points.

        The interval has `reach` standard errors to each side.
        """
        lead, error = self.leads[self.rival]
        return lead, lead - reach * error, max(one + reach * its for one, its in self.leads.values())


def measure(case: Case, played: int, explored: Explored, seed: int, budget: Budget) -> Rivalry:
    """Measure the played action against its rivals until the interval lies within one class of losses.

    At most the budget's worlds are used.
    """
    rivals = explored.rivals
    watched = _watched(played, rivals[0])
    sums: dict[int, tuple[Measured, ...]] = dict.fromkeys(rivals, _NOTHING)
    found = Rivalry(rivals[0], _NOTHING, dict.fromkeys(rivals, (0.0, 0.0)))
    rounds: list[tuple[int, int]] = []
    for end in _doubling(min(budget.least, budget.worlds), budget.worlds):
        rounds.append((rounds[-1][1] if rounds else 0, end))
        new = case.measure([played, *rivals], seed, *rounds[-1], watched)
        for place, code in enumerate(rivals, 1):
            sums[code] = _added(sums[code], new, place)
        leads = {code: (sums[code][0] + sums[code][1]).lead("value", case.unit) for code in rivals}
        rival = max(rivals, key=lambda code: _pooled(leads[code][0], end, explored, code))
        found = Rivalry(rival, sums[rival], leads)
        if (
            not budget.whole
            and len({class_of(each, case.deviation) for each in found.loss(budget.stop)}) == 1
        ):
            break
        rivals = tuple(
            code for code in rivals if code == rival or not _is_behind(leads[code], leads[rival], CLOSE)
        )
    cards = _watched(played, found.rival)
    if cards == watched:
        return found
    if class_of(found.loss()[0], case.deviation) == 0:
        return replace(found, watched=False)
    # Play the same worlds again, to count how often cards that this rival puts away stay in the hand.
    strata = _NOTHING
    for begin, end in rounds:
        again = case.measure([played, found.rival], seed, begin, end, cards)
        strata = _added(strata, again, 1)
    return Rivalry(found.rival, strata, found.leads)


def second_opinion(case: Case, played: int, rival: int, seed: int, worlds: int) -> Measured:
    """Measure the played action against a rival in worlds drawn the other way (`Case.worlds`)."""
    drawn = case.worlds(seed, worlds, other=True)
    one, two = case.compare(drawn, [played, rival], seed, 0, worlds)
    return one[1] + two[1]


_VALUE = MEASURE_NAMES.index("value")
_NO_SUMS = (0,) * len(MEASURE_NAMES)
_NOTHING = (Measured(_NO_SUMS, _NO_SUMS, _NO_SUMS, 0),) * STRATA


def _is_behind(lead: Lead, best: Lead, errors: float = BEHIND) -> bool:
    return best[0] - lead[0] > errors * math.hypot(best[1], lead[1])


def _pooled(lead: float, worlds: int, explored: Explored, code: int) -> float:
    return (lead * worlds + explored.leads[code][0] * explored.worlds) / (worlds + explored.worlds)


def _watched(played: int, rival: int) -> tuple[int, ...]:
    return cards_kept(decode(played), decode(rival))


def _added(strata: Sequence[Measured], new: Sequence[Sequence[Measured]], place: int) -> tuple[Measured, ...]:
    """Return the sums of an action by stratum (`case.STRATA`), after adding its sums in new worlds.

    `place` is the index of the action in each stratum of `new`.
    """
    return tuple(one + more[place] for one, more in zip(strata, new, strict=True))


def _doubling(first: int, last: int) -> Iterator[int]:
    """Yield `first` and its doubles while they are below `last`, and finally `last`."""
    while first < last:
        yield first
        first *= 2
    yield last
