"""The chance to win the match by the score, before a deal and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rum500.ai.search import Search, SearchWorker
from rum500.ai.worlds import Worlds
from rum500.bots.match_value import ANY
from rum500.review.stakes import stakes
from rum500.state import State
from rum500.state.core_setup import new_core


@dataclass(frozen=True, slots=True)
class ChancesOfDeal:
    """The chances of each account (a side, or a seat) to win the match, in percent that add up to 100."""

    before: tuple[int, ...]
    """The chances before the deal."""
    after: tuple[int, ...]
    """The chances after it."""

    def as_dict(self) -> dict[str, list[int]]:
        """Return a dict for JSON."""
        return {"before": list(self.before), "after": list(self.after)}


def match_chances(final: State) -> ChancesOfDeal | None:
    """Return the chances before and after a finished deal, by the table of winning chances.

    Returns None if only points count in the deal, or if the deal is the last that the rules allow: the table
    has no chances before such a deal.
    """
    stake = stakes(final.view(0))
    if stake.kind != "match" or stake.target == ANY:
        return None
    rules, players = final.rules, final.players
    task = Search(Worlds(final.core, (), 0, (0,) * players), 0, ())
    stake.apply(task)
    worker = SearchWorker(task, None)
    accounts = rules.sides or players
    before = worker.seat_chances(new_core(rules, players, final.totals))
    after = worker.seat_chances(final.core)
    return ChancesOfDeal(percents(before[:accounts]), percents(after[:accounts]))


def percents(shares: Sequence[int]) -> tuple[int, ...]:
    """Return shares as whole percents that add up to 100; the largest fractions are rounded up.

    >>> percents([1, 1, 1])
    (34, 33, 33)
    """
    total = sum(shares)
    found = [100 * share // total for share in shares]
    left = sorted(range(len(shares)), key=lambda at: (-(100 * shares[at] % total), at))
    for at in left[: 100 - sum(found)]:
        found[at] += 1
    return tuple(found)
