"""The data with which a match takes back takes, melds and lay-offs of the current turn."""

from __future__ import annotations

from typing import NamedTuple

from rum500.match.decisions import Decision, PlayNeeded
from rum500.rules.actions import Action, LayOff, Meld, Take
from rum500.state import State
from rum500.view import Phase


class Before(NamedTuple):
    """A match before a play: what `Match.undo` restores."""

    state: State
    inputs: int
    """The number of inputs before the play."""
    events: int
    """The number of events before the play."""
    shown: bool
    """Whether the play showed a card that only its player knew."""


def before_play(state: State, action: Action, inputs: int, events: int) -> Before | None:
    """Return what `Match.undo` needs to take back this action; None if it cannot be taken back."""
    if not isinstance(action, Take | Meld | LayOff):
        return None
    shown = not isinstance(action, Take) and _shows_hidden(state, action)
    return Before(state.copy(), inputs, events, shown)


def keep(plays: list[Before], before: Before | None, asked: Decision) -> None:
    """Add `before`, the match before a play, to the list of this turn's plays.

    If the play ended the turn, or `before` is None, clear the list. `asked` is the decision after the play.
    """
    if (
        before is not None
        and isinstance(asked, PlayNeeded)
        and asked.seat == before.state.actor
        and asked.state.phase in (Phase.USE, Phase.PLAY)
    ):
        plays.append(before)
    else:
        plays.clear()


def _shows_hidden(state: State, action: Meld | LayOff) -> bool:
    """Return whether the play shows a card that was not known to be in the actor's hand."""
    known = list(state.known(state.actor))
    for laid in action.cards:
        if laid.card not in known:
            return True
        known.remove(laid.card)
    return False
