"""Helpers that several commands use: the number of usable cores, the progress bar, and tables."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from rum500.bots.search_bot import MOST_THREADS
from rum500.cli._inputs import check_range

FIRST_LINE_S, LINE_S = 10.0, 60.0
"""The seconds before the first line of progress in a log, and between two lines."""
Threads = Annotated[int | None, Parameter(help=f"Threads, at most {MOST_THREADS}; all cores if left out.")]


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_threads(threads: int | None) -> int:
    """Return the number of threads to use. Raises `UserError` for a number out of bounds."""
    check_range("--threads", threads, 1, MOST_THREADS)
    return min(cores(), MOST_THREADS) if threads is None else threads


class _ProgressLines(Progress):
    """Prints a line with the state of the run now and then, for a log file or a pipe."""

    def __init__(self, console: Console, clock: Callable[[], float]) -> None:
        super().__init__(console=console, get_time=clock, disable=True)
        self._begun = clock()
        self._next = self._begun + FIRST_LINE_S

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Update a task, and print its line if the time for one has come."""
        super().update(task_id, **changes)
        now = self.get_time()
        if now < self._next:
            return
        self._next = now + LINE_S
        task = next(each for each in self.tasks if each.id == task_id)
        count = (
            f"{task.completed:,.0f}" if task.total is None else f"{task.completed:,.0f} of {task.total:,.0f}"
        )
        text = f"{task.description}: {count} after {timedelta(seconds=int(now - self._begun))}"
        state = str(task.fields.get("state", ""))
        self.console.print(
            f"{text}; {state}" if state else text, markup=False, highlight=False, soft_wrap=True
        )


def bar(console: Console, *more: ProgressColumn, clock: Callable[[], float] = monotonic) -> Progress:
    """Return the progress bar of a run.

    If stderr is not a terminal, it prints a line after `FIRST_LINE_S` seconds, then every `LINE_S` seconds.
    """
    if not console.is_terminal:
        return _ProgressLines(console, clock)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=28),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        *more,
        console=console,
        transient=True,
        get_time=clock,
    )


def plain_table(*heads: str, gap: int = 2) -> Table:
    """Return a table without lines; a column whose heading begins with `>` is aligned to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    for head in heads:
        name = head.removeprefix(">")
        table.add_column(name, justify="right" if name != head else "left", no_wrap=True)
    return table
