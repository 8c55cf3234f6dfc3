"""The value of points for the match: near the end of a match a search plays for winning it."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from rum500.ai.search import Search
from rum500.rules.ruleset import Ruleset
from rum500.view import View

FILE = files(__package__) / "equity.toml"
STEP = 20
"""The points between two entries of a table."""
STEPS = 36
"""The number of entries in a row: for distances of 0 to 700 points from the target."""
NEAR = 160
"""The distance from the target, in points, from which on a match is near its end; few deals bring more."""
WINNING = 60
"""The value of winning a match of fixed length without a bonus, in points from each other account."""
ANY = -(10**6)
"""A target that every account has reached: after the last allowed deal the highest total wins (D23)."""


def game_class(rules: Ruleset, players: int) -> str:
    """Return the class of a game, by the rules that affect the points of a deal.

    All games of a class use the same table of chances to win.
    """
    side = "sides" if rules.sides else "seats"
    jokers = ["wild"] if rules.joker_kind == "wild" else []
    return "-".join([side, rules.low_cards, rules.hands, *jokers])


def set_match_value(task: Search, view: View) -> bool:
    """Make a search maximize the prize or the match if more than the points of this deal counts.

    Returns False, without a change, if only the points count.

    In a match with a fixed number of deals, the last deal and a deciding deal after it are played for the
    prize (R-MATCH-1, R-MATCH-3). The last deal that `max_deals` allows (D23), and any deal near the target,
    are played for the match.
    """
    rules = view.rules
    if rules.match == "deals":
        if view.number < rules.deals:
            return False
        task.value_prize(rules.match_bonus or WINNING)
        return True
    last = 0 < rules.max_deals <= view.number
    if not last and rules.match_end == "deal" and max(view.totals) < rules.target - NEAR:
        return False
    task.value_match(ANY if last else rules.target, chances(game_class(rules, view.players)))
    return True


@cache
def chances(name: str) -> tuple[int, ...]:
    """Return the table of chances to win for a class of games, row after row.

    A class without a table uses the table of the most similar class.
    """
    tables = _tables()
    while name not in tables and "-" in name:
        name = name.rpartition("-")[0]
    rows = tables.get(name) or next(rows for known, rows in tables.items() if known.startswith(name))
    return tuple(chance for row in rows for chance in row)


@cache
def _tables() -> dict[str, list[list[int]]]:
    return tomllib.loads(FILE.read_text())
