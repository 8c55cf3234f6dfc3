"""The store's asyncio interface. Writes go to the writer's thread, reads to a few others."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
from sqlalchemy import (
    BindParameter,
    Select,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.exc import DBAPIError

from rum500.store._archive import Manifest, write_backup
from rum500.store._check import check_database
from rum500.store._connect import READERS, reading_engine
from rum500.store._errors import StoreError, from_database, no_room
from rum500.store._mistakes import MistakeStore
from rum500.store._notices import NoticeStore
from rum500.store._open import prepare
from rum500.store._owner import Ownership
from rum500.store._prune import Pruning
from rum500.store._puzzles import PuzzleAnswers
from rum500.store._results import ResultStore, new_results
from rum500.store._reviews import ReviewStore
from rum500.store._rows import (
    DatabaseReport,
    GuestRow,
    PruneReport,
    ResultRow,
    StoredEntry,
    TableRow,
    names_of,
    names_text,
)
from rum500.store._write_thread import Observe, Statement, WriteJob, Writer
from rum500.store.paths import SECRET, database_path
from rum500.store.schema import entries, guests, people, tables

T = TypeVar("T")

_TABLE_FIELDS = frozenset(TableRow.__struct_fields__) - {"id", "created"}
_LOG = select(
    entries.c.number, entries.c.at, entries.c.kind, entries.c.data, entries.c.author, entries.c.message
).order_by(entries.c.number)
_TABLE: BindParameter[str] = bindparam("table")
_NEW_TABLE = insert(tables)
_TABLE_CHANGED = update(tables).where(tables.c.id == _TABLE)
_PEOPLE_GONE = delete(people).where(people.c.table_id == _TABLE)
_NEW_PEOPLE = insert(people)
_NEW_GUEST = upsert(guests)
_GUEST_SIGNED_OUT = _NEW_GUEST.on_conflict_do_update(
    index_elements=["id"], set_={"valid_from": _NEW_GUEST.excluded.valid_from}
)
_GUEST_SEEN = _NEW_GUEST.on_conflict_do_update(
    index_elements=["id"], set_={"name": _NEW_GUEST.excluded.name, "seen": _NEW_GUEST.excluded.seen}
)


class Store:
    """A durable, append-only log for each table, an index of the tables, and the guests.

    A call that changes something returns once the change is committed and on the disk; if it raises
    `StoreError`, nothing is changed. Cancelling a waiting caller does not undo its change.
    """

    def __init__(self, path: Path, ownership: Ownership, observe: Observe | None) -> None:
        """Use `Store.open` instead, which prepares the database first."""
        self._path = path
        self._ownership = ownership
        self._writer = Writer(path, observe)
        self._engine = reading_engine(path)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="rum500-reader")
        self._jobs: list[WriteJob] = []
        self._closed = False
        self.results = ResultStore(self._read, self._change)
        """The results of the guests' ended matches."""
        self.reviews = ReviewStore(self._read, self._change)
        """Reviews of deals, and what they come to for the guests."""
        self.notices = NoticeStore(self._read, self._change)
        """Messages to browsers."""
        self.mistakes = MistakeStore(self._read, self._change)
        """The guests' mistakes."""
        self.puzzles = PuzzleAnswers(self._read, self._change)
        """The guests' answers to puzzles."""
        parts = self.puzzles, self.mistakes, self.notices
        self._pruning = Pruning(self._read, self._change, *parts)

    @classmethod
    async def open(cls, url_or_path: str | Path, *, observe: Observe | None = None) -> Self:
        """Return the store of a database, which is created or migrated if necessary.

        `url_or_path` is a file, its directory, or a `sqlite:///` URL. This process owns the database until
        `close`; another process gets `store.locked`. `observe` is called on the writer's thread after each
        commit, with the number of entries and the seconds it took.
        """
        path = database_path(url_or_path)
        ownership = await asyncio.to_thread(prepare, path)
        return cls(path, ownership, observe)

    @property
    def path(self) -> Path:
        """The database's file."""
        return self._path

    @property
    def queued(self) -> int:
        """The number of changes that wait for the next commit."""
        return len(self._jobs) + self._writer.queued

    @property
    def fault(self) -> StoreError | None:
        """The error of the last commit; None if it succeeded."""
        return self._writer.fault

    async def ready(self) -> StoreError | None:
        """Return the error that prevents writing, or None. After a failure, a page is written as a test."""
        if self._closed:
            return StoreError("store.closed", f"{self._path}: the store is closed")
        if self.fault is not None:
            if self.fault.code == "store.full" and no_room(self._path):
                return self.fault
            try:
                await self._change(statements=[(text("PRAGMA user_version = 0"), None)])
            except StoreError as error:
                return error
        return None

    # --- logs ------------------------------------------------------------------------------------------

    async def append(
        self, table: str, new: Sequence[StoredEntry], *, results: Sequence[ResultRow] = (), **fields: Any
    ) -> None:
        """Add entries to a table's log and, in the same transaction, results, and `fields` of its row.

        Raises `store.conflict` if the numbers do not continue the log, or if the table already has a message
        with this id by this author.
        """
        rows = [(table, one.number, one.at, one.kind, one.data, one.author, one.message) for one in new]
        statements = [*(_changes(table, fields) if fields else []), *new_results(results)]
        await self._change(table=table, rows=rows, statements=statements, must_match=bool(fields))

    async def entries(self, table: str, after: int = 0) -> list[StoredEntry]:
        """Return the entries of a table's log with numbers above `after`, in order."""
        wanted = _LOG.where(entries.c.table_id == table, entries.c.number > after)
        return [StoredEntry(*row) for row in await self._read(wanted)]

    async def first_entries(self, ids: Sequence[str]) -> dict[str, StoredEntry]:
        """Return the first entry of each of these tables' logs, by table."""
        if not ids:
            return {}
        wanted = select(entries.c.table_id, *_LOG.selected_columns).where(
            entries.c.table_id.in_(ids), entries.c.number == 1
        )
        return {table: StoredEntry(*row) for table, *row in await self._read(wanted)}

    # --- the index of tables ---------------------------------------------------------------------------

    async def create_table(self, row: TableRow, first: Sequence[StoredEntry] = ()) -> None:
        """Add a table with the first entries of its log. Raises `store.conflict` if the id exists."""
        values = msgspec.structs.asdict(row) | {"people": names_text(row.people)}
        statements = [(_NEW_TABLE, values), *_people(row.id, row.people)]
        rows = [(row.id, one.number, one.at, one.kind, one.data, one.author, one.message) for one in first]
        await self._change(table=row.id, rows=rows, statements=statements)

    async def update_table(self, table: str, **fields: Any) -> None:
        """Change fields of a table's row, except `id` and `created`.

        Raises `store.missing` if there is no such table.
        """
        await self._change(table=table, statements=_changes(table, fields), must_match=True)

    async def table(self, table: str) -> TableRow | None:
        """Return the row of a table; None if there is none."""
        rows = await self._read(select(tables).where(tables.c.id == table))
        return _table(rows[0]) if rows else None

    async def tables(
        self,
        *,
        status: Collection[str] = (),
        private: bool | None = None,
        guest: str | None = None,
        since: int = 0,
        limit: int = 100,
    ) -> list[TableRow]:
        """Return tables, the last changed first, that match all given conditions.

        `status` is any of these (empty: all), `guest` a guest at the table, and `since` the earliest time of
        the last change, in milliseconds since 1970.
        """
        wanted = select(tables).order_by(tables.c.updated.desc(), tables.c.id).limit(limit)
        if status:
            wanted = wanted.where(tables.c.status.in_(status))
        if since:
            wanted = wanted.where(tables.c.updated >= since)
        if private is not None:
            wanted = wanted.where(tables.c.private == private)
        if guest is not None:
            wanted = wanted.join(people, people.c.table_id == tables.c.id).where(people.c.guest_id == guest)
        return [_table(row) for row in await self._read(wanted)]

    async def due(self, until: int) -> list[str]:
        """Return the tables that have to be loaded by this time, in ms since 1970, earliest first."""
        wanted = select(tables.c.id).where(tables.c.due <= until).order_by(tables.c.due)
        return [row[0] for row in await self._read(wanted)]

    async def next_due(self, after: int) -> int | None:
        """Return the next time after this one at which a table has to be loaded; None if there is none."""
        wanted = select(func.min(tables.c.due)).where(tables.c.due > after)
        due: int | None = (await self._read(wanted))[0][0]
        return due

    # --- guests ----------------------------------------------------------------------------------------

    async def guest(self, guest: str) -> GuestRow | None:
        """Return the guest with this id; None if there is none."""
        rows = await self._read(select(guests).where(guests.c.id == guest))
        return GuestRow(*rows[0]) if rows else None

    async def save_guest(self, guest: str, name: str, seen: int) -> None:
        """Store a guest's name and last visit. On the first call the time is also stored as `since`."""
        values = {"id": guest, "name": name, "since": seen, "seen": seen}
        await self._change(statements=[(_GUEST_SEEN, values)])

    async def sign_out(self, guest: str, valid_from: int) -> None:
        """Store the time from which on cookies of this guest count, in milliseconds since 1970."""
        values = {"id": guest, "name": "", "since": valid_from, "seen": valid_from, "valid_from": valid_from}
        await self._change(statements=[(_GUEST_SIGNED_OUT, values)])

    async def prune(
        self, before: int, *, keep: Callable[[str], bool] = lambda _: False, dry_run: bool = False
    ) -> PruneReport:
        """Remove the tables that were last changed before this time, in ms since 1970, with logs and results.

        Tables that `keep` returns True for stay, and those whose clock of days runs. Also removed are the
        guests, browsers, mistakes and answers to puzzles of those who have no other table, and neither were
        seen nor practised since that time, but no guest some of whose cookies do not count: without the row
        they would again. `dry_run` only counts.
        """
        return await self._pruning.prune(before, keep, dry_run)

    # --- the whole -------------------------------------------------------------------------------------

    async def backup(self, file: str | Path, secret: Path | None = None, *, force: bool = False) -> Manifest:
        """Write a verified backup of everything that is committed, and of the cookies' key, during play.

        The key is beside the database unless `secret` is given.
        """
        secret = secret or self._path.with_name(SECRET)
        return await asyncio.to_thread(write_backup, self._path, secret, Path(file), force=force)

    async def check(self) -> DatabaseReport:
        """Check the whole database and return the result."""
        return await asyncio.to_thread(check_database, self._path)

    async def close(self) -> None:
        """Commit queued changes, then release the database. Calling it again has no effect."""
        if not self._closed:
            self._hand_over()
            self._closed = True
            await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._readers.shutdown()
        self._engine.dispose()
        self._writer.stop()
        self._ownership.release()

    # --- threads ---------------------------------------------------------------------------------------

    async def _change(self, **job: Any) -> None:
        if self._closed:
            raise StoreError("store.closed", f"{self._path}: the store is closed; nothing more is written")
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        if not self._jobs:
            loop.call_soon(self._hand_over)
        self._jobs.append(WriteJob(future, **job))
        await future

    def _hand_over(self) -> None:
        """Pass on the changes of one turn of the event loop: the writer's thread is woken once for all."""
        jobs, self._jobs = self._jobs, []
        if jobs:
            self._writer.submit(jobs)

    async def _read(self, wanted: Select[Any]) -> Sequence[Sequence[Any]]:
        if self._closed:
            raise StoreError("store.closed", f"{self._path}: the store is closed; nothing more is read")
        return await self._in_reader(lambda: self._rows(wanted))

    async def _in_reader(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, call)

    def _rows(self, wanted: Select[Any]) -> Sequence[Sequence[Any]]:
        try:
            with self._engine.connect() as connection:
                return connection.execute(wanted).all()
        except (DBAPIError, sqlite3.Error) as error:
            raise from_database(error, self._path) from None


def _table(row: Sequence[Any]) -> TableRow:
    values = dict(zip(tables.columns.keys(), row, strict=True))
    return TableRow(**values | {"people": names_of(values["people"])})


def _changes(table: str, fields: dict[str, Any]) -> list[Statement]:
    """Return the statements that change a table's row; the row itself comes first."""
    unknown = fields.keys() - _TABLE_FIELDS
    if unknown or not fields:
        raise TypeError(
            f"{', '.join(sorted(unknown)) or 'nothing'}: expected some of {', '.join(sorted(_TABLE_FIELDS))}"
        )
    values = {"table": table, **fields}
    if "people" not in fields:
        return [(_TABLE_CHANGED, values)]
    values["people"] = names_text(fields["people"])
    return [(_TABLE_CHANGED, values), (_PEOPLE_GONE, {"table": table}), *_people(table, fields["people"])]


def _people(table: str, ids: Sequence[str]) -> list[Statement]:
    """Return the statements that add these people to a table that has none."""
    rows = [{"guest_id": guest, "table_id": table} for guest in dict.fromkeys(ids)]
    return [(_NEW_PEOPLE, rows)] if rows else []
