"""Forwarding of requests and connections to the server that owns a table; a single server does none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from rum500.store import ServedElsewhere

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Scope


class Forwarder(Protocol):
    """Forwards requests and connections to other servers."""

    async def answer(self, method: str, scope: Scope, body: bytes, place: ServedElsewhere) -> Response | None:
        """Return the other server's answer to a request; None if it cannot be had."""

    async def follow(self, scope: Scope, wire: Any, place: ServedElsewhere, *, wait: bool) -> bool:
        """Join a WebSocket that asks for admission to the other server until it ends.

        Return False if that server cannot be reached, with `wait` once it has lost its tables if it has died.
        """
