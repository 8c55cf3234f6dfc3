"""The servers, their database, the connections between them, and how each kind of fault is made."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from rum500.store import SECRET, StoreError
from rum500.store.postgres_leases import drain_node
from tests.support.live_server import LiveServer
from tests.support.ports import free_port
from tests.support.postgres import PASSWORD, PostgresServer
from tools.chaos import witness
from tools.chaos.plan import ALONE, NODES, Fault
from tools.chaos.relay import Door

T = TypeVar("T")
LAUNCH = Path(__file__).with_name("launch.py")
FLAGS = (
    *("--bot-pause-ms", "0", "--bot-workers", "1", "--review-workers", "1", "--no-push"),
    *("--trusted-proxies", "127.0.0.1"),
)
"""The limits are the default ones: each person has an address of their own, and the attackers share one."""
DATABASE = "chaos"
_DISK = "disk"
_ROOM_MB = 512
_TRIES = 50
_PATIENCE = 90.0
_DRAINED = 15.0
_WRONG_CLOCKS = (0.0, 2.0, -3.0)
"""The minutes by which the clock of each server is wrong in runs with spoiled servers."""


class DiskDatabase(PostgresServer):
    """A server of PostgreSQL with an additional disk that can be full, if the system allows it.

    The disk is a file system in memory that no other process sees: it is mounted in a mount namespace, which
    ends with the process that holds it.
    """

    most_connections = 100
    _holder: subprocess.Popen[bytes] | None = None

    def add_disk(self) -> bool:
        """Mount the disk; return False if that is impossible."""
        place = self.folder / _DISK
        place.mkdir()
        mount = f"mount -t tmpfs -o size={_ROOM_MB}m,mode=700 chaos {place} && chown nobody {place}"
        holds = f"{mount} && echo ready && exec sleep infinity"
        with suppress(OSError):
            self._holder = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "sh", "-c", holds],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            assert self._holder.stdout is not None
            with self._holder.stdout as said:
                if said.readline():
                    return True
            self._holder.wait()
            self._holder = None
        return False

    def command(self, program: str, *words: object) -> list[str]:
        within = self._within() if program == "postgres" else []
        return [*within, *super().command(program, *words)]

    def _within(self) -> list[str]:
        return [] if self._holder is None else ["nsenter", f"--mount=/proc/{self._holder.pid}/ns/mnt"]

    def fill_disk(self) -> None:
        """Shrink the disk until it is full."""
        place = str(self.folder / _DISK)
        for left in range(_TRIES, -1, -1):
            used = self._on_disk("df", "--output=used", "--block-size=1K", place).split()[-1]
            try:
                self._resize(f"{used}k")
            except subprocess.CalledProcessError:
                if not left:  # files may have grown since `df`: try again
                    raise
            else:
                return

    def empty_disk(self) -> None:
        """Make room on the disk again."""
        self._resize(f"{_ROOM_MB}m")

    def _resize(self, size: str) -> None:
        self._on_disk("mount", "-o", f"remount,size={size}", str(self.folder / _DISK))

    def _on_disk(self, *command: str) -> str:
        return subprocess.run([*self._within(), *command], check=True, capture_output=True, text=True).stdout

    def create(self) -> None:
        """Make the database, on the disk if there is one."""
        where = ""
        if self._holder is not None:
            self.execute("postgres", f"CREATE TABLESPACE disk LOCATION '{self.folder / _DISK}'")
            where = "TABLESPACE disk"
        self.execute("postgres", f"CREATE DATABASE {DATABASE} {where}")

    def close(self) -> None:
        """Unmount the disk."""
        if self._holder is not None:
            self._holder.kill()
            self._holder.wait()


class Node:
    """A server, and the relays to it and from it."""

    def __init__(self, folder: Path, name: str, database: int) -> None:
        self.folder, self.name = folder, name
        self.port = free_port()
        self.people, self.servers, self.database = Door(self.port), Door(self.port), Door(database)
        self.lock = asyncio.Lock()
        """Held by the task that stops or starts the server."""
        self.ahead = 0.0
        self.listens = False
        """Whether the server has been started and not been ended."""
        self.server: LiveServer

    async def open(self, spoiled: str, named: str = "") -> None:
        """Open the relays; the server can be started next."""
        for door in (self.people, self.servers, self.database):
            await door.open()
        base = f"postgresql://rum500:{PASSWORD}@127.0.0.1:{self.database.port}/{DATABASE}"
        own = ("--db", base, "--node-url", self.servers.url, "--node-name", named or self.name)
        self.server = LiveServer(self.folder, *own, *FLAGS, port=self.port)
        self.spoiled = spoiled

    async def start(self) -> None:
        """Start the server; try again if that fails, because the database may be unavailable."""
        if self.ahead or self.spoiled:
            self.server.program = (str(LAUNCH), str(self.ahead), self.spoiled or "nothing")
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                await asyncio.to_thread(self.server.start)
            except AssertionError:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.3)
            else:
                self.listens = True
                return

    async def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server."""
        self.listens = False
        await asyncio.to_thread(self.server.end, how)

    async def close(self) -> None:
        """End the server and its relays."""
        if self.server.runs:
            await self.end()
        for door in (self.people, self.servers, self.database):
            await door.close()

    @property
    def program(self) -> str:
        """The end of the name by which the database knows the server's sessions."""
        return f" process {self.server.pid}"


class Cluster:
    """The servers, the database and the relays."""

    def __init__(self, folder: Path, database: DiskDatabase, spoiled: str = "") -> None:
        self.folder, self.base, self.spoiled = folder, database, spoiled
        self.nodes = [Node(folder / f"server-{number}", f"server-{number}", database.port) for number in
                      range(1, NODES + 1)]  # fmt: skip
        self.guests: list[Node] = []
        """Servers that run only for a while."""
        self.has_disk = False
        self.problems: list[str] = []
        self.killed: Callable[[set[str]], None] = lambda _: None
        """Called before a server is killed, with the tables that it owns."""
        self._base_lock = asyncio.Lock()
        self._visitors = 0

    async def open(self) -> None:
        """Start everything."""
        self.base.create()
        for number, node in enumerate(self.nodes):
            node.folder.mkdir()
            if number:
                shutil.copy(self.nodes[0].folder / SECRET, node.folder / SECRET)
            if self.spoiled == "clock":
                node.ahead = 60 * _WRONG_CLOCKS[number]
            await node.open(self.spoiled)
            if number == 0:  # the first server makes the schema
                await node.start()
                await node.end()
                witness.watch(self.base, DATABASE)
            await node.start()

    async def close(self) -> None:
        """End everything but the database."""
        for node in [*self.nodes, *self.guests]:
            try:
                await node.close()
            except subprocess.TimeoutExpired:
                self.problems.append(f"{node.name} does not end")

    async def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """Return rows of the database."""
        return await asyncio.to_thread(self.base.execute, DATABASE, statement)

    async def owned(self, node: Node) -> set[str]:
        """Return the ids of the tables that a server owns; none if the database does not answer."""
        name = f"name = '{node.name}'"
        try:
            rows = await self.ask(f"SELECT t.id FROM tables t JOIN nodes n ON n.id = t.owner WHERE n.{name}")
        except psycopg.Error:
            return set()
        return {row[0] for row in rows}

    def place(self, dice: Callable[[int], int]) -> str:
        """Return the URL of some server for people."""
        nodes = [*self.nodes, *self.guests]
        nodes = [node for node in nodes if node.listens] or nodes
        return nodes[dice(len(nodes))].people.url

    def look(self) -> None:
        """Look for faults of the servers themselves, and record them."""
        for node in self.nodes:
            if not node.server.runs:
                self.problems.append(f"{node.name} has ended by itself:\n{node.server.log[-3000:]}")
            if "Traceback" in node.server.log:
                at = node.server.log.index("Traceback")
                self.problems.append(f"{node.name} failed:\n{node.server.log[max(0, at - 300) : at + 3000]}")

    def wrong(self) -> list[str]:
        """Return the violations that the database has seen."""
        return witness.wrong(self.base, DATABASE)

    # --- faults ---------------------------------------------------------------------------------------

    async def do(self, fault: Fault) -> bool:
        """Let something fail and repair it; return False if that is impossible here."""
        node = self.nodes[fault.node]
        if fault.kind == ALONE:
            tables = {each: len(await self.owned(each)) for each in self.nodes}
            node = max(self.nodes, key=lambda each: tables[each])
        match fault.kind:
            case "cut_servers" | "cut_database" | "cut_people":
                await self._cut(getattr(node, fault.kind.removeprefix("cut_")), fault)
            case "restart_database":
                async with self._base_lock:
                    await asyncio.to_thread(self.base.restart)
            case "fill_disk":
                return await self._fill_disk(fault)
            case "take_connections":
                async with self._base_lock:
                    await asyncio.to_thread(self._take_connections, node, fault.seconds)
            case "namesake":
                await self._namesake(node, fault)
            case "roll":
                for each in self.nodes:
                    await self._again(each)
            case _:
                await self._to_process(node, fault)
        return True

    @staticmethod
    async def _cut(door: Door, fault: Fault) -> None:
        door.cut(fault.mode)
        try:
            await asyncio.sleep(fault.seconds)
        finally:
            door.mend()

    async def _to_process(self, node: Node, fault: Fault) -> None:
        async with node.lock:
            if fault.kind == "stop":
                node.server.send(signal.SIGSTOP)
                try:
                    await asyncio.sleep(fault.seconds)
                finally:
                    node.server.send(signal.SIGCONT)
                return
            if fault.kind == "drain":
                await self._drain(node)
                await node.end()
            else:
                self.killed(await self.owned(node))
                await node.end(signal.SIGKILL)
            if fault.kind == "other_clock":
                node.ahead = 60 * fault.minutes
            await node.start()

    async def _again(self, node: Node) -> None:
        async with node.lock:
            await node.end()
            await node.start()

    async def _drain(self, node: Node) -> None:
        until = time.monotonic() + _DRAINED
        with suppress(StoreError, psycopg.Error):
            await asyncio.to_thread(drain_node, self.base.url(DATABASE), node.name)
            while await self.owned(node) and time.monotonic() < until:
                await asyncio.sleep(0.1)

    async def _namesake(self, node: Node, fault: Fault) -> None:
        """Start another server with the name of an existing one, and kill it after a while."""
        self._visitors += 1
        other = Node(self.folder / f"namesake-{self._visitors}", node.name, self.base.port)
        other.folder.mkdir()
        shutil.copy(node.folder / SECRET, other.folder / SECRET)
        await other.open(self.spoiled)
        await other.start()
        self.guests.append(other)
        try:
            await asyncio.sleep(fault.seconds)
        finally:
            self.guests.remove(other)
            if "Traceback" in other.server.log:
                self.problems.append(f"{other.name} failed:\n{other.server.log[-3000:]}")
            if other.server.runs:
                await other.end(signal.SIGKILL)
            await other.close()

    def _take_connections(self, node: Node, seconds: float) -> None:
        """Take all free connections of the database, and end those of one server, which then must wait."""
        held: list[psycopg.Connection[Any]] = []

        def hold() -> None:
            with suppress(psycopg.Error):
                while True:
                    held.append(psycopg.connect(self.base.url(DATABASE), application_name="others"))

        try:
            with psycopg.connect(self.base.url(DATABASE), autocommit=True) as own:
                hold()
                ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE %s"
                own.execute(ends, (f"%{node.program}",))
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    hold()
                    time.sleep(0.05)
        except (psycopg.Error, AssertionError):
            return  # the database or the server is unavailable now
        finally:
            for one in held:
                one.close()

    async def _fill_disk(self, fault: Fault) -> bool:
        if not self.has_disk:
            return False
        async with self._base_lock:
            await asyncio.to_thread(self.base.fill_disk)
            try:
                await asyncio.sleep(fault.seconds)
            finally:
                await asyncio.to_thread(self.base.empty_disk)
        return True
