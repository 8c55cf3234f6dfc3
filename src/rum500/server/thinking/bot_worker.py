"""A process in which bots think: it reads pieces of work from stdin and writes answers to stdout.

A message is its length, four bytes, and as many bytes. What it is given is pickled, for it comes from its
own server; what it answers is msgpack, for a bot that has gone wrong must not harm the server. An empty
message says that what was sent last is not wanted any more: a bot with a `stop` is told so, and its answer,
whatever it is, comes at once.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import IO, Any

import msgspec

from rum500 import bots
from rum500.bots import Bot, StoppableChoice
from rum500.external_bots import allow_local_imports, error_location, legal_code_of
from rum500.rng import Rng

CHOOSE, ADVISE = "choose", "advise"
STOP = b""
"""The message to stop."""
MOST_MEMORY = 1 << 30
"""Bytes that a process may take for its data; a bot that wants more fails."""
WORN_MEMORY = 400 << 20
"""A process that has ever been larger is replaced after its answer."""
_NICENESS = 10
"""The server itself goes first."""


class WorkerReply(msgspec.Struct, array_like=True):
    """What came of a piece of work: a value, or an error; `worn`: this process ends now."""

    value: int | bytes | None = None
    error: str = ""
    worn: bool = False


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(WorkerReply).decode


def packed(kind: str, seconds: float, parts: tuple[Any, ...]) -> bytes:
    """A piece of work, to be written."""
    return pickle.dumps((kind, seconds, parts), pickle.HIGHEST_PROTOCOL)


def write(pipe: IO[bytes], data: bytes) -> None:
    """Write a message."""
    pipe.write(len(data).to_bytes(4, "big") + data)
    pipe.flush()


def read(pipe: IO[bytes]) -> WorkerReply | None:
    """Read an answer; None where nothing, or nothing of sense, comes any more."""
    data = _message(pipe)
    try:
        return None if data is None else _decode(data)
    except msgspec.DecodeError:
        return None


def _message(pipe: IO[bytes]) -> bytes | None:
    head = pipe.read(4)
    if len(head) < 4:
        return None
    length = int.from_bytes(head, "big")
    data = pipe.read(length)
    return data if len(data) == length else None


def main(modules: list[str]) -> None:
    """Work until stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to handle
    incoming, outgoing = _own_pipes()
    _be_modest()
    for module in modules:
        allow_local_imports()
        importlib.import_module(module)
    for level in bots.names():
        bots.get(level)
    write(outgoing, _encode(WorkerReply()))
    desk = _TaskLoop()
    threading.Thread(target=desk.take, args=(incoming,), daemon=True).start()
    while True:
        answer = desk.next_answer()
        answer.worn = _largest() > WORN_MEMORY
        write(outgoing, _encode(answer))


class _TaskLoop:
    """What came in, numbered from 1; how far it is, and the choice in the making, if one is."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._came = self._begun = self._unwanted = 0
        self._choice: StoppableChoice | None = None
        self._looking = threading.Lock()

    def take(self, incoming: IO[bytes]) -> None:
        """Take in what comes. Where the server is gone nobody waits for an answer, even to what is begun."""
        while (data := _message(incoming)) is not None:
            if data == STOP:
                self._stop()
            else:
                self._came += 1
                self._work.put(data)
        os._exit(0)

    def _stop(self) -> None:
        """What came last is not wanted: if it has not become a choice yet, it never will."""
        with self._looking:
            self._unwanted = self._came
            choice = self._choice if self._begun == self._unwanted else None
        if choice is not None:
            choice.stop()

    def next_answer(self) -> WorkerReply:
        """Do the next piece of work, unless it is not wanted already."""
        data = self._work.get()
        with self._looking:
            self._begun, self._choice = self._begun + 1, None
        try:
            kind, seconds, parts = pickle.loads(data)  # noqa: S301 - it comes from our own server
            return WorkerReply(self._chosen(seconds, *parts) if kind == CHOOSE else _advised(*parts))
        except Exception as error:  # noqa: BLE001 - whatever a bot raises
            ours = traceback.extract_tb(error.__traceback__)[-1]
            where = error_location(error) or f"{ours.name}:{ours.lineno}"
            # The words of the error might name cards.
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


def _own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The two pipes, where no bot's `print` or `input` gets at them."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - its number is what is wanted
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return incoming, outgoing


def _be_modest() -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    os.nice(_NICENESS)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or hard > MOST_MEMORY:
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, hard))


def _largest() -> int:
    """The most memory that this process has had, in bytes."""
    if sys.platform == "win32":
        return 0
    if sys.platform == "linux":
        # What getrusage tells began with the size of the server, which this process came from.
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


def _advised(*parts: Any) -> bytes:
    # Imported when it is first asked for: it brings all of the server along.
    from rum500.server.thinking.advice_work import answered  # noqa: PLC0415

    return answered(*parts)


if __name__ == "__main__":
    main(sys.argv[1:])
