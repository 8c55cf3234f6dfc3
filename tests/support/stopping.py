"""Stop a search from another thread when it has reached a certain point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def stopped(stop: Callable[[], None], when: Callable[[], object]) -> Iterator[None]:
    """Call `stop` in another thread as soon as `when()` is true, while the block runs."""
    ended = Event()

    def watch() -> None:
        while not when():
            if ended.wait(0.001):
                return
        stop()

    thread = Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
