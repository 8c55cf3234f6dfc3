"""Bots that try each choice in many deals that agree with what they see: `strong` and `expert`."""

from rum500.bots.search._bot import Searcher, expert, strong

__all__ = ["Searcher", "expert", "strong"]
