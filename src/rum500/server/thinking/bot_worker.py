"""A process that runs bots: it reads tasks from stdin and writes results to stdout.

A message is its length in four bytes, followed by that many bytes. Tasks are pickled, because they come from
the process's own server; results are msgpack, because a faulty bot must not harm the server. An empty message
means that nobody wants the result of the last task any more: a bot with a method `stop` is stopped and
answers at once; a call of a function is interrupted.
"""

from __future__ import annotations

import _thread
import contextlib
import importlib
import os
import pickle
import pkgutil
import queue
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import IO, Any

import msgspec

from rum500 import bots
from rum500.bots import Bot, StoppableChoice
from rum500.external_bots import allow_local_imports, error_location, legal_code_of
from rum500.rng import Rng

CHOOSE, CALL = "choose", "call"
"""The kinds of tasks: a bot's choice, or a call of a named function of the server."""
STOP = b""
"""The message that stops the last task."""
MOST_MEMORY = 1 << 30
"""The largest size of a process's data in bytes; a bot that needs more fails."""
WORN_MEMORY = 400 << 20
"""A process that has ever used more memory than this, in bytes, is replaced after its answer."""
_INTERRUPT = getattr(signal, "SIGUSR1", None)
"""The signal that interrupts a call, sent within the process; None on Windows."""


class _Unwanted(BaseException):
    """Raised within a function's call to interrupt it, because its result is no longer wanted."""


class WorkerReply(msgspec.Struct, array_like=True):
    """The result of a task: a value, or an error. `must_end` requests that the process is replaced."""

    value: int | bytes | None = None
    error: str = ""
    must_end: bool = False
    spent: float = 0.0
    """The processor seconds used by the task."""


_encode = msgspec.msgpack.Encoder().encode
decode_reply = msgspec.msgpack.Decoder(WorkerReply).decode


def packed(kind: str, seconds: float, parts: tuple[Any, ...]) -> bytes:
    """Encode a task as a message."""
    return pickle.dumps((kind, seconds, parts), pickle.HIGHEST_PROTOCOL)


def framed(data: bytes) -> bytes:
    """Return a message preceded by its length."""
    return len(data).to_bytes(4, "big") + data


def _write(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(framed(data))
    pipe.flush()


def _message(pipe: IO[bytes]) -> bytes | None:
    head = pipe.read(4)
    if len(head) < 4:
        return None
    length = int.from_bytes(head, "big")
    data = pipe.read(length)
    return data if len(data) == length else None


def main(niceness: int, modules: list[str]) -> None:
    """Import the modules that register bots, then process tasks until stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    incoming, outgoing = _own_pipes()
    _be_modest(niceness)
    for module in modules:
        allow_local_imports()
        importlib.import_module(module)
    for level in bots.names():
        bots.get(level)
    _write(outgoing, _encode(WorkerReply()))
    desk = _TaskLoop()
    if _INTERRUPT is not None:
        signal.signal(_INTERRUPT, lambda *_: desk.interrupt())
    threading.Thread(target=desk.take, args=(incoming,), daemon=True).start()
    while True:
        answer = desk.next_answer()
        answer.must_end = _largest() > WORN_MEMORY
        _write(outgoing, _encode(answer))


class _TaskLoop:
    """Queues tasks, numbered from 1, and knows which one is in progress."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._came = self._begun = self._unwanted = 0
        self._choice: StoppableChoice | None = None
        self._calling = False
        self._looking = threading.Lock()

    def take(self, incoming: IO[bytes]) -> None:
        """Read messages until stdin ends, then exit at once, because the server has ended."""
        while (data := _message(incoming)) is not None:
            if data == STOP:
                self._stop()
            else:
                self._came += 1
                self._work.put(data)
        os._exit(0)

    def _stop(self) -> None:
        """Mark the last task as unwanted, and stop it if it has begun."""
        with self._looking:
            self._unwanted = self._came
            choice = self._choice if self._begun == self._unwanted else None
        if choice is not None:
            choice.stop()
        elif _INTERRUPT is not None:
            _thread.interrupt_main(_INTERRUPT)

    def interrupt(self) -> None:
        """Abort the current call of a function by raising `_Unwanted`, if its task is unwanted.

        This runs as a signal handler in the main thread, which calls the functions.
        """
        if self._calling and self._begun == self._unwanted:
            raise _Unwanted

    def next_answer(self) -> WorkerReply:
        """Wait for the next task and return its result, or an empty result if the task is unwanted."""
        data = self._work.get()
        with self._looking:
            self._begun, self._choice = self._begun + 1, None
        began = time.process_time()
        try:
            answer = self._answer(data)
        except _Unwanted:
            answer = WorkerReply()
        answer.spent = time.process_time() - began
        return answer

    def _answer(self, data: bytes) -> WorkerReply:
        try:
            kind, seconds, parts = pickle.loads(data)  # noqa: S301 - it comes from our own server
            return WorkerReply(self._chosen(seconds, *parts) if kind == CHOOSE else self._called(*parts))
        except Exception as error:  # noqa: BLE001 - a bot may raise anything
            ours = traceback.extract_tb(error.__traceback__)[-1]
            where = error_location(error) or f"{ours.name}:{ours.lineno}"
            # The message of the error might name cards.
            return WorkerReply(error=f"{type(error).__name__} at {where}")

    def _chosen(self, seconds: float, level: str, view: Any, state: int) -> int | None:
        one = _bot(level)
        if hasattr(one, "seconds"):
            one.seconds = seconds
        choice = StoppableChoice(one, view, Rng(state))
        with self._looking:
            if self._unwanted == self._begun:
                return None
            self._choice = choice
        return legal_code_of(choice.make(), view)

    def _called(self, function: str, *parts: Any) -> bytes | None:
        call = pkgutil.resolve_name(function)  # the first import loads the whole server
        self._calling = True
        try:
            return None if self._unwanted == self._begun else call(*parts)
        finally:
            self._calling = False


def _own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return stdin and stdout as pipes that a bot's `print` or `input` cannot use."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - only its number is needed
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return incoming, outgoing


def _be_modest(niceness: int) -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    os.nice(niceness)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or hard > MOST_MEMORY:
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, hard))


def _largest() -> int:
    """Return the most memory that this process has ever used, in bytes; 0 on Windows."""
    if sys.platform == "win32":
        return 0
    if sys.platform == "linux":
        # getrusage would include the size of the server, which started this process.
        with contextlib.suppress(OSError, IndexError, ValueError):
            status = Path("/proc/self/status").read_text()
            return int(status.split("VmHWM:")[1].split()[0]) * 1024
    import resource  # noqa: PLC0415 - not on Windows

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


_bots: dict[str, Bot] = {}


def _bot(level: str) -> Bot:
    if level not in _bots:
        _bots[level] = bots.get(level)
    return _bots[level]


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the server was killed
        main(int(sys.argv[1]), sys.argv[2:])
