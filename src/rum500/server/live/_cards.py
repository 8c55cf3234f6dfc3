"""Cards, places and melds as the wire writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rum500.cards import ACE_HIGH, JOKER, LANE, card_text
from rum500.rules.actions import Laid
from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_points
from rum500.server.messages import MeldPlate, Placed
from rum500.view import MeldView

TEXT: tuple[str, ...] = tuple(
    card_text(code) if code == JOKER or code % LANE <= ACE_HIGH else "" for code in range(4 * LANE)
)
"""Each card's text by its code."""
Doubled = Mapping[int, frozenset[int | None]]
"""By meld's number the places of the cards that were laid four at once and count double."""


def texts(cards: Iterable[int]) -> list[str]:
    """Cards as text, in the order given."""
    return [TEXT[card] for card in cards]


def rows(hands: Iterable[Iterable[int]]) -> list[list[str]]:
    """Cards as text, by seat."""
    return [[TEXT[card] for card in hand] for hand in hands]


def place_text(card: int, place: int | None, *, run: bool) -> str | None:
    """What a wild joker stands for, or which of its two places an ace has in a run; else None."""
    if place is None or (card != JOKER and (not run or card % LANE)):
        return None
    if run and place % LANE == 0:
        return "1" + TEXT[place][-1]
    return TEXT[place]


def placed(
    rules: Ruleset, cards: Sequence[Laid], seat: int, *, run: bool, doubled: bool = False
) -> list[Placed]:
    """The cards of a play, each with what it scores; `run`: they are, or go on, one."""
    each = card_points(rules, cards, run)
    times = 2 if doubled else 1
    return [
        Placed(TEXT[laid.card], place_text(laid.card, laid.place, run=run), seat, points * times)
        for laid, points in zip(cards, each, strict=True)
    ]


class Plates:
    """Melds as the wire has them, each made once: few change, and all are told whenever one does."""

    def __init__(self) -> None:
        """None is made yet."""
        self._made: dict[MeldView, tuple[frozenset[int | None], MeldPlate]] = {}

    def of(self, rules: Ruleset, melds: Iterable[MeldView], doubled: Doubled) -> list[MeldPlate]:
        """These melds, each card with the seat that scores it and what it scored."""
        made, self._made = self._made, {}
        for meld in melds:
            twice = doubled.get(meld.number, _NONE)
            kept = made.get(meld)
            self._made[meld] = kept if kept and kept[0] == twice else (twice, _plate(rules, meld, twice))
        return [plate for _, plate in self._made.values()]


_NONE: frozenset[int | None] = frozenset()


def _plate(rules: Ruleset, meld: MeldView, twice: frozenset[int | None]) -> MeldPlate:
    run = meld.kind == "run"
    each = card_points(rules, meld.cards, run)
    cards = [
        Placed(
            TEXT[lying.card],
            place_text(lying.card, lying.place, run=run),
            lying.seat,
            2 * points if lying.place in twice else points,
        )
        for lying, points in zip(meld.cards, each, strict=True)
    ]
    return MeldPlate(meld.number, meld.kind, meld.owner, cards, meld.at_once)  # type: ignore[arg-type]
