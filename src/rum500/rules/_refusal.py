"""What a refused play is told, and the words for cards in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rum500.cards import ACE_HIGH, JOKER, LANE, card_symbol
from rum500.rules.actions import Laid

__all__ = ["FALLBACK", "Refusal", "cards_words", "either", "is_card", "laid_words", "verb"]

FALLBACK = "play.illegal"
"""The code of a refusal that names no reason; no play is known to get it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused play: stable `code`, the rule's id, a sentence for the player, the card at fault."""

    code: str
    rule: str
    message: str
    card: int | None = None


def is_card(card: int) -> bool:
    """Whether this number is a card's."""
    return card == JOKER or (0 <= card < 4 * LANE and card % LANE < ACE_HIGH)


def cards_words(cards: Iterable[int]) -> str:
    """Cards in a row: `7♣ 8♣`."""
    return " ".join(map(card_symbol, cards))


def laid_words(cards: Iterable[Laid]) -> str:
    """Laid cards in a row, each joker with what it stands for: `5♠ ★=6♠ 7♠`."""
    return " ".join(
        card_symbol(one.card)
        + (f"={card_symbol(one.place)}" if one.card == JOKER and one.place is not None else "")
        for one in cards
    )


def either(words: Iterable[str]) -> str:
    """Alternatives: `4♦ or 8♦`; `nothing more` if there are none."""
    *most, last = list(dict.fromkeys(words)) or ["nothing more"]
    return f"{', '.join(most)} or {last}" if most else last


def verb(cards: Iterable[object]) -> str:
    """`is` for one card, `are` for several."""
    return "is" if len(list(cards)) == 1 else "are"
