"""Messages between servers that share a database: guests who are here, and guests whose seats change.

They go through the database and are not stored. If one is lost because a connection breaks, presence follows
with the next one, and a merged guest gets the seats on connecting to the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from rum500.server.guests import Names
from rum500.server.live.guest_seats import leave_all, merge_all_seats
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log
from rum500.server.people.presence import Presence
from rum500.store import StoreError
from rum500.store.postgres_leases import NodeStore

HERE_EVERY_S = 15.0
"""The seconds between two messages about the guests who are here."""
_MOST_IDS = 200
"""The most ids in a message, which has at most 8,000 bytes."""


class _Here(Struct, tag="here"):
    """Guests with a request or a connection to a table since the last such message."""

    guests: Sequence[str]


class _SeatsChanged(Struct, tag="seats"):
    """A guest has been merged into another guest, or was deleted if there is none."""

    former: str
    guest: str | None
    tables: Sequence[str]
    """Unfinished tables at which the guest has a seat."""


_decode = msgspec.json.Decoder(_Here | _SeatsChanged).decode


class NodeMessages:
    """Sends messages to the other servers, and does what messages of other servers ask for."""

    def __init__(self, store: NodeStore, tables: TableRegistry, presence: Presence, names: Names) -> None:
        self._store = store
        self._tables = tables
        self._presence = presence
        self._names = names
        self._sent = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    def receive(self, messages: Sequence[str]) -> None:
        """Handle messages of other servers."""
        for message in messages:
            found = _decode(message)
            if isinstance(found, _Here):
                self._presence.note_elsewhere(found.guests)
            else:
                self._names.forget(found.former)
                self._start(self._change_seats(found))

    async def _change_seats(self, change: _SeatsChanged) -> None:
        if change.guest is None:
            await leave_all(self._tables, change.tables, change.former)
        else:
            await merge_all_seats(self._tables, change.tables, change.former, change.guest)

    async def seats_changed(self, former: str, guest: str | None, tables: Sequence[str]) -> None:
        """Let other servers, which own these tables, do what the merge or deletion of a guest asks for."""
        for some in _batches(tables):
            await self._send(_SeatsChanged(former, guest, some))

    def send_presence(self, now: float) -> None:
        """Send which guests are here, if the last such message is old; `now` is in monotonic seconds."""
        if now - self._sent < HERE_EVERY_S:
            return
        self._sent = now
        if guests := sorted(self._presence.lately(HERE_EVERY_S)):
            self._start(self._send_all(_Here(some) for some in _batches(guests)))

    async def _send_all(self, messages: Iterator[_Here]) -> None:
        for message in messages:
            await self._send(message)

    async def _send(self, message: _Here | _SeatsChanged) -> None:
        try:
            await self._store.send(msgspec.json.encode(message).decode())
        except StoreError as error:
            log().warning("node.not_sent", code=error.code)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Cancel what is unfinished."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[first : first + _MOST_IDS] for first in range(0, len(ids), _MOST_IDS))
