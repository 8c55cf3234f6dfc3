"""A decision to be judged: the view, the stakes, and comparisons of actions in worlds (possible deals)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rum500.ai import HandBelief, KnownDeal, known_deal
from rum500.ai.search import Breakdown, Search, SearchWorker
from rum500.ai.worlds import Worlds
from rum500.bots import halving, rng_for
from rum500.review.loss_reasons import CauseLimits, Measured, Why, cards_kept, cards_put_away, explain
from rum500.review.stakes import UNIT, Stakes, deviation, stakes
from rum500.rules.action_codes import decode
from rum500.rules.actions import Meld
from rum500.view import View

STRETCH = 256
"""The largest number of worlds from one sample of hidden hands; then a new sample is drawn.

A sample comes from a few walks, so its hands are alike, which a standard error over worlds does not show:
with 1,024 worlds from each sample, losses in partnerships deviated 1.7 times as far as their errors indicate,
with 256 as far as they indicate.
"""
STRATA = 2
"""The number of strata: in even worlds the others play like `club`, in odd ones they lay all they can."""


@dataclass(frozen=True, slots=True)
class Case:
    """A decision to judge."""

    view: View
    """The view of the seat that decides."""
    seat: KnownDeal
    """The same view in the engine's form."""
    stakes: Stakes
    """What is at stake in the deal."""
    deviation: float
    """The standard deviation of a deal's points in this game."""
    threads: int
    """The number of threads, which does not affect results."""
    lays: bool = False
    """Whether the seat always lays all it can after the decision, instead of playing like `club`."""

    @classmethod
    def of(cls, view: View, threads: int = 1, *, lays: bool = False) -> Case:
        """Return the decision of the view's seat as a case."""
        spread = deviation(view.rules, view.players)
        return cls(view, known_deal(view), stakes(view), spread, threads, lays)

    @property
    def unit(self) -> int:
        """The number of a search's integer units in one even-score point (`review.stakes`)."""
        return UNIT * self.stakes.others

    def worlds(self, seed: int, number: int, *, other: bool = False) -> Worlds:
        """Return random deals that agree with the view.

        In partnerships they are drawn by belief about the hidden cards, from about `number` samples, as
        `expert` does; in other games all are equally likely. `other` exchanges these two ways.
        """
        worlds = self.seat.worlds()
        if bool(self.view.rules.sides) is not other:
            rules, players = self.view.rules, self.view.players
            hands = HandBelief(self.view, lambda: halving.opponent_policies(rules, players), self.threads)
            hands.weigh(worlds, self.seat, seed, number)
        return worlds

    def search(
        self, worlds: Worlds, codes: Sequence[int], watched: Sequence[int] = ()
    ) -> tuple[Search, Breakdown, list[SearchWorker]]:
        """Return a search that compares these actions, its breakdown, and one worker for each thread."""
        assert self.view.seat is not None
        task = Search(worlds, self.view.seat, codes)
        breakdown = Breakdown(self.stakes.of_points, self.stakes.of_chance, watched)
        self.stakes.apply(task)
        task.explain(breakdown)
        rules, players = self.view.rules, self.view.players
        return (
            task,
            breakdown,
            [halving.worker(task, rules, players, lays=self.lays) for _ in range(self.threads)],
        )

    def compare(
        self,
        worlds: Worlds,
        codes: Sequence[int],
        seed: int,
        first: int,
        end: int,
        watched: Sequence[int] = (),
    ) -> list[list[Measured]]:
        """Compare each action with the first one in worlds `first` to `end - 1`.

        Returns, for each stratum (`STRATA`), the sums of each action in the order of `codes`. `first` must be
        even. The sums also count how often the seat is left with one of the `watched` cards.
        """
        found = []
        for stratum in range(STRATA):
            task, breakdown, workers = self.search(worlds, codes, watched)
            halving.share(workers, seed, first + stratum, end, STRATA)
            for worker in workers:
                task.add(worker)
            found.append(_comparisons(breakdown, task.n, task.done))
        return found

    def measure(
        self, codes: Sequence[int], seed: int, first: int, end: int, watched: Sequence[int] = ()
    ) -> list[list[Measured]]:
        """Compare the actions as `compare` does, in worlds from `Case.worlds` without `other`.

        In partnerships, at most `STRETCH` of the worlds come from one sample of hidden hands.
        """
        found: list[list[Measured]] = []
        for begin, last in self._stretches(first, end):
            worlds = self.worlds(rng_for(seed, begin).next64(), last - begin)
            new = self.compare(worlds, codes, seed, begin, last, watched)
            pairs = zip(found, new, strict=True)
            found = [[*map(Measured.__add__, old, more)] for old, more in pairs] if found else new
        return found

    def why(self, measured: Measured, played: int, best: int, *, watched: bool = True) -> Why:
        """Return the components of the loss of an action compared with the best one.

        `watched` says whether `compare` counted how often the seat is left with cards that the best action
        puts away; otherwise this rate is left out.
        """
        actions = decode(played), decode(best)
        doubled = actions[1] if self.seat.core.doubled(best) else None
        limits = CauseLimits.of(self.view.rules, self.deviation, cards_kept(*actions) if watched else ())
        cards = cards_put_away(doubled) if isinstance(doubled, Meld) else ()
        why = explain(measured, self.stakes, *actions, limits, cards)
        return why if watched else replace(why, rates=tuple(one for one in why.rates if one.name != "caught"))

    def _stretches(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        step = STRETCH if self.view.rules.sides else max(end - first, 1)
        for begin in range(first, end, step):
            yield begin, min(begin + step, end)


def _comparisons(breakdown: Breakdown, number: int, worlds: int) -> list[Measured]:
    rows = [list(zip(*breakdown.measures(index), strict=True)) for index in range(number)]
    return [
        Measured(rows[0][0], totals, squares, worlds, tuple(breakdown.contrasts(index)))
        for index, (totals, _, squares) in enumerate(rows)
    ]
