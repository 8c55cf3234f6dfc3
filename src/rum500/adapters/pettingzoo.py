"""An environment of PettingZoo: every seat is an agent, and they decide in turn (AEC).

Only one seat decides at a time, and its legal actions depend on what the seat before it did. The parallel
environment plays the same deals, for programs that accept only that kind: it uses one agent's action in each
step.
"""

from __future__ import annotations

from typing import Any

from rum500.extras import with_extra

try:
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ModuleNotFoundError as error:
    raise with_extra(error) from None

from rum500.adapters.game import BOUND, RENDER_MODES, Game, Observation, check_options
from rum500.rules.profiles import STANDARD
from rum500.rules.ruleset import Ruleset
from rum500.spaces import HiddenState
from rum500.state import ReturnKind, State

__all__ = ["env", "parallel_env", "raw_env"]


def env(
    rules: Ruleset | str = STANDARD,
    players: int | None = None,
    *,
    illegal_reward: float = -1.0,
    **options: Any,
) -> AECEnv[str, Observation, int]:
    """Return an environment in which an illegal id ends the deal with `illegal_reward`.

    Ids outside the space and calls in a wrong order raise errors, as in PettingZoo's own games.
    """
    made: AECEnv[str, Observation, int] = raw_env(rules, players, **options)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=illegal_reward)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


def parallel_env(
    rules: Ruleset | str = STANDARD, players: int | None = None, **options: Any
) -> ParallelEnv[str, Observation, int]:
    """Return `env` as a parallel environment, with PettingZoo's own wrapper; the options are those of `env`.

    A step uses the action of the seat that decides, the only one whose mask has a 1, and ignores the others.
    """
    made: ParallelEnv[str, Observation, int] = turn_based_aec_to_parallel(env(rules, players, **options))
    return made


class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]  # noqa: N801 - PettingZoo's name, untyped
    """A deal with agents `seat_0`, `seat_1` and so on. Rewards come at the end of the deal and are those of
    `State.returns`.

    An illegal id raises `ValueError`, and the deal is unchanged.
    """

    metadata = {  # noqa: RUF012 - PettingZoo's own attribute
        "name": "rum500_v0",
        "render_modes": [*RENDER_MODES],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Ruleset | str = STANDARD,
        players: int | None = None,
        *,
        reward: ReturnKind = "margin",
        variants: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Set up the spaces. Raises `ValueError` for an unknown kind of reward or render mode."""
        super().__init__()
        check_options(reward, render_mode)
        self.render_mode = render_mode
        self.game = Game(rules, players, variants=variants)
        self.reward = reward
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.game.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.game.action_space() for agent in self.possible_agents}
        self._hidden = HiddenState(self.game.rules, self.game.players)
        size = self.game.features.size + self._hidden.size
        self.state_space = spaces.Box(-BOUND, BOUND, (size,), np.float32)
        self._random = np.random.default_rng()
        self._deal: State | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's action ids."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new deal."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._deal, _ = self.game.deal(self._random)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._deal.actor]

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation."""
        return self.game.observe(self.deal, self._seats[agent])

    def state(self) -> NDArray[np.float32]:
        """Return the whole deal for a critic: the features of `seat_0`, and what is hidden from it."""
        whole = np.empty(self.state_space.shape, np.float32)
        seen = self.game.features.size
        self.game.features.write(self.deal, 0, whole[:seen])
        self._hidden.write(self.deal, 0, whole[seen:])
        return whole

    @property
    def deal(self) -> State:
        """The deal with all its cards."""
        if self._deal is None:
            raise ValueError("reset() needs to be called first")
        return self._deal

    def step(self, action: int | None) -> None:
        """Apply the action of `agent_selection`; None for an agent whose deal is over."""
        state = self.deal
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state.apply_int(self.game.code(state, action))
        self._cumulative_rewards[agent] = 0.0
        if state.is_over:
            self.rewards = dict(zip(self.possible_agents, state.returns(self.reward), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self.agent_selection = self.possible_agents[state.actor]

    def render(self) -> str | None:
        """Return the table as text, with all cards; None without the render mode `ansi`."""
        return None if self.render_mode is None else str(self.deal)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
