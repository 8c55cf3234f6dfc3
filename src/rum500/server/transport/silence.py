"""Detection of silent connections: a network that fails does not report it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

QUIET_S = 3.0
"""A ping is sent after this many seconds without a byte; at a usual pace of play this is rare."""
ANSWER_S = 1.8
"""A connection counts as silent after this many further seconds without an answer."""
_LATE_S = 0.5
"""If a check is late by more than these seconds, the server was busy, and the answer may be unread."""


class SilenceWatch:
    """Reports when a connection becomes silent, and when bytes arrive again.

    Browsers answer pings without help from the page, even if the page is hidden.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        ping: Callable[[], None],
        report: Callable[[bool], None],
        *,
        wanted: Callable[[], bool] = lambda: True,
        quiet_s: float = QUIET_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        """Begin to watch; `report` gets True when the connection becomes silent, and False when bytes arrive.

        Pings are sent only while `wanted` returns true.
        """
        self._loop = loop
        self._ping = ping
        self._report = report
        self._wanted = wanted
        self._quiet_s = quiet_s
        self._answer_s = answer_s
        self._heard_at = loop.time()
        self._pinged = False
        self._silent = False
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._check_in(quiet_s)

    def heard(self) -> None:
        """Record that bytes have arrived."""
        self._heard_at = self._loop.time()
        self._pinged = False
        if self._silent:
            self._silent = False
            self._report(False)
            self._check_in(self._quiet_s)

    def stop(self) -> None:
        """Stop watching. Calling it again has no effect."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_in(self, seconds: float) -> None:
        self._due = self._loop.time() + seconds
        self._timer = self._loop.call_later(seconds, self._check)

    def _check(self) -> None:
        now = self._loop.time()
        left = self._heard_at + self._quiet_s - now
        if self._pinged and now - self._due > _LATE_S:
            self._check_in(_LATE_S)
        elif self._pinged:
            self._silent = True
            self._report(True)
        elif left > 0:
            self._check_in(left)
        else:
            if self._wanted():
                self._pinged = True
                self._ping()
            self._check_in(self._answer_s if self._pinged else self._quiet_s)
