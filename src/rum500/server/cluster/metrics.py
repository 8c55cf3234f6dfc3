"""The metrics of a server that shares its database with other servers."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge


class ClusterMetrics:
    """Counts tables that change servers, forwarded requests, and leases."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._taken = Counter("rum500_tables_taken", "Tables that this server has taken.", registry=registry)
        self._lost = Counter("rum500_tables_lost", "Tables lost to another server.", registry=registry)
        self._relayed = Counter(
            "rum500_relayed",
            "Connections and requests passed on to the owner of a table, by kind.",
            ["kind"],
            registry=registry,
        )
        self._lease_age = Gauge(
            "rum500_lease_age_seconds", "Seconds since the lease was renewed.", registry=registry
        )
        self._leases_ended = Counter("rum500_leases_ended", "Leases that ran out.", registry=registry)

    def taken(self) -> None:
        """Count a table that this server has taken."""
        self._taken.inc()

    def lost(self) -> None:
        """Count a table lost to another server (append fenced)."""
        self._lost.inc()

    def relayed(self, kind: str) -> None:
        """Count a `connection` or a `request` that was forwarded to the owner of its table."""
        self._relayed.labels(kind).inc()

    def lease_age(self, age: Callable[[], float]) -> None:
        """Set the function that returns the seconds since the lease was renewed."""
        self._lease_age.set_function(age)

    def lease_ended(self) -> None:
        """Count a lease that ended before it was renewed."""
        self._leases_ended.inc()
