"""One of several servers that share a database: its lease, the shared time, and its retreat."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from urllib.parse import urlsplit

from rum500.server.config import Config
from rum500.server.live import TableRegistry
from rum500.server.live.time_source import LoopTime
from rum500.server.logs import log
from rum500.server.metrics import Metrics
from rum500.server.ws.relay import Relay
from rum500.store import NodeName, Store, StoreError

BEAT_S = 1.0
"""The seconds between two renewals of the lease."""
DOUBT_S = 2.0
"""The seconds without a renewal after which the tables are given up; the lease lasts a second longer."""


def node_name(config: Config, key: bytes, version: str) -> NodeName | None:
    """Return what this server tells the others; None if it uses the database alone."""
    if not config.node_url:
        return None
    url = config.node_url[0]
    digest = hashlib.blake2b(key, digest_size=8, person=b"rum500 node").hexdigest()
    return NodeName(config.node_name or urlsplit(url).netloc, url, digest, version)


class SharedTime(LoopTime):
    """The clock of the event loop, and the calendar of the database: servers' own ones may differ."""

    def __init__(self) -> None:
        """Use this machine's calendar until `set`."""
        super().__init__()
        self._ahead = super().wall() - self.now() * 1000

    def set(self, wall: int, moment: float) -> None:
        """Note the database's milliseconds since 1970 at a moment of `now`."""
        self._ahead = wall - moment * 1000

    def wall(self) -> int:
        """Return the milliseconds since 1970."""
        return int(self.now() * 1000 + self._ahead)


class Node:
    """Keeps the lease of this server, and gives its tables up when it cannot."""

    def __init__(self, store: Store, time: SharedTime, relay: Relay, metrics: Metrics) -> None:
        """Use the store's lease and set this time by it. `join` must be called next."""
        self._relay = relay
        self._metrics = metrics
        assert store.nodes is not None
        self._store = store.nodes
        self._time = time
        self._tables: TableRegistry
        self._sign_out: Callable[[str], None]
        self._signed_out: set[tuple[str, int]] = set()
        self._renewed = 0.0
        self._draining: asyncio.Task[None] | None = None
        self._running: asyncio.Task[None] | None = None

    @property
    def draining(self) -> bool:
        """Whether the server gives up its tables and takes no more."""
        return self._draining is not None

    async def join(self) -> None:
        """Begin the lease and learn the database's time. Raises `StoreError`."""
        began = self._time.now()
        now = await self._store.join()
        self._renewed = began
        self._time.set(now, (began + self._time.now()) / 2)
        self._signed_out = await self._store.signed_out()

    @property
    def lease_age(self) -> float:
        """The seconds since the lease was renewed."""
        return self._time.now() - self._renewed

    def begin(self, tables: TableRegistry, sign_out: Callable[[str], None]) -> None:
        """Keep the lease from now on, which these tables need.

        `sign_out` closes all connections of a guest, who may have signed out at another server.
        """
        self._tables, self._sign_out = tables, sign_out
        self._running = asyncio.create_task(self._run())

    async def leave(self) -> None:
        """End the lease. All tables have been closed before."""
        for task in (self._running, self._draining):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        try:
            await self._store.leave()
        except StoreError as error:
            log().warning("node.not_left", code=error.code)

    async def _run(self) -> None:
        beating: asyncio.Task[None] | None = None
        while True:
            # First of all: this process may have slept, or the store does not answer.
            if self.lease_age > DOUBT_S and not self._tables.in_doubt:
                log().warning("node.in_doubt", tables=len(self._tables))
                self._tables.give_up()
            beating = beating or asyncio.create_task(self._beat())
            await asyncio.wait([beating], timeout=BEAT_S / 4)
            if not beating.done():
                continue
            beating = None
            wait = self._renewed + BEAT_S - self._time.now()
            await asyncio.sleep(wait if 0 < wait <= BEAT_S else BEAT_S / 4)

    async def _beat(self) -> None:
        """Renew the lease, or begin a new one, and hear what other servers have stored for all."""
        try:
            if not await self._renew():
                await self._begin_again()
            await self._follow_sign_outs()
        except StoreError as error:
            log().warning("node.not_renewed", code=error.code)
        except Exception as error:  # noqa: BLE001 - without a beat the tables would be given up for good
            log().error("node.failed", error=error)

    async def _renew(self) -> bool:
        """Renew the lease. Return False if it had ended."""
        began = self._time.now()
        lease = await self._store.renew(len(self._tables))
        if lease is None:
            return False
        self._renewed = began
        self._tables.resume()
        self._time.set(lease.now, (began + self._time.now()) / 2)
        self._relay.keep_only(lease.urls)
        if lease.draining and self._draining is None:
            log().info("node.draining", tables=len(self._tables))
            self._draining = asyncio.create_task(self._tables.drain())
        return True

    async def _follow_sign_outs(self) -> None:
        """Close the connections of guests who have signed out at another server since the last look."""
        lately = await self._store.signed_out()
        for guest, _ in lately - self._signed_out:
            self._sign_out(guest)
        self._signed_out = lately

    async def _begin_again(self) -> None:
        """Give up what others may have taken, and begin a new lease."""
        log().warning("node.lease_ended", tables=len(self._tables))
        self._metrics.lease_ended()
        self._tables.give_up()
        await self._store.join()
