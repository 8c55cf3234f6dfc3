"""A vector environment of Gymnasium based on `Batch`: many deals at once, stepped in compiled code."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from rum500.adapters.game import Game, Observation
from rum500.lab import Batch
from rum500.lab.batch import Reward, Step
from rum500.rules.profiles import STANDARD
from rum500.rules.ruleset import Ruleset

__all__ = ["RumVectorEnv"]


class RumVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` deals: the learner sits at seat 0, `opponent` (`club`, `casual`, `random`) at the others.

    When a deal ends, the next one is dealt in the same step. The last observation of the old deal is not in
    `info`: the deal has terminated, so its value is not needed. An id that is not legal raises `ValueError`,
    and no deal changes. The returned arrays are new; with `copy=False` they are the batch's own, which the
    next step overwrites.
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: Ruleset | str = STANDARD,
        players: int | None = None,
        *,
        opponent: str = "club",
        reward: Reward = "margin",
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        """Deal the first deals. Raises `ValueError` for arguments that `Batch` refuses."""
        game = Game(rules, players)
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.num_envs, self.copy = num_envs, copy
        self._begun = False
        self.batch = Batch(game.rules, game.players, num_envs, 0, threads, opponents=opponent, reward=reward)
        self.single_observation_space = game.observation_space()
        self.single_action_space = game.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin again from one seed, which determines all deals, or from a random seed if it is None.

        Raises `ValueError` for a list of seeds.
        """
        self._check_open()
        if isinstance(seed, list):
            raise ValueError(  # noqa: TRY004 - a type that gymnasium allows, of which a batch can make nothing
                "one seed determines all deals: give a whole number, not a list"
            )
        super().reset(seed=None if seed is None else index(seed), options=options)
        self._begun = True
        return self._shown(self.batch.reset(int(self.np_random.integers(1 << 64, dtype=np.uint64)))), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Apply one action in each deal and play to the learner's next decisions."""
        self._check_open()
        if not self._begun:
            raise ResetNeeded("call reset before step")
        done = self.batch.step(actions)
        rewards = done.rewards[:, 0].astype(np.float64)
        ended = done.done.astype(np.bool_)
        return self._shown(done), rewards, ended, np.zeros(self.num_envs, np.bool_), {}

    def close_extras(self, **_kwargs: Any) -> None:
        """End the threads of the batch."""
        self.batch.close()

    def _shown(self, step: Step) -> Observation:
        seen: Observation = {"observation": step.obs, "action_mask": step.mask.view(np.int8)}
        return {name: array.copy() for name, array in seen.items()} if self.copy else seen

    def _check_open(self) -> None:
        if self.batch.closed:
            raise ClosedEnvironmentError("this environment is closed")
