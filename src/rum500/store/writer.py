"""The writer: a thread that writes, in one commit, all changes that arrived during its previous commit."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from sqlalchemy import Connection, Engine, Select, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import Executable

from rum500.store.database import Database
from rum500.store.errors import StoreError, TableLost, TakenError, failed, from_os
from rum500.store.rows import Row
from rum500.store.schema import entries

Statement = tuple[Executable, Mapping[str, Any] | Sequence[Mapping[str, Any]] | None]
"""A statement and its parameters. With a list of parameters it runs once for each."""
Observe = Callable[[int, float], None]
Read = Callable[[Select[Any]], Awaitable[Sequence[Sequence[Any]]]]
"""The store's function that reads rows."""
Change = Callable[..., Awaitable[None]]
"""The store's function that makes a change; its arguments are the fields of a `WriteJob`."""

_Place = tuple[object, int]
"""(guard of the job that wrote the last entry of a table's log, number of that entry)."""

_MOST_JOBS = 1000
_PATIENCE = 10.0
"""How many seconds the writer tries to find out whether a commit succeeded, before callers get an error."""
_PAUSE = 0.2
_NOTIFIED_AT_ONCE = 16
"""How many callers are notified in one turn of their event loop; hundreds would block it."""

_ITS_OWN = (StoreError, OverflowError, TypeError, ValueError)
"""Errors caused by one job's contents, like the database's `faults`: other jobs of a batch may succeed."""
_SAME_ENTRY = select(
    entries.c.at, entries.c.kind, entries.c.data, entries.c.author, entries.c.message, entries.c.checksum
)


@dataclass(slots=True, eq=False)
class WriteJob:
    """One caller's change, which is made completely or not at all."""

    future: asyncio.Future[None]
    """Resolved after the commit."""
    table: str = ""
    """The table's id; empty for changes that belong to no table."""
    rows: Sequence[Row] = ()
    """New entries of the table, in order."""
    statements: Sequence[Statement] = ()
    """Other changes, made before the entries are added."""
    must_match: bool = False
    """Whether the first statement must find the table's row."""
    guard: object = None
    """What a shared database checks before it adds the entries; see `Database.insert`."""


class Writer:
    """A writing thread, its queue and its connection. Any thread with an event loop may call `submit`."""

    def __init__(self, database: Database, observe: Observe | None = None, number: int = 1) -> None:
        """Start the thread. Several writers of a database have different numbers and different tables."""
        self._database = database
        self._shared = database.shared
        self._number = number
        self._its_own: tuple[type[Exception], ...] = (*_ITS_OWN, *database.faults)
        self._raised: tuple[type[Exception], ...] = (DBAPIError, *database.raised)
        self._observe = observe
        self._queue: SimpleQueue[Sequence[WriteJob] | None] = SimpleQueue()
        self._submitted = 0
        self._taken = 0
        self._gate = threading.Lock()
        self._open = True
        self._last: dict[str, _Place] = {}
        self._engine: Engine | None = None
        self._connection: Connection | None = None
        self._sent: tuple[Sequence[WriteJob], dict[WriteJob, StoreError]] | None = None
        self.fault: StoreError | None = None
        """Why the last commit failed; None after a successful one."""
        self._thread = threading.Thread(target=self._run, name="rum500-writer", daemon=True)
        self._thread.start()

    @property
    def queued(self) -> int:
        """The number of jobs that wait for the next commit."""
        return self._submitted - self._taken

    def submit(self, jobs: Sequence[WriteJob]) -> None:
        """Queue jobs for one commit. The future of each is resolved when the job is committed or refused."""
        with self._gate:
            if not self._open:
                raise StoreError(
                    "store.closed", f"{self._database.name}: the store is closed; nothing more is written"
                )
            self._submitted += len(jobs)
            self._queue.put(jobs)

    def stop(self) -> None:
        """Commit queued jobs and end the thread; block until it has ended."""
        with self._gate:
            if self._open:
                self._open = False
                self._queue.put(None)
        self._thread.join()

    # --- the thread ------------------------------------------------------------------------------------

    def _run(self) -> None:
        with contextlib.suppress(StoreError, OSError, *self._raised):
            self._driver()  # connects, so that the first job does not wait for it
        on = True
        while on:
            batch: list[WriteJob] = []
            given = self._queue.get()
            with contextlib.suppress(Empty):
                while given is not None:
                    batch += given
                    if len(batch) >= _MOST_JOBS:
                        break
                    given = self._queue.get_nowait()
            on = given is not None  # None is the end of the queue
            if batch:
                self._taken += len(batch)
                self._serve(batch)
        self._disconnect()

    def _serve(self, jobs: list[WriteJob]) -> None:
        began = time.perf_counter()
        self._sent = None
        try:
            try:
                refused = self._commit(jobs)
            except Exception as error:
                if not self._database.is_uncertain(error):
                    raise
                refused = self._commit_again(jobs, error)
            if len(refused) < len(jobs):
                self.fault = None
        except Exception as error:  # noqa: BLE001 - later jobs must still be served
            refused = self._all_failed(jobs, self._error(error))
        _resolve(jobs, refused)
        if self._observe is not None and self.fault is None:
            rows = sum(len(job.rows) for job in jobs if job not in refused)
            self._observe(rows, time.perf_counter() - began)

    def _all_failed(self, jobs: Iterable[WriteJob], error: StoreError) -> dict[WriteJob, StoreError]:
        self.fault = error
        try:
            self._roll_back()
        except Exception:  # noqa: BLE001 - if the thread ended, no caller would get an answer
            self._disconnect()
        if error.code in ("store.failed", "store.corrupt", "store.foreign"):
            self._disconnect()  # a new connection has no stale cache
        return {job: StoreError(error.code, error.message) for job in jobs}

    # --- committing ------------------------------------------------------------------------------------

    def _commit(self, jobs: Sequence[WriteJob]) -> dict[WriteJob, StoreError]:
        """Write all jobs in one transaction; return the jobs that were refused, with their errors."""
        refused: dict[WriteJob, StoreError] = {}
        last: dict[str, _Place] = {}
        for job in jobs:
            wrong = self._out_of_order(job, last)
            if wrong is not None:
                refused[job] = wrong
        good = [job for job in jobs if job not in refused]
        self._sent = good, refused
        try:
            lost = self._write(good)
        except self._its_own:
            # A job is faulty: find it, and write the others.
            self._roll_back()
            refused, last = self._write_one_by_one(jobs)
        else:
            refused |= {job: TableLost(job.table) for job in lost}
        self._last.update(last)
        for job, error in refused.items():
            if isinstance(error, TableLost):
                self._last.pop(job.table, None)
        return refused

    def _write(self, jobs: Sequence[WriteJob]) -> list[WriteJob]:
        """Write these jobs in one transaction; return those not written because of an outdated guard."""
        driver = self._driver()
        if not any(job.statements for job in jobs):
            rows = [row for job in jobs for row in job.rows]
            if not rows:
                return []
            if len(rows) <= self._database.most_rows:
                # A single statement is a transaction, with one release of the GIL instead of three.
                return self._insert(driver, jobs, rows)
        driver.execute(self._database.begin)
        lost: list[WriteJob] = []
        if self._shared and (guards := {job.table: job.guard for job in jobs if job.rows and job.must_match}):
            foreign = self._database.not_held(driver, guards)
            lost = [job for job in jobs if job.table in foreign and job.must_match]
            jobs = [job for job in jobs if job not in lost]
        for job in jobs:
            if job.statements:
                self._execute(job)
        lost += self._insert(driver, jobs, [row for job in jobs for row in job.rows])
        driver.execute("COMMIT")
        return lost

    def _insert(self, driver: Any, jobs: Sequence[WriteJob], rows: list[Row]) -> list[WriteJob]:
        guards = [job.guard for job in jobs for _ in job.rows] if self._shared else ()
        lost = self._database.insert(driver, rows, guards)
        return [job for job in jobs if any(row[:2] in lost for row in job.rows)] if lost else []

    def _write_one_by_one(
        self, jobs: Sequence[WriteJob]
    ) -> tuple[dict[WriteJob, StoreError], dict[str, _Place]]:
        refused: dict[WriteJob, StoreError] = {}
        last: dict[str, _Place] = {}
        driver = self._driver()
        driver.execute(self._database.begin)
        for job in jobs:
            before = dict(last)
            driver.execute("SAVEPOINT job")
            try:
                wrong = self._out_of_order(job, last)
                if wrong is None:
                    self._execute(job)
                    if self._insert(driver, [job], list(job.rows)):
                        wrong = TableLost(job.table)
            except self._its_own as error:
                wrong = self._error(error)
            if wrong is not None:
                driver.execute("ROLLBACK TO job")
                refused[job], last = wrong, before
            driver.execute("RELEASE job")
        self._sent = [job for job in jobs if job not in refused], refused
        driver.execute("COMMIT")
        return refused, last

    def _commit_again(self, jobs: Sequence[WriteJob], error: Exception) -> dict[WriteJob, StoreError]:
        """Find out whether a commit with a lost answer succeeded; repeat the jobs that are not stored.

        The log shows which jobs are stored. No caller gets a result before the log has been read. Returns the
        errors of the refused jobs. Raises the last error if the log cannot be read.
        """
        until = time.monotonic() + _PATIENCE
        while True:
            self.fault = self._error(error)
            self._disconnect()
            try:
                with contextlib.suppress(TakenError):  # then no statement is running, so the log can be read
                    self._driver()
                if self._sent is not None:
                    sent, refused = self._sent
                    done = self._stored(sent)
                    rest = [job for job in jobs if job not in done and job not in refused]
                    return refused | (self._commit(rest) if rest else {})
                return self._commit(jobs)
            except TakenError:
                raise
            except Exception as again:
                error = again
                lasts = isinstance(again, StoreError) or self._database.is_uncertain(again)
                if not lasts or time.monotonic() >= until or not self._open:
                    raise
                self._refuse_waiting(self._error(again))
                time.sleep(_PAUSE)

    def _refuse_waiting(self, error: StoreError) -> None:
        """Refuse the jobs in the queue, none of which was sent to the database."""
        jobs: list[WriteJob] = []
        with contextlib.suppress(Empty):
            while (given := self._queue.get_nowait()) is not None:
                jobs += given
            self._queue.put(None)
        self._taken += len(jobs)
        _resolve(jobs, {job: StoreError(error.code, error.message) for job in jobs})

    def _stored(self, jobs: Sequence[WriteJob]) -> Collection[WriteJob]:
        """Return which of the jobs that were sent in one transaction are stored, according to the log.

        In a shared database some may be stored and others not. Jobs without entries count as not stored;
        repeating them does no harm.
        """
        writing = [job for job in jobs if job.rows]
        engine = self._database.reading_engine()
        try:
            with engine.connect() as connection:
                if self._shared:
                    return [job for job in writing if _is_in_log(connection, job)]
                return jobs if writing and _is_in_log(connection, writing[0]) else ()
        finally:
            engine.dispose()

    def _error(self, error: Exception) -> StoreError:
        match error:
            case StoreError():
                return error
            case _ if isinstance(error, self._raised):
                return self._database.error(error)
            case OSError() if self._database.file is not None:
                return from_os(error, self._database.file)
            case _:
                return failed(self._database.name, f"{type(error).__name__}: {error}")

    def _out_of_order(self, job: WriteJob, last: dict[str, _Place]) -> StoreError | None:
        """Return an error if the job's entries do not continue their table's log; otherwise update `last`."""
        if not job.rows:
            return None
        known = last.get(job.table) or self._last.get(job.table)
        if known is not None and known[0] == job.guard:
            number = known[1]
        else:  # the last number is unknown, or outdated because the guard has changed
            number = self._database.last_number(self._driver(), job.table)
        for row in job.rows:
            number += 1
            if row[1] != number:
                return StoreError(
                    "store.conflict",
                    f"table {job.table}: found entry {row[1]}, expected {number}; read the table again",
                )
        last[job.table] = job.guard, number
        return None

    def _execute(self, job: WriteJob) -> None:
        self._driver()
        assert self._connection is not None
        for place, (statement, parameters) in enumerate(job.statements):
            matched = self._connection.execute(statement, parameters).rowcount
            if place == 0 and job.must_match and matched == 0:
                raise StoreError("store.missing", f"table {job.table}: there is no such table")

    def _roll_back(self) -> None:
        if self._connection is not None and self._database.in_transaction(self._driver()):
            self._driver().execute("ROLLBACK")

    # --- the connection --------------------------------------------------------------------------------

    def _driver(self) -> Any:
        """Return the driver's connection; connect again after a failure."""
        if self._connection is None:
            self._engine = self._database.writing_engine(self._number)
            self._connection = self._engine.connect()
        return self._connection.connection.driver_connection

    def _disconnect(self) -> None:
        self._last.clear()
        connection, engine = self._connection, self._engine
        self._connection = self._engine = None
        with contextlib.suppress(Exception):
            if connection is not None:
                connection.invalidate()  # do not reset a connection that may be broken
                connection.close()
            if engine is not None:
                engine.dispose()


def _is_in_log(connection: Connection, job: WriteJob) -> bool:
    """Return whether the job's first entry is in the log."""
    table, number, *fields = job.rows[0]
    wanted = _SAME_ENTRY.where(entries.c.table_id == table, entries.c.number == number)
    found = connection.execute(wanted).first()
    return found is not None and list(found) == fields


def _resolve(jobs: Sequence[WriteJob], refused: dict[WriteJob, StoreError]) -> None:
    """Resolve the futures of all jobs, with one wake-up of each event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[WriteJob]] = {}
    for job in jobs:
        loops.setdefault(job.future.get_loop(), []).append(job)
    for loop, its in loops.items():
        with contextlib.suppress(RuntimeError):  # the event loop is closed
            loop.call_soon_threadsafe(_notify, its, refused)


def _notify(jobs: Sequence[WriteJob], refused: dict[WriteJob, StoreError]) -> None:
    for job in jobs[:_NOTIFIED_AT_ONCE]:
        if job.future.done():  # the caller was cancelled
            continue
        if job in refused:
            job.future.set_exception(refused[job])
        else:
            job.future.set_result(None)
    if rest := jobs[_NOTIFIED_AT_ONCE:]:
        rest[0].future.get_loop().call_soon(_notify, rest, refused)
