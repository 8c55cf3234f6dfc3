"""uvicorn's protocols, extended by deadlines and by direct messages for the tables' connections.

A table's WebSocket lives long, is mostly idle, and is one of thousands. So its messages are passed directly
to a function instead of through a queue and a task, and its text frames are written directly to the
transport. What a slow viewer has not read yet waits in the transport's buffer, whose size is checked after
each write.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

if TYPE_CHECKING:
    from collections.abc import MutableMapping

EXTENSION = "rum500.wire"
"""The key in a scope's extensions whose value is the WebSocket's `DirectWebSocketProtocol`."""

_MOST_FRAGMENTS = 16
_PART_S = 3.0
_KERNEL_BUFFER = 128 * 1024
_TEXT = 0x81


def _is_one_frame(data: bytes) -> bool:
    """Return whether the data is exactly one complete client frame with at most 125 bytes of content."""
    size = len(data) - 6
    return 0 <= size < 126 and data[1] == 0x80 | size


class DeadlineConfig(uvicorn.Config):
    """uvicorn's settings, with two additional ones."""

    deadline_s: float = 10.0
    """The seconds within which a complete request must arrive."""
    most_connections: int = 10_000
    """The number of connections above which new ones are refused; HTTP requests get some more."""


class DeadlineHttpProtocol(H11Protocol):
    """An HTTP connection that is closed if a complete request does not arrive in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, or close the connection if there are far too many."""
        super().connection_made(transport)
        config = cast("DeadlineConfig", self.config)
        if len(self.connections) > config.most_connections + config.most_connections // 4 + 100:
            transport.abort()
            return
        self._arm()

    def data_received(self, data: bytes) -> None:
        """Process a part of a request; the rest must arrive before the deadline."""
        super().data_received(data)
        awaited = self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()
        if not awaited or self.transport.get_protocol() is not self:
            self._disarm()
        elif self._deadline is None:
            self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline."""
        self._disarm()
        super().connection_lost(exc)

    def _arm(self) -> None:
        seconds = cast("DeadlineConfig", self.config).deadline_s
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class DirectWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that passes messages directly to `taker`, if it is set, and sends text without waiting."""

    taker: Callable[[bytes, bool], None] | None = None
    """A function that is called with each message, and with whether the message is text."""
    _served = False
    _at_boundary = True
    _heard_at = 0.0

    def data_received(self, data: bytes) -> None:
        """Process bytes. A complete short text frame, as nearly all are, is read without the parser.

        After any other data the parser reads everything that follows, because only the parser knows then
        where a frame begins.
        """
        if self._at_boundary and self.taker is not None and _is_one_frame(data):
            if data[0] == _TEXT and not self.frames:
                self._heard_at = self.loop.time()
                if not self.close_sent:
                    self.taker(apply_mask(data[6:], data[2:6]), True)
                return
        elif self.handshake_initiated:
            self._at_boundary = False
        super().data_received(data)

    def handle_connect(self, event: Request) -> None:
        """Add this protocol to the extensions of the scope, for the application."""
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:
            cast("MutableMapping[str, Any]", scope["extensions"])[EXTENSION] = self

    def accepted(self) -> None:
        """Free the data of the handshake, and limit the kernel's buffer, which would hide a slow viewer."""
        self.scope["headers"] = []
        self.request.headers.clear()
        del self.request, self.response
        kernel = self.transport.get_extra_info("socket")
        if kernel is not None and kernel.family in (socket.AF_INET, socket.AF_INET6):
            kernel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BUFFER)

    def turned_away(self) -> None:
        """Mark the handshake as complete, since it was answered with a refusal."""
        self.handshake_complete = True

    def handle_cont(self, event: Frame) -> None:
        """Process a fragment. A message with too many fragments closes the connection: clients need few."""
        if len(self.frames) >= _MOST_FRAGMENTS:
            self.frames = []
            self.part(1009)
            return
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a complete message to `taker`, or to the application before there is one."""
        if self.taker is None:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self.taker(data, self.curr_msg_data_type == "text")

    def say(self, text: bytes) -> int:
        """Send UTF-8 text as one frame. Return the number of bytes in the buffer; -1 if it is closed."""
        if self.close_sent or self.disconnected or self.conn.state is not State.OPEN:
            return -1
        size = len(text)
        if size < 126:
            head = bytes((_TEXT, size))
        elif size < 65_536:
            head = struct.pack("!BBH", _TEXT, 126, size)
        else:
            head = struct.pack("!BBQ", _TEXT, 127, size)
        self.transport.write(head + text)
        return self.transport.get_write_buffer_size()

    def part(self, code: int) -> None:
        """Begin the closing handshake; after a few seconds the connection is closed without an answer."""
        if self.close_sent or self.disconnected or self.conn.state is not State.OPEN:
            return
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.stop_keepalive()
        self.close_timer = self.loop.call_later(_PART_S, self.transport.abort)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the protocol after the connection has ended."""
        super().connection_lost(exc)
        self._gone()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Note that the application has finished with this connection."""
        super().on_task_complete(task)
        self._served = True
        self._gone()

    def _gone(self) -> None:
        """Break reference cycles once connection and application have ended: full collections are rare."""
        if self._served and self.disconnected:
            self.conn.parser.close()
            self.__dict__.clear()

    def send_keepalive_ping(self) -> None:
        """Send a ping, but only if nothing has been received for one interval."""
        assert self.ping_interval is not None
        left = self._heard_at + self.ping_interval - self.loop.time()
        if left > 0 and not self.close_sent:
            self.ping_timer = self.loop.call_later(left, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """Abort the connection to a peer that does not answer; a closing handshake would wait for it."""
        self.pong_timer = None
        self.transport.abort()
