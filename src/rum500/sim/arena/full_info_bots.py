"""The two references that see hidden cards, to measure the value of perfect knowledge.

They search like the bots but need not guess the hands. They measure how much a bot loses by not knowing, and
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
"""A choice replaces the policy's own if its lead exceeds this many quarters of the standard error."""


class SeesHands(FullInfoPlayer):
    """A player that sees all hands but not the order of the stock, in which its worlds differ."""

    name = "sees-hands"

    def __init__(self, worlds: int = 256) -> None:
        """Set the number of orders of the stock in which each choice is tried."""
        self.worlds = at_least_one("worlds", worlds)

    def choose_with_state(self, state: State, rng: Rng) -> int:
        """Return the choice with the best average, by the bots' own search."""
        seed, core = rng.next64(), state.core
        legal = tuple(state.legal_ints())
        if len(legal) == 1:
            return legal[0]
        plays = policy(state.rules, state.players)
        codes = halving.candidates(core, legal, plays.choice(core))
        stock = sorted(core.stock_cards())  # sorted, so that the true order cannot affect the random ones
        task = Search(Worlds(core, stock, 0, [0] * state.players), state.actor, codes)
        set_match_value(task, state.view(state.actor))
        workers = [halving.worker(task, state.rules, state.players)]
        return codes[halving.search(task, workers, seed, self.worlds, GATE)]


class SeesStock(FullInfoPlayer):
    """A player that also sees the order of the stock: it tries its choices in the true world only."""

    name = "sees-stock"

    def choose_with_state(self, state: State, rng: Rng) -> int:
        """Return the best choice if all others play by the bots' policy."""
        choices = candidates(state)
        if len(choices) == 1:
            return choices[0]
        return best(choices, [state.core], state.actor, played_on(rollouts(state)), rng.next64())
