"""Servers that share a database: their leases, and the tables that each server owns.

Leases end by the database's clock; the servers' clocks decide nothing. A server that no longer owns a
table cannot append to the table's log, even while the server's lease lasts.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import psycopg
from msgspec import Struct
from msgspec.structs import asdict
from psycopg import sql
from sqlalchemy import Boolean, ColumnElement, literal_column

from rum500.store._batches import Batches
from rum500.store.errors import ServedElsewhere, StoreError
from rum500.store.paths import POSTGRES, SECRET
from rum500.store.postgres import PostgresDatabase
from rum500.store.rows import StoredEntry, TableRow
from rum500.store.store import Store
from rum500.store.writer import Observe

LEASE_MS = 3_000
"""The length of a lease: a server owns its tables until so many milliseconds after the last renewal."""
ADOPTED_AT_ONCE = 200
"""The largest number of due tables without an owner that a server takes with one statement."""
_KEPT_MS = 86_400_000
_LATELY_MS = 60_000
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
_MAY_TAKE = f"EXISTS (SELECT FROM nodes n WHERE n.id = %(id)s AND n.until > {_NOW} AND NOT n.draining)"
# No table waits for another one: rows that are locked or have just changed return neither epoch nor owner.
_TAKE = f"""
    WITH free AS (
        SELECT t.id FROM tables t WHERE t.id = ANY(%(tables)s) AND {_MAY_TAKE}
        AND (t.owner IS NULL OR t.owner = %(id)s OR NOT {_LIVE.format("t.owner")})
        FOR NO KEY UPDATE SKIP LOCKED
    ), taken AS (
        UPDATE tables t SET owner = %(id)s, epoch = epoch + 1 FROM free WHERE t.id = free.id
        RETURNING t.id, t.epoch
    )
    SELECT t.id, taken.epoch, n.url, n.until - {_NOW}, {_MAY_TAKE} FROM tables t
    LEFT JOIN taken ON taken.id = t.id
    LEFT JOIN nodes n ON n.id = t.owner AND n.id <> %(id)s AND n.until > {_NOW}
    WHERE t.id = ANY(%(tables)s)
"""
_ANOTHER = f"""
    SELECT url FROM nodes WHERE id <> %(id)s AND until > {_NOW} AND NOT draining ORDER BY tables, id LIMIT 1
"""
_PAUSES_S = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
"""The pauses, in seconds, before a locked row is tried again. Together they are somewhat longer than the
database lets a server keep a transaction open.
"""
# Servers that do this at the same time take different tables, because each skips rows that are locked.
_ADOPT = f"""
    UPDATE tables SET owner = %(id)s, epoch = epoch + 1 WHERE id IN (
        SELECT t.id FROM tables t WHERE t.due <= %(until)s AND t.owner IS DISTINCT FROM %(id)s
        AND (t.owner IS NULL OR NOT {_LIVE.format("t.owner")}) ORDER BY t.due LIMIT {ADOPTED_AT_ONCE}
        FOR NO KEY UPDATE SKIP LOCKED
    ) AND {_MAY_TAKE}
"""
_DUE = "SELECT id FROM tables WHERE due <= %(until)s AND owner = %(id)s ORDER BY due"
_RELEASE = """
    UPDATE tables t SET owner = NULL FROM unnest(%(tables)s::text[], %(epochs)s::int4[]) AS w (id, epoch)
    WHERE t.id = w.id AND t.epoch = w.epoch AND t.owner = %(id)s
"""
_OWNERLESS = "SELECT id FROM tables WHERE id = ANY(%(tables)s) AND owner IS NULL"
_LEAVE = "DELETE FROM nodes WHERE id = %(id)s"
_LIST = f"""
    SELECT id, name, url, version, since, until, draining, tables, until > {_NOW} FROM nodes
    ORDER BY name, since
"""
_CLAIM = """
    INSERT INTO notices (guest_id, table_id, due) VALUES (%(guest)s, %(table)s, 0)
    ON CONFLICT (guest_id, table_id) DO UPDATE SET due = 0 WHERE notices.due <> 0 RETURNING due
"""
# If a guest signs out at two servers, the earlier time may be stored later: each poll rereads the last
# minute.
_SIGNED_OUT = f"SELECT id, valid_from FROM guests WHERE valid_from > {_NOW} - {_LATELY_MS}"
_CHANNEL = "'rum500_' || (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
_SEND = f"SELECT pg_notify({_CHANNEL}, %(message)s)"
_DRAIN = f"""
    UPDATE nodes SET draining = true WHERE (name = %(name)s OR id = %(name)s) AND until > {_NOW} RETURNING id
"""


class NodeName(Struct, frozen=True):
    """The name, address, key and version of this server, which it stores for the other servers."""

    name: str
    url: str
    """The address at which other servers reach this server."""
    key: str
    """A digest of the key that all servers must share."""
    version: str
    """The version of rum500."""


class NodeRow(Struct, frozen=True):
    """A server that shares the database."""

    id: str
    """The id of this run of the server."""
    name: str
    url: str
    """The address at which other servers reach the server."""
    version: str
    """The version of rum500."""
    since: int
    """When the server started, in milliseconds since 1970 by the database's clock."""
    until: int
    """When the server's lease ends, in the same unit and by the same clock."""
    draining: bool
    """Whether the server takes no more tables and releases its own."""
    tables: int
    """The number of tables that the server has in memory."""
    live: bool
    """Whether the server's lease has not ended."""


class Lease(Struct, frozen=True):
    """A renewed lease."""

    now: int
    """The database's time, in milliseconds since 1970."""
    draining: bool
    urls: list[str]
    """The addresses of all servers with a lease."""


class NodeStore:
    """One server's lease and tables. Its connections are not those that append to logs."""

    def __init__(self, database: PostgresDatabase, node: NodeName) -> None:
        assert database.node is not None
        self.id = database.node
        """The id of this run of the server."""
        self._database = database
        self._own = {"id": self.id, **asdict(node)}
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="rum500-nodes")
        self._takes = Batches(self._take)
        self._releases = Batches(self._release)
        self._local = threading.local()
        self._open: list[psycopg.Connection[Any]] = []
        self._listening: psycopg.Connection[Any] | None = None
        self._received: list[str] = []

    async def join(self) -> int:
        """Begin a lease, or renew one that has ended. Return the database's time in milliseconds since 1970.

        Raises `store.locked` if servers with another key use the database.
        """
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.join_again)

    def join_again(self) -> int:
        """Begin or renew a lease and return the database's time, like `join`, but block the calling thread.

        The thread that renews the lease calls it when the old lease has ended.
        """
        joined = self._rows(_JOIN, self._own)
        if not joined:
            raise StoreError(
                "store.locked",
                f"{self._database.name}: servers with another key use it; "
                f"give this one the file {SECRET} of their data folder",
            )
        self._rows(_FORGET, {})
        return int(joined[0][0])

    def renew(self, tables: int) -> Lease | None:
        """Renew the lease, and store the number of tables in memory. Return None if the lease had ended."""
        rows = self._rows(_RENEW, {"id": self.id, "tables": tables})
        return Lease(*rows[0]) if rows else None

    def signed_out(self) -> set[tuple[str, int]]:
        """Return (guest, time in ms since 1970) for each guest who signed out in the last minute."""
        return {(guest, moment) for guest, moment in self._rows(_SIGNED_OUT, {})}

    async def send(self, message: str) -> None:
        """Send a message of at most 7,900 bytes to the other servers. It is not stored."""
        await self._ask(_SEND, {"message": f"{self.id} {message}"})

    def received(self) -> list[str]:
        """Return what other servers have sent since the last call, all of which one thread makes.

        After the loss of the connection some messages are missing.
        """
        connection = self._connection()
        if self._listening is not connection:
            try:
                connection.add_notify_handler(self._receive)
                name = connection.execute(f"SELECT {_CHANNEL}").fetchone()
                assert name is not None
                connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(name[0])))
            except psycopg.Error as error:
                self._drop()
                raise self._database.error(error) from None
            self._listening = connection
        found, self._received = self._received, []
        return found

    def _receive(self, notice: psycopg.Notify) -> None:
        sender, _, message = notice.payload.partition(" ")
        if sender != self.id:
            self._received.append(message)

    async def take(self, table: str) -> int:
        """Make this server the owner of a table; return its epoch, or 0 if there is no such table.

        Raises `ServedElsewhere` if another server owns the table, or if this server is draining and another
        one is not. Raises `store.failed` if all servers are draining.
        """
        for pause in _PAUSES_S:
            found = await self._takes.answer(table)
            if found is None:
                return 0
            epoch, url, left, may_take = found
            if epoch:
                return int(epoch)
            if url:
                raise ServedElsewhere(url, left / 1000)
            if not may_take:
                break
            await asyncio.sleep(pause)
        if another := await self._ask(_ANOTHER, {"id": self.id}):
            raise ServedElsewhere(another[0][0])
        raise StoreError("store.failed", f"{self._database.name}: no server takes tables just now")

    async def _take(self, tables: Sequence[str]) -> dict[str, Sequence[Any] | None]:
        """Return, by table, the columns of `_TAKE` after the id; None if there is no such table."""
        rows = await self._ask(_TAKE, {"id": self.id, "tables": list(tables)})
        return dict.fromkeys(tables) | {table: found for table, *found in rows}

    async def due(self, until: int) -> list[str]:
        """Return the ids of this server's tables that are due by `until`, in ms since 1970, earliest first.

        Before that, take up to `ADOPTED_AT_ONCE` due tables that have no owner.
        """
        wanted = {"id": self.id, "until": until}
        await self._ask(_ADOPT, wanted)
        return [table for (table,) in await self._ask(_DUE, wanted)]

    async def release(self, table: str, epoch: int) -> None:
        """Give up the ownership of a table, unless another server has taken it over."""
        await self._releases.answer((table, epoch))

    async def _release(self, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], None]:
        tables, epochs = (list(column) for column in zip(*places, strict=True))
        await self._ask(_RELEASE, {"id": self.id, "tables": tables, "epochs": epochs})
        return dict.fromkeys(places)

    async def ownerless(self, tables: Collection[str]) -> set[str]:
        """Return which of these tables have no owner."""
        return {table for (table,) in await self._ask(_OWNERLESS, {"tables": list(tables)})}

    async def leave(self) -> None:
        """End the lease: other servers may take this server's remaining tables at once."""
        await self._ask(_LEAVE, {"id": self.id})

    async def claim_notice(self, guest: str, table: str) -> bool:
        """Record that the message about a table is sent; return False if a server has already recorded it."""
        return bool(await self._ask(_CLAIM, {"guest": guest, "table": table}))

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._threads.shutdown()
        for connection in self._open:
            connection.close()

    async def _ask(self, statement: str, values: Mapping[str, Any]) -> Sequence[Any]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: self._rows(statement, values))

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


class SharedStore(Store):
    """The store of one of several servers that share a database and own some tables each.

    The guard of a table is the epoch in which this server took it.
    """

    nodes: NodeStore
    """The lease and the tables of this server."""

    @classmethod
    async def open_as(cls, url: str, node: NodeName, *, observe: Observe | None = None) -> Self:
        """Return the store of a PostgreSQL database, as `open` does, for the server `node`."""
        if not url.startswith(POSTGRES):
            raise StoreError(
                "store.url", f"{url}: one server alone can use it; several need a --db {POSTGRES[0]}…"
            )
        database = PostgresDatabase(url, secrets.token_hex(8))
        store = await cls.open(database, observe=observe)
        store.nodes = NodeStore(database, node)
        return store

    async def create_table(self, row: TableRow, first: Sequence[StoredEntry] = ()) -> None:
        """Add a table, as in `Store`; this server owns it, in epoch 1."""
        await self._create_table(row, first, 1, owner=self.nodes.id, epoch=1)

    def _has_server(self) -> ColumnElement[bool]:
        return literal_column(_LIVE.format("tables.owner"), Boolean)

    async def due(self, until: int) -> list[str]:
        """Take some due tables that have no owner; return all due tables of this server.

        `until` and the order are as in `Store.due`.
        """
        return await self.nodes.due(until)

    async def claim_notice(self, guest: str, table: str) -> bool:
        """Record that the message about a table is sent; return False if a server has already recorded it."""
        return await self.nodes.claim_notice(guest, table)

    async def close(self) -> None:
        """Commit queued changes, then release the database and the connections of the lease."""
        await super().close()
        await self.nodes.close()


def asked(connection: psycopg.Connection[Any], statement: str, values: Mapping[str, Any]) -> Sequence[Any]:
    """Execute a statement and return its rows, empty if it returns none."""
    done = connection.execute(statement, values)
    return done.fetchall() if done.description else ()


def all_nodes(url: str) -> list[NodeRow]:
    """Return the servers that share a database, or did in the last day. Raises `StoreError`."""
    return [NodeRow(*row) for row in _once(url, _LIST, {})]


def drain_node(url: str, name: str) -> int:
    """Mark the servers with this name or id as draining; return their number. Raises `StoreError`."""
    return len(_once(url, _DRAIN, {"name": name}))


def _once(url: str, statement: str, values: Mapping[str, Any]) -> Sequence[Any]:
    database = PostgresDatabase(url)
    with database.connect_node() as connection:
        try:
            return asked(connection, statement, values)
        except psycopg.Error as error:
            raise database.error(error) from None
