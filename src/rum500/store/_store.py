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
    case,
    delete,
    func,
    insert,
    not_,
    or_,
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
from rum500.store._mistakes import MISTAKES_OF_GUEST_GONE, MISTAKES_OF_MATCH_GONE, MistakeStore
from rum500.store._open import prepare
from rum500.store._owner import Ownership
from rum500.store._puzzles import PuzzleAnswers
from rum500.store._rows import (
    BrowserRow,
    DatabaseReport,
    GameFigures,
    GuestRow,
    NoticeRow,
    PruneReport,
    ResultRow,
    ReviewRow,
    ReviewSum,
    StoredEntry,
    TableRow,
)
from rum500.store._write_thread import Observe, Statement, WriteJob, Writer
from rum500.store.paths import SECRET, database_path
from rum500.store.schema import (
    browsers,
    entries,
    guests,
    notices,
    people,
    results,
    review_sums,
    reviews,
    tables,
)

T = TypeVar("T")

_TABLE_FIELDS = frozenset(TableRow.__struct_fields__) - {"id", "created"}
_NUMBERS = msgspec.json.Decoder(dict[str, int])
_NAMES = msgspec.json.Decoder(list[str])
_LOG = select(
    entries.c.number, entries.c.at, entries.c.kind, entries.c.data, entries.c.author, entries.c.message
).order_by(entries.c.number)
_TABLE: BindParameter[str] = bindparam("table")
_NEW_TABLE = insert(tables)
_TABLE_CHANGED = update(tables).where(tables.c.id == _TABLE)
_TABLE_GONE = delete(tables).where(tables.c.id == _TABLE)
_LOG_GONE = delete(entries).where(entries.c.table_id == _TABLE)
_RESULTS_GONE = delete(results).where(results.c.table_id == _TABLE)
_PLACES = select(people.c.guest_id, tables.c.id).join(tables, people.c.table_id == tables.c.id)
_NOTICES_GONE = delete(notices).where(notices.c.table_id == _TABLE)
_PEOPLE_GONE = delete(people).where(people.c.table_id == _TABLE)
_NEW_PEOPLE = insert(people)
_NEW_RESULT = upsert(results).on_conflict_do_nothing()
_NEW_REVIEW = upsert(reviews)
_REVIEW = _NEW_REVIEW.on_conflict_do_update(
    index_elements=["table_id", "deal", "kind"],
    set_={name: _NEW_REVIEW.excluded[name] for name in ("judge", "done", "at", "data")},
)
_NEW_SUM = upsert(review_sums)
_SUM = _NEW_SUM.on_conflict_do_update(
    index_elements=["guest_id", "table_id", "deal"],
    set_={name: _NEW_SUM.excluded[name] for name in ("play", "play_error", "decisions", "marks", "mistakes")},
)
_REVIEWS_GONE = delete(reviews).where(reviews.c.table_id == _TABLE)
_SUMS_GONE = delete(review_sums).where(review_sums.c.table_id == _TABLE)
_ALL_JUDGED = (
    select(func.count())
    .select_from(review_sums)
    .where(
        review_sums.c.guest_id == results.c.guest_id,
        review_sums.c.table_id == results.c.table_id,
        review_sums.c.marks.is_not(None),
    )
    .scalar_subquery()
    >= results.c.deals
)
_ALL_GONE = (
    _LOG_GONE, _PEOPLE_GONE, _RESULTS_GONE, _NOTICES_GONE, _REVIEWS_GONE, _SUMS_GONE, _TABLE_GONE,
)  # fmt: skip
_GUEST: BindParameter[str] = bindparam("guest")
_RESULT_GONE = delete(results).where(results.c.guest_id == _GUEST, results.c.table_id == _TABLE)
_SUMS_OF_GUEST_GONE = delete(review_sums).where(
    review_sums.c.guest_id == _GUEST, review_sums.c.table_id == _TABLE
)
_NO_LONGER_THERE = delete(people).where(people.c.guest_id == _GUEST, people.c.table_id == _TABLE)
_ALL_GUESTS = select(guests.c.id)
_ALL_COOKIES_COUNT = select(guests.c.id).where(guests.c.valid_from == 0)
_NOTICE_GONE = delete(notices).where(notices.c.guest_id == _GUEST, notices.c.table_id == _TABLE)
_NEW_NOTICE = upsert(notices)
_NOTICE = _NEW_NOTICE.on_conflict_do_update(
    index_elements=["guest_id", "table_id"], set_={"due": _NEW_NOTICE.excluded.due}
)
_NEW_BROWSER = upsert(browsers)
_BROWSER = _NEW_BROWSER.on_conflict_do_update(
    index_elements=["endpoint"],
    set_={column.name: column for column in _NEW_BROWSER.excluded if column.name != "endpoint"},
)
_MOST: BindParameter[int] = bindparam("most")
_OLDER_BROWSERS = delete(browsers).where(
    browsers.c.endpoint.in_(
        select(browsers.c.endpoint)
        .where(browsers.c.guest_id == _GUEST)
        .order_by(browsers.c.seen.desc())
        .limit(-1)
        .offset(_MOST)
    )
)
_BROWSER_GONE = delete(browsers).where(browsers.c.endpoint == bindparam("gone"))
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
        self.mistakes = MistakeStore(self._read, self._change)
        """The guests' mistakes."""
        self.puzzles = PuzzleAnswers(self._change, self._read)
        """The guests' answers to puzzles."""

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
        statements = [*(_changes(table, fields) if fields else []), *_new_results(results)]
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
        values = msgspec.structs.asdict(row) | {"people": _json(row.people)}
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

    # --- results ---------------------------------------------------------------------------------------

    async def save_results(self, rows: Sequence[ResultRow]) -> None:
        """Store results of ended matches; those that are stored already stay as they are."""
        if rows:
            await self._change(statements=_new_results(rows))

    async def results(
        self,
        guest: str,
        *,
        profile: str | None = None,
        with_people: bool | None = None,
        reviewed: bool | None = None,
        skip: int = 0,
        limit: int = 20,
    ) -> list[ResultRow]:
        """Return results of a guest's matches with at least one finished deal, the last first.

        A match is `reviewed` if all decisions of the guest in its finished deals are judged.
        """
        wanted = _results_of(select(results), guest, profile, with_people, reviewed)
        wanted = wanted.order_by(results.c.ended.desc(), results.c.table_id).offset(skip).limit(limit)
        return [_result(row) for row in await self._read(wanted)]

    async def count_results(
        self,
        guest: str,
        *,
        profile: str | None = None,
        with_people: bool | None = None,
        reviewed: bool | None = None,
    ) -> int:
        """Return how many results `results` has without a limit."""
        counted = select(func.count()).select_from(results)
        wanted = _results_of(counted, guest, profile, with_people, reviewed)
        return int((await self._read(wanted))[0][0])

    async def figures(self, guest: str) -> list[GameFigures]:
        """Return what a guest's finished matches add up to, by game, the most played first."""
        of = results.c
        matches = func.count().label("matches")
        wanted = (
            select(
                of.profile,
                func.max(of.title),
                matches,
                func.sum(case((of.won, 1), else_=0)),
                func.sum(1.0 / of.accounts),
                func.sum(of.deals),
                func.sum(of.points),
                func.max(of.best_deal),
            )
            .where(of.guest_id == guest, of.status == "over", of.deals > 0)
            .group_by(of.profile)
            .order_by(matches.desc(), of.profile)
        )
        return [GameFigures(*row) for row in await self._read(wanted)]

    async def without_result(self, guest: str) -> list[str]:
        """Return the guest's ended tables whose result is not stored, because an older version ended them."""
        known = select(results.c.table_id).where(results.c.guest_id == guest)
        wanted = (
            select(tables.c.id)
            .join(people, people.c.table_id == tables.c.id)
            .where(people.c.guest_id == guest, tables.c.status.in_(("over", "abandoned")))
            .where(tables.c.id.not_in(known))
        )
        return [row[0] for row in await self._read(wanted)]

    async def remove_result(self, guest: str, table: str) -> None:
        """Remove an ended match from a guest's results, mistakes and tables; the table itself stays."""
        names = {"guest": guest, "table": table}
        gone = (_RESULT_GONE, _SUMS_OF_GUEST_GONE, MISTAKES_OF_MATCH_GONE, _NO_LONGER_THERE)
        await self._change(statements=[(each, names) for each in gone])

    # --- reviews ---------------------------------------------------------------------------------------

    async def save_review(self, row: ReviewRow, sums: Sequence[ReviewSum] = ()) -> None:
        """Store a part of a deal's review, and what it comes to for the guests who played.

        It replaces what was stored before. Nothing is stored of a table that is not there any more.
        """
        if await self.table(row.table_id) is None:
            return
        values = [
            msgspec.structs.asdict(one) | {"marks": _object(one.marks), "mistakes": _object(one.mistakes)}
            for one in sums
        ]
        await self._change(
            statements=[(_REVIEW, msgspec.structs.asdict(row)), *([(_SUM, values)] if values else [])]
        )

    async def reviews(self, table: str, judge: str, deal: int | None = None) -> list[ReviewRow]:
        """Return what this judge has made of the reviews of a table's deals, or of one deal."""
        wanted = select(reviews).where(reviews.c.table_id == table, reviews.c.judge == judge)
        if deal is not None:
            wanted = wanted.where(reviews.c.deal == deal)
        rows = await self._read(wanted.order_by(reviews.c.deal))
        return [ReviewRow(**dict(zip(reviews.columns.keys(), row, strict=True))) for row in rows]

    async def review_sums(self, guest: str, tables: Sequence[str] | None = None) -> list[ReviewSum]:
        """Return what reviews came to for a guest, the earliest first, at these tables or at all."""
        wanted = select(review_sums).where(review_sums.c.guest_id == guest)
        if tables is not None:
            wanted = wanted.where(review_sums.c.table_id.in_(tables))
        rows = await self._read(wanted.order_by(review_sums.c.at, review_sums.c.deal))
        return [_sum(row) for row in rows]

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

    # --- messages to browsers --------------------------------------------------------------------------

    async def browsers(self, guest: str) -> list[BrowserRow]:
        """Return the browsers that are sent a message when a table waits for this guest."""
        rows = await self._read(select(browsers).where(browsers.c.guest_id == guest))
        return [BrowserRow(**dict(zip(browsers.columns.keys(), row, strict=True))) for row in rows]

    async def save_browser(self, row: BrowserRow, most: int) -> None:
        """Store a browser, or what is new about it; only the guest's `most` last seen browsers stay."""
        older = {"guest": row.guest_id, "most": most}
        await self._change(statements=[(_BROWSER, msgspec.structs.asdict(row)), (_OLDER_BROWSERS, older)])

    async def remove_browser(self, endpoint: str) -> None:
        """Remove a browser, if it is there."""
        await self._change(statements=[(_BROWSER_GONE, {"gone": endpoint})])

    async def notices(self) -> list[NoticeRow]:
        """Return the messages about tables that their guests have not looked at since."""
        return [NoticeRow(*row) for row in await self._read(select(notices))]

    async def save_notice(self, row: NoticeRow) -> None:
        """Store a message that is due or was sent."""
        await self._change(statements=[(_NOTICE, msgspec.structs.asdict(row))])

    async def remove_notice(self, guest: str, table: str) -> None:
        """Remove the message to this guest about this table."""
        await self._change(statements=[(_NOTICE_GONE, {"guest": guest, "table": table})])

    # --- removing --------------------------------------------------------------------------------------

    async def prune(
        self, before: int, *, keep: Callable[[str], bool] = lambda _: False, dry_run: bool = False
    ) -> PruneReport:
        """Remove the tables that were last changed before this time, in ms since 1970, with logs and results.

        Tables that `keep` returns True for stay, and those whose clock of days runs. Also removed are the
        guests, browsers, mistakes and answers to puzzles of those who have no other table, and neither were
        seen nor practised since that time, but no guest some of whose cookies do not count: without the row
        they would again. `dry_run` only counts.
        """
        unused = tables.c.updated < before, tables.c.due.is_(None)
        old = [row[0] for row in await self._read(select(tables.c.id).where(*unused))]
        old = [table for table in old if not keep(table)]
        used = or_(tables.c.updated >= before, tables.c.due.is_not(None))
        staying = {row[0] for row in await self._read(_PLACES.where(used))}
        staying |= {row[0] for row in await self._read(_PLACES) if keep(row[1])}
        solving = await self.puzzles.last_answers()
        staying |= {guest for guest, last in solving.items() if last >= before}
        seen_before = await self._read(_ALL_COOKIES_COUNT.where(guests.c.seen < before))
        gone = [row[0] for row in seen_before if row[0] not in staying]
        unseen = await self._read(
            select(browsers.c.guest_id, browsers.c.endpoint).where(browsers.c.seen < before)
        )
        forgotten = await self.mistakes.guests_unseen(before)
        if not dry_run:
            for table in old:
                values = {"table": table}
                await self._change(table=table, statements=[(each, values) for each in _ALL_GONE])
            for guest in gone:
                await self._change(statements=[(delete(guests).where(guests.c.id == guest), None)])
            seen_since = {row[0] for row in await self._read(_ALL_GUESTS.where(guests.c.seen >= before))}
            for guest in solving.keys() - staying - seen_since:
                await self.puzzles.remove(guest)
            for guest, endpoint in unseen:
                if guest not in staying:
                    await self.remove_browser(endpoint)
            for guest in set(forgotten) - staying:
                await self._change(statements=[(MISTAKES_OF_GUEST_GONE, {"guest": guest})])
        return PruneReport(tables=len(old), guests=len(gone))

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


def _json(names: Sequence[str]) -> str:
    return msgspec.json.encode(list(names)).decode()


def _new_results(rows: Sequence[ResultRow]) -> list[Statement]:
    values = [
        msgspec.structs.asdict(row) | {"partners": _json(row.partners), "opponents": _json(row.opponents)}
        for row in rows
    ]
    return [(_NEW_RESULT, values)] if values else []


def _results_of(
    wanted: Select[Any], guest: str, profile: str | None, with_people: bool | None, reviewed: bool | None
) -> Select[Any]:
    wanted = wanted.where(results.c.guest_id == guest, results.c.deals > 0)
    if profile is not None:
        wanted = wanted.where(results.c.profile == profile)
    if with_people is not None:
        wanted = wanted.where(results.c.with_people == with_people)
    if reviewed is not None:
        wanted = wanted.where(_ALL_JUDGED if reviewed else not_(_ALL_JUDGED))
    return wanted


def _result(row: Sequence[Any]) -> ResultRow:
    values = dict(zip(results.columns.keys(), row, strict=True))
    names = {name: _NAMES.decode(values[name]) for name in ("partners", "opponents")}
    return ResultRow(**values | names)


def _object(numbers: dict[str, int] | None) -> str | None:
    return None if numbers is None else msgspec.json.encode(numbers).decode()


def _sum(row: Sequence[Any]) -> ReviewSum:
    values = dict(zip(review_sums.columns.keys(), row, strict=True))
    numbers = {name: values[name] and _NUMBERS.decode(values[name]) for name in ("marks", "mistakes")}
    return ReviewSum(**values | numbers)


def _table(row: Sequence[Any]) -> TableRow:
    values = dict(zip(tables.columns.keys(), row, strict=True))
    return TableRow(**values | {"people": _NAMES.decode(values["people"])})


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
    values["people"] = _json(fields["people"])
    return [(_TABLE_CHANGED, values), (_PEOPLE_GONE, {"table": table}), *_people(table, fields["people"])]


def _people(table: str, ids: Sequence[str]) -> list[Statement]:
    """Return the statements that add these people to a table that has none."""
    rows = [{"guest_id": guest, "table_id": table} for guest in dict.fromkeys(ids)]
    return [(_NEW_PEOPLE, rows)] if rows else []
