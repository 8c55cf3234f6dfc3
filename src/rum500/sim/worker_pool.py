"""Worker processes: distribution of work, with results in order."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import multiprocessing.util
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stdout
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, TypeVar

from rum500.external_bots import end_engines
from rum500.sim.deals import SimulationError

Done = TypeVar("Done")
Task = Callable[..., Done]
"""`task(job, *piece)`: a module-level function, so that it can be sent to a process."""

_MAIN_RULE = (
    "each imports the script that called, which must be a file and start nothing outside of its "
    "`if __name__ == '__main__':`; bots are classes of a file too. One worker (workers=1) needs none of this"
)

_WORK: list[tuple[Task[Any], Any]] = []
"""The task and job of this worker process."""


def in_order(
    task: Task[Done], job: Any, pieces: Iterable[tuple[Any, ...]], workers: int
) -> Generator[Done, None, None]:
    """Yield the results of `task(job, *piece)` for all pieces, in order.

    With one worker, everything runs in this process. Pieces are requested only shortly before they are
    needed, so that their generator can react to earlier results. Closing this generator ends the workers at
    once. Raises `SimulationError` if a worker dies, or cannot begin because it cannot import the script that
    called.
    """
    if workers == 1:
        yield from (task(job, *piece) for piece in pieces)
        return
    _check_main()
    _check_sent(task, job)
    context = multiprocessing.get_context("spawn")
    lifeline, held = context.Pipe(duplex=False)
    begun = context.Event()
    pool = ProcessPoolExecutor(workers, context, begin_worker, (task, job, lifeline, begun))
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
        if not begun.is_set():
            raise SimulationError(f"a worker process could not begin: {_MAIN_RULE}") from None
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


def _check_main() -> None:
    """Raise `SimulationError` if the calling script is in no file, so that no worker could import it."""
    main = sys.modules["__main__"]
    file = getattr(main, "__file__", None)
    if file is not None and getattr(main, "__spec__", None) is None and not Path(file).is_file():
        raise SimulationError(f"worker processes cannot import the calling script {file}: {_MAIN_RULE}")


def _check_sent(task: Task[Any], job: Any) -> None:
    """Raise `SimulationError` for work that cannot be sent to another process, such as an open connection."""
    try:
        pickle.dumps((task, job))
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise SimulationError(
            f"this cannot be sent to worker processes: {error}. One worker (workers=1) needs no sending"
        ) from None


def begin_worker(
    task: Task[Any], job: Any, lifeline: Connection | None = None, begun: Event | None = None
) -> None:
    """Store the task. Ctrl-C is left to the parent; the worker ends when the lifeline's other end closes.

    `begun` is set: the calling script and the job could be imported.
    """
    if begun is not None:
        begun.set()
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
