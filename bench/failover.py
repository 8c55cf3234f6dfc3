"""Measure how long players see nothing when the server of their table is killed and another one takes over.

    python bench/failover.py [--tables 20] [--kills 5]

Two servers share a PostgreSQL of this machine. One player sits at each table. The server that owns the tables
gets SIGKILL. The players connect again at the other one, with the pauses of the page. Told is the time from
the kill to the first message from the table's new owner.
"""

from __future__ import annotations

import argparse
import platform
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import InvalidStatus

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500.store import SECRET
from tests.support.live_server import Guest, LiveServer, Seated, free_port
from tests.support.postgres import postgres

FLAGS = ("--bot-pause-ms", "0", "--no-limits", "--bot-workers", "0", "--review-workers", "0", "--no-push")


def started(folder: Path, url: str, name: str) -> LiveServer:
    """Start a server; the second one has the key of the first."""
    port, data = free_port(), folder / name
    data.mkdir()
    if (folder / "one" / SECRET).exists():
        shutil.copy(folder / "one" / SECRET, data / SECRET)
    own = ("--db", url, "--node-url", f"http://127.0.0.1:{port}", "--node-name", name)
    return LiveServer(data, *own, *FLAGS, port=port).start()


def come_back(guest: Guest, table: str, killed: float, silences: list[float]) -> None:
    """Connect to a table again until it answers."""
    chance = random.Random(table)
    for tries in range(100):
        wait = min(1.0, 0.4 * 2**tries)
        time.sleep(wait * (0.7 + 0.6 * chance.random()))
        with suppress(InvalidStatus, OSError, ConnectionError):
            with guest.at(table) as seat:
                silences.append(time.monotonic() - killed)
                seat.say("ping")
            return


def measured(servers: list[LiveServer], tables: int) -> list[float]:
    """Kill the first server in the middle of play at its tables; return the silences, in seconds."""
    guests = [Guest(servers[0], f"Guest {number}") for number in range(tables)]
    names = [guest.new_table("500-rum", level="greedy", start=True) for guest in guests]
    seats: list[Seated] = [guest.at(name) for guest, name in zip(guests, names, strict=True)]
    servers[0].kill()
    silences: list[float] = []
    killed = time.monotonic()
    for guest in guests:
        guest.server = servers[1]
    threads = [
        threading.Thread(target=come_back, args=(guest, name, killed, silences))
        for guest, name in zip(guests, names, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seat in seats:
        seat.leave()
    servers[0].start()
    return silences


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--tables", type=int, default=20)
    asked.add_argument("--kills", type=int, default=5)
    chosen = asked.parse_args()
    silences: list[float] = []
    with tempfile.TemporaryDirectory() as place, postgres() as database:
        url = database.new_database()
        servers = [started(Path(place), url, name) for name in ("one", "two")]
        try:
            for _ in range(chosen.kills):
                silences += measured(servers, chosen.tables)
        finally:
            for server in servers:
                server.end()
    silences.sort()
    half, most = statistics.median(silences), silences[int(0.99 * (len(silences) - 1))]
    told = f"{half:.1f} s (p50), {most:.1f} s (p99), {silences[-1]:.1f} s at most"
    print(f"{len(silences)} players, {chosen.kills} kills, {platform.machine()}: silent for {told}")


if __name__ == "__main__":
    main()
