"""A slow and simple implementation of the rules, written from the rulebook alone.

It shares no code with the engine. Read it beside the rulebook: every clause names the id of its rule.
"""

from __future__ import annotations

from .cards import full_deck
from .game import IllegalPlayError, Reference, perft
from .melds import is_run, is_set, lay_offs, new_melds
from .position import position
from .rules import HOUSE_RULES, PROFILES, permitted, read_rules, with_house_rules

__all__ = [
    "HOUSE_RULES",
    "PROFILES",
    "IllegalPlayError",
    "Reference",
    "full_deck",
    "is_run",
    "is_set",
    "lay_offs",
    "new_melds",
    "perft",
    "permitted",
    "position",
    "read_rules",
    "with_house_rules",
]
