"""Shared parts of long-running commands: the number of usable cores, and a progress bar."""

from __future__ import annotations

import os

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def bar(console: Console, *more: ProgressColumn) -> Progress:
    """Return the progress bar of a run, which is silent if stderr is not a terminal."""
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
