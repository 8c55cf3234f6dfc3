"""Waiting for a condition: the only clock and the only pauses of the tests.

`PATIENCE` says when a wait counts as one in vain. It is far more than any wait takes on a busy machine, so
that the result of a test does not depend on its speed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

PATIENCE = 240.0
"""Seconds."""
PAUSES_S = 0.0005, 0.02
"""The first pause between two looks, and the longest: each is twice the one before it."""


def attempts(patience: float = PATIENCE) -> Iterator[float]:
    """Yield what is left of the patience, in seconds, until nothing is left."""
    end = time.monotonic() + patience
    while (left := end - time.monotonic()) > 0:
        yield left


def _pauses(patience: float = PATIENCE) -> Iterator[float]:
    pause, longest = PAUSES_S
    for _ in attempts(patience):
        yield pause
        pause = min(2 * pause, longest)


def until(
    met: Callable[[], object], patience: float = PATIENCE, found: Callable[[], object] = lambda: None
) -> None:
    """Return once `met` returns something true; until then the thread is blocked.

    Raises `AssertionError` after `patience` seconds; its message has what `found` then returns.
    """
    for pause in _pauses(patience):
        if met():
            return
        time.sleep(pause)
    raise AssertionError(f"waited in vain: {found()}")


async def comes_true(met: Callable[[], object]) -> None:
    """Return once `met` returns something true; the event loop runs on. Raises `AssertionError`."""
    for pause in _pauses():
        if met():
            return
        await asyncio.sleep(pause)
    raise AssertionError("waited in vain")


async def other_tasks() -> None:
    """Return once every other task that is ready has run until its next `await`."""
    await asyncio.sleep(0)
