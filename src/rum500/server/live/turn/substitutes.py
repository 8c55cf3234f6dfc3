"""Bots as substitutes: from when a bot plays for an absent person, and how long bots wait before a play."""

from __future__ import annotations

from dataclasses import dataclass, field

from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.attendance import Attendance

LONG_AWAY_S = 3 * 86_400.0
"""The time in seconds that a person must keep a table without clocks waiting before the others may vote."""
TIMED_OUT_LEVEL = "greedy"
"""The level that plays a turn for a person whose time is used up, by a clock of less than a day."""


@dataclass(eq=False, repr=False)
class Substitutes:
    """Answers which seats bots play for now and later. It changes nothing."""

    _log: TableLog
    _attendance: Attendance
    _time: TableTime
    _asked_at: int | None = field(init=False, default=None)
    _asked_from: float = field(init=False, default=0.0)

    def level_for(self, player: int) -> str | None:
        """Return the level of the bot that plays for this player now; None if a person plays."""
        state = self._log.state
        seat = state.seats[player]
        if seat.kind == "bot":
            return seat.level
        if state.clock.timed_out == player:
            return state.options.level if state.options.daily else TIMED_OUT_LEVEL
        start = self.bot_from(player)
        return state.options.level if start is not None and start <= self._time.now else None

    def bot_from(self, player: int) -> float | None:
        """Return the moment from which a bot plays for an absent person; None if none will.

        It is 0 if all agreed to it. Otherwise it is `leaver_s` after the person left, while another person
        waits. By a clock of days no player has to be here.
        """
        state = self._log.state
        if state.status != "playing":
            return None
        if player in state.replaced:
            return 0.0
        if state.options.daily:
            return None
        left, leaver_s = self._attendance.away.get(player), state.options.leaver_s
        if left is None or not leaver_s or not self._attendance.present - {player}:
            return None
        return left + leaver_s

    def replaceable_from(self, player: int) -> float | None:
        """Return the moment from which the others may vote a bot in for this player; None if they may not."""
        state = self._log.state
        awaited = state.waiting_for == "play" and player == state.acting_player and state.status == "playing"
        if not awaited or player in self._attendance.present:
            return None
        if state.options.turn_s is not None or self.bot_from(player) is not None:
            return None
        if state.asked_at != self._asked_at:  # calendar time: days count while the server is down too
            self._asked_at = state.asked_at
            self._asked_from = self._time.moment(state.asked_at)
        return self._asked_from + LONG_AWAY_S

    def plays_on(self, player: int) -> bool:
        """Return whether this player's bot should play: a viewer watches, or a person's turn may follow."""
        state = self._log.state
        permanent = state.seats[player].kind == "bot" or player in state.replaced or state.options.daily
        return bool(self._attendance.viewers) or (permanent and bool(state.people()))

    @property
    def pause(self) -> float:
        """The seconds that a bot waits before each play; 0 without a viewer."""
        return self._log.state.options.bot_pause_ms / 1000 if self._attendance.viewers else 0.0
