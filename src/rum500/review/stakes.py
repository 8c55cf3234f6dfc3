"""The stakes of a deal at its score: points, a prize, or the match; and conversions between them.

A slip costs more where the match is close to its end. So a chance to win is expressed in *even-score points*:
the points that change the chance as much at the start of a match, as backgammon's normalised equity does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from rum500.ai.heuristic_levels import policy
from rum500.ai.policy_deals import club_deals
from rum500.ai.search import Search, SearchWorker
from rum500.ai.worlds import Worlds
from rum500.bots.match_value import ANY, WINNING, chances, game_class
from rum500.match.scores import by_account
from rum500.rules.ruleset import Ruleset
from rum500.state.core_setup import new_core
from rum500.view import View

UNIT = 64
"""The steps in which `Search` adds up an even-score point."""
FAR = 500
"""A match further from its target than this is about points: winning chances hardly differ there."""
_SWING = 40
"""The points, up and down, from which the worth of a point is taken."""
_DEALS = 2_000
"""The deals from which the deviation of a game is taken, 2 % exact."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a deal."""

    kind: str
    """`points`, `prize` (the last deal of a match over deals) or `match` (a match to a target)."""
    others: int
    """The number of opposing sides, by which a search multiplies points."""
    sides: bool
    """Whether sides play."""
    of_points: int
    """The value of a point, in `UNIT`ths of an even-score point."""
    of_chance: int
    """The value of a thousandth of the match, in the same unit."""
    prize: int = 0
    """The points of the prize, from each other account."""
    target: int = 0
    """The target of the match."""
    table: tuple[int, ...] = ()
    """The winning chances by score (`rum500.bots.match_value`)."""

    def apply(self, task: Search) -> None:
        """Tell a search what the deal is about."""
        if self.kind == "match":
            task.value_match(self.target, self.table)
        elif self.kind == "prize":
            task.value_prize(self.prize)


def stakes(view: View) -> Stakes:
    """Return what this deal is about, for every account alike."""
    rules = view.rules
    sides = bool(rules.sides)
    others = 1 if sides else view.players - 1
    if rules.match == "deals":
        if view.number < rules.deals:
            return Stakes("points", others, sides, UNIT, 0)
        prize = rules.match_bonus or WINNING
        # Each of n - 1 losing sides pays the winner: n / (n - 1) prizes lie between 0 and 1000.
        return Stakes("prize", others, sides, UNIT, round(UNIT * (others + 1) * prize / 1000), prize=prize)
    last = 0 < rules.max_deals <= view.number
    if not last and rules.target - max(view.totals) > FAR:
        return Stakes("points", others, sides, UNIT, 0)
    table = chances(game_class(rules, view.players))
    of_chance = round(UNIT * others / _worth_of_a_point(rules, view.players))
    return Stakes("match", others, sides, 0, of_chance, target=ANY if last else rules.target, table=table)


@cache
def _worth_of_a_point(rules: Ruleset, players: int) -> float:
    """Return how much one more point adds to the chance to win, in thousandths, when all totals are 0."""
    core = new_core(rules, players)
    task = Search(Worlds(core, (), 0, (0,) * players), 0, ())
    task.value_match(min(rules.target, FAR), chances(game_class(rules, players)))
    worker = SearchWorker(task, None)
    own = [rules.side(seat) == rules.side(0) for seat in range(players)]
    high, low = (
        worker.chance(new_core(rules, players, [points * mine for mine in own]))
        for points in (_SWING, -_SWING)
    )
    return max(high - low, 1) / (2 * _SWING)


@cache
def deviation(rules: Ruleset, players: int) -> float:
    """Return the standard deviation, in points, of an account's lead over the others in a deal.

    It is that of deals that `club` plays against itself, from a fixed seed, and so the same everywhere.
    """
    rows = club_deals(new_core(rules, players), [policy(rules, players)] * players, 500, 0, _DEALS)
    width = players + 3
    leads = [
        lead
        for first in range(0, len(rows), width)
        for lead in _leads(rules, rows[first + 3 : first + width])
    ]
    return math.sqrt(sum(lead * lead for lead in leads) / len(leads))


def _leads(rules: Ruleset, points: list[int]) -> list[float]:
    accounts = by_account(rules, points)
    whole, count = sum(accounts), len(accounts)
    return [own - (whole - own) / (count - 1) for own in accounts]
