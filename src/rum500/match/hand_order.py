"""The order in which a hand is shown, by suit or by rank (R-DEAL-4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rum500.cards import JOKER, rank_of, suit_of

ORDERS = ("suit", "rank")


def groups(hand: Sequence[int], order: str) -> list[list[int]]:
    """Return the cards in groups by suit or by rank (`order`), jokers last."""
    key = _by_suit if order == "suit" else _by_rank
    return [list(group) for _, group in groupby(sorted(hand, key=key), key=lambda card: key(card)[0])]


def in_order(hand: Sequence[int], order: str) -> list[int]:
    """Return the cards in the order in which they are shown and numbered, by suit or by rank."""
    return [card for group in groups(hand, order) for card in group]


def _by_suit(card: int) -> tuple[int, int]:
    return (4, 0) if card == JOKER else (suit_of(card), rank_of(card))


def _by_rank(card: int) -> tuple[int, int]:
    return (13, 0) if card == JOKER else (rank_of(card), suit_of(card))
