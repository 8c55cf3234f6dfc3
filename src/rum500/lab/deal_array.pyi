"""The types of the compiled module."""

from collections.abc import Sequence
from typing import Any, Final

from rum500.ai.search import SearchWorker
from rum500.rules.engine.core import Core
from rum500.spaces import Actions, Features, HiddenState

LEARNER: Final = 0
POLICY: Final = 1
RANDOM: Final = 2
POINTS: Final = 0
MARGIN: Final = 1
ZERO_SUM: Final = 2
MATCH_EQUITY: Final = 3

class DealArray:
    stream: int
    def __init__(
        self,
        fresh: Core,
        n: int,
        actions: Actions,
        features: Features,
        hidden_state: HiddenState | None,
        levels: Sequence[int],
        reward: int,
        skip_forced: bool,
    ) -> None: ...
    def use(self, *buffers: memoryview) -> None: ...
    def core(self, i: int) -> Core: ...
    def play_count(self, i: int, number: int) -> int: ...
    def advise(self, ids: memoryview, seating: Any) -> None: ...

class DealStepper:
    def __init__(self, deals: DealArray, seating: Any, judge: SearchWorker | None) -> None: ...
    def pick(self, ids: memoryview, seed: int, first: int, end: int) -> None: ...
    def check(self, ids: memoryview, variants: memoryview | None, first: int, end: int) -> int: ...
    def step(self, first: int, end: int) -> None: ...
    def reset(self, first: int, end: int) -> None: ...
    def refresh(self, first: int, end: int) -> None: ...
