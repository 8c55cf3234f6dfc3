"""uvicorn's WebSocket protocol, extended by direct messages for the tables' connections.

A table's WebSocket lives long, is mostly idle, and is one of thousands. So its messages are passed directly
to a function instead of through a queue and a task, and its text frames are written directly to the
transport. What a slow viewer has not read yet waits in the transport's buffer, whose size is checked after
each write.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

from rum500.server.cluster.tunnel import TunnelEnd
from rum500.server.ws.silence import SilenceWatch

if TYPE_CHECKING:
    from collections.abc import MutableMapping

EXTENSION = "rum500.wire"
"""The key in a scope's extensions whose value is the WebSocket's `DirectWebSocketProtocol`."""

_MOST_FRAGMENTS = 16
_CLOSE_S = 3.0
_MOST_IGNORED = 64 * 1024
"""The number of bytes that a client may send after it was sent a close frame, until its own comes."""
_TEXT, _PONG = 0x81, 0x8A
_ARE_YOU_THERE = b"?"
_SIGN_WANTED = b"\x89\x01" + _ARE_YOU_THERE
"""The whole frame of a ping that asks whether somebody is there."""


def _end_of_frame(data: bytes, start: int) -> int:
    """Return where the client frame that starts here ends; 0 if it is incomplete or not short."""
    if len(data) < start + 6 or not 0x80 <= data[start + 1] < 0xFE:
        return 0
    end = start + 6 + (data[start + 1] & 0x7F)
    return end if end <= len(data) else 0


class DirectWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that passes messages directly to `on_message`, if set, and sends text without waiting."""

    on_message: Callable[[bytes, bool], None] | None = None
    """A function that is called with each message, and with whether the message is text."""
    allows_control: Callable[[], bool] | None = None
    """A function that is called for each ping, and each pong that was not awaited. It returns whether to go
    on reading."""
    silence: SilenceWatch | None = None
    """Is told whenever bytes come."""
    _frames: list[bytes] | tuple[()] = ()
    """The frames that are written at the end of this turn of the event loop."""
    _served = False
    _at_boundary = True
    _heard_at = 0.0
    _ignored = 0
    _written = 0

    def data_received(self, data: bytes) -> None:
        """Process bytes. Complete short text frames, as nearly all are, are read without the parser.

        So are the answers to `ask_for_a_sign`. After anything but one other short frame, the parser reads all
        that follows, because only the parser knows then where a frame begins.
        """
        if self.silence is not None:
            self.silence.heard()
        if self._at_boundary and self.on_message is not None:
            data = data[self._read_short_frames(data, self.on_message) :]
            if not data:
                return
        if self.handshake_initiated and _end_of_frame(data, 0) != len(data):
            self._at_boundary = False
        if self.close_sent:
            self._ignored += len(data)
            if self._ignored > _MOST_IGNORED:
                self.transport.abort()
                return
        super().data_received(data)
        if not self.handshake_initiated:
            self._refuse_malformed()

    def _read_short_frames(self, data: bytes, on_message: Callable[[bytes, bool], None]) -> int:
        """Read the short frames at the beginning. Return where they end."""
        start = 0
        while end := _end_of_frame(data, start):
            content = apply_mask(data[start + 6 : end], data[start + 2 : start + 6])
            if data[start] == _TEXT and not self.frames:
                self._heard_at = self.loop.time()
                if not self.close_sent:
                    on_message(content, True)
            elif data[start] != _PONG or content != _ARE_YOU_THERE:
                break
            start = end
        return start

    def _refuse_malformed(self) -> None:
        """Refuse a handshake that the parser of WebSockets does not accept; its request came complete."""
        self.transport.write(self.conn.reject(400, "The handshake is malformed.\n").serialize())
        self.close_sent = self.handshake_complete = self._served = True
        self.transport.close()

    def handle_connect(self, event: Request) -> None:
        """Add this protocol to the extensions of the scope, for the application."""
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:
            cast("MutableMapping[str, Any]", scope["extensions"])[EXTENSION] = self

    def accepted(self, most_waiting: int) -> None:
        """Free the data of the handshake. Reading stops while half of the bytes that may wait do so."""
        self.scope["headers"] = []
        self.request.headers.clear()
        del self.request, self.response
        self.transport.set_write_buffer_limits(high=most_waiting // 2)

    def tunnelled(self) -> TunnelEnd:
        """Give the connection up to a tunnel and return its end here.

        This protocol hears only of the connection's end.
        """
        self.handshake_complete = self.close_sent = True
        end = TunnelEnd(self.connection_lost)
        end.connection_made(self.transport)
        self.transport.set_protocol(end)
        return end

    def turned_away(self) -> None:
        """Mark the handshake as complete, since it was answered with a refusal."""
        self.handshake_complete = True

    def handle_cont(self, event: Frame) -> None:
        """Process a fragment. A message with too many fragments closes the connection: clients need few."""
        if len(self.frames) >= _MOST_FRAGMENTS:
            self.frames = []
            self.start_close(1009)
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping; of several that come together only the last, as RFC 6455 allows."""
        answers = self.conn.data_to_send()
        if self.close_sent or (self.allows_control is not None and not self.allows_control()):
            return
        if self.conn.state is State.OPEN:
            answers = answers[-1:]
        if answers:
            self._write(b"".join(answers))

    def handle_pong(self, event: Frame) -> None:
        """Note the answer to a ping; one that was not awaited counts as a message."""
        if self.pending_ping_payload is not None and bytes(event.data) == self.pending_ping_payload:
            super().handle_pong(event)
        elif event.data != _ARE_YOU_THERE and self.allows_control is not None and not self.close_sent:
            self.allows_control()

    def ask_for_a_sign(self) -> None:
        """Send a ping whose answer counts as no message; nothing depends on it here."""
        if not self.close_sent and not self.disconnected and self.conn.state is State.OPEN:
            self._write(_SIGN_WANTED)

    def pause_writing(self) -> None:
        """Stop reading while too much waits to be sent, since what is read is answered."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read again."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        """Pass a complete message to `on_message`, or to the application before there is one."""
        if self.on_message is None:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self.on_message(data, self.curr_msg_data_type == "text")

    def send_text(self, text: bytes) -> int:
        """Send UTF-8 text as one frame. Return the number of bytes that wait; -1 if the socket is closed.

        The frames of one turn of the event loop are written at its end, all sockets' together: a reader in
        another process is then woken once, which takes the kernel longer than to write.
        """
        if self.close_sent or self.disconnected or self.conn.state is not State.OPEN:
            return -1
        size = len(text)
        if size < 126:
            head = bytes((_TEXT, size))
        elif size < 65_536:
            head = struct.pack("!BBH", _TEXT, 126, size)
        else:
            head = struct.pack("!BBQ", _TEXT, 127, size)
        if self._frames:
            self._frames.append(head + text)
        else:
            self._frames = [head + text]
            self.loop.call_soon(self._write_frames)
        return self.transport.get_write_buffer_size() + sum(map(len, self._frames))

    def _write_frames(self) -> None:
        frames, self._frames = self._frames, ()
        if frames and not self.disconnected:
            self._write(frames[0] if len(frames) == 1 else b"".join(frames))

    def _write(self, data: bytes) -> None:
        self._written += len(data)
        self.transport.write(data)

    def sent(self) -> int:
        """Return the number of bytes that have left this process."""
        return self._written - self.transport.get_write_buffer_size()

    def start_close(self, code: int) -> None:
        """Begin the closing handshake; after a few seconds the connection is closed without an answer."""
        if self.close_sent or self.disconnected or self.conn.state is not State.OPEN:
            return
        self._write_frames()
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.stop_keepalive()
        self.close_timer = self.loop.call_later(_CLOSE_S, self.transport.abort)
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
