"""Measurement of playing strength: the same cards in exchanged seats, with intervals based on shuffles.

>>> from rum500.rules.profiles import ruleset
>>> from rum500.sim.arena import arena
>>> done = arena(ruleset("500-rum"), ["greedy", "random"], pairs=4, seed=7, unit="deal")
>>> done.scores[0].better
True
"""

from rum500.sim.arena.clusters import SEATINGS, ArenaJob, Plan, seatings
from rum500.sim.arena.entrants import RESERVED, seat_entrant
from rum500.sim.arena.run_arena import UNITS, Arena, arena, bounds, jobs, merge, merge_files
from rum500.sim.arena.score_and_verdict import PairScore, SprtState, Tally
from rum500.sim.arena.sprt import FEWEST, Sprt, SprtBounds
from rum500.sim.deals import Entrant, entrant_name
from rum500.sim.estimates import Estimate, elo, expected

__all__ = [
    "FEWEST",
    "RESERVED",
    "SEATINGS",
    "UNITS",
    "Arena",
    "ArenaJob",
    "Entrant",
    "Estimate",
    "PairScore",
    "Plan",
    "Sprt",
    "SprtBounds",
    "SprtState",
    "Tally",
    "arena",
    "bounds",
    "elo",
    "entrant_name",
    "expected",
    "jobs",
    "merge",
    "merge_files",
    "seat_entrant",
    "seatings",
]
