"""An executor that runs heavy bots and other work in separate processes, whose failures harm no table.

Each process has a thread here that sends it one task after another. When many tasks wait, a bot with a
settable time gets only a share of its level's seconds, so that the answer still comes within these seconds.
A process that dies, or takes far longer than allowed, is replaced, and a light level makes the choice.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, Any

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
_WATCH_S = 0.25
_BACK_OFF_S = 1.0
"""The seconds between a process that could not start and the next one."""
_END_S = 3.0
_decode_answer = msgspec.json.Decoder(messages.Answer).decode


class _BotTask:
    """One task: `kind` and `parts` are for the worker; `done` is called on the event loop."""

    __slots__ = ("asked_at", "done", "kind", "parts", "seconds", "thought")

    def __init__(
        self,
        kind: str,
        parts: tuple[Any, ...],
        seconds: float,
        done: Callable[[Any], None],
        thought: PendingChoice,
    ) -> None:
        self.kind, self.parts, self.seconds = kind, parts, seconds
        self.done, self.thought = done, thought
        self.asked_at = time.monotonic()


class ProcessExecutor:
    """Computes in `count` processes; these first import `modules`, which may register bots."""

    def __init__(self, count: int = 2, modules: Sequence[str] = (), niceness: int = NICENESS) -> None:
        """Begin without processes; they are started when one is needed or `warm` is called.

        `niceness` is by how much their priority is below the server's, 0 to 19.
        """
        self._loop = asyncio.get_running_loop()
        self._modules = tuple(modules)
        self._niceness = niceness
        self._jobs: deque[_BotTask] = deque()
        self._more = threading.Condition()
        self._closed = False
        self._hands = [_WorkerProcess(self, number) for number in range(count)]
        self._watch: asyncio.TimerHandle | None = None

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run now."""
        return [hand.process.pid for hand in self._hands if hand.process is not None]

    @property
    def ready(self) -> int:
        """The number of processes that have started completely."""
        return sum(hand.warm for hand in self._hands)

    @property
    def waiting(self) -> int:
        """The number of tasks that no process works on yet."""
        return len(self._jobs)

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
        thought, state = PendingChoice(), chance.state

        def finish(code: Any) -> None:
            if thought.wanted and not self._closed:
                known = isinstance(code, int) and code in view.legal
                done(code if known else choice(FALLBACK_LEVEL, view, Rng(state)))

        job = _BotTask(worker.CHOOSE, (level, view, state), seconds, finish, thought)
        thought.drop = lambda: self._drop(job)
        self._put(job)
        return thought

    def advise(self, advice: Advice, done: Callable[[messages.Answer | BaseException], None]) -> None:
        """Queue advice after the tasks that wait already."""

        def finish(answer: Any) -> None:
            if self._closed:
                return
            if isinstance(answer, bytes):
                done(_decode_answer(answer))
            else:
                done(RuntimeError("no advice came"))

        self.call("rum500.server.thinking.advice_work:encoded_answer", (advice.work,), ADVICE_S, finish)

    def call(
        self, function: str, parts: tuple[Any, ...], seconds: float, done: Callable[[Any], None]
    ) -> None:
        """Call a function in a process, by its full name `module:function`.

        It returns bytes, which are passed to `done`; None if it failed, or took far longer than `seconds`, or
        the process ended.
        """
        self._put(_BotTask(worker.CALL, (function, *parts), seconds, done, PendingChoice()))

    def _put(self, job: _BotTask) -> None:
        self._begin()
        with self._more:
            self._jobs.append(job)
            self._more.notify()

    def _drop(self, job: _BotTask) -> None:
        """Remove a task that is not wanted from the queue, or stop the process that works on it."""
        with self._more, contextlib.suppress(ValueError):
            self._jobs.remove(job)
            return
        for hand in self._hands:
            hand.stop(job)

    # --- the processes --------------------------------------------------------------------------------

    def _begin(self) -> None:
        if self._watch is None and not self._closed:
            self._watch = self._loop.call_later(_WATCH_S, self._look)
            for hand in self._hands:
                hand.start()

    def _look(self) -> None:
        """Kill the processes that take too long; their threads replace them."""
        now = time.monotonic()
        for hand in self._hands:
            hand.end_if_late(now)
        self._watch = self._loop.call_later(_WATCH_S, self._look)

    def next(self) -> tuple[_BotTask, float] | None:
        """Return the next task and its seconds, 0 if it is too late; None if closed. Blocks the thread."""
        with self._more:
            while True:
                while self._jobs:
                    job = self._jobs.popleft()
                    if job.thought.wanted:
                        return job, self._share(job)
                if self._closed:
                    return None
                self._more.wait()

    def _share(self, job: _BotTask) -> float:
        """Return the seconds for a task: its remaining time, divided among the tasks that wait."""
        left = job.seconds - (time.monotonic() - job.asked_at)
        if left < -TOO_LATE_S:
            return 0.0
        hands = len(self._hands)
        return max(LEAST_S, min(left, job.seconds * hands / (hands + len(self._jobs))))

    def tell(self, job: _BotTask, result: Any) -> None:
        """Pass a task's result to the event loop; called by the processes' threads."""
        if not self._closed:
            self._loop.call_soon_threadsafe(job.done, result)

    def is_closed(self) -> bool:
        """Return whether the executor is closed."""
        return self._closed

    def command(self) -> list[str]:
        """Return the command line of a process."""
        # Without -P the current folder would come first in sys.path, and its files could shadow modules.
        return [sys.executable, "-P", "-m", worker.__name__, str(self._niceness), *self._modules]

    async def close(self) -> None:
        """Drop the waiting tasks and kill the processes."""
        with self._more:
            self._closed = True
            self._jobs.clear()
            self._more.notify_all()
        if self._watch is not None:
            self._watch.cancel()
            for hand in self._hands:
                hand.end()
            await asyncio.to_thread(self._join)

    def _join(self) -> None:
        for hand in self._hands:
            hand.join(_END_S)


class _WorkerProcess(threading.Thread):
    """A thread that starts one process, sends it tasks and replaces it."""

    def __init__(self, pool: ProcessExecutor, number: int) -> None:
        super().__init__(name=f"rum500-bot-{number}", daemon=True)
        self._pool = pool
        self._lock = threading.Lock()
        self._talking = threading.Lock()
        self._at: _BotTask | None = None
        self._late_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self.warm = False

    def run(self) -> None:
        """Process tasks until the executor is closed."""
        self._start_process()
        while (found := self._pool.next()) is not None:
            job, seconds = found
            result = None if self.process is None or not seconds else self._worked(job, seconds)
            self._pool.tell(job, result)
            if self.process is None:
                self._start_process()
        self._let_go()

    def _start_process(self) -> None:
        """Start a process and wait until it is ready; if that fails, wait a little."""
        if self._pool.is_closed():
            return
        try:
            process = subprocess.Popen(  # noqa: S603 - the same interpreter
                self._pool.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            structlog.get_logger().error("bots.not_started", error=str(error))
            self._wait_a_little()
            return
        with self._lock:
            self.process = process
        if self._pool.is_closed():
            self.end()
        assert process.stdout is not None
        if worker.read(process.stdout) is None:
            self._let_go()
            if not self._pool.is_closed():
                structlog.get_logger().error("bots.not_started", exit=process.returncode)
            self._wait_a_little()
        else:
            self.warm = True

    def _wait_a_little(self) -> None:
        if not self._pool.is_closed():
            time.sleep(_BACK_OFF_S)

    def _worked(self, job: _BotTask, seconds: float) -> Any:
        """Return the process's result for a task; None if the process failed and has been removed."""
        process = self.process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        self._late_at = time.monotonic() + PATIENCE * job.seconds + GRACE_S
        try:
            with self._talking:
                worker.write(process.stdin, worker.packed(job.kind, seconds, job.parts))
                self._at = job
            if not job.thought.wanted:  # it may have been cancelled while it was sent
                self.stop(job)
            answer = worker.read(process.stdout)
        except OSError:
            answer = None
        with self._talking:
            self._at = None
        late, self._late_at = self._late_at, 0.0
        if answer is None:
            self._let_go()
            if not self._pool.is_closed():
                why = "too slow" if time.monotonic() >= late else "gone"
                structlog.get_logger().warning(
                    "bots.replaced", why=why, pid=process.pid, exit=process.returncode, at=_about(job)
                )
            return None
        if answer.worn:
            self._let_go()
        if answer.error:
            structlog.get_logger().error("bots.failed", error=answer.error, at=_about(job))
        return answer.value

    def stop(self, job: _BotTask) -> None:
        """Tell the process that its present task is not wanted. Callable from any thread; never blocks.

        While this thread itself writes to the process nothing is sent: it checks the task again afterwards.
        """
        if self._talking.acquire(blocking=False):
            try:
                process = self.process
                if self._at is job and process is not None and process.stdin is not None:
                    with contextlib.suppress(OSError, ValueError):  # the process and its task are gone
                        worker.write(process.stdin, worker.STOP)
            finally:
                self._talking.release()

    def end_if_late(self, now: float) -> None:
        """Kill the process if it takes too long; called on the event loop."""
        if 0 < self._late_at < now:
            self.end()

    def end(self) -> None:
        """Kill the process, whatever it is doing."""
        with self._lock:
            if self.process is not None:
                self.process.kill()

    def _let_go(self) -> None:
        """Kill and remove the process, and close its pipes."""
        self.warm = False
        with self._lock:
            process, self.process = self.process, None
            if process is None:
                return
            process.kill()
        pipes: tuple[IO[bytes] | None, ...] = (process.stdin, process.stdout)
        for pipe in pipes:
            if pipe is not None:
                with contextlib.suppress(OSError):  # unwritten data cannot be flushed any more
                    pipe.close()
        process.wait()


def _about(job: _BotTask) -> str:
    return str(job.parts[0]).rpartition(":")[2]
