"""`/healthz`: whether the server can store moves, and how the request reached the server.

Answers over HTTP and over a WebSocket, so that a client can test whether a proxy passes on both protocols.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from rum500.server.http.endpoint import JSON
from rum500.server.limits import Limits, TooMany, address_of
from rum500.server.messages.http import Health
from rum500.server.security import AllowedHosts, is_address
from rum500.server.transport.websocket import EXTENSION, WebSocketConnection
from rum500.server.ws.table_socket import refuse, too_many
from rum500.store import StoreError

if TYPE_CHECKING:
    from starlette.types import Scope

PATH = "/healthz"


class HealthCheck:
    """Answers requests for the health of the server."""

    def __init__(
        self,
        version: str,
        hosts: AllowedHosts,
        limits: Limits,
        trouble: Callable[[], Awaitable[StoreError | None]],
        draining: Callable[[], bool],
    ) -> None:
        """Set the parts; `trouble` returns the error that prevents storing moves, or None."""
        self._version = version
        self._hosts = hosts
        self._limits = limits
        self._trouble = trouble
        self._draining = draining

    async def over_http(self, request: Request) -> Response:
        """Return the health of the server, with HTTP status 503 unless the health is `ok`."""
        health = await self._health(request.scope)
        status = 200 if health.status == "ok" else 503
        return Response(msgspec.json.encode(health), status, {"cache-control": "no-store"}, JSON)

    async def over_socket(self, scope: Scope) -> None:
        """Send the health over a WebSocket."""
        wire: WebSocketConnection = scope["extensions"][EXTENSION]
        try:
            self._limits.check("connects", address_of(scope["client"]))
        except TooMany as error:
            refuse(wire, too_many(error))
            return
        health = await self._health(scope)
        wire.accept()
        wire.send_text(msgspec.json.encode(health))
        wire.start_close(1000)

    async def _health(self, scope: Scope) -> Health:
        trouble = await self._trouble()
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        client = scope["client"]
        return Health(
            status="failing" if trouble is not None else "draining" if self._draining() else "ok",
            store="ok" if trouble is None else trouble.code,
            version=self._version,
            scheme=scope["scheme"],
            host=headers.get(b"host", ""),
            host_allowed=scope in self._hosts,
            client=client[0] if client and is_address(client[0]) else None,
            forwarded_proto=headers.get(b"x-forwarded-proto"),
            forwarded_host=headers.get(b"x-forwarded-host"),
            forwarded_for=headers.get(b"x-forwarded-for"),
        )
