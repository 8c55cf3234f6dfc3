"""PostgreSQL, for hosts who have a database server: the same store, with two connections that commit."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.pool import Pool, QueuePool, StaticPool

from rum500.store._copy_rows import copy_rows
from rum500.store._sqlite_file import COUNTED, GAPS, LOGS, READERS, damaged_logs, gap
from rum500.store._version import create, known, migrate
from rum500.store.errors import StoreError, TakenError, busy, conflict, corrupt, foreign, full, older
from rum500.store.paths import POSTGRES, create_private
from rum500.store.rows import DatabaseReport, Row
from rum500.store.schema import HEAD, metadata
from rum500.store.sqlite import SqliteDatabase

_PATIENCE = 2.0
"""How many seconds to wait for the right to write of a server that is about to stop."""
_PAUSE = 0.05
_OLDEST = 130_000
"""The oldest supported version of the server, in the driver's numbering."""

# After about ten seconds without contact, both sides give up a connection. Then callers get an error, and
# the right to write is free. The URL may set other values.
_CONNECTION: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
# PostgreSQL's default is the cost on a rotating disk. With that default the planner would read a thousand
# rows of `tables` for each commit instead of finding ten by their keys.
_SESSION = """
    SET random_page_cost = 1.1;
    SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
    SET tcp_user_timeout = 10000; SET lock_timeout = 5000; SET client_min_messages = warning;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""

# All entries are one JSON value, because the driver would encode array elements one by one, in Python. The
# LIMIT is the number of entries: without it the planner expects a hundred, and reads all of `tables`.
_APPEND = """
    WITH want AS (
        SELECT e->>0 AS table_id, (e->>1)::int4 AS number, (e->>2)::int8 AS at, e->>3 AS kind,
            decode(e->>4, 'base64') AS data, e->>5 AS author, e->>6 AS message,
            (e->>7)::int8 AS checksum, (e->>8)::int4 AS epoch, place
        FROM jsonb_array_elements(%s::jsonb) WITH ORDINALITY AS w (e, place) LIMIT %s
    ), held AS ({held})
    INSERT INTO entries (table_id, number, at, kind, data, author, message, checksum)
    SELECT table_id, number, at, kind, data, author, message, checksum FROM held ORDER BY place
    RETURNING table_id, number
"""
_APPEND_ALONE = _APPEND.format(held="SELECT * FROM want")
# The row lock keeps the table's owner unchanged until the commit. If another server took the table over
# before, no entry is added.
_APPEND_SHARED = _APPEND.format(
    held="""
        SELECT w.* FROM want w JOIN tables t ON t.id = w.table_id AND t.epoch = w.epoch AND t.owner = %s
        FOR SHARE OF t
    """
)
_HELD = """
    SELECT t.id FROM unnest(%s::text[], %s::int4[]) AS w (id, epoch)
    JOIN tables t ON t.id = w.id AND t.epoch = w.epoch AND t.owner = %s FOR SHARE OF t
"""

# If a server hangs within a transaction, the rows of its tables are locked. The database ends its session
# before its lease ends, so that other servers can take the tables.
_NO_WAITING = "SET idle_in_transaction_session_timeout = 2000"

_SCHEMA = "SELECT oid::int4 FROM pg_namespace WHERE nspname = current_schema()"
_LOCKS = """
    FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND classid::int4 = %s
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_OTHERS = f"SELECT pid {_LOCKS} AND objid <> 0 AND objid::int4 / 4 <> %s LIMIT 1"
_SHARED = 1
"""The number of the advisory lock that all servers sharing the database hold together."""
_ALONE = f"""
    SELECT pid {_LOCKS} AND objid::int4 > 3 AND objid::int4 / 4 <> %s AND pid NOT IN (
        SELECT pid FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND objid = {_SHARED}
    ) LIMIT 1
"""
_END_OWN = f"SELECT pg_terminate_backend(pid) {_LOCKS} AND objid::int4 = %s"
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"


class PostgresDatabase:
    """A schema of a database on a server; `Database` describes its fields and methods.

    The right to write is an advisory lock. Each connection that writes holds it until the connection ends.
    No connection gets it while another process holds it, so a process that has lost it cannot write. Servers
    that share the database hold it together.
    """

    file = None
    damage = None
    writers = 2
    begin = "BEGIN"
    snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    mark = "COMMENT ON TABLE alembic_version IS 'rum500'"
    probe = "UPDATE alembic_version SET version_num = version_num"
    most_rows = 1000
    raised = (psycopg.Error,)
    faults = (
        psycopg.IntegrityError,
        psycopg.ProgrammingError,
        psycopg.DataError,
        psycopg.NotSupportedError,
        IntegrityError,
        ProgrammingError,
        DataError,
        NotSupportedError,
    )

    def __init__(self, url: str, node: str | None = None) -> None:
        """Set the URL. If servers share the database, `node` is the id of this run of the server."""
        self.node = node
        self._given = given = _read_url(url)
        who = f"{given['user']}@" if given.get("user") else ""
        port = f":{given['port']}" if given.get("port") else ""
        self.name = f"postgresql://{who}{given.get('host', '')}{port}/{given.get('dbname', '')}"
        # An advisory lock has two numbers: the schema's, and this token times four plus the connection's.
        self._token = 1 + secrets.randbelow(2**29 - 1)

    # --- connections -----------------------------------------------------------------------------------

    def _connect(self, *, reads: bool) -> psycopg.Connection[Any]:
        """Return a connection in autocommit mode: callers execute `BEGIN`. Raises `StoreError`."""
        program = {"application_name": f"rum500 {socket.gethostname()} process {os.getpid()}"}
        try:
            connection = psycopg.connect(**{**_CONNECTION, **program, **self._given}, autocommit=True)
        except psycopg.Error as error:
            raise self._unreachable(error) from None
        try:
            self._see_version(connection.info.server_version)
            connection.execute(_SESSION)
            if reads:
                connection.execute("SET default_transaction_read_only = on")
        except BaseException:
            connection.close()
            raise
        return connection

    def _see_version(self, version: int) -> None:
        if version < _OLDEST:
            found = version // 10_000
            raise StoreError("store.failed", f"{self.name}: is PostgreSQL {found}; rum500 needs 13 or newer")

    @property
    def shared(self) -> bool:
        """Whether several servers use the database, each the owner of some tables."""
        return self.node is not None

    def connect_node(self) -> psycopg.Connection[Any]:
        """Return a connection that changes no log, and needs no right to write. Raises `StoreError`."""
        return self._connect(reads=False)

    def _connect_owner(self, number: int) -> psycopg.Connection[Any]:
        """Return a connection with the right to write. Raises `store.locked` if another process has it."""
        connection = self._connect(reads=False)
        try:
            self._claim(connection, number)
        except psycopg.Error as error:
            connection.close()
            raise self.error(error) from None
        except BaseException:
            connection.close()
            raise
        return connection

    def _claim(self, connection: psycopg.Connection[Any], number: int) -> None:
        schema, key = self._schema(connection), self._token * 4 + number
        until = time.monotonic() + _PATIENCE
        connection.execute("SELECT pg_advisory_lock(%s, 0)", (schema,))  # one process at a time
        wanted = _ALONE if self.shared else _OTHERS
        while other := connection.execute(wanted, (schema, self._token)).fetchone():
            if time.monotonic() >= until:
                raise self._taken(connection, other[0])
            time.sleep(_PAUSE)
        # If this connection replaces a broken one, end the broken one's session: then its last commit has
        # either succeeded or failed for good.
        connection.execute(_END_OWN, (schema, key))
        connection.execute("SELECT pg_advisory_lock(%s, %s)", (schema, key))
        if self.shared:
            connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", (schema, _SHARED))
            if number:  # connection 0 migrates the schema, which may take long
                connection.execute(_NO_WAITING)
        connection.execute("SELECT pg_advisory_unlock(%s, 0)", (schema,))

    def _schema(self, connection: psycopg.Connection[Any]) -> int:
        row = connection.execute(_SCHEMA).fetchone()
        if row is None:
            raise StoreError(
                "store.missing", f"{self.name}: has no schema of its search_path; CREATE SCHEMA public"
            )
        return int(row[0])

    def _taken(self, connection: psycopg.Connection[Any], process: int) -> StoreError:
        who = self._program(connection, process)
        return TakenError(
            f"{self.name}: is in use by a running rum500 ({who}); end that one, or name another --db"
        )

    def _program(self, connection: psycopg.Connection[Any], process: int) -> str:
        named = "SELECT application_name FROM pg_stat_activity WHERE pid = %s"
        row = connection.execute(named, (process,)).fetchone()
        reason = str(row[0]) if row and row[0] else ""
        return reason.removeprefix("rum500 ") or f"session {process} of the database"

    def writing_engine(self, number: int = 0) -> Engine:
        """Return an engine with one connection that may write; engines have different numbers."""
        return self._engine(StaticPool, lambda: self._connect_owner(number))

    def reading_engine(self) -> Engine:
        """Return an engine with a few connections that may only read."""
        return self._engine(QueuePool, lambda: self._connect(reads=True))

    def _engine(self, pool: type[Pool], creator: Any) -> Engine:
        more: dict[str, Any] = {"pool_size": READERS, "max_overflow": 0} if pool is QueuePool else {}
        return create_engine(
            "postgresql+psycopg://",
            creator=creator,
            poolclass=pool,
            isolation_level="AUTOCOMMIT",
            use_native_hstore=False,
            pool_reset_on_return=None,
            **more,
        )

    @contextmanager
    def _reading(self) -> Iterator[psycopg.Connection[Any]]:
        """Yield a connection that may only read. Convert the driver's errors to `StoreError`."""
        with closing(self._connect(reads=True)) as connection, self._errors():
            yield connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, DBAPIError) as error:
            raise self.error(error) from None

    # --- the database ----------------------------------------------------------------------------------

    def exists(self) -> bool:
        """Return whether the schema has any table."""
        with self._reading() as connection:
            return connection.execute(_TABLES).fetchone() is not None

    def owner(self) -> str | None:
        """Return a description of the process that has the right to write; None if no process has it."""
        with self._reading() as connection:
            row = connection.execute(_OTHERS, (self._schema(connection), self._token)).fetchone()
            return None if row is None else self._program(connection, row[0])

    def prepare(self) -> _Ownership:
        """Take the right to write, and create or migrate the schema."""
        owned = _Ownership(self.writing_engine())
        try:
            with self._errors():
                # One server migrates while the others wait.
                owned.driver.execute("SELECT pg_advisory_lock(%s, 2)", (self._schema(owned.driver),))
                version = self._version(owned.driver)
                if version == HEAD:
                    owned.driver.execute(self.probe)  # fails now if the database is read-only
                else:
                    (migrate if version else create)(owned.connection, self.begin, self.mark)
                owned.driver.execute("SELECT pg_advisory_unlock(%s, 2)", (self._schema(owned.driver),))
        except BaseException:
            owned.release()
            raise
        return owned

    def _version(self, connection: psycopg.Connection[Any]) -> str | None:
        """Return the schema's version, None if the schema is empty; see `read_version`."""
        names = {name for (name,) in connection.execute(_TABLES)}
        if not names:
            return None
        ours = None
        if "alembic_version" in names:
            ours = connection.execute("SELECT obj_description('alembic_version'::regclass)").fetchone()
        if ours != ("rum500",):
            raise foreign(self.name, "has tables of another program")
        return known(
            [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")], self.name
        )

    def version(self) -> str | None:
        """Return the schema's version; see `read_version`."""
        with self._reading() as connection:
            return self._version(connection)

    def check(self) -> DatabaseReport:
        """Check logs and indexes. The database server checks its disk."""
        with self._reading() as connection:
            version = self._version(connection)
            if version is None:
                raise foreign(self.name, "is empty")
            connection.execute(self.snapshot)
            invalid = connection.execute(
                "SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class c ON c.oid = indrelid"
                " WHERE c.relnamespace::int4 = %s AND NOT indisvalid",
                (self._schema(connection),),
            )
            problems = [f"index {name}: is not valid; REINDEX INDEX {name}" for (name,) in invalid]
            problems += [gap(*row) for row in connection.execute(GAPS)]
            if version == HEAD:
                with connection.cursor("logs") as rows:
                    problems += damaged_logs(rows.execute(LOGS))
            sizes = " + ".join(f"pg_total_relation_size('{table.name}')" for table in metadata.sorted_tables)
            size = connection.execute(f"SELECT {sizes}").fetchone() if version == HEAD else None
            held = {name: _count(connection, rows) for name, rows in COUNTED.items()}
            connection.execute("ROLLBACK")
        return DatabaseReport(version=version, **held, bytes=int(size[0]) if size else 0, problems=problems)

    def copy_to(self, copy: Path) -> None:
        """Copy all rows, as of one moment, into a new SQLite file, even while the database is in use."""
        if (version := self.version()) != HEAD:
            raise older(self.name, version, HEAD)
        create_private(copy)
        target = SqliteDatabase(copy)
        engines = self.reading_engine(), target.writing_engine()
        try:
            with self._errors(), engines[0].connect() as reading, engines[1].connect() as writing:
                create(writing, target.begin, target.mark)
                reading.exec_driver_sql(self.snapshot)
                writing.exec_driver_sql(target.begin)
                copy_rows(reading, writing)
                writing.exec_driver_sql("COMMIT")
                reading.exec_driver_sql("ROLLBACK")
        finally:
            for engine in engines:
                engine.dispose()

    # --- what the writer uses --------------------------------------------------------------------------

    def insert(
        self, driver: psycopg.Connection[Any], rows: list[Row], guards: Sequence[object]
    ) -> set[tuple[str, int]]:
        """Add entries; one statement adds up to `most_rows` entries."""
        lost: set[tuple[str, int]] = set()
        for start in range(0, len(rows), self.most_rows):
            part = rows[start : start + self.most_rows]
            if self.node is None:
                driver.execute(_APPEND_ALONE, (_as_json(part), len(part)), prepare=True)
                continue
            own = zip(part, guards[start : start + self.most_rows], strict=True)
            wanted = _as_json([(*row, epoch) for row, epoch in own]), len(part), self.node
            added = driver.execute(_APPEND_SHARED, wanted, prepare=True)
            if added.rowcount < len(part):
                lost |= {row[:2] for row in part} - set(added.fetchall())
        return lost

    def not_held(self, driver: psycopg.Connection[Any], tables: Mapping[str, object]) -> set[str]:
        """Return which of these tables this server does not own."""
        if self.node is None:
            return set()
        found = driver.execute(_HELD, (list(tables), list(tables.values()), self.node), prepare=True)
        return set(tables) - {table for (table,) in found}

    def last_number(self, driver: psycopg.Connection[Any], table: str) -> int:
        """Return the number of a table's last entry; 0 if it has none."""
        found = driver.execute("SELECT max(number) FROM entries WHERE table_id = %s", (table,)).fetchone()
        return int(found[0] or 0) if found else 0

    def in_transaction(self, driver: psycopg.Connection[Any]) -> bool:
        """Return whether a transaction is open."""
        return driver.info.transaction_status != TransactionStatus.IDLE

    def is_uncertain(self, error: Exception) -> bool:
        """Return whether this error means that the connection broke or the server ended the transaction."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
            return False
        return cause.sqlstate is None or cause.sqlstate[:2] in ("08", "40") or cause.sqlstate[:3] == "57P"

    def no_room(self) -> bool:
        """Return False: the disk is the database server's."""
        return False

    # --- errors ----------------------------------------------------------------------------------------

    def error(self, error: Exception) -> StoreError:
        """Return the `StoreError` for an error of the driver, by its SQLSTATE."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        state = getattr(cause, "sqlstate", None) or ""
        reason = _line(cause)
        match state[:2], state:
            case _, "53100":
                return full(self.name)
            case _, "25006":
                remedy = "name the primary server, not one that follows it"
                return StoreError("store.readonly", f"{self.name}: may not be written ({reason}); {remedy}")
            case _, "42501":
                remedy = "give this user all rights on the schema and its tables"
                return StoreError("store.readonly", f"{self.name}: may not be written ({reason}); {remedy}")
            case _, "55P03":
                return busy(self.name)
            case "23", _:
                return conflict(self.name, reason)
            case "XX", "XX001" | "XX002":
                return corrupt(self.name, reason)
        return StoreError("store.failed", f"{self.name}: {reason}; look at the log of the database server")

    def _unreachable(self, error: psycopg.Error) -> StoreError:
        # The server's message has no SQLSTATE here; in another language than English it gets the general
        # remedy.
        reason = _line(error)
        if "password authentication failed" in reason or "no password supplied" in reason:
            remedy = "look at user and password, in the URL, PGPASSWORD or ~/.pgpass"
        elif "database" in reason and "does not exist" in reason:
            remedy = "create it, for example: createdb -O USER NAME"
        elif "starting up" in reason or "shutting down" in reason or "recovery" in reason:
            remedy = "it will be there soon; try again"
        else:
            remedy = "see that the server runs there, and that host, port, user and database are right"
        return StoreError("store.failed", f"{self.name}: cannot be reached ({reason}); {remedy}")


class _Ownership:
    """The right to write to a database, until `release`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.connection: Connection = engine.connect()

    @property
    def driver(self) -> psycopg.Connection[Any]:
        """The driver's connection."""
        driver = self.connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        return driver

    def release(self) -> None:
        """Close the connection, which releases the right. Calling it again has no effect."""
        self.connection.close()
        self._engine.dispose()


def _read_url(url: str) -> dict[str, Any]:
    """Return the parts of a URL. Raises `StoreError` without showing the parts: one may be a password."""
    try:
        given = {name: value for name, value in conninfo_to_dict(url).items() if value is not None}
    except psycopg.Error:
        given = {"host": "@"}
    if any(sign in str(given.get("host", "")) for sign in "@?#"):
        raise StoreError(
            "store.url",
            f"{POSTGRES[0]}…: is no such URL; expected {POSTGRES[0]}USER:PASSWORD@HOST:PORT/NAME, with signs "
            "such as @ : / ? # % in the password written as %40 %3A %2F %3F %23 %25",
        )
    return given


def _line(error: object) -> str:
    """Return the line of an error's text that states the problem."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(("Multiple connection", "LINE ", "^"))] or [
        "failed"
    ]
    said = next((line for line in lines if not line.startswith(("DETAIL:", "HINT:", "CONTEXT:"))), lines[0])
    return said.rpartition("FATAL: ")[2].strip()


def _count(connection: psycopg.Connection[Any], rows: str) -> int:
    row = connection.execute(f"SELECT count(*) FROM {rows}").fetchone()
    return int(row[0]) if row else 0


def _as_json(rows: Sequence[tuple[Any, ...]]) -> str:
    """Return rows as JSON: an array of arrays, with bytes as base64."""
    return msgspec.json.encode(rows).decode()
