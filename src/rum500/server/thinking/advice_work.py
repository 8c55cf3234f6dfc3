"""Advice from the rules: suggested plays, the hand in groups, plays with given cards, results of a take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from rum500.bots.hand_analysis import grouped
from rum500.cards import CardError, card_from_text
from rum500.match import Suggestion, holds_fourth, suggest_cards, suggest_take, suggestions, why_not_laid
from rum500.rules.action_codes import action_kind, discarded_card, shape_of
from rum500.rules.actions import ActionKind, Call, Discard, Draw, EndDeal, LayOff, Meld, Pass, Take
from rum500.rules.explain import Refusal, explain
from rum500.server import messages
from rum500.server.messages.field_types import HintDepth
from rum500.server.messages.render import TEXT, brief_reason, placed, reason, texts
from rum500.server.messages.table_error import TableError
from rum500.state import State, view_to_text
from rum500.view import Phase, View

MOST = 24
"""The largest number of plays that are suggested."""
_NOT_NOW = TableError("table.turn").reason


_LIGHT_CARDS, _LIGHT_JOKERS = 40, 1
"""If hand and pile have no more cards and jokers than this, advice costs less time than sending the work."""


class Advice(NamedTuple):
    """The work that answers an `ask`, without the answer's id. It can be pickled for another process."""

    work: partial[messages.Answer]
    light: bool
    """Whether the event loop should do the work; if not, the work has a copy of the deal."""
    depth: HintDepth | None = None
    """The depth of a hint; None for other advice."""

    @property
    def is_hint(self) -> bool:
        """Whether the answer is a hint."""
        return self.depth is not None


def encoded_answer(work: partial[messages.Answer]) -> bytes:
    """Do the work and return its answer as JSON. A worker process calls this."""
    return msgspec.json.encode(work())


def advice_on(message: messages.Ask, deal: State, seat: int, asked: int, *, decides: bool) -> Advice:
    """Return the work that answers `message` for `seat` of `deal`; heavy work gets a copy of the deal.

    `asked` is the number of the decision that the table waits for; `decides` says whether it is this seat's.
    Raises `TableError` if the message names cards that do not exist or are not in the seat's hand.
    """
    light = message.about == "position" or _light(deal, seat)
    deal = deal if light else deal.copy()
    if message.about == "position":
        return Advice(partial(_position, deal, seat, asked, decides=decides), light)
    return Advice(_work(message, deal, seat, decides=decides), light)


def _light(deal: State, seat: int) -> bool:
    core = deal.core
    return core.hn[seat] + core.pile_n <= _LIGHT_CARDS and core.hj[seat] + core.pile_j <= _LIGHT_JOKERS


def _work(message: messages.Ask, deal: State, seat: int, *, decides: bool) -> partial[messages.Answer]:
    if message.about == "turn":
        return partial(_turn, deal, seat, decides=decides)
    if not decides:
        return partial(messages.Answer, "", reason=_NOT_NOW)
    if message.about == "take":
        return partial(_take, deal, seat, message.count)
    return partial(_playing, deal, seat, _cards(message.cards, deal.view(seat).hand))


def _position(deal: State, seat: int, asked: int, *, decides: bool) -> messages.Answer:
    """Return an answer for external bots: the seat's view as text, and the past and legal plays as codes."""
    if not decides:
        return messages.Answer("", reason=_NOT_NOW)
    view = deal.view(seat)
    past, legal = [str(code) for code in view.past], [str(code) for code in view.legal]
    return messages.Answer("", position=view_to_text(view), past=past, legal=legal, asked=asked)


def _cards(words: Sequence[str], hand: Sequence[int]) -> Sequence[int]:
    try:
        cards = [card_from_text(word) for word in words]
    except CardError as error:
        raise TableError(error.code, str(error)) from None
    left = list(hand)
    for card in cards:
        if card not in left:
            raise TableError("table.card")
        left.remove(card)
    return cards


def _turn(deal: State, seat: int, *, decides: bool) -> messages.Answer:
    view = deal.view(seat)
    groups = grouped(view) if view.hand and not view.is_over else []
    found = suggestions(deal, seat)[:MOST] if decides else []
    return messages.Answer(
        "",
        options=[option(deal, seat, choice) for choice in found],
        groups=[
            messages.CardGroup(texts(group.cards), group.kind, group.points)  # type: ignore[arg-type]
            for group in groups
        ],
        refused={name: brief_reason(why) for name, why in _refused(deal, view)} if decides else {},
    )


def _refused(deal: State, view: View) -> Iterator[tuple[str, Refusal]]:
    """Yield (name, refusal) of each illegal play, such as `draw` or `take`; a discard's name is its card.

    If no card may be discarded, one refusal named `discard` replaces the refusals of single cards.
    """
    if deal.phase is Phase.CLAIM:
        return
    kinds = {action_kind(code) for code in view.legal}
    if ActionKind.DRAW not in kinds:
        yield "draw", explain(deal.core, deal.rules, Draw())
    if ActionKind.TAKE not in kinds:
        yield "take", explain(deal.core, deal.rules, Take(1))
    if deal.phase is Phase.DRAW:
        yield from _refused_before_drawing(deal, view, kinds)
    elif ActionKind.DISCARD in kinds:
        open_ = {discarded_card(code) for code in view.legal if action_kind(code) is ActionKind.DISCARD}
        for card in sorted(set(view.hand) - open_):
            yield TEXT[card], explain(deal.core, deal.rules, Discard(card))
    elif view.hand:
        yield "discard", explain(deal.core, deal.rules, Discard(view.hand[0]))


def _refused_before_drawing(deal: State, view: View, kinds: set[ActionKind]) -> Iterator[tuple[str, Refusal]]:
    if view.hand:
        first = explain(deal.core, deal.rules, Discard(view.hand[0]))
        yield "discard", first
        yield "lay", first
    if ActionKind.DRAW in kinds:
        return
    if ActionKind.PASS not in kinds:
        yield "pass", explain(deal.core, deal.rules, Pass())
    if ActionKind.END not in kinds:
        yield "end", explain(deal.core, deal.rules, EndDeal())


def _take(deal: State, seat: int, count: int) -> messages.Answer:
    found = suggest_take(deal, count)
    if isinstance(found, Refusal):
        return messages.Answer("", reason=reason(found))
    return messages.Answer("", options=[option(deal, seat, found)])


def _playing(deal: State, seat: int, cards: Sequence[int]) -> messages.Answer:
    if not cards:
        return messages.Answer("")
    found = suggest_cards(deal, cards)
    why = reason(found) if isinstance(found, Refusal) else None
    choices = [] if isinstance(found, Refusal) else found
    possible = {"lay" if isinstance(choice.action, LayOff) else "meld" for choice in choices}
    refused = {
        name: brief_reason(why_not_laid(deal, cards, lay=name == "lay"))
        for name in ("meld", "lay")
        if name not in possible
    }
    options = [option(deal, seat, choice) for choice in choices[:MOST]]
    return messages.Answer("", options=options, reason=why, refused=refused)


def option(deal: State, seat: int, choice: Suggestion) -> messages.SuggestedPlay:
    """Return a suggestion for a seat in the form of the protocol."""
    action = choice.action
    fields = {"play": str(choice.code), "points": choice.points, "doubled": choice.doubled}
    if isinstance(action, Take | Call):
        kind = "take" if isinstance(action, Take) else "call"
        after = deal.copy()
        after.apply_int(choice.code)
        then = None if choice.then is None else option(after, seat, choice.then)
        cards = [messages.PlacedCard(text, None, seat, 0) for text in texts(deal.pile[-action.count :])]
        return messages.SuggestedPlay(kind=kind, cards=cards, count=action.count, then=then, **fields)  # type: ignore[arg-type]
    assert isinstance(action, Meld | LayOff)
    double = choice.doubled
    if isinstance(action, LayOff):
        meld = deal.melds[action.meld]
        cards = placed(deal.rules, action.cards, seat, run=action.run, doubled=double)
        return messages.SuggestedPlay(
            kind="lay",
            cards=cards,
            meld=action.meld,
            owner=meld.owner,
            meld_kind=meld.kind,
            **fields,  # type: ignore[arg-type]
        )
    kind = shape_of(choice.code)
    cards = placed(deal.rules, action.cards, seat, run=kind == "run", doubled=double)
    return messages.SuggestedPlay(
        kind="meld",
        cards=cards,
        meld_kind=kind,
        fourth=holds_fourth(deal, action),
        **fields,  # type: ignore[arg-type]
    )
