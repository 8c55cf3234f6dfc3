"""What is at stake in a deal: points, a prize or the match; and conversions between these.

A mistake costs more near the end of a match. So a chance to win is expressed in *even-score points*: the
points that change the chance as much at the start of a match, like backgammon's normalised equity.
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
"""The number of integer units of `Search` in an even-score point."""
FAR = 500
"""Further from the target than this, a match is about points: winning chances hardly change there."""
_SWING = 40
"""The points, plus and minus, between which the worth of a point is measured."""
_DEALS = 2_000
"""The number of deals from which the deviation of a game is estimated, with an error of about 2 %."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What is at stake in a deal."""

    kind: str
    """`points`, `prize` (the last deal of a match of fixed length) or `match` (a match to a target)."""
    others: int
    """The number of opposing accounts, by which a search multiplies points."""
    sides: bool
    """Whether there are sides."""
    of_points: int
    """The value of a point of the deal, in `UNIT`ths of an even-score point."""
    of_chance: int
    """The value of a thousandth of the chance to win the match, in the same unit."""
    prize: int = 0
    """The points of the prize, from each other account."""
    target: int = 0
    """The target of the match."""
    table: tuple[int, ...] = ()
    """The winning chances by score (`rum500.bots.match_value`); empty unless `kind` is `match`."""

    def apply(self, task: Search) -> None:
        """Make a search maximize these stakes."""
        if self.kind == "match":
            task.value_match(self.target, self.table)
        elif self.kind == "prize":
            task.value_prize(self.prize)


def stakes(view: View) -> Stakes:
    """Return what is at stake in this deal, which is the same for every account."""
    rules = view.rules
    sides = bool(rules.sides)
    others = 1 if sides else view.players - 1
    if rules.match == "deals":
        if view.number < rules.deals:
            return Stakes("points", others, sides, UNIT, 0)
        prize = rules.match_bonus or WINNING
        # The winner gets n - 1 prizes and a loser pays one, so n prizes separate a chance of 1000 from one of
        # 0.
        return Stakes("prize", others, sides, UNIT, round(UNIT * (others + 1) * prize / 1000), prize=prize)
    last = 0 < rules.max_deals <= view.number
    if not last and rules.target - max(view.totals) > FAR:
        return Stakes("points", others, sides, UNIT, 0)
    table = chances(game_class(rules, view.players))
    of_chance = round(UNIT * others / _worth_of_a_point(rules, view.players))
    return Stakes("match", others, sides, 0, of_chance, target=ANY if last else rules.target, table=table)


@cache
def _worth_of_a_point(rules: Ruleset, players: int) -> float:
    """Return how much a point adds to the chance to win, in thousandths, at totals of 0."""
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

    It is estimated from deals that `club` plays against itself, with a fixed seed, so it is the same
    everywhere.
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
