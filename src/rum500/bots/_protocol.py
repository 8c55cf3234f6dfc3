"""What a bot is: a name and a choice."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from rum500.rng import Rng
from rum500.rules.actions import Action
from rum500.view import View


@runtime_checkable
class Bot(Protocol):
    """A player: `choose` is asked whenever its seat has to decide.

    It gets what a person in that seat could know, and a generator of its own for whatever it leaves to
    chance: from the same views and the same seed come the same choices. One bot may be asked for several
    seats and several deals in any order, so that whatever it remembers must hang on the view.
    """

    name: str

    def choose(self, view: View, rng: Rng) -> Action | int:
        """One of `view.legal` (never empty here), or the action it stands for."""
        ...


class UnknownBot(ValueError):
    """There is no bot of this name; the message has the nearest one and all of them."""

    code = "bot.unknown"
