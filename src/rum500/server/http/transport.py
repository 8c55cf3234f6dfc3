"""uvicorn's HTTP protocol, extended by a deadline for requests and by limits on open connections."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from rum500.server.http.door import Door
from rum500.server.limits import address_of, in_networks

_DRAINED = 1 << 40
_KERNEL_BUFFER = 128 * 1024
"""The bytes that the kernel keeps for a client; by default it keeps megabytes, which hide that it is slow."""


class DeadlineConfig(uvicorn.Config):
    """uvicorn's settings, with additional ones."""

    deadline_s: float = 10.0
    """The seconds within which a complete request must arrive."""
    places: HttpPlaces
    """The open HTTP connections."""
    door: Door
    """Through which new connections come."""


class HttpPlaces:
    """The open HTTP connections, with limits on all of them and on those of one address.

    They may use all places that the tables' connections leave. If there are too many, a new connection takes
    the place of an old one that is idle or does not read its response: of the same address, or of the address
    with the most connections.
    """

    def __init__(self, most: int, most_of_address: int, proxies: tuple[str, ...] = ()) -> None:
        """Begin without connections. `most` counts those of tables too; proxies have no limit by address."""
        self._most = most
        self._most_of_address = most_of_address
        self._proxies = proxies
        self._held: dict[str, dict[DeadlineHttpProtocol, None]] = {}

    def enter(self, connection: DeadlineHttpProtocol) -> bool:
        """Count a new connection. Return False if there is no place for it."""
        address = address_of(connection.client)
        own = self._held.get(address, {})
        if len(own) >= self._most_of_address and not self._is_proxy(connection):
            room = _make_room(own)
        elif len(connection.connections) > self._most:
            room = any(map(_make_room, self._largest_first()))
        else:
            room = True
        if room:
            self._held.setdefault(address, {})[connection] = None
        return room

    def _is_proxy(self, connection: DeadlineHttpProtocol) -> bool:
        return connection.client is not None and in_networks(connection.client[0], self._proxies)

    def _largest_first(self) -> Iterator[dict[DeadlineHttpProtocol, None]]:
        yield from sorted(self._held.values(), key=len, reverse=True)

    def leave(self, connection: DeadlineHttpProtocol) -> None:
        """Discount a connection. Calling it again has no effect."""
        address = address_of(connection.client)
        own = self._held.get(address, {})
        if connection in own:
            del own[connection]
            if not own:
                del self._held[address]


def _make_room(connections: dict[DeadlineHttpProtocol, None]) -> bool:
    """Close the oldest of these connections that can be given up. Return False if there is none."""
    oldest = next((one for one in connections if one.dispensable), None)
    if oldest is None:
        return False
    oldest.drop()
    return True


class DeadlineHttpProtocol(H11Protocol):
    """An HTTP connection that is closed if a complete request does not arrive in time."""

    _deadline: asyncio.TimerHandle | None = None
    _drained = 0
    _is_in = False
    _kept = b""
    """What came before the connection was let in."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, or close the connection if there is no place for it."""
        super().connection_made(transport)
        kernel = transport.get_extra_info("socket")
        if kernel is not None and kernel.family in (socket.AF_INET, socket.AF_INET6):
            kernel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BUFFER)
        if self._places.enter(self):
            self._arm()
        else:
            transport.abort()

    @property
    def _places(self) -> HttpPlaces:
        return cast("DeadlineConfig", self.config).places

    @property
    def _door(self) -> Door:
        return cast("DeadlineConfig", self.config).door

    @property
    def dispensable(self) -> bool:
        """Whether no request is being answered, or the client does not read the answer."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is None or cycle.response_complete or self.flow.write_paused

    def drop(self) -> None:
        """Close the connection at once, for another one."""
        self._places.leave(self)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Process a part of a request, once let in; the rest must arrive before the deadline."""
        if not self._is_in:
            self._is_in = not self._kept and self._door.admits(self)
            if not self._is_in:
                self._kept += data
                self.transport.pause_reading()
                return
        super().data_received(data)
        upgraded = self.transport.get_protocol() is not self
        if upgraded:
            self._places.leave(self)
        awaited = self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()
        if not awaited or upgraded:
            self._disarm()
        elif self._deadline is None:
            self._arm()

    def come_in(self) -> None:
        """Process what has come meanwhile, and read on."""
        if not self.transport.is_closing():
            self._is_in = True
            kept, self._kept = self._kept, b""
            self.transport.resume_reading()
            self.data_received(kept)

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed request, or close the connection if a response has begun already."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def resume_writing(self) -> None:
        """Note that the client has read."""
        super().resume_writing()
        self._drained += 1

    def sent(self) -> int:
        """Return a number that grows by the bytes that leave this process while nothing new is written."""
        return self._drained * _DRAINED - self.transport.get_write_buffer_size()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline."""
        self._disarm()
        self._door.leave(self)
        self._places.leave(self)
        super().connection_lost(exc)

    def _arm(self) -> None:
        seconds = cast("DeadlineConfig", self.config).deadline_s
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
