"""The store of a local server, over any storage of bytes by key.

The index of tables and everything about the guest is in memory too; the logs of tables are read when needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date
from typing import Any, Generic, Self, TypeVar

import msgspec
from msgspec.structs import replace

from rum500.local.key_values import KeyValues
from rum500.puzzles.day_deal import seed_of_date
from rum500.server.logs import log
from rum500.store import (
    Achievement,
    DayAttempt,
    DealPoints,
    GameFigures,
    GuestRow,
    PruneReport,
    PuzzleAnswer,
    PuzzleRating,
    ResultRow,
    ReviewSum,
    StoredEntry,
    StoreError,
    TableRow,
)

R = TypeVar("R")

FORMAT = 1
"""The version of the stored data; a later one is refused."""
_FORMAT_KEY = "format"
_ENDED = ("over", "abandoned")
_encode = msgspec.json.Encoder().encode
_entry = msgspec.json.Decoder(StoredEntry).decode


class Rows(Generic[R]):
    """Rows of one kind, by name: in memory, and in the storage under the kind's prefix."""

    def __init__(self, prefix: str, kind: type[R]) -> None:
        self.prefix = prefix
        self.by_name: dict[str, R] = {}
        self._decode = msgspec.json.Decoder(kind).decode

    async def load(self, data: KeyValues) -> list[str]:
        """Read all rows. Return the keys of those that cannot be read, which stay in the storage."""
        damaged = []
        for key, value in await data.read(self.prefix):
            try:
                self.by_name[key.removeprefix(self.prefix)] = self._decode(value)
            except (msgspec.MsgspecError, UnicodeError) as error:
                log().error("local.damaged", kind=self.prefix, error=error)
                damaged.append(key)
        return damaged


Changed = tuple[Rows[Any], str, Any]
"""A row to be stored: its kind, its name, and its content, None to remove it."""


class LocalStore:
    """A `TableStore` for one person. After each call that changes something, the change is durable."""

    shared = False

    def __init__(self, data: KeyValues) -> None:
        """Begin without rows. Use `LocalStore.open` instead, which reads them."""
        self._data = data
        self._one = asyncio.Lock()
        self._lasts: dict[str, int] = {}
        """The number of the last entry of each log that has been read or written."""
        self.damaged: list[str] = []
        """The keys of rows that cannot be read."""
        self.tables_by_id = Rows("table:", TableRow)
        self._guests = Rows("guest:", GuestRow)
        self.results = LocalResults(self)
        self.reviews = NoReviews()
        self.put_away = LocalPutAway(self)
        self.puzzles = LocalPuzzles(self)
        self._of_tables: tuple[Rows[Any], ...] = (
            self.results.rows, self.results.removed, self.put_away.rows,
        )  # fmt: skip
        """The rows whose names are a guest and a table."""
        self.day_deals = LocalDayDeals(self)

    @classmethod
    async def open(cls, data: KeyValues) -> Self:
        """Return the store with everything in `data`. Raises `StoreError`."""
        found = dict(await data.read(_FORMAT_KEY)).get(_FORMAT_KEY)
        if found is None:
            await data.write({_FORMAT_KEY: str(FORMAT).encode()})
        elif not found.isdigit() or int(found) > FORMAT:
            raise StoreError("store.newer", "these games were stored by a later version: load the page again")
        store = cls(data)
        kinds: list[Rows[Any]] = [
            store.tables_by_id, store._guests, *store._of_tables,
            store.puzzles.answers, store.puzzles.known, store.puzzles.daily,
            store.day_deals.rows, store.day_deals.by_bots, store.results.reached,
        ]  # fmt: skip
        for rows in kinds:
            store.damaged += await rows.load(data)
        return store

    async def save(self, *changed: Changed, entries: Sequence[tuple[str, StoredEntry | None]] = ()) -> None:
        """Store rows, and entries by key (None removes one), in one transaction; then update the memory."""
        values = {rows.prefix + name: None if row is None else _encode(row) for rows, name, row in changed}
        values |= {key: None if one is None else _encode(one) for key, one in entries}
        await self._data.write(values)
        for rows, name, row in changed:
            if row is None:
                rows.by_name.pop(name, None)
            else:
                rows.by_name[name] = row

    # --- logs ------------------------------------------------------------------------------------------

    async def append(
        self,
        table: str,
        new: Sequence[StoredEntry],
        *,
        results: Sequence[ResultRow] = (),
        ended: DayAttempt | None = None,
        **fields: Any,
    ) -> None:
        """Add entries, results and changes of the row, as `Store.append` does."""
        async with self._one:
            row = self.tables_by_id.by_name.get(table)
            last = await self._last(table)
            if [one.number for one in new] != list(range(last + 1, last + 1 + len(new))):
                raise StoreError("store.conflict", f"table {table}: the log has {last} entries")
            changed: list[Changed] = []
            if fields:
                if row is None:
                    raise StoreError("store.missing", f"table {table}: there is no such table")
                changed.append((self.tables_by_id, table, replace(row, **fields)))
            changed += [*self.results.new(results), *self.day_deals.ended(ended)]
            await self.save(*changed, entries=[_keyed(table, one) for one in new])
            self._lasts[table] = last + len(new)

    async def _last(self, table: str) -> int:
        if table not in self._lasts:
            found = await self.entries(table)
            self._lasts[table] = found[-1].number if found else 0
        return self._lasts[table]

    async def entries(self, table: str, after: int = 0) -> list[StoredEntry]:
        """Return the entries of a table's log with numbers above `after`, in order."""
        if after and self._lasts.get(table, after + 1) <= after:
            return []
        try:
            found = [_entry(value) for _, value in await self._data.read(_log_of(table))]
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise StoreError("store.corrupt", f"table {table}: its log is damaged: {error}") from None
        return [one for one in found if one.number > after]

    async def first_entries(self, ids: Sequence[str]) -> dict[str, StoredEntry]:
        """Return the first entry of the log of each of these tables, by the table's id."""
        found = {table: await self._data.read(_keyed(table, 1)[0]) for table in ids}
        return {table: _entry(pairs[0][1]) for table, pairs in found.items() if pairs}

    # --- the index of tables ---------------------------------------------------------------------------

    async def create_table(self, row: TableRow, first: Sequence[StoredEntry] = ()) -> None:
        """Add a table with the first entries of its log."""
        async with self._one:
            if row.id in self.tables_by_id.by_name:
                raise StoreError("store.conflict", f"table {row.id}: there is one already")
            await self.save((self.tables_by_id, row.id, row), entries=[_keyed(row.id, one) for one in first])
            self._lasts[row.id] = len(first)

    async def table(self, table: str) -> TableRow | None:
        """Return the row of a table; None if there is none."""
        return self.tables_by_id.by_name.get(table)

    async def tables(
        self, *, status: Collection[str] = (), guest: str | None = None, limit: int = 100
    ) -> list[TableRow]:
        """Return tables, the most recently changed first, that match all given conditions."""
        found = [
            row
            for row in self.tables_by_id.by_name.values()
            if (not status or row.status in status) and (guest is None or self.results.lists(guest, row))
        ]
        return sorted(found, key=lambda row: (-row.updated, row.id))[:limit]

    async def set_listed(self, _table: str, _by: str | None) -> None:
        """Do nothing: nobody else could see a list."""

    async def listed(self, *, since: int, share: int, skip: int, limit: int) -> list[TableRow]:
        """Return an empty list: there is no other guest who could join."""
        return []

    async def due(self, until: int) -> list[str]:
        """Return the ids of tables that have to be loaded by `until`, in ms since 1970, earliest first."""
        due = [(row.due, row.id) for row in self.tables_by_id.by_name.values() if row.due is not None]
        return [table for at, table in sorted(due) if at <= until]

    async def next_due(self, after: int) -> int | None:
        """Return the first time after `after` at which a table has to be loaded; None if there is none."""
        rows = self.tables_by_id.by_name.values()
        return min((row.due for row in rows if row.due is not None and row.due > after), default=None)

    async def prune(self, before: int, *, keep: Callable[[str], bool] = lambda _: False) -> PruneReport:
        """Remove tables last changed before a time, in ms since 1970, and everything about them.

        Tables for which `keep` returns True stay, and so do tables whose clock of days runs.
        """
        unused = [
            row.id
            for row in self.tables_by_id.by_name.values()
            if row.updated < before and row.due is None and not keep(row.id)
        ]
        for table in unused:
            gone = [(key, None) for key, _ in await self._data.read(_log_of(table))]
            rows = [(kind, name, None) for kind in self._of_tables for name in _of_table(kind, table)]
            await self.save((self.tables_by_id, table, None), *rows, entries=gone)
            self._lasts.pop(table, None)
        return PruneReport(len(unused), 0)

    # --- guests ----------------------------------------------------------------------------------------

    async def guest(self, guest: str) -> GuestRow | None:
        """Return the guest with this id; None if there is none."""
        return self._guests.by_name.get(guest)

    async def former(self, _guest: str) -> list[str]:
        """Return nothing: no guests are merged here."""
        return []

    async def save_guest(self, guest: str, name: str, seen: int) -> None:
        """Store a guest's name and the time of the last visit."""
        await self._save_guest(guest, seen, name=name, seen=seen)

    async def sign_out(self, guest: str, valid_from: int) -> None:
        """Store the time from which on this guest's cookies are valid, in milliseconds since 1970."""
        await self._save_guest(guest, valid_from, valid_from=valid_from)

    async def save_speed(self, guest: str, speed: str, seen: int) -> None:
        """Store the speed of bots that a guest chose last."""
        await self._save_guest(guest, seen, speed=speed)

    async def _save_guest(self, guest: str, now: int, **fields: Any) -> None:
        row = self._guests.by_name.get(guest) or GuestRow(guest, "", now, now)
        await self.save((self._guests, guest, replace(row, **fields)))

    async def close(self) -> None:
        """Do nothing: every change is durable already."""


class LocalResults:
    """The results of the guest's ended matches; see `rum500.store.result_store.ResultStore`."""

    def __init__(self, store: LocalStore) -> None:
        self._store = store
        self.rows = Rows("result:", ResultRow)
        self.reached = Rows("reached:", Achievement)
        self.removed = Rows("removed:", bool)
        """The ended matches that guests have removed from their history."""

    def new(self, results: Iterable[ResultRow]) -> list[Changed]:
        """Return the changes that add these results; existing ones stay as they are."""
        named = {_name(row.guest_id, row.table_id): row for row in results}
        return [(self.rows, name, row) for name, row in named.items() if name not in self.rows.by_name]

    async def save(self, rows: Sequence[ResultRow]) -> None:
        """Store results of ended matches; existing ones stay as they are."""
        if new := self.new(rows):
            await self._store.save(*new)

    async def save_missing(self, table: str, rows: Sequence[ResultRow]) -> None:
        """Store the results that the log of an ended match has, of guests who have not removed it."""
        there = self._store.tables_by_id.by_name.get(table)
        await self.save([row for row in rows if there is not None and self.lists(row.guest_id, there)])

    async def of_guest(
        self,
        guest: str,
        *,
        profile: str | None = None,
        with_people: bool | None = None,
        reviewed: bool | None = None,
        skip: int = 0,
        limit: int = 20,
    ) -> list[ResultRow]:
        """Return results of a guest's matches with at least one finished deal, latest first."""
        found = self._matching(guest, profile, with_people, reviewed)
        return sorted(found, key=lambda row: (-row.ended, row.table_id))[skip : skip + limit]

    async def count(
        self,
        guest: str,
        *,
        profile: str | None = None,
        with_people: bool | None = None,
        reviewed: bool | None = None,
    ) -> int:
        """Return how many results `of_guest` would return without `skip` and `limit`."""
        return len(self._matching(guest, profile, with_people, reviewed))

    def _matching(
        self, guest: str, profile: str | None, with_people: bool | None, reviewed: bool | None
    ) -> list[ResultRow]:
        """Return the results that match all given conditions. No match is reviewed here."""
        return [
            row
            for row in self.rows.by_name.values()
            if row.guest_id == guest
            and row.deals > 0
            and not reviewed
            and profile in (None, row.profile)
            and with_people in (None, row.with_people)
        ]

    async def figures(self, guest: str) -> list[GameFigures]:
        """Return the totals of a guest's finished matches by game, the most often played game first."""
        over = [row for row in self._matching(guest, None, None, None) if row.status == "over"]
        games = {name: [row for row in over if row.profile == name] for name in {row.profile for row in over}}
        found = [
            GameFigures(
                name,
                max(row.title for row in rows),
                len(rows),
                sum(row.won for row in rows),
                sum(1.0 / row.accounts for row in rows),
                sum(row.deals for row in rows),
                sum(row.points for row in rows),
                max(row.best_deal or 0 for row in rows),
            )
            for name, rows in games.items()
        ]
        return sorted(found, key=lambda each: (-each.matches, each.profile))

    async def missing(self, guest: str) -> list[str]:
        """Return the guest's ended tables without a stored result."""
        return [
            row.id
            for row in self._store.tables_by_id.by_name.values()
            if row.status in _ENDED
            and self.lists(guest, row)
            and _name(guest, row.id) not in self.rows.by_name
        ]

    async def unexamined(self, guest: str, version: int) -> list[str]:
        """Return the tables of results that were not examined for deeds of this version, earliest first."""
        found = [
            row for row in self.rows.by_name.values() if row.guest_id == guest and row.examined < version
        ]
        return [row.table_id for row in sorted(found, key=lambda row: (row.ended, row.table_id))]

    async def save_examined(
        self,
        guest: str,
        table: str,
        version: int,
        by_deal: Sequence[DealPoints],
        reached: Sequence[Achievement],
    ) -> None:
        """Store the points of a match's deals, and achievements that are not stored yet."""
        changed: list[Changed] = []
        name = _name(guest, table)
        if (row := self.rows.by_name.get(name)) is not None:
            changed.append((self.rows, name, replace(row, by_deal=list(by_deal), examined=version)))
        await self._store.save(*changed, *self._new_achievements(reached))

    async def reach(self, reached: Sequence[Achievement]) -> None:
        """Store achievements; existing ones stay as they are."""
        await self._store.save(*self._new_achievements(reached))

    def _new_achievements(self, reached: Sequence[Achievement]) -> list[Changed]:
        named = {_name(one.guest_id, one.name): one for one in reached}
        return [(self.reached, name, one) for name, one in named.items() if name not in self.reached.by_name]

    async def achievements(self, guest: str) -> list[Achievement]:
        """Return what the guest has reached, earliest first."""
        found = [one for one in self.reached.by_name.values() if one.guest_id == guest]
        return sorted(found, key=lambda one: (one.at, one.name))

    async def remove(self, guest: str, table: str) -> None:
        """Remove an ended match from the guest's results and tables; the table itself stays."""
        name = _name(guest, table)
        await self._store.save((self.rows, name, None), (self.removed, name, True))

    def lists(self, guest: str, row: TableRow) -> bool:
        """Return whether a guest has or had a seat at a table and has not removed it from the history."""
        return guest in row.people and _name(guest, row.id) not in self.removed.by_name


class NoReviews:
    """No match is reviewed without a server."""

    async def sums(self, _guest: str, _tables: Sequence[str] | None = None) -> list[ReviewSum]:
        """Return nothing."""
        return []


class LocalPutAway:
    """The tables that the guest has put away; see `rum500.store.put_away.PutAwayTables`."""

    def __init__(self, store: LocalStore) -> None:
        self._store = store
        self.rows = Rows("away:", int)

    async def put(self, guest: str, table: str, at: int) -> None:
        """Store the time, in milliseconds since 1970, at which a guest put a table away."""
        await self._store.save((self.rows, _name(guest, table), at))

    async def take_back(self, guest: str, table: str) -> None:
        """Remove the mark that a guest has put a table away."""
        await self._store.save((self.rows, _name(guest, table), None))

    async def of_guest(self, guest: str) -> dict[str, int]:
        """Return the tables that a guest has put away, each with its time in milliseconds since 1970."""
        return _of_guest(self.rows, guest)


class LocalPuzzles:
    """The guest's answers to puzzles; see `rum500.store.puzzle_answers.PuzzleAnswers`."""

    def __init__(self, store: LocalStore) -> None:
        self._store = store
        self.answers = Rows("answer:", PuzzleAnswer)
        self.known = Rows("rating:", PuzzleRating)
        self.daily = Rows("day:", int)

    async def of(self, guest: str) -> list[PuzzleAnswer]:
        """Return a guest's answers, oldest first."""
        return sorted(_of_guest(self.answers, guest).values(), key=lambda one: (one.at, one.puzzle))

    async def save(self, answer: PuzzleAnswer, rating: PuzzleRating) -> None:
        """Store a guest's first answer to a puzzle, and the puzzle's rating after it."""
        name = _name(answer.guest_id, answer.puzzle)
        first: list[Changed] = [] if name in self.answers.by_name else [(self.answers, name, answer)]
        await self._store.save(*first, (self.known, rating.puzzle, rating))

    async def ratings(self) -> dict[str, PuzzleRating]:
        """Return the ratings of all answered puzzles, by the puzzle's name."""
        return dict(self.known.by_name)

    async def counts(self, puzzle: str) -> tuple[int, int]:
        """Return how many guests have answered a puzzle, and how many solved it with their first answer."""
        solved = [row.solved for row in self.answers.by_name.values() if row.puzzle == puzzle]
        return len(solved), sum(solved)

    async def days(self, guest: str) -> list[int]:
        """Return the days (`date.toordinal`) on which a guest answered the day's puzzle, latest first."""
        return sorted(_of_guest(self.daily, guest).values(), reverse=True)

    async def save_day(self, guest: str, day: int) -> None:
        """Store that a guest has answered the puzzle of this day, on the day itself."""
        await self._store.save((self.daily, _name(guest, str(day)), day))

    async def vote(self, guest: str, puzzle: str, vote: int) -> None:
        """Store a guest's vote on a puzzle that the guest has answered: 1, -1 or 0."""
        name = _name(guest, puzzle)
        if (row := self.answers.by_name.get(name)) is not None:
            await self._store.save((self.answers, name, replace(row, vote=vote)))

    async def with_votes_below(self, least: int) -> set[str]:
        """Return the puzzles whose votes add up to less than `least`."""
        totals: dict[str, int] = {}
        for row in self.answers.by_name.values():
            if row.vote:
                totals[row.puzzle] = totals.get(row.puzzle, 0) + row.vote
        return {puzzle for puzzle, total in totals.items() if total < least}


class LocalDayDeals:
    """The person's attempts at deals of the day; see `rum500.store.day_deals.DayDealStore`.

    No seed is stored: the cards follow from the date.
    """

    def __init__(self, store: LocalStore) -> None:
        self._store = store
        self.rows = Rows("day-deal:", DayAttempt)
        self.by_bots = Rows("day-bots:", list[int])

    async def seed(self, day: int) -> str:
        """Return the seed that follows from the date."""
        return seed_of_date(date.fromordinal(day)).hex()

    async def save_seed(self, _day: int, _seed: str) -> None:
        """Do nothing."""

    async def begin(self, attempt: DayAttempt) -> None:
        """Store a new attempt, unless there is one at the deal of this day already."""
        await self._store.save(*self._new(attempt))

    def _new(self, attempt: DayAttempt) -> list[Changed]:
        name = _name(attempt.guest_id, str(attempt.day))
        return [] if name in self.rows.by_name else [(self.rows, name, attempt)]

    def ended(self, attempt: DayAttempt | None) -> list[Changed]:
        """Return the changes that store the end of an attempt."""
        if attempt is None:
            return []
        if attempt.status == "practised":
            return self._new(attempt)
        return [(self.rows, _name(attempt.guest_id, str(attempt.day)), attempt)]

    async def attempt(self, guest: str, day: int) -> DayAttempt | None:
        """Return the attempt at the deal of a day; None if there is none."""
        return self.rows.by_name.get(_name(guest, str(day)))

    async def at_table(self, table: str) -> DayAttempt | None:
        """Return the attempt that is played at a table; None if there is none."""
        return next((one for one in self.rows.by_name.values() if one.table_id == table), None)

    async def of_guest(self, guest: str, since: int = 0) -> list[DayAttempt]:
        """Return the attempts from the day `since` on, earliest first."""
        found = [one for one in _of_guest(self.rows, guest).values() if one.day >= since]
        return sorted(found, key=lambda one: one.day)

    def _over(self, day: int) -> list[DayAttempt]:
        return [one for one in self.rows.by_name.values() if one.day == day and one.status == "over"]

    async def counts(self, day: int) -> dict[int, int]:
        """Return, by points, how many people got them: the guest alone, or nobody."""
        return {one.points: 1 for one in self._over(day) if one.points is not None}

    async def played(self, day: int) -> int:
        """Return how many people have played the deal of a day to the end."""
        return len(self._over(day))

    async def near(self, day: int, _points: int, _most: int) -> list[DayAttempt]:
        """Return the attempt at the deal of a day, if it has ended."""
        return self._over(day)

    async def standing(self, day: int, skip: int, limit: int) -> list[DayAttempt]:
        """Return the attempt at the deal of a day, if it has ended."""
        return self._over(day)[skip : skip + limit]

    async def known_to(self, guest: str, _others: Sequence[str]) -> set[str]:
        """Return the guest alone."""
        return {guest}

    async def bots(self, days: Sequence[int]) -> dict[tuple[int, str], list[int]]:
        """Return the points of bots in the deals of these days, by day and level."""
        named = [(name.split(":"), points) for name, points in self.by_bots.by_name.items()]
        return {(int(day), level): points for (day, level), points in named if int(day) in days}

    async def save_bot(self, day: int, level: str, points: Sequence[int]) -> None:
        """Store the points of a level's bot in the deal of a day."""
        await self._store.save((self.by_bots, f"{day}:{level}", list(points)))


def _name(guest: str, what: str) -> str:
    """Return the name of a guest's row; `what` is the table, puzzle or day of the row."""
    return f"{guest}:{what}"


def _of_guest(rows: Rows[R], guest: str) -> dict[str, R]:
    """Return the rows of a guest, by the table, puzzle or day in their names."""
    prefix = _name(guest, "")
    named = rows.by_name.items()
    return {name.removeprefix(prefix): row for name, row in named if name.startswith(prefix)}


def _of_table(rows: Rows[Any], table: str) -> list[str]:
    """Return the names of a table's rows."""
    return [name for name in rows.by_name if name.partition(":")[2] == table]


def _log_of(table: str) -> str:
    return f"entry:{table}:"


def _keyed(table: str, entry: StoredEntry | int) -> tuple[str, StoredEntry | None]:
    """Return (key, entry); the entry is None if only its number is given. Keys sort a log by number."""
    number = entry if isinstance(entry, int) else entry.number
    return f"{_log_of(table)}{number:09}", None if isinstance(entry, int) else entry
