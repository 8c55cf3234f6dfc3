"""Spaces: actions and deals as numbers, for learners. Compiled and versioned.

`Actions` gives each action a fixed number and writes the mask of the legal ones. `Features` writes what one
seat may know as a vector of floats. `HiddenState` writes what the seat may not know, for a critic in
training.

>>> import rum500
>>> rules = rum500.ruleset("500-rum")
>>> actions, features = Actions(rules, 2), Features(rules, 2)
>>> state = rum500.deal(rules, 2, seed=7)
>>> [actions.names[i] for i, legal in enumerate(actions.mask(state)) if legal]
['draw']
>>> len(features.write(state, seat=1)) == features.size
True
"""

from rum500.spaces.actions import DRAW_ID, Actions
from rum500.spaces.features import Features, HiddenState
from rum500.spaces.planes import Plane

__all__ = ["DRAW_ID", "Actions", "Features", "HiddenState", "Plane"]
