"""Others' code under watch: a step that takes far too long is left behind, with the thread it runs in."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from rum500.external_bots.bot_errors import place

T = TypeVar("T")
_LOOK_S = 0.05


class _Left(BaseException):
    """Ends the thread that was left behind, should its step ever end."""


class Watchdog(Generic[T]):
    """Runs work in a thread of its own; `with watch:` around each step that may take `seconds` at most.

    Nothing can end a thread of Python from outside: it goes on until its process ends.
    """

    def __init__(self, seconds: float) -> None:
        """With so many seconds for a step."""
        self._seconds = seconds
        self._began = 0.0
        self._left = False
        self._lock = threading.Lock()
        self._result: list[T] = []
        self._error: BaseException | None = None

    def __enter__(self) -> None:
        """A step begins."""
        self._began = time.monotonic()

    def __exit__(self, *_: object) -> None:
        """It ends; the thread with it, if nobody waits any more."""
        with self._lock:
            self._began = 0.0
            if self._left:
                raise _Left

    def run(self, work: Callable[[], T], stuck: Callable[[str], T]) -> T:
        """What comes of the work, or of `stuck`, told where a step takes too long; errors as raised."""
        thread = threading.Thread(target=self._work, args=(work,), name="rum500-watched", daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_LOOK_S)
            with self._lock:
                late = self._began and time.monotonic() - self._began > self._seconds
                self._left = bool(late)
            if late:
                frames = sys._current_frames()  # noqa: SLF001 - documented, whatever it is called
                return stuck(place(frames.get(thread.ident or 0)))
        if self._error is not None:
            raise self._error
        return self._result[0]

    def _work(self, work: Callable[[], T]) -> None:
        with suppress(_Left):
            try:
                self._result.append(work())
            except _Left:
                raise
            except BaseException as error:  # noqa: BLE001 - it is raised where the work was asked for
                self._error = error
