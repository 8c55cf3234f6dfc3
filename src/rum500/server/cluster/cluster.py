"""All that the app needs if its server shares a database with other servers."""

from __future__ import annotations

from collections.abc import Callable
from ssl import SSLContext

from rum500.server.cluster.metrics import ClusterMetrics
from rum500.server.cluster.node_lease import NodeLease, SharedTime, node_name
from rum500.server.cluster.node_messages import NodeMessages
from rum500.server.cluster.owner import TableOwner
from rum500.server.cluster.relay import Relay, tls_of
from rum500.server.config import Config
from rum500.server.devices import SeatsChanged
from rum500.server.guests import Names
from rum500.server.live.table_registry import TableRegistry
from rum500.server.metrics import Metrics
from rum500.server.people.presence import Presence
from rum500.store import SharedStore


class Cluster:
    """The store, the clock, the owned tables, the lease and the relay of one server."""

    def __init__(self, store: SharedStore, key: bytes, url: str, metrics: Metrics, tls: SSLContext) -> None:
        """Use `Cluster.join` instead, which opens the store and begins the lease."""
        counts = ClusterMetrics(metrics.registry)
        self.store = store
        self.time = SharedTime()
        self.owner = TableOwner(store, counts)
        self.relay = Relay(key, url, self.time.wall, counts, tls)
        self.node = NodeLease(self.owner, self.time, self.relay, counts)

    def begin(
        self, tables: TableRegistry, sign_out: Callable[[str], None], presence: Presence, names: Names
    ) -> SeatsChanged:
        """Begin to renew the lease, and to send and receive messages; see `NodeLease.begin`.

        Return the function that lets other servers change seats of a merged or deleted guest.
        """
        messages = NodeMessages(self.store.nodes, tables, presence, names)
        self.node.begin(tables, sign_out, messages)
        return messages.seats_changed

    @classmethod
    async def join(cls, config: Config, key: bytes, version: str, metrics: Metrics) -> Cluster:
        """Open the store and begin the lease. Raises `StoreError` or `ConfigError`."""
        name, tls = node_name(config, key, version), tls_of(config)
        store = await SharedStore.open_as(str(config.database), name, observe=metrics.commit)
        try:
            cluster = cls(store, key, name.url, metrics, tls)
            await cluster.node.join()
        except BaseException:
            await store.close()
            raise
        return cluster
