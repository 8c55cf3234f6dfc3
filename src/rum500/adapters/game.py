"""What the adapters have in common: the action numbers, spaces and observations of a game."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset, check_ruleset
from rum500.spaces import Actions, Features
from rum500.state import RETURN_KINDS, State, deal

Observation = dict[str, NDArray[Any]]
"""`observation`, the features of a seat, and `action_mask`, 1 for each legal action number."""
RENDER_MODES = ("ansi",)
"""How environments show a deal: as text, with all cards."""
BOUND = 100.0
"""The largest value of a feature: counts are fractions, and points are divided by 100."""


def check_options(reward: str, render_mode: str | None) -> None:
    """Raise `ValueError` for an unknown kind of reward or render mode. The render mode may be None."""
    if reward not in RETURN_KINDS:
        raise ValueError(f"rewards are {', '.join(RETURN_KINDS)}, not {reward!r}")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render modes are {', '.join(RENDER_MODES)}, not {render_mode!r}")


class Game:
    """A game as spaces: the actions are the numbers of `Actions`, the observations those of `Features`.

    Where several plays share a number, the number stands for the play with fewest jokers. With `variants`
    every play has an id: its number plus `n` times its variant.
    """

    def __init__(self, rules: Ruleset | str, players: int | None = None, *, variants: bool = False) -> None:
        """Set up the spaces. Raises `RulesetError` for an unknown profile or a wrong number of players."""
        self.rules = ruleset(rules) if isinstance(rules, str) else rules
        check_ruleset(self.rules)
        self.players = self.rules.players[0] if players is None else players
        self.actions = Actions(self.rules, self.players)
        self.features = Features(self.rules, self.players)
        self.ids = self.actions.n * (self.actions.variants if variants else 1)

    def deal(self, random: np.random.Generator) -> tuple[State, int]:
        """Return a deal from a random seed with a random dealer, and the seed."""
        seed = int(random.integers(1 << 64, dtype=np.uint64))
        return deal(self.rules, self.players, seed, int(random.integers(self.players))), seed

    def action_space(self) -> spaces.Discrete:
        """Return the space of action ids."""
        return spaces.Discrete(self.ids)

    def observation_space(self) -> spaces.Space[Any]:
        """Return the space of observations."""
        return spaces.Dict(
            {
                "observation": spaces.Box(-BOUND, BOUND, (self.features.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.ids,), np.int8),
            }
        )

    def observe(self, state: State, seat: int) -> Observation:
        """Return a seat's observation in new arrays; the mask is 0 unless the seat has to decide."""
        features = self.features.write(state, seat, np.empty(self.features.size, np.float32))
        return {"observation": features, "action_mask": self.mask(state, seat)}

    def mask(self, state: State, seat: int) -> NDArray[np.int8]:
        """Return the action mask of a seat."""
        mask = np.zeros(self.ids, np.int8)
        if seat != state.actor or state.is_over:
            return mask
        n = self.actions.n
        self.actions.mask(state, mask[:n])
        if self.ids > n:
            for number in mask[:n].nonzero()[0]:
                count = min(len(self.actions.plays(state, int(number))), self.actions.variants)
                mask[int(number) : n * count : n] = 1
        return mask

    def code(self, state: State, action: object) -> int:
        """Return the code of the legal action with this id.

        Raises `TypeError` for an id that is not an integer, and `ValueError` for an id that is not legal.
        """
        if isinstance(action, np.ndarray) and action.shape != ():
            raise ValueError(f"an action is one number, not an array of the shape {action.shape}")
        chosen = index(action)  # type: ignore[arg-type]  # what is not a number is refused here
        if not 0 <= chosen < self.ids:
            raise ValueError(f"the ids of actions are 0 to {self.ids - 1}, not {chosen}")
        variant, number = divmod(chosen, self.actions.n)
        return self.actions.decode(state, number, variant)
