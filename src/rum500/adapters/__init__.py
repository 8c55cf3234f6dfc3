"""Adapters: rum500 as environments of other projects. They need the extra `learn`, or `spiel` for OpenSpiel.

Each module of this package imports the project that it adapts to. `rum500.adapters` itself imports none,
except that it registers the environments of gymnasium where that is installed.

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
