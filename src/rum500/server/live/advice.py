"""Answers to `ask`: adds the seat, the deal and whose decision it is, before advice is computed."""

from __future__ import annotations

from rum500.server import messages
from rum500.server.live.table_state import TableState
from rum500.server.messages.table_error import TableError
from rum500.server.thinking.advice_work import Advice, advice_on


def advise(state: TableState, player: int | None, message: messages.Ask) -> Advice:
    """Return the work that answers a player's `ask`. Raises `TableError` if the player may not ask it."""
    seat = state.seat_of(player)
    if player is None or seat is None or state.match is None or state.match.state is None:
        raise TableError("table.not_seated")
    claim = state.claimant(player)
    deal = claim.state if claim else state.match.state
    decides = claim is not None or (not state.claims and deal.actor == seat)
    decides = decides and state.waiting_for in ("play", "claim")
    if claim is not None and state.rules.blind_claims:
        # Advice would tell whether there is something to call. A bot works that out from its view.
        decides = message.about == "position" and player in state.robots
    return advice_on(message, deal, seat, state.asked, decides=decides)
