"""What may be played, phase by phase. Each function takes the deal and returns plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import card_order
from .melds import each_new_meld, lay_offs, new_melds
from .notation import (
    DRAW,
    END,
    LET_GO,
    PASS,
    Play,
    discard_play,
    from_pile_play,
    lay_off_play,
    meld_play,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .game import Reference


def draws(deal: Reference) -> list[Play]:
    """R-DRAW-1..4, H5, D5, D6."""
    from_stock = bool(deal.stock) or deal.restock_possible()
    found = [DRAW] if from_stock else []
    for count in range(1, len(deal.pile) + 1):
        take = from_pile_play("take", deal.pile, count)
        if turn_can_end(deal.after(take)):  # D18
            found.append(take)
    if not from_stock:
        found.append(PASS if deal.rules.stock_out == "pass" else END)
    return found


def calls(deal: Reference) -> list[Play]:
    """R-CLAIM-1: pile cards that can be used with the pile and the table alone."""
    found = []
    for count in range(1, len(deal.pile) + 1):
        call = from_pile_play("call", deal.pile, count)
        if turn_can_end(deal.after(call)):
            found.append(call)
    return found


def calls_or_let_go(deal: Reference) -> list[Play]:
    """D19: each is asked in turn; only those with a call are asked at all (R-CLAIM-2)."""
    return [*calls(deal), LET_GO]


def card_plays(deal: Reference) -> list[Play]:
    """Melds and lay-offs, save those after which the turn could not be brought to an end (D3a)."""
    plays = all_card_plays(deal)
    if a_discard_may_be_barred(deal):
        return [play for play in plays if turn_can_end(deal.after(play))]
    return list(plays)


def card_plays_and_discards(deal: Reference) -> list[Play]:
    """R-TURN-1: meld and lay off as one likes, then discard."""
    return card_plays(deal) + discards(deal)


def all_card_plays(deal: Reference) -> Iterator[Play]:
    """Every new meld and every lay-off that the cards allow (R-MELD-6, R-LAY-5).

    D3: the first play after a take uses the lowest card taken. R-CLAIM-2: after a call it uses only cards
    just taken, besides the table.
    """
    usable = deal.hand if deal.only_from is None else deal.only_from
    cards = tuple(sorted(usable, key=card_order))
    if deal.must_use is None:
        melds = iter(new_melds(cards, deal.rules, deal.packs))
    else:
        melds = each_new_meld(cards, deal.rules, deal.packs, deal.must_use)
    for kind, laid in melds:
        yield meld_play(kind, laid)
    for index, meld in enumerate(deal.melds):
        for laid in lay_offs(cards, meld, deal.rules, deal.packs):
            if deal.must_use in (None, *[one.card for one in laid]):
                yield lay_off_play(index, meld, laid)


def discards(deal: Reference) -> list[Play]:
    """Any card of the hand, save what H4 and H2 forbid."""
    cards = sorted(set(deal.hand), key=card_order)
    return [discard_play(card) for card in cards if not barred_from_discard(deal, card)]


def barred_from_discard(deal: Reference, card: str) -> bool:
    """H4: the top discard taken alone. H2: a floater's single card, if it fits or was the top alone."""
    if deal.rules.keep_upcard and card == deal.top_alone and not deal.top_may_be_discarded:
        return True
    if deal.began_floating and len(deal.hand) == 1:
        return fits_table(deal, card) or deal.top_alone is not None  # D26
    return False


def fits_table(deal: Reference, card: str) -> bool:
    """Whether this card alone can be laid off."""
    return any(lay_offs((card,), meld, deal.rules, deal.packs) for meld in deal.melds)


def a_discard_may_be_barred(deal: Reference) -> bool:
    """Only under H4 and H2 can a player with cards be unable to discard."""
    return deal.began_floating or (deal.rules.keep_upcard and deal.top_alone is not None)


def turn_can_end(deal: Reference) -> bool:
    """D3a: whether the turn can still be brought to a legal end."""
    if deal.phase not in ("use", "play"):
        return True
    if deal.phase == "play" and discards(deal):
        return True
    return any(turn_can_end(deal.after(play)) for play in all_card_plays(deal))


PHASES: dict[str, Callable[[Reference], list[Play]]] = {
    "draw": draws,
    "use": card_plays,
    "play": card_plays_and_discards,
    "claim": calls_or_let_go,
    "over": lambda deal: [],
}
