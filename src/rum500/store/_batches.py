"""Batches of queries: one statement answers all queries that arrive while another statement runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST = 64
"""The largest number of queries in a batch."""


class Batches(Generic[K, V]):
    """Runs a query at once if no batch is running. The queries that arrive meanwhile form the next batch.

    So every answer is read after its query was made. Use an instance on one event loop only.
    """

    def __init__(self, ask: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]], most: int = MOST) -> None:
        """Set the function `ask`, which answers a batch of queries, and the largest size of a batch."""
        self._ask = ask
        self._most = most
        self._waiting: dict[K, asyncio.Future[V]] = {}
        self._task: asyncio.Task[None] | None = None

    async def answer(self, question: K) -> V:
        """Return the answer to `question`. Raises the errors of `ask`, and `KeyError` if `ask` found none."""
        loop = asyncio.get_running_loop()
        future = self._waiting.get(question)
        if future is None:
            future = self._waiting[question] = loop.create_future()
        if self._task is None:
            self._task = loop.create_task(self._run())
        return await asyncio.shield(future)

    async def _run(self) -> None:
        while self._waiting:
            batch = dict(islice(self._waiting.items(), self._most))
            for question in batch:
                del self._waiting[question]
            try:
                found = await self._ask(list(batch))
                for question, future in batch.items():
                    future.set_result(found[question])
            except Exception as error:  # noqa: BLE001 - it is passed to the callers
                for future in batch.values():
                    if not future.done():
                        future.set_exception(error)
                        future.exception()  # so that asyncio logs nothing if no caller waits
        self._task = None
