"""Sort a hand by suit or by rank (R-DEAL-4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rum500.cards import JOKER, rank_of, suit_of

ORDERS = ("suit", "rank")


def groups(hand: Sequence[int], order: str) -> list[list[int]]:
    """Return the cards in groups by suit or by rank, jokers last. Card numbers continue across groups."""
    key = _by_suit if order == "suit" else _by_rank
    return [list(group) for _, group in groupby(sorted(hand, key=key), key=lambda card: key(card)[0])]


def in_order(hand: Sequence[int], order: str) -> list[int]:
    """Return the cards in display order: card number 1 is the first."""
    return [card for group in groups(hand, order) for card in group]


def _by_suit(card: int) -> tuple[int, int]:
    return (4, 0) if card == JOKER else (suit_of(card), rank_of(card))


def _by_rank(card: int) -> tuple[int, int]:
    return (13, 0) if card == JOKER else (rank_of(card), suit_of(card))
