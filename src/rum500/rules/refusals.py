"""The reasons for refused plays: a code with its facts, and the sentence made from them.

The sentences are in `refusals.toml`, by code. Refusals are made for every player at every move, and most are
never read, so a sentence is only composed on request.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from msgspec import Struct

from rum500.cards import ACE_HIGH, JOKER, LANE, RANK_NAMES, SUIT_NAMES, card_symbol
from rum500.normalised_text import quoted
from rum500.rules.actions import Laid
from rum500.rules.english import numbers

__all__ = ["FALLBACK", "Part", "Refusal", "filled", "is_card", "sentence"]

FALLBACK = "play.illegal"
"""The code of a refusal for which no reason is found. No play is known to lead to it."""

Part = int | str | tuple[int | Laid, ...] | tuple[str, ...]
"""A fact in a sentence: a number, a word, cards (with or without their places in a meld), or texts."""
_SHOWN = 8
"""The largest number of plays that a sentence lists."""
_ROW = 7
"""The largest number of cards that a sentence lists in a row."""


class Refusal(Struct, frozen=True, gc=False):
    """The reason why a play is refused.

    >>> Refusal("card.too_often", "R-TURN-1", 5, {"held": 1}).message
    'of 6♠ you hold only 1, and a card can be played once'
    """

    code: str
    """A stable code."""
    rule: str
    """The rule's id."""
    card: int | None = None
    """The card at fault, if any."""
    parts: Mapping[str, Part] = {}
    """The numbers, words and cards of the sentence, by name; each code has its own."""

    @property
    def message(self) -> str:
        """The refusal as a sentence for the player, without a final full stop."""
        return sentence(self.code, {"rule": self.rule, "card": self.card, **self.parts})


def is_card(card: int) -> bool:
    """Return whether this number is the code of a card."""
    return card == JOKER or (0 <= card < 4 * LANE and card % LANE < ACE_HIGH)


# --- the sentences ---------------------------------------------------------------------------------


def sentence(code: str, facts: Mapping[str, Any]) -> str:
    """Return the sentence of a code, filled with these facts."""
    return filled(_texts()["sentences"][code], facts)


def filled(variants: Sequence[Mapping[str, Any]], facts: Mapping[str, Any]) -> str:
    """Return the text of the first variant whose conditions hold, filled with these facts."""
    holding = next(
        each for each in variants if all(facts.get(k) == v for k, v in each.items() if k != "text")
    )
    text: str = holding["text"]
    return text.format_map(_Filling(facts))


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(resources.files("rum500.rules").joinpath("refusals.toml").read_text("utf-8"))


class _Filling(dict[str, str]):
    """The facts of a sentence as texts. Each text is made only when the sentence uses it."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        super().__init__()
        self.facts = facts

    def __missing__(self, name: str) -> str:
        value = self.facts[name]
        return _WORDS[name](value) if name in _WORDS else _cards(value)


def _cards(part: int | str | Sequence[int | Laid]) -> str:
    """Return cards in a row: `5♠ ★=6♠ 7♠`, shortened if there are many. A number or word stays as it is."""
    if not isinstance(part, tuple):
        return str(part)
    shown = part if len(part) <= _ROW else part[: _ROW - 1]
    return " ".join(map(_card, shown)) + (" …" if len(part) > _ROW else "")


def _card(card: int | Laid) -> str:
    if not isinstance(card, Laid):
        return card_symbol(card)
    stands = f"={card_symbol(card.place)}" if card.card == JOKER and card.place is not None else ""
    return card_symbol(card.card) + stands


def _either(words: Iterable[str]) -> str:
    """Return alternatives, joined: `4♦ or 8♦`."""
    *most, last = dict.fromkeys(words)
    return f"{', '.join(most)} or {last}" if most else last


def _plays(texts: Sequence[str]) -> str:
    if len(texts) > _SHOWN:
        return ", ".join(texts[:_SHOWN]) + f" or {len(texts) - _SHOWN} other ways"
    return _either(texts)


_RANKS = (
    "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
    "queens", "kings",
)  # fmt: skip
"""The plural of each rank, by rank."""

_WORDS: Mapping[str, Any] = {
    "card": card_symbol,
    "place": card_symbol,
    "rank": RANK_NAMES.__getitem__,
    "ranks": _RANKS.__getitem__,
    "suit": SUIT_NAMES.__getitem__,
    "takes": lambda cards: _either(map(_card, cards)),
    "advice": lambda name: _texts()["advice"][name],
    "found": lambda text: quoted(text) if text else "the end",
    "verb": repr,
    "plays": _plays,
    "players": numbers,
}
"""The functions that put parts into words, by name of the part; numbers and rows of cards need none."""
