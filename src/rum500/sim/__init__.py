"""Many deals: the same results from a seed for any number of worker processes.

>>> from rum500.rules.profiles import ruleset
>>> from rum500.sim import simulate
>>> done = simulate(ruleset("500-rum"), players=2, deals=100, seed=7)
>>> done.deals, done.checksum == simulate(ruleset("500-rum"), players=2, deals=100, seed=7).checksum
(100, True)
"""

from rum500.sim.deals import SimulationError, deal_seed
from rum500.sim.simulation import Simulation, seat_bots, simulate

__all__ = ["Simulation", "SimulationError", "deal_seed", "seat_bots", "simulate"]
