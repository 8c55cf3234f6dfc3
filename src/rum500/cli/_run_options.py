"""The options of runs that can be divided: worker processes, executors, shards, and the run's file."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.progress import Progress

from rum500.cli._console import cores
from rum500.cli.user_error import UserError
from rum500.sim import Shard, SimulationError, cluster

Workers = Annotated[int | None, Parameter(help="Worker processes; all cores if left out.")]
ExecutorAt = Annotated[
    str | None,
    Parameter(
        name="--executor", help="Play on a Dask cluster, dask://HOST:PORT, in place of worker processes here."
    ),
]
ShardText = Annotated[
    str | None,
    Parameter(
        name="--shard",
        help="Play part I of N alone, such as 2/4; --run keeps it, and merge puts all parts together.",
    ),
]
RunFile = Annotated[
    Path | None, Parameter(help="Keep what was played in this file: the same command continues from it.")
]
ParquetOut = Annotated[
    Path | None, Parameter(help="Write one row a deal to this Parquet file, with a data card beside it.")
]
AsJson = Annotated[bool, Parameter(name="--json", help="The results as JSON.")]
ShardFiles = Annotated[
    tuple[Path, ...], Parameter(name="FILES", help="The files of all shards, written by --run, in any order.")
]


@contextmanager
def workers_at(address: str | None, workers: int | None) -> Iterator[tuple[Executor | None, int]]:
    """Yield (executor, number of workers); the executor is None for worker processes."""
    if address is None:
        yield None, cores() if workers is None else workers
        return
    if workers is not None:
        raise UserError("--workers starts processes here, and --executor has its workers: give one")
    with cluster(address) as there:
        # The command reports a lost scheduler itself, in one line.
        for name in ("distributed", "distributed.client"):  # each logger has its own level
            logging.getLogger(name).setLevel(logging.CRITICAL)
        yield there.executor, there.workers


@contextmanager
def playing(
    executor: str | None, workers: int | None, bar: Progress, run: Path | None, place: Path | None
) -> Iterator[tuple[Executor | None, int]]:
    """Yield the executor and its number of workers for a run, and show this progress bar meanwhile.

    `run` is the file from which the run can continue. If a system error names no file, its message names
    `place`.
    """
    try:
        # A bot may print, and stdout is for the result.
        with workers_at(executor, workers) as found, bar, redirect_stdout(sys.stderr):
            yield found
    except OSError as error:
        raise UserError(f"{error.filename or place}: {error.strerror or error}") from None
    except KeyboardInterrupt:
        if run is not None:
            bar.console.print(f"Stopped. The same command continues from {run}.", highlight=False)
        raise


def read_shard(text: str | None, run: Path | None) -> Shard:
    """Return the shard in `text`, the whole run for None. Raises `UserError` if a shard has no run file."""
    if text is None:
        return Shard()
    try:
        shard = Shard.parse(text)
    except SimulationError as error:
        raise UserError(f"--shard: {error}") from None
    if run is None:
        raise UserError("--shard needs --run FILE, which keeps what it plays for the merge")
    return shard


def shard_line(command: str, shard: Shard, run: Path | None) -> str:
    """Return a line for the end of a shard: where its results are, and the command to merge all shards."""
    return f"Shard {shard} is kept in {run}. When all {shard.of} are there: rum500 {command} merge FILES"
