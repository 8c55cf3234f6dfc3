"""Simulate up to a hundred servers and 100,000 tables at one PostgreSQL: where does the design end?

    python bench/hundred_nodes.py              seconds, always the same figures
    python bench/hundred_nodes.py --measure    measure the costs here first, and use them

Four things are computed for each number of servers. *Placement*: a proxy's ring of hashes, with 160 points a
server. *Statements*: what appends and heartbeats ask of the database; each server's two writers store in one
statement all that has come during the last one. *A storm*: one server in ten dies, and the players of its
tables come back with the pauses of the page. *A rolling restart*: how many tables are then not where the
proxy looks first. `docs/decisions/hundred-nodes.md` has the figures and what follows from them.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from rum500.server.cluster.node import BEAT_S
from rum500.store.postgres_nodes import ADOPTED_AT_ONCE, LEASE_MS

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

POINTS = 160
"""Of each server on the ring, as nginx has."""
WRITERS = 2
"""Of each server."""
ADOPTED = ADOPTED_AT_ONCE
"""The tables that a server takes at one look, once a second, because they are due."""
PAUSE_S = 0.4
"""The page's pause before it connects again; then the server lets it wait for the end of the lease."""
RATES = {"people": 0.3, "load test": 1.24}
"""Entries a second of a table: where people play, and in `make load`."""
DATABASE_CORES = 16


@dataclass(frozen=True)
class Costs:
    """Seconds, of processor time unless it says otherwise; measured on two cores, by `--measure`."""

    statement: float = 230e-6
    """Of the database for a statement that appends, without its entries."""
    entry: float = 80e-6
    """Of the database for one more entry in it."""
    commit: float = 7e-3
    """Until a statement is answered."""
    beat: float = 0.5e-3
    """Of the database for what a server asks once a second, with a hundred servers in the table."""
    take: float = 150e-6
    """Of the database for taking a table over."""
    entry_bytes: float = 290.0
    """On the database's disk, with its indexes."""
    load: float = 8e-3
    """Of a server for reading a table's log and four connections: `bench/failover.py`."""
    move: float = 0.5e-3
    """Of a server for a move: `make load`."""


# --- placement ---------------------------------------------------------------------------------------------


class Ring:
    """A proxy's ring of hashes."""

    def __init__(self, servers: int, dice: random.Random) -> None:
        points = sorted((dice.random(), server) for server in range(servers) for _ in range(POINTS))
        self._hashes = [point for point, _ in points]
        self._servers = [server for _, server in points]

    def at(self, place: float, without: frozenset[int] = frozenset()) -> int:
        """Return the server for a hash, if these are out."""
        found = bisect.bisect(self._hashes, place)
        while (server := self._servers[found % len(self._servers)]) in without:
            found += 1
        return server


def fullest(owners: Sequence[int], servers: int) -> float:
    """Return how many times the mean the fullest of these servers has."""
    return max(Counter(owners).values()) * servers / len(owners)


def astray(ring: Ring, places: Sequence[float], servers: int) -> float:
    """Return the share of tables that a rolling restart leaves elsewhere than where the proxy looks first."""
    owners = [ring.at(place) for place in places]
    for stopped in range(servers):
        out = frozenset((stopped,))
        owners = [
            ring.at(place, out) if owner == stopped else owner
            for owner, place in zip(owners, places, strict=True)
        ]
    return sum(ring.at(place) != owner for owner, place in zip(owners, places, strict=True)) / len(places)


# --- statements --------------------------------------------------------------------------------------------


def statements(servers: int, entries: float, costs: Costs) -> float:
    """Return how many statements a second append so many entries a second."""
    each = entries / (servers * WRITERS)
    return servers * WRITERS / (costs.commit + 1 / each)


def cores(servers: int, entries: float, costs: Costs) -> float:
    """Return the seconds of processor time that the database needs each second."""
    return (
        statements(servers, entries, costs) * costs.statement + entries * costs.entry + servers * costs.beat
    )


# --- a storm -----------------------------------------------------------------------------------------------


def storm(
    ring: Ring, places: Sequence[float], dead: frozenset[int], costs: Costs, rate: float, dice: random.Random
) -> list[float]:
    """Return for how long each table of the dead servers is silent, in seconds.

    A table is taken when somebody asks for it after the lease has ended. The database takes one after the
    other on its cores. A server loads one after the other in what playing leaves it of one core.
    """
    lease = {server: dice.uniform(LEASE_MS / 1000 - BEAT_S, LEASE_MS / 1000) for server in dead}
    asked: list[tuple[float, int]] = []
    load: Counter[int] = Counter()
    for place in places:
        owner = ring.at(place)
        if owner not in dead:
            load[owner] += 1
            continue
        asked.append((max(PAUSE_S * dice.uniform(0.7, 1.3), lease[owner]), ring.at(place, dead)))
    free_database, free = 0.0, dict.fromkeys(load, 0.0)
    silent = []
    for moment, server in sorted(asked):
        free_database = max(moment, free_database) + costs.take / DATABASE_CORES
        left = max(0.05, 1 - load[server] * rate * costs.move)
        free[server] = max(free_database + costs.commit, free[server]) + costs.load / left
        silent.append(free[server])
    return sorted(silent)


# --- the costs here ----------------------------------------------------------------------------------------


async def each(database: int, times: int, what: Callable[[int], Awaitable[object]]) -> float:
    """Return the processor time of the database's process for each of so many calls."""
    from load_machine import worked  # noqa: PLC0415 - only `--measure` needs it

    began = worked(database)
    for number in range(times):
        await what(number)
    return (worked(database) - began) / times


async def measured(url: str, database: int) -> Costs:
    """Measure what the database does, at an empty one of this machine."""
    from load_machine import worked  # noqa: PLC0415 - only this part needs the store

    from rum500.store import NodeName, SharedStore, StoredEntry  # noqa: PLC0415
    from tests.support.storing import row  # noqa: PLC0415

    commits: list[tuple[int, float]] = []
    node = NodeName("one", "http://one", "key", "1")
    store = await SharedStore.open_as(url, node, observe=lambda *told: commits.append(told))
    nodes = store.nodes
    await nodes.join()
    names = [f"t{number}" for number in range(200)]
    for name in names:
        await store.create_table(row(name))
    last = dict.fromkeys(names, 0)

    async def play(name: str, until: float) -> None:
        while time.perf_counter() < until:
            last[name] += 1
            await store.append(
                name, [StoredEntry(last[name], 0, "play", bytes(100), "ann", f"m{last[name]}")], guard=1
            )

    async def appends(count: int) -> tuple[int, int, float, float]:
        commits.clear()
        began, until = worked(database), time.perf_counter() + 4
        await asyncio.gather(*(play(name, until) for name in names[:count]))
        spent, lasted = worked(database) - began, sum(seconds for _, seconds in commits) / len(commits)
        return len(commits), sum(rows for rows, _ in commits), spent, lasted

    async def beat(_: int) -> None:
        await asyncio.to_thread(nodes.renew, 1)
        await asyncio.to_thread(nodes.signed_out)
        await store.due(1)
        await store.next_due(1)

    async def keep() -> None:
        while True:
            await asyncio.to_thread(nodes.renew, 1)
            await asyncio.sleep(1)

    keeping = asyncio.create_task(keep())
    few, many = await appends(2), await appends(200)
    entry = (many[2] - few[2] * many[0] / few[0]) / (many[1] - few[1] * many[0] / few[0])
    size = (await store.check()).bytes / sum(last.values())
    for number in range(99):
        await asyncio.to_thread(_add_node, url, number)
    beats = await each(database, 500, beat)
    takes = await each(database, 1000, lambda number: nodes.take(names[number % 200]))
    keeping.cancel()
    await store.close()
    return Costs(
        statement=(few[2] - few[1] * entry) / few[0],
        entry=entry,
        commit=many[3],
        beat=beats,
        take=takes,
        entry_bytes=size,
    )


def _add_node(url: str, number: int) -> None:
    import psycopg  # noqa: PLC0415 - an extra brings it

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO nodes (id, name, url, key, version, since, until)"
            " SELECT %s, %s, %s, key, version, since, until + 3600000 FROM nodes LIMIT 1",
            (f"n{number}", f"n{number}", f"http://10.0.0.{number}:8500"),
        )


# --- all of it ---------------------------------------------------------------------------------------------


def table(costs: Costs, seed: int) -> str:
    """Return the figures as Markdown."""
    dice = random.Random(seed)
    lines = [
        "| servers, tables | fullest | tenth gone | people | cores | load test | cores | storm | astray |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for servers in (2, 10, 30, 100):
        tables = 1000 * servers
        ring = Ring(servers, dice)
        places = [dice.random() for _ in range(tables)]
        dead = frozenset(dice.sample(range(servers), max(1, servers // 10)))
        without = fullest([ring.at(place, dead) for place in places], servers)
        work = []
        for rate in RATES.values():
            entries = rate * tables
            work.append(f"{statements(servers, entries, costs):,.0f} | {cores(servers, entries, costs):.1f}")
        silent = storm(ring, places, dead, costs, RATES["people"], dice)
        told = (silent[len(silent) // 2], silent[int(0.99 * len(silent))], silent[-1])
        lines.append(
            f"| {servers}, {tables:,} | {fullest([ring.at(place) for place in places], servers):.2f} |"
            f" {without:.2f} | {' | '.join(work)} |"
            f" {', '.join(f'{each:.1f} s' for each in told)} | {astray(ring, places, servers):.0%} |"
        )
    day = {name: 86_400 * rate * 100_000 for name, rate in RATES.items()}
    lines += [
        "",
        *(
            f"- 100,000 tables, {name}: {count / 1e9:.1f} thousand million entries a day,"
            f" {count * costs.entry_bytes / 1e12:.1f} TB"
            for name, count in day.items()
        ),
        f"- 20,000 tables due at once: {200 / ADOPTED:.0f} s at 100 servers, {10_000 / ADOPTED:.0f} s at 2",
    ]
    return "\n".join(lines)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument(
        "--measure", action="store_true", help="measure the database's costs here, half a minute"
    )
    asked.add_argument("--seed", type=int, default=1)
    chosen = asked.parse_args()
    costs = Costs()
    if chosen.measure:
        from tests.support.postgres import postgres  # noqa: PLC0415 - only this needs it

        with postgres(safe=True) as server:
            costs = asyncio.run(measured(server.new_database(), server.pid))
    print(", ".join(f"{each.name} {getattr(costs, each.name):.3g}" for each in fields(costs)), end="\n\n")
    print(table(costs, chosen.seed))


if __name__ == "__main__":
    main()
