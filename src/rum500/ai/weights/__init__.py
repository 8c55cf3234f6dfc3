"""The tuned weights of the core's heuristic, one file for each class of game. See `tools/train_club.py`.

>>> from rum500 import ruleset
>>> class_of(ruleset("michigan-rum"), 2)
'two-winner'
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from rum500.ai.policy import Policy, hand_set, names
from rum500.rules.ruleset import Ruleset

__all__ = ["class_of", "policy", "policy_of", "weights"]

#: The share, in sixteenths, of the value to opponents that `casual` considers, by size of table.
_CARE = {"two": 16, "table": 8, "packs": 4, "sides": 8}
#: The value of a point laid now to `casual`, so high that it lays whatever it can.
_LAY = 64
_GIVEN = ("open", "_sure", "_half", "_maybe", "_held", "joker_near")


def class_of(rules: Ruleset, players: int) -> str:
    """Return the class of a game: its size (`two`, `table`, two `packs`, `sides`) and its special rule.

    The special rule is `rank` for jokers of their own rank, `wild` for wild ones, `winner` if hands count for
    the winner, else `plain`.
    """
    packs = rules.packs(players)
    size = "sides" if rules.sides == 2 else "two" if players == 2 else "table" if packs == 1 else "packs"
    if rules.jokers and rules.joker_kind in ("rank", "wild"):
        return f"{size}-{rules.joker_kind}"
    return f"{size}-winner" if rules.hands == "winner" else f"{size}-plain"


@cache
def weights(name: str) -> tuple[int, ...]:
    """Return the weights of a class; without a file, those of its plain class, or else the manual ones."""
    folder = resources.files("rum500.ai.weights")
    for known in (name, name.partition("-")[0] + "-plain"):
        file = folder.joinpath(f"{known}.toml")
        if file.is_file():
            given = tomllib.loads(file.read_text(encoding="utf-8"))["weights"]
            return tuple(given.get(key, 0) for key in names())
    return tuple(hand_set())


def policy(rules: Ruleset, players: int, level: str = "club") -> Policy:
    """Return the heuristic of this level, `club` or `casual`, with the weights of this game's class.

    It contains working memory, so each thread needs its own.
    """
    return policy_of(class_of(rules, players), level)


def policy_of(name: str, level: str = "club") -> Policy:
    """Return the heuristic of this level for a class of game by its name."""
    if level == "club":
        return Policy(weights(name))
    size = name.partition("-")[0]
    casual = {
        key: weight * _CARE[size] // 16 if any(part in key for part in _GIVEN) else weight
        for key, weight in zip(names(), weights(name), strict=True)
    }
    return Policy(list((casual | {"lay": _LAY, "near": 0}).values()), forgets=True)
