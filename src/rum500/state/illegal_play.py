"""The error for an action that the rules refuse."""

from __future__ import annotations

from rum500.rules.explain import Refusal
from rum500.values import PicklableError


class IllegalPlay(PicklableError, ValueError):
    """An action that the rules refuse. `refusal` has rule, reason and card. The state is unchanged."""

    code = "play.illegal"

    def __init__(self, refusal: Refusal) -> None:
        """Store the refusal."""
        self.refusal = refusal
        super().__init__(f"{refusal.message} ({refusal.rule})")
