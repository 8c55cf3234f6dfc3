"""Bots as substitutes: when a bot plays for an absent person, and when other players may vote for that."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.attendance import Attendance

LONG_AWAY_S = 3 * 86_400.0
"""How many seconds a person must keep the other players waiting before they may vote for a bot, if the person
was not connected in this session, or asked them to wait.
"""
TIMED_OUT_LEVEL = "greedy"
"""The level that plays the rest of a turn for a person whose time has run out, except by a clock of days."""


@dataclass(eq=False, repr=False)
class Substitutes:
    """Computes for which seats bots play, now and later. It changes nothing."""

    _log: TableLog
    _attendance: Attendance
    _time: TableTime

    def level_for(self, player: int) -> str | None:
        """Return the level of the bot that plays for this player now; None if the person plays."""
        state = self._log.state
        seat = state.seats[player]
        if seat.kind == "bot":
            return seat.level
        if state.clock.timed_out == player:
            return state.options.level if state.options.daily else TIMED_OUT_LEVEL
        start = self.bot_from(player)
        return state.options.level if start is not None and start <= self._time.now else None

    def bot_from(self, player: int) -> float | None:
        """Return the moment from which a bot plays for an absent person; None if no bot will.

        The moment is 0 if the other players agreed to a bot. Else it is `leaver_s` after the person left, and
        `away_s` more if the page was not closed. It is None without the option `leaver_s`, without another
        connected person, after a request to wait, and with turns of days (people need not be connected).
        """
        state = self._log.state
        if state.status != "playing":
            return None
        if player in state.absences.by_agreement:
            return 0.0
        if state.options.daily or player in state.absences.waited_for:
            return None
        left, leaver_s = self._attendance.away.get(player), state.options.leaver_s
        if left is None or not leaver_s or not self._attendance.present - {player}:
            return None
        return left + leaver_s + (0 if player in self._attendance.gone else state.options.away_s)

    def replaceable_from(self, player: int) -> float | None:
        """Return the moment from which the other players may vote for a bot; None if they may not.

        They may `call_bot_s` seconds after the decision began. If the person asked them to wait, or was not
        connected in this session (see `SESSION_S`), they may `LONG_AWAY_S` seconds after the decision began.
        """
        state = self._log.state
        awaited = state.waiting_for == "play" and player == state.acting_player and state.status == "playing"
        if not awaited or player in self._attendance.present:
            return None
        if state.options.turn_s is not None or self.bot_from(player) is not None:
            return None
        soon = player in self._attendance.away and player not in state.absences.waited_for
        # By the calendar: days count even while the server is down.
        asked = self._time.fixed_moment(state.asked_at)
        return asked + (state.options.call_bot_s if soon else LONG_AWAY_S)

    def plays_on(self, player: int) -> bool:
        """Return whether this player's bot should play now.

        While the table has viewers, every bot plays. Without viewers, a person must have a seat, and
        either the bot has its own seat, or the other players agreed to the bot, or turns last days.
        """
        state = self._log.state
        permanent = (
            state.seats[player].kind == "bot" or player in state.absences.replaced or state.options.daily
        )
        return bool(self._attendance.viewers) or (permanent and bool(state.people()))
