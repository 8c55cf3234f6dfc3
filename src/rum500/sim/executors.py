"""Executors, which run jobs: in this process, in worker processes of this machine, or on a Dask cluster.

Any other `concurrent.futures.Executor` can be used in their place.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import multiprocessing.util
import os
import pickle
import re
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from rum500.external_bots import end_engines
from rum500.sim.deals import SimulationError

P = ParamSpec("P")
T = TypeVar("T")

_MAIN_RULE = (
    "each imports the script that called, which must be a file and start nothing outside of its "
    "`if __name__ == '__main__':`; bots are classes of a file too. One worker (workers=1) needs none of this"
)
DASK = "dask://"
PATIENCE_S = 10
"""How many seconds to wait for a Dask scheduler and its first worker."""


class SerialExecutor(Executor):
    """Runs each job when it is submitted, in the calling thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the job and return its finished future."""
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def local_executor(workers: int) -> Generator[Executor]:
    """Yield an executor with this number of processes; for 1, the executor is this process itself.

    An error in the block ends the processes at once, in the middle of their jobs. Raises `SimulationError` if
    a process dies, or cannot start because it cannot import the calling script.
    """
    if workers == 1:
        yield SerialExecutor()
        return
    _check_main()
    context = multiprocessing.get_context("spawn")
    lifeline, held = context.Pipe(duplex=False)
    begun = context.Event()
    pool = ProcessPoolExecutor(workers, context, begin_worker, (lifeline, begun))
    try:
        _start_first(pool)
        yield pool
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


@contextmanager
def given_executor(executor: Executor) -> Generator[Executor]:
    """Yield the caller's executor, and leave it open after the block.

    Raises `SimulationError` if one of its workers dies, or if it cancels a job.
    """
    try:
        yield executor
    except BrokenExecutor:
        raise SimulationError(
            "a worker of the executor ended in mid-work: was it killed, or short of memory?"
        ) from None
    except CancelledError:
        raise SimulationError("the executor gave up a job: has its scheduler ended?") from None


def _check_main() -> None:
    """Raise `SimulationError` if the calling script, which workers import, is not a file."""
    main = sys.modules["__main__"]
    file = getattr(main, "__file__", None)
    if file is not None and getattr(main, "__spec__", None) is None and not Path(file).is_file():
        raise SimulationError(f"worker processes cannot import the calling script {file}: {_MAIN_RULE}")


def _start_first(pool: ProcessPoolExecutor) -> None:
    """Start the first worker.

    Raises `SimulationError` if this process is itself a worker that is importing the calling script: it would
    start workers without end, so Python refuses.
    """
    try:
        pool.submit(os.getpid)
    except RuntimeError:
        if multiprocessing.parent_process() is None:
            raise
        raise SimulationError(f"a worker process cannot have workers while it begins: {_MAIN_RULE}") from None


def check_sent(job: object) -> None:
    """Raise `SimulationError` if a job cannot be pickled, usually because of an attribute of its bot."""
    try:
        pickle.dumps(job)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise SimulationError(
            f"this cannot be sent to worker processes: {error}. One worker (workers=1) needs no sending"
        ) from None


def begin_worker(lifeline: Connection, begun: Event) -> None:
    """Prepare a worker process: output of its bots goes to stderr, and it ignores Ctrl-C.

    The process ends when the parent's end of the pipe `lifeline` closes. `begun` is set to report that the
    calling script was imported.
    """
    begun.set()
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    multiprocessing.util.Finalize(None, end_engines, exitpriority=1)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    """Wait until the parent closes its end of the pipe or dies, then end this process."""
    multiprocessing.connection.wait([lifeline])
    end_engines()
    os._exit(1)


@dataclass(frozen=True, slots=True)
class Cluster:
    """An executor on other machines, and the number of its workers."""

    executor: Executor
    workers: int


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """Yield the executor at an address, `dask://HOST:PORT`, and close it after the block.

    Raises `SimulationError` if no Dask scheduler answers there, if it has no workers, or if it gives up a
    job, and `ModuleNotFoundError` if the package `distributed` is not installed.
    """
    host, _, port = address.removeprefix(DASK).rpartition(":")
    if not address.startswith(DASK) or not host or not re.fullmatch(r"\d{1,5}", port):
        raise SimulationError(f"there is no executor {address!r}; write dask://HOST:PORT")
    from distributed import Client  # noqa: PLC0415 - a second's import that few runs need
    from distributed.scheduler import KilledWorker  # noqa: PLC0415

    where = f"{host}:{port}"
    try:
        client: Any = Client(f"tcp://{where}", timeout=PATIENCE_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except OSError:
        raise SimulationError(
            f"no Dask scheduler answers at {where}; start it: dask scheduler --port {port}"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE_S)
        except TimeoutError:
            raise SimulationError(
                f"the Dask scheduler at {where} has no worker; "
                f"start some: dask worker tcp://{where} --nthreads 1"
            ) from None
        _check_versions(client, where)
        # Dask treats calls with equal arguments as one task unless the function is declared impure.
        with client.get_executor(pure=False) as executor:
            try:
                yield Cluster(executor, sum(client.nthreads().values()))
            except KilledWorker as killed:
                raise SimulationError(
                    f"a job ended {killed.allowed_failures + 1} workers of {where}: are they short of memory?"
                ) from None


def _check_versions(client: Any, where: str) -> None:
    """Raise `SimulationError` unless the scheduler and all workers have this version of rum500."""
    found = client.get_versions(packages=["rum500"])
    own = found["client"]["packages"]["rum500"]
    for name, there in {"the scheduler": found["scheduler"], **found["workers"]}.items():
        version = there["packages"].get("rum500")
        if version != own:
            has = "no rum500" if version is None else f"rum500 {version}"
            raise SimulationError(
                f"{name} of the Dask cluster at {where} has {has}; install 'rum500[dask]=={own}' there"
            )
