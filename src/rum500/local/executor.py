"""An executor that computes on the event loop, and refuses work that would block it for seconds."""

from __future__ import annotations

import asyncio
import pkgutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rum500.bots.staircase import SearchingStep
from rum500.rng import Rng
from rum500.rules.ruleset import Ruleset
from rum500.server.http.catalogue import levels
from rum500.server.live.log.table_options import check_level
from rum500.server.messages.table_error import TableError
from rum500.server.thinking.executor import (
    CALL_S,
    BotExecutor,
    OnAdvice,
    PendingChoice,
    advise_inline,
    bot,
    choose_inline,
    seconds_of,
)
from rum500.server.work_scheduler import SERVER, Asker, Turn, Work, WorkScheduler
from rum500.view import View

if TYPE_CHECKING:
    from rum500.server.thinking.advice_work import Advice


def local_levels() -> list[str]:
    """Return the levels that play in place in every game, weakest first."""
    return [level for level in levels() if not seconds_of(level)]


def plays_in_place(level: str, rules: Ruleset, players: int) -> bool:
    """Return whether a level chooses within milliseconds in this game with this number of players."""
    one = bot(level)
    return not (one.searches(rules, players) if isinstance(one, SearchingStep) else seconds_of(level))


def check_local_level(level: str, rules: Ruleset, players: int, key: str | None = None) -> str:
    """Return the registered form of a level's name.

    Raises `TableError` if there is no such level, or if it searches for seconds in this game with this number
    of players: no weaker level replaces it.
    """
    found = check_level(level, key)
    if not plays_in_place(found, rules, players):
        raise TableError("bot.local", key=key)
    return found


class InlineExecutor(BotExecutor):
    """Computes on the event loop, and refuses work that would block it for seconds."""

    def __init__(self, *, searches: bool) -> None:
        """Set whether hints and drills may search; without a compiled engine they would take too long."""
        self.scheduler = WorkScheduler({"interactive": 1})
        self._searches = searches

    def warm(self, level: str) -> None:
        """Do nothing: there is nothing to start."""

    def choose(
        self, level: str, view: View, chance: Rng, done: Callable[[int], None], who: Asker = SERVER
    ) -> int:
        """Return the choice of a level. Raises `TableError` if the level searches for seconds."""
        del done, who
        return choose_inline(check_local_level(level, view.rules, view.players), view, chance)

    def call(
        self, work: Work, who: Asker, function: str, *parts: Any, key: object = None, seconds: float = CALL_S
    ) -> asyncio.Future[bytes]:
        """Call a function, named `module:function`, on the event loop; return the future of its result."""
        del seconds

        async def run(_turn: Turn) -> bytes:
            found = pkgutil.resolve_name(function)(*parts)
            assert isinstance(found, bytes)
            return found

        return self.scheduler.submit(work, who, run, key=key)

    def advise(self, advice: Advice, done: OnAdvice, who: Asker = SERVER) -> PendingChoice:
        """Compute advice and pass the result to `done`; if nothing may search, pass a `TableError`."""
        if self._searches:
            return advise_inline(advice, done, who)
        done(TableError("local.search"))
        return PendingChoice()

    def check_search(self) -> None:
        """Raise `TableError` unless hints and drills may search."""
        if not self._searches:
            raise TableError("local.search")

    async def close(self) -> None:
        """Cancel all work."""
        await self.scheduler.close()
