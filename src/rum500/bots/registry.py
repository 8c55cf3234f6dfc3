"""The bots by name, and the built-in levels."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, overload

from rum500.bots.greedy import Greedy
from rum500.bots.policy_bots import Casual, Club, Random
from rum500.bots.protocol import Bot, FastBot, UnknownBot
from rum500.bots.search_bot import MORE, expert, strong
from rum500.bots.staircase import count, is_searching, maker
from rum500.normalised_text import plain_name, plain_text, quoted


@dataclass(frozen=True, slots=True)
class Level:
    """A built-in level of strength."""

    name: str
    """The level's name."""
    sentence: str
    """A description of how it plays, in one sentence."""
    maker: Callable[..., Bot] = field(repr=False)
    """The function that makes the bot."""
    budget: Mapping[str, float] = field(default_factory=dict)
    """The arguments that `get` accepts for this level, with their defaults."""
    number: int | None = None
    """The level's number on the staircase, from 1; None for a level that has a name."""
    holds_back: bool = False
    """Whether the bots hold melds back, and discard cards that they could lay off, to go out all at once."""


_LADDER = (
    Level("random", "Plays any legal action, each as likely as the others.", Random),
    Level("greedy", "Looks at this turn alone, and at what each card may still become.", Greedy),
    Level(
        "casual",
        "Plays its own hand as club does, but lays what it can at once and forgets who took what.",
        Casual,
    ),
    Level(
        "club",
        "Plays by rule of thumb, tuned over millions of deals, and remembers who took what.",
        Club,
        holds_back=True,
    ),
    Level(
        strong.name,
        f"Tries its choices in up to {strong.worlds:,} deals that agree with what it sees, with three and "
        f"more players in {MORE * strong.worlds:,}, each played out by rule of thumb.",
        strong,
        strong.budget,
        holds_back=True,
    ),
    Level(
        expert.name,
        f"Tries its choices in up to {expert.worlds:,} deals, with three and more players in "
        f"{MORE * expert.worlds:,}, those most often that fit what the others took, left and threw.",
        expert,
        expert.budget,
        holds_back=True,
    ),
)
_STAIRCASE = tuple(
    Level(
        f"level{number}",
        f"Step {number} of {count()}: wins about a third of its matches against the next one.",
        maker(number),
        expert.budget if is_searching(number) else {},
        number=number,
    )
    for number in range(1, count() + 1)
)
_MAKERS: dict[str, Callable[..., Bot]] = {level.name: level.maker for level in (*_LADDER, *_STAIRCASE)}


def levels() -> tuple[Level, ...]:
    """Return the built-in levels that have names, weakest first."""
    return _LADDER


def numbered_levels() -> tuple[Level, ...]:
    """Return the built-in levels that have numbers, weakest first; see `rum500.bots.staircase`."""
    return _STAIRCASE


def budget_of(name: str) -> Mapping[str, float] | None:
    """Return the budget of a built-in level by its registered name; None for other bots."""
    return next((level.budget for level in (*_LADDER, *_STAIRCASE) if level.name == name), None)


def names() -> tuple[str, ...]:
    """Return the names of all bots: named levels, then numbered ones, weakest first, then others."""
    return tuple(_MAKERS)


def register(name: str, maker: Callable[..., Bot]) -> None:
    """Register a bot under a name of lower-case letters, digits, - and _.

    `maker` is a function, or a class, that makes the bot. Raises `ValueError` if the name is invalid or
    already taken, and `TypeError` if `maker` is not callable.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise ValueError(
            f"{name!r} cannot be a bot's name: use lower-case letters, digits, - and _, a letter first"
        )
    if not callable(maker):
        raise TypeError(f"{name}: expected a function or class that makes the bot, found {maker!r}")
    if _MAKERS.setdefault(name, maker) is not maker:
        raise ValueError(f"there is a bot {name!r} already")


BuiltIn = Literal["random", "greedy", "casual", "club", "strong", "expert"]
"""The names of the built-in levels, for type checkers: `choose` of these bots works without a generator."""


@overload
def get(name: BuiltIn, **budget: float) -> FastBot: ...
@overload
def get(name: str, **budget: float) -> Bot: ...
def get(name: str, **budget: float) -> Bot:
    """Return a bot. Case, blanks, underscores and dashes in `name` do not matter.

    `budget` limits its thinking: `get("expert", worlds=2048, threads=2)`; `Level.budget` lists what a level
    accepts. The name may contain the budget: `get("expert:worlds=2048:threads=2")`.

    Raises `UnknownBot` for an unknown name, `ValueError` for an argument that the level does not accept or
    that is given twice, and `TypeError` for a wrong type.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a bot is a text, not {name!r}")
    asked, colon, options = plain_text(name).partition(":")
    known = registered(asked)
    return _made(known, _joined(read_budget(options), budget) if colon else budget)


def registered(name: str) -> str:
    """Return the registered form of a bot's name. Raises `UnknownBot` if there is no such bot."""
    asked = plain_name(name)
    known = name if name in _MAKERS else next((one for one in _MAKERS if plain_name(one) == asked), None)
    if known is not None:
        return known
    near = difflib.get_close_matches(asked, names(), n=1, cutoff=0.7)
    hint = f"did you mean {near[0]}? " if near else ""
    raise UnknownBot(f"there is no bot {quoted(name)}; {hint}there are {', '.join(names())}")


def read_options(parts: Iterable[str], kind: str = "value") -> dict[str, str]:
    """Return the values of options written `name=value`, by name; `kind` describes a value in messages.

    Raises `ValueError` for an invalid or a repeated option.
    """
    found: dict[str, str] = {}
    for part in parts:
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key.isidentifier():
            raise ValueError(f"{part!r} is no option; write name:option={kind}")
        if key in found:
            raise ValueError(f"{key!r} is given twice")
        found[key] = value
    return found


def read_budget(text: str) -> dict[str, float]:
    """Return the budget of a text such as `worlds=512:seconds=0.5`. Raises `ValueError` for other texts.

    >>> read_budget("worlds=512:seconds=0.5")
    {'worlds': 512, 'seconds': 0.5}
    """
    given = read_options(filter(None, text.split(":")), "number")
    return {key: _number(key, value) for key, value in given.items()}


def _number(key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"'{key}={value}' is no option; write name:option=number")
    return int(number) if number.is_integer() and "." not in value else number


def _joined(named: Mapping[str, float], budget: Mapping[str, float]) -> dict[str, float]:
    if twice := [key for key in named if key in budget]:
        raise ValueError(f"{twice[0]!r} is given twice")
    return {**named, **budget}


def _made(name: str, budget: Mapping[str, float]) -> Bot:
    known = budget_of(name)
    wrong = [] if known is None else [key for key in budget if key not in known]
    if wrong:
        allowed = f"only {', '.join(known)}" if known else "no budget"
        raise ValueError(f"the bot {name!r} takes no {wrong[0]!r}: it has {allowed}")
    return _MAKERS[name](**budget)
