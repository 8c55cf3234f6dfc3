"""Refusals as the wire has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rum500.cards import JOKER, RANK_TEXTS, SUIT_LETTERS
from rum500.rules.actions import Laid
from rum500.rules.explain import Part, Refusal
from rum500.rules.notation import NotationError
from rum500.server.live._cards import TEXT
from rum500.server.live._options import TableError
from rum500.server.messages import Parts, Reason, Refused
from rum500.state import IllegalPlay


def refused(re: str, error: TableError | IllegalPlay | NotationError) -> Refused:
    """The answer to a message that changed nothing."""
    match error:
        case IllegalPlay():
            return Refused(re=re, reason=reason(error.refusal))
        case NotationError():
            refusal = Refusal(error.code, "", error.card, error.parts)
            return Refused(re=re, reason=reason(refusal), column=error.column)
    return Refused(re=re, reason=Reason(error.code, error.message, parts=error.parts))


def reason(refusal: Refusal) -> Reason:
    """A refusal of the rules, with its message for those who have no page."""
    short = brief_reason(refusal)
    short.message = refusal.message
    return short


def brief_reason(refusal: Refusal) -> Reason:
    """A refusal of the rules, without words."""
    parts = (
        Parts(**{name: _told(name, part) for name, part in refusal.parts.items()}) if refusal.parts else None
    )
    return Reason(refusal.code, "", refusal.rule, _card(refusal.card), parts)


def _card(card: int | None) -> str | None:
    return TEXT[card] if card is not None and 0 <= card < len(TEXT) else None


def _told(name: str, part: Part) -> Any:
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
    "suit": SUIT_LETTERS.__getitem__,
}
"""How a part that is one number is written, where it is not a number that is counted."""
