"""A guest's place among the levels with numbers: a rating in which the bots are fixed points."""

from __future__ import annotations

from collections.abc import Iterable
from math import log, sqrt

from rum500 import bots
from rum500.bots.staircase import position_of, steps
from rum500.intervals import Z
from rum500.puzzles.ratings import CHANCE, MEAN, Rating, after
from rum500.rules.ruleset import Ruleset
from rum500.server.messages.progress import Place
from rum500.store import ResultRow

_LEVEL = CHANCE * sqrt(2) * log(2)
"""The distance of two neighbouring levels: each wins a third of its matches against the next one."""
_MIDDLE = (1 + len(bots.numbered_levels())) / 2
"""The level at which the rating of a new guest is."""


def number_of(level: str | None, rules: Ruleset, players: int) -> int | None:
    """Return the number of a level in a game, or of the level that plays alike; None if there is none."""
    if level is None:
        return None
    numbers = {one.name: one.number for one in bots.numbered_levels()}
    position = position_of(level)
    places = steps(rules, players)
    return numbers.get(level) or (places.index(position) + 1 if position in places else None)


def rating_of(
    rows: Iterable[ResultRow], rules: Ruleset, others: dict[str, list[Rating]] | None = None
) -> Rating | None:
    """Return a guest's rating after finished matches of one game, earliest first; None if none counts.

    A match against bots alone counts if their level has a number, or plays like one that has. `others` are,
    by table, the ratings of the other people; without them matches with people do not count. The account's
    place says how many others it beat, but not which: each counts as the mean of all of them.
    """
    rating = None
    for row in rows:
        opponents = list((others or {}).get(row.table_id, ())) if row.with_people else []
        number = number_of(row.level, rules, row.players)
        if number is not None:
            opponents.append(Rating(MEAN + (number - _MIDDLE) * _LEVEL, 0.0))
        elif not row.with_people:
            continue
        if not opponents or row.place is None:
            continue
        count = len(opponents)
        mean = Rating(
            sum(one.mean for one in opponents) / count, sum(one.deviation for one in opponents) / count
        )
        beaten = row.accounts - row.place
        rating = after(rating or Rating(), [(mean, float(at < beaten)) for at in range(row.accounts - 1)])
    return rating


def place_of(rating: Rating | None) -> Place | None:
    """Return a rating as a place among the levels with numbers."""
    if rating is None:
        return None
    return Place(_MIDDLE + (rating.mean - MEAN) / _LEVEL, Z * rating.deviation / _LEVEL)
