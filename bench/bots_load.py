"""Measure how fast bots answer at live tables: many tables of bots only, a spectator at each, a real server.

An answer's time runs from the server's message that it is a bot's turn to its message with the play; the
bots' own pause is 0. The limit for 95 of 100 answers is the level's time plus 50 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "bench"))

from load_machine import loop_lag_ms  # noqa: E402

from rum500.server.messages.field_types import PROTOCOL  # noqa: E402
from rum500.server.thinking.executor import seconds_of  # noqa: E402
from tests.support import slow_bots  # noqa: E402, F401 - registers the level `slow`
from tests.support.live_server import Guest, LiveServer  # noqa: E402

ALLOWANCE_MS = 50


def tables(server: LiveServer, level: str, count: int) -> tuple[Guest, list[str]]:
    """Make this many tables of two bots."""
    guest = Guest(server, "Watcher")
    wanted: dict[str, Any] = {"players": 2, "bots": [level, level], "start": True, "target": 5000}
    return guest, [guest.new_table(**wanted) for _ in range(count)]


async def watch(server: LiveServer, guest: Guest, table: str, until: float, times: list[float]) -> None:
    """Watch a table, and record the time of every answer."""
    address = f"ws://127.0.0.1:{server.port}/ws/{table}"
    async with connect(
        address,
        subprotocols=[Subprotocol(PROTOCOL)],
        additional_headers={"Cookie": guest.cookie},
        compression=None,
        max_size=None,
    ) as socket:
        await socket.send(json.dumps({"type": "join", "id": "1", "last": 0}))
        know: dict[str, Any] = {}
        asked_at = 0.0
        while (left := until - time.monotonic()) > 0:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), left))
            except TimeoutError:
                return
            now = time.monotonic()
            before = know.get("asked") if know.get("waiting_for") == "play" else None
            know.update(message.get("shared", {}))
            if before is not None and know["asked"] != before:
                times.append(now - asked_at)
            asked_at = now


async def measure(level: str, count: int, seconds: float, pause_ms: int, workers: int) -> dict[str, Any]:
    """Return the answers' times at this many tables."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ["--bot-pause-ms", str(pause_ms), "--no-limits", "--bot-workers", str(workers)]
        flags += ["--bot-modules", "tests.support.slow_bots"]
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        with LiveServer(Path(folder) / "data", *flags) as server:
            guest, names = tables(server, level, count)
            times: list[float] = []
            until = time.monotonic() + seconds + 2
            tasks = [asyncio.create_task(watch(server, guest, name, until, times)) for name in names]
            await asyncio.sleep(2)  # the processes have begun
            times.clear()
            await asyncio.to_thread(loop_lag_ms, server.port)
            await asyncio.gather(*tasks)
            held = await asyncio.to_thread(loop_lag_ms, server.port)
            log = server.log
    times = [max(0.0, one - pause_ms / 1000) for one in times]
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return {
        "level": level,
        "tables": count,
        "answers": len(times),
        "a_second": len(times) / seconds,
        "p50_ms": 1000 * cuts[49],
        "p95_ms": 1000 * cuts[94],
        "p99_ms": 1000 * cuts[98],
        "most_ms": 1000 * max(times),
        "replaced": log.count("bots.replaced"),
        "failed": log.count("bots.failed"),
        "held_ms": held,
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--levels", default="greedy,club,slow,strong,expert")
    options.add_argument("--tables", type=int, default=50)
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--pause-ms", type=int, default=700, help="the bots' pause, as at a table of people")
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; "
        f"{chosen.tables} tables of two bots, pause {chosen.pause_ms} ms, {chosen.workers} processes"
    )
    print("| level | answers/s | p50 | p95 | p99 | longest | may take | loop held |")
    print("|---|---|---|---|---|---|---|---|")
    kept = True
    for level in chosen.levels.split(","):
        found = asyncio.run(measure(level, chosen.tables, chosen.seconds, chosen.pause_ms, chosen.workers))
        limit = 1000 * seconds_of(level) + ALLOWANCE_MS
        kept = kept and found["p95_ms"] <= limit and not found["replaced"]
        print(
            f"| {level} | {found['a_second']:.0f} | {found['p50_ms']:.1f} ms | {found['p95_ms']:.1f} ms "
            f"| {found['p99_ms']:.1f} ms | {found['most_ms']:.0f} ms | {limit:.0f} ms "
            f"| {found['held_ms']:.0f} ms |",
            flush=True,
        )
        if found["replaced"] or found["failed"]:
            print(f"  replaced {found['replaced']}, failed {found['failed']}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
