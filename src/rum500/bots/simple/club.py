"""The tuned heuristic of the compiled core, asked through a view."""

from __future__ import annotations

from functools import cache

from rum500.belief import seat_core
from rum500.bots.weights import class_of, policy_of
from rum500.rng import Rng
from rum500.rules.engine.club import Policy
from rum500.rules.ruleset import Ruleset
from rum500.view import View


class Club:
    """Weighs takes, melds and discards by tuned weights, and remembers who took what."""

    name = "club"
    level = "club"

    def policy(self, rules: Ruleset, players: int) -> Policy:
        """What it decides by in this game: a simulation lets the core ask it without a view."""
        return _policy(class_of(rules, players), self.level)

    def choose(self, view: View, rng: Rng) -> int:
        """What the heuristic says; nothing is left to chance."""
        if len(view.legal) == 1:
            return view.legal[0]
        return self.policy(view.rules, view.players).choice(seat_core(view).core)


# One for a process: whoever plays without holding the interpreter's lock makes its own.
_policy = cache(policy_of)
