"""A WebSocket client for thousands of connections in one process, on the sans-I/O layer of `websockets`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Origin, Subprotocol
from websockets.uri import parse_uri

HOST = "127.0.0.1"


class LeanSocket(asyncio.Protocol):
    """One connection. `heard` gets every text message; `lost` is called once when it ends."""

    def __init__(self, heard: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        self._transport: asyncio.Transport | None = None
        self._protocol: ClientProtocol
        self._opened: asyncio.Future[None]
        self._parts = b""
        self.heard = heard
        self.lost = lost

    async def open(self, port: int, path: str, cookie: str = "", subprotocol: str = "") -> None:
        """Connect to this machine and wait for the handshake. Raises `ConnectionError` if it is refused."""
        place = f"{HOST}:{port}"
        self._protocol = ClientProtocol(
            parse_uri(f"ws://{place}{path}"),
            origin=Origin(f"http://{place}"),
            subprotocols=[Subprotocol(subprotocol)] if subprotocol else None,
            max_size=None,
        )
        request = self._protocol.connect()
        if cookie:
            request.headers["Cookie"] = cookie
        self._protocol.send_request(request)
        loop = asyncio.get_running_loop()
        self._opened = loop.create_future()
        await loop.create_connection(lambda: self, HOST, port)
        await self._opened

    def send(self, data: bytes) -> None:
        """Send one text message."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_text(data)
            self._flush()

    def close(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                self._read(event)
            elif self._protocol.handshake_exc is None:
                self._opened.set_result(None)
        self._flush()

    def _read(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.TEXT, Opcode.CONT):
            self._parts += frame.data
            if frame.fin:
                whole, self._parts = self._parts, b""
                self.heard(whole)
        elif frame.opcode is Opcode.CLOSE:
            self.close()

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if self._transport is not None and data:
                self._transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if not self._opened.done():
            why = exc or self._protocol.handshake_exc
            self._opened.set_exception(ConnectionError(f"closed during the handshake: {why}"))
        self.lost()
