"""Bots and advice think in threads of their own, so that the event loop does not wait for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

from rum500 import bots
from rum500.bots import Bot
from rum500.rng import Rng
from rum500.rules.actions import encode
from rum500.view import View

T = TypeVar("T")


class Thinker(Protocol):
    """Where thinking is done; `done` is called on the event loop with what came of it."""

    def think(self, work: Callable[[], T], done: Callable[[T | BaseException], None]) -> None:
        """Do this work and tell its result, or the exception that it raised."""

    def close(self) -> None:
        """Finish what has begun."""


def at_once(work: Callable[[], T], done: Callable[[T | BaseException], None]) -> None:
    """Do this work where it stands, as a thinker would."""
    try:
        result: T | BaseException = work()
    except Exception as error:  # noqa: BLE001 - it is told
        result = error
    done(result)


class Threads:
    """Thinks in a few threads of this process."""

    def __init__(self, count: int = 2) -> None:
        """With so many threads."""
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="rum500-bot")
        self._closed = False

    def think(self, work: Callable[[], T], done: Callable[[T | BaseException], None]) -> None:
        """Do this work in a thread."""

        def tell(future: Future[T]) -> None:
            if not self._closed and not future.cancelled():
                self._loop.call_soon_threadsafe(done, future.exception() or future.result())

        self._pool.submit(work).add_done_callback(tell)

    def close(self) -> None:
        """Finish what has begun, and tell nobody."""
        self._closed = True
        self._pool.shutdown(wait=True, cancel_futures=True)


def choice(level: str, view: View, chance: Rng) -> int:
    """What a bot of this level plays: one of the view's legal plays, whatever the bot says."""
    chosen = _bot(level).choose(view, chance)
    code = chosen if isinstance(chosen, int) else encode(chosen)
    return code if code in view.legal else view.legal[-1]


_local = threading.local()
"""Each thread has bots of its own: a bot need not bear being asked by two at once."""


def _bot(level: str) -> Bot:
    known: dict[str, Bot] = _local.__dict__.setdefault("bots", {})
    if level not in known:
        known[level] = bots.get(level)
    return known[level]
