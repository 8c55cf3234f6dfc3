"""Cards as a person writes them, and the places that a run is made of.

A card is text: ``"10D"``, ``"AS"``; every joker is ``"JK"`` (all alike, D20). A place in a run is text
too: ``"1S"`` is the ace below the two, ``"AS"`` the ace above the king, the others are the card's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
RUN_ORDER = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
JOKER = "JK"


def rank_of(card: str) -> str:
    """The rank: ``"10"`` of ``"10D"``; ``"1"`` of the place ``"1S"``."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The suit letter of a card or place."""
    return card[-1]


def card_at(place: str) -> str:
    """The card that belongs in a place: both ``"1S"`` and ``"AS"`` take the ace of spades."""
    return "A" + suit_of(place) if rank_of(place) == "1" else place


def card_order(card: str) -> tuple[int, int]:
    """Sorting by suit, then by rank with the ace low; jokers last."""
    if card == JOKER:
        return (len(SUITS), 0)
    return (SUITS.index(suit_of(card)), RANKS.index(rank_of(card)))


def full_deck(packs: int, jokers: int) -> list[str]:
    """All cards of `packs` packs with `jokers` jokers in each."""
    one_pack = [rank + suit for suit in SUITS for rank in RANKS] + [JOKER] * jokers
    return one_pack * packs


def without(cards: Iterable[str], *gone: str) -> list[str]:
    """The cards that stay when the `gone` ones are taken out, one copy for each name."""
    rest = list(cards)
    for card in gone:
        rest.remove(card)
    return rest
