"""The lobby over HTTP: tables, and tokens for external bots."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

from rum500.server.config import Config
from rum500.server.guests import Names, now_ms
from rum500.server.http.endpoint import ApiError, ApiRequest, Param, answers
from rum500.server.http.replays import TABLE, table_row
from rum500.server.limits import Limits
from rum500.server.live.finished.match_results import TableStanding
from rum500.server.live.log.entries import LogError, options_in
from rum500.server.live.log.table_options import Guest
from rum500.server.live.table import LiveTable
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.server.messages import SeatPlate
from rum500.server.messages.guest_names import tidy_name
from rum500.server.messages.http import (
    BotToken,
    EndAlone,
    LentSeat,
    MyTable,
    NewBot,
    NewTableId,
    PutAway,
    TableSummary,
)
from rum500.server.messages.options import NewTable, TableOptions
from rum500.server.messages.table_error import TableError
from rum500.server.work_scheduler import Light, Work
from rum500.store import StoredEntry, TableListing, TableRow, TableStore

_LISTED = 100
_SHARE = 10
"""The largest number of tables of one address that the lobby lists."""
_FORSAKEN_S = 12 * 3600
"""After this many seconds without anybody sitting down or standing up, an open table is no longer listed."""
_UNTOUCHED_S = 7 * 86_400
"""After this many seconds without an event, a table without other people leaves its guest's list."""
_UNFINISHED = ("open", "playing", "paused")

_seats = msgspec.json.Decoder(list[SeatPlate])

_SKIP = Param("skip", Annotated[int, Meta(ge=0, le=10_000)], "The tables to leave out; by default 0.")
_LIMIT = Param("limit", Annotated[int, Meta(ge=1, le=_LISTED)], "The most tables to return; by default 100.")
_AWAY = Param(
    "away",
    bool,
    "Whether to list the tables that the list leaves out, instead of the others; by default not.",
)


def _is_away(standing: TableStanding, guest: str, put_away_at: int | None) -> bool:
    """Return whether a guest's list of tables leaves out the table with this standing.

    `put_away_at` is when the guest put the table away, in ms since 1970; None if the guest did not.
    """
    if standing.alone and standing.changed_at < (time.time() - _UNTOUCHED_S) * 1000:
        return True
    waits_again = guest in standing.waits_for and put_away_at is not None and standing.asked_at > put_away_at
    return put_away_at is not None and not waits_again


def _my_table(table: TableSummary, standing: TableStanding, guest: str, *, put_away: bool) -> MyTable:
    return MyTable(
        table=table,
        my_turn=guest in standing.waits_for,
        asked=standing.asked_at,
        due=standing.due,
        deal=standing.deal,
        seat=standing.seats.index(guest) if guest in standing.seats else None,
        names=list(standing.names),
        scores=list(standing.scores),
        alone=standing.alone,
        put_away=put_away,
    )


@dataclass(slots=True, eq=False)
class Lobby:
    """The handlers of the lobby's requests."""

    _config: Config
    _store: TableStore
    _tables: TableRegistry
    _names: Names
    _limits: Limits

    @answers("GET", "/api/tables", work=Light.ROWS, query=(_SKIP, _LIMIT), refuses=(422,))
    async def open_tables(self, asker: ApiRequest) -> list[TableSummary]:
        """List the public tables that have a free seat, have not begun, and whose host is connected.

        At most 10 tables of one address are listed, and none that has been unchanged for 12 hours.
        """
        since = int((time.time() - _FORSAKEN_S) * 1000)
        skip, limit = asker.param(_SKIP, "0"), asker.param(_LIMIT, str(_LISTED))
        rows = await self._store.listed(since=since, share=_SHARE, skip=skip, limit=limit)
        return await self.summaries(rows, asker)

    @answers("GET", "/api/tables/mine", work=Work.READ, query=(_AWAY,), refuses=(401, 422))
    async def my_tables(self, asker: ApiRequest) -> list[MyTable]:
        """List the unfinished tables at which the guest has or had a seat.

        Tables that wait for the guest come first, the longest waiting at the top. The other tables follow,
        the last changed at the top. The list leaves out tables that the guest has put away, until they wait
        for the guest again, and tables without other people at which nothing has happened for a week.
        """
        guest, away = asker.guest.id, asker.param(_AWAY, "false")
        rows = await self._store.tables(status=_UNFINISHED, guest=guest, limit=_LISTED)
        put_away = await self._store.put_away.of_guest(guest)
        found = []
        for table in await self.summaries(rows, asker):
            standing = await self._standing(table.id, asker)
            if standing is not None and away == _is_away(standing, guest, put_away.get(table.id)):
                found.append(_my_table(table, standing, guest, put_away=table.id in put_away))
        waiting = sorted((mine for mine in found if mine.my_turn), key=lambda mine: mine.asked)
        return [*waiting, *(mine for mine in found if not mine.my_turn)]

    async def _standing(self, table: str, asker: ApiRequest) -> TableStanding | None:
        """Return the standing of an unfinished table; None if its log cannot be read."""
        try:
            return await self._tables.standing(table, asker.who)
        except LogError as error:
            log().warning("table.unreadable", table=shown(table), error=error)
            return None

    @answers(
        "POST",
        "/api/tables/{table}/put-away",
        work=Light.ROWS,
        takes=PutAway,
        params=(TABLE,),
        refuses=(401, 404),
    )
    async def put_away(self, asker: ApiRequest) -> PutAway:
        """Leave a table out of the guest's list until it waits for the guest again, or put it back.

        The table itself does not change.
        """
        guest, row = asker.guest.id, await table_row(self._store, asker)
        if guest not in row.people:
            raise TableError("table.unknown")
        if asker.body.away:
            await self._store.put_away.put(guest, row.id, now_ms())
        else:
            await self._store.put_away.take_back(guest, row.id)
        return PutAway(asker.body.away)

    @answers(
        "POST",
        "/api/tables/{table}/end",
        work=Work.LOAD,
        takes=EndAlone,
        params=(TABLE,),
        refuses=(401, 404, 409),
    )
    async def end_alone(self, asker: ApiRequest) -> TableSummary:
        """End a match in which the guest plays with bots alone; it counts as abandoned."""
        guest = asker.guest.id
        await (await self._live(asker)).end_alone(guest)
        return await self.table(asker)

    @answers("GET", "/api/tables/{table}", work=Light.ROWS, params=(TABLE,), refuses=(404,))
    async def table(self, asker: ApiRequest) -> TableSummary:
        """Return a table as the lobby lists it."""
        return (await self.summaries([await table_row(self._store, asker)], asker))[0]

    @answers("POST", "/api/tables", work=Light.TABLE, takes=NewTable, status=201, refuses=(401, 404, 409))
    async def make_table(self, asker: ApiRequest) -> NewTableId:
        """Create a table.

        The guest gets the first seat without a bot.
        """
        wanted = asker.body
        guest = asker.guest
        made_by = self._tables.made_by
        self._limits.check_new_table(guest.id, asker.address, made_by(guest.id), made_by(asker.address))
        values = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not None}
        bots, start = values.pop("bots"), values.pop("start")
        values["bot_pause_ms"] = self._config.bot_pause_ms
        try:
            options = msgspec.convert(values, TableOptions)
        except msgspec.ValidationError as error:
            raise ApiError(422, "table.options", str(error)) from None
        who = Guest(id=guest.id, name=await self._names.of(guest.id))
        made = await self._tables.create(options, who, bots=bots, start=start, address=asker.address)
        log().info(
            "table.created", table=shown(made), profile=wanted.profile, private=wanted.private, start=start
        )
        return NewTableId(made)

    @answers(
        "POST",
        "/api/tables/{table}/bots",
        work=Work.LOAD,
        takes=NewBot,
        status=201,
        params=(TABLE,),
        refuses=(401, 404, 409),
    )
    async def lend_seat(self, asker: ApiRequest) -> BotToken:
        """Create a token with which an external bot can play a seat: the guest's own seat, or, if the guest
        is the host and the match has not begun, a seat without another person.
        """
        guest, wanted = asker.guest, asker.body
        self._limits.check("bot_tokens", guest.id)
        name = tidy_name(wanted.name)
        token = await (await self._live(asker)).make_bot_token(guest.id, wanted.seat, name)
        return BotToken(wanted.seat, token)

    @answers(
        "POST",
        "/api/tables/{table}/bots/recall",
        work=Work.LOAD,
        takes=LentSeat,
        params=(TABLE,),
        refuses=(401, 404, 409),
    )
    async def recall_seat(self, asker: ApiRequest) -> LentSeat:
        """Revoke the token of an external bot."""
        guest = asker.guest
        await (await self._live(asker)).revoke_bot_token(guest.id, asker.body.seat)
        return LentSeat(asker.body.seat)

    async def _live(self, asker: ApiRequest) -> LiveTable:
        live = await self._tables.get(asker.path["table"], asker.who)
        if live is None:
            raise TableError("table.unknown")
        return live

    # --- shared by the handlers -----------------------------------------------------------------------

    async def summaries(self, rows: Sequence[TableRow], asker: ApiRequest) -> list[TableSummary]:
        """Return tables as the lobby lists them."""
        first = await self._store.first_entries([row.id for row in rows])
        return [await self._summary(row, first.get(row.id), asker) for row in rows]

    async def _summary(self, row: TableRow, first: StoredEntry | None, asker: ApiRequest) -> TableSummary:
        options = options_in(first) or TableOptions(profile=row.profile)
        shared = {name: getattr(row, name) for name in TableListing.__struct_fields__}
        return TableSummary(
            house_rules=options.house_rules,
            variations=options.variations,
            target=options.target,
            deals=options.deals,
            turn_s=options.turn_s,
            people=[await self._names.of(guest) for guest in row.people],
            seats=_seats.decode(row.seats),
            mine=asker.known in row.people,
            **shared,
        )
