"""Checks of `rum500 doctor` on a database server: whether it is reachable, keeps commits, and how fast."""

from __future__ import annotations

import time
from collections.abc import Iterator

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from rum500.cli._data_checks import CheckResult
from rum500.cli._disk_checks import COMMITS, SECONDS, commit_result
from rum500.store import Database, StoreError

_PROMISES = {
    "fsync": "a loss of power loses moves, or the whole database",
    "full_page_writes": "a loss of power can damage the database",
}
"""Settings of the database server that must be on, and what happens if they are off."""


def check_server(database: Database) -> Iterator[CheckResult]:
    """Yield the results for the server's version, its settings that protect moves, and its commit time."""
    engine = database.reading_engine()
    try:
        with engine.connect() as connection:
            version = connection.exec_driver_sql("SHOW server_version").scalar_one()
            yield CheckResult("server", "ok", f"{database.name}: PostgreSQL {version}")
            for name, loss in _PROMISES.items():
                if connection.exec_driver_sql(f"SHOW {name}").scalar_one() != "on":
                    yield CheckResult("server", "bad", f"{name} is off: {loss}; turn it on")
            yield _commits(connection)
    except StoreError as error:
        yield CheckResult("server", "bad", error.message)
    except DBAPIError as error:
        yield CheckResult("server", "bad", database.error(error).message)
    finally:
        engine.dispose()


def _commits(connection: Connection) -> CheckResult:
    """Measure the time of successive commits, each as large as the commit of a move. No rows are left."""
    times: list[float] = []
    until = time.perf_counter() + SECONDS
    connection.exec_driver_sql("SET default_transaction_read_only = off")
    while len(times) < COMMITS and time.perf_counter() < until:
        began = time.perf_counter()
        connection.exec_driver_sql("SELECT pg_logical_emit_message(true, 'rum500', repeat('x', 150))")
        times.append(time.perf_counter() - began)
    return commit_result("server", times, "players will feel it; a nearer or faster server helps")
