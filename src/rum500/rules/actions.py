"""Actions as frozen dataclasses, and the kinds of their 64-bit codes (`rum500.rules.action_codes`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from rum500.cards import ACE_HIGH, JOKER, LANE
from rum500.drawing import cards_svg
from rum500.rules.engine import core as _core


class ActionKind(IntEnum):
    """The kind of an encoded action, as the core numbers it."""

    DRAW = _core.DRAW
    PASS = _core.PASS
    END = _core.END
    LET_GO = _core.LET_GO
    TAKE = _core.TAKE
    CALL = _core.CALL
    DISCARD = _core.DISCARD
    MELD_RUN = _core.MELD_RUN
    MELD_SET = _core.MELD_SET
    LAY_RUN = _core.LAY_RUN
    LAY_SET = _core.LAY_SET


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the stock (R-DRAW-1). With H5, an empty stock is first made from the pile."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top `count` cards of the pile (R-DRAW-2)."""

    count: int


@dataclass(frozen=True, slots=True)
class Call:
    """Call "Rummy!" and take the top `count` cards of the pile (R-CLAIM-2)."""

    count: int


@dataclass(frozen=True, slots=True)
class LetGo:
    """Decline to call (R-CLAIM-1)."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass with an empty stock (D6)."""


@dataclass(frozen=True, slots=True)
class EndDeal:
    """End the deal instead of drawing from an empty stock (D5)."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card, which ends the turn (R-TURN-1)."""

    card: int


@dataclass(frozen=True, slots=True, order=True)
class Laid:
    """A card laid on the table and the place that it takes."""

    card: int
    """The card's code."""
    place: int | None
    """The place, `suit * 16 + position`, where position 13 is the ace above the king. In a set a natural
    card's place is the card. None for a joker of its own rank and for a joker that H3 leaves unnamed.
    """


@dataclass(frozen=True, slots=True)
class Meld:
    """Lay a new meld: a set, a run, or a set of jokers (R-MELD-1, R-MELD-2, R-MELD-4)."""

    cards: tuple[Laid, ...]

    def to_svg(self) -> str:
        """Return a picture of the cards as an SVG document."""
        return cards_svg([laid.card for laid in self.cards], [laid.place for laid in self.cards])

    def _repr_html_(self) -> str:
        return self.to_svg()


@dataclass(frozen=True, slots=True)
class LayOff:
    """Lay one or more cards on meld number `meld`, from 0; `run` is true if it is a run (R-LAY-1)."""

    meld: int
    cards: tuple[Laid, ...]
    run: bool


Action = Draw | Take | Call | LetGo | Pass | EndDeal | Discard | Meld | LayOff


class CardAtPlace(Protocol):
    """A card on the table, such as `Laid` or `Placed`."""

    @property
    def card(self) -> int:
        """The card's code."""
        ...

    @property
    def place(self) -> int | None:
        """The code of the position that it takes; None for an unnamed joker."""
        ...


def stands_right(laid: Laid) -> bool:
    """Return whether a card may take this place: a natural card its own (an ace two), a joker any or none."""
    if laid.card == JOKER:
        return laid.place is None or (0 <= laid.place < 4 * LANE and laid.place % LANE <= ACE_HIGH)
    return laid.place == laid.card or (laid.card % LANE == 0 and laid.place == laid.card + ACE_HIGH)


def is_set(cards: Iterable[Laid]) -> bool:
    """Return whether these cards form a set: all of one rank, or with a joker that has no place."""
    places = [laid.place for laid in cards]
    return None in places or len({place % LANE % ACE_HIGH for place in places if place is not None}) <= 1
