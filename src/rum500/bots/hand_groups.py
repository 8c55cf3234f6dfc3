"""Group a hand by the melds and lay-offs that it could make."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rum500.bots.hand_analysis import HandAnalysis
from rum500.cards import JOKER, rank_of
from rum500.view import View


class HandGroup(Struct, frozen=True, gc=False):
    """Cards that can be laid together."""

    cards: tuple[int, ...]
    """The cards."""
    kind: str
    """`run`, `set`, `jokers`, `lay` (on the table) or `rest`."""
    points: int
    """The points that they score."""


def grouped(view: View) -> list[HandGroup]:
    """Return the hand as the melds and lay-offs with most points in total, and the rest at the end."""
    reading, hand = HandAnalysis(view), view.hand
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
