"""The tuned weights of the core's heuristic, one file for each class of game. See `tools/train_club.py`.

>>> from rum500 import ruleset
>>> class_of(ruleset("michigan-rum"), 2)
'two-winner'
"""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any, TypeVar

from rum500.ai.policy import LAY_ALL, Policy
from rum500.ai.policy_weights import (
    JOKER_SIGNS_MEANING,
    MEANING,
    SIGNS_MEANING,
    TIMES,
    hand_set,
    names,
)
from rum500.rules.ruleset import Ruleset

__all__ = ["class_of", "per_thread", "policy", "policy_of", "toml_lines", "unfolded", "weights"]

T = TypeVar("T")

#: How much of a card's value to opponents `casual` considers, in sixteenths, by size of table.
_CARE = {"two": 16, "table": 8, "packs": 4, "sides": 8}
#: What discarding a card costs `newcomer` for each point of the card, so that it keeps high cards.
_KEEPS_HIGH = 40
_GIVEN = ("open", "_sure", "_half", "_maybe", "_held", "joker_near")


def class_of(rules: Ruleset, players: int) -> str:
    """Return the class of a game: its size and its special rule, such as `two-winner`.

    The size is `sides` for partnerships, `two` for two players, otherwise `table` with one pack and `packs`
    with two packs.

    The special rule is `rank` for jokers of their own rank, `wild` for wild ones, `winner` if the winner
    collects hands, else `plain`.
    """
    packs = rules.packs(players)
    size = "sides" if rules.sides == 2 else "two" if players == 2 else "table" if packs == 1 else "packs"
    if rules.jokers and rules.joker_kind in ("rank", "wild"):
        return f"{size}-{rules.joker_kind}"
    return f"{size}-winner" if rules.hands == "winner" else f"{size}-plain"


@cache
def weights(name: str) -> tuple[int, ...]:
    """Return the weights of a class of games.

    A class without a file has the weights of its plain class, or else the untuned weights.
    """
    folder = resources.files("rum500.ai").joinpath("weights")
    for known in (name, name.partition("-")[0] + "-plain"):
        file = folder.joinpath(f"{known}.toml")
        if file.is_file():
            return _read(file.read_text(encoding="utf-8"))
    return tuple(hand_set())


def _read(text: str) -> tuple[int, ...]:
    given = tomllib.loads(text)["weights"]
    times = range(len(TIMES))
    signs = [cost for time in times for name, *_ in SIGNS_MEANING for cost in given[name][time]]
    jokers = [given[name][time] for time in times for name, *_ in JOKER_SIGNS_MEANING]
    return (*(given[name] for name, *_ in MEANING), *signs, *jokers)


def toml_lines(weights: Sequence[int]) -> list[str]:
    """Return the lines of a file with these weights.

    A *sign* is a property of a card by which its discard is judged. Its line has three pairs, for late,
    middle and early discards. A pair has the cost, and the cost per point of the card.
    """
    of = dict(zip(names(), weights, strict=True))
    signs = [
        (name, [[of[f"{time}_{name}"], of[f"{time}_{name}_per_point"]] for time in TIMES])
        for name, *_ in SIGNS_MEANING
    ]
    jokers = [(name, [of[f"{time}_{name}"] for time in TIMES]) for name, *_ in JOKER_SIGNS_MEANING]
    plain = [(name, of[name]) for name, *_ in MEANING]
    return [f"{name} = {value}" for name, value in (*plain, *signs, *jokers)]


def unfolded(text: str) -> str:
    """Return a weights file's text with one weight on each line.

    Stored reviews contain digests of this text.
    """
    head, table, _ = text.partition("[weights]\n")
    rows = zip(names(), _read(text), strict=True)
    return head + table + "".join(f"{name} = {weight}\n" for name, weight in rows)


def per_thread(make: Callable[..., T]) -> Callable[..., T]:
    """Return the function `make` with a cache for each thread, for policies: they contain working memory."""
    local = threading.local()

    def cached(*keys: Any) -> T:
        if not hasattr(local, "made"):
            local.made = cache(make)
        found: T = local.made(*keys)
        return found

    return cached


def policy(rules: Ruleset, players: int, level: str = "club") -> Policy:
    """Return the heuristic of this level, `club`, `casual` or `newcomer`, with this game's weights.

    It contains working memory, so each thread needs its own.
    """
    return policy_of(class_of(rules, players), level)


def policy_of(name: str, level: str = "club") -> Policy:
    """Return the heuristic of this level for a class of game; `name` is as `class_of` returns it."""
    if level == "club":
        return Policy(weights(name))
    size = name.partition("-")[0]
    casual = {
        key: weight * _CARE[size] // 16 if any(part in key for part in _GIVEN) else weight
        for key, weight in zip(names(), weights(name), strict=True)
    }
    casual |= {"lay": LAY_ALL, "near": 0}
    if level == "newcomer":
        casual |= {f"{time}_card_per_point": _KEEPS_HIGH for time in TIMES}
    return Policy(list(casual.values()), forgets=True)
