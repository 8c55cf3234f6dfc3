"""Who may call "Rummy!" now (H6): a table asks all at once, though the rules ask one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.rules.actions import Call, LetGo
from rum500.state import State
from rum500.view import Phase


@dataclass(frozen=True, slots=True)
class Claimant:
    """A seat that may call, `after` so many others, nearest to the player's left, have let it go.

    `state` is the deal as it then stands, with this seat to decide.
    """

    seat: int
    after: int
    state: State


def claimants(state: State) -> tuple[Claimant, ...]:
    """All who may call, in the order in which the rules ask them; none where no claim is open."""
    found: list[Claimant] = []
    asked = state.copy()
    while asked.phase is Phase.CLAIM:
        found.append(Claimant(asked.actor, len(found), asked.copy()))
        asked.apply(LetGo())
    return tuple(found)


def callable_counts(state: State) -> tuple[int, ...]:
    """How many cards may be called for: the same for all who may call, for it takes pile and table alone."""
    return tuple(action.count for action in state.legal_actions() if isinstance(action, Call))
