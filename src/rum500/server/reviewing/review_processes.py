"""The processes of reviews: one task at a time each, at the lowest priority, and none while bots wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from rum500.server.logs import log
from rum500.server.thinking.bot_processes import ProcessExecutor

NICENESS = 19
"""By default bots have priority over reviews, and the server over both."""
TASK_S = 60.0
"""A task that takes more than a few times as long has failed."""
_LOOK_S = 0.05
"""The seconds between two looks whether bots still wait."""

Job = Callable[[], Awaitable[None]]
"""Something to do in one of the processes."""


class WorkFailed(Exception):
    """A process gave no result: it ended, took too long, or the work raised an error."""


class ReviewProcesses:
    """Runs the jobs that `next_job` returns, as many at a time as there are processes."""

    def __init__(
        self,
        count: int,
        next_job: Callable[[], Job | None],
        bots_waiting: Callable[[], int],
        niceness: int = NICENESS,
    ) -> None:
        """Begin without processes; they are started for the first task.

        `bots_waiting` returns the number of bots' choices that no process works on: until it is 0, no job
        begins.
        """
        self.processes = ProcessExecutor(count, niceness=niceness)
        self._next_job = next_job
        self._bots_waiting = bots_waiting
        self._more = asyncio.Event()
        self._calls: set[asyncio.Future[bytes]] = set()
        self._lanes = [asyncio.get_running_loop().create_task(self._lane()) for _ in range(count)]

    def wake(self) -> None:
        """Look for jobs again."""
        self._more.set()

    async def call(self, function: str, *parts: Any) -> bytes:
        """Return the result of a function, by its full name `module:function`. Raises `WorkFailed`."""
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        def done(result: Any) -> None:
            if not answer.done():
                if isinstance(result, bytes):
                    answer.set_result(result)
                else:
                    answer.set_exception(WorkFailed(function))

        self._calls.add(answer)
        answer.add_done_callback(self._calls.discard)
        self.processes.call(function, parts, TASK_S, done)
        return await answer

    async def _lane(self) -> None:
        while True:
            while self._bots_waiting():
                await asyncio.sleep(_LOOK_S)
            job = self._next_job()
            if job is None:
                self._more.clear()
                await self._more.wait()
                continue
            try:
                await job()
            except Exception as error:  # noqa: BLE001 - a bug in one job must not end all reviews
                log().error("reviews.failed", error=error)

    async def close(self) -> None:
        """End the processes and the jobs."""
        for lane in self._lanes:
            lane.cancel()
        await asyncio.gather(*self._lanes, return_exceptions=True)
        await self.processes.close()
