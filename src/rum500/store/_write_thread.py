"""The writer: a thread that commits together all changes that arrived during its previous commit."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from sqlalchemy import Connection, Engine, Select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, ProgrammingError
from sqlalchemy.sql import Executable

from rum500.store._connect import writing_engine
from rum500.store._errors import StoreError, failed, from_database, from_os

Row = tuple[str, int, int, str, bytes, str | None, str | None]
"""An entry for the driver: table, number, at, kind, data, author, message."""
Statement = tuple[Executable, Mapping[str, Any] | Sequence[Mapping[str, Any]] | None]
"""A statement and its parameters. With a list of parameters it runs once for each."""
Observe = Callable[[int, float], None]
Read = Callable[[Select[Any]], Awaitable[Sequence[Sequence[Any]]]]
"""The store's way to read rows."""
Change = Callable[..., Awaitable[None]]
"""The store's way to make a change; it takes the fields of a `WriteJob`."""

_COLUMNS = "table_id, number, at, kind, data, author, message"
_MOST_JOBS = 1000
_MOST_ROWS = 64
"""The largest number of rows in a statement. The driver caches one statement for each number."""
_TOLD_AT_ONCE = 16
"""The number of callers notified in one turn of their event loop; hundreds would block it."""

_ITS_OWN = (
    StoreError,
    sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
    sqlite3.DataError,
    IntegrityError,
    ProgrammingError,
    InterfaceError,
    DataError,
    OverflowError,
    TypeError,
    ValueError,
)
"""Errors caused by the contents of one job, which need not affect the others in its batch."""


@dataclass(slots=True, eq=False)
class WriteJob:
    """One caller's change, which is made completely or not at all."""

    future: asyncio.Future[None]
    """The future that is resolved after the commit."""
    table: str = ""
    """The table's id."""
    rows: Sequence[Row] = ()
    """New entries of the table, in order."""
    statements: Sequence[Statement] = ()
    """Other changes, made before the entries are added."""
    must_match: bool = False
    """Whether the first of the statements must find the table's row."""


class Writer:
    """The thread, its queue and its connection. `submit` may be called from any thread with an event loop."""

    def __init__(self, path: Path, observe: Observe | None = None) -> None:
        self._path = path
        self._observe = observe
        self._queue: SimpleQueue[WriteJob | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._open = True
        self._last: dict[str, int] = {}
        self._engine: Engine | None = None
        self._connection: Connection | None = None
        self.fault: StoreError | None = None
        """Why the last commit failed; None once one succeeds again."""
        self._thread = threading.Thread(target=self._run, name="rum500-writer", daemon=True)
        self._thread.start()

    @property
    def queued(self) -> int:
        """The number of jobs that wait for the next commit."""
        return self._queue.qsize()

    def submit(self, jobs: Iterable[WriteJob]) -> None:
        """Queue jobs; the future of each is resolved once it is committed or refused."""
        with self._gate:
            if not self._open:
                raise StoreError(
                    "store.closed", f"{self._path}: the store is closed; nothing more is written"
                )
            for job in jobs:
                self._queue.put(job)

    def stop(self) -> None:
        """Commit queued jobs, then end the thread; block until it has ended."""
        with self._gate:
            if self._open:
                self._open = False
                self._queue.put(None)
        self._thread.join()

    # --- the thread ------------------------------------------------------------------------------------

    def _run(self) -> None:
        with contextlib.suppress(DBAPIError, sqlite3.Error, OSError):
            self._driver()  # so that the first job need not wait for it
        on = True
        while on:
            jobs = [self._queue.get()]
            with contextlib.suppress(Empty):
                while len(jobs) < _MOST_JOBS:
                    jobs.append(self._queue.get_nowait())
            if jobs[-1] is None:  # nothing can come after it
                jobs.pop()
                on = False
            batch = [job for job in jobs if job is not None]
            if batch:
                self._serve(batch)
        self._disconnect()

    def _serve(self, jobs: list[WriteJob]) -> None:
        began = time.perf_counter()
        try:
            refused = self._commit(jobs)
            if len(refused) < len(jobs):
                self.fault = None
        except OSError as error:
            refused = self._all_failed(jobs, from_os(error, self._path))
        except Exception as error:  # noqa: BLE001 - later jobs must still be served
            refused = self._all_failed(jobs, self._told(error))
        _resolve(jobs, refused)
        if self._observe is not None and self.fault is None:
            rows = sum(len(job.rows) for job in jobs if job not in refused)
            self._observe(rows, time.perf_counter() - began)

    def _all_failed(self, jobs: Iterable[WriteJob], error: StoreError) -> dict[WriteJob, StoreError]:
        self.fault = error
        try:
            self._roll_back()
        except Exception:  # noqa: BLE001 - if the thread ended, all callers would wait for ever
            self._disconnect()
        if error.code in ("store.failed", "store.corrupt", "store.foreign"):
            self._disconnect()  # a new connection has no stale cache
        return {job: StoreError(error.code, error.message) for job in jobs}

    # --- committing ------------------------------------------------------------------------------------

    def _commit(self, jobs: Sequence[WriteJob]) -> dict[WriteJob, StoreError]:
        """Write all jobs in one transaction; return the errors of those that are left out."""
        refused: dict[WriteJob, StoreError] = {}
        last: dict[str, int] = {}
        for job in jobs:
            wrong = self._out_of_order(job, last)
            if wrong is not None:
                refused[job] = wrong
        good = [job for job in jobs if job not in refused]
        try:
            self._write(good)
        except _ITS_OWN:
            # One job is faulty. Find it, so that the others are still written.
            self._roll_back()
            refused, last = self._write_one_by_one(jobs)
        self._last.update(last)
        return refused

    def _write(self, jobs: Sequence[WriteJob]) -> None:
        rows = [row for job in jobs for row in job.rows]
        statements = any(job.statements for job in jobs)
        if not statements and len(rows) <= _MOST_ROWS:
            if (
                rows
            ):  # a single statement is a transaction of its own, and one release of the GIL instead of three
                self._insert(rows)
            return
        driver = self._driver()
        driver.execute("BEGIN IMMEDIATE")
        for job in jobs:
            if job.statements:
                self._execute(job)
        self._insert(rows)
        driver.execute("COMMIT")

    def _write_one_by_one(
        self, jobs: Sequence[WriteJob]
    ) -> tuple[dict[WriteJob, StoreError], dict[str, int]]:
        refused: dict[WriteJob, StoreError] = {}
        last: dict[str, int] = {}
        driver = self._driver()
        driver.execute("BEGIN IMMEDIATE")
        for job in jobs:
            before = dict(last)
            driver.execute("SAVEPOINT job")
            try:
                wrong = self._out_of_order(job, last)
                if wrong is None:
                    self._execute(job)
                    self._insert(job.rows)
            except _ITS_OWN as error:
                wrong = self._told(error)
            if wrong is not None:
                driver.execute("ROLLBACK TO job")
                refused[job], last = wrong, before
            driver.execute("RELEASE job")
        driver.execute("COMMIT")
        return refused, last

    def _told(self, error: Exception) -> StoreError:
        match error:
            case StoreError():
                return error
            case sqlite3.Error() | DBAPIError():
                return from_database(error, self._path)
            case _:
                return failed(self._path, f"{type(error).__name__}: {error}")

    def _out_of_order(self, job: WriteJob, last: dict[str, int]) -> StoreError | None:
        """Return an error if the job's entries do not continue their table; else update `last`."""
        if not job.rows:
            return None
        number = last.get(job.table) or self._last_number(job.table)
        for row in job.rows:
            number += 1
            if row[1] != number:
                return StoreError(
                    "store.conflict",
                    f"table {job.table}: found entry {row[1]}, expected {number}; read the table again",
                )
        last[job.table] = number
        return None

    def _last_number(self, table: str) -> int:
        if table not in self._last:
            found = self._driver().execute("SELECT max(number) FROM entries WHERE table_id = ?", (table,))
            self._last[table] = found.fetchone()[0] or 0
        return self._last[table]

    def _insert(self, rows: Sequence[Row]) -> None:
        driver = self._driver()
        for start in range(0, len(rows), _MOST_ROWS):
            part = rows[start : start + _MOST_ROWS]
            driver.execute(_insertion(len(part)), [value for row in part for value in row])

    def _execute(self, job: WriteJob) -> None:
        self._driver()
        assert self._connection is not None
        for place, (statement, parameters) in enumerate(job.statements):
            matched = self._connection.execute(statement, parameters).rowcount
            if place == 0 and job.must_match and matched == 0:
                raise StoreError("store.missing", f"table {job.table}: there is no such table")

    def _roll_back(self) -> None:
        if self._connection is not None and self._driver().in_transaction:
            self._driver().execute("ROLLBACK")

    # --- the connection --------------------------------------------------------------------------------

    def _driver(self) -> sqlite3.Connection:
        """Return the driver's connection, which is opened again after a failure."""
        if self._connection is None:
            self._engine = writing_engine(self._path)
            self._connection = self._engine.connect()
        driver = self._connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return driver

    def _disconnect(self) -> None:
        self._last.clear()
        connection, engine = self._connection, self._engine
        self._connection = self._engine = None
        with contextlib.suppress(Exception):
            if connection is not None:
                connection.close()
            if engine is not None:
                engine.dispose()


@cache
def _insertion(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * rows)
    return f"INSERT INTO entries ({_COLUMNS}) VALUES {values}"  # noqa: S608 - made of constants


def _resolve(jobs: Sequence[WriteJob], refused: dict[WriteJob, StoreError]) -> None:
    """Resolve all futures, with one wake-up of each event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[WriteJob]] = {}
    for job in jobs:
        loops.setdefault(job.future.get_loop(), []).append(job)
    for loop, its in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(_tell, its, refused)


def _tell(jobs: Sequence[WriteJob], refused: dict[WriteJob, StoreError]) -> None:
    for job in jobs[:_TOLD_AT_ONCE]:
        if job.future.done():  # its caller was cancelled
            continue
        if job in refused:
            job.future.set_exception(refused[job])
        else:
            job.future.set_result(None)
    if rest := jobs[_TOLD_AT_ONCE:]:
        rest[0].future.get_loop().call_soon(_tell, rest, refused)
