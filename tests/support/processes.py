"""The processes that tests start: they end with their test, and with the process that runs the tests.

Each process inherits a mark of the process that runs the tests, by which it can be found.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psutil

MARK = "RUM500_TESTS_OF"
"""The variable with the id of the process that runs the tests."""
OF_PYTHON = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")


@contextmanager
def started(command: Sequence[object], **settings: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a process, and kill it if it still runs at the end of the block, however that ends."""
    with subprocess.Popen([*map(str, command)], **settings) as process:
        try:
            yield process
        finally:
            process.kill()


def marked(of: int) -> list[psutil.Process]:
    """Return the other processes with the mark of this process."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != of and process.environ().get(MARK) == str(of):
                found.append(process)
        except psutil.Error:
            continue  # it has ended, or belongs to another user
    return found


def left_over() -> dict[psutil.Process, str]:
    """Return the processes that tests of this process started and did not end, with their commands."""
    found = {}
    for process in marked(os.getpid()):
        with suppress(psutil.Error):
            command = " ".join(process.cmdline())
            if not any(name in command for name in OF_PYTHON):
                found[process] = command
    return found


@contextmanager
def guarded() -> Iterator[None]:
    """Mark what is started in the block; if this process dies, a guard kills all of it."""
    plain = {name: value for name, value in os.environ.items() if name != MARK}
    command = [sys.executable, __file__, str(os.getpid())]
    guard = subprocess.Popen(command, env=plain, start_new_session=True)
    os.environ[MARK] = str(os.getpid())
    try:
        yield
    finally:
        guard.kill()
        guard.wait()


if __name__ == "__main__":
    watched = int(sys.argv[1])
    with suppress(psutil.NoSuchProcess):  # it has died already
        psutil.Process(watched).wait()
    while processes := marked(watched):
        for each in processes:
            each.kill()
        psutil.wait_procs(processes, timeout=1)
