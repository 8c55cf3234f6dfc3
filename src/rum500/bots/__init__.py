"""Bots: players that choose from a view and its legal actions, and get nothing more.

>>> from rum500 import bots
>>> bots.names()
('greedy', 'random')
>>> bots.get("greedy").name
'greedy'
"""

from rum500.bots._protocol import Bot, UnknownBot
from rum500.bots._registry import get, names, register

__all__ = ["Bot", "UnknownBot", "get", "names", "register"]
