"""The bots at a price that tests can pay: those that search look at few worlds only."""

from __future__ import annotations

from typing import Any

from rum500 import bots

WORLDS = 8
LEVELS = tuple(sorted(level.name for level in bots.levels()))
"""Those of the ladder alone: other tests put bots into the registry that hang or die."""


def cheap(name: str, worlds: int = WORLDS) -> Any:
    """The bot of this name; one that searches gets so many worlds, so that its play hangs on no clock."""
    budgets = {level.name: level.budget for level in bots.levels()}
    return bots.get(name, worlds=worlds) if "worlds" in budgets.get(name, {}) else bots.get(name)
