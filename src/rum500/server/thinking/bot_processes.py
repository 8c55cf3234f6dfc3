"""An executor that runs heavy bots and other work in separate processes, whose failures harm no table.

A lane sends one process one task after another. When many tasks wait, a bot with a settable time gets only a
share of its level's seconds, so that the answer still arrives within these seconds. A process that ends, or
takes far longer than allowed, is replaced, and a light level makes the choice.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from rum500.rng import Rng
from rum500.server import messages
from rum500.server.config import NICENESS
from rum500.server.thinking import bot_worker as worker
from rum500.server.thinking.executor import FALLBACK_LEVEL, PendingChoice, choice, choose_inline, seconds_of
from rum500.view import View

if TYPE_CHECKING:
    from rum500.server.thinking.advice_work import Advice

PATIENCE = 3.0
"""A process is replaced if a choice takes longer than its level's seconds times this, plus `GRACE_S`."""
GRACE_S = 2.0
ADVICE_S = 10.0
"""The seconds that advice may take."""
LEAST_S = 0.002
"""The smallest time in seconds that a bot gets for a choice."""
TOO_LATE_S = 0.03
"""A light level makes a choice that has waited this many seconds longer than its level's seconds."""
_BACK_OFF_S = 1.0
"""The seconds between a process that could not start and the next one."""
_decode_answer = msgspec.json.Decoder(messages.Answer).decode


class _Task:
    """One task: `kind` and `parts` are for the worker; `done` takes the result, None if it failed."""

    __slots__ = ("asked_at", "done", "kind", "parts", "pending", "seconds")

    def __init__(
        self,
        kind: str,
        parts: tuple[Any, ...],
        seconds: float,
        done: Callable[[Any], None],
        pending: PendingChoice,
    ) -> None:
        self.kind, self.parts, self.seconds = kind, parts, seconds
        self.done, self.pending = done, pending
        self.asked_at = time.monotonic()


class ProcessExecutor:
    """Computes in `count` processes; these first import `modules`, which may register bots."""

    def __init__(self, count: int = 2, modules: Sequence[str] = (), niceness: int = NICENESS) -> None:
        """Begin without processes; they are started for the first task, or by `warm`.

        `niceness` is by how much their priority is below the server's, 0 to 19.
        """
        # Without -P the current folder would come first in sys.path, and its files could shadow modules.
        command = [sys.executable, "-P", "-m", worker.__name__, str(niceness), *modules]
        self._loop = asyncio.get_running_loop()
        self._tasks: deque[_Task] = deque()
        self._more = asyncio.Event()
        self._closed = False
        self._lanes = [_Lane(self, command) for _ in range(count)]
        self._running: list[asyncio.Task[None]] = []

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        return [lane.process.pid for lane in self._lanes if lane.process is not None]

    @property
    def ready(self) -> int:
        """The number of processes that have started completely."""
        return sum(lane.ready for lane in self._lanes)

    @property
    def waiting(self) -> int:
        """The number of tasks that no process works on yet."""
        return len(self._tasks)

    # --- the executor ---------------------------------------------------------------------------------

    def warm(self, level: str) -> None:
        """Start the processes if this level needs them."""
        if seconds_of(level):
            self._begin()

    def choose(self, level: str, view: View, chance: Rng, done: Callable[[int], None]) -> int | PendingChoice:
        """Choose at once for a light level, otherwise in a process, with the result passed to `done`."""
        seconds = seconds_of(level)
        if not seconds:
            return choose_inline(level, view, chance)
        pending, state = PendingChoice(), chance.state

        def finish(code: Any) -> None:
            if pending.wanted:
                known = isinstance(code, int) and code in view.legal
                done(code if known else choice(FALLBACK_LEVEL, view, Rng(state)))

        task = _Task(worker.CHOOSE, (level, view, state), seconds, finish, pending)
        pending.drop = lambda: self._drop(task)
        self._put(task)
        return pending

    def advise(self, advice: Advice, done: Callable[[messages.Answer | BaseException], None]) -> None:
        """Queue advice after the tasks that wait already."""

        def finish(answer: Any) -> None:
            failed = not isinstance(answer, bytes)
            done(RuntimeError("the advice failed") if failed else _decode_answer(answer))

        self.call("rum500.server.thinking.advice_work:encoded_answer", (advice.work,), ADVICE_S, finish)

    def call(
        self, function: str, parts: tuple[Any, ...], seconds: float, done: Callable[[Any], None]
    ) -> None:
        """Call a function in a process, by its full name `module:function`.

        It returns bytes, which are passed to `done`; None if it failed, or took far longer than `seconds`, or
        the process ended.
        """
        self._put(_Task(worker.CALL, (function, *parts), seconds, done, PendingChoice()))

    def _put(self, task: _Task) -> None:
        self._begin()
        self._tasks.append(task)
        self._more.set()

    def _drop(self, task: _Task) -> None:
        """Remove a task from the queue, or stop it if a process works on it."""
        if task in self._tasks:
            self._tasks.remove(task)
        for lane in self._lanes:
            lane.stop(task)

    async def close(self) -> None:
        """Drop the waiting tasks and kill the processes."""
        self._closed = True
        self._tasks.clear()
        for running in self._running:
            running.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    # --- for the lanes --------------------------------------------------------------------------------

    def _begin(self) -> None:
        if not self._running and not self._closed:
            self._running = [self._loop.create_task(lane.run()) for lane in self._lanes]

    async def next(self) -> tuple[_Task, float]:
        """Return the next task and its seconds, 0 if it is too late."""
        while True:
            while self._tasks:
                task = self._tasks.popleft()
                if task.pending.wanted:
                    return task, self._share(task)
            self._more.clear()
            await self._more.wait()

    def _share(self, task: _Task) -> float:
        """Return the seconds for a task: its remaining time, divided among the tasks that wait."""
        left = task.seconds - (time.monotonic() - task.asked_at)
        if left < -TOO_LATE_S:
            return 0.0
        lanes = len(self._lanes)
        return max(LEAST_S, min(left, task.seconds * lanes / (lanes + len(self._tasks))))

    def finish(self, task: _Task, result: Any) -> None:
        """Report a task's result."""
        if not self._closed:
            self._loop.call_soon(task.done, result)


class _Lane:
    """Starts one process, sends it tasks and replaces it."""

    def __init__(self, pool: ProcessExecutor, command: Sequence[str]) -> None:
        self._pool = pool
        self._command = command
        self._task: _Task | None = None
        self.process: Process | None = None
        self.ready = False

    async def run(self) -> None:
        """Process tasks until cancelled."""
        try:
            while True:
                if self.process is None:
                    await self._start()
                task, seconds = await self._pool.next()
                result = None if self.process is None or not seconds else await self._work(task, seconds)
                self._pool.finish(task, result)
        finally:
            await self._end()

    async def _start(self) -> None:
        """Start a process and wait until it is ready; if that fails, wait a little."""
        try:
            self.process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE)
            self.ready = await self._read(self.process) is not None
            failure = {"exit": self.process.returncode}
        except OSError as error:
            failure = {"error": error.errno}
        if not self.ready:
            structlog.get_logger().error("bots.not_started", **failure)
            await self._end()
            await asyncio.sleep(_BACK_OFF_S)

    async def _work(self, task: _Task, seconds: float) -> Any:
        """Return the process's result for a task; None if the process failed and has been removed."""
        process = self.process
        assert process is not None
        self._task, why, reply = task, "gone", None
        try:
            async with asyncio.timeout(PATIENCE * task.seconds + GRACE_S):
                self._write(process, worker.packed(task.kind, seconds, task.parts))
                reply = await self._read(process)
        except TimeoutError:
            why = "too slow"
        self._task = None
        if reply is None:
            await self._end()
            structlog.get_logger().warning(
                "bots.replaced", why=why, pid=process.pid, exit=process.returncode, at=_about(task)
            )
            return None
        if reply.worn:
            await self._end()
        if reply.error:
            structlog.get_logger().error("bots.failed", error=reply.error, at=_about(task))
        return reply.value

    @staticmethod
    def _write(process: Process, data: bytes) -> None:
        assert process.stdin is not None
        process.stdin.write(worker.framed(data))

    @staticmethod
    async def _read(process: Process) -> worker.WorkerReply | None:
        """Return the process's next reply; None at the end of the stream or if the data is invalid."""
        assert process.stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError, OSError, msgspec.DecodeError):
            length = int.from_bytes(await process.stdout.readexactly(4), "big")
            return worker.decode_reply(await process.stdout.readexactly(length))
        return None

    def stop(self, task: _Task) -> None:
        """Tell the process that this task is not wanted, if it works on it."""
        if self._task is task and self.process is not None:
            self._write(self.process, worker.STOP)

    async def _end(self) -> None:
        """Kill and remove the process."""
        process, self.process, self.ready = self.process, None, False
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _about(task: _Task) -> str:
    return str(task.parts[0]).rpartition(":")[2]
