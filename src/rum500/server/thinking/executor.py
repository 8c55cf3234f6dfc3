"""Where bots and advice think: light levels on the event loop itself, the others apart from it.

Handing a choice to another process costs about as much of the event loop's time as the light levels need to
make it, so those are asked where they stand.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

import structlog

from rum500 import bots
from rum500.bots import Bot
from rum500.external_bots import legal_code_of
from rum500.rng import Rng
from rum500.view import View

if TYPE_CHECKING:
    from rum500.server import messages
    from rum500.server.thinking.advice_work import Advice

FALLBACK_LEVEL = "greedy"
"""The level that chooses where another could not: it needs a fraction of a millisecond."""
OTHERS_S = 1.0
"""What a choice of a bot may take that does not say so itself."""

_OURS = "rum500.bots."


class PendingChoice:
    """A choice in the making; nobody is told of it once it is no longer `wanted`."""

    __slots__ = ("drop", "wanted")

    def __init__(self, drop: Callable[[], object] | None = None) -> None:
        """Of something that is wanted; `drop` saves the work where it is not."""
        self.wanted = True
        self.drop = drop

    def cancel(self) -> None:
        """It is wanted no longer."""
        if self.wanted and self.drop is not None:
            self.wanted = False
            self.drop()
        self.wanted = False


class BotExecutor(Protocol):
    """Where thinking is done; `done` is called on the event loop with what came of it."""

    def warm(self, level: str) -> None:
        """A bot of this level will be asked before long."""

    def choose(self, level: str, view: View, chance: Rng, done: Callable[[int], None]) -> int | PendingChoice:
        """What a bot of this level plays: a legal play, at once or, through `done`, later."""

    def advise(self, advice: Advice, done: Callable[[messages.Answer | BaseException], None]) -> None:
        """Work out advice and tell it, or the exception that it raised."""

    async def close(self) -> None:
        """End what has begun, and tell nobody."""


def choice(level: str, view: View, chance: Rng) -> int:
    """What a bot of this level plays, one of the view's legal plays; errors as of `legal_choice`."""
    return legal_choice(bot(level), view, chance)


def legal_choice(one: Bot, view: View, chance: Rng) -> int:
    """What this bot plays; `IllegalBotMove` if that is not legal, or whatever the bot raises."""
    return legal_code_of(one.choose(view, chance), view)


_bots: dict[str, Bot] = {}
"""The event loop's own bots; whoever thinks elsewhere has others: a bot need not bear two askers."""


def bot(level: str) -> Bot:
    """The event loop's own bot of this level."""
    if level not in _bots:
        _bots[level] = bots.get(level)
    return _bots[level]


def seconds_of(level: str) -> float:
    """What one choice of this level may take; 0: next to no time, so it is made where it is asked for.

    A bot says so by its attribute `seconds`, 0 if it has no limit. Only our own that have no such thing are
    let near the event loop: others may say what they like.
    """
    one = bot(level)
    told = getattr(one, "seconds", None)
    if told is None and type(one).__module__.startswith(_OURS):
        return 0.0
    return float(told) if isinstance(told, (int, float)) and 0 < told < math.inf else OTHERS_S


def at_once(level: str, view: View, chance: Rng) -> int:
    """What a light level plays; the stand-in plays for one that fails."""
    state = chance.state
    try:
        return choice(level, view, chance)
    except Exception as error:  # noqa: BLE001 - whatever a bot raises: the table plays on
        structlog.get_logger().error("bots.failed", error=type(error).__name__, at=level)
        return choice(FALLBACK_LEVEL, view, Rng(state))


class ThreadExecutor:
    """Thinks in a few threads of this process: where no further process is wanted."""

    def __init__(self, count: int = 2) -> None:
        """With so many threads."""
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="rum500-bot")
        self._closed = False

    def warm(self, level: str) -> None:
        """Nothing is to be done."""

    def choose(self, level: str, view: View, chance: Rng, done: Callable[[int], None]) -> int | PendingChoice:
        """At once, or in a thread, by a bot of its own."""
        if not seconds_of(level):
            return at_once(level, view, chance)
        thought = PendingChoice()

        def tell(future: Future[int]) -> None:
            if self._closed or future.cancelled():
                return
            failed = future.exception() is not None
            self._loop.call_soon_threadsafe(_finish, thought, None if failed else future.result())

        def _finish(thought: PendingChoice, code: int | None) -> None:
            if thought.wanted:
                done(choice(FALLBACK_LEVEL, view, chance) if code is None else code)

        future = self._pool.submit(lambda: legal_choice(bots.get(level), view, chance))
        future.add_done_callback(tell)
        thought.drop = future.cancel
        return thought

    def advise(self, advice: Advice, done: Callable[[messages.Answer | BaseException], None]) -> None:
        """In a thread."""

        def tell(future: Future[messages.Answer]) -> None:
            if not self._closed and not future.cancelled():
                self._loop.call_soon_threadsafe(done, future.exception() or future.result())

        self._pool.submit(advice.work).add_done_callback(tell)

    async def close(self) -> None:
        """Finish what has begun, and tell nobody."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)


def advise_at_once(advice: Advice, done: Callable[[messages.Answer | BaseException], None]) -> None:
    """Work out advice where it stands, as a thinker would."""
    try:
        result: messages.Answer | BaseException = advice.work()
    except Exception as error:  # noqa: BLE001 - it is told
        result = error
    done(result)
