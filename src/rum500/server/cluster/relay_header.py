"""The signed header of a request that one server forwards to another."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope

NAME = b"x-rum500-relay"
"""The header's name. The value: client's address and scheme, a time, a number used once, a signature."""
VALID_MS = 5_000
"""How many milliseconds a header is valid, by the clock that all servers share."""
_MOST_SEEN = 100_000
"""The largest number of remembered headers; while it is reached, further headers are refused."""


class RelayHeader:
    """Signs headers. Accepts each header once, within seconds, for the signed method, target and receiver."""

    def __init__(self, key: bytes, own: str, wall: Callable[[], int]) -> None:
        """Set the key and the clock, which all servers share, and this server's URL."""
        self._key = key
        self._own = own
        self._wall = wall
        self._seen: dict[str, int] = {}

    def sign(self, scope: Scope, receiver: str) -> bytes:
        """Return the header's value for forwarding a request to the server at this URL."""
        client = scope["client"]
        address = client[0] if client else "local"
        signed = f"{address} {scope['scheme']} {self._wall()} {secrets.token_hex(16)}"
        return f"{signed} {self._signature(signed, scope, receiver)}".encode("latin-1")

    def accept(self, scope: Scope) -> tuple[str, str] | None:
        """Return the client's address and scheme; None without a header that is valid for this server now."""
        value = next((value for name, value in scope["headers"] if name == NAME), b"").decode("latin-1")
        signed, _, signature = value.rpartition(" ")
        expected = self._signature(signed, scope, self._own)
        if not hmac.compare_digest(expected.encode(), signature.encode("latin-1")):
            return None
        address, scheme, sent, once = signed.split(" ")
        now = self._wall()
        if abs(now - int(sent)) > VALID_MS or not self._is_first(once, now):
            return None
        return address, scheme

    def _is_first(self, once: str, now: int) -> bool:
        """Return whether the number `once` is new and can be stored until its header expires."""
        for known, until in list(self._seen.items()):
            if until >= now:
                break
            del self._seen[known]
        if once in self._seen or len(self._seen) >= _MOST_SEEN:
            return False
        self._seen[once] = now + 2 * VALID_MS
        return True

    def _signature(self, signed: str, scope: Scope, receiver: str) -> str:
        method = scope.get("method", "GET")  # a WebSocket's handshake is a GET
        parts = (receiver.encode(), method.encode(), target(scope), signed.encode("latin-1"))
        return hmac.digest(self._key, b"\n".join(parts), "sha256").hex()


def target(scope: Scope) -> bytes:
    """Return the path of a request with its query."""
    path, query = scope["raw_path"], scope["query_string"]
    return bytes(path + b"?" + query if query else path)
