"""The choices of bots at one table. Each is requested once, and dropped when the decision has changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rum500 import bots
from rum500.match import Claimant
from rum500.server.live.log.table_log import TableLog
from rum500.server.thinking.executor import BotExecutor, PendingChoice
from rum500.server.work_scheduler import Asker

_CHANCE = 1
"""The number of the random stream, derived from the table's secret, that bots use."""


@dataclass(eq=False, repr=False)
class BotPlayer:
    """Requests bots' choices from an executor. Slow choices arrive through the table's queue."""

    _log: TableLog
    _executor: BotExecutor
    _post: Callable[[Callable[[], None]], None]
    """Lets the table's task call a function and then do what is due."""
    _who: Asker
    """The asker whose share of the processor time the bots use."""
    _choices: dict[tuple[int, int], int | PendingChoice] = field(init=False, default_factory=dict)

    def choice(self, seat: int, level: str, claim: Claimant | None = None) -> int | None:
        """Return the code of the bot's play, or of its answer to `claim`; None while the bot thinks."""
        state = self._log.state
        key = state.asked, seat
        found = self._choices.get(key)
        if found is None:
            assert state.match is not None
            deal = claim.state if claim else state.match.state
            assert deal is not None
            # Of a deal of the day everybody gets the same choices, whatever else is in the log.
            day = state.tried is not None and state.tried.day is not None
            place = len(state.deals[-1].plays) if day else state.number
            chance = bots.rng_for(state.secret, _CHANCE, place, seat)

            def done(code: int) -> None:
                self._post(lambda: self._note(key, code))

            found = self._choices[key] = self._executor.choose(
                level, deal.view(seat), chance, done, self._who
            )
        return None if isinstance(found, PendingChoice) else found

    def _note(self, key: tuple[int, int], code: int) -> None:
        if key in self._choices:
            self._choices[key] = code

    def cancel_all(self) -> None:
        """Drop all choices and stop the pending ones."""
        for choice in self._choices.values():
            if isinstance(choice, PendingChoice):
                choice.cancel()
        self._choices = {}
