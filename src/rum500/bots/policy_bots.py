"""Bots that need no search: `club` and `casual`, which ask the core's tuned heuristic, and `random`."""

from __future__ import annotations

from functools import cache

from rum500.ai import known_deal
from rum500.ai.policy import Policy
from rum500.ai.weights import class_of, policy_of
from rum500.rng import Rng
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
        return self.policy(view.rules, view.players).choice(known_deal(view).core)


class Casual(Club):
    """Plays its own hand as `club` does, but thinks less of what others need and forgets who took what."""

    name = "casual"
    level = "casual"


class Random:
    """Plays at random: a yardstick, and a way to reach every corner of the rules."""

    name = "random"

    def choose(self, view: View, rng: Rng) -> int:
        """Any of the legal actions."""
        return view.legal[rng.below(len(view.legal))]


# One for a process: whoever plays without holding the interpreter's lock makes its own.
_policy = cache(policy_of)
