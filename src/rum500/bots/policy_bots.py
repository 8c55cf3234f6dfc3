"""Bots without a search: `club` and `casual`, which use the core's tuned heuristic, and `random`."""

from __future__ import annotations

from rum500.ai.heuristic_levels import class_of, per_thread, policy_of
from rum500.ai.known_deal import known_deal
from rum500.ai.policy import Policy
from rum500.bots.protocol import FastBot
from rum500.rng import Rng
from rum500.rules.ruleset import Ruleset
from rum500.view import View


class Club(FastBot):
    """A bot that decides by tuned weights and remembers which cards others took."""

    name = "club"
    level = "club"

    def policy(self, rules: Ruleset, players: int) -> Policy:
        """Return the bot's policy in this game, which a simulation can run without views."""
        return _policy(class_of(rules, players), self.level)

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the heuristic's choice; nothing is random."""
        if len(view.legal) == 1:
            return view.legal[0]
        return self.policy(view.rules, view.players).choice(known_deal(view).core)


class Casual(Club):
    """A bot that plays its hand like `club`, but cares less about opponents and forgets what they took."""

    name = "casual"
    level = "casual"


class Random(FastBot):
    """A bot that plays at random, as a baseline and to reach all parts of the rules."""

    name = "random"

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return a random legal action, all equally likely."""
        return view.legal[rng.below(len(view.legal))]


_policy = per_thread(policy_of)
