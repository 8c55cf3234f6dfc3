"""One of several servers that share a database: its lease, the shared time, and its shutdown."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from urllib.parse import urlsplit

from rum500.server.cluster.drain import drain
from rum500.server.cluster.metrics import ClusterMetrics
from rum500.server.cluster.node_messages import NodeMessages
from rum500.server.cluster.owner import TableOwner
from rum500.server.cluster.relay import Relay
from rum500.server.config import Config
from rum500.server.live.log.time_source import LoopTime
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log
from rum500.store import Lease, NodeName, StoreError
from rum500.store.postgres_leases import LEASE_MS

BEAT_S = 1.0
"""The seconds between two renewals of the lease."""
DOUBT_S = LEASE_MS / 1000 - BEAT_S
"""After this many seconds without a renewal the server gives up its tables, before others may take them."""
HANGING_S = 10.0
"""If the event loop is blocked for this many seconds, the thread stops renewing the lease."""


def node_name(config: Config, key: bytes, version: str) -> NodeName:
    """Return this server's name, address, digest of the key, and version, for the other servers."""
    url = config.node_url[0]
    digest = hashlib.blake2b(key, digest_size=8, person=b"rum500 node").hexdigest()
    return NodeName(config.node_name or urlsplit(url).netloc, url, digest, version)


class SharedTime(LoopTime):
    """The clock of the event loop, with the database's wall-clock time, since servers' clocks may differ."""

    def __init__(self) -> None:
        """Use this machine's wall-clock time until the first call of `set`."""
        super().__init__()
        self._ahead = super().wall() - self.now() * 1000

    def set(self, wall: int, moment: float) -> None:
        """Set the wall-clock time: it was `wall`, in ms since 1970, when `now` returned `moment`."""
        self._ahead = wall - moment * 1000

    def wall(self) -> int:
        """Return the milliseconds since 1970, by the database's clock."""
        return int(self.now() * 1000 + self._ahead)


class NodeLease:
    """Renews the lease of this server. Closes the server's tables if the lease cannot be renewed.

    A thread renews the lease, because taking over hundreds of tables may keep the event loop busy for longer
    than the lease lasts. The server would then lose these tables again.
    """

    def __init__(self, owner: TableOwner, time: SharedTime, relay: Relay, metrics: ClusterMetrics) -> None:
        """Use the lease of the owner's store. `time` is set to the database's time. Call `join` next."""
        self._owner = owner
        self._relay = relay
        self._metrics = metrics
        self._store = owner.store.nodes
        self._time = time
        self._tables: TableRegistry
        self._sign_out: Callable[[str], None]
        self._messages: NodeMessages
        self._signed_out: set[tuple[str, int]] | None = None
        self._joined = 0
        self._renewed = self._loop_ran = 0.0
        self._draining: asyncio.Task[None] | None = None
        self._running: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._given_up, self._leaving = threading.Event(), threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="rum500-lease", daemon=True)

    @property
    def draining(self) -> bool:
        """Whether the server is closing its tables for other servers, and takes none."""
        return self._draining is not None

    async def join(self) -> None:
        """Begin the lease and learn the database's time. Raises `StoreError`."""
        began = monotonic()
        self._joined = await self._store.join()
        self._renewed = began
        self._time.set(self._joined, (began + monotonic()) / 2)

    @property
    def lease_age(self) -> float:
        """The seconds since the last renewal of the lease."""
        return monotonic() - self._renewed

    def begin(self, tables: TableRegistry, sign_out: Callable[[str], None], messages: NodeMessages) -> None:
        """Begin to renew the lease. If the lease ends, `tables` are dropped.

        If a guest signs out at another server, `sign_out` is called and closes the guest's connections.
        """
        self._tables, self._sign_out, self._messages = tables, sign_out, messages
        self._metrics.lease_age(lambda: self.lease_age)
        self._loop_ran = monotonic()
        self._running = asyncio.create_task(self._watch())
        self._keeper.start()

    async def leave(self) -> None:
        """End the lease. All tables must be closed before."""
        self._leaving.set()
        self._given_up.set()
        for task in (self._running, self._draining):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        if self._keeper.is_alive():
            await asyncio.to_thread(self._keeper.join)
        await self._messages.close()
        try:
            await self._store.leave()
        except StoreError as error:
            log().warning("node.not_left", code=error.code)

    # --- the thread -------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Renew the lease each second, or begin a new one; read what other servers have sent."""
        pause = 0.0
        while not self._leaving.wait(pause):
            pause = BEAT_S / 4
            began = monotonic()
            if began - self._loop_ran > HANGING_S:
                continue  # the server serves no client any more
            try:
                if (lease := self._store.renew(len(self._tables))) is None:
                    self._begin_again()
                    continue
                self._renewed = began
                self._call_soon(self._use_lease, lease, (began + monotonic()) / 2)
                self._call_soon(self._close_signed_out, self._store.signed_out())
                self._call_soon(self._messages.receive, self._store.received())
                pause = max(0.0, began + BEAT_S - monotonic())
            except StoreError as error:
                log().warning("node.not_renewed", code=error.code)
            except Exception as error:  # noqa: BLE001 - without a beat the tables would be given up for good
                log().error("node.failed", error=error)

    def _begin_again(self) -> None:
        """Give up all tables, because other servers may have taken them; then begin a new lease."""
        self._given_up.clear()
        self._call_soon(self._lease_ended)
        self._given_up.wait()
        if not self._leaving.is_set():
            self._store.join_again()

    def _call_soon(self, call: Callable[..., None], *values: object) -> None:
        with suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(call, *values)

    # --- the event loop ---------------------------------------------------------------------------------

    async def _watch(self) -> None:
        """Check regularly whether the lease may have ended, and if so, give up all tables.

        A lease may end if the process slept, or if the store does not answer.
        """
        while True:
            self._loop_ran = monotonic()
            if self.lease_age > DOUBT_S and not self._owner.in_doubt:
                log().warning("node.in_doubt", tables=len(self._tables))
                self._owner.give_up(self._tables)
            await asyncio.sleep(BEAT_S / 4)

    def _use_lease(self, lease: Lease, moment: float) -> None:
        """Serve tables under a renewed lease; `lease.now` was the database's time when `now` was `moment`."""
        if self.lease_age > DOUBT_S:
            return  # the lease is too old to rely on
        self._owner.resume()
        self._time.set(lease.now, moment)
        self._relay.keep_only(lease.urls)
        self._messages.send_presence(moment)
        if lease.draining and self._draining is None:
            log().info("node.draining", tables=len(self._tables))
            self._draining = asyncio.create_task(drain(self._owner.store, self._tables, self._time.now))

    def _close_signed_out(self, lately: set[tuple[str, int]]) -> None:
        """Close the connections of guests who have signed out at another server since the last call."""
        known = self._signed_out
        if known is None:
            known = {(guest, moment) for guest, moment in lately if moment < self._joined}
        for guest, _ in lately - known:
            self._sign_out(guest)
        self._signed_out = lately

    def _lease_ended(self) -> None:
        log().warning("node.lease_ended", tables=len(self._tables))
        self._metrics.lease_ended()
        self._owner.give_up(self._tables)
        self._given_up.set()
