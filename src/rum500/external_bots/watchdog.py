"""Supervision of external code: a step that takes too long is abandoned together with its thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from rum500.external_bots.bot_errors import current_place

T = TypeVar("T")
_LOOK_S = 0.05


class _Abandoned(BaseException):
    """Raised in the abandoned thread if its step ends after all, to end the thread."""


class Watchdog(Generic[T]):
    """A thread for work whose steps, each inside `with watch:`, may take at most `seconds`.

    Python cannot stop a thread from outside; an abandoned one runs until the process ends.
    """

    def __init__(self, seconds: float) -> None:
        """Set the time limit of a step, in seconds."""
        self._seconds = seconds
        self._began = 0.0
        self._abandoned = False
        self._lock = threading.Lock()
        self._result: list[T] = []
        self._error: BaseException | None = None

    def __enter__(self) -> None:
        """Start a step."""
        self._began = time.monotonic()

    def __exit__(self, *_: object) -> None:
        """End a step; if it was abandoned, end its thread."""
        with self._lock:
            self._began = 0.0
            if self._abandoned:
                raise _Abandoned

    def run(self, work: Callable[[], T], stuck: Callable[[str], T]) -> T:
        """Run `work` in a thread and return its result, or raise its exception.

        If a step exceeds the time limit, return `stuck(location)`, with the source line that is being
        executed.
        """
        thread = threading.Thread(target=self._work, args=(work,), name="rum500-watched", daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_LOOK_S)
            with self._lock:
                late = self._began and time.monotonic() - self._began > self._seconds
                self._abandoned = bool(late)
            if late:
                return stuck(current_place(thread.ident))
        if self._error is not None:
            raise self._error
        return self._result[0]

    def _work(self, work: Callable[[], T]) -> None:
        with suppress(_Abandoned):
            try:
                self._result.append(work())
            except _Abandoned:
                raise
            except BaseException as error:  # noqa: BLE001 - it is raised where the work was asked for
                self._error = error
