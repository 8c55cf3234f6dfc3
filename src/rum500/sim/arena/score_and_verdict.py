"""The score of a contest, computed from the rows of its deals, and the test that decides when it may stop."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from rum500.match.scores import by_account
from rum500.sim.arena.clusters import CUT_SHORT, LEAD, ArenaJob, Plan
from rum500.sim.arena.sprt import Sprt, SprtBounds
from rum500.sim.deals import entrant_name
from rum500.sim.estimates import Estimate, elo_estimate, expected, per_item, share
from rum500.sim.jobs import WHOLE, DealBatch, RunTally, Shard


@dataclass(frozen=True, slots=True)
class SprtState:
    """The state of the sequential test; `verdict` is `upper`, `lower`, or None while it is open."""

    bounds: SprtBounds
    ratio: float
    verdict: str | None


@dataclass(frozen=True, slots=True)
class PairScore:
    """The result of bot `a` against bot `b`. Standard errors are based on clusters."""

    a: str
    """The first bot."""
    b: str
    """The second bot."""
    pairs: int
    """The number of clusters played: a shuffle, or a match's shuffles, in every seating."""
    deals: int
    """The number of deals."""
    matches: int
    """The number of matches."""
    points: Estimate
    """The mean difference in a deal: the points of a seat of `a` less the points of a seat of `b`; in
    partnerships, the difference between the sides' points.
    """
    match_win: Estimate | None
    """The share of matches that `a` won, where ties count in parts; None for single deals."""
    elo: Estimate | None
    """The Elo difference that follows from `match_win`; None for single deals."""
    fair: float
    """The share that `a` would have if the bots were equal."""
    spread: float
    """The standard deviation between clusters of the mean points of a deal."""
    cut_short: int
    """The number of matches that reached the arena's limit of deals and went to the leader."""
    stop: SprtState | None
    """The state of the sequential test, if there is one."""

    @property
    def better(self) -> bool | None:
        """Whether `a` is stronger (True) or weaker (False) by points, with 95 % confidence; else None."""
        if self.points.low > 0:
            return True
        return False if self.points.high < 0 else None


class Tally(RunTally[Plan]):
    """The clusters of one contest, or of its shard, counted in order; none are counted after a verdict."""

    JOB = ArenaJob

    def __init__(self, plan: Plan, contest: int, shard: Shard = WHOLE) -> None:
        super().__init__(plan, shard, contest)
        self.rows = array("i")
        self.points: list[float] = []
        self.deals: list[int] = []
        self.won: list[float] = []
        self.matches: list[int] = []
        self.cut_short = 0
        self.seats = [tuple(seating) for seating in plan.seatings]
        seated = [seating.count(0) for seating in self.seats]
        if plan.rules.sides:
            self.fair = 0.5
        else:
            self.fair = sum(seated) / (plan.players * len(seated))
        self.sprt = None if plan.sprt is None else _test(plan.sprt, self.fair)

    @property
    def is_over(self) -> bool:
        """Whether no more clusters have to be played."""
        return super().is_over or (self.sprt is not None and self.sprt.verdict is not None)

    def add(self, batch: DealBatch) -> None:
        """Count the clusters of a batch, one after the other, until the test has a verdict."""
        width = LEAD + self.plan.players
        rows, start = batch.rows, 0
        for cluster in batch.items:
            if self.is_over:
                return
            end = start
            while end < len(rows) and rows[end] == cluster:
                end += width
            self._cluster(rows[start:end], width)
            start = end

    def _cluster(self, rows: array[int], width: int) -> None:
        points, won, matches = 0.0, 0.0, 0
        for at in range(0, len(rows), width):
            seating = self.seats[rows[at + 1]]
            points += self._difference(rows[at + LEAD : at + width], seating)
            mask = rows[at + 6]
            if mask:
                matches += 1
                winners = [seating[seat] for seat in range(len(seating)) if mask >> seat & 1]
                won += winners.count(0) / len(winners)
                self.cut_short += mask >= CUT_SHORT
        deals = len(rows) // width
        self.rows.extend(rows)
        self.points.append(points)
        self.deals.append(deals)
        self.won.append(won)
        self.matches.append(matches)
        self.done += 1
        if self.sprt is not None:
            self.sprt.add(points / deals if self.sprt.bounds.measure == "points" else won / matches)

    def _difference(self, gained: Sequence[int], seating: Sequence[int]) -> float:
        """Return the points of the first bot in a deal less those of the second bot."""
        if self.plan.rules.sides:
            sides = by_account(self.plan.rules, gained)
            return sides[seating.index(0) % 2] - sides[seating.index(1) % 2]
        own = [points for points, bot in zip(gained, seating, strict=True) if bot == 0]
        other = [points for points, bot in zip(gained, seating, strict=True) if bot == 1]
        return sum(own) / len(own) - sum(other) / len(other)

    def score(self) -> PairScore:
        """Return the score of all clusters so far. Raises `ValueError` if there are none."""
        if not self.done:
            raise ValueError("nothing has been played")
        plan = self.plan
        first, second = plan.contests[self.contest]
        points = per_item(self.points, self.deals)
        matches = sum(self.matches)
        won = share(self.won, self.matches) if matches else None
        sprt = self.sprt
        return PairScore(
            a=entrant_name(plan.bots[first]),
            b=entrant_name(plan.bots[second]),
            pairs=self.done,
            deals=sum(self.deals),
            matches=matches,
            points=points,
            match_win=won,
            elo=None if won is None else elo_estimate(won, matches, self.fair),
            fair=self.fair,
            spread=points.error * self.done**0.5,
            cut_short=self.cut_short,
            stop=None if sprt is None else SprtState(sprt.bounds, sprt.ratio, sprt.verdict),
        )


def _test(bounds: SprtBounds, fair: float) -> Sprt:
    """Return a test with these bounds; Elo is converted to the expected share of matches."""
    if bounds.measure == "points":
        return Sprt(bounds, bounds.lower, bounds.upper)
    return Sprt(bounds, expected(bounds.lower, fair), expected(bounds.upper, fair))


def as_data(score: PairScore) -> dict[str, Any]:
    """Return a score as plain data for JSON: intervals as two numbers, null for an infinite end."""
    data: dict[str, Any] = {
        "a": score.a,
        "b": score.b,
        "pairs": score.pairs,
        "deals": score.deals,
        "matches": score.matches,
        "points_a_deal": score.points.value,
        "interval": score.points.ends(),
        "spread": score.spread if isfinite(score.spread) else None,
        "match_win": None,
        "match_win_interval": None,
        "elo": None,
        "elo_interval": None,
        "fair": score.fair,
        "cut_short": score.cut_short,
        "better": score.better,
    }
    if score.match_win is not None and score.elo is not None:
        data["match_win"], data["match_win_interval"] = score.match_win.value, score.match_win.ends()
        data["elo"], data["elo_interval"] = score.elo.value, score.elo.ends()
    if score.stop is not None:
        bounds = score.stop.bounds
        data["sprt"] = {
            "measure": bounds.measure,
            "lower": bounds.lower,
            "upper": bounds.upper,
            "alpha": bounds.alpha,
            "beta": bounds.beta,
            "llr": score.stop.ratio,
            "llr_bounds": [bounds.accept_lower, bounds.accept_upper],
            "verdict": score.stop.verdict,
        }
    return data
