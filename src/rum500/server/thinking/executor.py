"""Executors for the choices of bots and for advice: light levels run on the event loop.

Sending a light level's choice to another process would cost the event loop about as much time as making it.
"""

from __future__ import annotations

import abc
import asyncio
import math
import pickle
import pkgutil
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from rum500 import bots
from rum500.bots import Bot, choice_of
from rum500.external_bots import legal_code_of
from rum500.rng import Rng
from rum500.server import messages
from rum500.server.work_scheduler import SERVER, Asker, Busy, Turn, Work, WorkScheduler
from rum500.view import View

if TYPE_CHECKING:
    from rum500.server.thinking.advice_work import Advice

FALLBACK_LEVEL = "greedy"
"""The level that chooses if another one fails; it needs a fraction of a millisecond."""
OTHERS_S = 1.0
"""The seconds for one choice of a bot without an attribute `seconds`."""
ADVICE_S = 10.0
"""The seconds that advice may take, and that it may wait."""
CALL_S = 60.0
"""The seconds that other work may take; requested work may also wait this long."""

_ADVICE = "rum500.server.thinking.advice_work:encoded_answer"
_decode_answer = msgspec.json.Decoder(messages.Answer).decode
_OURS = "rum500.bots."


class WorkFailed(Exception):
    """A process gave no result: the process ended or took too long, or the work raised an error."""


class PendingChoice:
    """A choice that is being computed. When it is no longer `wanted`, its result is ignored."""

    __slots__ = ("drop", "wanted")

    def __init__(self, drop: Callable[[], object] | None = None) -> None:
        """Begin as wanted; `drop`, which stops the work, is called if the choice is cancelled."""
        self.wanted = True
        self.drop = drop

    def cancel(self) -> None:
        """Mark the choice as not wanted, and stop the work."""
        if self.wanted and self.drop is not None:
            self.wanted = False
            self.drop()
        self.wanted = False


OnAdvice = Callable[["messages.Answer | BaseException"], None]


def choice(level: str, view: View, chance: Rng) -> int:
    """Choose a play on the event loop, by a built-in bot of this level. Raises `IllegalBotMove`."""
    return legal_choice(bot(level), view, chance)


def legal_choice(one: Bot, view: View, chance: Rng) -> int:
    """Return the play that this bot chooses. Raises `IllegalBotMove` if it is illegal."""
    return legal_code_of(choice_of(one, view, chance), view)


_bots: dict[str, Bot] = {}
"""The built-in bots that choose on the event loop. Threads and processes have others: a bot need not support
concurrent calls.
"""


def bot(level: str) -> Bot:
    """Return the built-in bot of this level that chooses on the event loop."""
    if level not in _bots:
        _bots[level] = bots.get(level)
    return _bots[level]


def seconds_of(level: str) -> float:
    """Return the seconds for one choice of this level; 0 if its bot chooses on the event loop.

    The seconds are the bot's attribute `seconds`, or `OTHERS_S` if that is no positive, finite number. A
    bot chooses on the event loop only if it is one of this project's bots and lacks the attribute.
    """
    one = bot(level)
    seconds = getattr(one, "seconds", None)
    if seconds is None and type(one).__module__.startswith(_OURS):
        return 0.0
    return float(seconds) if isinstance(seconds, (int, float)) and 0 < seconds < math.inf else OTHERS_S


def choose_inline(level: str, view: View, chance: Rng) -> int:
    """Return the play that a light level chooses; if the level fails, the play of `FALLBACK_LEVEL`."""
    state = chance.state
    try:
        return choice(level, view, chance)
    except Exception as error:  # noqa: BLE001 - a bot may raise anything; the table plays on
        structlog.get_logger().error("bots.failed", error=type(error).__name__, at=level)
        return choice(FALLBACK_LEVEL, view, Rng(state))


class BotExecutor(abc.ABC):
    """Computes choices, advice and other work. Results are passed to callbacks on the event loop."""

    scheduler: WorkScheduler
    """The scheduler, which decides when each piece of work begins."""

    @abc.abstractmethod
    def warm(self, level: str) -> None:
        """Prepare for choices of a bot of this level."""

    @abc.abstractmethod
    def choose(
        self, level: str, view: View, chance: Rng, done: Callable[[int], None], who: Asker = SERVER
    ) -> int | PendingChoice:
        """Return the legal play that a bot of this level chooses, or a pending choice.

        The play of a pending choice is passed to `done` later. Its computing time is charged to `who`.
        """

    @abc.abstractmethod
    def call(
        self, work: Work, who: Asker, function: str, *parts: Any, key: object = None, seconds: float = CALL_S
    ) -> asyncio.Future[bytes]:
        """Call a function, named `module:function`; return the future of its result.

        Work that has not begun after `seconds` may fail with `Busy`. Raises `Busy` if too much work of the
        asker is waiting. `key` is as in `WorkScheduler.submit`.
        """

    @abc.abstractmethod
    async def close(self) -> None:
        """Stop all work without calling `done` again."""

    def advise(self, advice: Advice, done: OnAdvice, who: Asker = SERVER) -> PendingChoice:
        """Compute advice and pass the result, or the exception raised, to `done`.

        Results are cached by a digest of the work, which contains everything that affects its result.
        """
        pending = PendingChoice()

        def finish(future: asyncio.Future[bytes]) -> None:
            if pending.wanted and not future.cancelled():
                error = future.exception()
                done(error or _decode_answer(future.result()))

        data = pickle.dumps((_ADVICE, advice.work), pickle.HIGHEST_PROTOCOL)
        work = Work.HINT if advice.is_hint else Work.ADVICE
        try:
            future = self.call(work, who, _ADVICE, advice.work, key=blake2b(data).digest(), seconds=ADVICE_S)
        except Busy as error:
            done(error)
            return pending
        future.add_done_callback(finish)
        pending.drop = future.cancel
        return pending


class ThreadExecutor(BotExecutor):
    """Computes in a few threads of this process, for servers without bot processes."""

    def __init__(self, scheduler: WorkScheduler | None = None, count: int = 2) -> None:
        """Use the interactive lanes of a scheduler, by default a new one with `count` lanes."""
        self.scheduler = scheduler or WorkScheduler({"interactive": count})

    def warm(self, level: str) -> None:
        """Do nothing: threads need no preparation."""

    def choose(
        self, level: str, view: View, chance: Rng, done: Callable[[int], None], who: Asker = SERVER
    ) -> int | PendingChoice:
        """Return the choice of a light level at once; otherwise let a new bot choose in a thread."""
        seconds = seconds_of(level)
        if not seconds:
            return choose_inline(level, view, chance)
        pending = PendingChoice()

        def finish(future: asyncio.Future[int]) -> None:
            if pending.wanted and not future.cancelled():
                done(choice(FALLBACK_LEVEL, view, chance) if future.exception() else future.result())

        async def run(turn: Turn) -> int:
            return await turn.in_thread(lambda: legal_choice(bots.get(level), view, chance))

        future = self.scheduler.submit(Work.BOT, who, run, cost=seconds)
        future.add_done_callback(finish)
        pending.drop = future.cancel
        return pending

    def call(
        self, work: Work, who: Asker, function: str, *parts: Any, key: object = None, seconds: float = CALL_S
    ) -> asyncio.Future[bytes]:
        """Call a function in a thread; return the future of its result."""

        async def run(turn: Turn) -> bytes:
            return await turn.in_thread(partial(pkgutil.resolve_name(function), *parts))

        return self.scheduler.submit(work, who, run, key=key, deadline=seconds)

    async def close(self) -> None:
        """Wait for the work in progress without calling `done`; cancel all other work."""
        await self.scheduler.close()


def advise_inline(advice: Advice, done: OnAdvice, who: Asker = SERVER) -> PendingChoice:
    """Compute advice on the event loop, and pass the result to `done` as an executor does."""
    try:
        result: messages.Answer | BaseException = advice.work()
    except Exception as error:  # noqa: BLE001 - it is passed on
        result = error
    done(result)
    return PendingChoice()
