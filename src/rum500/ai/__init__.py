"""The computations of bots: the heuristic, search, endgames, and beliefs about hidden cards.

A *world* is a full deal that agrees with a view; a *rollout* plays a world to its end. `Policy` (`ai.policy`)
is the tuned heuristic; `ai.heuristic_levels` has its levels and their weights. `Search` (`ai.search`)
compares plays by rollouts in worlds from `Worlds` (`ai.worlds`). Everything here is a function of a view, its
legal actions and a seed.
"""

from rum500.ai.card_odds import ODDS_ONE, beliefs, expected, odds
from rum500.ai.hand_belief import HandBelief
from rum500.ai.known_deal import KnownDeal, known_deal, sample
from rum500.ai.resampling import Resampler, resample

__all__ = [
    "ODDS_ONE",
    "HandBelief",
    "KnownDeal",
    "Resampler",
    "beliefs",
    "expected",
    "known_deal",
    "odds",
    "resample",
    "sample",
]
