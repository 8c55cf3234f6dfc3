"""The relay: forwards requests unchanged to the server that owns a table.

It is not needed behind a proxy that sends each client to the right server; otherwise it adds milliseconds.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Collection
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.responses import Response

from rum500.server.cluster.metrics import ClusterMetrics
from rum500.server.cluster.relay_header import NAME, RelayHeader, target
from rum500.server.cluster.tunnel import TunnelEnd, join
from rum500.server.config import Config, ConfigError
from rum500.server.logs import log
from rum500.server.traces import trace_of
from rum500.server.transport.websocket import WebSocketConnection
from rum500.store import ServedElsewhere

if TYPE_CHECKING:
    from starlette.types import Scope

PATIENCE_S = 2.0
"""How many seconds the owner has to accept the connection; it may have died a moment ago."""
MISSED_S = 0.5
"""How many seconds an unreachable owner is not tried again."""
_MOMENT_S = 0.05
"""How many seconds longer than a dead owner's lease a visitor waits."""
_HOPS = {b"connection", b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"content-length"}


class OwnerUnreachable(Exception):
    """The owner of a table does not answer. Another server will own its tables soon."""


def tls_of(config: Config) -> ssl.SSLContext:
    """Return the TLS context for connections to other servers.

    Raises `ConfigError` if a file with certificates cannot be used.
    """
    key, file = "node_authority", config.node_authority
    try:
        context = ssl.create_default_context(cafile=file or None)
        key, file = "node_certificate", config.node_certificate
        if file:
            context.load_cert_chain(file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"{key}: {file}: {reason}; expected a PEM file that can be read") from None
    return context


class Relay:
    """Forwards requests to other servers, and recognizes requests that another server has forwarded."""

    def __init__(
        self, key: bytes, own: str, wall: Callable[[], int], metrics: ClusterMetrics, tls: ssl.SSLContext
    ) -> None:
        """Use the shared key and clock, and this TLS context for servers with https URLs.

        Requests are never forwarded to `own`, this server's URL.
        """
        self._metrics = metrics
        self._tls = tls
        self._header = RelayHeader(key, own, wall)
        self._own = own
        self._tunnels: dict[str, dict[TunnelEnd, asyncio.Future[None]]] = {}
        self._missed_until: dict[str, float] = {}

    def received(self, scope: Scope) -> bool:
        """Return whether another server has forwarded this request.

        If so, set the address and scheme in `scope` to those of the client.
        """
        accepted = self._header.accept(scope) if self.has_passed(scope) else None
        if accepted is None:
            return False
        scope["client"], scope["scheme"] = (accepted[0], 0), accepted[1]
        return True

    @staticmethod
    def has_passed(scope: Scope) -> bool:
        """Return whether the request has the header of a relay, so that it must not be forwarded again."""
        return any(name == NAME for name, _ in scope["headers"])

    async def follow(
        self, scope: Scope, wire: WebSocketConnection, place: ServedElsewhere, *, wait: bool
    ) -> bool:
        """Relay a WebSocket, whose handshake has no answer yet, to the table's owner.

        Returns True when the connection has ended; False if the handshake was forwarded already, or if the
        owner cannot be reached. In the last case, `wait` delays the return until the owner's lease has ended.
        """
        if self.has_passed(scope):
            return False  # the owner has changed: the client will try again
        try:
            ended = await self.connect(scope, wire, place.url)
        except OwnerUnreachable:
            if wait:  # no server can take the table before the owner's lease has ended
                await asyncio.sleep(place.left_s + _MOMENT_S)
            return False
        self._metrics.relayed("connection")
        if trace := trace_of(scope):
            log().debug("trace.relayed", trace=trace, owner=place.url)
        await ended
        return True

    async def connect(self, scope: Scope, wire: WebSocketConnection, owner: str) -> asyncio.Future[None]:
        """Relay a WebSocket to the owner, which answers the handshake.

        Returns a future that is done when the connection has ended. Raises `OwnerUnreachable`.
        """
        now = asyncio.get_running_loop().time
        if owner == self._own or self._missed_until.get(owner, 0.0) > now():
            raise OwnerUnreachable(owner)
        far = TunnelEnd(lambda _: self._forget(owner, far))
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._ask_for_admission(scope, far, owner)
        except (OSError, TimeoutError):
            far.close()
            self._missed_until[owner] = now() + MISSED_S
            raise OwnerUnreachable(owner) from None
        if far.transport is None:
            raise OwnerUnreachable(owner)
        ended = self._tunnels.setdefault(owner, {})[far] = asyncio.get_running_loop().create_future()
        near = TunnelEnd(wire.connection_lost)
        wire.detach(near)
        join(near, far)
        return ended

    async def _ask_for_admission(self, scope: Scope, far: TunnelEnd, owner: str) -> None:
        """Connect `far` to the owner, send the client's handshake, and wait for the answer.

        Returns when the answer begins or the connection is lost.
        """
        place = urlsplit(owner)
        secure = self._tls if place.scheme == "https" else None
        transport, _ = await asyncio.get_running_loop().create_connection(
            lambda: far, place.hostname or "", place.port or (443 if secure else 80), ssl=secure
        )
        lines = [
            b"GET " + target(scope) + b" HTTP/1.1",
            *map(b": ".join, self._headers(scope, (), owner)),
            b"",
            b"",
        ]
        transport.write(b"\r\n".join(lines))
        await far.heard.wait()

    def _forget(self, owner: str, far: TunnelEnd) -> None:
        own = self._tunnels.get(owner, {})
        if (ended := own.pop(far, None)) is not None and not ended.done():
            ended.set_result(None)
        if not own:
            self._tunnels.pop(owner, None)

    def keep_only(self, owners: Collection[str]) -> None:
        """Close the tunnels to servers whose URLs are not in `owners`: they own no tables any more."""
        self._missed_until = {one: until for one, until in self._missed_until.items() if one in owners}
        for owner in [one for one in self._tunnels if one not in owners]:
            for far in list(self._tunnels[owner]):
                far.close()

    async def answer(self, method: str, scope: Scope, body: bytes, place: ServedElsewhere) -> Response | None:
        """Return the owner's answer to a request.

        Returns None if the owner cannot be reached or is this server, or if the request was forwarded
        already.
        """
        if self.has_passed(scope) or place.url == self._own:
            return None
        try:
            answer = await asyncio.to_thread(self._ask, method, scope, body, place.url)
        except OwnerUnreachable:
            return None
        self._metrics.relayed("request")
        return answer

    def _ask(self, method: str, scope: Scope, body: bytes, owner: str) -> Response:
        place = urlsplit(owner)
        connection = HTTPConnection(place.netloc, timeout=PATIENCE_S)
        if place.scheme == "https":
            connection = HTTPSConnection(place.netloc, timeout=PATIENCE_S, context=self._tls)
        headers = {name.decode("latin-1"): value for name, value in self._headers(scope, _HOPS, owner)}
        try:
            connection.request(method, target(scope).decode("ascii"), body, headers)
            found = connection.getresponse()
            answer = Response(found.read(), found.status)
            answer.raw_headers = [
                (name.lower().encode("latin-1"), value.encode("latin-1"))
                for name, value in found.getheaders()
                if name.lower().encode("latin-1") not in _HOPS - {b"content-length"}
            ]
        except (OSError, HTTPException):
            raise OwnerUnreachable(owner) from None
        finally:
            connection.close()
        return answer

    def _headers(self, scope: Scope, without: Collection[bytes], owner: str) -> list[tuple[bytes, bytes]]:
        kept = [(name, value) for name, value in scope["headers"] if name not in {*without, NAME}]
        return [*kept, (NAME, self._header.sign(scope, owner))]
