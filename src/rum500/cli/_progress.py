"""What commands that work for long share: the cores they may use, and a bar that shows how far they are."""

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
    """How many cores we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def bar(console: Console, *more: ProgressColumn) -> Progress:
    """The progress bar of a run; silent where nobody watches."""
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
