"""A decision as a judge sees it: the view, what is at stake, and comparisons of actions in worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rum500.ai import HandBelief, KnownDeal, known_deal
from rum500.ai.search import Breakdown, Search, SearchWorker
from rum500.ai.worlds import Worlds
from rum500.bots import halving, rng_for
from rum500.review.stakes import UNIT, Stakes, deviation, stakes
from rum500.review.why import CauseLimits, Measured, Why, cards_kept, cards_put_away, explain
from rum500.rules.action_codes import decode
from rum500.rules.actions import Meld
from rum500.view import View

STRETCH = 256
"""The most worlds from one sample of hidden hands; then a new sample is drawn.

A sample has a few walks, so its hands are alike, which no standard error over worlds shows: with 1,024
worlds from each sample, losses in partnerships strayed 1.7 times as far as their errors say, with 256 as far.
"""
STRATA = 2
"""In worlds of even numbers the others play as `club` does, in odd ones they lay cards as they come."""


@dataclass(frozen=True, slots=True)
class Case:
    """A decision to judge."""

    view: View
    """The view of the seat that decides."""
    seat: KnownDeal
    """The same in the engine's form."""
    stakes: Stakes
    """The stakes of the deal."""
    deviation: float
    """The standard deviation of a deal of this game, in points."""
    threads: int
    """The number of threads; it changes no result."""
    lays: bool = False
    """Whether the seat afterwards lays at once whatever it can, instead of playing like `club`."""

    @classmethod
    def of(cls, view: View, threads: int = 1, *, lays: bool = False) -> Case:
        """Return the decision of the seat of a view."""
        spread = deviation(view.rules, view.players)
        return cls(view, known_deal(view), stakes(view), spread, threads, lays)

    @property
    def unit(self) -> int:
        """The number of a search's integer units in an even-score point."""
        return UNIT * self.stakes.others

    def worlds(self, seed: int, number: int, *, other: bool = False) -> Worlds:
        """Return worlds weighted by belief, as `expert` draws them, if sides play; else worlds drawn evenly.

        `other` exchanges the two ways.
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
        """Return a search over these actions, with its breakdown and workers."""
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
        """Compare each action with the first one in the worlds `first` to `end`, for each stratum apart.

        `first` is even. `watched` are cards with which the seat may be caught.
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
        """Return the same as `compare`, in worlds drawn in the usual way, some for each stretch."""
        found: list[list[Measured]] = []
        for begin, last in self._stretches(first, end):
            worlds = self.worlds(rng_for(seed, begin).next64(), last - begin)
            new = self.compare(worlds, codes, seed, begin, last, watched)
            pairs = zip(found, new, strict=True)
            found = [[*map(Measured.__add__, old, more)] for old, more in pairs] if found else new
        return found

    def why(self, measured: Measured, played: int, best: int, *, watched: bool = True) -> Why:
        """Return what the loss of an action against the best is made of.

        `watched` is whether it was counted how often the cards that the best puts away are left.
        """
        actions = decode(played), decode(best)
        doubled = actions[1] if self.seat.core.doubled(best) else None
        limits = CauseLimits.of(self.view.rules, self.deviation, cards_kept(*actions) if watched else ())
        cards = cards_put_away(doubled) if isinstance(doubled, Meld) else ()
        return explain(measured, self.stakes, *actions, limits, cards)

    def _stretches(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        step = STRETCH if self.view.rules.sides else max(end - first, 1)
        for begin in range(first, end, step):
            yield begin, min(begin + step, end)


def _comparisons(breakdown: Breakdown, number: int, worlds: int) -> list[Measured]:
    rows = [list(zip(*breakdown.measures(index), strict=True)) for index in range(number)]
    return [Measured(rows[0][0], totals, squares, worlds) for totals, _, squares in rows]
