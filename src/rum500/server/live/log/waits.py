"""What a table waits for: players, the end of a day, and the answer to a request for a seat."""

from __future__ import annotations

from rum500.server.live.log.day_attempts import attempt_due
from rum500.server.live.log.seats import SeatRequest
from rum500.server.live.log.table_state import TableState


def awaited(state: TableState) -> list[int]:
    """Return the players who keep the match waiting."""
    if state.status != "playing":
        return []
    if state.claims:
        return state.claims.undecided(state.seating)
    if state.waiting_for == "next":
        return [player for player in state.people() if player not in state.ready]
    if state.waiting_for == "shuffle":
        return [player for player in state.people() if player not in state.shuffles.seeds]
    return [] if state.acting_player is None else [state.acting_player]


def open_request(state: TableState) -> SeatRequest | None:
    """Return the request for a seat that waits for an answer; None if there is none."""
    request = state.seats.request
    if request is None or request.outcome is not None or state.status not in ("playing", "paused"):
        return None
    return request if request.entry.player in state.people() else None


def day_due(state: TableState) -> int | None:
    """Return the time, in ms since 1970, at which the calendar ends the present wait; None if it does not.

    For an attempt at a deal of the day, it is the end of that day; else a clock of days determines it.
    A time in the past means that the wait ends now.
    """
    if (end := attempt_due(state)) is not None:
        return end
    if state.status != "playing" or not state.options.daily:
        return None
    return state.asked_at + _wait_ms(state)


def _wait_ms(state: TableState) -> int:
    """Return how long a clock of days waits for people in the present decision, in ms; 0 for no wait."""
    if state.waiting_for == "play":
        player = state.acting_player
        assert player is not None
        return 0 if state.seats[player].kind == "bot" else state.clock.left(player)
    waits = state.waiting_for in ("claim", "next")
    people = waits and any(
        state.seats[player].kind == "person"
        for player in awaited(state)
        if state.claims or not state.seats[player].external
    )
    return (state.options.turn_s or 0) * 1000 if people else 0
