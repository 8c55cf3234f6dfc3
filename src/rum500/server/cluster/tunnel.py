"""A tunnel between two connections: every byte received at one end is sent at the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast


class TunnelEnd(asyncio.Protocol):
    """One end of a tunnel. It reads no faster than the other end can write."""

    def __init__(self, lost: Callable[[Exception | None], None] | None = None) -> None:
        """Begin without a connection; `lost` is called when the connection of this end has ended."""
        self._lost = lost
        self._early: list[bytes] = []
        self.heard = asyncio.Event()
        """Set when bytes have been received."""
        self.other: TunnelEnd | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to use the connection."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on to the other end; keep the bytes as long as there is no other end."""
        if self.other is None:
            self._early.append(data)
            self.heard.set()
        elif (far := self._far()) is not None:
            far.write(data)

    def lead_to(self, other: TunnelEnd) -> None:
        """Pass all bytes received so far, and all later ones, on to another end."""
        self.other = other
        early, self._early = self._early, []
        for data in early:
            self.data_received(data)

    def close(self) -> None:
        """Close both ends."""
        if self.transport is not None:
            self.transport.close()

    def pause_writing(self) -> None:
        """Make the other end stop reading while too many bytes wait to be sent here."""
        if (far := self._far()) is not None:
            far.pause_reading()

    def resume_writing(self) -> None:
        """Let the other end read again."""
        if (far := self._far()) is not None:
            far.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the other end after it has sent the bytes passed on to it."""
        if (far := self._far()) is not None:
            far.close()
        self.heard.set()
        if self._lost is not None:
            self._lost(exc)
        self.other = self.transport = None

    def _far(self) -> asyncio.Transport | None:
        far = self.other.transport if self.other is not None else None
        return None if far is None or far.is_closing() else far


def join(one: TunnelEnd, other: TunnelEnd) -> None:
    """Connect two ends to a tunnel."""
    one.lead_to(other)
    other.lead_to(one)
