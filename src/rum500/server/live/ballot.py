"""What people agree to: pauses and their end, giving up the match, a bot for who stays away, a rematch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rum500.server.live import log_entries as log

if TYPE_CHECKING:
    from rum500.server.live.scheduler import Scheduler

WISH_S = 60.0
"""So long at most a pause goes on when one of the people wishes to play."""


class Ballot:
    """Does what was voted for; the votes themselves stand in the table's log."""

    def __init__(self, course: Scheduler) -> None:
        """Of this table's course."""
        self.course = course
        self.table = course.table
        self._wished: float | None = None
        self._paused_at = course.table.now

    def carry_out(self) -> bool:
        """Do what has been agreed to."""
        table, state = self.table, self.table.state
        if not state.votes and state.status == "playing":
            table.rematch_wanted = False
            return False
        present = table.present - state.robots
        agreed = {on for on, players in state.votes.items() if present and present <= players}
        if "abandon" in agreed and not self._against("abandon"):
            table.write(log.Abandoned())
        elif "pause" in agreed and state.status == "playing" and self._may_pause():
            spent, self.course.clock_since = self.course.spent(), None
            table.write(log.Paused(spent))
            self._paused_at = table.now
        elif state.status == "paused" and self._resumes():
            table.write(log.MatchResumed())
            self._go_on()
        elif "replace" in agreed and self.replaceable():
            assert state.acting_player is not None
            table.write(log.Replaced(state.acting_player))
        else:
            table.rematch_wanted = "rematch" in agreed and state.status == "over" and state.rematch is None
            return False
        return True

    def _against(self, on: str) -> bool:
        """Whether somebody who is away, and may come back before a bot plays, has not agreed to this.

        Before the match it is the host who decides.
        """
        state = self.table.state
        if state.status == "open":
            return state.host is not None and state.player_of(state.host) not in state.votes[on]
        for player in set(state.people()) - state.robots - state.votes[on]:
            at = self.course.bot_at(player)
            if at is None or self.course.wait(at):
                return True
        return False

    # --- pauses -------------------------------------------------------------------------------------

    def _may_pause(self) -> bool:
        """Nobody stops the clock in a turn of their own behind the back of somebody who is away."""
        return self.table.state.acting_player not in self.table.present or not self._against("pause")

    def _resumes(self) -> bool:
        """Whether all who agreed to the pause wish to play, or one who is here has wished so for a while."""
        state = self.table.state
        wishing = state.votes.get("resume", set())
        if not wishing & self.table.present:
            self._wished = None
            return False
        if self._wished is None:
            self._wished = self.table.now
        return state.pausers <= wishing or not self.course.wait(self._wished + WISH_S)

    def _go_on(self) -> None:
        """Play goes on: the time of those who are away has stood as the clock has."""
        table, now = self.table, self.table.now
        self._wished = None
        self.course.since = now
        table.away = {player: now - max(0.0, self._paused_at - left) for player, left in table.away.items()}

    # --- who stays away -----------------------------------------------------------------------------

    def replaceable(self) -> bool:
        """Whether the others may have a bot play for the person who keeps them waiting."""
        player = self.table.state.acting_player
        if player is None or self.table.state.seats[player].kind != "person":
            return False
        at = self.course.replace_at(player)
        return at is not None and at <= self.table.now
