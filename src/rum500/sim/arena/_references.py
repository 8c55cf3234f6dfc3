"""The two references that see hidden cards: what perfect knowledge would be worth, and never a player.

Both search as a bot does that tries its choices in worlds it thinks possible; only they need not guess the
hands. They measure how far a bot is from knowing; no table can seat them (see `Seer`).
"""

from __future__ import annotations

from rum500.rng import Rng
from rum500.rules.engine.core import Core
from rum500.sim._deals import Seer
from rum500.sim.arena._lookahead import at_least_one, best, candidates, finisher, reshuffled
from rum500.state import State


class SeesHands(Seer):
    """Sees all hands, and not the order of the stock: its worlds differ in that alone."""

    name = "sees-hands"

    def __init__(self, worlds: int = 32) -> None:
        """Try each choice in so many orders of the stock."""
        self.worlds = at_least_one("worlds", worlds)

    def choose_seeing(self, state: State, rng: Rng) -> int:
        """The choice that brings most on average."""
        choices = candidates(state)
        if len(choices) == 1:
            return choices[0]
        seed = rng.next64()
        return best(choices, self._worlds(state, Rng(seed)), state.actor, finisher(state), seed)

    def _worlds(self, state: State, rng: Rng) -> list[Core]:
        return [reshuffled(state.core, rng) for _ in range(self.worlds)]


class SeesStock(SeesHands):
    """Sees all hands and the order of the stock too: it tries its choices in the one true world."""

    name = "sees-stock"

    def __init__(self) -> None:
        """There is one world, and nothing to choose about it."""
        super().__init__(1)

    def _worlds(self, state: State, rng: Rng) -> list[Core]:
        return [state.core]
