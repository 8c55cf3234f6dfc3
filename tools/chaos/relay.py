"""A TCP relay between two programs that can be cut."""

from __future__ import annotations

import asyncio
from contextlib import suppress

_LATE_S = 0.3


class Direction:
    """One direction of all connections of a `Door`."""

    def __init__(self) -> None:
        self.flows = asyncio.Event()
        self.flows.set()
        self.late = 0.0


class Door:
    """Relays a port of its own to another port of this machine.

    Data that are held back arrive when the relay is mended, as in a network that was down for a while; so
    does the end of a connection.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self._there, self._back = Direction(), Direction()
        self._refuses = False
        self._ends: set[asyncio.StreamWriter] = set()
        self._relays: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """The relay's URL, for HTTP."""
        return f"http://127.0.0.1:{self.port}"

    async def open(self) -> Door:
        """Listen at a free port."""
        self._server = await asyncio.start_server(self._welcome, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def cut(self, mode: str) -> None:
        """Cut the relay in one of `plan.MODES`."""
        if mode in {"there", "both"}:
            self._there.flows.clear()
        if mode in {"back", "both"}:
            self._back.flows.clear()
        if mode == "slow":
            self._there.late = self._back.late = _LATE_S
        if mode == "reset":
            self._refuses = True
            for end in list(self._ends):
                end.transport.abort()

    def mend(self) -> None:
        """Pass everything on again."""
        self._refuses = False
        for direction in (self._there, self._back):
            direction.late = 0.0
            direction.flows.set()

    async def close(self) -> None:
        """Close the port and all connections."""
        self.mend()
        if self._server is not None:
            self._server.close()
        for end in list(self._ends):
            end.transport.abort()
        if self._relays:
            await asyncio.wait(list(self._relays))

    def _welcome(self, near_in: asyncio.StreamReader, near_out: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._relay(near_in, near_out))
        self._relays.add(task)
        task.add_done_callback(self._relays.discard)

    async def _relay(self, near_in: asyncio.StreamReader, near_out: asyncio.StreamWriter) -> None:
        if self._refuses:
            near_out.transport.abort()
            return
        try:
            far_in, far_out = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            near_out.transport.abort()
            return
        ends = {near_out, far_out}
        self._ends |= ends
        try:
            await asyncio.gather(
                self._carry(near_in, far_out, self._there), self._carry(far_in, near_out, self._back)
            )
        finally:
            self._ends -= ends
            for end in ends:
                end.transport.abort()

    @staticmethod
    async def _carry(source: asyncio.StreamReader, target: asyncio.StreamWriter, way: Direction) -> None:
        try:
            with suppress(ConnectionError):
                while data := await source.read(65536):
                    if way.late:
                        await asyncio.sleep(way.late)
                    await way.flows.wait()
                    target.write(data)
                    await target.drain()
            await way.flows.wait()
        finally:
            with suppress(OSError, RuntimeError):
                target.write_eof()
