"""A bot that plays any legal action, each as likely as the others."""

from __future__ import annotations

from rum500.rng import Rng
from rum500.view import View


class Random:
    """Plays at random: a yardstick, and a way to reach every corner of the rules."""

    name = "random"

    def choose(self, view: View, rng: Rng) -> int:
        """Any of the legal actions."""
        return view.legal[rng.below(len(view.legal))]
