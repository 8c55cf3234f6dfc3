"""A position set up by hand, for examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .game import Reference
from .melds import Meld, new_melds
from .notation import meld_play

if TYPE_CHECKING:
    from collections.abc import Sequence


def position(
    rules: Any,
    hands: Sequence[str],
    pile: str = "",
    stock: str = "",
    melds: Sequence[tuple[int, str]] = (),
    actor: int = 0,
    **more: Any,
) -> Reference:
    """A deal in which `actor` is about to draw. Cards are given as text, melds as (seat, cards)."""
    deal = Reference(rules, len(hands), [], dealer=actor - 1, **more)
    deal.hands = [hand.split() for hand in hands]
    deal.pile, deal.stock = pile.split(), stock.split()
    deal.melds = [laid_meld(deal, seat, text) for seat, text in melds]
    deal.start_turn(actor)
    return deal


def laid_meld(deal: Reference, seat: int, text: str) -> Meld:
    """The meld that `text` writes, laid by `seat` in earlier turns and counted once."""
    cards = tuple(word.partition("=")[0] for word in text.split())
    for kind, laid in new_melds(cards, deal.rules, deal.packs):
        if meld_play(kind, laid).text == "meld " + text:
            return Meld(kind, tuple(one._replace(seat=seat) for one in laid))
    raise ValueError(f"no meld: {text}")
