"""The limit on undo: a play that showed a new card to other viewers cannot be taken back."""

from __future__ import annotations

from rum500.server.live.log.day_attempts import is_attempt
from rum500.server.live.log.table_log import TableLog


class UndoLimit:
    """Counts the plays of the present turn that other viewers have received."""

    def __init__(self, log: TableLog) -> None:
        """Count all plays of the turn as seen, because viewers from before a restart are unknown."""
        self._log = log
        self._seen = self._undoable()

    def note_sent(self, *, others_watch: bool) -> None:
        """Record that all plays so far have been sent.

        `others_watch` says that viewers other than the player to move got the plays.
        """
        undoable = self._undoable()
        self._seen = undoable if others_watch else min(self._seen, undoable)

    def available(self, player: int | None) -> int:
        """Return how many plays this player may take back now."""
        state = self._log.state
        if (
            player is None
            or state.match is None
            or state.status != "playing"
            or player != state.acting_player
            or player == state.clock.timed_out
        ):
            return 0
        plays = state.match.undoable
        if state.tried and not is_attempt(state):
            return len(plays)
        final = min(self._seen, len(plays))
        while final and not plays[final - 1]:
            final -= 1
        return len(plays) - final

    def _undoable(self) -> int:
        match = self._log.state.match
        return len(match.undoable) if match else 0
