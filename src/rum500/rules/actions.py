"""Actions as frozen dataclasses with their texts, and the kinds of their codes (`rules.action_codes`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import index
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from rum500.cards import ACE_HIGH, JOKER, LANE, Card, card_text
from rum500.rules.engine import core as _core
from rum500.values import Plain

if TYPE_CHECKING:
    from rum500.rules.notation import PlayContext


class ActionKind(IntEnum):
    """The kind of an encoded action. The numbers are those of the core."""

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


class MeldOnTable(Protocol):
    """The properties of a meld that determine what can be laid off on it."""

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def cards(self) -> Sequence[CardAtPlace]: ...  # noqa: D102


class MeldsOnTable(Protocol):
    """The part of a table on which the text of a play depends: the pile (oldest card first) and the melds."""

    @property
    def pile(self) -> Sequence[int]: ...  # noqa: D102
    @property
    def melds(self) -> Sequence[MeldOnTable]: ...  # noqa: D102


class Action:
    """An action of a player: one of the classes below.

    `str` of an action is its notation. `take 10C` depends on the pile: actions that a state or a view returns
    have the text for their table; an action made by its class says `take 3 cards`. Comparisons ignore the
    text.
    """

    __slots__ = ("_text",)
    _text: str

    @classmethod
    def from_text(cls, text: str, table: PlayContext) -> Action:
        """Read a play, written as in `docs/notation.md`, at the table of a `State` or a `View`.

        The action need not be legal. Raises `NotationError` for a text that is not a play there.

        >>> import rum500
        >>> Action.from_text("discard 3♠", rum500.deal("500-rum", seed=7))
        discard 3S
        """
        from rum500.rules.notation import parse_play  # noqa: PLC0415 - it reads the classes below

        return parse_play(text, table)

    def to_dict(self) -> dict[str, object]:
        """Return the action as plain data for JSON; `from_dict` reads it."""
        return {"kind": type(self).__name__, **msgspec.to_builtins(self)}

    @staticmethod
    def from_dict(data: Mapping[str, object]) -> Action:
        """Read the output of `to_dict`. Raises `ValueError` for anything else."""
        fields = dict(data)
        kind = _KINDS.get(str(fields.pop("kind", "")))
        if kind is None:
            raise ValueError(f"{data!r} is not an action: its kind is one of {', '.join(_KINDS)}")
        action: Action = msgspec.convert(fields, kind)
        return action

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            return text_of(self)

    __repr__ = __str__

    def __reduce__(self) -> tuple[object, ...]:
        parts = tuple(getattr(self, name) for name in self.__match_args__)  # type: ignore[attr-defined]
        return _rebuilt, (type(self), parts, getattr(self, "_text", None))


def _rebuilt(kind: type[Action], parts: tuple[Any, ...], text: str | None) -> Action:
    action = kind(*parts)
    if text is not None:
        object.__setattr__(action, "_text", text)
    return action


def _set(action: object, **values: object) -> None:
    """Set fields of a frozen action in its constructor."""
    for name, value in values.items():
        object.__setattr__(action, name, value)


@dataclass(frozen=True, slots=True, repr=False)
class Draw(Action):
    """Draw the top card of the stock (R-DRAW-1). With H5, an empty stock is refilled from the pile first."""


@dataclass(frozen=True, slots=True, repr=False)
class Take(Action):
    """Take the top `count` cards of the pile (R-DRAW-2)."""

    count: int

    def __post_init__(self) -> None:
        _set(self, count=index(self.count))


@dataclass(frozen=True, slots=True, repr=False)
class Call(Action):
    """Call "Rummy!" and take the top `count` cards of the pile (R-CLAIM-2)."""

    count: int

    def __post_init__(self) -> None:
        _set(self, count=index(self.count))


@dataclass(frozen=True, slots=True, repr=False)
class LetGo(Action):
    """Decline to call "Rummy!" (R-CLAIM-1)."""


@dataclass(frozen=True, slots=True, repr=False)
class Pass(Action):
    """Pass with an empty stock (D6)."""


@dataclass(frozen=True, slots=True, repr=False)
class EndDeal(Action):
    """End the deal instead of drawing from an empty stock (D5)."""


@dataclass(frozen=True, slots=True, repr=False)
class Discard(Action):
    """Discard a card, which ends the turn (R-TURN-1)."""

    card: Card

    if TYPE_CHECKING:

        def __init__(self, card: int) -> None: ...

    def __post_init__(self) -> None:
        _set(self, card=_card(self.card))


@dataclass(frozen=True, slots=True, order=True)
class Laid(Plain):
    """A card laid on the table, and the place that it takes."""

    card: Card
    """The card."""
    place: int | None
    """The place, `suit * 16 + position`, where position 13 is the ace above the king. In a set, the place of
    a natural card is the card itself. None for a joker of its own rank, and for a joker that need not state
    its card (H3).
    """

    if TYPE_CHECKING:

        def __init__(self, card: int, place: int | None) -> None: ...

    def __post_init__(self) -> None:
        place = None if self.place is None else int(index(self.place))
        _set(self, card=_card(self.card), place=place)


@dataclass(frozen=True, slots=True, repr=False)
class Meld(Action):
    """Lay a new meld: a set, a run, or a set of jokers (R-MELD-1, R-MELD-2, R-MELD-4)."""

    cards: tuple[Laid, ...]

    def __post_init__(self) -> None:
        _set(self, cards=_laid(self.cards))

    def to_svg(self) -> str:
        """Return a picture of the cards as an SVG document."""
        from rum500.drawing import cards_svg  # noqa: PLC0415 - rules load no pictures

        return cards_svg([laid.card for laid in self.cards], [laid.place for laid in self.cards])

    def _repr_html_(self) -> str:
        return self.to_svg()


@dataclass(frozen=True, slots=True, repr=False)
class LayOff(Action):
    """Lay one or more cards on meld number `meld`, from 0; `run` is whether that meld is a run (R-LAY-1)."""

    meld: int
    cards: tuple[Laid, ...]
    run: bool

    def __post_init__(self) -> None:
        _set(self, meld=index(self.meld), cards=_laid(self.cards), run=bool(self.run))


_KINDS = {kind.__name__: kind for kind in (Draw, Take, Call, LetGo, Pass, EndDeal, Discard, Meld, LayOff)}


def _card(card: int) -> Card:
    """Return a `Card` for its code; return any other number unchanged, so that the rules can refuse it."""
    code = index(card)
    return _CARDS.get(code, code)  # type: ignore[arg-type]


_CARDS = {int(card): card for card in Card}


def _laid(cards: Iterable[Laid]) -> tuple[Laid, ...]:
    for laid in (cards := tuple(cards)):
        if not isinstance(laid, Laid):
            raise TypeError(f"a card of a play is a Laid, such as Laid(43, 43), not {laid!r}")
    return cards


class CardAtPlace(Protocol):
    """A card on the table, such as `Laid` or `Placed`."""

    @property
    def card(self) -> int:
        """The card's code."""
        ...

    @property
    def place(self) -> int | None:
        """The code of the place that the card takes; None for a joker that does not state its card."""
        ...


# --- text ------------------------------------------------------------------------------------------

_PLAIN: dict[type, str] = {Draw: "draw", Pass: "pass", EndDeal: "end", LetGo: "let go"}


def text_of(action: Action, table: MeldsOnTable | None = None) -> str:
    """Return the text of an action at a table, before the action is made: `take 8C`, `lay AS=1S on 2`.

    Without a table, the text of a take gives only the number of cards, and every low ace in a run is marked.
    """
    match action:
        case Take(count):
            return "take " + _from_pile(count, table)
        case Call(count):
            return "call " + _from_pile(count, table)
        case Discard(card):
            return f"discard {card}"
        case Meld(cards):
            return "meld " + laid_text(cards, cards)
        case LayOff(meld, cards, run):
            known = table is not None and 0 <= meld < len(table.melds)
            whole = [*table.melds[meld].cards, *cards] if table is not None and known else cards
            return f"lay {laid_text(cards, whole, sure=known or not run)} on {meld + 1}"
    return _PLAIN[type(action)]


def with_text(action: Action, table: MeldsOnTable) -> Action:
    """Return the action with its text at this table."""
    if not isinstance(action, Take | Call | LayOff):
        return action
    parts = tuple(getattr(action, name) for name in action.__match_args__)
    return _rebuilt(type(action), parts, text_of(action, table))


def laid_text(cards: Iterable[CardAtPlace], whole: Iterable[CardAtPlace], *, sure: bool = True) -> str:
    """Return the text of cards as placed in a meld: `5S JK=6S 7S`.

    `whole` is the complete meld; with `sure` false, `whole` is only a part of a run. In a run, a joker that
    stands for a low ace is marked as low; a natural low ace, only if the run has, or may have, a king.
    """
    positions = {laid.place % LANE for laid in whole if laid.place is not None}
    in_run, has_king = len(positions) > 1 or not sure, ACE_HIGH - 1 in positions or not sure
    return " ".join(_laid_word(laid, in_run, has_king) for laid in cards)


def _laid_word(laid: CardAtPlace, in_run: bool, has_king: bool) -> str:
    if laid.place is None:
        return str(laid.card)
    stands = card_text(laid.place)
    low = in_run and laid.place % LANE == 0
    if laid.card == JOKER:
        return f"JK=1{stands[-1]}" if low else f"JK={stands}"
    return f"{stands}=1{stands[-1]}" if low and has_king else stands


def _from_pile(count: int, table: MeldsOnTable | None) -> str:
    pile = () if table is None else table.pile
    if not 0 < count <= len(pile):
        return f"{count} cards"
    card = pile[-count]
    twin_above = card in pile[len(pile) - count + 1 :]
    return card_text(card) + (f":{count}" if twin_above else "")


# --- cards in melds --------------------------------------------------------------------------------


def stands_right(laid: Laid) -> bool:
    """Return whether the card may have its `place`.

    A natural card may have only its own place, an ace also the high one; a joker may have any, or None.
    """
    if laid.card == JOKER:
        return laid.place is None or (0 <= laid.place < 4 * LANE and laid.place % LANE <= ACE_HIGH)
    return laid.place == laid.card or (laid.card % LANE == 0 and laid.place == laid.card + ACE_HIGH)


def is_set(cards: Iterable[Laid]) -> bool:
    """Return whether these cards of a meld are a set, not a run.

    All have one rank, or a joker has no place: in a run every joker has one.
    """
    places = [laid.place for laid in cards]
    return None in places or len({place % LANE % ACE_HIGH for place in places if place is not None}) <= 1
