"""The entrants of an arena: bots, and references that see hidden cards.

| name | player |
|---|---|
| `club` | a level |
| `expert:worlds=512` | the same with options, several with a colon each |
| `mybot.py`, `mymodule:Mine` | a bot in a file or a module |
| `learned:FILE` | a learned network |
| `cmd:./mybot --fast` | an external bot, a program that speaks RBI |
| `sees-hands`, `sees-stock` | the references that see hidden cards |
| `answers:BOT` | the local best response to a bot |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from itertools import takewhile
from pathlib import Path
from typing import Any

from rum500.bots.registry import read_options
from rum500.external_bots import files_of
from rum500.sim.arena.references import BestResponse, SeesHands, SeesStock
from rum500.sim.deals import (
    Entrant,
    FullInfoPlayer,
    Seated,
    SimulationError,
    entrant_name,
    notes_on,
    seat_bot,
)
from rum500.sim.players import player
from rum500.sim.results import Notes

_REFERENCES: dict[str, Callable[..., FullInfoPlayer]] = {"sees-hands": SeesHands, "sees-stock": SeesStock}
RESPONSE = "answers"
"""The name that precedes the bot to which a local best response is played."""
RESERVED = frozenset({*_REFERENCES, RESPONSE})
"""Names of players that only the arena has."""


def notes_on_all(entrants: Iterable[Entrant]) -> Notes:
    """Return the notes on these players, which mark them in results."""
    return Notes({entrant_name(entrant): notes_on(seat_entrant(entrant)) for entrant in entrants})


def seat_entrant(entrant: Entrant) -> Seated:
    """Return the player of an entrant. Each thread makes the player once and reuses it.

    Raises `SimulationError` with a one-line message if there is no such player.
    """
    return player(entrant, _made)


def files_of_entrant(name: str) -> list[Path]:
    """Return the files of a bot that is not a level, or of the bot that a best response answers."""
    head, _, tail = name.partition(":")
    if head == RESPONSE:
        return files_of_entrant(_answer(tail)[1])
    return [] if head in _REFERENCES else files_of(name)


def _made(words: str) -> Seated:
    head, _, tail = words.partition(":")
    if head == RESPONSE:
        own, rest = _answer(tail)
        if not rest:
            raise SimulationError(f"{words}: the bot that is to be answered is missing")
        other = seat_entrant(rest)
        if isinstance(other, FullInfoPlayer):
            raise SimulationError(f"{words}: a best response answers a bot, and {rest} is a reference")
        return _full_info_player(words, BestResponse, {"bot": other, "label": words, **_options(words, own)})
    if head in _REFERENCES:
        return _full_info_player(words, _REFERENCES[head], _options(words, tail.split(":") if tail else []))
    return seat_bot(words)


def _answer(tail: str) -> tuple[list[str], str]:
    """Return, from the text after `answers:`, the best response's own options and its opponent's name."""
    parts = tail.split(":")
    own = list(takewhile(lambda part: "=" in part, parts))
    return own, ":".join(parts[len(own) :])


def _options(words: str, parts: list[str]) -> dict[str, Any]:
    try:
        given = read_options(parts)
        return {key: int(value) if value.isdecimal() else value for key, value in given.items()}
    except ValueError as error:
        raise SimulationError(f"{words}: {error}") from None


def _full_info_player(
    words: str, maker: Callable[..., FullInfoPlayer], options: dict[str, Any]
) -> FullInfoPlayer:
    unknown = next((key for key in options if key not in signature(maker).parameters), None)
    if unknown is not None:
        raise SimulationError(f"{words}: there is no option {unknown!r}")
    try:
        return maker(**options)
    except ValueError as error:
        raise SimulationError(f"{words}: {error}") from None
