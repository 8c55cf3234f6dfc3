"""Playing strength, measured: the same cards in exchanged seats, with intervals that count cards once.

>>> from rum500.rules.ruleset import ruleset
>>> from rum500.sim.arena import arena
>>> done = arena(ruleset("500-rum"), ["greedy", "random"], pairs=4, seed=7, unit="deal")
>>> done.scores[0].better
True
"""

from rum500.sim._deals import Entrant, entrant_name
from rum500.sim.arena._arena import UNITS, Arena, arena, bounds
from rum500.sim.arena._players import RESERVED, seat_entrant
from rum500.sim.arena._seats import SEATINGS, seatings
from rum500.sim.arena._sprt import FEWEST, Bounds, Sprt
from rum500.sim.arena._stats import Estimate, elo, expected
from rum500.sim.arena._tally import Score, Stop, Tally

__all__ = [
    "FEWEST",
    "RESERVED",
    "SEATINGS",
    "UNITS",
    "Arena",
    "Bounds",
    "Entrant",
    "Estimate",
    "Score",
    "Sprt",
    "Stop",
    "Tally",
    "arena",
    "bounds",
    "elo",
    "entrant_name",
    "expected",
    "seat_entrant",
    "seatings",
]
