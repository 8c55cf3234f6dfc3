"""A row of cards as a value, with a text and a picture."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Self

from rum500.cards import Card, cards_from_text, cards_text
from rum500.drawing.picture import cards_svg


class Cards(tuple[Card, ...]):
    """A row of cards: a hand, a pile, or a single card. It is a tuple, which a notebook shows as a picture.

    >>> hand = Cards("QD 10D JK")
    >>> hand, hand[0], len(hand)
    (Cards('QD 10D JK'), QD, 3)
    >>> Cards([43, 57]) == (43, 57)
    True
    """

    __slots__ = ()

    def __new__(cls, cards: str | Iterable[int] = ()) -> Self:
        """Make a row from a text or from codes. Raises `CardError`, and `TypeError` for a wrong type."""
        if isinstance(cards, str):
            return super().__new__(cls, cards_from_text(cards))
        return super().__new__(cls, map(Card, map(index, cards)))

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
