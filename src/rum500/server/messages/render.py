"""Converts cards, places, melds and refusals to the form of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rum500.cards import ACE_HIGH, JOKER, LANE, RANK_TEXTS, SUIT_LETTERS, card_text
from rum500.rules.actions import Laid
from rum500.rules.explain import Part, Refusal
from rum500.rules.notation import NotationError
from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_points
from rum500.server.messages import MeldPlate, PlacedCard, Reason, ReasonParts, Refused
from rum500.server.messages.table_error import TableError
from rum500.state import IllegalPlay
from rum500.view import MeldView

TEXT: tuple[str, ...] = tuple(
    card_text(code) if code == JOKER or code % LANE <= ACE_HIGH else "" for code in range(4 * LANE)
)
"""The text of each card, by its code."""
Doubled = Mapping[int, frozenset[int | None]]
"""By meld number, the places of the cards that were laid four at once and count double."""


def texts(cards: Iterable[int]) -> list[str]:
    """Return cards as a list of texts, in the order given."""
    return [TEXT[card] for card in cards]


def text_tuple(cards: Sequence[int]) -> tuple[str, ...]:
    """Return cards as a tuple of texts, in the order given."""
    return tuple([TEXT[card] for card in cards]) if cards else ()


def rows(hands: Iterable[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
    """Return these hands, one for each seat, with the cards as texts."""
    return tuple([tuple([TEXT[card] for card in hand]) if hand else () for hand in hands])


def place_text(card: int, place: int | None, *, run: bool) -> str | None:
    """Return the card that a wild joker stands for, or the place of an ace in a run; else None."""
    if place is None or (card != JOKER and (not run or card % LANE)):
        return None
    if run and place % LANE == 0:
        return "1" + TEXT[place][-1]
    return TEXT[place]


def placed(
    rules: Ruleset, cards: Sequence[Laid], seat: int, *, run: bool, doubled: bool = False
) -> list[PlacedCard]:
    """Return the cards of a play by `seat`, with their points; `run` if they form or extend a run."""
    each = card_points(rules, cards, run)
    times = 2 if doubled else 1
    return [
        PlacedCard(TEXT[laid.card], place_text(laid.card, laid.place, run=run), seat, points * times)
        for laid, points in zip(cards, each, strict=True)
    ]


class MeldPlateCache:
    """Converts melds to the form of the protocol.

    If one meld changes, all melds are sent, so the unchanged ones are cached.
    """

    def __init__(self) -> None:
        """Begin with an empty cache."""
        self._made: dict[MeldView, tuple[frozenset[int | None], MeldPlate]] = {}
        self._melds: tuple[MeldView, ...] = ()
        self._doubled: Doubled = {}
        self._plates: tuple[MeldPlate, ...] = ()

    def plates(self, rules: Ruleset, melds: tuple[MeldView, ...], doubled: Doubled) -> tuple[MeldPlate, ...]:
        """Return these melds in the form of the protocol, with the points and the scoring seat of each card.

        `doubled` has, by number of a meld, the places of the cards that count double. If nothing has changed
        since the last call, the same object is returned.
        """
        if melds == self._melds and doubled == self._doubled:
            return self._plates
        made, self._made = self._made, {}
        for meld in melds:
            twice = doubled.get(meld.number, _NONE)
            kept = made.get(meld)
            self._made[meld] = kept if kept and kept[0] == twice else (twice, _plate(rules, meld, twice))
        self._melds, self._doubled = melds, dict(doubled)
        self._plates = tuple([plate for _, plate in self._made.values()])
        return self._plates


_NONE: frozenset[int | None] = frozenset()


def _plate(rules: Ruleset, meld: MeldView, twice: frozenset[int | None]) -> MeldPlate:
    run = meld.kind == "run"
    each = card_points(rules, meld.cards, run)
    cards = [
        PlacedCard(
            TEXT[lying.card],
            place_text(lying.card, lying.place, run=run),
            lying.seat,
            2 * points if lying.place in twice else points,
        )
        for lying, points in zip(meld.cards, each, strict=True)
    ]
    return MeldPlate(meld.number, meld.kind, meld.owner, cards, meld.at_once)  # type: ignore[arg-type]


def refused(re: str, error: TableError | IllegalPlay | NotationError) -> Refused:
    """Return the `refused` message for the request `re`."""
    if isinstance(error, TableError):
        return Refused(re=re, reason=error.reason)
    column = error.column if isinstance(error, NotationError) else None
    return Refused(re=re, reason=play_reason(error), column=column)


def play_reason(error: IllegalPlay | NotationError) -> Reason:
    """Return why a play is not legal or cannot be read, with its English message."""
    if isinstance(error, IllegalPlay):
        return reason(error.refusal)
    return reason(Refusal(error.code, "", error.card, error.parts))


def reason(refusal: Refusal) -> Reason:
    """Return the reason for a refusal by the rules, with its message for clients other than the page."""
    short = brief_reason(refusal)
    short.message = refusal.message
    return short


def brief_reason(refusal: Refusal) -> Reason:
    """Return the reason for a refusal by the rules, without its message."""
    parts = (
        ReasonParts(**{name: _part_value(name, part) for name, part in refusal.parts.items()})
        if refusal.parts
        else None
    )
    return Reason(refusal.code, "", refusal.rule, _card(refusal.card), parts)


def _card(card: int | None) -> str | None:
    return TEXT[card] if card is not None and 0 <= card < len(TEXT) else None


def _part_value(name: str, part: Part) -> Any:
    if isinstance(part, tuple):
        return [each if isinstance(each, str) else _laid(each) for each in part]
    return _CODES[name](part) if name in _CODES else part


def _laid(card: int | Laid) -> str:
    if not isinstance(card, Laid):
        return TEXT[card]
    return f"JK={TEXT[card.place]}" if card.card == JOKER and card.place is not None else TEXT[card.card]


_CODES: Mapping[str, Any] = {
    "place": TEXT.__getitem__,
    "rank": RANK_TEXTS.__getitem__,
    "ranks": RANK_TEXTS.__getitem__,
    "suit": SUIT_LETTERS.__getitem__,
}
"""The functions that write the parts whose numbers are codes of cards, ranks and suits."""
