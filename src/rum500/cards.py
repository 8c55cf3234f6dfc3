"""Cards as small integers, and their texts.

A card is `suit * 16 + rank`: suits ♠ ♥ ♦ ♣ are 0-3, ranks A 2 … K are 0-12. A bit mask of cards therefore has
one 16-bit lane for each suit. Position 13 of a lane is the ace above the king. A *place* (`suit * 16 +
position`) is what a card stands for in a run. Jokers are indistinguishable (D20): all have the code `JOKER`,
outside the positions of any suit.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from operator import index

from rum500.normalised_text import plain_text, quoted
from rum500.values import PicklableError

SUIT_LETTERS = "SHDC"
SUIT_SYMBOLS = "♠♥♦♣"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_TEXTS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
RANK_NAMES = ("ace", *RANK_TEXTS[1:10], "jack", "queen", "king")
LANE = 16
"""The number of bits from one suit to the next."""
ACE_HIGH = 13
"""The position of the ace above the king."""
JOKER = 62
JOKER_TEXT = "JK"
JOKER_SYMBOL = "★"

_RANKS = {text: rank for rank, text in enumerate(RANK_TEXTS)} | {"T": 9}
_SUITS = {letter: suit for suit, letter in enumerate(SUIT_LETTERS)} | {
    symbol: suit for row in (SUIT_SYMBOLS, "♤♡♢♧") for suit, symbol in enumerate(row)
}
_JOKERS = {JOKER_TEXT, "JOKER", JOKER_SYMBOL}


class CardError(PicklableError, ValueError):
    """A text that is not a card. `code` is stable; `text` is the text.

    `meant` is the card that was probably meant if the suit was written before the rank, else None.
    """

    code = "card.unknown"

    def __init__(self, text: str) -> None:
        """Store the text and build the message."""
        self.text = text
        plain = plain_text(text).strip().upper()
        found = _code(plain[1:] + plain[:1])
        self.meant = None if found is None else Card(found)
        wanted = (
            "a rank (A 2-10 J Q K) and a suit (S H D C), such as QD or 10S, or JK"
            if self.meant is None
            else f"the rank before the suit, {self.meant}"
        )
        super().__init__(f"{quoted(text)} is not a card: write {wanted}")


class Card(IntEnum):
    """A card: an integer with a text. There is one object for each card.

    It is made from a text or from a code. Raises `CardError` for a text that is no card, `ValueError` for a
    number that is no card, and `TypeError` for other types.

    >>> card = Card("Q♦")
    >>> card, str(card), card == 43, card.rank, card.suit, card.is_joker
    (QD, 'QD', True, 11, 2, False)
    """

    vars().update(
        {
            rank_text + letter: suit * LANE + rank
            for suit, letter in enumerate(SUIT_LETTERS)
            for rank, rank_text in enumerate(RANK_TEXTS)
        }
    )
    JK = JOKER

    @classmethod
    def _missing_(cls, value: object) -> Card:
        if isinstance(value, str):
            return cls(card_from_text(value))
        code = index(value)  # type: ignore[arg-type]
        raise ValueError(f"{code} is not a card: a card is suit * 16 + rank, 0 to 60, or {JOKER} for a joker")

    @property
    def rank(self) -> int | None:
        """The rank, 0 (ace) to 12 (king); None for a joker."""
        return None if self == JOKER else self & 15

    @property
    def suit(self) -> int | None:
        """The suit, 0 to 3 for ♠ ♥ ♦ ♣; None for a joker."""
        return None if self == JOKER else self >> 4

    @property
    def is_joker(self) -> bool:
        """Whether the card is a joker."""
        return self == JOKER

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)


_BY_CODE = {int(card): card for card in Card}
CARDS: tuple[Card, ...] = tuple(_BY_CODE.get(code, Card.JK) for code in range(4 * LANE))
"""The cards by code: the fast way from a valid code to a `Card`."""


def card_of(code: int) -> Card:
    """Return the card with this code, faster than `Card` does. Raises `ValueError` if there is none."""
    card = _BY_CODE.get(code)
    return Card(code) if card is None else card


_TEXTS = {code: card.name for code, card in _BY_CODE.items()}
_TEXTS |= {code + ACE_HIGH: text for code, text in _TEXTS.items() if text[0] == "A"}


def suit_of(card: int) -> int:
    """Return the suit of a natural card, 0–3 for ♠ ♥ ♦ ♣."""
    return card >> 4


def rank_of(card: int) -> int:
    """Return the rank of a natural card, 0 (ace) to 12 (king). For a place, 13 is the high ace."""
    return card & 15


def position_of(place: int) -> int:
    """Return the position of a place in its suit, 0 (low ace) to 13 (the ace above the king).

    >>> position_of(29)
    13
    """
    return place & 15


def planes_of(cards: Iterable[int]) -> tuple[int, int, int]:
    """Return cards as the core stores them: (cards held at least once, cards held twice, number of jokers).

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


def card_from_text(text: str) -> Card:
    """Read one card: `QD`, `10d`, `TD`, `Q♦`, `JK`. Raises `CardError` for any other text.

    >>> card_from_text("qd")
    QD
    """
    if not isinstance(text, str):
        raise TypeError(f"a card is read from a text, such as 'QD', not from {text!r}")
    code = _code(plain_text(text).strip().upper())
    if code is None:
        raise CardError(text)
    return CARDS[code]


def _code(plain: str) -> int | None:
    if plain in _JOKERS:
        return JOKER
    rank, suit = _RANKS.get(plain[:-1]), _SUITS.get(plain[-1:])
    return None if rank is None or suit is None else suit * LANE + rank


def card_text(card: int) -> str:
    """Return a card's text as in the sources: `QD`, `10D`, `JK`. The place of a high ace has the ace's text.

    Raises `ValueError` for a number that is not a card.

    >>> card_text(43)
    'QD'
    """
    text = _TEXTS.get(card)
    return Card(index(card)).name if text is None else text


def card_symbol(card: int) -> str:
    """Return a card's text with its suit's symbol: `10♦`, `★` for a joker."""
    if card == JOKER:
        return JOKER_SYMBOL
    return RANK_TEXTS[(card & 15) % 13] + SUIT_SYMBOLS[card >> 4]


def cards_from_text(text: str) -> list[Card]:
    """Read cards separated by blanks or commas.

    >>> cards_from_text("AS 2S JK")
    [AS, 2S, JK]
    """
    return [card_from_text(word) for word in plain_text(text).replace(",", " ").split()]


def cards_text(cards: Iterable[int]) -> str:
    """Return the texts of cards, separated by blanks.

    >>> cards_text([0, 62])
    'AS JK'
    """
    return " ".join(map(card_text, cards))


def pack(jokers: int = 0) -> list[int]:
    """Return one pack in canonical order: ♠A to ♣K, then the jokers."""
    *naturals, joker = Card
    return [*naturals, *[joker] * jokers]
