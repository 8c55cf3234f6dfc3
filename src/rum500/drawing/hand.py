"""Cards with a text and a picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from rum500.cards import JOKER, cards_from_text, cards_text, rank_of, suit_of
from rum500.drawing.picture import cards_svg


class Cards(tuple[int, ...]):
    """Cards in a row: a hand, a pile, or a card alone. It is a tuple of their codes.

    Made from a text or from codes. A notebook shows it as a picture.

    >>> hand = Cards("QD 10D JK")
    >>> hand, hand[0], len(hand)
    (Cards('QD 10D JK'), 43, 3)
    >>> Cards([43, 57]) == (43, 57)
    True
    """

    __slots__ = ()

    def __new__(cls, cards: str | Iterable[int] = ()) -> Self:
        """Take the cards of a text, or these codes. Raises `CardError`, and `TypeError` for a wrong type."""
        if isinstance(cards, str):
            return super().__new__(cls, cards_from_text(cards))
        made = super().__new__(cls, cards)
        for card in made:
            if not isinstance(card, int):
                raise TypeError(f"a card is a code, such as rum500.card_from_text('QD'), not {card!r}")
            if card != JOKER and not (0 <= suit_of(card) < 4 and rank_of(card) < 13):
                raise ValueError(f"{card} is the code of no card")
        return made

    def __str__(self) -> str:
        return cards_text(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __getnewargs__(self) -> tuple[tuple[int, ...]]:
        """Pickle the codes."""
        return (tuple(self),)

    def to_svg(self) -> str:
        """Return a picture of the cards as an SVG document."""
        return cards_svg(self)

    def _repr_html_(self) -> str:
        return self.to_svg()
