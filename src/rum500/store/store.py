"""The store's asyncio interface. Writers' threads execute changes, a few other threads execute reads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    bindparam,
    delete,
    false,
    func,
    insert,
    select,
    text,
    true,
    update,
)
from sqlalchemy.exc import DBAPIError

from rum500.store._batches import Batches
from rum500.store._sqlite_file import READERS
from rum500.store._store_part import upsert
from rum500.store.backup import write_backup
from rum500.store.backup_file import Manifest
from rum500.store.database import Database, Owned, database_of
from rum500.store.day_deals import DayDealStore, ended_attempt
from rum500.store.device_store import DeviceStore
from rum500.store.errors import StoreError
from rum500.store.guest_data_store import GuestDataStore
from rum500.store.league_store import LeagueStore
from rum500.store.mistake_store import MistakeStore
from rum500.store.notice_store import NoticeStore
from rum500.store.pads import Pads
from rum500.store.paths import SECRET
from rum500.store.people_store import PeopleStore
from rum500.store.prune import find_unused
from rum500.store.put_away import PutAwayTables
from rum500.store.puzzle_answers import PuzzleAnswers
from rum500.store.result_store import ResultStore, new_results
from rum500.store.review_store import ReviewStore
from rum500.store.rows import (
    DatabaseReport,
    DayAttempt,
    GuestRow,
    PruneReport,
    ResultRow,
    Row,
    StoredEntry,
    TableRow,
    names_of,
    names_text,
)
from rum500.store.schema import entries, guests, people, tables
from rum500.store.writer import Observe, Statement, WriteJob, Writer

T = TypeVar("T")

_MOST_LOGS = 16
"""The largest number of logs that are read with one statement; logs may be long."""
_TABLE_FIELDS = frozenset(TableRow.__struct_fields__) - {"id", "created"}
_LOG = select(*(entries.c[name] for name in StoredEntry.__struct_fields__)).order_by(entries.c.number)
_TABLE_ROW = [tables.c[name] for name in TableRow.__struct_fields__]
_TABLE: BindParameter[str] = bindparam("table")
_NEW_TABLE = insert(tables)
_TABLE_CHANGED = update(tables).where(tables.c.id == _TABLE)
_LISTED = update(tables).where(tables.c.id == _TABLE).values(listed_by=bindparam("by"))
_UNLISTED = update(tables).where(tables.c.listed_by.is_not(None)).values(listed_by=None)
_PEOPLE_GONE = delete(people).where(people.c.table_id == _TABLE)
_NEW_PEOPLE = insert(people)
_GUEST_SIGNED_OUT = upsert(guests, ["valid_from"])
_GUEST_SEEN = upsert(guests, ["name", "seen"])
_GUEST_SPEED = upsert(guests, ["speed"])
_GUEST_PRESENCE = upsert(guests, ["shows_presence"])


class Store:
    """A durable, append-only log for each table, an index of the tables, and the guests.

    A call that changes something returns once the change is committed and on the disk; if it raises
    `StoreError`, nothing is changed. Cancelling a waiting caller does not undo its change.
    """

    def __init__(
        self,
        database: Database,
        ownership: Owned,
        observe: Observe | None,
        *,
        new: bool,
    ) -> None:
        """Set the parts. Use `Store.open` instead, which prepares the database first."""
        self._database = database
        self.new = new
        """Whether opening created the database."""
        self._ownership = ownership
        # The same writer always writes a table, so the changes of a table stay in order.
        self._writers = [Writer(database, observe, number + 1) for number in range(database.writers)]
        self._engine = database.reading_engine()
        self._raised: tuple[type[Exception], ...] = (DBAPIError, *database.raised)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="rum500-reader")
        self._logs = Batches(self._read_logs, _MOST_LOGS)
        self._guests = Batches(self._read_guests)
        self._jobs: list[WriteJob] = []
        self._closed = False
        self.results = ResultStore(self._read, self._change)
        """The results of the guests' ended matches."""
        self.reviews = ReviewStore(self._read, self._change)
        """Reviews of deals, and their totals for the guests."""
        self.notices = NoticeStore(self._read, self._change)
        """Messages to browsers."""
        self.mistakes = MistakeStore(self._read, self._change)
        """The guests' mistakes."""
        self.put_away = PutAwayTables(self._read, self._change)
        """The unfinished tables that guests have put away."""
        self.puzzles = PuzzleAnswers(self._read, self._change)
        """The guests' answers to puzzles."""
        self.day_deals = DayDealStore(self._read, self._change)
        """The deals of the day."""
        self.people = PeopleStore(self._read, self._change)
        """Who has played with whom, and invitations."""
        self.leagues = LeagueStore(self._read, self._change)
        """The leagues of tables."""
        self.pads = Pads(self._read, self._change)
        """The score sheets that others watch."""
        self.devices = DeviceStore(self._read, self._change)
        """How guests come to other devices."""
        self.guest_data = GuestDataStore(self._read, self._change)
        """Everything of one guest."""
        self._probe = text(database.probe), None

    @classmethod
    async def open(
        cls,
        url_or_path: str | Path | Database,
        *,
        observe: Observe | None = None,
    ) -> Self:
        """Return the store of a database, which is created or migrated if necessary.

        `url_or_path` is a file, its folder, or a URL that begins with `sqlite:///` or `postgresql://`. This
        process owns the database until `close`; other processes get `store.locked`. After each commit,
        `observe` is called on a writer's thread with the number of entries and the seconds that the commit
        took.
        """

        def prepared() -> tuple[Database, Owned, bool]:
            database = database_of(url_or_path)
            new = not database.exists()
            return database, database.prepare(), new

        database, ownership, new = await asyncio.to_thread(prepared)
        return cls(database, ownership, observe, new=new)

    @property
    def name(self) -> str:
        """The database's file, or its URL without the password."""
        return self._database.name

    @property
    def damage(self) -> str | None:
        """A description of the committed data that was lost before the opening; None if no loss was found."""
        return self._database.damage

    @property
    def shared(self) -> bool:
        """Whether other servers write to the database too."""
        return self._database.shared

    @property
    def queued(self) -> int:
        """The number of changes that wait for the next commit."""
        return len(self._jobs) + sum(writer.queued for writer in self._writers)

    @property
    def fault(self) -> StoreError | None:
        """The error of a writer's last commit; None if the last commits of all writers succeeded."""
        return next((writer.fault for writer in self._writers if writer.fault is not None), None)

    async def ready(self) -> StoreError | None:
        """Return the error that prevents writing, or None. After a failed commit, this tries to write."""
        if self._closed:
            return StoreError("store.closed", f"{self.name}: the store is closed")
        for writer in self._writers:
            if writer.fault is not None:
                if writer.fault.code == "store.full" and self._database.no_room():
                    return writer.fault
                probe = WriteJob(asyncio.get_running_loop().create_future(), statements=[self._probe])
                writer.submit([probe])
                try:
                    await probe.future
                except StoreError as error:
                    return error
        return None

    # --- logs ------------------------------------------------------------------------------------------

    async def append(
        self,
        table: str,
        new: Sequence[StoredEntry],
        *,
        guard: object = None,
        results: Sequence[ResultRow] = (),
        ended: DayAttempt | None = None,
        **fields: Any,
    ) -> None:
        """Add entries to a table's log. In the same transaction, add results and change `fields` of its row.

        `ended` is the attempt at a deal of the day that ends with these entries.

        `fields` are those of `TableRow` except `id` and `created`. Raises `store.missing` if there are fields
        but the table has no row. Raises `store.conflict` if the numbers do not continue the log, or the log
        already has an entry with the same `author` and `message`. A shared database compares `guard` with the
        table's current epoch; raises `TableLost` if they differ.
        """
        statements = [*(_changes(table, fields) if fields else []), *new_results(results)]
        statements += ended_attempt(ended)
        await self._change(
            table=table,
            rows=_rows(table, new),
            statements=statements,
            must_match=bool(fields),
            guard=guard,
        )

    async def entries(self, table: str, after: int = 0) -> list[StoredEntry]:
        """Return the entries of a table's log with numbers above `after`, in order."""
        if not after:
            return await self._logs.answer(table)
        wanted = _LOG.where(entries.c.table_id == table, entries.c.number > after)
        return [StoredEntry(*row) for row in await self._read(wanted)]

    async def _read_logs(self, ids: Sequence[str]) -> dict[str, list[StoredEntry]]:
        if len(ids) == 1:
            rows = await self._read(_LOG.where(entries.c.table_id == ids[0]))
            return {ids[0]: [StoredEntry(*row) for row in rows]}
        found: dict[str, list[StoredEntry]] = {table: [] for table in ids}
        wanted = select(*_LOG.selected_columns, entries.c.table_id).where(entries.c.table_id.in_(ids))
        for *row, table in await self._read(wanted.order_by(entries.c.table_id, entries.c.number)):
            found[table].append(StoredEntry(*row))
        return found

    async def first_entries(self, ids: Sequence[str]) -> dict[str, StoredEntry]:
        """Return the first entry of the log of each of these tables, by the table's id."""
        if not ids:
            return {}
        wanted = select(entries.c.table_id, *_LOG.selected_columns).where(
            entries.c.table_id.in_(ids), entries.c.number == 1
        )
        return {table: StoredEntry(*row) for table, *row in await self._read(wanted)}

    # --- the index of tables ---------------------------------------------------------------------------

    async def create_table(self, row: TableRow, first: Sequence[StoredEntry] = ()) -> None:
        """Add a table with the first entries of its log. Raises `store.conflict` if the id exists."""
        await self._create_table(row, first)

    async def _create_table(
        self, row: TableRow, first: Sequence[StoredEntry], guard: object = None, **more: Any
    ) -> None:
        values = msgspec.structs.asdict(row) | {"people": names_text(row.people)} | more
        statements = [(_NEW_TABLE, values), *_people(row.id, row.people)]
        await self._change(table=row.id, rows=_rows(row.id, first), statements=statements, guard=guard)

    async def table(self, table: str) -> TableRow | None:
        """Return the row of a table; None if there is none."""
        rows = await self._read(select(*_TABLE_ROW).where(tables.c.id == table))
        return _table(rows[0]) if rows else None

    async def tables(
        self,
        *,
        status: Collection[str] = (),
        guest: str | None = None,
        limit: int = 100,
    ) -> list[TableRow]:
        """Return tables, the most recently changed first, that match all given conditions.

        A table must have one of the statuses in `status` (if empty, any), and `guest` must have or have had a
        seat.
        """
        wanted = select(*_TABLE_ROW).order_by(tables.c.updated.desc(), tables.c.id).limit(limit)
        if status:
            wanted = wanted.where(tables.c.status.in_(status))
        if guest is not None:
            wanted = wanted.join(people, people.c.table_id == tables.c.id).where(people.c.guest_id == guest)
        return [_table(row) for row in await self._read(wanted)]

    async def set_listed(self, table: str, by: str | None) -> None:
        """List a table in the lobby; `by` is the network address that lists it. None unlists it."""
        await self._change(statements=[(_LISTED, {"table": table, "by": by})])

    async def unlist_all(self) -> None:
        """Remove all tables from the lobby's list: after a start no host is connected."""
        await self._change(statements=[(_UNLISTED, {})])

    async def listed(self, *, since: int, share: int, skip: int, limit: int) -> list[TableRow]:
        """Return public tables with a free seat whose host is connected, the most recently changed first.

        There are at most `share` tables of each network address, and none that was last changed before
        `since`, in milliseconds since 1970.
        """
        newest = tables.c.updated.desc(), tables.c.id
        place = func.row_number().over(partition_by=tables.c.listed_by, order_by=newest).label("place")
        here = (
            select(tables.c.id, place)
            .where(tables.c.status == "open", tables.c.private == false(), tables.c.updated >= since)
            .where(tables.c.seats_free > 0, tables.c.listed_by.is_not(None), self._has_server())
            .subquery()
        )
        wanted = select(*_TABLE_ROW).join(here, here.c.id == tables.c.id).where(here.c.place <= share)
        rows = await self._read(wanted.order_by(*newest).offset(skip).limit(limit))
        return [_table(row) for row in rows]

    def _has_server(self) -> ColumnElement[bool]:
        """Return the SQL condition that a table's server is running."""
        return true()

    async def due(self, until: int) -> list[str]:
        """Return the ids of tables that have to be loaded by `until`, in ms since 1970, earliest first."""
        wanted = select(tables.c.id).where(tables.c.due <= until).order_by(tables.c.due)
        return [row[0] for row in await self._read(wanted)]

    async def next_due(self, after: int) -> int | None:
        """Return the first time after `after` at which a table has to be loaded; None if there is none."""
        wanted = select(func.min(tables.c.due)).where(tables.c.due > after)
        due: int | None = (await self._read(wanted))[0][0]
        return due

    async def claim_notice(self, _guest: str, _table: str) -> bool:
        """Return whether this server should send the message: True, because there is no other server."""
        return True

    # --- guests ----------------------------------------------------------------------------------------

    async def guest(self, guest: str) -> GuestRow | None:
        """Return the guest with this id; None if there is none."""
        return await self._guests.answer(guest)

    async def _read_guests(self, ids: Sequence[str]) -> dict[str, GuestRow | None]:
        which = guests.c.id == ids[0] if len(ids) == 1 else guests.c.id.in_(ids)
        rows = [GuestRow(*row) for row in await self._read(select(guests).where(which))]
        return dict.fromkeys(ids) | {row.id: row for row in rows}

    async def former(self, guest: str) -> list[str]:
        """Return the guests that were merged into this one."""
        return await self.devices.former(guest)

    async def save_guest(self, guest: str, name: str, seen: int) -> None:
        """Store a guest's name and last visit, in ms since 1970; for a new guest also as first visit."""
        await self._change(statements=[(_GUEST_SEEN, _guest(guest, seen, name=name))])

    async def sign_out(self, guest: str, valid_from: int) -> None:
        """Store the time from which on this guest's cookies are valid, in milliseconds since 1970."""
        values = _guest(guest, valid_from, valid_from=valid_from)
        await self._change(statements=[(_GUEST_SIGNED_OUT, values)])

    async def save_speed(self, guest: str, speed: str, seen: int) -> None:
        """Store the speed of bots that a guest chose. `seen`, in ms since 1970, is only for a new guest."""
        await self._change(statements=[(_GUEST_SPEED, _guest(guest, seen, speed=speed))])

    async def save_presence(self, guest: str, seen: int, *, shown: bool) -> None:
        """Store whether others may see when a guest is here; `seen` is as in `save_speed`."""
        await self._change(statements=[(_GUEST_PRESENCE, _guest(guest, seen, shows_presence=shown))])

    async def prune(self, before: int, *, keep: Callable[[str], bool] = lambda _: False) -> PruneReport:
        """Remove tables and guests unused since this time, in ms since 1970; `find_unused` says which.

        Tables for which `keep` returns True stay.
        """
        unused = await self._with_reader(lambda connection: find_unused(connection, before, keep))
        for table, statements in unused.removals():
            await self._change(table=table, statements=statements)
        return unused.report

    # --- the whole database ----------------------------------------------------------------------------

    async def backup(self, file: str | Path, secret: Path | None = None, *, force: bool = False) -> Manifest:
        """Write a verified backup of everything committed, and of the key for cookies, even during play.

        If `secret` is None, the key is the one beside the database's file.
        """
        database = self._database
        if secret is None and database.file is not None:
            secret = database.file.with_name(SECRET)
        return await asyncio.to_thread(write_backup, database, secret, Path(file), force=force)

    async def check(self) -> DatabaseReport:
        """Check the whole database."""
        return await asyncio.to_thread(self._database.check)

    async def close(self) -> None:
        """Commit queued changes, then release the database. Calling it again has no effect."""
        if not self._closed:
            self._hand_over()
            self._closed = True
            await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._readers.shutdown()
        self._engine.dispose()
        for writer in self._writers:
            writer.stop()
        self._ownership.release()

    # --- threads ---------------------------------------------------------------------------------------

    async def _change(self, **job: Any) -> None:
        if self._closed:
            raise StoreError("store.closed", f"{self.name}: the store is closed; nothing more is written")
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        if not self._jobs:
            loop.call_soon(self._hand_over)
        self._jobs.append(WriteJob(future, **job))
        await future

    def _hand_over(self) -> None:
        """Give each writer all its changes from this turn of the event loop at once, to wake it only once."""
        jobs, self._jobs = self._jobs, []
        if len(self._writers) == 1:
            if jobs:
                self._writers[0].submit(jobs)
            return
        for place, writer in enumerate(self._writers):
            if its := [job for job in jobs if hash(job.table) % len(self._writers) == place]:
                writer.submit(its)

    async def _read(self, wanted: Select[Any]) -> Sequence[Sequence[Any]]:
        return await self._with_reader(lambda connection: connection.execute(wanted).all())

    async def _with_reader(self, call: Callable[[Connection], T]) -> T:
        if self._closed:
            raise StoreError("store.closed", f"{self.name}: the store is closed; nothing more is read")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._with_connection, call)

    def _with_connection(self, call: Callable[[Connection], T]) -> T:
        for again in (True, False):
            try:
                with self._engine.connect() as connection:
                    return call(connection)
            except self._raised as error:
                # After a database server's restart, new connections replace all those of the pool.
                if again and isinstance(error, DBAPIError) and error.connection_invalidated:
                    continue
                raise self._database.error(error) from None
        raise AssertionError


def _guest(guest: str, seen: int, **more: Any) -> dict[str, Any]:
    """Return a guest's row with first and last visit at `seen`, and with the values in `more`."""
    return msgspec.structs.asdict(GuestRow(guest, "", seen, seen)) | more


def _rows(table: str, new: Sequence[StoredEntry]) -> list[Row]:
    return [
        (table, one.number, one.at, one.kind, one.data, one.author, one.message, one.checksum) for one in new
    ]


def _table(row: Sequence[Any]) -> TableRow:
    values = dict(zip(TableRow.__struct_fields__, row, strict=True))
    return TableRow(**values | {"people": names_of(values["people"])})


def _changes(table: str, fields: dict[str, Any]) -> list[Statement]:
    """Return the statements that change a table's row and its people; the one for the row comes first."""
    if unknown := fields.keys() - _TABLE_FIELDS:
        raise TypeError(f"{', '.join(sorted(unknown))}: expected some of {', '.join(sorted(_TABLE_FIELDS))}")
    values = {"table": table, **fields}
    if "people" not in fields:
        return [(_TABLE_CHANGED, values)]
    values["people"] = names_text(fields["people"])
    return [(_TABLE_CHANGED, values), (_PEOPLE_GONE, {"table": table}), *_people(table, fields["people"])]


def _people(table: str, ids: Sequence[str]) -> list[Statement]:
    """Return the statements that add these guests to a table without people."""
    rows = [{"guest_id": guest, "table_id": table} for guest in dict.fromkeys(ids)]
    return [(_NEW_PEOPLE, rows)] if rows else []
