"""Adapters: rum500 as environments of other projects. They need the extra `learn`, or `spiel` for OpenSpiel.

Importing a module of this package loads the project that it is for; importing `rum500.adapters` registers the
environments of gymnasium where that is installed, and loads nothing else.

>>> import gymnasium, rum500.adapters
>>> env = gymnasium.make("rum500/500-rum-v0", opponent="club")
>>> observation, info = env.reset(seed=7)
>>> sorted(observation)
['action_mask', 'observation']
"""

from importlib.util import find_spec

if find_spec("gymnasium") is not None:
    from rum500.adapters import gymnasium as _gymnasium

    _gymnasium.register_all()
