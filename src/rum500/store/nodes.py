"""Servers that share a database: their leases, and the tables that each of them owns.

No server's clock decides anything: a lease ends by the database's clock, and who owned a table before cannot
add to its log, whether its lease has ended or not.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
from msgspec.structs import asdict

from rum500.store._errors import OwnedElsewhere, StoreError
from rum500.store._postgres import PostgresDatabase
from rum500.store._rows import Lease, NodeName, NodeRow
from rum500.store.paths import SECRET

LEASE_MS = 3_000
"""The milliseconds for which a server owns its tables after it was last heard of."""
ADOPTED_AT_ONCE = 200
"""The most tables without an owner that a server takes at one look because they are due."""
_KEPT_MS = 86_400_000
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::int8"
_LIVE = f"EXISTS (SELECT FROM nodes n WHERE n.id = {{}} AND n.until > {_NOW})"

_JOIN = f"""
    INSERT INTO nodes (id, name, url, key, version, since, until)
    SELECT %(id)s, %(name)s, %(url)s, %(key)s, %(version)s, {_NOW}, {_NOW} + {LEASE_MS}
    WHERE NOT EXISTS (SELECT FROM nodes WHERE key <> %(key)s AND until > {_NOW})
    ON CONFLICT (id) DO UPDATE SET until = excluded.until RETURNING {_NOW}
"""
_FORGET = f"DELETE FROM nodes WHERE until < {_NOW} - {_KEPT_MS}"
_RENEW = f"""
    UPDATE nodes SET until = {_NOW} + {LEASE_MS}, tables = %(tables)s WHERE id = %(id)s AND until > {_NOW}
    RETURNING {_NOW}, draining, ARRAY(SELECT n.url FROM nodes n WHERE n.until > {_NOW})
"""
_TAKE = f"""
    UPDATE tables t SET owner = %(id)s, epoch = epoch + 1
    WHERE id = %(table)s AND (owner IS NULL OR owner = %(id)s OR NOT {_LIVE.format("t.owner")})
    AND EXISTS (SELECT FROM nodes n WHERE n.id = %(id)s AND n.until > {_NOW} AND NOT n.draining)
    RETURNING epoch
"""
_OWNER = f"""
    SELECT n.url, n.until - {_NOW} FROM tables t JOIN nodes n ON n.id = t.owner
    WHERE t.id = %(table)s AND n.id <> %(id)s AND n.until > {_NOW}
"""
_ANOTHER = f"""
    SELECT n.url FROM tables t, nodes n WHERE t.id = %(table)s AND n.id <> %(id)s AND n.until > {_NOW}
    AND NOT n.draining ORDER BY n.tables, n.id LIMIT 1
"""
_EXISTS = "SELECT 1 FROM tables WHERE id = %(table)s"
# What is due and has no owner is shared out between the servers: each locks other rows.
_ADOPT = f"""
    UPDATE tables SET owner = %(id)s, epoch = epoch + 1 WHERE id IN (
        SELECT t.id FROM tables t WHERE t.due <= %(until)s AND t.owner IS DISTINCT FROM %(id)s
        AND (t.owner IS NULL OR NOT {_LIVE.format("t.owner")}) ORDER BY t.due LIMIT {ADOPTED_AT_ONCE}
        FOR UPDATE SKIP LOCKED
    ) AND EXISTS (SELECT FROM nodes n WHERE n.id = %(id)s AND n.until > {_NOW} AND NOT n.draining)
"""
_DUE = "SELECT id FROM tables WHERE due <= %(until)s AND owner = %(id)s ORDER BY due"
_RELEASE = "UPDATE tables SET owner = NULL WHERE id = %(table)s AND owner = %(id)s AND epoch = %(epoch)s"
_LEAVE = "DELETE FROM nodes WHERE id = %(id)s"
_LIST = f"""
    SELECT id, name, url, version, since, until, draining, tables, until > {_NOW} FROM nodes
    ORDER BY name, since
"""
_CLAIM = """
    INSERT INTO notices (guest_id, table_id, due) VALUES (%(guest)s, %(table)s, 0)
    ON CONFLICT (guest_id, table_id) DO UPDATE SET due = 0 WHERE notices.due <> 0 RETURNING due
"""
_SIGNED_OUT = "SELECT id, valid_from FROM guests WHERE valid_from > %(after)s"
_DRAIN = f"""
    UPDATE nodes SET draining = true WHERE (name = %(name)s OR id = %(name)s) AND until > {_NOW} RETURNING id
"""


class NodeStore:
    """One server's lease and tables. Its statements do not wait for those that append to logs."""

    alone = False

    def __init__(self, database: PostgresDatabase, node: NodeName) -> None:
        assert database.node is not None
        self.id = database.node
        """The id of this run of the server."""
        self._database = database
        self._own = {"id": self.id, **asdict(node)}
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="rum500-nodes")
        self._pulse = ThreadPoolExecutor(1, thread_name_prefix="rum500-lease")
        self._local = threading.local()
        self._open: list[psycopg.Connection[Any]] = []

    async def join(self) -> int:
        """Begin a lease, or one again that had ended. Return the database's milliseconds since 1970.

        Raises `store.locked` if servers with another key use the database.
        """
        joined = await self._ask(_JOIN, self._own, pool=self._pulse)
        if not joined:
            raise StoreError(
                "store.locked",
                f"{self._database.name}: servers with another key use it; "
                f"give this one the file {SECRET} of their data folder",
            )
        await self._ask(_FORGET, {}, pool=self._pulse)
        return int(joined[0][0])

    async def renew(self, tables: int) -> Lease | None:
        """Renew the lease and tell the number of tables in memory. Return None if it had ended."""
        rows = await self._ask(_RENEW, {"id": self.id, "tables": tables}, pool=self._pulse)
        return Lease(*rows[0]) if rows else None

    async def take(self, table: str) -> int:
        """Make this server the owner of a table; return its epoch, 0 if there is no such table.

        Raises `OwnedElsewhere` if another server owns it, or if this one is draining and another is there,
        and `store.failed` if no server takes tables.
        """
        wanted = {"id": self.id, "table": table}
        for _ in range(3):  # its owner may change between two statements
            if taken := await self._ask(_TAKE, wanted):
                return int(taken[0][0])
            if found := await self._ask(_OWNER, wanted):
                raise OwnedElsewhere(found[0][0], found[0][1] / 1000)
        if found := await self._ask(_ANOTHER, wanted):
            raise OwnedElsewhere(found[0][0])
        if await self._ask(_EXISTS, wanted):
            raise StoreError("store.failed", f"{self._database.name}: no server takes tables just now")
        return 0

    async def due(self, until: int) -> list[str]:
        """Return this server's tables that go on by themselves by this time, in ms since 1970.

        It becomes the owner of some that have none.
        """
        wanted = {"id": self.id, "until": until}
        await self._ask(_ADOPT, wanted)
        return [table for (table,) in await self._ask(_DUE, wanted)]

    async def release(self, table: str, epoch: int) -> None:
        """Give a table up, unless another server has taken it over."""
        await self._ask(_RELEASE, {"id": self.id, "table": table, "epoch": epoch})

    async def leave(self) -> None:
        """End the lease: others may take what is left of this server's tables at once."""
        await self._ask(_LEAVE, {"id": self.id})

    async def claim_notice(self, guest: str, table: str) -> bool:
        """Store that a message was sent; return False if it was before, perhaps by another server."""
        return bool(await self._ask(_CLAIM, {"guest": guest, "table": table}))

    async def signed_out(self, after: int) -> list[tuple[str, int]]:
        """Return the guests who have signed out after this time, in milliseconds since 1970, and when."""
        return [(guest, moment) for guest, moment in await self._ask(_SIGNED_OUT, {"after": after})]

    async def all(self) -> list[NodeRow]:
        """Return all servers of the last day."""
        return [NodeRow(*row) for row in await self._ask(_LIST, {})]

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._threads.shutdown()
        self._pulse.shutdown()
        for connection in self._open:
            connection.close()

    async def _ask(
        self, statement: str, values: Mapping[str, Any], pool: ThreadPoolExecutor | None = None
    ) -> Sequence[Any]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(pool or self._threads, lambda: self._rows(statement, values))

    def _rows(self, statement: str, values: Mapping[str, Any]) -> Sequence[Any]:
        try:
            return asked(self._connection(), statement, values)
        except psycopg.Error as error:
            self._drop()
            raise self._database.error(error) from None

    def _connection(self) -> psycopg.Connection[Any]:
        """Return this thread's connection, a new one after a failure."""
        connection: psycopg.Connection[Any] | None = getattr(self._local, "connection", None)
        if connection is None or connection.closed:
            connection = self._local.connection = self._database.connect_node()
            self._open.append(connection)
        return connection

    def _drop(self) -> None:
        connection: psycopg.Connection[Any] | None = getattr(self._local, "connection", None)
        if connection is not None:
            self._open.remove(connection)
            connection.close()
        self._local.connection = None


def asked(connection: psycopg.Connection[Any], statement: str, values: Mapping[str, Any]) -> Sequence[Any]:
    """Execute a statement; return its rows, none if it has none."""
    done = connection.execute(statement, values)
    return done.fetchall() if done.description else ()


def all_nodes(url: str) -> list[NodeRow]:
    """Return the servers of the last day that share a database. Raises `StoreError`."""
    return [NodeRow(*row) for row in _once(url, _LIST, {})]


def drain_node(url: str, name: str) -> int:
    """Let the servers of this name, or of this id, give up their tables; return how many there are."""
    return len(_once(url, _DRAIN, {"name": name}))


def _once(url: str, statement: str, values: Mapping[str, Any]) -> Sequence[Any]:
    database = PostgresDatabase(url)
    look: Callable[[], psycopg.Connection[Any]] = database.connect_node
    with look() as connection:
        try:
            return asked(connection, statement, values)
        except psycopg.Error as error:
            raise database.error(error) from None
