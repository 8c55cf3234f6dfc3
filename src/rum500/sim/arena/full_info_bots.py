"""The two references that see hidden cards: what perfect knowledge would be worth, and never a player.

They search as the bots do; only they need not guess the hands. They measure how far a bot is from knowing;
no table can seat them (see `FullInfoPlayer`).
"""

from __future__ import annotations

from rum500.ai.search import Search
from rum500.ai.weights import policy
from rum500.ai.worlds import Worlds
from rum500.bots import halving
from rum500.bots.match_value import set_match_value
from rum500.rng import Rng
from rum500.sim.arena.lookahead import at_least_one, best, candidates, played_on, rollouts
from rum500.sim.deals import FullInfoPlayer
from rum500.state import State

GATE = 2
"""A choice is taken for the policy's own if its lead is more than so many quarters of the standard error."""


class SeesHands(FullInfoPlayer):
    """Sees all hands, and not the order of the stock: its worlds differ in that alone."""

    name = "sees-hands"

    def __init__(self, worlds: int = 256) -> None:
        """Try each choice in so many orders of the stock."""
        self.worlds = at_least_one("worlds", worlds)

    def choose_seeing(self, state: State, rng: Rng) -> int:
        """The choice that brings most on average, by the search that the bots use."""
        seed, core = rng.next64(), state.core
        legal = tuple(state.legal_ints())
        if len(legal) == 1:
            return legal[0]
        plays = policy(state.rules, state.players)
        codes = halving.candidates(core, legal, plays.choice(core))
        stock = sorted(core.stock_cards())  # sorted: the order it has must not show in those it gets
        task = Search(Worlds(core, stock, 0, [0] * state.players), state.actor, codes)
        set_match_value(task, state.view(state.actor))
        workers = [halving.worker(task, state.rules, state.players)]
        return codes[halving.search(task, workers, seed, self.worlds, GATE)]


class SeesStock(FullInfoPlayer):
    """Sees all hands and the order of the stock too: it tries its choices in the one true world."""

    name = "sees-stock"

    def choose_seeing(self, state: State, rng: Rng) -> int:
        """The choice that brings most, if all play on by the bots' policy."""
        choices = candidates(state)
        if len(choices) == 1:
            return choices[0]
        return best(choices, [state.core], state.actor, played_on(rollouts(state)), rng.next64())
