"""WebSockets on the public sans-I/O layer of `websockets`.

A table's WebSocket is open for a long time, mostly idle, and one of thousands. So messages go directly to a
function instead of through a queue and a task, and what a slow client has not read waits in the transport's
buffer; each write returns its size.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from rum500.server.logs import log
from rum500.server.transport.connections import Connections
from rum500.server.transport.silence import SilenceWatch

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Scope

EXTENSION = "rum500.websocket"
"""The key in a scope's extensions whose value is the `WebSocketConnection`."""

_MAX_MESSAGE = 8 * 1024
_MAX_FRAGMENTS = 16
_MAX_IGNORED = 64 * 1024
"""How many bytes a client may send after the server's close frame, before the client's close frame."""
_CLOSE_S = 3.0
_PIECE = 4096
"""How many bytes are processed before the write buffer is checked again, because each may cause an answer."""
_PING = b"?"
_LEAVING = (b"\x03\xe8", b"\x03\xe9")
"""The codes 1000 and 1001, with which pages end connections when they are closed or left."""
_MALFORMED = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class WebSocketConnection(asyncio.Protocol):
    """A WebSocket that passes messages to `on_message` and sends text without waiting."""

    on_message: Callable[[bytes, bool], None] | None = None
    """Called with each message, and with whether the message is text."""
    on_control: Callable[[], object] | None = None
    """Called for each ping, and for each pong that answers no ping."""
    silence: SilenceWatch | None = None
    """The watch for silence, which is called whenever bytes arrive; None without a watch."""
    said_bye = False
    """Whether the client ended the connection on purpose: its page was closed or left."""

    def __init__(self, connections: Connections, app: ASGIApp, ping_s: float, **_of_uvicorn: Any) -> None:
        """Set the application. After `ping_s` seconds of silence, ping; after as many more, close."""
        self._connections = connections
        self._app = app
        self._ping_s = ping_s
        self._loop = asyncio.get_running_loop()
        self._protocol = ServerProtocol(max_size=_MAX_MESSAGE)
        self._response: Response | None = None
        self._serving: asyncio.Task[None] | None = None
        self._keepalive: SilenceWatch | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unread = b""
        self._fragments: list[bytes] = []
        self._is_text = False
        self._pinged = self._paused = False
        self._ignored = self._written = 0
        self.transport: asyncio.Transport
        self.ended: asyncio.Future[None] = self._loop.create_future()
        """Done when no more messages are received or sent."""
        self.lost: asyncio.Future[None] = self._loop.create_future()
        """Done when the connection is closed."""

    # --- events of the transport ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to use the connection; uvicorn passes its request immediately afterwards."""
        self.transport = cast("asyncio.Transport", transport)
        self._connections.websockets.add(self)

    def data_received(self, data: bytes) -> None:
        """Process received bytes."""
        for watch in (self.silence, self._keepalive):
            if watch is not None:
                watch.heard()
        if self._protocol.state is State.CONNECTING:
            self._shake_hands(data)
            return
        if self._protocol.state is not State.OPEN:
            self._ignored += len(data)
            if self._ignored > _MAX_IGNORED:
                self.transport.abort()
                return
        self._unread += data
        self._process()

    def _process(self) -> None:
        while self._unread and not self._paused:
            piece, self._unread = self._unread[:_PIECE], self._unread[_PIECE:]
            self._protocol.receive_data(piece)
            for event in self._protocol.events_received():
                self._process_frame(cast("Frame", event))
            self._flush()
        if self._protocol.state is not State.OPEN:
            self._end()

    def pause_writing(self) -> None:
        """Stop reading while too much is unsent, because reading causes answers."""
        self._paused = True
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Continue to read."""
        self._paused = False
        self._process()
        if not self._paused:
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """End everything that depends on the connection."""
        self._connections.websockets.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        self._end()
        self.lost.set_result(None)

    def sent(self) -> int:
        """Return the number of bytes that have left this process."""
        return self._written - self.transport.get_write_buffer_size()

    # --- the handshake --------------------------------------------------------------------------------

    def _shake_hands(self, data: bytes) -> None:
        """Read the request, which uvicorn passes on completely, and start the application."""
        if self._serving is not None:  # a client must not send before the response
            self.transport.abort()
            return
        self._protocol.receive_data(data)
        request = next(iter(self._protocol.events_received()), None)
        if not isinstance(request, Request):
            answer = b"".join(self._protocol.data_to_send())
            self.transport.write(answer or _MALFORMED)
            self.transport.close()
            return
        self._response = self._protocol.accept(request)
        if self._response.status_code == 101:
            self._serving = self._loop.create_task(self._serve(self._scope(request)))
        else:
            self._respond(self._response)

    def _scope(self, request: Request) -> Scope:
        path, _, query = request.path.partition("?")
        offered = ",".join(request.headers.get_all("Sec-WebSocket-Protocol"))
        peer = self.transport.get_extra_info("peername")
        return {
            "type": "websocket",
            "http_version": "1.1",
            "scheme": "ws",
            "client": (peer[0], peer[1]) if isinstance(peer, tuple) else None,
            "root_path": "",
            "path": unquote(path),
            "raw_path": path.encode("ascii"),
            "query_string": query.encode("ascii"),
            "headers": [
                (name.encode(), value.encode("latin-1")) for name, value in request.headers.raw_items()
            ],
            "subprotocols": [each.strip() for each in offered.split(",") if each],
            "extensions": {EXTENSION: self},
        }

    async def _serve(self, scope: Scope) -> None:
        """Run the application, which gets this connection in the scope instead of ASGI's messages."""
        try:
            await self._app(scope, self._receive, _send)
        except Exception as error:  # noqa: BLE001 - any error ends only this connection
            log().error("websocket.failed", error=error)
            if self._protocol.state is State.CONNECTING:
                self.refuse(500, b"")
        if self._timer is None:
            self.transport.close()

    async def _receive(self) -> Message:
        await self.ended
        return {"type": "websocket.disconnect", "code": 1005}

    def accept(self, subprotocol: str | None = None, most_unsent: int | None = None) -> None:
        """Accept the handshake. Reading pauses while more than half of `most_unsent` bytes are unsent."""
        assert self._response is not None
        if subprotocol is not None:
            self._response.headers["Sec-WebSocket-Protocol"] = subprotocol
        self._respond(self._response)
        if most_unsent is not None:
            self.transport.set_write_buffer_limits(high=most_unsent // 2)
        self._keepalive = SilenceWatch(
            self._loop, self.ping, self._abort_silent, quiet_s=self._ping_s, answer_s=self._ping_s
        )

    def refuse(self, status: int, body: bytes) -> None:
        """Refuse the handshake with an HTTP response; the body is JSON."""
        response = self._protocol.reject(status, body.decode())
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/json"
        response.headers["Cache-Control"] = "no-store"
        self._respond(response)

    def _respond(self, response: Response) -> None:
        self._protocol.send_response(response)
        self._response = None
        self._flush()

    def detach(self, successor: asyncio.Protocol) -> None:
        """Hand the connection over to another protocol, which must pass on `connection_lost`."""
        successor.connection_made(self.transport)
        self.transport.set_protocol(successor)

    # --- frames ---------------------------------------------------------------------------------------

    def _process_frame(self, frame: Frame) -> None:
        if self._protocol.state is State.OPEN:
            if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self._process_fragment(frame)
            elif frame.opcode is Opcode.PING or frame.data != _PING or not self._pinged:
                self._count_control()
            else:
                self._pinged = False
        elif frame.opcode is Opcode.CLOSE:
            self.said_bye = frame.data[:2] in _LEAVING

    def _process_fragment(self, frame: Frame) -> None:
        """Add a fragment to its message; pass on a complete one. Too many fragments close the connection."""
        if frame.opcode is not Opcode.CONT:
            self._is_text = frame.opcode is Opcode.TEXT
        self._fragments.append(bytes(frame.data))
        if frame.fin:
            message = b"".join(self._fragments)
            self._fragments.clear()
            if self.on_message is not None:
                self.on_message(message, self._is_text)
        elif len(self._fragments) > _MAX_FRAGMENTS:
            self.start_close(1009)

    def _count_control(self) -> None:
        if self.on_control is not None:
            self.on_control()

    def ping(self) -> None:
        """Send a ping. Its answer does not count as a message."""
        if self._protocol.state is State.OPEN:
            self._pinged = True
            self._protocol.send_ping(_PING)
            self._flush()

    def send_text(self, text: bytes) -> int:
        """Send UTF-8 text as one frame. Return the number of unsent bytes; -1 if the socket is closed."""
        if self._protocol.state is not State.OPEN or self.transport.is_closing():
            return -1
        self._protocol.send_text(text)
        self._flush()
        return self.transport.get_write_buffer_size()

    def start_close(self, code: int) -> None:
        """Start the closing handshake; if it is not answered within seconds, close the connection."""
        if self._protocol.state is State.OPEN and not self.transport.is_closing():
            self._protocol.send_close(code)
            self._flush()
            self._timer = self._loop.call_later(_CLOSE_S, self.transport.abort)
            self._end()

    def shut_down(self) -> None:
        """Close the connection because the server stops; at once if its handshake is not accepted yet."""
        if self._protocol.state is State.CONNECTING:
            self.transport.abort()
        else:
            self.start_close(1012)

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._written += len(data)
                self.transport.write(data)
            else:  # the end of the stream
                self.transport.close()

    def _end(self) -> None:
        if self._keepalive is not None:
            self._keepalive.stop()
            self._keepalive = None
        if not self.ended.done():
            self.ended.set_result(None)

    def _abort_silent(self, silent: bool) -> None:
        if silent:  # a silent client would not answer a closing handshake
            self.transport.abort()


async def _send(message: Message) -> None:
    raise AssertionError(message["type"])
