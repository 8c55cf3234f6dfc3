"""Helpers that several commands use: the number of usable cores, the progress bar, and tables."""

from __future__ import annotations

import os
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from rum500.bots.search_bot import MOST_THREADS
from rum500.cli._inputs import check_range

Threads = Annotated[int | None, Parameter(help=f"Threads, at most {MOST_THREADS}; all cores if left out.")]


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_threads(threads: int | None) -> int:
    """Return the number of threads to use. Raises `UserError` for a number out of bounds."""
    check_range("--threads", threads, 1, MOST_THREADS)
    return min(cores(), MOST_THREADS) if threads is None else threads


def bar(console: Console, *more: ProgressColumn) -> Progress:
    """Return the progress bar of a run; it shows nothing if stderr is not a terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=28),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        *more,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def plain_table(*heads: str, gap: int = 2) -> Table:
    """Return a table without lines; a column whose heading begins with `>` is aligned to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    for head in heads:
        name = head.removeprefix(">")
        table.add_column(name, justify="right" if name != head else "left", no_wrap=True)
    return table
