"""A WebSocket client that can hold thousands of connections in one process without affecting the measurement.

It supports text messages only. It masks with zeros, because the mask protects proxies and there are none
here.
"""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from typing import cast

HOST = "127.0.0.1"
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_NO_MASK = b"\0\0\0\0"


class LeanSocket(asyncio.Protocol):
    """One connection. `heard` gets every message; `lost` is called once when it ends."""

    __slots__ = ("_buffer", "_opened", "_parts", "_request", "_transport", "heard", "lost")

    def __init__(self, heard: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        self._request = b""
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._parts = b""
        self._opened: asyncio.Future[None] | None = None
        self.heard = heard
        self.lost = lost

    async def open(self, port: int, path: str, headers: dict[str, str]) -> None:
        """Connect to this machine and wait for the handshake. Raises `ConnectionError` if it is refused."""
        key = base64.b64encode(os.urandom(16)).decode()
        place = f"{HOST}:{port}"
        lines = [f"GET {path} HTTP/1.1", f"Host: {place}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Origin: http://{place}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self._request = ("\r\n".join(lines) + "\r\n\r\n").encode()
        loop = asyncio.get_running_loop()
        self._opened = loop.create_future()
        await loop.create_connection(lambda: self, HOST, port)
        await self._opened
        self._opened = None

    def send(self, data: bytes) -> None:
        """Send one text message."""
        self._frame(_TEXT, data)

    def close(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._buffer = self._buffer + data if self._buffer else data
        if self._opened is not None and not self._opened.done() and not self._shake_hands():
            return
        self._read_frames()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._opened is not None and not self._opened.done():
            self._opened.set_exception(ConnectionError(f"closed during the handshake: {exc}"))
        self.lost()

    def _shake_hands(self) -> bool:
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return False
        assert self._opened is not None
        status = head.partition(b"\r\n")[0]
        self._buffer = rest
        if b" 101 " not in status + b" ":
            self._opened.set_exception(ConnectionError((head + rest[:300]).decode(errors="replace")))
            self.close()
            return False
        self._opened.set_result(None)
        return True

    def _read_frames(self) -> None:
        buffer, at, end = self._buffer, 0, len(self._buffer)
        while end - at >= 2:
            first, length, start = buffer[at], buffer[at + 1] & 127, at + 2
            if length == 126:
                if end < at + 4:
                    break
                (length,) = struct.unpack_from("!H", buffer, at + 2)
                start = at + 4
            elif length == 127:
                if end < at + 10:
                    break
                (length,) = struct.unpack_from("!Q", buffer, at + 2)
                start = at + 10
            if end < start + length:
                break
            at = start + length
            self._read_frame(first, buffer[start:at])
        self._buffer = buffer[at:]

    def _read_frame(self, first: int, payload: bytes) -> None:
        kind = first & 15
        if kind <= _TEXT:
            self._parts += payload
            if first & 128:
                whole, self._parts = self._parts, b""
                self.heard(whole)
        elif kind == _PING:
            self._frame(_PONG, payload)
        elif kind == _CLOSE:
            self.close()

    def _frame(self, kind: int, data: bytes) -> None:
        if self._transport is None:
            return
        length = len(data)
        if length < 126:
            head = bytes((128 | kind, 128 | length))
        elif length < 65536:
            head = struct.pack("!BBH", 128 | kind, 254, length)
        else:
            head = struct.pack("!BBQ", 128 | kind, 255, length)
        self._transport.write(head + _NO_MASK + data)
