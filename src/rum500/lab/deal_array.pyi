"""The types of the compiled module."""

from collections.abc import Sequence
from typing import Any, Final

from rum500.ai.search import SearchWorker
from rum500.rules.engine.core import Core
from rum500.spaces import Actions, Features, HiddenState

LEARNER: Final = 0
POLICY: Final = 1
RANDOM: Final = 2
RESET: Final = 0
PICK: Final = 1
STEP: Final = 3
REFRESH: Final = 4
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
    def choose(self, ids: memoryview, variants: memoryview | None, random: int) -> None: ...
    def core(self, i: int) -> Core: ...
    def play_count(self, i: int, number: int) -> int: ...
    def advise(self, ids: memoryview, seating: Any) -> None: ...

class DealStepper:
    def __init__(
        self, deals: DealArray, first: int, end: int, seating: Any, judge: SearchWorker | None
    ) -> None: ...
