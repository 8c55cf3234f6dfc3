"""The toy game as OpenSpiel plays it: a Python game of its own that follows the engine's states.

It shares the deals and the draws with `rum500.sim.evaluation.toy_games`, but neither its tree nor its
information sets: OpenSpiel grows the tree, and distinguishes information sets by the strings made here. Needs
`pyspiel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyspiel
from open_spiel.python import policy as spiel_policy

from rum500.sim.evaluation.toy_games import Toy, after, margin, what_is_seen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rum500 import State
    from rum500.view import View

MOST_ACTIONS = 64
MOST_MARGIN = 500


class Shared:
    """States that are never changed, so that OpenSpiel's copies of a position can share them."""

    def __init__(self, states: Sequence[State]) -> None:
        self.states = states

    def __deepcopy__(self, memo: Any) -> Shared:
        return self


def game_of(toy: Toy) -> Any:
    """The toy as an OpenSpiel game."""
    deals = Shared(list(toy.deals()))

    class Game(pyspiel.Game):
        def __init__(self, params: Any = None) -> None:
            super().__init__(KIND, info, params or {})

        def new_initial_state(self) -> Position:
            return Position(self, deals)

    info = pyspiel.GameInfo(
        num_distinct_actions=MOST_ACTIONS,
        max_chance_outcomes=len(deals.states),
        num_players=2,
        min_utility=-MOST_MARGIN,
        max_utility=MOST_MARGIN,
        utility_sum=0.0,
        max_game_length=100,
    )
    return Game()


KIND = pyspiel.GameType(
    short_name="rum500_toy",
    long_name="A toy game of 500 Rum",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)


class Position(pyspiel.State):
    """A chance node with all its outcomes, or a state in which a seat decides.

    An action is the number of the choice in the list of legal ones.
    """

    def __init__(self, game: Any, deals: Shared) -> None:
        super().__init__(game)
        self.waiting = self.deals = deals
        self.past = ("", "")

    @property
    def table(self) -> State:
        return self.waiting.states[0]

    def current_player(self) -> int:
        if len(self.waiting.states) > 1:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.table.is_over else self.table.actor

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.table.legal_ints())))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        count = len(self.waiting.states)
        return [(number, 1 / count) for number in range(count)]

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.waiting = Shared([self.waiting.states[action]])
            return
        seat, code = self.table.actor, self.table.legal_ints()[action]
        now = f"{self._seen(seat)} {code}\n"
        self.past = (self.past[0], self.past[1] + now) if seat else (self.past[0] + now, self.past[1])
        self.waiting = Shared(after(self.table, code))

    def _seen(self, player: int) -> str:
        return repr(what_is_seen(self.table.view(player)))

    def information_state_string(self, player: int | None = None) -> str:
        seat = self.current_player() if player is None else player
        return self.past[seat] + self._seen(seat)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return len(self.waiting.states) == 1 and self.table.is_over

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        gained = margin(self.table, self.deals.states[0])
        return [gained, -gained]

    def __str__(self) -> str:
        return self.past[0] + self.past[1] + str(len(self.waiting.states))


class ByView(spiel_policy.Policy):
    """A policy that depends only on the view."""

    def __init__(self, game: Any, chances: Callable[[View], list[float]]) -> None:
        super().__init__(game, [0, 1])
        self.chances = chances
        self.known: dict[str, dict[int, float]] = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        key = state.information_state_string()
        if key not in self.known:
            self.known[key] = dict(enumerate(self.chances(state.table.view(state.table.actor))))
        return self.known[key]


def figures(
    toy: Toy, policies_by_view: Mapping[str, Callable[[View], list[float]]], rounds: int = 0
) -> dict[str, dict[str, float]]:
    """OpenSpiel's figures for each of these policies, which give the chances of `view.legal`.

    `value` is the first seat's when both follow the policy, `best_0` and `best_1` what the best responses of
    the seats get. `equilibrium` is what its own CFR+ comes to after so many rounds, if any.
    """
    from open_spiel.python.algorithms import best_response, cfr, expected_game_score

    game = game_of(toy)
    policies = {name: ByView(game, chances) for name, chances in policies_by_view.items()}
    if rounds:
        solver = cfr.CFRPlusSolver(game)
        for _ in range(rounds):
            solver.evaluate_and_update_policy()
        policies["equilibrium"] = solver.average_policy()
    found = {}
    for name, each in policies.items():
        root = game.new_initial_state()
        row = {"value": float(expected_game_score.policy_value(root, [each, each])[0])}
        for seat in (0, 1):
            answer = best_response.BestResponsePolicy(game, seat, each)
            row[f"best_{seat}"] = float(answer.value(game.new_initial_state()))
        found[name] = row
    return found
