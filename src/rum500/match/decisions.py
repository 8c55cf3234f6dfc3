"""The decisions that a match waits for, and the inputs that answer them."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Literal

from rum500.match.scores import MatchResult
from rum500.rules.actions import Action, Call, LetGo
from rum500.state import State
from rum500.values import PicklableError
from rum500.view import Phase


class MatchError(PicklableError, ValueError):
    """An input that is no answer to the match's decision. `code` is stable. The match is unchanged."""

    def __init__(self, code: str, message: str) -> None:
        """Store a code and a message."""
        self.code = code
        super().__init__(message)


# --- decisions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DrawNeeded:
    """A seat has to draw a card from the spread pack (R-DEAL-1, D15). The answer is `DrawAt`."""

    seat: int
    """The seat that draws."""
    positions: tuple[int, ...]
    """The positions to choose from."""
    again: bool
    """Whether this seat draws again because of a tie."""


@dataclass(frozen=True, slots=True)
class ShuffleNeeded:
    """The pack has to be shuffled. Only matches without a generator need this. The answer is `PackOrder`."""

    seat: int
    """The next seat to draw, or the dealer."""
    purpose: str
    """`draw` (the pack spread for the draw) or `deal`."""
    cards: tuple[int, ...]
    """The cards to put in order."""


@dataclass(frozen=True, slots=True)
class CutNeeded:
    """The seat at the dealer's right has to cut (R-DEAL-1).

    The answer is `CutAt` with a number from 1 to `cards - 1`.
    """

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class PlayNeeded:
    """A seat has to act in the deal. The answer is one of `state.legal_actions()`, or its code."""

    seat: int
    state: State


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match is over; there is no decision."""

    result: MatchResult


Decision = DrawNeeded | ShuffleNeeded | CutNeeded | PlayNeeded | MatchOver
_Kind = Literal["draw", "shuffle", "cut", "play", "over"]
_KINDS: dict[type[Decision], _Kind] = {
    DrawNeeded: "draw",
    ShuffleNeeded: "shuffle",
    CutNeeded: "cut",
    PlayNeeded: "play",
    MatchOver: "over",
}


def kind_of(asked: Decision) -> _Kind:
    """Return the kind of a decision: `draw`, `shuffle`, `cut`, `play` or `over`."""
    return _KINDS[type(asked)]


# --- inputs ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DrawAt:
    """Draw the card at this position of the spread pack, from 0."""

    position: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", index(self.position))


@dataclass(frozen=True, slots=True)
class PackOrder:
    """The order of the pack, first card first."""

    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(map(index, self.cards)))


@dataclass(frozen=True, slots=True)
class CutAt:
    """Lift this many cards off the pack; the dealer puts the rest on top of the lifted cards."""

    position: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", index(self.position))


@dataclass(frozen=True, slots=True)
class Restock:
    """Make a new stock of these cards, next card first (H5), and draw from it.

    A match with a generator replaces a plain `Draw` by this input; records contain it.
    """

    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(map(index, self.cards)))


@dataclass(frozen=True, slots=True)
class Resign:
    """Let this seat give up the match, which is possible at any time."""

    seat: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "seat", index(self.seat))


Input = DrawAt | PackOrder | CutAt | Restock | Resign | Action


def position_input(asked: Decision, number: int) -> Input:
    """Return the input that draws or cuts at position `number`. Raises `MatchError` for other decisions."""
    match asked:
        case DrawNeeded():
            return DrawAt(number)
        case CutNeeded():
            return CutAt(number)
    raise MatchError("match.answer", f"a number answers no {kind_of(asked)} decision")


@dataclass(frozen=True, slots=True)
class Claimant:
    """A seat that may call "Rummy!"."""

    seat: int
    """The seat."""
    after: int
    """The number of other seats that may call and are asked before this one."""
    state: State
    """The deal at that point, with this seat as the actor."""


def claimants(state: State) -> tuple[Claimant, ...]:
    """Return all seats that may call, in the order in which they are asked; empty if no claim is open."""
    found: list[Claimant] = []
    asked = state.copy()
    while asked.phase is Phase.CLAIM:
        found.append(Claimant(asked.actor, len(found), asked.copy()))
        asked.apply(LetGo())
    return tuple(found)


def callable_counts(state: State) -> tuple[int, ...]:
    """Return each number of cards that may be called for; the numbers are the same for all claimants."""
    return tuple(action.count for action in state.legal_actions() if isinstance(action, Call))
