"""Bots that try each choice in many deals that agree with what they see: `strong` and `expert`."""

from rum500.bots.search._bot import Searcher, expert, strong
from rum500.bots.search._ending import solved

__all__ = ["Searcher", "expert", "solved", "strong"]
