"""The open connections of a server: limits on HTTP connections; clients that read too slowly are cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Protocol

from rum500.server.limits import address_of, in_networks

LEAST_PER_S = 1024
"""A client with unsent data must receive this many bytes per second, or its connection is closed."""


class Connection(Protocol):
    """An open connection."""

    transport: asyncio.Transport

    def sent(self) -> int:
        """Return a number that grows by the bytes sent."""


class Http(Connection, Protocol):
    """An HTTP connection, which may be closed to make room for another."""

    client: tuple[str, int] | None

    @property
    def replaceable(self) -> bool:
        """Whether the connection is idle or its client does not read."""

    def abort(self) -> None:
        """Close the connection at once."""


class WebSocket(Connection, Protocol):
    """A WebSocket; `lost` is done when it is closed."""

    lost: asyncio.Future[None]

    def shut_down(self) -> None:
        """Start closing the connection."""


class Connections:
    """All open connections of a server.

    HTTP connections may use all places that WebSockets leave. When there are too many, a new one replaces an
    old one that is idle or does not read its response: of the same address, or else of the address with the
    most connections.
    """

    def __init__(self, most: int, most_of_address: int, proxies: tuple[str, ...] = ()) -> None:
        """Begin without connections. `most` includes WebSockets; `proxies` are free of `most_of_address`."""
        self._most = most
        self._most_of_address = most_of_address
        self._proxies = proxies
        self._http: dict[str, dict[Http, None]] = {}
        self.websockets: set[WebSocket] = set()
        self._sent: dict[Connection, int] = {}

    def __len__(self) -> int:
        return len(self.websockets) + sum(map(len, self._http.values()))

    def add_http(self, connection: Http) -> bool:
        """Count a new HTTP connection. Return False if there is no room for it."""
        host = connection.client[0] if connection.client else ""
        address = address_of(connection.client)
        own = self._http.get(address, {})
        if len(own) >= self._most_of_address and not in_networks(host, self._proxies):
            admitted = _replace_one(own)
        elif len(self) >= self._most:
            admitted = any(map(_replace_one, sorted(self._http.values(), key=len, reverse=True)))
        else:
            admitted = True
        if admitted:
            self._http.setdefault(address, {})[connection] = None
        return admitted

    def remove_http(self, connection: Http) -> None:
        """Uncount an HTTP connection; further calls have no effect."""
        address = address_of(connection.client)
        own = self._http.get(address, {})
        own.pop(connection, None)
        if not own:
            self._http.pop(address, None)

    async def close_websockets(self, seconds: float) -> None:
        """Close all WebSockets; abort those that are still open after `seconds`."""
        for each in list(self.websockets):
            each.shut_down()
        if self.websockets:
            await asyncio.wait([each.lost for each in self.websockets], timeout=seconds)
        for each in list(self.websockets):
            each.transport.abort()

    async def watch(self, seconds: float) -> None:
        """Close slow readers periodically, until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            self.close_slow_readers(seconds)

    def close_slow_readers(self, seconds: float) -> None:
        """Close connections with unsent data that clients read slower than `LEAST_PER_S` for `seconds`."""
        sent = {each: each.sent() for each in self._all() if each.transport.get_write_buffer_size()}
        for connection, amount in sent.items():
            before = self._sent.get(connection)
            if before is not None and amount - before < LEAST_PER_S * seconds:
                connection.transport.abort()
        self._sent = sent

    def _all(self) -> Iterable[Connection]:
        yield from self.websockets
        for own in self._http.values():
            yield from own


def _replace_one(connections: dict[Http, None]) -> bool:
    """Close the oldest replaceable connection. Return False if there is none."""
    oldest = next((each for each in connections if each.replaceable), None)
    if oldest is not None:
        oldest.abort()
    return oldest is not None
