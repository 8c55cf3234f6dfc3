"""Positions as text and back: all of a deal, or what one seat sees of it; see `docs/position-format.md`."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.state._position_lines import PositionError
from rum500.state._position_reader import read
from rum500.state._position_writer import write
from rum500.state._state import State
from rum500.state.position_data import core_of, data_of_view
from rum500.view import View

__all__ = ["Position", "PositionError", "position_from_text", "view_to_text"]


@dataclass(frozen=True, slots=True)
class Position:
    """A position that was read.

    `complete`: the file told everything. Otherwise it told what `seat` sees (None: a spectator), and in
    `state` the unseen cards lie in canonical order: only `view` is to be relied on.
    """

    state: State
    seat: int | None = None
    complete: bool = True

    @property
    def view(self) -> View:
        """What the file's seat sees; of a complete position, what the actor sees."""
        return self.state.view(self.state.actor if self.complete else self.seat)


def view_to_text(view: View) -> str:
    """What one seat sees, as text, without the course: hidden hands and the stock are numbers of cards."""
    return write(data_of_view(view))


def position_from_text(text: str) -> Position:
    """Read a position of either kind; `PositionError` lists all that is wrong with it."""
    data = read(text)
    return Position(State(data.rules, core_of(data), data.past), data.seat, data.complete)
