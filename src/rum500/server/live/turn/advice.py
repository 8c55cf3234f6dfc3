"""Answers to `ask`: the work that computes an answer, and the conditions for a hint."""

from __future__ import annotations

from rum500.server import messages
from rum500.server.live.log.table_state import TableState
from rum500.server.messages.field_types import HINT_LIMITS, HintDepth
from rum500.server.messages.table_error import TableError
from rum500.server.thinking.advice_work import Advice, advice_on
from rum500.server.thinking.hint_work import hint_on
from rum500.state import State
from rum500.view import View


def advise(state: TableState, player: int | None, message: messages.Ask) -> Advice:
    """Return the work that answers a player's `ask`. Raises `TableError` if it is not allowed."""
    seat = state.seat_of(player)
    if player is None or seat is None or state.match is None or state.match.state is None:
        raise TableError("table.not_seated")
    if message.about == "hint":
        return hint_on(_hint_noted(state, player, seat, message.depth), message.depth)
    claim = state.claimant(player)
    deal = claim.state if claim else state.match.state
    decides = claim is not None or (not state.claims and deal.actor == seat)
    decides = decides and state.waiting_for in ("play", "claim")
    if claim is not None and state.rules.blind_claims:
        # Advice would reveal whether a call is possible. A bot's own view reveals it anyway.
        decides = message.about == "position" and player in state.external_bots
    return advice_on(message, deal, seat, state.asked, decides=decides)


def check_hint(state: TableState, player: int, depth: HintDepth) -> None:
    """Raise `TableError` unless this player, who has to decide, may get a hint of this depth."""
    if player in state.external_bots or state.people() != [player]:
        raise TableError("hint.people")
    allowed = HINT_LIMITS.index(state.options.hints)
    if not allowed:
        raise TableError("hint.off")
    if HINT_LIMITS.index(depth) > allowed:
        raise TableError("hint.deeper")
    most = state.options.hints_a_deal
    if most is not None and player not in state.hinted and state.hints_in_deal(player) >= most:
        raise TableError("hint.used_up")
    if state.claims and state.rules.blind_claims:
        # A hint would reveal whether a call is possible.
        raise TableError("hint.blind")
    if len(_decision(state, player).legal_ints()) < 2:
        raise TableError("hint.only")


def _hint_noted(state: TableState, player: int, seat: int, depth: HintDepth) -> View:
    """Return the player's view for a hint. Raises `TableError` unless such a hint is logged and allowed."""
    if HINT_LIMITS.index(depth) > HINT_LIMITS.index(state.hinted.get(player, "none")):
        raise TableError("hint.not_noted")
    check_hint(state, player, depth)
    return _decision(state, player).view(seat)


def _decision(state: TableState, player: int) -> State:
    """Return the state in which this player has to decide: that of the player's claim, else of the match."""
    assert state.match is not None
    claim = state.claimant(player)
    deal = claim.state if claim else state.match.state
    assert deal is not None
    return deal
