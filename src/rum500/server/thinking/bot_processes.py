"""Worker processes that compute bots' choices and other work. Their failures harm no table.

The scheduler decides which process does which work, and when. A process that ends, or takes far longer than
allowed, is replaced; a light level then makes the choice.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from rum500.rng import Rng
from rum500.server.config import NICENESS
from rum500.server.logs import log
from rum500.server.thinking import bot_worker as worker
from rum500.server.thinking.executor import (
    CALL_S,
    FALLBACK_LEVEL,
    BotExecutor,
    PendingChoice,
    WorkFailed,
    choice,
    choose_inline,
    seconds_of,
)
from rum500.server.work_scheduler import LANES, SERVER, Asker, LaneKind, Turn, Work, WorkScheduler
from rum500.view import View

PATIENCE = 3.0
"""A process is replaced if a choice takes longer than the level's seconds times this, plus `GRACE_S`."""
GRACE_S = 2.0
LEAST_S = 0.002
"""The smallest time in seconds that a bot gets for a choice."""
TOO_LATE_S = 0.03
"""If a choice has waited this many seconds more than its level's seconds, a light level makes it."""
HEAVY_NICENESS = 5
"""How much higher the niceness is in lanes that are open to heavy addresses: work that has begun cannot be
taken off its lane, but the system interrupts it for the work of other addresses.
"""
MOST_PRINTED = 500
"""How many characters of each line that a process prints are logged."""
_BACK_OFF_S = 1.0
"""The seconds between a failed attempt to start a process and the next attempt."""


class ProcessExecutor(BotExecutor):
    """Computes in worker processes, one for each lane of a scheduler.

    Each process first imports `modules`, which may register bots.
    """

    def __init__(
        self,
        scheduler: WorkScheduler,
        modules: Sequence[str] = (),
        niceness: Mapping[LaneKind, int] | None = None,
    ) -> None:
        """Begin without processes: each is started when its lane has work, or by `warm`.

        `niceness` is the niceness of the processes of each kind of lane relative to the server, 0 to 19.
        """
        self.scheduler = scheduler
        self._modules = modules
        self._niceness = niceness or {}
        self._loop = asyncio.get_running_loop()
        self._workers: dict[tuple[LaneKind, int], _Worker] = {}

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        return [each.process.pid for each in self._workers.values() if each.process is not None]

    @property
    def ready(self) -> int:
        """The number of processes that are ready to work."""
        return sum(each.ready for each in self._workers.values())

    @property
    def working(self) -> int:
        """The number of processes that are working on a task."""
        return sum(each.working for each in self._workers.values())

    # --- the executor ---------------------------------------------------------------------------------

    def warm(self, level: str) -> None:
        """Start the processes if this level needs them."""
        if seconds_of(level):
            for lane in range(self.scheduler.lanes["interactive"]):
                self._worker("interactive", lane).begin()

    def choose(
        self, level: str, view: View, chance: Rng, done: Callable[[int], None], who: Asker = SERVER
    ) -> int | PendingChoice:
        """Return a light level's choice at once; else let a process choose, and pass its choice to `done`."""
        seconds = seconds_of(level)
        if not seconds:
            return choose_inline(level, view, chance)
        pending, state = PendingChoice(), chance.state

        async def run(turn: Turn) -> Any:
            left = seconds - turn.waited
            if left < -TOO_LATE_S:
                return None
            given = max(LEAST_S, min(left, seconds * turn.share))
            task = worker.packed(worker.CHOOSE, given, (level, view, state))
            return await self._work(Work.BOT, turn, task, PATIENCE * seconds + GRACE_S, level)

        def finish(future: asyncio.Future[Any]) -> None:
            if pending.wanted and not future.cancelled():
                code = None if future.exception() else future.result()
                if not isinstance(code, int) or code not in view.legal:
                    code = choice(FALLBACK_LEVEL, view, Rng(state))
                done(code)

        future = self.scheduler.submit(Work.BOT, who, run, cost=seconds, deadline=seconds + TOO_LATE_S)
        future.add_done_callback(finish)
        pending.drop = future.cancel
        return pending

    def call(
        self,
        work: Work,
        who: Asker,
        function: str,
        *parts: Any,
        key: object = None,
        seconds: float = CALL_S,
    ) -> asyncio.Future[bytes]:
        """Call a function, named `module:function`, in a process; return the future of its result.

        The future raises `WorkFailed` if the process ends or takes far longer than `seconds`. Raises `Busy`
        if too much work of the asker is waiting. `key` is as in `WorkScheduler.submit`.
        """

        async def run(turn: Turn) -> bytes:
            task = worker.packed(worker.CALL, seconds, (function, *parts))
            found = await self._work(
                work, turn, task, PATIENCE * seconds + GRACE_S, function.rpartition(":")[2]
            )
            if not isinstance(found, bytes):
                raise WorkFailed(function)
            return found

        deadline = seconds if LANES[work] == "interactive" else None
        return self.scheduler.submit(work, who, run, key=key, deadline=deadline)

    # --- the processes ----------------------------------------------------------------------------------

    def _worker(self, kind: LaneKind, lane: int) -> _Worker:
        if (kind, lane) not in self._workers:
            # Without -P the current folder would be first in sys.path, and its files could shadow modules.
            more = 0 if self.scheduler.is_kept(kind, lane) else HEAVY_NICENESS
            niceness = str(min(19, self._niceness.get(kind, NICENESS) + more))
            command = [sys.executable, "-P", "-m", worker.__name__, niceness, *self._modules]
            self._workers[kind, lane] = _Worker(command)
        return self._workers[kind, lane]

    async def _work(self, work: Work, turn: Turn, task: bytes, patience: float, at: str) -> Any:
        found = self._worker(LANES[work], turn.lane)
        turn.stop = found.stop
        reply = await found.work(task, patience, at)
        if reply is None:
            return None
        turn.spent = reply.spent
        return reply.value

    async def close(self) -> None:
        """Drop the waiting work and kill the processes."""
        await self.scheduler.close()
        for each in self._workers.values():
            await each.close()


class _Worker:
    """One process: started when there is work, and replaced after a failure."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self.process: Process | None = None
        self.ready = self.working = self._unwanted = False
        self._starting: asyncio.Task[None] | None = None
        self._printing: asyncio.Task[None] | None = None

    async def work(self, task: bytes, patience: float, at: str) -> worker.WorkerReply | None:
        """Return the reply to a task; None if the process failed or took over `patience` s and is removed."""
        self._unwanted = False
        self.begin()
        if self._starting is not None:
            await asyncio.wait([self._starting])
        process = self.process
        if process is None or self._unwanted:
            return None
        why, reply = "gone", None
        self.working = True
        try:
            async with asyncio.timeout(patience):
                self._write(process, task)
                reply = await self._read(process)
        except TimeoutError:
            why = "too slow"
        finally:
            self.working = False
        if reply is None:
            await self.end()
            log().warning("bots.replaced", why=why, pid=process.pid, exit=process.returncode, at=at)
            self.begin()
            return None
        if reply.must_end:
            await self.end()
            self.begin()
        if reply.error:
            log().error("bots.failed", error=reply.error, at=at)
        return reply

    def begin(self) -> None:
        """Start the process if it is not running."""
        if not self.ready and (self._starting is None or self._starting.done()):
            self._starting = asyncio.get_running_loop().create_task(self._start())

    async def _start(self) -> None:
        """Start the process and wait until it is ready. If it fails, wait for `_BACK_OFF_S` seconds."""
        try:
            self.process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=PIPE
            )
            self._printing = asyncio.get_running_loop().create_task(_log_prints(self.process))
            self.ready = await self._read(self.process) is not None
            failure = {"exit": self.process.returncode}
        except OSError as error:
            failure = {"error": error.errno}
        if not self.ready:
            log().error("bots.not_started", **failure)
            await self.end()
            await asyncio.sleep(_BACK_OFF_S)

    @staticmethod
    def _write(process: Process, data: bytes) -> None:
        assert process.stdin is not None
        if not process.stdin.is_closing():  # uvloop raises RuntimeError for a process that has ended
            process.stdin.write(worker.framed(data))

    @staticmethod
    async def _read(process: Process) -> worker.WorkerReply | None:
        """Return the process's next reply; None at the end of the stream, or if the reply is invalid."""
        assert process.stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError, OSError, msgspec.DecodeError):
            length = int.from_bytes(await process.stdout.readexactly(4), "big")
            return worker.decode_reply(await process.stdout.readexactly(length))
        return None

    def stop(self) -> None:
        """Stop the current task, whose result is no longer wanted."""
        self._unwanted = True
        if self.working and self.process is not None:
            self._write(self.process, worker.STOP)

    async def end(self) -> None:
        """Kill and remove the process."""
        process, self.process, self.ready = self.process, None, False
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            if self._printing is not None:
                self._printing.cancel()

    async def close(self) -> None:
        """End the process, even while it is being started."""
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait([self._starting])
        await self.end()


async def _log_prints(process: Process) -> None:
    """Log what a process prints, as lines in the format of the log."""
    assert process.stderr is not None
    while True:
        try:
            line = await process.stderr.readline()
        except ValueError:  # a line longer than the stream's limit
            continue
        if not line:
            return
        text = line.decode(errors="replace").rstrip()[:MOST_PRINTED]
        if text:
            log().warning("bots.printed", pid=process.pid, text=text)
