"""Executors for the choices of bots and for advice: light levels run on the event loop, others elsewhere.

Light levels run on the event loop because sending a choice to another process costs the event loop about as
much time as making it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

import structlog

from rum500 import bots
from rum500.bots import Bot, choice_of
from rum500.external_bots import legal_code_of
from rum500.rng import Rng
from rum500.view import View

if TYPE_CHECKING:
    from rum500.server import messages
    from rum500.server.thinking.advice_work import Advice

FALLBACK_LEVEL = "greedy"
"""The level that chooses if another one fails; it needs a fraction of a millisecond."""
OTHERS_S = 1.0
"""The seconds for one choice of a bot that does not define `seconds` itself."""

_OURS = "rum500.bots."


class PendingChoice:
    """A choice that is not made yet; its result is ignored once it is no longer `wanted`."""

    __slots__ = ("drop", "wanted")

    def __init__(self, drop: Callable[[], object] | None = None) -> None:
        """Begin as wanted; `drop` is called if the choice is cancelled, to stop the work."""
        self.wanted = True
        self.drop = drop

    def cancel(self) -> None:
        """Mark the choice as not wanted, and stop the work."""
        if self.wanted and self.drop is not None:
            self.wanted = False
            self.drop()
        self.wanted = False


class BotExecutor(Protocol):
    """Computes choices and advice; `done` is called on the event loop with each result."""

    def warm(self, level: str) -> None:
        """Prepare for choices of a bot of this level."""

    def choose(self, level: str, view: View, chance: Rng, done: Callable[[int], None]) -> int | PendingChoice:
        """Return the legal play that a bot of this level chooses, or a pending choice.

        A pending choice is passed to `done` later.
        """

    def advise(self, advice: Advice, done: Callable[[messages.Answer | BaseException], None]) -> None:
        """Compute advice, and pass it, or the exception that it raised, to `done`."""

    async def close(self) -> None:
        """Stop all work without calling `done` again."""


def choice(level: str, view: View, chance: Rng) -> int:
    """Return the play that the event loop's bot of this level chooses, as `legal_choice` does."""
    return legal_choice(bot(level), view, chance)


def legal_choice(one: Bot, view: View, chance: Rng) -> int:
    """Return the play that this bot chooses. Raises `IllegalBotMove` if it is illegal."""
    return legal_code_of(choice_of(one, view, chance), view)


_bots: dict[str, Bot] = {}
"""The event loop's bots. Threads and processes have their own: a bot need not support concurrent calls."""


def bot(level: str) -> Bot:
    """Return the event loop's bot of this level."""
    if level not in _bots:
        _bots[level] = bots.get(level)
    return _bots[level]


def seconds_of(level: str) -> float:
    """Return the seconds for one choice of this level; 0: so little that it is made on the event loop.

    A bot defines them by its attribute `seconds`, 0 if it has no limit. Only bots of this project without the
    attribute run on the event loop, whatever other bots define.
    """
    one = bot(level)
    seconds = getattr(one, "seconds", None)
    if seconds is None and type(one).__module__.startswith(_OURS):
        return 0.0
    return float(seconds) if isinstance(seconds, (int, float)) and 0 < seconds < math.inf else OTHERS_S


def choose_inline(level: str, view: View, chance: Rng) -> int:
    """Return the play that a light level chooses; if it fails, the play of `FALLBACK_LEVEL`."""
    state = chance.state
    try:
        return choice(level, view, chance)
    except Exception as error:  # noqa: BLE001 - a bot may raise anything; the table plays on
        structlog.get_logger().error("bots.failed", error=type(error).__name__, at=level)
        return choice(FALLBACK_LEVEL, view, Rng(state))


class ThreadExecutor:
    """Computes in a few threads of this process, for servers without bot processes."""

    def __init__(self, count: int = 2) -> None:
        """Use at most `count` threads."""
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="rum500-bot")
        self._closed = False

    def warm(self, level: str) -> None:
        """Do nothing: threads need no preparation."""

    def choose(self, level: str, view: View, chance: Rng, done: Callable[[int], None]) -> int | PendingChoice:
        """Choose at once for a light level, otherwise in a thread with a separate bot."""
        if not seconds_of(level):
            return choose_inline(level, view, chance)
        thought = PendingChoice()

        def report(future: Future[int]) -> None:
            if self._closed or future.cancelled():
                return
            failed = future.exception() is not None
            self._loop.call_soon_threadsafe(_finish, thought, None if failed else future.result())

        def _finish(thought: PendingChoice, code: int | None) -> None:
            if thought.wanted:
                done(choice(FALLBACK_LEVEL, view, chance) if code is None else code)

        future = self._pool.submit(lambda: legal_choice(bots.get(level), view, chance))
        future.add_done_callback(report)
        thought.drop = future.cancel
        return thought

    def advise(self, advice: Advice, done: Callable[[messages.Answer | BaseException], None]) -> None:
        """Compute advice in a thread."""

        def report(future: Future[messages.Answer]) -> None:
            if not self._closed and not future.cancelled():
                self._loop.call_soon_threadsafe(done, future.exception() or future.result())

        self._pool.submit(advice.work).add_done_callback(report)

    async def close(self) -> None:
        """Wait for the work in progress without calling `done` again; cancel the rest."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)


def advise_inline(advice: Advice, done: Callable[[messages.Answer | BaseException], None]) -> None:
    """Compute advice on the event loop, and pass the result to `done` as an executor does."""
    try:
        result: messages.Answer | BaseException = advice.work()
    except Exception as error:  # noqa: BLE001 - it is passed on
        result = error
    done(result)
