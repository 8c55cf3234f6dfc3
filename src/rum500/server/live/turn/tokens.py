"""Tokens of external bots. Each lets one bot play one seat of one table, until it is revoked.

The table's log contains only the digest of a token.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

from rum500.server import messages
from rum500.server.live.log import entries as log
from rum500.server.live.log.day_attempts import is_attempt
from rum500.server.live.log.seats import TableSeat
from rum500.server.live.log.table_state import TableState
from rum500.server.messages.table_error import TableError

HEAD = "r5b_"
"""The first characters of every token, by which a leaked token can be recognized."""
_BEARER = "bearer "
_BYTES = 24
_LONGEST = 80


def new_token(entropy: Callable[[int], bytes]) -> str:
    """Return a token that nobody can guess."""
    return HEAD + base64.urlsafe_b64encode(entropy(_BYTES)).decode("ascii")


def key_of(token: str) -> str | None:
    """Return the digest of a token, or of the token in an Authorization header; None for other text."""
    word = token[len(_BEARER) :] if token[: len(_BEARER)].lower() == _BEARER else token
    word = word.strip()
    if not word.startswith(HEAD) or len(word) > _LONGEST:
        return None
    return hashlib.sha256(word.encode()).hexdigest()[:32]


def seat_lent(state: TableState, guest: str, seat: int, key: str, name: str) -> log.SeatLent:
    """Return the entry that lends a seat to an external bot. Raises `TableError` if the guest may not.

    A guest may lend the guest's own seat at any time. Before the match the host may lend every seat without
    another person. A token gives access to the seat's hand, so during the match the host may only replace a
    token that the same host has made.
    """
    player, found = _seat(state, seat)
    if state.ended:
        raise TableError("table.over")
    if is_attempt(state):
        raise TableError("day.alone")
    own = guest == found.owner if found.external else guest == found.guest
    if own:
        return log.SeatLent(player, key, name, guest)
    if guest != state.host:
        raise TableError("table.host")
    if found.kind == "person" and (not found.external or found.owner is not None):
        raise TableError("table.seat_taken")
    if state.status != "open" and not (found.external and guest == found.lender):
        raise TableError("table.begun")
    return log.SeatLent(player, key, name, guest)


def token_revoked(state: TableState, guest: str, seat: int) -> log.SeatTokenRevoked:
    """Return the entry that revokes a seat's token. Raises `TableError` if the guest may not."""
    player, found = _seat(state, seat)
    if not found.external:
        raise TableError("table.no_token")
    if guest not in (found.owner, found.lender, state.host):
        raise TableError("table.host")
    return log.SeatTokenRevoked(player)


def _seat(state: TableState, seat: int) -> tuple[int, TableSeat]:
    """Return the player at this seat now, and the seat. Raises `TableError` if there is no such seat."""
    seating = state.seating
    if not 0 <= seat < len(seating):
        most = len(seating)
        raise TableError("table.no_seat", parts=messages.ReasonParts(most=most))
    return seating[seat], state.seats[seating[seat]]
