"""All live tables of a server: created, loaded from the store on demand, and closed when unused."""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from hashlib import blake2b
from importlib.metadata import version
from typing import Any, TypeVar

from msgspec.structs import replace

from rum500.puzzles.day_deal import DayDeal
from rum500.puzzles.lesson import Lesson
from rum500.record import digest
from rum500.rng import Rng
from rum500.server import messages
from rum500.server.live.broadcast.awaited_guests import WaitListener
from rum500.server.live.finished.deal_replay import FinishedDeal, finished_deal
from rum500.server.live.finished.deeds import Examined
from rum500.server.live.finished.log_reading import READ, packed, result_of
from rum500.server.live.finished.match_results import (
    MatchOutcome,
    TableDeals,
    TableStanding,
    deals_of,
    results_of,
    standing_of,
)
from rum500.server.live.finished.try_again import tried_again
from rum500.server.live.log import entries
from rum500.server.live.log.day_attempts import end_of
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.seats import bot_name
from rum500.server.live.log.table_log import TableLog, lobby_fields
from rum500.server.live.log.table_options import Guest, rules_for
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.time_source import Alarm, LoopTime, TableTime, TimeSource
from rum500.server.live.log.waits import day_due
from rum500.server.live.ownership import Ownership, PlainLog
from rum500.server.live.table import LiveTable, TableMetrics, TableServices
from rum500.server.live.turn.day_clock import DayClock
from rum500.server.live.turn.deal_setup import begin_entries
from rum500.server.logs import log, shown
from rum500.server.messages import http
from rum500.server.messages.options import USUAL_SPEED, TableOptions, TriedFrom
from rum500.server.messages.table_error import TableError
from rum500.server.thinking.executor import BotExecutor, ThreadExecutor, WorkFailed
from rum500.server.work_scheduler import READ_S, SERVER, Asker, Turn, Work
from rum500.store import PruneReport, ResultRow, ServedElsewhere, StoredEntry, StoreError, TableRow

SWEEP_S = 30.0
"""The seconds between two searches for unused tables."""
IDLE_S = 60.0
"""The seconds after which a table is removed from memory if no guest is connected and nothing is due."""
TOGETHER_S = 0.1
"""The seconds in which viewers who made no request and need not decide get at most one update. Nobody notices
the delay, and fast play makes fewer, larger messages.
"""
MOST_STANDINGS = 5_000
"""The largest number of tables whose standing is cached for lists while they are not in memory."""
CLOSED_AT_ONCE = 16
"""The largest number of tables that are closed at a time, so that each can soon be loaded elsewhere."""
_ID_BYTES = 16
K = TypeVar("K", TableDeals, TableStanding)

_from_start = partial(TriedFrom, table="", deal=1, frame=0, turn=1, seat=0, redealt=False)
"""Returns what a table is for that begins a lesson or a deal of the day, which come from no table."""


class _NoReports:
    """Ignores metrics and reports of waiting tables."""

    def _ignore(self, *_: object) -> None:
        """Do nothing."""

    move = refused = waits_for = viewed = nudged = _ignore


class TableRegistry:
    """The live tables of this process. The store has all tables."""

    def __init__(
        self,
        ownership: Ownership,
        *,
        time: TimeSource | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        executor: BotExecutor | None = None,
        metrics: TableMetrics | None = None,
        notices: WaitListener | None = None,
        idle_s: float = IDLE_S,
        together_s: float = TOGETHER_S,
    ) -> None:
        """Begin without tables in memory, on the running event loop.

        `ownership` has the store, and decides which tables may be loaded. `entropy` returns the requested
        number of secret random bytes. A table that has been unused for `idle_s` seconds is removed from
        memory. Viewers who made no request and need not decide get at most one update in `together_s`
        seconds.
        """
        time = time or LoopTime()
        self.ownership, store = ownership, ownership.store
        self.day_clock = DayClock(store, time, self._wake, ownership.poll_s)
        """Wakes the tables with a clock of days."""
        self.services = TableServices(
            store=store,
            time=time,
            executor=executor or ThreadExecutor(),
            entropy=entropy,
            metrics=metrics or _NoReports(),
            rematch=self._rematch,
            notices=notices or _NoReports(),
            wake_at=self.day_clock.note,
            together_s=together_s,
            lost=self._lost,
        )
        self.work = self.services.executor.scheduler
        """Decides when logs are read and files are made."""
        self._idle_s = idle_s
        self.id_prefix = ""
        """The beginning of the ids of new tables."""
        self._live: dict[str, LiveTable] = {}
        self._standings: dict[str, TableStanding] = {}
        self._deals: dict[str, TableDeals] = {}
        self._makers: dict[str, Asker] = {}
        self._loading: dict[str, asyncio.Task[LiveTable | None]] = {}
        self._leaving: dict[str, asyncio.Task[None]] = {}
        self._sweeper: Alarm | None = None
        self._closed = False
        self._sweep_later()

    # --- making and finding -------------------------------------------------------------------------

    async def create(
        self,
        options: TableOptions,
        guest: Guest,
        *,
        bots: Sequence[str | None] = (),
        start: bool = False,
        address: str = "",
    ) -> str:
        """Create a table, give `guest` the first seat without a bot, and return the table's id.

        `address` is the guest's network address, for `made_by`. `bots` has, by seat, a level, or None for a
        person. `start` begins the match at once, with bots at all other seats. Raises
        `TableError` if the options are invalid.
        """
        rules, players = rules_for(options)
        if len(bots) > players:
            raise TableError(
                "option.bots", key="bots", parts=messages.ReasonParts(count=len(bots), most=players)
            )
        check_level = self.services.check_level
        check_level(options.level, rules, players, "level")
        levels = [None if level is None else check_level(level, rules, players, "bots") for level in bots]
        if options.speed is None and (row := await self.services.store.guest(guest.id)) is not None:
            options = replace(options, speed=row.speed)
        draft = self._draft(options, guest)
        for player, level in enumerate(levels):
            if level is not None:
                draft.append(entries.BotSat(player, level, bot_name(seat.name for seat in draft.state.seats)))
        free = [player for player, seat in enumerate(draft.state.seats) if seat.kind == "empty"]
        if free:
            draft.append(entries.Sat(free[0], guest.id, guest.name))
        return await self._open(draft, Asker.of(guest.id, address), start=start)

    async def try_again(
        self, table: str, deal: int, frame: int, guest: Guest, *, redealt: bool, address: str = ""
    ) -> str | None:
        """Create a table where a guest continues a finished deal. Return its id; None without such a deal.

        The guest gets the seat that decides after `frame` of the deal's replay, and bots get the other seats.
        With `redealt` the cards that this seat could not see are dealt again. Raises `TableError` if no
        player decides there.
        """
        maker = Asker.of(guest.id, address)
        await self._check_secret(table, maker)
        stored = await self.services.store.entries(table)
        rng = Rng(int.from_bytes(self.services.entropy(8))) if redealt else None
        call = partial(_position, table, stored, deal, frame, rng)
        found = await self.work.in_thread(Work.READ, maker, call)
        if found is None:
            return None
        finished, entry = found
        options = replace(
            finished.options,
            players=len(finished.players),
            private=True,
            turn_s=None,
            bank_s=None,
            hints="numbers",
            hints_a_deal=None,
        )
        seats = list(zip(finished.levels, finished.names, strict=True))
        return await self._play_on(entry, options, seats, guest, maker)

    async def begin_lesson(
        self, lesson: Lesson, step: int, guest: Guest, *, bot_pause_ms: int, address: str = ""
    ) -> str:
        """Create a table at which a guest plays a lesson, beginning at a step; return the table's id.

        Raises `ValueError` for a step that does not exist.
        """
        maker = Asker.of(guest.id, address)
        _, plays = await self.work.in_thread(Work.READ, maker, partial(lesson.played_until, step))
        nothing = [0] * lesson.players
        entry = entries.TriedAgain(
            _from_start(points=nothing, lesson=lesson.name),
            lesson.dealer,
            nothing,
            list(lesson.deck),
            plays,
        )
        options = TableOptions(
            profile=lesson.rules.name,
            players=lesson.players,
            private=True,
            level=lesson.level,
            hints="numbers",
            bot_pause_ms=bot_pause_ms,
        )
        seats: list[tuple[str | None, str]] = [(None, "")] * lesson.players
        return await self._play_on(entry, options, seats, guest, maker)

    async def play_day_deal(
        self, deal: DayDeal, guest: Guest, table: str, *, practice: bool, bot_pause_ms: int, address: str
    ) -> str:
        """Create the table with this id, at which a guest plays a deal of the day; return the id.

        If the table exists, nothing is changed.
        """
        if await self.services.store.table(table) is not None:
            return table
        nothing = [0] * deal.players
        day = deal.day.isoformat()
        entry = entries.TriedAgain(
            _from_start(points=nothing, day=day, practice=practice),
            deal.dealer,
            nothing,
            list(deal.deck),
            [],
        )
        row = await self.services.store.guest(guest.id)
        options = TableOptions(
            profile=deal.rules.name,
            players=deal.players,
            private=True,
            level=deal.level,
            bot_pause_ms=bot_pause_ms,
        )
        if row is not None:
            options = replace(options, speed=row.speed)
        seats: list[tuple[str | None, str]] = [(None, "")] * deal.players
        maker = Asker.of(guest.id, address)
        try:
            return await self._play_on(entry, options, seats, guest, maker, table, deal.bots_seed)
        except StoreError as error:
            if error.code != "store.conflict":  # another request of the guest has made the table
                raise
            return table

    async def _play_on(
        self,
        entry: entries.TriedAgain,
        options: TableOptions,
        seats: Sequence[tuple[str | None, str]],
        guest: Guest,
        maker: Asker,
        table: str | None = None,
        secret: int | None = None,
    ) -> str:
        """Create a table at which a guest continues the deal of `entry`; return the table's id.

        `seats` has, by seat, the level and name of a bot. If the level is None, the bot has the level of
        `options`, and a new name.
        """
        draft = self._draft(options, guest, table, secret)
        draft.append(entries.Sat(entry.of.seat, guest.id, guest.name))
        for seat, (level, name) in enumerate(seats):
            if seat != entry.of.seat:
                others = [one.name for one in draft.state.seats]
                called = bot_name(others) if level is None else name
                draft.append(entries.BotSat(seat, level or options.level, called))
        draft.append(entry)
        return await self._open(draft, maker, start=False)

    def new_id(self) -> str:
        """Return a random id for a table."""
        return self._id(self.services.entropy(_ID_BYTES))

    def _id(self, chance: bytes) -> str:
        return self.id_prefix + base64.urlsafe_b64encode(chance).rstrip(b"=").decode()

    def _draft(
        self, options: TableOptions, guest: Guest, table: str | None = None, secret: int | None = None
    ) -> TableLog:
        """Return the log of a new table with this id, by default a new one.

        `secret` is the seed of the bots' random choices, by default a random one.
        """
        entropy = self.services.entropy
        state = TableState(self.new_id() if table is None else table)
        drawn = entropy(8).hex() if secret is None else f"{secret:016x}"
        stored = PlainLog(self.services.store, state.table)
        draft = TableLog(state, stored, TableTime(self.services.time), results_of)
        rules, players = rules_for(options)
        speed = options.speed or USUAL_SPEED
        options = replace(options, players=players, bank_s=options.bank, speed=speed)
        draft.append(entries.Created(options, guest.id, drawn, digest(rules), version("rum500")))
        return draft

    async def _open(self, draft: TableLog, maker: Asker, *, start: bool) -> str:
        state = draft.state
        if start:
            for entry in begin_entries(state, self.services.entropy):
                draft.append(entry)
        row = TableRow(
            id=state.table,
            created=draft.uncommitted[0].at,
            private=state.options.private,
            profile=state.rules.name,
            title=state.rules.title,
            players=len(state.seats),
            clocked=state.options.turn_s is not None,
            due=day_due(state),
            **lobby_fields(state),  # type: ignore[arg-type]
        )
        if (stored := await self.ownership.create(row, draft.uncommitted)) is not None:
            self._live[state.table] = LiveTable(state, stored, self.services, maker)
            self._makers[state.table] = maker
        return state.table

    async def _rematch(self, old: TableState, present: frozenset[int]) -> str:
        """Create a table for a rematch of `present` and the bots; begin if no seat is empty. Return its id.

        The id follows from the old table's secret, so that a table made before a crash is found again.
        """
        host = next(seat for player, seat in enumerate(old.seats) if player in present and not seat.external)
        chance = blake2b(b"rematch", key=old.secret.to_bytes(8), digest_size=_ID_BYTES).digest()
        draft = self._draft(old.options, Guest(host.guest or "", host.name), self._id(chance))
        if await self.services.store.table(draft.state.table) is not None:
            return draft.state.table
        for player, seat in enumerate(old.seats):
            if seat.external:
                draft.append(entries.BotSat(player, old.options.level, seat.name))
            elif player in present and seat.guest is not None:
                draft.append(entries.Sat(player, seat.guest, seat.name))
            elif seat.kind == "bot" and seat.level is not None:
                draft.append(entries.BotSat(player, seat.level, seat.name))
        maker = self._makers.get(old.table, Asker.of(host.guest or ""))
        return await self._open(draft, maker, start=all(seat.kind != "empty" for seat in draft.state.seats))

    async def get(self, table: str, who: Asker = SERVER) -> LiveTable | None:
        """Return the table with this id, loaded from its log if necessary; None if there is none.

        Raises `ServedElsewhere` if another server owns the table, `StoreError` if the store cannot be read,
        `LogError` if the log is damaged, and `Busy` if too much work of `who` is waiting.
        """
        live = self._live.get(table)
        if live is not None:
            live.last_used = self.services.time.now()  # the caller is about to connect
            return live
        if self._closed:
            raise StoreError("store.closed", "the server is stopping")
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.get_running_loop().create_task(
                self._load_in_turn(table, who)
            )
            loading.add_done_callback(lambda done: self._loaded(table, done))
        return await asyncio.shield(loading)

    def _loaded(self, table: str, done: asyncio.Task[LiveTable | None]) -> None:
        del self._loading[table]
        if not done.cancelled():
            done.exception()  # otherwise asyncio would log the exception as never retrieved

    async def _load_in_turn(self, table: str, who: Asker) -> LiveTable | None:
        live: LiveTable | None = await self.work.submit(
            Work.LOAD, who, partial(self._load, table), deadline=None if who == SERVER else READ_S
        )
        return live

    async def _load(self, table: str, turn: Turn) -> LiveTable | None:
        if self.ownership.fault is not None:
            raise self.ownership.fault
        leaving = self._leaving.get(table)
        if leaving is not None:
            await asyncio.wait([leaving])
        stored = await self.ownership.open(table)
        if stored is None or not (read := await stored.entries()):
            return None
        try:
            state = await turn.in_thread(partial(TableState.fold, table, read))
        except LogError:
            # A newer version of the server may have written the log, and can read it.
            await stored.release()
            raise
        if self._closed:
            raise StoreError("store.closed", "the server is stopping")
        stored.check()
        maker = self._makers.setdefault(table, Asker.of(state.host or ""))
        live = self._live[table] = LiveTable(state, stored, self.services, maker)
        return live

    async def _wake(self, table: str) -> None:
        """Load a table if necessary and let it do what is due."""
        try:
            live = await self.get(table)
        except ServedElsewhere:
            return  # the server that owns the table wakes it
        if live is not None:
            live.wake()

    def made_by(self, maker: str) -> int:
        """Return how many tables in memory were made by this guest, or from this network address."""
        self._makers = {table: makers for table, makers in self._makers.items() if table in self._live}
        return sum(maker in makers for makers in self._makers.values())

    async def prune(self, before: int) -> PruneReport:
        """Remove the tables last changed before this time, in ms since 1970, except those in memory."""
        return await self.services.store.prune(
            before, keep=lambda table: table in self._live or table in self._loading
        )

    def __len__(self) -> int:
        """Return the number of tables in memory."""
        return len(self._live)

    def stalled(self, patience: float) -> list[LiveTable]:
        """Return the tables whose task has worked on a request for over `patience` seconds, or has ended."""
        return [live for live in self._live.values() if live.stalled(patience)]

    def renamed(self, guest: Guest) -> None:
        """Show a guest's new name at all tables in memory."""
        for live in self._live.values():
            live.renamed(guest)

    # --- replays and records ------------------------------------------------------------------------

    async def replay(self, table: str, deal: int, who: Asker = SERVER) -> http.Replay | None:
        """Return the replay of a finished deal; None if no finished deal has this number."""
        await self._check_secret(table, who)
        found: http.Replay | None = await self._read(Work.READ, who, http.Replay, table, deal)
        return found

    async def record(self, table: str, deal: int | None = None, who: Asker = SERVER) -> str | None:
        """Return the record of a finished deal, or of the match so far; None if nothing is finished."""
        await self._check_secret(table, who)
        found: str | None = await self._read(Work.EXPORT, who, str, table, deal)
        return found

    async def _check_secret(self, table: str, who: Asker) -> None:
        """Raise `TableError` if the attempt of a guest other than `who` at today's deal is played there."""
        attempt = None if who == SERVER else await self.services.store.day_deals.at_table(table)
        if attempt is None or attempt.guest_id == who.guest:
            return
        if end_of(date.fromordinal(attempt.day)) > self.services.time.wall():
            raise TableError("day.secret")

    async def _read(self, work: Work, who: Asker, kind: Any, table: str, *parts: object) -> Any:
        """Read an object of type `kind` from a table's log. Raises `LogError`, or `TableError` on failure."""
        log = packed(await self.services.store.entries(table))
        call = self.services.executor.call(work, who, READ, kind.__name__, table, log, *parts)
        try:
            return result_of(list[kind] if kind in (ResultRow, Examined) else kind | None, await call)
        except WorkFailed:
            raise TableError("table.failed") from None

    async def deals(self, table: str, who: Asker = SERVER) -> TableDeals:
        """Return the data of a table's deals, cached until the log of a table not in memory grows."""
        await self._check_secret(table, who)
        deals = await self._latest(table, self._deals, TableDeals, deals_of, who)
        former = () if who.guest in (*deals.guests, "") else await self.services.store.former(who.guest)
        return deals.seen_by(who.guest, former)

    async def outcome(self, table: str, who: Asker = SERVER) -> MatchOutcome | None:
        """Return the outcome of a finished match; None if it has none. Raises `LogError`."""
        found: MatchOutcome | None = await self._read(Work.READ, who, MatchOutcome, table)
        return found

    # --- lists of a guest's tables --------------------------------------------------------------------

    async def standing(self, table: str, who: Asker = SERVER) -> TableStanding:
        """Return the standing of an unfinished table.

        A table that is not in memory is read from its log; the result is cached until the log has new
        entries. Raises `StoreError` or `LogError` if the log cannot be read.
        """
        return await self._latest(table, self._standings, TableStanding, standing_of, who)

    async def _latest(
        self, table: str, kept: dict[str, K], kind: type[K], of: Callable[[TableState], K], who: Asker
    ) -> K:
        """Return the result of `of` for a table's state.

        The result is cached in `kept` if the table is not in memory.
        """
        live = self._live.get(table)
        if live is not None and not live.log.broken:
            return of(live.log.state)
        known = kept.pop(table, None)
        if known is None or await self.services.store.entries(table, known.number):
            known = await self._read(Work.READ, who, kind, table)
        kept[table] = known
        if len(kept) > MOST_STANDINGS:
            del kept[next(iter(kept))]
        return known

    async def save_results(self, guest: str, who: Asker) -> None:
        """Store the missing results of those matches of the guest that ended under older versions."""
        store = self.services.store
        for table in await store.results.missing(guest):
            try:
                await store.results.save_missing(table, await self._read(Work.READ, who, ResultRow, table))
            except LogError as error:
                log().warning("table.unreadable", table=shown(table), error=error)

    async def examined(self, table: str, who: Asker) -> list[Examined]:
        """Return what the log of an ended match holds of its guests. Raises `LogError` if it is damaged."""
        found: list[Examined] = await self._read(Work.READ, who, Examined, table)
        return found

    # --- closing ------------------------------------------------------------------------------------

    def _sweep_later(self) -> None:
        time = self.services.time
        self._sweeper = time.call_at(time.now() + SWEEP_S, self._sweep)

    def _sweep(self) -> None:
        """Close the tables that have been unused for `_idle_s` seconds."""
        before = self.services.time.now() - self._idle_s
        for table, live in list(self._live.items()):
            if live.idle and live.last_used <= before:
                del self._live[table]
                self._leave(table, live)
        self._sweep_later()

    def _leave(self, table: str, live: LiveTable) -> None:
        leaving = self._leaving[table] = asyncio.get_running_loop().create_task(self._let_go(live))
        leaving.add_done_callback(lambda _: self._leaving.pop(table, None))

    async def _let_go(self, live: LiveTable) -> None:
        """Close a table, so that another server can load it."""
        await live.close()
        if not live.log.broken:
            await live.log.stored.release()

    def _lost(self, live: LiveTable) -> None:
        """Forget a table that another server has taken over, unless it has been loaded again since."""
        if self._live.get(live.id) is live:
            del self._live[live.id]

    def drop_all(self) -> None:
        """Drop all tables at once without writing anything: other servers may take them over."""
        live, self._live = self._live, {}
        for table in live.values():
            table.drop()

    @property
    def in_memory(self) -> bool:
        """Whether any table is in memory, or being loaded."""
        return bool(self._live or self._leaving or self._loading)

    async def close_some(self, most: int = CLOSED_AT_ONCE) -> list[str]:
        """Close up to `most` tables, and wait for tables that are being closed or loaded.

        Returns the ids of the closed tables that had visitors.
        """
        few = list(self._live.items())[:most]
        visited = [table for table, live in few if live.has_guests]
        for table, live in few:
            del self._live[table]
            self._leave(table, live)
        if waiting := list((self._leaving or self._loading).values()):
            await asyncio.wait(waiting)
        return visited

    async def close(self) -> None:
        """Close all tables, their connections, and the executor."""
        self._closed = True
        await self.day_clock.close()
        if self._sweeper is not None:
            self._sweeper.cancel()
        while self.in_memory:
            await self.close_some()
        await self.services.executor.close()


def _position(
    table: str, stored: Sequence[StoredEntry], deal: int, frame: int, rng: Rng | None
) -> tuple[FinishedDeal, entries.TriedAgain] | None:
    finished = finished_deal(table, stored, deal)
    return None if finished is None else (finished, tried_again(table, finished, frame, rng))
