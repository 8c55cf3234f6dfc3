"""HTTP connections: uvicorn's protocol with limits, ordered admission, and a deadline for requests."""

from __future__ import annotations

import asyncio
import socket
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from rum500.server.transport.connections import Connections
from rum500.server.transport.handshake_queue import Admission

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_DRAINED = 1 << 40
_KERNEL_BUFFER = 128 * 1024
"""How many bytes the kernel buffers for a client; its default of megabytes would hide slow clients."""
_BODY_HEADERS = (b"content-length", b"transfer-encoding")

_current: ContextVar[HttpConnection] = ContextVar("connection")
"""The connection whose request is being served."""


class HttpConnection(asyncio.Protocol):
    """Passes a connection's events to uvicorn's protocol; closes it if a request arrives too slowly."""

    def __init__(
        self, connections: Connections, admission: Admission, deadline_s: float, **of_uvicorn: Any
    ) -> None:
        """Set the limits; `of_uvicorn` are the arguments of uvicorn's own protocol class."""
        self._connections = connections
        self._admission = admission
        self._deadline_s = deadline_s
        self._uvicorn: asyncio.Protocol = H11Protocol(**of_uvicorn)
        self._loop = asyncio.get_running_loop()
        self._deadline: asyncio.TimerHandle | None = None
        self._requests = 0
        self._admitted = False
        self._early = b""
        self._paused = False
        self._drained = 0
        self.transport: asyncio.Transport
        self.client: tuple[str, int] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first request, or close the connection if there is no room for it."""
        self.transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.client = (peer[0], peer[1]) if isinstance(peer, tuple) else None
        kernel = transport.get_extra_info("socket")
        if kernel is not None and kernel.family in (socket.AF_INET, socket.AF_INET6):
            kernel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BUFFER)
        self._uvicorn.connection_made(transport)
        if self._connections.add_http(self):
            self._start_deadline()
        else:
            self.transport.abort()

    @property
    def replaceable(self) -> bool:
        """Whether no request is being answered, or the client does not read the answer."""
        return not self._requests or self._paused

    def abort(self) -> None:
        """Close the connection at once."""
        self._connections.remove_http(self)
        self.transport.abort()

    def sent(self) -> int:
        """Return a number that grows by the bytes sent, as long as nothing new is written."""
        return self._drained * _DRAINED - self.transport.get_write_buffer_size()

    # --- events of the transport ----------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Process a part of a request if the connection is admitted; otherwise keep it for `admit`.

        The rest of the request must arrive before the deadline.
        """
        if not self._admitted:
            self._admitted = not self._early and self._admission.admits(self)
            if not self._admitted:
                self._early += data
                self.transport.pause_reading()
                return
        if not self._requests and self._deadline is None:
            self._start_deadline()
        _current.set(self)
        try:
            self._uvicorn.data_received(data)
        except h11.LocalProtocolError:  # too late to refuse a malformed request: a response has begun
            self.transport.abort()
        if self.transport.get_protocol() is not self:  # the connection has become a WebSocket
            self._stop_deadline()
            self._connections.remove_http(self)

    def admit(self) -> None:
        """Process the bytes that have arrived in the meantime, and continue to read."""
        if not self.transport.is_closing():
            self._admitted = True
            early, self._early = self._early, b""
            self.transport.resume_reading()
            self.data_received(early)

    def eof_received(self) -> bool | None:
        """Pass on that the client sends nothing more."""
        return self._uvicorn.eof_received()

    def pause_writing(self) -> None:
        """Record that the client does not read."""
        self._paused = True
        self._uvicorn.pause_writing()

    def resume_writing(self) -> None:
        """Record that the client has read."""
        self._paused = False
        self._drained += 1
        self._uvicorn.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place of the connection."""
        self._stop_deadline()
        self._admission.remove(self)
        self._connections.remove_http(self)
        self._uvicorn.connection_lost(exc)

    # --- the deadline ---------------------------------------------------------------------------------

    def _start_deadline(self) -> None:
        self._deadline = self._loop.call_later(self._deadline_s, self.transport.abort)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request. Its deadline ends when its body has been received."""

        async def receive_body() -> Message:
            message = await receive()
            if not message.get("more_body", False):
                self._stop_deadline()
            return message

        has_body = any(name in _BODY_HEADERS and value != b"0" for name, value in scope["headers"])
        if not has_body:
            self._stop_deadline()
        elif self._deadline is None:
            self._start_deadline()
        self._requests += 1
        try:
            await app(scope, receive_body if has_body else receive, send)
        finally:
            self._requests -= 1
            if not self._requests:
                self._stop_deadline()


def with_deadlines(app: ASGIApp) -> ASGIApp:
    """Wrap `app` so that a connection's deadline is cancelled once a whole request has been received."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _current.get().serve(app, scope, receive, send)
        else:
            await app(scope, receive, send)

    return serve
