"""What a match asks for next, and what it may be answered with."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.match.scores import MatchResult
from rum500.rules.actions import Action, Call, LetGo
from rum500.state import State
from rum500.view import Phase


class MatchError(ValueError):
    """An input that does not answer the match's decision; the match has not changed. `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        """Carry code and message."""
        self.code = code
        super().__init__(message)


# --- decisions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DrawNeeded:
    """This seat draws a card from the spread pack (R-DEAL-1, D15); answer `DrawAt` one of `positions`.

    `again`: the seat is among those who tied and draw once more.
    """

    seat: int
    positions: tuple[int, ...]
    again: bool


@dataclass(frozen=True, slots=True)
class ShuffleNeeded:
    """The pack wants an order: chance's decision, asked only of a match without a generator.

    `purpose` is `draw` (the pack spread for the draw) or `deal`; answer `PackOrder` of these `cards`.
    """

    seat: int
    purpose: str
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CutNeeded:
    """This seat, at the dealer's right, cuts (R-DEAL-1); answer `CutAt` 1 to `cards - 1`."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class PlayNeeded:
    """This seat acts in the deal; answer an action of `state.legal_actions()`, or its number."""

    seat: int
    state: State


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match is over: nothing is asked."""

    result: MatchResult


Decision = DrawNeeded | ShuffleNeeded | CutNeeded | PlayNeeded | MatchOver

# --- inputs ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DrawAt:
    """Draw the card at this position of the spread pack, 0 the first."""

    position: int


@dataclass(frozen=True, slots=True)
class PackOrder:
    """The order in which the pack lies, first card first."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CutAt:
    """Lift this many cards off the pack; the dealer puts the others on top of them."""

    position: int


@dataclass(frozen=True, slots=True)
class Restock:
    """The actor draws from a new stock that lies in this order, next card first (H5).

    A match with a generator makes it out of a plain `Draw`; a record gives it.
    """

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Resign:
    """This seat gives up the match, at any time, whoever is to act."""

    seat: int


Input = DrawAt | PackOrder | CutAt | Restock | Resign | Action


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
