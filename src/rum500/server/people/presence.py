"""Which guests are here now. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

HERE_S = 60.0
"""How many seconds after the last request a guest without a connection to a table counts as here."""
_SWEEP_AFTER = 5_000  # the least number of guests after which those who left are forgotten


class Presence:
    """Remembers the last requests of guests, in memory only."""

    def __init__(self, clock: Callable[[], float], connected: Callable[[], Collection[str]]) -> None:
        """`clock` returns seconds; `connected` returns the guests with a connection to a table."""
        self._clock = clock
        self._connected = connected
        self._last: dict[str, float] = {}
        self._elsewhere: dict[str, float] = {}
        self._most = _SWEEP_AFTER

    def note(self, guest: str) -> None:
        """Record a request of a guest."""
        self._last[guest] = self._clock()
        self._forget_old()

    def note_elsewhere(self, guests: Iterable[str]) -> None:
        """Record guests who are at another server of the same database."""
        now = self._clock()
        self._elsewhere.update(dict.fromkeys(guests, now))
        self._forget_old()

    def _forget_old(self) -> None:
        if len(self._last) + len(self._elsewhere) > self._most:
            here = self._clock() - HERE_S
            self._last = {each: last for each, last in self._last.items() if last >= here}
            self._elsewhere = {each: last for each, last in self._elsewhere.items() if last >= here}
            self._most = max(_SWEEP_AFTER, 2 * (len(self._last) + len(self._elsewhere)))

    def lately(self, seconds: float) -> set[str]:
        """Return the guests with a request to this server in these last seconds, or with a connection."""
        since = self._clock() - seconds
        return {guest for guest, last in self._last.items() if last >= since} | set(self._connected())

    def here(self) -> set[str]:
        """Return the guests who are here now, at this server or at another one."""
        since = self._clock() - HERE_S
        elsewhere = {guest for guest, last in self._elsewhere.items() if last >= since}
        return self.lately(HERE_S) | elsewhere
