"""Measure the store's commits on SQLite and on PostgreSQL, in turn: entries a second and how long one waits.

Every table appends one entry, waits until it is committed, and appends the next, at many tables.
The server of PostgreSQL is one of its own on this machine, with its default settings for safety, unless
--db names another, whose database must be empty.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500.store import Store, StoredEntry
from tests.support.postgres import postgres

_DATA = bytes(150)


async def measured(place: str, tables: int, seconds: float, run: int) -> tuple[float, list[float]]:
    """Return the entries a second and the times of all appends, in seconds."""
    times: list[float] = []
    store = await Store.open(place)
    until = time.perf_counter() + seconds

    async def play(name: str) -> None:
        number = 0
        while (began := time.perf_counter()) < until:
            number += 1
            await store.append(name, [StoredEntry(number, 0, "play", _DATA, "ann", f"m{number}")])
            times.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(play(f"{tables} {run} {one}") for one in range(tables)))
    took = time.perf_counter() - began
    await store.close()
    return len(times) / took, times


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=re.split(r"\n\n", __doc__ or "")[0])
    parser.add_argument(
        "--db", help="the URL of an empty database on PostgreSQL; by default a server of its own"
    )
    parser.add_argument(
        "--tables", type=int, nargs="+", default=[1, 50, 200], help="tables that append at once"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each round on each engine")
    wanted = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        places = {"SQLite": f"{folder}/rum500.sqlite3", "PostgreSQL": wanted.db}
        if wanted.db is None:
            server = stack.enter_context(postgres(safe=True))
            places["PostgreSQL"] = server.new_database()
        print("| tables | engine | entries/s | p50 | p99 |\n|---|---|---|---|---|")
        for tables in wanted.tables:
            rates: dict[str, list[float]] = {engine: [] for engine in places}
            times: dict[str, list[float]] = {engine: [] for engine in places}
            for run in range(wanted.rounds):
                for engine, place in places.items():
                    rate, more = asyncio.run(measured(place, tables, wanted.seconds, run))
                    rates[engine].append(rate)
                    times[engine] += more
            for engine, its in times.items():
                rate, cuts = statistics.median(rates[engine]), statistics.quantiles(its, n=100)
                print(f"| {tables} | {engine} | {rate:,.0f} | {_ms(cuts[49])} | {_ms(cuts[98])} |")
            ratio = statistics.median(rates["PostgreSQL"]) / statistics.median(rates["SQLite"])
            print(f"| {tables} | PostgreSQL to SQLite | {ratio:.2f} | | |", flush=True)


if __name__ == "__main__":
    main()
