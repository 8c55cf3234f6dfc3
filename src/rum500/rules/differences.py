"""The differences between two rule sets. The text for each option is its `differs` in `options.py`."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.rules.option_spec import Clause
from rum500.rules.options import OPTIONS, RulesetOptions

__all__ = ["Difference", "differences"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One option in which two rule sets differ."""

    field: str
    """The name of the option."""
    ours: object
    """The option's value in the first rule set."""
    theirs: object
    """The option's value in the second rule set."""
    text: str
    """The difference in a sentence."""


def differences(ours: RulesetOptions, theirs: RulesetOptions) -> tuple[Difference, ...]:
    """Return every difference between the rules, in the order of the options."""
    return tuple(
        _difference(spec.field, spec.differs, ours, theirs)
        for spec in OPTIONS
        if spec.differs and getattr(ours, spec.field) != getattr(theirs, spec.field)
    )


def _difference(field: str, clause: Clause, ours: RulesetOptions, theirs: RulesetOptions) -> Difference:
    here, there = getattr(ours, field), getattr(theirs, field)
    topic, say = clause
    return Difference(field, here, there, f"{topic}: here {say(here)}; there {say(there)}.")
