"""Worker processes: pieces of work shared out, and what they bring handed back in order."""

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
"""`task(job, *piece)`: a function of a module, so that a process can be told of it."""

_WORK: list[tuple[Task[Any], Any]] = []
"""Task and job of this worker process."""


def in_order(
    task: Task[Done], job: Any, pieces: Iterable[tuple[Any, ...]], workers: int
) -> Generator[Done, None, None]:
    """What `task(job, *piece)` returns for each piece, in the order of the pieces.

    With one worker all is done here. Pieces are asked for as they are needed, and never much more of them
    are under way than the workers need: whoever makes them may heed what came back before. Whoever stops
    asking ends the workers, whatever they are at. `SimulationError` if a worker dies.
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
    """Keep what there is to do; Ctrl-C is the parent's to handle, and the lifeline's other end ends us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    multiprocessing.util.Finalize(None, end_engines, exitpriority=1)
    if lifeline is not None:
        threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _WORK[:] = [(task, job)]


def _end_with(lifeline: Connection) -> None:
    """Wait for the parent to let go, which being killed does too: else a pool waits for work for ever."""
    multiprocessing.connection.wait([lifeline])
    end_engines()
    os._exit(1)


def work(piece: tuple[Any, ...]) -> Any:
    """One piece of the worker's job; what a bot prints goes to stderr, for stdout is the results'."""
    task, job = _WORK[0]
    with redirect_stdout(sys.stderr):
        return task(job, *piece)
