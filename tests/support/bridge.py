"""Convert the engine's numbers into the reference's texts, by the layout described in `engine/core.py`.

This uses none of the package's own decoding or notation, so that a fault there is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reference.cards import JOKER, RANKS, RUN_ORDER, SUITS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rum500.rules.engine.core import Core

JOKER_CODE = 62
PHASES = ("draw", "use", "play", "claim", "over")
REASONS = (None, "out", "stock", "passes", "no_progress", "target")
PLAIN = ("draw", "pass", "end", "let go")
TAKE, CALL, DISCARD, MELD_RUN, MELD_SET, LAY_RUN, LAY_SET = range(4, 11)
Stands = tuple[str, str | None]
"""A card and the card that it stands for, in the form of the reference."""


def card_name(card: int) -> str:
    """The reference's name of a card."""
    return JOKER if card == JOKER_CODE else RANKS[card % 16] + SUITS[card // 16]


def card_names(cards: Iterable[int]) -> list[str]:
    """The reference's names of these cards."""
    return [card_name(card) for card in cards]


def card_code(name: str) -> int:
    """The engine's number of a card."""
    return JOKER_CODE if name == JOKER else SUITS.index(name[-1]) * 16 + RANKS.index(name[:-1])


def place_name(place: int) -> str:
    """The reference's name of a place in a run: `1S` is the ace below the two, `AS` the high one."""
    return RUN_ORDER[place % 16] + SUITS[place // 16]


def laid(code: int) -> list[Stands]:
    """The cards of a play or a meld: a run's ascending, a set's natural cards and then its jokers by suit."""
    if code % 16 in (MELD_RUN, LAY_RUN):
        return _laid_in_run(code)
    rank, naturals, jokers = code >> 4 & 15, code >> 8 & 255, code >> 16 & 255
    if rank == 14:
        return [(JOKER, None)] * naturals
    faces = [RANKS[rank] + suit for suit in SUITS]
    found: list[Stands] = []
    for number, face in enumerate(faces):
        found += [(face, face)] * (naturals >> 2 * number & 3)
    for number, face in enumerate(faces):
        found += [(JOKER, face)] * (jokers >> 2 * number & 3)
    return found + [(JOKER, None)] * (2 * (code >> 24 & 1))


def _laid_in_run(code: int) -> list[Stands]:
    suit, places, jokers = SUITS[code >> 4 & 3], code >> 6, code >> 20
    found: list[Stands] = []
    for position, rank in enumerate(RUN_ORDER):
        if places >> position & 1:
            natural = ("A" if rank == "1" else rank) + suit
            found.append((JOKER if jokers >> position & 1 else natural, rank + suit))
    return found


def play_text(code: int, core: Core) -> str:
    """The reference's text of a play that is about to be made in this position."""
    kind = code % 16
    if kind < len(PLAIN):
        return PLAIN[kind] if code == kind else f"number {code}"
    if kind in (TAKE, CALL):
        return _from_pile_text("take" if kind == TAKE else "call", core.pile_cards(), code >> 4)
    if kind == DISCARD:
        return "discard " + card_name(code >> 4)
    cards = laid(code)
    if kind in (MELD_RUN, MELD_SET):
        return "meld " + _words(cards, cards)
    number = code >> 34
    return f"lay {_words(cards, cards + laid(core.melds()[number][0]))} on {number + 1}"


def _from_pile_text(word: str, pile: list[int], count: int) -> str:
    lowest = pile[-count]
    twin_above = lowest in pile[len(pile) - count + 1 :]
    return f"{word} {card_name(lowest)}" + (f":{count}" if twin_above else "")


def _words(cards: list[Stands], whole: list[Stands]) -> str:
    reaches_king = any(stands is not None and stands[0] == "K" for _, stands in whole)
    words = []
    for card, stands in cards:
        if card == JOKER:
            words.append(card if stands is None else f"{card}={stands}")
        else:
            words.append(f"{card}={stands}" if stands != card and reaches_king else card)
    return " ".join(words)
