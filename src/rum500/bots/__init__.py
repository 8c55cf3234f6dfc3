"""Bots: players that choose from a view and its legal actions, and get nothing more.

>>> from rum500 import bots
>>> bots.names()
('casual', 'club', 'expert', 'greedy', 'random', 'strong')
>>> bots.get("greedy").name
'greedy'
"""

from rum500.bots._chance import chance
from rum500.bots._choice import Choice
from rum500.bots._protocol import Bot, UnknownBot
from rum500.bots._registry import Level, get, levels, names, register

__all__ = ["Bot", "Choice", "Level", "UnknownBot", "chance", "get", "levels", "names", "register"]
