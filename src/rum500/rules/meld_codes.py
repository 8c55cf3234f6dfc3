"""The two integers that the core stores for a meld: its cards (`meld`) and the seats that laid them
(`owner`).

`meld` has the form of an action, see `rum500.rules.action_codes`, with a flag for four cards laid at once.
`owner` has the seat that laid the meld in its top four bits. In a run it also has four bits for the seat at
each position. In a set it has the seat of the first cards, and the seat and suit of a card that was laid off.
"""

from __future__ import annotations

from collections.abc import Sequence

from rum500.cards import JOKER, LANE, position_of, suit_of
from rum500.rules.action_codes import is_run, laid_cards, shape_of
from rum500.rules.actions import Laid

_AT_ONCE = 1 << 50
_LATER = 1 << 11


def laid_at_once(meld: int) -> bool:
    """Return whether four cards of this meld were laid in one play (R-SCORE-3).

    >>> from rum500.rules.action_codes import encode
    >>> from rum500.rules.actions import Meld
    >>> laid_at_once(at_once(encode(Meld(tuple(Laid(card, card) for card in (5, 6, 7, 8))))))
    True
    """
    return bool(meld & _AT_ONCE)


def at_once(meld: int) -> int:
    """Return this meld with the flag that four cards were laid in one play.

    >>> laid_at_once(at_once(7))
    True
    """
    return meld | _AT_ONCE


def owner_of(owner: int) -> int:
    """Return the seat that laid the meld.

    >>> owner_of(owner_word(3, [Laid(5, 5), Laid(6, 6), Laid(7, 7)], [3, 3, 3], None, run=True))
    3
    """
    return owner >> 60


def seats_of_cards(meld: int, owner: int) -> list[int]:
    """Return the seat that laid each card of the meld, in the order of `laid_cards(meld)`.

    >>> from rum500.rules.action_codes import encode
    >>> from rum500.rules.actions import Meld
    >>> run = (Laid(5, 5), Laid(6, 6), Laid(7, 7))
    >>> seats_of_cards(encode(Meld(run)), owner_word(1, run, [1, 1, 2], None, run=True))
    [1, 1, 2]
    """
    cards = laid_cards(meld)
    if is_run(meld):
        places = [laid.place for laid in cards if laid.place is not None]
        return [owner >> 4 * position_of(place) & 15 for place in places]
    seats = [owner & 15] * len(cards)
    later = later_card(meld, owner)
    if later is not None:
        seats[later] = owner >> 4 & 15
    return seats


def later_card(meld: int, owner: int) -> int | None:
    """Return the index in `laid_cards(meld)` of the card that was laid off on a set; None if there is none.

    >>> from rum500.rules.action_codes import encode
    >>> from rum500.rules.actions import Meld
    >>> aces = tuple(Laid(card, card) for card in (0, 16, 32, 48))
    >>> later_card(encode(Meld(aces)), owner_word(0, aces, [0, 0, 1, 0], 2, run=False))
    2
    """
    if is_run(meld) or not owner & _LATER:
        return None
    wild, suit = bool(owner >> 10 & 1), owner >> 8 & 3
    own_rank = shape_of(meld) == "jokers"
    return max(
        i
        for i, laid in enumerate(laid_cards(meld))
        if own_rank or (laid.place is not None and (suit_of(laid.place), laid.card == JOKER) == (suit, wild))
    )


def owner_word(
    seat: int, cards: Sequence[Laid], seats: Sequence[int], later: int | None, *, run: bool
) -> int:
    """Return the integer `owner` of a meld that `seat` laid.

    `seats` has the seat that laid each card. `later` is the index of the card that was laid off on a set,
    None if there is none.

    >>> owner_word(2, [Laid(0, 0), Laid(16, 16), Laid(32, 32)], [2, 2, 2], None, run=False) == 2 << 60 | 2
    True
    """
    word = seat << 60
    if run:
        for laid, layer in zip(cards, seats, strict=True):
            word |= layer << 4 * position_of(laid.place or 0)
        return word
    return word | seat | (0 if later is None else _later_fields(cards[later], seats[later]))


def _later_fields(laid: Laid, seat: int) -> int:
    fields = seat << 4 | _LATER
    if laid.place is not None:
        fields |= laid.place // LANE << 8 | (laid.card == JOKER) << 10
    return fields
