"""Bots: players that choose one of the legal actions of a view, and see nothing else.

>>> from rum500 import bots
>>> [level.name for level in bots.levels()]
['random', 'greedy', 'casual', 'club', 'strong', 'expert']
>>> bots.get("greedy").name
'greedy'
"""

from rum500.bots.protocol import Bot, FastBot, StoppableChoice, UnknownBot, choice_of, rng_for
from rum500.bots.registry import Level, get, levels, names, numbered_levels, register

__all__ = [
    "Bot",
    "FastBot",
    "Level",
    "StoppableChoice",
    "UnknownBot",
    "choice_of",
    "get",
    "levels",
    "names",
    "numbered_levels",
    "register",
    "rng_for",
]
