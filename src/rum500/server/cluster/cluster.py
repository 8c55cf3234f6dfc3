"""This server as one of several that share a database: all that the app needs of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rum500.server.cluster.metrics import ClusterMetrics
from rum500.server.cluster.node import Node, SharedTime, node_name
from rum500.server.cluster.owner import TableOwner
from rum500.server.cluster.relay import Relay
from rum500.server.config import Config
from rum500.server.live.table_registry import TableRegistry
from rum500.server.metrics import Metrics
from rum500.store import SharedStore

if TYPE_CHECKING:
    from starlette.types import Scope


class Cluster:
    """The store, the clock, the owned tables, the lease and the relay of one server."""

    def __init__(self, store: SharedStore, key: bytes, url: str, metrics: Metrics) -> None:
        """Use an open store. `join` also begins the lease."""
        counts = ClusterMetrics(metrics.registry)
        self.store = store
        self.time = SharedTime()
        self.owner = TableOwner(store, counts)
        self.relay = Relay(key, url, counts)
        self._node = Node(self.owner, self.time, self.relay, counts)

    @classmethod
    async def join(cls, config: Config, key: bytes, version: str, metrics: Metrics) -> Cluster:
        """Open the store and begin the lease. Raises `StoreError`."""
        name = node_name(config, key, version)
        store = await SharedStore.open_as(str(config.database), name, observe=metrics.commit)
        try:
            cluster = cls(store, key, name.url, metrics)
            await cluster._node.join()
        except BaseException:
            await store.close()
            raise
        return cluster

    def begin(self, tables: TableRegistry, sign_out: Callable[[str], None]) -> None:
        """Keep the lease from now on, which these tables need; `sign_out` closes a guest's connections."""
        self._node.begin(tables, sign_out)

    @property
    def draining(self) -> bool:
        """Whether the server gives up its tables and takes no more."""
        return self._node.draining

    def received(self, scope: Scope) -> bool:
        """Return whether another server has passed this request on."""
        return self.relay.received(scope)

    async def leave(self) -> None:
        """End the lease. All tables have been closed before."""
        await self._node.leave()
