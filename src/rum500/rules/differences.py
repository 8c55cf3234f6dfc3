"""What two rule sets differ in, said so that a player understands it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rum500.rules.options import OPTIONS, Clause

if TYPE_CHECKING:
    from rum500.rules.ruleset import Ruleset

__all__ = ["Difference", "differences"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One option that two rule sets differ in: both values, and a sentence."""

    field: str
    ours: object
    theirs: object
    text: str


def differences(ours: Ruleset, theirs: Ruleset) -> tuple[Difference, ...]:
    """Every rule that differs, in the order of the options."""
    return tuple(
        _difference(spec.field, spec.differs, ours, theirs)
        for spec in OPTIONS
        if spec.differs and getattr(ours, spec.field) != getattr(theirs, spec.field)
    )


def _difference(field: str, clause: Clause, ours: Ruleset, theirs: Ruleset) -> Difference:
    here, there = getattr(ours, field), getattr(theirs, field)
    topic, say = clause
    return Difference(field, here, there, f"{topic}: here {say(here)}; there {say(there)}.")
