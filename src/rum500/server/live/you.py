"""What one player alone may see: the hand, and what may be played, from the player's own part of a view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rum500.rules.action_codes import action_kind, discarded_card, lays_cards, taken_count
from rum500.rules.actions import ActionKind, Discard, Draw, EndDeal, Pass, Take
from rum500.rules.explain import Refusal, explain
from rum500.server import messages
from rum500.server.live.table_state import TableState
from rum500.server.messages.render import TEXT, brief_reason, texts
from rum500.state import State
from rum500.view import OwnPart, Phase

Raw = dict[str, Any]

SPECTATOR: Raw = {
    "seat": None,
    "hand": (),
    "drawn": None,
    "may": (),
    "plays": {},
    "takes": {},
    "calls": {},
    "discards": {},
    "refused": {},
    "undo": 0,
}
"""What somebody without a seat has to decide: nothing."""
_PLAIN = {
    ActionKind.DRAW: "draw",
    ActionKind.PASS: "pass",
    ActionKind.END: "end",
    ActionKind.LET_GO: "let_go",
}


def own_raw(state: TableState, player: int | None, undo: int = 0) -> Raw:
    """Every field of `Own` for this player; `undo` is how many plays may be taken back."""
    seat = state.seat_of(player)
    if player is None or seat is None:
        return SPECTATOR
    match = state.match
    if match is None or match.state is None or not state.deal_shown:
        return SPECTATOR | {"seat": seat}
    claim = state.claimant(player)
    deal = claim.state if claim else match.state
    own = deal.own(seat)
    raw = SPECTATOR | {"seat": seat, "hand": own.hand, "drawn": own.drawn, "undo": undo}
    decides = own.legal and (claim is not None or not state.claims)
    if not decides or state.status != "playing" or state.timed_out == player:
        return raw
    return raw | _open(own) | {"refused": dict(_refused(deal, own))}


def _open(own: OwnPart) -> Raw:
    """The plays that are open, as the page wants them."""
    may: dict[str, None] = {}
    plays: dict[str, str] = {}
    takes: dict[str, str] = {}
    calls: dict[str, str] = {}
    discards: dict[str, str] = {}
    for code in own.legal:
        kind = action_kind(code)
        if lays_cards(code):
            may["lay"] = None
        elif kind is ActionKind.DISCARD:
            may["discard"] = None
            discards[TEXT[discarded_card(code)]] = str(code)
        elif kind is ActionKind.TAKE:
            may["take"] = None
            takes[str(taken_count(code))] = str(code)
        elif kind is ActionKind.CALL:
            may["call"] = None
            calls[str(taken_count(code))] = str(code)
        else:
            may[_PLAIN[kind]] = None
            plays[_PLAIN[kind]] = str(code)
    return {"may": tuple(may), "plays": plays, "takes": takes, "calls": calls, "discards": discards}


def _refused(deal: State, own: OwnPart) -> Iterator[tuple[str, Refusal]]:
    """Why what one might want to do is not open, as far as it can be said without naming cards."""
    phase = deal.phase
    if phase is Phase.CLAIM:
        return
    kinds = {action_kind(code) for code in own.legal}
    if ActionKind.DRAW not in kinds:
        yield "draw", explain(deal.core, deal.rules, Draw())
    if ActionKind.TAKE not in kinds:
        yield "take", explain(deal.core, deal.rules, Take(1))
    if phase is Phase.DRAW:
        yield from _refused_before_drawing(deal, own, kinds)
    elif ActionKind.DISCARD in kinds:
        yield from _cards_refused(deal, own)
    elif own.hand:
        yield "discard", explain(deal.core, deal.rules, Discard(own.hand[0]))


def _refused_before_drawing(
    deal: State, own: OwnPart, kinds: set[ActionKind]
) -> Iterator[tuple[str, Refusal]]:
    if own.hand:
        first = explain(deal.core, deal.rules, Discard(own.hand[0]))
        yield "discard", first
        yield "lay", first
    if ActionKind.DRAW in kinds:
        return
    if ActionKind.PASS not in kinds:
        yield "pass", explain(deal.core, deal.rules, Pass())
    if ActionKind.END not in kinds:
        yield "end", explain(deal.core, deal.rules, EndDeal())


def _cards_refused(deal: State, own: OwnPart) -> Iterator[tuple[str, Refusal]]:
    """Cards that alone may not be discarded, where others may."""
    open_ = {discarded_card(code) for code in own.legal if action_kind(code) is ActionKind.DISCARD}
    for card in sorted(set(own.hand) - open_):
        yield TEXT[card], explain(deal.core, deal.rules, Discard(card))


def own_told(raw: Raw) -> messages.Own:
    """These fields as the wire has them."""
    told = dict(raw)
    for name, words in _WORDS.items():
        if name in told:
            told[name] = words(told[name])
    return messages.Own(**told)


_WORDS: dict[str, Any] = {
    "hand": texts,
    "drawn": lambda raw: None if raw is None else TEXT[raw],
    "may": list,
    "refused": lambda raw: {name: brief_reason(refusal) for name, refusal in raw.items()},
}
