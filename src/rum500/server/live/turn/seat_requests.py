"""Requests for a seat by its own person, who has lost the cookie and comes back as another guest.

The asking guest and the people at the table see the same two words, which they compare by voice. The first
answer decides: yes gives the seat to the guest for good, no ends the request.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rum500.server import messages
from rum500.server.live.log import entries
from rum500.server.live.log.seats import SeatRequest
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.table_options import Guest
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.log.waits import open_request
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.vacancies import hand_over
from rum500.server.live.turn.viewer import Viewer
from rum500.server.messages.table_error import TableError
from rum500.server.two_words import two_words

AWAY_S = 30.0
"""How many seconds after a person left a spectator may ask for the person's seat."""
OPEN_S = 120.0
"""How many seconds a request waits for an answer."""
REFUSED_S = 600.0
"""For how many seconds after a no neither the guest nor the guest's address may ask for that seat again."""


@dataclass(eq=False, repr=False)
class SeatRequests:
    """Checks requests for seats and the answers to them, and appends both to the log."""

    _log: TableLog
    _attendance: Attendance
    _time: TableTime
    _entropy: Callable[[int], bytes]
    _refused: dict[tuple[str, int], float] = field(init=False, default_factory=dict)
    """By guest or address, and player: the moment from which that seat may be asked for again."""
    _address: str = field(init=False, default="")
    """The address from which the open request came; empty after a restart."""

    def allowed_from(self, player: int) -> float | None:
        """Return the moment from which a spectator may ask for this player's seat; None if nobody may.

        At a table that the lobby lists, strangers play, who cannot know each other's voices.
        """
        state = self._log.state
        if state.status not in ("playing", "paused") or state.tried or not state.options.private:
            return None
        if player not in self._attendance.absent or state.seats[player].external:
            return None
        return self._attendance.left(player) + AWAY_S if self._witnesses(player) else None

    def _witnesses(self, player: int) -> set[int]:
        """Return the other people at the table. Bots do not answer."""
        return set(self._log.state.people()) - self._log.state.external_bots - {player}

    def ask(self, viewer: Viewer, player: int) -> None:
        """Append a spectator's request for this player's seat. Raises `TableError` if it is not allowed."""
        state, now = self._log.state, self._time.now
        if not state.options.private:
            raise TableError("seat.public")
        if not self._witnesses(player):
            raise TableError("seat.bots")
        moment = self.allowed_from(player)
        if moment is None or moment > now:
            raise TableError("seat.here")
        if not state.seats.may_have(viewer.guest.id, player):
            raise TableError("table.saw_hand")
        if open_request(state) is not None:
            raise TableError("seat.asking")
        self._refused = {key: until for key, until in self._refused.items() if until > now}
        if any((who, player) in self._refused for who in (viewer.guest.id, viewer.address)):
            raise TableError("seat.refused")
        words = two_words(self._entropy)
        self._log.append(entries.SeatRequested(player, viewer.guest.id, words))
        self._address = viewer.address

    def withdraw(self, viewer: Viewer) -> None:
        """End the open request of this guest; without one, do nothing."""
        request = open_request(self._log.state)
        if request is not None and request.entry.guest == viewer.guest.id:
            self._log.append(entries.SeatRequestEnded("withdrawn"))

    def answer(self, viewer: Viewer, number: int, *, yes: bool) -> None:
        """Append a person's answer to request `number`. Raises `TableError` if the person may not answer."""
        request = open_request(self._log.state)
        if viewer.player is None:
            raise TableError("table.not_seated")
        if request is None or request.number != number:
            raise TableError("seat.settled")
        if viewer.player not in self._deciders(request):
            raise TableError("seat.own_device")
        asked = request.entry
        if yes:
            name = self._log.state.seats[asked.player].name
            hand_over(self._log, asked.player, Guest(asked.guest, name), for_good=True)
            return
        until = self._time.now + REFUSED_S
        for who in filter(None, (asked.guest, self._address)):
            self._refused[who, asked.player] = until
        self._address = ""
        self._log.append(entries.SeatRequestEnded("refused"))

    def _deciders(self, request: SeatRequest) -> set[int]:
        """Return the players who may answer: the seat's own person if connected, or else the other people."""
        own = request.entry.player
        return {own} if own in self._attendance.present else self._witnesses(own)

    def expire(self) -> bool:
        """End the open request if nobody has answered it in `OPEN_S` seconds. Return whether it ended."""
        request = open_request(self._log.state)
        if request is None or not self._time.reached(self._time.fixed_moment(request.at) + OPEN_S):
            return False
        self._log.append(entries.SeatRequestEnded("unanswered"))
        return True

    def shown_to(self, viewer: Viewer) -> messages.SeatRequest | None:
        """Return the request as this viewer may see it; None for viewers who neither ask nor may answer."""
        state = self._log.state
        request = state.seats.request
        if request is None:
            return None
        asked, opened = request.entry, open_request(state) is not None
        mine = viewer.guest.id == asked.guest and (opened or request.outcome is not None)
        if not mine and not (opened and viewer.player in self._deciders(request)):
            return None
        seat = state.seat_of(asked.player)
        if seat is None:  # the player has resigned
            return None
        return messages.SeatRequest(request.number, seat, asked.words, mine, request.outcome)
