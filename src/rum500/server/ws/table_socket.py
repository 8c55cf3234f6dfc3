"""The WebSockets of tables: handshakes, reading of messages, and the limit on unsent data."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import msgspec

from rum500.server.config import Config
from rum500.server.cookies import Cookies
from rum500.server.forwarding import Forwarder
from rum500.server.guests import Names, Sessions
from rum500.server.limits import Limits, TooMany, address_of
from rum500.server.live.guest_seats import adopt_seats
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.table_options import Guest
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.server.messages import CLIENT_DECODER, Bye, Join, Ping, Pong, Reason, Refused, Request
from rum500.server.messages.field_types import PROTOCOL
from rum500.server.messages.http import Failure
from rum500.server.messages.message_id import JOIN_FIRST, NOT_DECODED, message_id
from rum500.server.messages.table_error import refusal_sentence
from rum500.server.metrics import Metrics
from rum500.server.traces import trace_of
from rum500.server.transport.silence import SilenceWatch
from rum500.server.transport.websocket import EXTENSION, WebSocketConnection
from rum500.server.work_scheduler import Asker, Busy
from rum500.store import ServedElsewhere, StoreError

if TYPE_CHECKING:
    from starlette.types import Scope

    from rum500.server.live.table import LiveTable
    from rum500.server.live.turn.viewer import Viewer

PATH = "/ws/"
MAX_PENDING_HANDSHAKES = 128
"""While more handshakes than this are in progress, no new connection is read."""
_MAX_STRIKES = 20
_POLICY, _FAILED = 1008, 1011
_CODES = {"restart": 1012, "slow": 1013, "signed_out": _POLICY}
"""The closing code of the WebSocket for each reason in `bye`; 1000 for other reasons."""

_encoder = msgspec.json.Encoder()


class HandshakeRefused(Exception):
    """A refused connection, with the HTTP status and the failure to send; its code has a default message."""

    def __init__(self, status: int, code: str, message: str = "") -> None:
        super().__init__(code)
        self.status = status
        self.failure = Failure(code, message or refusal_sentence(code))


class TableSocket:
    """One connection to a table. The table calls `send` and `close`; the transport calls the others."""

    __slots__ = (
        "_address",
        "_ended",
        "_endpoint",
        "_guest",
        "_strikes",
        "_table",
        "_timer",
        "_trace",
        "_viewer",
        "_websocket",
    )

    def __init__(
        self,
        endpoint: WebSocketApp,
        websocket: WebSocketConnection,
        table: LiveTable,
        guest: Guest,
        address: str,
        trace: str,
    ) -> None:
        self._endpoint = endpoint
        self._trace = trace
        self._websocket = websocket
        self._table = table
        self._guest = guest
        self._address = address
        self._viewer: Viewer | None = None
        self._ended = False
        self._strikes = 0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start reading. The connection is closed if no `join` arrives before the handshake's deadline."""
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._endpoint.config.handshake_s, self._websocket.start_close, _POLICY)
        self._websocket.on_message = self.receive
        self._websocket.on_control = self.count_control

    def end(self) -> None:
        """Leave the table after the connection has closed."""
        self._websocket.on_message = self._websocket.on_control = None
        if self._websocket.silence is not None:
            self._websocket.silence.stop()
            self._websocket.silence = None
        self._ended = True
        if self._timer is not None:
            self._timer.cancel()
        if self._viewer is not None:
            self._table.disconnect(self._viewer, said_bye=self._websocket.said_bye)
            self._viewer = None

    # --- to the viewer --------------------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        """Send an encoded message. If too much is unsent, send `bye` and close the connection."""
        if self._ended:
            return
        unsent = self._websocket.send_text(message)
        if unsent > self._endpoint.most_unsent:
            log().info("viewer.slow", table=shown(self._table.id), unsent=unsent)
            self.close("slow")

    @property
    def guest(self) -> str:
        """The guest's id."""
        return self._guest.id

    def close(self, reason: Literal["restart", "elsewhere", "slow", "revoked", "signed_out"]) -> None:
        """Send `bye` with this reason, and close the connection."""
        if self._ended:
            return
        self._websocket.send_text(_encoder.encode(Bye(reason)))
        self._websocket.start_close(_CODES.get(reason, 1000))

    # --- from the viewer ------------------------------------------------------------------------------

    def count_control(self) -> None:
        """Count a control frame as a message, for the limit on messages."""
        if not self._endpoint.limits.within("messages", self._guest.id):
            self._refuse_too_many(b"")

    def receive(self, data: bytes, is_text: bool) -> None:
        """Check a message against the limits, decode it and pass it to the table. `join` must come first."""
        limits = self._endpoint.limits
        if not limits.within("messages", self._guest.id):
            self._refuse_too_many(data)
            return
        if not is_text:
            self._refuse(b"", "message.binary", "messages must be text")
            return
        try:
            message = CLIENT_DECODER.decode(data)
        except NOT_DECODED as error:
            self._refuse(data, "message.invalid", str(error))
            return
        if isinstance(message, Ping) and self._viewer is None:
            self.send(_encoder.encode(Pong(re=message.id)))
        elif message.limit and not self._within_limit(message):
            why = f"too many {message.limit}; wait a little"
            self._refuse(data, f"limit.{message.limit}", why, strike=message.strikes)
        elif self._viewer is None and not isinstance(message, Join):
            self._refuse(data, *JOIN_FIRST)
        else:
            self._pass_to_table(message)

    def _within_limit(self, message: Request) -> bool:
        """Count a message whose kind has a limit. Return whether it is within this limit."""
        within = self._endpoint.limits.within
        allowed = within(message.limit, self._guest.id)
        return (not message.limit_by_address or within(message.limit, self._address)) and allowed

    def _pass_to_table(self, message: Request) -> None:
        try:
            if self._viewer is None:
                self._viewer = self._table.connect(
                    self._guest, self, self._endpoint.cookies.pseudonym(self._address)
                )
                self._viewer.trace = self._trace
                self._viewer.who = Asker(self._guest.id, self._address)
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                self._watch(self._viewer)
            self._table.receive(self._viewer, message)
        except Exception as error:  # noqa: BLE001 - any error ends only this connection
            log().error(
                "message.failed", table=shown(self._table.id), type=type(message).__name__, error=error
            )
            self._websocket.start_close(_FAILED)

    def _watch(self, connection: Viewer) -> None:
        """Watch for silence, so that other players soon see when a player's network has failed."""
        table = self._table
        self._websocket.silence = SilenceWatch(
            asyncio.get_running_loop(),
            self._websocket.ping,
            lambda silent: table.set_silent(connection, silent=silent),
            wanted=lambda: table.has_company(connection),
        )

    def _refuse_too_many(self, data: bytes) -> None:
        self._refuse(data, "limit.messages", "too many messages; wait a little")

    def _refuse(self, data: bytes, code: str, why: str, *, strike: bool = True) -> None:
        """Refuse a message; after too many strikes, close the connection."""
        self._endpoint.metrics.refused(code)
        refused = Refused(re=message_id(data), reason=Reason(code=code, message=why))
        self.send(_encoder.encode(refused))
        self._strikes += strike
        if self._strikes >= _MAX_STRIKES:
            log().info("viewer.closed", table=shown(self._table.id), last=code)
            self._websocket.start_close(_POLICY)


class WebSocketApp:
    """The ASGI application for all WebSockets."""

    def __init__(
        self,
        config: Config,
        tables: TableRegistry,
        cookies: Cookies,
        sessions: Sessions,
        names: Names,
        limits: Limits,
        metrics: Metrics,
        forwarder: Forwarder | None = None,
    ) -> None:
        """Set the parts; `forwarder` forwards connections to tables of other servers."""
        self.forwarder = forwarder
        self.config = config
        self.tables = tables
        self.cookies = cookies
        self.sessions = sessions
        self.names = names
        self.limits = limits
        self.metrics = metrics
        self.most_unsent = config.outbox_kb * 1024
        self._sockets: set[TableSocket] = set()
        self._signed_out: dict[int, set[str]] = {}
        """For each pending handshake, the guests who have signed out since it began."""
        self._pending_handshakes = 0

    @property
    def overloaded(self) -> bool:
        """Whether the limit of pending handshakes is reached, so that new connections wait."""
        return self._pending_handshakes >= MAX_PENDING_HANDSHAKES

    def guests(self) -> set[str]:
        """Return the ids of the guests with a connection."""
        return {socket.guest for socket in self._sockets}

    def sign_out(self, guest: str) -> None:
        """Close all connections of this guest, including those that have not joined yet."""
        for signed_out in self._signed_out.values():
            signed_out.add(guest)
        for socket in [socket for socket in self._sockets if socket.guest == guest]:
            socket.close("signed_out")

    async def serve(self, scope: Scope) -> None:
        """Serve one WebSocket."""
        address = address_of(scope["client"])
        websocket: WebSocketConnection = scope["extensions"][EXTENSION]
        held = False
        socket: TableSocket | None = None
        try:
            self._hold(address)
            held = True
            admitted = await self._admit(scope, websocket, address)
            if admitted is None:
                return
            table, guest = admitted
            self._check_places(table, guest)
            trace = trace_of(scope)
            socket = TableSocket(self, websocket, table, guest, address, trace)
            self._sockets.add(socket)
            self.metrics.admitted()
            if trace:
                log().debug("trace.admitted", trace=trace, table=shown(table.id))
            websocket.accept(PROTOCOL, self.most_unsent)
            socket.begin()
            scope.clear()
            await websocket.ended
        except HandshakeRefused as refused:
            self.metrics.refused(refused.failure.code)
            refuse(websocket, refused)
        finally:
            if socket is not None:
                socket.end()
                self._sockets.discard(socket)
            if held:
                self._release(address)

    async def _admit(
        self, scope: Scope, websocket: WebSocketConnection, address: str
    ) -> tuple[LiveTable, Guest] | None:
        """Return the result of `_served_here`. If the guest signs out in the meantime, check again."""
        signed_out: set[str] = set()
        self._signed_out[id(signed_out)] = signed_out
        try:
            while (found := await self._served_here(scope, websocket, address)) and found[1].id in signed_out:
                signed_out.clear()
            return found
        finally:
            del self._signed_out[id(signed_out)]

    async def _served_here(
        self, scope: Scope, websocket: WebSocketConnection, address: str
    ) -> tuple[LiveTable, Guest] | None:
        """Return the table and the guest; None if another server served the connection to its end.

        Raises `HandshakeRefused` if the guest may not connect, or the table cannot be loaded.
        """
        for last_try in (False, True):
            try:
                return await self._pending_check(scope, address)
            except StoreError:
                break
            except ServedElsewhere as elsewhere:
                if self.forwarder is None:
                    break
                if await self.forwarder.follow(scope, websocket, elsewhere, wait=not last_try):
                    return None
        raise HandshakeRefused(503, "table.failed")

    async def _pending_check(self, scope: Scope, address: str) -> tuple[LiveTable, Guest]:
        self._pending_handshakes += 1
        try:
            return await self.tables.ownership.guard(self._check(scope, address))
        finally:
            self._pending_handshakes -= 1

    def _hold(self, address: str) -> None:
        try:
            self.limits.check("connects", address)
            self.limits.hold(address)
        except TooMany as error:
            raise too_many(error) from None
        self.metrics.connections(self.limits.connections)

    def _check_places(self, table: LiveTable, guest: Guest) -> None:
        """Raise `HandshakeRefused` for a spectator if the free places are reserved for seated guests."""
        if not table.seats(guest):
            try:
                self.limits.check_spectator()
            except TooMany as error:
                raise too_many(error) from None

    def _release(self, address: str) -> None:
        self.limits.release(address)
        self.metrics.connections(self.limits.connections)

    async def _check(self, scope: Scope, address: str) -> tuple[LiveTable, Guest]:
        """Return the requested table and the guest. Raises `HandshakeRefused` if they may not connect."""
        headers = dict(scope["headers"])
        if not origin_allowed(headers, self.config):
            log().warning("origin.refused", origin=_ascii(headers.get(b"origin")), address=address)
            raise HandshakeRefused(403, "request.origin", "pages of other sites may not connect")
        if PROTOCOL not in scope["subprotocols"]:
            raise HandshakeRefused(400, "message.protocol", f"the subprotocol must be {PROTOCOL}")
        token = _ascii(headers.get(b"authorization"))
        cookie = self.cookies.read(headers.get(b"cookie"))
        if cookie is None and not token:
            raise HandshakeRefused(401, "guest.unknown", "send GET /api/me first, which sets a cookie")
        wanted = str(scope["path"]).removeprefix(PATH)
        try:
            table = await self.tables.get(wanted, Asker("" if cookie is None else cookie.id, address))
            counts = token or cookie is None or await self.sessions.is_valid(cookie)
            name = "" if token or cookie is None else await self.names.of(cookie.id)
        except (StoreError, LogError) as error:
            log().error("table.unreadable", table=shown(wanted), error=error)
            raise HandshakeRefused(503, "table.unreadable") from None
        except Busy as busy:
            raise HandshakeRefused(429, busy.code, busy.message) from None
        if table is None:
            raise HandshakeRefused(404, "table.unknown")
        if token or cookie is None:
            external_bot = table.external_bot(token)
            if external_bot is None:
                raise HandshakeRefused(401, "request.token", "no seat of this table has this token")
            return table, external_bot
        if not counts:
            raise HandshakeRefused(401, "guest.signed_out")
        await adopt_seats(self.tables, table, cookie.id)
        return table, Guest(id=cookie.id, name=name)


def too_many(error: TooMany) -> HandshakeRefused:
    """Return the refusal of a connection beyond a limit."""
    return HandshakeRefused(
        429, f"limit.{error.what}", f"too many connections; try again in {error.retry_s} s"
    )


def origin_allowed(headers: dict[bytes, bytes], config: Config) -> bool:
    """Return whether the request comes from a page of this server or of an allowed origin, or from no page.

    The scheme is not compared, because a proxy may have changed it. Pages cannot forge these headers.
    """
    origin = _ascii(headers.get(b"origin")).casefold()
    if not origin:
        return True
    host = _ascii(headers.get(b"host")).casefold()
    try:
        place = urlsplit(origin).netloc
    except ValueError:  # browsers always send a valid address
        return False
    return place == host or origin in config.own_origins


def refuse(websocket: WebSocketConnection, refused: HandshakeRefused) -> None:
    """Refuse the handshake, with the reason as JSON."""
    websocket.refuse(refused.status, _encoder.encode(refused.failure))


def _ascii(value: bytes | None) -> str:
    return value.decode("latin-1") if value else ""
