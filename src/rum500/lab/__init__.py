"""The laboratory: what studies and learners need beyond single deals. It needs the extra `lab`.

>>> import rum500
>>> batch = Batch(rum500.ruleset("500-rum"), players=2, n=64, seed=1)
>>> step = batch.step(batch.sample())
>>> step.obs.shape, step.mask.shape, step.rewards.shape
((64, 506), (64, 483), (64, 2))
"""

from rum500.extras import with_extra

try:
    import numpy as _numpy  # noqa: F401
except ModuleNotFoundError as error:
    raise with_extra(error) from None

from rum500.external_bots import save_network
from rum500.lab.batch import REWARDS, Batch, Step
from rum500.lab.match_equity import match_equity

__all__ = ["REWARDS", "Batch", "Step", "match_equity", "save_network"]
