"""What a match's score makes of points: near its end a search plays for the match."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from rum500.ai.search import Search
from rum500.rules.ruleset import Ruleset
from rum500.view import View

FILE = files(__package__) / "equity.toml"
STEP = 20
"""Points from one entry of a table to the next."""
STEPS = 36
"""Entries in a row: distances of 0 to 700 points from the target."""
NEAR = 160
"""So many points from the target a match is about to end: seldom does a deal bring more."""
WINNING = 60
"""What it is worth, in points from each other account, to win a match of so many deals that pays no bonus."""
ANY = -(10**6)
"""A target that everybody has reached: after the last deal of those allowed the highest wins (D23)."""


def game_class(rules: Ruleset, players: int) -> str:
    """The class of games whose table holds here: what makes deals bring more or less."""
    side = "sides" if rules.sides else "seats"
    jokers = ["wild"] if rules.joker_kind == "wild" else []
    return "-".join([side, rules.low_cards, rules.hands, *jokers])


def set_match_value(task: Search, view: View) -> bool:
    """Tell a search what this deal is about, where that is more than its points; whether it is.

    The last deal of a match over so many is about the prize, and so is a deciding one after it (R-MATCH-1,
    R-MATCH-3); the last that `max_deals` allows (D23), and any near the target, about the match.
    """
    rules = view.rules
    if rules.match == "deals":
        if view.number < rules.deals:
            return False
        task.stake_prize(rules.match_bonus or WINNING)
        return True
    last = 0 < rules.max_deals <= view.number
    if not last and rules.match_end == "deal" and max(view.totals) < rules.target - NEAR:
        return False
    task.stake_match(ANY if last else rules.target, chances(game_class(rules, view.players)))
    return True


@cache
def chances(name: str) -> tuple[int, ...]:
    """A class's table, row after row; that of the nearest class for one that has none."""
    tables = _tables()
    while name not in tables and "-" in name:
        name = name.rpartition("-")[0]
    rows = tables.get(name) or next(rows for known, rows in tables.items() if known.startswith(name))
    return tuple(chance for row in rows for chance in row)


@cache
def _tables() -> dict[str, list[list[int]]]:
    return tomllib.loads(FILE.read_text())
