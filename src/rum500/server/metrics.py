"""The server's metrics, in the format of Prometheus."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_LAG_EVERY_S = 0.02
_QUIET_EVERY_S = 0.25
_QUIET = 0.01
"""Up to this load the event loop is measured less often, so that an idle server can sleep."""
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """All metrics of one server, in a separate registry.

    Each attribute is a function that sets, counts or observes one metric.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)

        def gauge(name: str, meaning: str) -> Callable[[float], None]:
            return Gauge(f"rum500_{name}", meaning, registry=registry).set

        def histogram(
            name: str, meaning: str, buckets: Sequence[float] = _SECONDS
        ) -> Callable[[float], None]:
            return Histogram(f"rum500_{name}", meaning, buckets=buckets, registry=registry).observe

        self.connections = gauge("connections", "Open connections to tables.")
        self.tables = gauge("tables", "Tables in memory.")
        self.late = gauge("tables_late", "Tables that have worked on one request for seconds.")
        self.move = histogram(
            "move_seconds", "Seconds from a move's arrival to its acknowledgement after the commit."
        )
        self._commits = histogram(
            "commit_entries",
            "Log entries written by one commit.",
            (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
        )
        self._commit_seconds = histogram("commit_seconds", "Seconds that a commit takes.")
        self._lag = histogram("loop_lag_seconds", "Seconds by which the event loop runs a timer too late.")
        self._worst_lag = gauge(
            "loop_lag_max_seconds", "The longest lag of the event loop since the metrics were last read."
        )
        self._load = gauge(
            "loop_load_ratio", "The share of about the last second for which the event loop worked."
        )
        self._refused = Counter(
            "rum500_refused", "Messages and requests refused, by code.", ["code"], registry=registry
        )
        self._requests = Counter(
            "rum500_requests", "Requests over HTTP, by status.", ["status"], registry=registry
        )
        self._reviews = Counter(
            "rum500_reviews",
            "Finished tasks of reviews: breakdown, verdict, look or failed.",
            ["kind"],
            registry=registry,
        )
        self._work_waits = Histogram(
            "rum500_work_wait_seconds",
            "Seconds that expensive work waited for its turn, by class.",
            ["work"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._work_spent = Counter(
            "rum500_work_processor_seconds",
            "Processor seconds of expensive work, by class; for push the seconds that passed.",
            ["work"],
            registry=registry,
        )
        self._work_refused = Counter(
            "rum500_work_refused",
            "Expensive work that was refused, or did not begin in time, by class.",
            ["work"],
            registry=registry,
        )
        self._work_waiting = Gauge(
            "rum500_work_waiting",
            "Expensive work that waits for its turn, by class.",
            ["work"],
            registry=registry,
        )
        self.reviews_waiting = gauge("reviews_waiting", "Deals that wait for a review.")
        self.admitted = Counter(
            "rum500_admitted",
            "Connections admitted to tables of this server, also through another server.",
            registry=registry,
        ).inc
        self._worst = 0.0
        self.load = 0.0
        """The share of about the last second in which the event loop worked, 0 to 1."""
        self._codes: set[str] = set()

    def commit(self, entries: int, seconds: float) -> None:
        """Count a commit of this many entries that took this many seconds."""
        self._commits(entries)
        self._commit_seconds(seconds)

    def refused(self, code: str) -> None:
        """Count a refusal by its code; beyond 200 different codes, the rest count as `other`."""
        if code not in self._codes:
            code = code if len(self._codes) < 200 else "other"
            self._codes.add(code)
        self._refused.labels(code).inc()

    def request(self, status: int) -> None:
        """Count an answered HTTP request by its status."""
        self._requests.labels(str(status)).inc()

    def review(self, kind: str) -> None:
        """Count a task of a review: `breakdown`, `verdict`, `look` or `failed`."""
        self._reviews.labels(kind).inc()

    def worked(self, work: str, waited: float, spent: float) -> None:
        """Count a piece of expensive work of this class, with the seconds that it waited and used."""
        self._work_waits.labels(work).observe(waited)
        self._work_spent.labels(work).inc(max(0.0, spent))

    def turned_away(self, work: str) -> None:
        """Count a piece of expensive work that was refused, or did not begin in time."""
        self._work_refused.labels(work).inc()

    def work_waits(self, waiting: Mapping[str, int]) -> None:
        """Set the numbers of waiting pieces of work, by class."""
        for work, number in waiting.items():
            self._work_waiting.labels(work).set(number)

    def text(self) -> bytes:
        """Return all metrics as text, and reset the longest lag."""
        self._worst_lag(self._worst)
        self._worst = 0.0
        self._load(self.load)
        return generate_latest(self.registry)

    async def watch_loop(self) -> None:
        """Measure the lag and the load of the event loop, until cancelled."""
        loop = asyncio.get_running_loop()
        now, worked = loop.time(), time.thread_time()
        while True:
            pause = _LAG_EVERY_S if self.load > _QUIET else _QUIET_EVERY_S
            due = now + pause
            await asyncio.sleep(pause)
            before, worked_before = now, worked
            now, worked = loop.time(), time.thread_time()
            lag = max(0.0, now - due)
            self._lag(lag)
            self._worst = max(self._worst, lag)
            share = min(1.0, (worked - worked_before) / (now - before))
            self.load += (share - self.load) * min(1.0, now - before)
