"""Forwarding of requests and connections to the server that owns a table. A single server needs none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from rum500.store import ServedElsewhere

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Scope


class Forwarder(Protocol):
    """Forwards requests and connections to other servers."""

    async def answer(self, method: str, scope: Scope, body: bytes, place: ServedElsewhere) -> Response | None:
        """Return the answer of the server named in `place` to a request; None if it does not answer."""

    async def follow(self, scope: Scope, wire: Any, place: ServedElsewhere, *, wait: bool) -> bool:
        """Relay a WebSocket, whose handshake has no answer yet, to the server in `place` until it closes.

        Returns False if that server cannot be reached; with `wait`, only once its lease has ended.
        """
