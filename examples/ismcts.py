"""Play by OpenSpiel's information set Monte Carlo tree search against a bot of rum500.

    python examples/ismcts.py --deals 20 --simulations 200 --against casual

The search sees what its seat sees: each simulation begins in another deal that this seat cannot tell from the
real one (`State.resample`), and nodes are keyed by `State.information_state`, which recalls everything the
seat has seen. A leaf is valued by playing on: at random, or by the rule of thumb of `club`. Needs OpenSpiel
(the extra `spiel`).
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts

from rum500 import Rng, bots
from rum500.adapters import open_spiel as adapter
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy import SeatPolicies
from rum500.rules.engine.core import Moves


class Playout:
    """An evaluator of OpenSpiel: what the deal is worth when all play on by a rule of thumb, or at random."""

    def __init__(self, game: adapter.RumGame, level: str, rng: Rng) -> None:
        """Choose `club`, `casual` or `random`."""
        self.rng, self.moves = rng, Moves()
        spaces = game.spaces
        self.seating: Any = None
        if level != "random":
            by_seat = [policy(spaces.rules, spaces.players, level) for _ in range(spaces.players)]
            self.seating = SeatPolicies(by_seat)

    def evaluate(self, state: adapter.RumState) -> np.ndarray:
        """Return each seat's margin at the end of a playout; the state is not changed."""
        deal = state.deal.copy()
        if self.seating is not None:
            self.seating.playout(deal.core, self.moves)
        while not deal.is_over:
            legal = deal.legal_ints()
            deal.apply_int(legal[self.rng.below(len(legal))])
        return np.array(deal.returns("margin"))

    def prior(self, state: adapter.RumState) -> list[tuple[int, float]]:
        """Return all legal actions, equally likely."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def searcher(game: adapter.RumGame, asked: argparse.Namespace, seed: int) -> Any:
    """Return the search as a bot of OpenSpiel. `--uct` is in points, as returns are."""
    return ismcts.ISMCTSBot(
        game,
        Playout(game, asked.playouts, Rng(seed)),
        asked.uct,
        asked.simulations,
        random_state=np.random.RandomState(seed),
    )


def play(game: adapter.RumGame, asked: argparse.Namespace, number: int) -> float:
    """Play a deal, the search at seat `number` modulo 2; return its margin."""
    chance = np.random.RandomState(
        asked.seed + number // 2
    )  # both seats of each two deals get the same cards
    bot, search, seat = bots.get(asked.against), searcher(game, asked, number), number % 2
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            cards, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(chance.choice(cards, p=odds)))
        elif state.current_player() == seat:
            state.apply_action(int(search.step(state)))
        else:
            chosen = bot.choose(state.deal.view(1 - seat), Rng(number))
            pair = state.spaces.actions.pair(state.deal, chosen)
            state.apply_action(pair[0] + state.spaces.actions.n * pair[1])
    return float(state.returns()[seat])


def main() -> None:
    """Play, and print the mean margin with its interval."""
    asked = options().parse_args()
    game = pyspiel.load_game(f"python_rum500(profile={asked.profile},players=2)")
    begun = time.process_time()
    margins = [play(game, asked, number) for number in range(asked.deals)]
    pairs = [(a + b) / 2 for a, b in zip(margins[::2], margins[1::2], strict=False)]
    half = 1.96 * stdev(pairs) / len(pairs) ** 0.5 if len(pairs) > 1 else float("nan")
    sys.stdout.write(
        f"IS-MCTS, {asked.simulations} simulations, playouts of {asked.playouts}, against {asked.against}: "
        f"{fmean(margins):+.1f} points a deal (95 %: ±{half:.1f}), {len(margins)} deals, "
        f"{(time.process_time() - begun) / len(margins):.1f} s each\n"
    )


def options() -> argparse.ArgumentParser:
    """Return what can be asked for."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--deals", type=int, default=20, help="an even number: each two have the same hands")
    asked.add_argument("--simulations", type=int, default=200, help="for each choice")
    asked.add_argument("--playouts", default="club", choices=["club", "casual", "random"])
    asked.add_argument("--uct", type=float, default=60.0, help="the constant of UCT, in points")
    asked.add_argument("--against", default="club", metavar="BOT")
    asked.add_argument("--profile", default="500-rum")
    asked.add_argument("--seed", type=int, default=1)
    return asked


if __name__ == "__main__":
    main()
