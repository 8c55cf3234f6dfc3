"""Many deals: a seed gives the same results, however the deals are divided among processes and machines.

>>> from rum500.rules.profiles import ruleset
>>> from rum500.sim import simulate
>>> done = simulate(ruleset("500-rum"), players=2, deals=100, seed=7)
>>> done.deals, done.checksum == simulate(ruleset("500-rum"), players=2, deals=100, seed=7).checksum
(100, True)

Anything that runs functions can run the jobs, in any order:

>>> from rum500.sim import jobs, merge, run_job
>>> batches = [run_job(job) for job in jobs(ruleset("500-rum"), players=2, deals=100, seed=7, size=30)]
>>> merge(batches).checksum == done.checksum
True
"""

from rum500.sim.deals import SimulationError, deal_seed
from rum500.sim.estimates import Estimate
from rum500.sim.executors import Cluster, cluster
from rum500.sim.jobs import DealBatch, Job, Shard, run_job
from rum500.sim.simulation import Simulation, jobs, merge, merge_files, simulate
from rum500.sim.simulation_plan import SimulationJob, SimulationPlan, seat_bots

__all__ = [
    "Cluster",
    "DealBatch",
    "Estimate",
    "Job",
    "Shard",
    "Simulation",
    "SimulationError",
    "SimulationJob",
    "SimulationPlan",
    "cluster",
    "deal_seed",
    "jobs",
    "merge",
    "merge_files",
    "run_job",
    "seat_bots",
    "simulate",
]
