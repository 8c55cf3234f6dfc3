"""Worker processes: distribution of work, with results in order."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import multiprocessing.util
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stdout
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from rum500.external_bots import end_engines
from rum500.sim.deals import SimulationError

Done = TypeVar("Done")
Task = Callable[..., Done]
"""`task(job, *piece)`: a module-level function, so that it can be sent to a process."""

_WORK: list[tuple[Task[Any], Any]] = []
"""The task and job of this worker process."""


def in_order(
    task: Task[Done], job: Any, pieces: Iterable[tuple[Any, ...]], workers: int
) -> Generator[Done, None, None]:
    """Yield the results of `task(job, *piece)` for all pieces, in order.

    With one worker, everything runs in this process. Pieces are requested only shortly before they are
    needed, so that their generator can react to earlier results. Closing this generator ends the workers at
    once. Raises `SimulationError` if a worker dies.
    """
    if workers == 1:
        yield from (task(job, *piece) for piece in pieces)
        return
    context = multiprocessing.get_context("spawn")
    lifeline, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, begin_worker, (task, job, lifeline))
    waiting: deque[Future[Done]] = deque()
    try:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > 3 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        held.close()
        raise SimulationError(
            "a worker process ended in mid-work: was it killed, or short of memory?"
        ) from None
    except BaseException:
        held.close()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        held.close()
        lifeline.close()


def begin_worker(task: Task[Any], job: Any, lifeline: Connection | None = None) -> None:
    """Store the task. Ctrl-C is left to the parent; the worker ends when the lifeline's other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    multiprocessing.util.Finalize(None, end_engines, exitpriority=1)
    if lifeline is not None:
        threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _WORK[:] = [(task, job)]


def _end_with(lifeline: Connection) -> None:
    """Wait until the parent closes the lifeline or dies, then end this process."""
    multiprocessing.connection.wait([lifeline])
    end_engines()
    os._exit(1)


def work(piece: tuple[Any, ...]) -> Any:
    """Return the result of one piece of the worker's job. Output of bots goes to stderr."""
    task, job = _WORK[0]
    with redirect_stdout(sys.stderr):
        return task(job, *piece)
