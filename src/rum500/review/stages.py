"""The two stages of judging: explore all candidates, then measure the best ones against the played action.

Exploring only selects: a candidate that looks best there is partly lucky, so losses are measured in *fresh*
worlds. All candidates that may be the best are measured there, because the one that looks best need not be
the best. The loss is the lead of the rival that is most likely the best, and the upper end of its interval is
the highest upper end among all rivals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from rum500.ai.search import MEASURE_NAMES
from rum500.bots import halving
from rum500.intervals import Z_OF_LOOKS, standard_error
from rum500.review.case import Case
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
class Round:
    """A round of the second stage: some worlds, in which the played action was compared with its rivals."""

    first: int
    """The first of the worlds."""
    end: int
    """The world after the last one."""
    rivals: tuple[int, ...]
    """The rivals that were compared."""
    watched: tuple[int, ...]
    """The cards of which the round counts how often one stays in the hand to the end."""
    strata: tuple[tuple[Measured, ...], ...]
    """The lead of each rival over the played action, by stratum."""

    @classmethod
    def of(
        cls, case: Case, played: int, rivals: tuple[int, ...], rival: int, seed: int, worlds: tuple[int, int]
    ) -> Round:
        """Play a round. The cards that it watches are those that `rival` puts away."""
        watched = _watched(played, rival)
        found = case.measure([played, *rivals], seed, *worlds, watched)
        return cls(*worlds, rivals, watched, tuple(tuple(stratum[1:]) for stratum in found))

    def lead_of(self, rival: int) -> tuple[Measured, ...]:
        """Return a rival's lead over the played action, by stratum."""
        place = self.rivals.index(rival)
        return tuple(stratum[place] for stratum in self.strata)


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The result of the second stage: the played action measured against its rivals."""

    rival: int
    """The best rival by all worlds, including those of the first stage."""
    leads: dict[int, Lead]
    """The leads, in fresh worlds, of the rivals that may be the best."""
    rounds: tuple[Round, ...]
    """The rounds, in the order of their worlds."""
    settled: bool
    """Whether the interval lies within one class: then more worlds are not needed."""

    def loss(self, reach: float = Z_OF_LOOKS) -> tuple[float, float, float]:
        """Return the rival's lead and the ends of its interval, in even-score points.

        The interval has `reach` standard errors to each side.
        """
        lead, error = self.leads[self.rival]
        return lead, lead - reach * error, max(one + reach * its for one, its in self.leads.values())

    @property
    def strata(self) -> tuple[Measured, ...]:
        """The rival's lead over the played action in fresh worlds, by stratum."""
        return _sums(self.rounds, self.rival)


def measure(
    case: Case, played: int, explored: Explored, seed: int, budget: Budget, begun: Rivalry | None = None
) -> Rivalry:
    """Measure the played action against its rivals until the interval lies within one class of losses.

    At most the budget's worlds are used. `begun` is the result with a smaller budget; its worlds are not
    played again.
    """
    if begun is not None and begun.settled:
        return begun
    done = {} if begun is None else {(each.first, each.end): each for each in begun.rounds}
    rivals, first = explored.rivals, 0
    found = Rivalry(rivals[0], dict.fromkeys(rivals, (0.0, 0.0)), (), settled=False)
    for end in _doubling(min(budget.least, budget.worlds), budget.worlds):
        new = done.get((first, end)) or Round.of(case, played, rivals, found.rival, seed, (first, end))
        rounds = (*found.rounds, new)
        leads = {code: _lead(_sums(rounds, code), case) for code in rivals}
        rival = max(rivals, key=lambda code: _pooled(leads[code][0], end, explored, code))
        found = Rivalry(rival, leads, rounds, settled=False)
        classes = {class_of(each, case.deviation) for each in found.loss(budget.stop)}
        if not budget.whole and len(classes) == 1:
            return replace(found, settled=True)
        rivals = tuple(
            code for code in rivals if code == rival or not _is_behind(leads[code], leads[rival], CLOSE)
        )
        first = end
    return found


def with_cards(case: Case, played: int, found: Rivalry, seed: int) -> tuple[tuple[Measured, ...], bool]:
    """Return the rival's lead by stratum, counting how often cards that it puts away stay in the hand.

    Rounds that watched other cards are played again, in the same worlds; unless the loss is so small that
    its reasons do not matter. The second value is whether all rounds have this count.
    """
    cards = _watched(played, found.rival)
    others = [each for each in found.rounds if each.watched != cards]
    if others and class_of(found.loss()[0], case.deviation) == 0:
        return found.strata, False
    again = {
        each.first: Round.of(case, played, (found.rival,), found.rival, seed, (each.first, each.end))
        for each in others
    }
    return _sums([again.get(each.first, each) for each in found.rounds], found.rival), True


def second_opinion(case: Case, played: int, rival: int, seed: int, worlds: int) -> Measured:
    """Measure the played action against a rival in worlds drawn the other way (`Case.worlds`)."""
    drawn = case.worlds(seed, worlds, other=True)
    one, two = case.compare(drawn, [played, rival], seed, 0, worlds)
    return one[1] + two[1]


_VALUE = MEASURE_NAMES.index("value")


def _is_behind(lead: Lead, best: Lead, errors: float = BEHIND) -> bool:
    return best[0] - lead[0] > errors * math.hypot(best[1], lead[1])


def _pooled(lead: float, worlds: int, explored: Explored, code: int) -> float:
    return (lead * worlds + explored.leads[code][0] * explored.worlds) / (worlds + explored.worlds)


def _watched(played: int, rival: int) -> tuple[int, ...]:
    return cards_kept(decode(played), decode(rival))


def _sums(rounds: Iterable[Round], rival: int) -> tuple[Measured, ...]:
    """Return a rival's lead over the played action in all these rounds, by stratum (`case.STRATA`)."""
    strata = zip(*(each.lead_of(rival) for each in rounds), strict=True)
    return tuple(reduce(Measured.__add__, each) for each in strata)


def _lead(strata: Sequence[Measured], case: Case) -> Lead:
    one, two = strata
    return (one + two).lead("value", case.unit)


def _doubling(first: int, last: int) -> Iterator[int]:
    """Yield `first` and its doubles while they are below `last`, and finally `last`."""
    while first < last:
        yield first
        first *= 2
    yield last
