"""The bots that can be asked for by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from rum500.bots._protocol import Bot, UnknownBot
from rum500.bots.simple.greedy import Greedy
from rum500.bots.simple.random import Random

_MAKERS: dict[str, Callable[[], Bot]] = {Greedy.name: Greedy, Random.name: Random}


def names() -> tuple[str, ...]:
    """The names of all bots, sorted."""
    return tuple(sorted(_MAKERS))


def register(name: str, maker: Callable[[], Bot]) -> None:
    """Let a bot be asked for by name; `ValueError` if the name is taken by another."""
    if _MAKERS.setdefault(name, maker) is not maker:
        raise ValueError(f"there is a bot {name!r} already")


def get(name: str) -> Bot:
    """A bot by its name; case and blanks around it do not matter. `UnknownBot` with the nearest name."""
    asked = name.strip().lower()
    if asked in _MAKERS:
        return _MAKERS[asked]()
    near = difflib.get_close_matches(asked, names(), n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    raise UnknownBot(f"there is no bot {name!r}; {hint}there are {', '.join(names())}")
