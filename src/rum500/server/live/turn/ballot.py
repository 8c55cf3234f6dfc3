"""Votes: for a pause and its end, abandoning the match, a bot for an absent person, and a rematch."""

from __future__ import annotations

from dataclasses import dataclass, field

from rum500.server.live.log import entries
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.substitutes import Substitutes
from rum500.server.live.turn.turn_timer import TurnTimer
from rum500.server.messages.table_error import TableError

WISH_S = 60.0
"""How many seconds a pause lasts at most after one of the people has voted to resume."""


@dataclass(eq=False, repr=False)
class Ballot:
    """Carries out the results of votes. The votes themselves are in the table's log."""

    _log: TableLog
    _attendance: Attendance
    _time: TableTime
    _substitutes: Substitutes
    _timer: TurnTimer
    _wished: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._paused_at = self._time.now

    def carry_out(self) -> bool:
        """Carry out one vote that has succeeded and return True.

        Otherwise, return False, and set `TableTime.due` if a vote may succeed later without a request.
        """
        state = self._log.state
        if not state.votes and state.status == "playing":
            return False
        agreed = self._agreed()
        if "abandon" in agreed and not self._is_opposed("abandon"):
            self._log.append(entries.Abandoned())
        elif "pause" in agreed and state.status == "playing" and self._may_pause():
            self._log.append(entries.Paused(self._timer.stop()))
            self._paused_at = self._time.now
        elif state.status == "paused" and self._may_resume():
            self._log.append(entries.MatchResumed())
            self._wished = None
            self._timer.restart()
            self._attendance.shift_away(self._paused_at)
        elif agreed & {"replace", "stand_in"} and self.can_replace():
            assert state.acting_player is not None
            kind = entries.Replaced if "replace" in agreed else entries.StoodIn
            self._log.append(kind(state.acting_player))
        else:
            return False
        return True

    @property
    def rematch_agreed(self) -> bool:
        """Whether a table for a rematch should be made."""
        state = self._log.state
        return state.status == "over" and state.rematch is None and "rematch" in self._agreed()

    def can_replace(self) -> bool:
        """Return whether the other players may vote for a bot to play for the person they wait for."""
        state = self._log.state
        player = state.acting_player
        if player is None or state.seats[player].kind != "person":
            return False
        start = self._substitutes.replaceable_from(player)
        return start is not None and start <= self._time.now

    def _agreed(self) -> set[str]:
        """Return the subjects to which all connected people (by a clock of days, all people) agree."""
        state = self._log.state
        during = state.options.daily and state.status in ("playing", "paused")
        voters = (frozenset(state.people()) if during else self._attendance.present) - state.external_bots
        return {on for on, players in state.votes.items() if voters and voters <= players}

    def _is_opposed(self, on: str) -> bool:
        """Return whether the vote `on` lacks the agreement of an absent person for whom no bot plays yet.

        Before the match only the host's agreement counts.
        """
        state = self._log.state
        if state.status == "open":
            return state.host is not None and state.player_of(state.host) not in state.votes[on]
        for player in set(state.people()) - state.external_bots - state.votes[on]:
            start = self._substitutes.bot_from(player)
            if start is None or not self._time.reached(start):
                return True
        return False

    def _may_pause(self) -> bool:
        """Return whether a pause is allowed: absent people must agree too if the player to move is connected.

        Otherwise people could stop their own clocks without the agreement of absent opponents.
        """
        in_turn = self._log.state.acting_player in self._attendance.present
        return not in_turn or not self._is_opposed("pause")

    def _may_resume(self) -> bool:
        """Return whether the pause may end.

        All players who agreed to the pause must vote to resume, or a connected person must have done so
        `WISH_S` seconds ago.

        By a clock of days the vote of one person is enough, and the turn gets its whole time again.
        """
        state = self._log.state
        wishing = state.votes.get("resume", set())
        if state.options.daily:
            return bool(wishing)
        if not wishing & self._attendance.present:
            self._wished = None
            return False
        if self._wished is None:
            self._wished = self._time.now
        return state.votes.pausers <= wishing or self._time.reached(self._wished + WISH_S)


def abandoned_alone(state: TableState, guest: str) -> entries.Abandoned:
    """Return the entry that ends the match of a guest who plays with bots alone.

    Raises `TableError` if the match is over, the guest has no seat, or other people have one.
    """
    if state.ended:
        raise TableError("table.over")
    player = state.player_of(guest)
    if player is None:
        raise TableError("table.not_seated")
    if set(state.people()) - state.external_bots - {player}:
        raise TableError("table.company")
    return entries.Abandoned()
