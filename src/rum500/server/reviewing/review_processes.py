"""The processes of reviews: one task at a time each, none while bots wait, and few while the server is busy.

Priority alone does not keep reviews from slowing the tables down: processors share caches, and often a core.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from rum500.server.config import NICENESS
from rum500.server.logs import log
from rum500.server.thinking.bot_processes import ProcessExecutor

TASK_S = 60.0
"""A task that takes more than a few times as long has failed."""
BUSY = 0.5
"""The server is busy if its event loop works for more than this share of the time."""
REST = 19.0
"""While the server is busy, a process rests this many times as long as its last task took: it works for a
twentieth of the time."""
_LOOK_S = 0.05
"""The seconds between two checks whether bots still wait, or the server is still busy."""

Job = Callable[[], Awaitable[None]]
"""Something to do in one of the processes."""


class WorkFailed(Exception):
    """A process gave no result: it ended, took too long, or the work raised an error."""


class ReviewProcesses:
    """Runs the jobs that `next_job` returns, as many at a time as there are processes."""

    def __init__(
        self,
        count: int,
        next_job: Callable[[bool], Job | None],
        bots_waiting: Callable[[], int],
        load: Callable[[], float],
        niceness: int = NICENESS,
    ) -> None:
        """Begin without processes; they are started for the first task.

        `next_job` is called with whether the process rests: then only a job that cannot wait is begun.
        `bots_waiting` returns the number of bots' choices that no process works on: until it is 0, no job
        begins. `load` returns the share of the time for which the server's event loop works; see `BUSY`.
        """
        self.processes = ProcessExecutor(count, niceness=niceness)
        self._next_job = next_job
        self._bots_waiting = bots_waiting
        self._load = load
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
        clock = asyncio.get_running_loop().time
        rest_until = clock()
        while True:
            while self._bots_waiting():
                await asyncio.sleep(_LOOK_S)
            resting = clock() < rest_until and self._load() > BUSY
            job = self._next_job(resting)
            if job is None:
                self._more.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._more.wait(), _LOOK_S if resting else None)
                continue
            began = clock()
            try:
                await job()
            except Exception as error:  # noqa: BLE001 - a bug in one job must not end all reviews
                log().error("reviews.failed", error=error)
            rest_until = clock() + REST * (clock() - began)

    async def close(self) -> None:
        """End the processes and the jobs."""
        for lane in self._lanes:
            lane.cancel()
        await asyncio.gather(*self._lanes, return_exceptions=True)
        await self.processes.close()
