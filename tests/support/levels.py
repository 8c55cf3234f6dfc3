"""The levels, cheap enough for tests: those that search use few worlds."""

from __future__ import annotations

from typing import Any

from rum500 import bots

WORLDS = 8
LEVELS = tuple(sorted(level.name for level in bots.levels()))
"""Only the levels of the ladder: other tests register bots that hang or die."""


def cheap(name: str, worlds: int = WORLDS) -> Any:
    """Return the bot of this name; one that searches gets this many worlds and no time limit."""
    budgets = {level.name: level.budget for level in bots.levels()}
    return bots.get(name, worlds=worlds) if "worlds" in budgets.get(name, {}) else bots.get(name)
