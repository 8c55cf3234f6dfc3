"""Tables that make no progress are reported, and a log that cannot be written stops nothing."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import shutil
import subprocess
import threading
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import structlog
import yaml
from structlog.testing import capture_logs

from rum500.server import messages
from rum500.server.cluster.metrics import ClusterMetrics
from rum500.server.config import Config
from rum500.server.late_tables import LATE_S, LateTableMonitor
from rum500.server.logs import log, start_log, uncaught_logged
from rum500.server.metrics import Metrics
from tests.support.live import Room, at_tables
from tests.support.live_server import LiveServer
from tests.support.ports import free_port
from tests.support.waiting import PATIENCE, other_tasks, until


@at_tables
async def test_stalled_table_is_logged_once_with_the_place(room: Room, monkeypatch: pytest.MonkeyPatch):
    ann = await room.table()
    metrics, append, gate = Metrics(), room.store.append, asyncio.Event()
    watch = LateTableMonitor(room.tables, metrics)

    async def stuck(*given: Any, **fields: Any) -> None:
        await gate.wait()
        await append(*given, **fields)

    def logged() -> list[dict[str, Any]]:
        with capture_logs() as logs:
            watch.look()
            watch.look()
        return [dict(entry) for entry in logs]

    monkeypatch.setattr(room.store, "append", stuck)
    room.clock.time += LATE_S + 1
    assert logged() == []  # idle for long is not late
    ann.table.receive(ann.connection, messages.Chat(id="m", text="hello"))
    await other_tasks()
    assert logged() == []
    room.clock.time += LATE_S + 1
    (entry,) = logged()
    assert (entry["event"], entry["log_level"]) == ("table.late", "error")
    assert entry["where"].startswith("wait:") and " < stuck:" in entry["where"]
    assert ann.table.id not in str(entry)
    assert b"rum500_tables_late 1.0" in metrics.text()
    gate.set()
    await room.settle()
    assert logged() == []
    assert b"rum500_tables_late 0.0" in metrics.text()


@at_tables
async def test_ended_owner_task_is_logged(room: Room):
    ann = await room.table()
    ann.table.task.cancel()
    await other_tasks()
    room.clock.time += LATE_S + 1
    with capture_logs() as logs:
        LateTableMonitor(room.tables, Metrics()).look()
    assert [entry["where"] for entry in logs] == ["ended"]


class Broken(io.StringIO):
    """A pipe that nobody reads any more."""

    def write(self, text: str) -> int:
        raise BrokenPipeError

    def flush(self) -> None:
        raise ValueError("closed")


@pytest.fixture
def restored() -> Iterator[None]:
    before, handlers = structlog.get_config(), logging.getLogger().handlers
    yield
    structlog.configure(**before)
    logging.getLogger().handlers = handlers


def test_closed_log_pipe_stops_nothing(restored: None) -> None:
    start_log(Config(open=False), out=Broken())
    log().error("table.failed", where="here")
    out = io.StringIO()
    start_log(Config(open=False), out=out)
    log().error("table.failed", where="here")
    assert "event=table.failed where=here" in out.getvalue()


def test_uncaught_errors_and_warnings_are_entries_of_the_log(restored: None) -> None:
    out = io.StringIO()
    start_log(Config(open=False, log="json"), out=out)

    def fail() -> None:
        raise RuntimeError("8C")

    class Unfinished:
        def __del__(self) -> None:
            fail()

    with uncaught_logged():
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        del (unfinished := [Unfinished()])[0]
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("old", DeprecationWarning, stacklevel=1)
    assert not unfinished
    entries = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [entry["event"] for entry in entries] == ["thread.failed", "finalizer.failed", "py.warnings"]
    assert "8C" not in out.getvalue()


MONITORING = Path(__file__).parent.parent / "docs" / "monitoring"
NODES = {
    "rum500_tables_taken_total", "rum500_tables_lost_total", "rum500_relayed_total", "rum500_admitted_total",
    "rum500_commit_seconds_bucket", "rum500_lease_age_seconds", "rum500_leases_ended_total",
}  # fmt: skip
"""What an operator of several servers looks at."""


def metrics_in(expressions: Iterable[str]) -> set[str]:
    return {name for each in expressions for name in re.findall(r"\brum500_\w+", each)}


def test_dashboard_and_alerts_use_existing_metrics() -> None:
    dashboard = json.loads((MONITORING / "grafana.json").read_text())
    shown = metrics_in(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    (group,) = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    rules = group["rules"]
    watched = metrics_in(rule["expr"] for rule in rules)
    assert all(rule["alert"] and rule["annotations"]["summary"] for rule in rules)
    metrics = Metrics()
    metrics.refused("store.full")
    metrics.worked("hint", 0.1, 0.2)
    metrics.turned_away("hint")
    metrics.work_waits({"hint": 1})
    ClusterMetrics(metrics.registry).relayed("connection")
    known = set(re.findall(r"^(rum500_\w+)", metrics.text().decode(), re.MULTILINE))
    assert shown | watched <= known
    assert shown >= NODES
    assert watched >= NODES - {"rum500_tables_taken_total", "rum500_leases_ended_total"}
    page = (MONITORING.parent / "hosting.md").read_text()
    assert {name.removesuffix("_bucket") for name in NODES} <= metrics_in([page])
    assert {
        name
        for name in known
        if name.startswith("rum500_work_") and not name.endswith(("_bucket", "_count", "_sum", "_created"))
    } <= metrics_in([page])


@pytest.mark.whole
def test_prometheus_reads_a_server_and_the_alerts(tmp_path: Path) -> None:
    program = shutil.which("prometheus")
    if program is None:
        pytest.skip("NOT READ BY PROMETHEUS: it is not installed")
    token, port = "a-long-random-word-of-your-own", free_port()
    (tmp_path / "token").write_text(token)
    with LiveServer(tmp_path / "data", "--metrics-token", token, "--no-push") as server:
        text = (MONITORING / "prometheus.yml").read_text()
        for old, new in (
            ("15s", "1s"),
            ("/etc/prometheus/alerts.yml", str(MONITORING / "alerts.yml")),
            ("/etc/prometheus/rum500-token", str(tmp_path / "token")),
            ("https", "http"),
            ("cards.example.org", f"localhost:{server.port}"),
        ):
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "prometheus.yml").write_text(text)
        flags = f"--config.file={tmp_path}/prometheus.yml --storage.tsdb.path={tmp_path}/tsdb"
        flags += f" --web.listen-address=127.0.0.1:{port}"
        with (tmp_path / "output").open("w") as output:
            process = subprocess.Popen([program, *flags.split()], stdout=output, stderr=output)
        try:
            until(lambda: asked(port, "query?query=rum500_connections"))
            (group,) = asked(port, "rules")["groups"]
        finally:
            process.terminate()
            process.wait()
    wanted = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"][0]["rules"]
    assert [rule["name"] for rule in group["rules"]] == [rule["alert"] for rule in wanted]


def asked(port: int, path: str) -> Any:
    """What Prometheus answers; None before it listens or has read anything."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=PATIENCE) as reply:
            data = json.load(reply)["data"]
    except OSError:
        return None
    return data.get("result") if "result" in data else data


@pytest.mark.anyio
async def test_idle_server_wakes_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics, pauses = Metrics(), list[float]()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 5:
            metrics.load = 0.5
        if len(pauses) == 8:
            raise asyncio.CancelledError

    with monkeypatch.context() as patched:
        patched.setattr("rum500.server.metrics.time.thread_time", lambda: 0.0)  # nothing is done
        patched.setattr("rum500.server.metrics.asyncio.sleep", pause)
        with pytest.raises(asyncio.CancelledError):
            await metrics.watch_loop()
    assert min(pauses[:5]) > 4 * max(pauses[5:])
