"""The server's metrics, in the format of Prometheus."""

from __future__ import annotations

import asyncio
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_LAG_EVERY_S = 0.02
_QUIET_EVERY_S = 0.25
_QUIET = 0.01
"""The share of work up to which a server is quiet: it is not to be woken fifty times a second."""
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """All metrics of one server, in their own registry."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._connections = Gauge("rum500_connections", "Connections to tables.", registry=registry)
        self._tables = Gauge("rum500_tables", "Tables in memory.", registry=registry)
        self._late = Gauge(
            "rum500_tables_late",
            "Tables that have worked on one request for seconds.",
            registry=registry,
        )
        self._moves = Histogram(
            "rum500_move_seconds",
            "Seconds from a move's arrival to its acknowledgement after the commit.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._commits = Histogram(
            "rum500_commit_entries",
            "Log entries written by one commit.",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
            registry=registry,
        )
        self._commit_seconds = Histogram(
            "rum500_commit_seconds", "Seconds that a commit takes.", buckets=_SECONDS, registry=registry
        )
        self._lag = Histogram(
            "rum500_loop_lag_seconds",
            "Seconds by which the event loop runs a timer too late.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._worst_lag = Gauge(
            "rum500_loop_lag_max_seconds",
            "The longest such time since the metrics were last read.",
            registry=registry,
        )
        self._load = Gauge(
            "rum500_loop_load_ratio",
            "The share of the last second or so for which the event loop worked.",
            registry=registry,
        )
        self._refused = Counter(
            "rum500_refused", "Messages and requests refused, by code.", ["code"], registry=registry
        )
        self._requests = Counter(
            "rum500_requests", "Requests over HTTP, by status.", ["status"], registry=registry
        )
        self._reviews = Counter(
            "rum500_reviews",
            "Tasks of reviews that ended: account, verdict, look or failed.",
            ["kind"],
            registry=registry,
        )
        self._reviews_waiting = Gauge(
            "rum500_reviews_waiting", "Deals that wait for a review.", registry=registry
        )
        self._admitted = Counter(
            "rum500_admitted",
            "Connections admitted to tables of this server, passed on by another one or not.",
            registry=registry,
        )
        self._worst = 0.0
        self.load = 0.0
        """The share of the last second or so for which the event loop worked, 0 to 1."""
        self._codes: set[str] = set()

    def connections(self, count: int) -> None:
        """Set the number of open connections to tables."""
        self._connections.set(count)

    def tables(self, count: int) -> None:
        """Set the number of tables in memory."""
        self._tables.set(count)

    def late(self, count: int) -> None:
        """Set the number of tables whose task is stalled."""
        self._late.set(count)

    def move(self, seconds: float) -> None:
        """Count a move that was acknowledged after this many seconds."""
        self._moves.observe(seconds)

    def commit(self, entries: int, seconds: float) -> None:
        """Count a commit of this many entries that took this many seconds."""
        self._commits.observe(entries)
        self._commit_seconds.observe(seconds)

    def refused(self, code: str) -> None:
        """Count a refusal. There are few codes; if there are more than 200, the rest count as `other`."""
        if code not in self._codes:
            code = code if len(self._codes) < 200 else "other"
            self._codes.add(code)
        self._refused.labels(code).inc()

    def admitted(self) -> None:
        """Count a connection to a table of this server."""
        self._admitted.inc()

    def request(self, status: int) -> None:
        """Count an answered HTTP request by its status."""
        self._requests.labels(str(status)).inc()

    def review(self, kind: str) -> None:
        """Count a task of a review: `account`, `verdict`, `look` or `failed`."""
        self._reviews.labels(kind).inc()

    def reviews_waiting(self, count: int) -> None:
        """Set the number of deals that wait for their account or to be judged."""
        self._reviews_waiting.set(count)

    def text(self) -> bytes:
        """Return all metrics as text, and reset the longest lag."""
        self._worst_lag.set(self._worst)
        self._worst = 0.0
        self._load.set(self.load)
        return generate_latest(self.registry)

    async def watch_loop(self) -> None:
        """Measure how late the event loop runs timers, and for how much of the time it works, until
        cancelled.
        """
        loop = asyncio.get_running_loop()
        now, worked = loop.time(), time.thread_time()
        while True:
            pause = _LAG_EVERY_S if self.load > _QUIET else _QUIET_EVERY_S
            due = now + pause
            await asyncio.sleep(pause)
            before, worked_before = now, worked
            now, worked = loop.time(), time.thread_time()
            lag = max(0.0, now - due)
            self._lag.observe(lag)
            self._worst = max(self._worst, lag)
            share = min(1.0, (worked - worked_before) / (now - before))
            self.load += (share - self.load) * min(1.0, now - before)
