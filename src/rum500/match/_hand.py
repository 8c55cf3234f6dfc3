"""A hand put in order: by suit, by rank (R-DEAL-4), or by what belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from rum500.bots.reading import Reading
from rum500.cards import JOKER, rank_of, suit_of
from rum500.view import View

ORDERS = ("suit", "rank")


def groups(hand: Sequence[int], order: str) -> list[list[int]]:
    """The cards in groups of a suit or of a rank, jokers last; numbers go on from group to group."""
    key = _by_suit if order == "suit" else _by_rank
    return [list(group) for _, group in groupby(sorted(hand, key=key), key=lambda card: key(card)[0])]


def arranged(hand: Sequence[int], order: str) -> list[int]:
    """The cards in the order that they lie: card number 1 is the first."""
    return [card for group in groups(hand, order) for card in group]


def _by_suit(card: int) -> tuple[int, int]:
    return (4, 0) if card == JOKER else (suit_of(card), rank_of(card))


def _by_rank(card: int) -> tuple[int, int]:
    return (13, 0) if card == JOKER else (rank_of(card), suit_of(card))


@dataclass(frozen=True, slots=True)
class HandGroup:
    """Cards that go down together: `kind` is `run`, `set`, `jokers`, `lay` (on the table) or `rest`."""

    cards: tuple[int, ...]
    kind: str
    points: int


def grouped(view: View) -> list[HandGroup]:
    """The hand as the melds and lay-offs that bring most together, the valuable first, and what is left."""
    reading, hand = Reading(view), view.hand
    chosen = sorted(reading.plan(reading.groups(hand))[1], key=lambda group: -group.points)
    found, left = [], list(range(len(hand)))
    for group in chosen:
        held = [at for at in left if group.used >> at & 1]
        left = [at for at in left if at not in held]
        cards = tuple(hand[at] for at in held)
        found.append(HandGroup(cards, _kind(cards) if group.new else "lay", group.points))
    rest = [hand[at] for at in left]
    return [*found, HandGroup(tuple(rest), "rest", 0)] if rest else found


def _kind(cards: Sequence[int]) -> str:
    naturals = {rank_of(card) for card in cards if card != JOKER}
    if not naturals:
        return "jokers"
    return "set" if len(naturals) == 1 else "run"
