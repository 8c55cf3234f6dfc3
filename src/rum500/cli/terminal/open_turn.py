"""The person's turn in progress: plays that can still be taken back, because they revealed nothing hidden.

Takes, calls, melds and lay-offs are played on a copy of the deal. They are applied to the match together,
when a play reveals something (a draw) or ends the turn, or when the player leaves.
"""

from __future__ import annotations

from rum500.rules.actions import Action, Call, LayOff, Meld, Take
from rum500.state import State
from rum500.view import Event, Phase


class Turn:
    """A draft of the turn; `state` is the deal with the draft's plays."""

    def __init__(self, base: State) -> None:
        """Start from this state, which is not changed."""
        self.base = base
        self.state = base.copy()
        self.plays: list[Action] = []
        self.events: list[Event] = []

    def play(self, action: Action) -> bool:
        """Play a legal action; return False if the turn is over and the draft must become final."""
        seat = self.state.actor
        self.events += self.state.apply(action)
        self.plays.append(action)
        return (
            isinstance(action, Take | Call | Meld | LayOff)
            and self.state.actor == seat
            and self.state.phase in (Phase.USE, Phase.PLAY)
        )

    def undo(self) -> bool:
        """Take back the last play; return False if there is none."""
        if not self.plays:
            return False
        plays, self.plays, self.events = self.plays[:-1], [], []
        self.state = self.base.copy()
        for action in plays:
            self.play(action)
        return True
