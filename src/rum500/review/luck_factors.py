"""Values that were fixed beforehand for each game: the factors of luck, and the play value of the levels.

`tools/luck_factors.py` measures them in deals of bots of mixed kinds with fixed seeds. A factor fitted to the
reviewed match itself would take play for luck. With any fixed factor the result is unbiased; a good factor
minimizes the spread of the result.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from rum500.ai.heuristic_levels import class_of
from rum500.rules.profiles import profile_names, profiles
from rum500.rules.ruleset import Ruleset

FILE = files(__package__) / "luck_factors.toml"


@dataclass(frozen=True, slots=True)
class LuckFactors:
    """The factors of a game with a number of players."""

    deal: Fraction
    """The factor of the luck of the hands dealt."""
    draws: Fraction
    """The factor of the luck of the cards drawn."""
    levels: Mapping[str, tuple[float, float]]
    """The play value of each level, in points a deal, with its standard error; empty if not measured."""
    source: str
    """The name of the game that was measured, such as `500-rum-2`."""


def game_name(profile: str, players: int) -> str:
    """Return the name of a game in the file: the profile and the number of players."""
    return f"{profile}-{players}"


@cache
def luck_factors(rules: Ruleset, players: int) -> LuckFactors:
    """Return the factors of a game.

    A game with house rules or other options has the factors of its profile. A game that was not measured has
    the factors of the most similar measured game. The most similar game is of the same class
    (`ai.heuristic_levels.class_of`), or if there is none, of a class with the same size. Among several, the
    nearest number of players decides, then the order in the file. The levels come only from a game of the
    same class.
    """
    table = _table()
    own = class_of(rules, players)
    size = own.partition("-")[0]

    def unlike(name: str) -> tuple[bool, bool, bool, int]:
        profile, _, count = name.rpartition("-")
        other = class_of(profiles()[profile], int(count))
        return (
            name != game_name(rules.name, players),
            other != own,
            other.partition("-")[0] != size,
            abs(int(count) - players),
        )

    found = min(table, key=unlike)
    _, other_class, _, _ = unlike(found)
    entry = table[found]
    levels = {} if other_class else {name: (value, error) for name, (value, error) in entry["levels"].items()}
    return LuckFactors(_exact(entry["deal"]), _exact(entry["draws"]), levels, found)


def about(levels: Mapping[str, tuple[float, float]], value: float, reach: float) -> tuple[str, ...]:
    """Return the levels whose play value is within `reach` of `value`, weakest first; if none, the nearest.

    `levels` are those of a game's `LuckFactors`; if they are empty, so is the result.
    """
    ranked = sorted(levels, key=lambda name: levels[name][0])
    inside = tuple(name for name in ranked if abs(levels[name][0] - value) <= reach)
    return inside or tuple(sorted(ranked, key=lambda name: abs(levels[name][0] - value))[:1])


def _exact(number: float) -> Fraction:
    """Return the exact fraction of a decimal number in the file, without the rounding of its `float`."""
    return Fraction(str(number))


@cache
def _table() -> dict[str, Any]:
    table = tomllib.loads(FILE.read_text())
    unknown = [name for name in table if name.rpartition("-")[0] not in profile_names()]
    assert not unknown, f"luck_factors.toml has games of no profile: {unknown}"
    return table
