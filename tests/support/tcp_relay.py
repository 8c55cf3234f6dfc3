"""A line between a browser and a server that a test can cut."""

from __future__ import annotations

from contextlib import ExitStack

from anyio.from_thread import start_blocking_portal

from tools.chaos.relay import Door


class Line:
    """A `Door` on an event loop of its own, for tests that have none."""

    def __init__(self, target: int) -> None:
        self._loop = ExitStack()
        self._portal = self._loop.enter_context(start_blocking_portal())
        self._door = self._portal.call(Door(target).open)
        self.port, self.url = self._door.port, self._door.url

    def cut(self) -> None:
        """End every connection and let no new one through, as if the cable were pulled."""
        self._portal.call(self._door.cut, "reset")

    def hold(self) -> None:
        """Let nothing more through, but end no connection, as a network that fails."""
        self._portal.call(self._door.cut, "both")

    def mend(self) -> None:
        """Let everything through again."""
        self._portal.call(self._door.mend)

    def close(self) -> None:
        """End everything."""
        self._portal.call(self._door.close)
        self._loop.close()

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
