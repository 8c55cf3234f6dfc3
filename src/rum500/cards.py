"""Cards as small integers, and their texts.

A card is `suit * 16 + rank`: suits ♠ ♥ ♦ ♣ are 0–3, ranks A 2 … K are 0–12. A bit mask of cards therefore has
one 16-bit lane for each suit. Position 13 of a lane is the ace above the king; a *place* (`suit * 16 +
position`) is what a card stands for in a run. Jokers are alike (D20) and share the one code `JOKER`, outside
the positions of any suit.
"""

from __future__ import annotations

from collections.abc import Iterable

SUIT_LETTERS = "SHDC"
SUIT_SYMBOLS = "♠♥♦♣"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_TEXTS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
RANK_NAMES = ("ace", *RANK_TEXTS[1:10], "jack", "queen", "king")
LANE = 16
"""Bits from one suit to the next."""
ACE_HIGH = 13
"""Position of the ace above the king."""
JOKER = 62
JOKER_TEXT = "JK"
JOKER_SYMBOL = "★"

_RANKS = {text: rank for rank, text in enumerate(RANK_TEXTS)} | {"T": 9}
_SUITS = {letter: suit for suit, letter in enumerate(SUIT_LETTERS)} | {
    symbol: suit for row in (SUIT_SYMBOLS, "♤♡♢♧") for suit, symbol in enumerate(row)
}
_JOKERS = {JOKER_TEXT, "JOKER", JOKER_SYMBOL}


class CardError(ValueError):
    """A text that is no card; `code` is stable, `text` is the text."""

    code = "card.unknown"

    def __init__(self, text: str) -> None:
        """Store the text and build the message."""
        self.text = text
        super().__init__(
            f"{text!r} is no card: write a rank (A 2-10 J Q K) and a suit (S H D C), such as QD or 10S, or JK"
        )


def suit_of(card: int) -> int:
    """Return the suit of a natural card, 0–3 for ♠ ♥ ♦ ♣."""
    return card >> 4


def rank_of(card: int) -> int:
    """Return the rank of a natural card, 0 (ace) to 12 (king); of a place, 13 for the high ace."""
    return card & 15


def position_of(place: int) -> int:
    """Return the position of a place in its suit, 0 (low ace) to 13 (the ace above the king).

    >>> position_of(29)
    13
    """
    return place & 15


def planes_of(cards: Iterable[int]) -> tuple[int, int, int]:
    """Return cards as the core stores them: those held at least once, those held twice, the number of jokers.

    The first two are masks with bit `card` set.

    >>> planes_of([0, 1, 1, JOKER]) == (1 << 0 | 1 << 1, 1 << 1, 1)
    True
    """
    once = twice = jokers = 0
    for card in cards:
        if card == JOKER:
            jokers += 1
        else:
            twice |= once & 1 << card
            once |= 1 << card
    return once, twice, jokers


def card_from_text(text: str) -> int:
    """Read one card: `QD`, `10d`, `TD`, `Q♦`, `JK`. Raises `CardError` for any other text.

    >>> card_from_text("QD")
    43
    """
    if not isinstance(text, str):
        raise TypeError(f"a card is read from a text, such as 'QD', not from {text!r}")
    plain = text.strip().upper().replace("\N{VARIATION SELECTOR-16}", "")
    if plain in _JOKERS:
        return JOKER
    rank, suit = _RANKS.get(plain[:-1]), _SUITS.get(plain[-1:])
    if rank is None or suit is None:
        raise CardError(text)
    return suit * LANE + rank


def card_text(card: int) -> str:
    """Write a card as the sources do: `QD`, `10D`, `JK`. The place of a high ace is written as the ace.

    Raises `ValueError` for a number that is no card.

    >>> card_text(43)
    'QD'
    """
    if card == JOKER:
        return JOKER_TEXT
    if not 0 <= card < 4 * LANE:
        raise ValueError(f"{card} is no card: a card is suit * 16 + rank, 0 to 60, or {JOKER} for a joker")
    return RANK_TEXTS[(card & 15) % 13] + SUIT_LETTERS[card >> 4]


def card_symbol(card: int) -> str:
    """Write a card with its suit's symbol: `10♦`, `★` for a joker."""
    if card == JOKER:
        return JOKER_SYMBOL
    return RANK_TEXTS[(card & 15) % 13] + SUIT_SYMBOLS[card >> 4]


def cards_from_text(text: str) -> list[int]:
    """Read cards separated by blanks or commas.

    >>> cards_from_text("AS 2S JK")
    [0, 1, 62]
    """
    return [card_from_text(word) for word in text.replace(",", " ").split()]


def cards_text(cards: Iterable[int]) -> str:
    """Write cards separated by blanks.

    >>> cards_text([0, 62])
    'AS JK'
    """
    return " ".join(map(card_text, cards))


def pack(jokers: int = 0) -> list[int]:
    """Return one pack in canonical order: ♠A to ♣K, then the jokers."""
    return [suit * LANE + rank for suit in range(4) for rank in range(13)] + [JOKER] * jokers
