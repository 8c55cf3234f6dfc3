"""Positions as text: a whole deal, or one seat's view of it; see `docs/position-format.md`."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.state._position_lines import PositionError
from rum500.state._position_reader import read
from rum500.state._position_writer import write
from rum500.state.position_data import core_of, data_of_view
from rum500.state.state import State
from rum500.view import View

__all__ = ["Position", "PositionError", "position_from_text", "view_to_text"]


@dataclass(frozen=True, slots=True)
class Position:
    """A position that was read from a file."""

    state: State
    """The deal. If the position is incomplete, its unseen cards are in canonical order: use only `view`."""
    seat: int | None = None
    """The seat whose view it is; None for a spectator."""
    complete: bool = True
    """Whether the file contains the whole deal, not only one seat's view."""

    @property
    def view(self) -> View:
        """The view of the file's seat, or of the actor if the position is complete."""
        return self.state.view(self.state.actor if self.complete else self.seat)


def view_to_text(view: View, *, course: bool = False) -> str:
    """Return one seat's view as text. Hidden cards appear only as numbers of cards.

    With `course` the text contains the past actions, so that `position_from_text` returns an equal view.
    """
    data = data_of_view(view)
    if course:
        data.past = view.past
    return write(data)


def position_from_text(text: str) -> Position:
    """Read a position, complete or one seat's view.

    Raises `PositionError` with everything that is wrong with it.
    """
    data = read(text)
    state = State(data.rules, core_of(data), data.past, data.draws)
    return Position(state, data.seat, data.complete)
