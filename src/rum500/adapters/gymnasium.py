"""Environments of Gymnasium: one seat learns, bots play the others."""

from __future__ import annotations

from operator import index
from typing import Any

from rum500.extras import with_extra

try:
    import gymnasium
    import numpy as np
    from gymnasium.error import ClosedEnvironmentError, ResetNeeded
except ModuleNotFoundError as error:
    raise with_extra(error) from None

from rum500 import bots
from rum500.adapters.game import RENDER_MODES, Game, Observation, check_options
from rum500.rules.profiles import STANDARD, profile_names
from rum500.rules.ruleset import Ruleset
from rum500.state import ReturnKind, State

__all__ = ["RumEnv", "register_all"]


class RumEnv(gymnasium.Env[Observation, np.int64]):
    """A deal as an episode: the learner sits at `seat`, bots of the level `opponent` sit at all other seats.

    The reward comes at the end of the deal. `reward` is its kind, as in `State.returns`. An id that is not
    legal changes nothing and earns `illegal_reward`; `info["illegal"]` has the reason.
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 1}  # noqa: RUF012 - gymnasium's own attribute

    def __init__(
        self,
        rules: Ruleset | str = STANDARD,
        players: int | None = None,
        *,
        opponent: str = "club",
        seat: int = 0,
        reward: ReturnKind = "margin",
        illegal_reward: float = -1.0,
        variants: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Set up the bots. Raises `ValueError` for an unknown level, seat, kind of reward or render mode."""
        check_options(reward, render_mode)
        self.render_mode = render_mode
        self.game = Game(rules, players, variants=variants)
        if not 0 <= index(seat) < self.game.players:
            raise ValueError(f"the seats are 0 to {self.game.players - 1}, not {seat}")
        self.seat, self.reward, self.illegal_reward = seat, reward, illegal_reward
        self.bot = bots.get(opponent)
        self.action_space = self.game.action_space()
        self.observation_space = self.game.observation_space()
        self.state: State | None = None
        """The deal with all its cards; None before the first `reset`."""
        self._closed = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal, and play to the learner's first decision. If the deal ends before it, deal again."""
        self._check_open()
        super().reset(seed=seed, options=options)
        self._deal()
        while self._state.is_over:
            self._deal()
        return self._observe(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply the learner's action and play to the learner's next decision."""
        self._check_open()
        state = self._state
        if state.is_over:
            raise ResetNeeded("the deal is over: call reset before step")
        if not self.action_space.contains(action):
            raise ValueError(f"{action!r} is not in {self.action_space}")
        try:
            code = self.game.code(state, action)
        except ValueError as error:
            return self._observe(), self.illegal_reward, False, False, {"illegal": str(error)}
        state.apply_int(code)
        self._play_on()
        return self._observe(), state.returns(self.reward)[self.seat], state.is_over, False, {}

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return the mask of legal ids, under the name that MaskablePPO of sb3-contrib expects."""
        return self.game.mask(self._state, self.seat).astype(np.bool_)

    def render(self) -> str | None:
        """Return the table as text, with all cards; None without the render mode `ansi`."""
        return None if self.render_mode is None else str(self._state)

    def close(self) -> None:
        """Close the environment: `reset` and `step` raise `ClosedEnvironmentError` from now on."""
        self._closed = True

    @property
    def _state(self) -> State:
        if self.state is None:
            raise ResetNeeded("call reset before step")
        return self.state

    def _deal(self) -> None:
        self.state, seed = self.game.deal(self.np_random)
        self._chances = [bots.rng_for(seed, seat) for seat in range(self.game.players)]
        self._play_on()

    def _play_on(self) -> None:
        state = self._state
        while not state.is_over and state.actor != self.seat:
            state.apply(self.bot.choose(state.view(state.actor), self._chances[state.actor]))

    def _observe(self) -> Observation:
        return self.game.observe(self._state, self.seat)

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedEnvironmentError("this environment is closed")


def register_all() -> None:
    """Register `rum500/PROFILE-v0` for each profile. Further calls do nothing."""
    for name in profile_names():
        made = f"rum500/{name}-v0"
        if made not in gymnasium.registry:
            gymnasium.register(
                made,
                "rum500.adapters.gymnasium:RumEnv",
                kwargs={"rules": name},
                vector_entry_point="rum500.adapters.gymnasium_vector:RumVectorEnv",
            )
