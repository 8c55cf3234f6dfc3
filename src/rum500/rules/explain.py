"""Why a play is refused: the rule, the reason in a sentence, the card at fault."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.rules.actions import Action
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused play: stable `code`, the rule's id, a sentence for the player, the card if one is at fault."""

    code: str
    rule: str
    message: str
    card: int | None = None


def explain(core: Core, rules: Ruleset, action: Action) -> Refusal:
    """Why the actor may not do this; the action must be one that is not legal."""
    return Refusal("play.illegal", "R-TURN-1", "that cannot be played now")
