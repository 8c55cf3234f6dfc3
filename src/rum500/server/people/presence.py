"""Which guests are here now. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection

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
        self._most = _SWEEP_AFTER

    def note(self, guest: str) -> None:
        """Record a request of a guest."""
        self._last[guest] = self._clock()
        if len(self._last) > self._most:
            here = self._clock() - HERE_S
            self._last = {each: last for each, last in self._last.items() if last >= here}
            self._most = max(_SWEEP_AFTER, 2 * len(self._last))

    def here(self) -> set[str]:
        """Return the guests who are here now."""
        since = self._clock() - HERE_S
        return {guest for guest, last in self._last.items() if last >= since} | set(self._connected())
