"""The kinds of decisions that a review tells apart."""

from __future__ import annotations

from enum import StrEnum

from rum500.rules.actions import Action, Call, Discard, LayOff, LetGo, Meld


class DecisionKind(StrEnum):
    """The question that a decision answered."""

    DRAW = "draw"
    """Draw from the stock, or take from the pile."""
    LAY = "lay"
    """Lay a meld, or keep it."""
    LAY_OFF = "lay_off"
    """Lay a card off, or keep it."""
    DISCARD = "discard"
    """Which card to discard."""
    CALL = "call"
    """Call "Rummy!", or let it go."""


def kind_of(played: Action, other: Action) -> DecisionKind:
    """Return the question between what was played and what could have been played instead."""
    two = (played, other)
    if any(isinstance(action, Call | LetGo) for action in two):
        return DecisionKind.CALL
    if any(isinstance(action, Meld) for action in two):
        return DecisionKind.LAY
    if any(isinstance(action, LayOff) for action in two):
        return DecisionKind.LAY_OFF
    return DecisionKind.DISCARD if any(isinstance(action, Discard) for action in two) else DecisionKind.DRAW
