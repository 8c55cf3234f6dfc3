"""Bots: players that choose from a view and its legal actions, and get nothing more.

>>> from rum500 import bots
>>> [level.name for level in bots.levels()]
['random', 'greedy', 'casual', 'club', 'strong', 'expert']
>>> bots.get("greedy").name
'greedy'
"""

from rum500.bots._chance import chance
from rum500.bots._choice import Choice
from rum500.bots._protocol import Bot, UnknownBot
from rum500.bots._registry import Level, get, levels, names, register

__all__ = ["Bot", "Choice", "Level", "UnknownBot", "chance", "get", "levels", "names", "register"]
