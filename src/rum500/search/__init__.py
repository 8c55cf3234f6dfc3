"""The search kit: the parts of a bot that searches, from its view to a comparison of plays.

A *world* is a deal that the seat of a view cannot tell from the true one. A *rollout* plays a deal to its
end. `View.worlds`, `View.candidates` and `State.rollout` are the methods for the functions of this package.
`compare` searches like the level `strong`; `pimc`, `ismcts` and `best_response` are three other methods,
each with a bot that uses it.

>>> import rum500
>>> from rum500.search import rollouts
>>> state = rum500.deal("500-rum", seed=7)
>>> view = state.view(state.actor)
>>> worlds = view.worlds(rum500.Rng(1), 50)
>>> all(world.view(view.seat) == view for world in worlds)
True
>>> len(rollouts(worlds, "club", after="draw", kind="margin"))
50
"""

from rum500.ai.resampling import Belief
from rum500.search.comparison import ComparedPlay, PlayComparison, compare
from rum500.search.playouts import POLICIES, PolicyNames, candidates, rollouts, worlds
from rum500.search.response import OPPONENTS, BestResponseBot, best_response
from rum500.search.solved_worlds import PimcBot, pimc
from rum500.search.tree import IsmctsBot, TreeSearch, VisitedPlay, ismcts

__all__ = [
    "OPPONENTS",
    "POLICIES",
    "Belief",
    "BestResponseBot",
    "ComparedPlay",
    "IsmctsBot",
    "PimcBot",
    "PlayComparison",
    "PolicyNames",
    "TreeSearch",
    "VisitedPlay",
    "best_response",
    "candidates",
    "compare",
    "ismcts",
    "pimc",
    "rollouts",
    "worlds",
]
