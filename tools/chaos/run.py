"""One run: people play, faults happen, and after each round everything is compared with the database."""

from __future__ import annotations

import asyncio
import random
import resource
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from rum500.store import StoredEntry
from tests.support.postgres import running
from tools.chaos.attackers import BEGUN, begin
from tools.chaos.check import TableCheck
from tools.chaos.cluster import Cluster, DiskDatabase
from tools.chaos.people import Client
from tools.chaos.plan import ALONE, Fault, rounds
from tools.crash_soak import PROFILES, Lost, Result, request

_PATIENCE = 90.0
_SEATS = 4
_LEVEL = "greedy"
_ATTACKERS = 4
"""The number of attacking guests of each attack."""


@dataclass
class Wanted:
    """The options of a run."""

    seed: int = 500
    faults: int = 0
    """The number of faults; 0 for as many as there are in `seconds`."""
    seconds: float = 120.0
    clients: int = 200
    tables: int = 0
    """The number of tables; 0 chooses it from the number of people, one to three at a table."""
    think: float = 0.8
    """The seconds for which a person thinks before a play, on average."""
    attacks: Sequence[str] = ("repeated hints", "drills", "lobby")
    """The attacks during the run, by name. Each attacks one server until that server fails, then another."""
    spoiled: str = ""
    """One of `launch.SPOILED`: what is wrong with the servers."""
    say: Callable[[str], None] = print
    plan: Callable[[int], Iterator[Sequence[Fault]]] = rounds
    """The faults that follow from the seed: rounds, after each of which everything is compared."""


@dataclass
class Report:
    """The result of a run."""

    result: Result = field(default_factory=Result)
    faults: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    attacks: Counter[str] = field(default_factory=Counter)
    """By attack, the number of attackers that began, counted again after each failure of their server."""
    tables: int = 0
    entries: int = 0
    messages: int = 0
    connections: int = 0
    silences: list[float] = field(default_factory=list)
    """For each kill of a table's server while nothing else failed, the seconds until the table went on."""
    others: list[float] = field(default_factory=list)
    """The same seconds, for each kill while something else failed."""
    longest: tuple[float, Sequence[str]] = (0.0, ())
    """The longest of all these times, and what that person waited for."""
    seconds: float = 0.0
    processor: float = 0.0

    def __str__(self) -> str:
        rows = [("faults", f"{sum(self.faults.values())}")]
        rows += [(f"  {kind}", f"{count}") for kind, count in sorted(self.faults.items())]
        rows += [
            (f"  {kind}", f"{count} left out: cannot be done here") for kind, count in self.left_out.items()
        ]
        rows += [(f"attackers: {name}", f"{count} began") for name, count in self.attacks.items()]
        refused = ", ".join(f"{count} {code}" for code, count in self.result.refused.most_common())
        rows += [
            ("tables", f"{self.tables}, {self.entries} entries, {self.result.deals} verified"),
            ("moves acknowledged", f"{self.result.acknowledged}"),
            ("messages compared", f"{self.messages}"),
            ("connections", f"{self.connections}, {self.result.repeated} messages repeated"),
            ("looks compared", f"{self.result.compared}"),
            ("refusals", refused or "none"),
            ("silence after a kill alone", _described(self.silences)),
            ("  while more failed", _described(self.others)),
            ("  the longest of all", f"{self.longest[0]:.1f} s"),
            *(("", wait) for wait in self.longest[1]),
            ("time", f"{self.seconds:.0f} s, {self.processor:.0f} s of processor time"),
            ("findings", f"{len(self.findings)}"),
        ]
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _described(silences: list[float]) -> str:
    if not silences:
        return "none"
    ordered = sorted(silences)
    most = ordered[int(0.99 * (len(ordered) - 1))]
    return f"{statistics.median(ordered):.1f} s (p50), {most:.1f} s (p99), {len(ordered)} people"


class Run:
    """A run of people and faults."""

    def __init__(self, wanted: Wanted, cluster: Cluster) -> None:
        self.wanted, self.cluster = wanted, cluster
        self.report = Report()
        self.result = self.report.result
        self.still = False
        self._dice = random.Random(wanted.seed)
        self._sizes = self._people()
        self._made = 0
        self._clients: list[Client] = []
        self._checks: dict[str, TableCheck] = {}
        self._tasks: dict[asyncio.Task[None], Client] = {}
        self._failing: set[asyncio.Task[None]] = set()
        self._alone = False
        """Whether the server that is killed is the only fault."""
        self._addresses = map(str, ip_network("198.18.0.0/15").hosts())
        cluster.killed = self._killed

    def _people(self) -> list[int]:
        """Return the number of people at each table that is kept in play, one to four."""
        clients, tables = self.wanted.clients, self.wanted.tables or -(-self.wanted.clients // 3)
        least, more = divmod(clients, tables)
        sizes = [min(_SEATS, max(1, least + (number < more))) for number in range(tables)]
        if self.wanted.tables:
            return sizes
        for number in range(0, tables - 1, 3):  # some of two and of four rather than all of three
            if sizes[number] > 2 and sizes[number + 1] < _SEATS:
                sizes[number], sizes[number + 1] = sizes[number] - 1, sizes[number + 1] + 1
        return sizes

    # --- people ---------------------------------------------------------------------------------------

    @property
    def place(self) -> str:
        """The URL of any server."""
        return self.cluster.place(self._dice.randrange)

    def door(self, table: str, tries: int) -> str:
        """Return the URL at which to connect.

        The first try for a table is mostly at the same server, as with a proxy that chooses by hash; later
        tries are at any server.

        A proxy passes connections on to others if a server does not run.
        """
        nodes = self.cluster.nodes
        hashed = nodes[sum(table.encode()) % len(nodes)]
        if tries == 0 and hashed.listens and self._dice.random() < 0.8:
            return hashed.people.url
        return self.place

    def sends_a_move(self) -> None:
        """Do nothing."""

    def back(self, client: Client) -> None:
        """Record for how long somebody received nothing after a kill."""
        if client.lost_at is not None:
            silences = self.report.silences if self._alone else self.report.others
            silences.append(time.monotonic() - client.lost_at)
            if silences[-1] > self.report.longest[0]:
                self.report.longest = silences[-1], [*client.waits, f"in at {client.place}"]
            client.lost_at, client.waits = None, []

    def _killed(self, tables: set[str]) -> None:
        moment = time.monotonic()
        for client in self._clients:
            if client.table in tables and client.joined:
                client.lost_at = moment

    # --- the run --------------------------------------------------------------------------------------

    async def run(self) -> Report:
        """Play until this number of faults or seconds is reached, then check everything."""
        began = time.monotonic()
        attackers: list[asyncio.Task[None]] = []
        try:
            await self.cluster.open()
            await self._open_tables()
            attackers += [asyncio.create_task(self._attack(name)) for name in self.wanted.attacks]
            await self._play(began)
        except Lost as error:
            self.report.findings.append(str(error))
            await self._compare()
        finally:
            if self._failing:
                await asyncio.wait(list(self._failing), timeout=_PATIENCE)
            for task in (*self._tasks, *attackers):
                task.cancel()
            await asyncio.gather(*self._tasks, *attackers, return_exceptions=True)
            await self.cluster.close()
        self.report.findings += self.cluster.problems
        self.report.seconds = time.monotonic() - began
        return self.report

    async def _attack(self, name: str) -> None:
        """Attack one server after the other until cancelled."""
        while True:
            attackers = await begin(name, self.place, _ATTACKERS)
            try:
                assert attackers.stdout is not None
                async for line in attackers.stdout:
                    self.report.attacks[name] += line.decode().strip() == BEGUN
            finally:
                if attackers.returncode is None:
                    attackers.kill()
                await attackers.wait()
            await asyncio.sleep(1)

    async def _play(self, began: float) -> None:
        await self._whole()
        done = 0
        for stretch in self.wanted.plan(self.wanted.seed):
            for fault in stretch:
                await asyncio.sleep(fault.pause)
                late = time.monotonic() - began > self.wanted.seconds
                if self.report.findings or (done >= self.wanted.faults if self.wanted.faults else late):
                    break
                done += 1
                if fault.kind == ALONE:
                    await self._alone_with(fault)
                else:
                    self._begin(fault)
            else:
                await self._look()
                continue
            break
        await self._look()
        for check in self._checks.values():
            self.report.findings += check.verify()
            self.result.deals += 1

    async def _alone_with(self, fault: Fault) -> None:
        """Let one fault happen while nothing else fails, and wait until all tables go on."""
        await self._whole()
        self._alone = True
        self._begin(fault)
        await self._whole()
        self._alone = False

    def _begin(self, fault: Fault) -> None:
        self.wanted.say(f"{time.strftime('%H:%M:%S')} {fault}")
        task = asyncio.create_task(self._fail(fault))
        self._failing.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._failing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.report.findings.append(f"a fault could not be done: {type(error).__name__}: {error}")

    async def _fail(self, fault: Fault) -> None:
        done = await self.cluster.do(fault)
        self.wanted.say(f"{time.strftime('%H:%M:%S')} {fault.number} is over")
        (self.report.faults if done else self.report.left_out)[fault.kind] += 1

    # --- tables ---------------------------------------------------------------------------------------

    async def _open_tables(self) -> None:
        """Keep the wanted tables in play: when a match is over, new people begin another one."""
        going = {client.table for client in self._clients if not client.over}
        while len(going) < len(self._sizes):
            going.add(await self._open_table(self._sizes[self._made % len(self._sizes)]))

    async def _open_table(self, people: int) -> str:
        profile = PROFILES[self._made % len(PROFILES)]
        self._made += 1
        addresses = [next(self._addresses) for _ in range(people)]
        guests = [await self._ask("GET", "/api/me", "", address=address) for address in addresses]
        bots = [None] * people + [_LEVEL] * (_SEATS - people)
        options = {"profile": profile, "players": _SEATS, "private": True, "bots": bots}
        _, made = await self._ask("POST", "/api/tables", guests[0][0], options, addresses[0])
        table = str(made["id"])
        company = [
            Client(self, table, cookie, me["id"], address, self._dice.randrange(2**32), self.wanted.think)
            for (cookie, me), address in zip(guests, addresses, strict=True)
        ]
        self._checks[table] = TableCheck(table, [client.guest for client in company])
        for seat, client in enumerate(company):
            await client.want({"type": "sit", "seat": seat})
            self._clients.append(client)
            self._tasks[asyncio.create_task(client.live())] = client
        await self._until(
            lambda: all(one.wanted.empty() and one.facts.get("seat") is not None for one in company),
            lambda: f"nobody sits down at table {table}",
        )
        await company[0].want({"type": "start"})
        self.report.tables += 1
        return table

    async def _ask(
        self, method: str, path: str, cookie: str, body: object = None, address: str = ""
    ) -> tuple[str, Any]:
        """Send a request to any server, until one answers; return the cookie that it sets, and the answer."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                return await asyncio.to_thread(request, self.place, method, path, cookie, body, address)
            except OSError:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.3)

    async def _until(self, met: Callable[[], bool], what: Callable[[], str]) -> None:
        until = time.monotonic() + _PATIENCE
        while not met():
            self._raise_lost()
            if time.monotonic() > until:
                raise Lost(what())
            await asyncio.sleep(0.05)

    def _raise_lost(self) -> None:
        for task in [task for task in self._tasks if task.done()]:
            del self._tasks[task]
            if not task.cancelled():
                task.result()

    # --- looking --------------------------------------------------------------------------------------

    async def _whole(self) -> None:
        """Wait until no fault is left and all tables go on."""
        if self._failing:
            await asyncio.wait(list(self._failing))
        self.cluster.look()
        self.report.findings += await asyncio.to_thread(self.cluster.wrong)
        if self.report.findings:
            return
        before = {table: self._number(table) for table in self._checks}
        await self._until(
            lambda: not self._standing(before),
            lambda: (
                f"when all was whole again, these did not go on: {self._described(self._standing(before))}"
            ),
        )

    async def _look(self) -> None:
        """Wait until all tables go on, then compare everything that was received with the log."""
        await self._whole()
        await self._compare()
        await self._open_tables()

    def _standing(self, before: dict[str, int]) -> list[str]:
        """Return the tables at which somebody is missing, or no entry was added.

        `before` has the number of the last entry of each table at an earlier time.
        """
        return [
            table
            for table in before
            if not all(client.over or client.joined for client in self._at(table))
            or (self._number(table) <= before[table] and not all(client.over for client in self._at(table)))
        ]

    def _described(self, tables: list[str]) -> str:
        return "; ".join(
            f"{client.table} seat {client.facts.get('seat')} at {client.number}, joined: {client.joined}, "
            f"{client.facts.get('status')} {client.facts.get('waiting_for')} {client.facts.get('actor')}"
            for table in tables[:3]
            for client in self._at(table)
        )

    def _at(self, table: str) -> list[Client]:
        return [client for client in self._clients if client.table == table]

    def _number(self, table: str) -> int:
        return max((client.number for client in self._at(table)), default=0)

    async def _compare(self) -> None:
        received = {client: client.take() for client in self._clients}
        findings = self.report.findings
        findings += await asyncio.to_thread(self.cluster.wrong)
        after = {table: check.number for table, check in self._checks.items()}
        rows = await self.cluster.ask(
            "SELECT e.table_id, e.number, e.at, e.kind, e.data, e.author, e.message FROM entries e JOIN"
            " (VALUES "
            + ", ".join(f"('{table}', {number})" for table, number in after.items())
            + ") AS known (id, number) ON e.table_id = known.id AND e.number > known.number"
            " ORDER BY e.table_id, e.number"
        )
        new: dict[str, list[StoredEntry]] = {}
        for table, *entry in rows:
            new.setdefault(table, []).append(StoredEntry(*entry))
        for table, entries in new.items():
            findings += self._checks[table].read(entries)
            self.report.entries += len(entries)
            await asyncio.sleep(0)
        for client, each in received.items():
            self.report.messages += len(each.heard)
            findings += self._checks[client.table].compare(client.guest, each)
            await asyncio.sleep(0)
        self.report.connections += sum(client.connections for client in self._clients)
        for client in self._clients:
            client.connections = 0
        for check in self._checks.values():
            check.forget()
        await self._leave_ended()

    async def _leave_ended(self) -> None:
        """Verify the tables that have ended, and let their people go."""
        ended = {table for table in self._checks if all(client.over for client in self._at(table))}
        for table in ended:
            self.report.findings += self._checks.pop(table).verify()
            self.result.deals += 1
            await asyncio.sleep(0)
        for task, client in list(self._tasks.items()):
            if client.table in ended:
                task.cancel()
                del self._tasks[task]
        self._clients = [client for client in self._clients if client.table not in ended]


async def _run(wanted: Wanted, folder: Path, database: DiskDatabase, *, has_disk: bool) -> Report:
    cluster = Cluster(folder, database, wanted.spoiled)
    cluster.has_disk = has_disk
    return await Run(wanted, cluster).run()


def chaos(wanted: Wanted) -> Report:
    """Run servers, people and faults; return the report."""
    before = _processor()
    with tempfile.TemporaryDirectory() as folder, running(DiskDatabase) as database:
        database.stop()
        has_disk = database.add_disk()
        database.start()
        try:
            report = asyncio.run(_run(wanted, Path(folder), database, has_disk=has_disk))
        finally:
            database.stop()
            database.close()
    report.processor = _processor() - before
    return report


def _processor() -> float:
    """Return the processor seconds of this process and of those that it has started."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)
