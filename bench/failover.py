"""Measure a takeover and a drain: two servers share a PostgreSQL, and all tables go from one to the other.

    python bench/failover.py [--tables 1250] [--rate 400] [--kills 1]

Four players sit at each table and play. The server that owns the tables gets SIGKILL, and the players connect
again at the other one, with the pauses of the page. Then the first one is started again, and the other is
drained, as by `rum500 nodes drain`. A player's silence lasts from the end of the connection to the table as
the new owner sends it. Players and servers share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import ClassVar

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from load_machine import worked
from load_rum500 import Player, Rum500
from load_socket import LeanSocket
from load_tally import Tally, quantile

from rum500.store import SECRET
from rum500.store.postgres_leases import drain_node
from tests.support.live_server import LiveServer
from tests.support.ports import free_port
from tests.support.postgres import postgres

FLAGS = ("--bot-pause-ms", "0", "--no-limits", "--bot-workers", "0", "--review-workers", "0", "--no-push")
FIRST_WAIT_S, LONGEST_WAIT_S = 0.4, 1.0
"""The pauses of the page before it connects again: the first one, doubled up to the longest."""
PATIENCE_S = 60.0


class Returning(Player):
    """A player who connects again when the connection ends."""

    port: ClassVar[int]
    """Where everybody connects now; a proxy would choose a server that works."""
    left: ClassVar[dict[Returning, float]] = {}
    """For each player who is not back, when the connection ended."""
    silences: ClassVar[list[tuple[str, float, float]]] = []
    """For each player who is back: the table, when the connection ended, and when the table was back."""
    closing: ClassVar[bool] = False

    _coming_back: asyncio.Task[None] | None = None

    async def join(self, port: int, table: str, cookie: str) -> None:
        self._place = table, cookie
        await super().join(port, table, cookie)

    def end(self) -> None:
        super().end()
        if not self.joined.done():
            self.joined.set_exception(ConnectionError("closed"))
            self.joined.exception()  # even if nothing waits for it
        if self._coming_back is None and not self.closing:
            self.left[self] = time.monotonic()
            self._coming_back = asyncio.create_task(self._come_back())

    async def _come_back(self) -> None:
        table, cookie = self._place
        for tries in itertools.count():
            wait = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**tries)
            await asyncio.sleep(wait * self.dice.uniform(0.7, 1.3))
            self.socket = LeanSocket(self.hear, self.end)
            self.joined = asyncio.get_running_loop().create_future()
            self.facts, self._answered = {}, None
            try:
                async with asyncio.timeout(10):
                    await self.join(self.port, table, cookie)
                break
            except (OSError, TimeoutError):
                self.socket.close()
        self.silences.append((table, self.left.pop(self), time.monotonic()))
        self._coming_back = None


class Club(Rum500):
    """Tables whose players reconnect."""

    player = Returning


def started(folder: Path, url: str, name: str) -> LiveServer:
    """Start a server; the second one has the key of the first."""
    port, data = free_port(), folder / name
    data.mkdir()
    if (folder / "one" / SECRET).exists():
        shutil.copy(folder / "one" / SECRET, data / SECRET)
    own = ("--db", url, "--node-url", f"http://127.0.0.1:{port}", "--node-name", name)
    return LiveServer(data, *own, *FLAGS, port=port).start()


async def all_back(players: int) -> list[tuple[str, float, float]]:
    """Wait until this many players have reconnected, at most a minute; return their tables and times."""
    until = time.monotonic() + PATIENCE_S
    while len(Returning.silences) < players and time.monotonic() < until:
        await asyncio.sleep(0.05)
    found = list(Returning.silences)
    Returning.silences.clear()
    if len(found) < players:
        print(f"{players - len(found)} of {players} players were not back in {PATIENCE_S:.0f} s")
    return found


class Processor:
    """The processor seconds that each process has used since this object was made."""

    def __init__(self, database: int, server: LiveServer) -> None:
        self._programs = {"server": server.pid, "database": database}
        self._began = self._worked()

    def _worked(self) -> dict[str, float]:
        others = {name: worked(process) for name, process in self._programs.items()}
        return {**others, "players": time.process_time()}

    def __str__(self) -> str:
        now = self._worked()
        return ", ".join(f"{name} {now[name] - self._began[name]:.1f} s" for name in now)


def report(what: str, silences: list[tuple[str, float, float]], began: float, processor: Processor) -> None:
    """Print the players' silences, the time until each table answered anybody, and what all that took."""
    lasted = [back - left for _, left, back in silences]
    answered: dict[str, float] = {}
    for table, _, back in silences:
        answered[table] = min(back, answered.get(table, back))
    ends = [left for _, left, _ in silences]
    cut = max(ends) - min(ends)
    pace = f", given up at {len(answered) / cut:,.0f} tables/s" if cut > 1 else ""
    print(
        f"{what}: {len(answered)} tables, {len(lasted)} players; silent for {quantile(lasted, 0.5):.2f} s"
        f" (p50), {quantile(lasted, 0.99):.2f} s (p99), {max(lasted):.2f} s at most; all tables answer"
        f" {max(answered.values()) - began:.1f} s after it began{pace};"
        f" processor time until then: {processor}",
        flush=True,
    )


async def measured(
    servers: list[LiveServer], database: int, url: str, tables: int, think_s: float, kills: int
) -> None:
    """Let players play at the tables, and move the tables from server to server."""
    dice = random.Random(1)
    club = Club([servers[0].port], Tally(), lambda: think_s * dice.uniform(0.5, 1.5))
    Returning.port = servers[0].port
    gate = asyncio.Semaphore(8)

    async def one(number: int) -> None:
        async with gate:
            await club.open_table(number)

    await asyncio.gather(*map(one, range(tables)))
    for _ in range(kills):
        await asyncio.sleep(3 * think_s)
        began, Returning.port = time.monotonic(), servers[1].port
        processor = Processor(database, servers[1])
        await asyncio.to_thread(servers[0].kill)
        report("killed", await all_back(4 * tables), began, processor)
        await asyncio.to_thread(servers[0].start)
        await asyncio.sleep(3 * think_s)
        began, Returning.port = time.monotonic(), servers[0].port
        processor = Processor(database, servers[0])
        await asyncio.to_thread(drain_node, url, "two")
        report("drained", await all_back(4 * tables), began, processor)
        await asyncio.to_thread(servers[1].end)
        await asyncio.to_thread(servers[1].start)
    Returning.closing = True
    club.close()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--tables", type=int, default=1250, help="tables of four players (1250)")
    asked.add_argument("--rate", type=float, default=400, help="moves a second at all tables (400)")
    asked.add_argument("--kills", type=int, default=1, help="how often a server is killed, and one drained")
    chosen = asked.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as place, postgres(safe=True) as database:
        url = database.new_database()
        servers = [started(Path(place), url, name) for name in ("one", "two")]
        try:
            think_s = chosen.tables / chosen.rate
            asyncio.run(measured(servers, database.pid, url, chosen.tables, think_s, chosen.kills))
        finally:
            for server in servers:
                server.end()


if __name__ == "__main__":
    main()
