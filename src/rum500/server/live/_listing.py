"""What the lobby shows of a table: an index, made anew from the table where it may have changed."""

from __future__ import annotations

import msgspec

from rum500.server import messages
from rum500.server.live import log_entries as log
from rum500.server.live.table_state import TableState

LISTED = (
    log.Sat, log.Stood, log.BotSat, log.SeatLent, log.SeatTokenRevoked, log.Hosted, log.Began, log.CutMade,
    log.Paused,
    log.MatchResumed, log.Resigned, log.Abandoned,
)  # fmt: skip
"""Lines after which the lobby's row of the table may be another."""


def lobby_fields(state: TableState) -> dict[str, object]:
    """What the lobby shows of a table."""
    plates = [
        messages.SeatPlate(seat.kind, seat.name, seat.level, robot=seat.robot)  # type: ignore[arg-type]
        for seat in state.seats
    ]
    guests = [seat.owner if seat.robot else seat.guest for seat in state.seats]
    return {
        "status": state.status,
        "updated": state.changed_at,
        "people": [guest for guest in guests if guest is not None],
        "seats_free": sum(seat.kind == "empty" for seat in state.seats),
        "seats": msgspec.json.encode(plates).decode(),
        "host": next((seat.name for seat in state.seats if seat.guest == state.host), None),
    }
