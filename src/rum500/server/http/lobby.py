"""The lobby over HTTP: guests, games and their rules, tables, and tokens for external bots."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from typing import Annotated, cast

import msgspec
import segno
from msgspec import Meta

from rum500.server.config import Config
from rum500.server.guests import Cookies, Names, tidy_name
from rum500.server.http.catalogue import LEVEL_USUAL, levels, profile_list, rule_sentences
from rum500.server.http.dispatch import ApiError, ApiRequest, Param, answers, checked
from rum500.server.http.replays import TABLE, table_row
from rum500.server.limits import Limits
from rum500.server.live import Guest, LiveTable, TableOptions, TableRegistry
from rum500.server.logs import log, shown
from rum500.server.messages import SeatPlate
from rum500.server.messages.base import Status
from rum500.server.messages.http import (
    BotToken,
    LentSeat,
    Me,
    NewBot,
    NewName,
    NewTable,
    NewTableId,
    Profile,
    RuleSentence,
    TableSummary,
)
from rum500.server.messages.table_error import TableError
from rum500.store import Store, TableRow

_LISTED = 100
_FORSAKEN_S = 12 * 3600
"""After this many seconds in which nobody sat down or stood up, an open table is no longer listed."""
_OPEN = ("open",)
_ANY = ("open", "playing", "paused", "over", "abandoned")

_seats = msgspec.json.Decoder(list[SeatPlate])

_PROFILE = Param("profile", Annotated[str, Meta(min_length=1, max_length=60)], "A game, by name or alias.")
_HOUSE = Param(
    "house", Annotated[str, Meta(pattern=r"^(H[1-6](,H[1-6])*)?$")], "House rules, separated by commas."
)
_PLAYERS = Param("players", Annotated[int, Meta(ge=2, le=8)], "The number of players.")


class Lobby:
    """The handlers of the lobby's requests; each gets the request with its sender."""

    def __init__(
        self,
        config: Config,
        store: Store,
        tables: TableRegistry,
        cookies: Cookies,
        names: Names,
        limits: Limits,
    ) -> None:
        self._config = config
        self._store = store
        self._tables = tables
        self._cookies = cookies
        self._names = names
        self._limits = limits

    # --- guests ---------------------------------------------------------------------------------------

    @answers("GET", "/api/me")
    async def me(self, asker: ApiRequest) -> Me:
        """Return the guest who sends the request; a request without a cookie makes a new guest.

        The cookie is sent with every answer, so that it does not expire.
        """
        if asker.cookie is None:
            self._limits.check("new_guests", asker.address)
            asker.cookie = self._cookies.new()
        asker.headers["set-cookie"] = self._cookies.header(asker.cookie, secure=asker.secure)
        return await self._me(asker)

    @answers("PUT", "/api/me", takes=NewName, refuses=(401,))
    async def rename(self, asker: ApiRequest) -> Me:
        """Change the guest's name."""
        guest = asker.guest
        self._limits.check("names", guest.id)
        name = await self._names.give(guest.id, asker.body.name)
        self._tables.renamed(Guest(id=guest.id, name=name))
        return await self._me(asker)

    async def _me(self, asker: ApiRequest) -> Me:
        guest = asker.guest
        return Me(guest.id, await self._names.of(guest.id), guest.since, levels(), LEVEL_USUAL)

    # --- games ----------------------------------------------------------------------------------------

    @answers("GET", "/api/profiles")
    async def profiles(self, _asker: ApiRequest) -> Sequence[Profile]:
        """List the games of the family."""
        return profile_list()

    @answers("GET", "/api/rules/{profile}", params=(_PROFILE,), query=(_HOUSE, _PLAYERS), refuses=(404, 422))
    async def rules(self, asker: ApiRequest) -> list[RuleSentence]:
        """List the rules of a game."""
        query = asker.request.query_params
        house = checked(_HOUSE, query.get("house", ""))
        players = query.get("players")
        return rule_sentences(
            asker.request.path_params["profile"],
            [rule for rule in house.split(",") if rule],
            None if players is None else checked(_PLAYERS, players),
        )

    # --- tables ---------------------------------------------------------------------------------------

    @answers("GET", "/api/tables")
    async def open_tables(self, asker: ApiRequest) -> list[TableSummary]:
        """List the public tables that have a free seat and have not begun.

        A table where nothing has happened for 12 hours is not listed.
        """
        since = int((time.time() - _FORSAKEN_S) * 1000)
        rows = await self._store.tables(status=_OPEN, private=False, since=since, limit=_LISTED)
        return [await self._summary(row, asker) for row in rows if row.seats_free]

    @answers("GET", "/api/tables/mine", refuses=(401,))
    async def my_tables(self, asker: ApiRequest) -> list[TableSummary]:
        """List the tables at which the guest sits or sat, the latest first."""
        rows = await self._store.tables(status=_ANY, guest=asker.guest.id, limit=_LISTED)
        return [await self._summary(row, asker) for row in rows]

    @answers("GET", "/api/tables/{table}", params=(TABLE,), refuses=(404,))
    async def table(self, asker: ApiRequest) -> TableSummary:
        """Return a table as the lobby lists it."""
        return await self._summary(await table_row(self._store, asker), asker)

    @answers("POST", "/api/tables", takes=NewTable, status=201, refuses=(401, 404, 409))
    async def make_table(self, asker: ApiRequest) -> NewTableId:
        """Make a table.

        The guest gets the first seat without a bot.
        """
        wanted: NewTable = asker.body
        guest = asker.guest
        self._limits.check("new_tables", guest.id)
        self._limits.check("new_tables_by_address", asker.address)
        values = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not None}
        bots, start = values.pop("bots"), values.pop("start")
        values.setdefault("level", LEVEL_USUAL)
        values["bot_pause_ms"] = self._config.bot_pause_ms
        try:
            options = msgspec.convert(values, TableOptions)
        except msgspec.ValidationError as error:
            raise ApiError(422, "table.options", str(error)) from None
        who = Guest(id=guest.id, name=await self._names.of(guest.id))
        made = await self._tables.create(options, who, bots=bots, start=start)
        log().info(
            "table.created", table=shown(made), profile=wanted.profile, private=wanted.private, start=start
        )
        return NewTableId(made)

    @answers(
        "POST", "/api/tables/{table}/bots", takes=NewBot, status=201, params=(TABLE,), refuses=(401, 404, 409)
    )
    async def lend(self, asker: ApiRequest) -> BotToken:
        """Make a token with which an external bot plays a seat: the guest's own seat, or, if the guest is the
        host and the match has not begun, a seat where no other person sits.
        """
        guest, wanted = asker.guest, asker.body
        self._limits.check("bot_tokens", guest.id)
        name = tidy_name(wanted.name)
        token = await (await self._live(asker)).lend(guest.id, wanted.seat, name)
        return BotToken(wanted.seat, token)

    @answers(
        "POST", "/api/tables/{table}/bots/recall", takes=LentSeat, params=(TABLE,), refuses=(401, 404, 409)
    )
    async def recall(self, asker: ApiRequest) -> LentSeat:
        """Revoke the token of an external bot."""
        guest = asker.guest
        await (await self._live(asker)).recall(guest.id, asker.body.seat)
        return LentSeat(asker.body.seat)

    async def _live(self, asker: ApiRequest) -> LiveTable:
        live = await self._tables.get(asker.request.path_params["table"])
        if live is None:
            raise TableError("table.unknown")
        return live

    @answers("GET", "/api/tables/{table}/qr.svg", media="image/svg+xml", params=(TABLE,), refuses=(404,))
    async def qr(self, asker: ApiRequest) -> bytes:
        """Return a QR code with the table's address."""
        row = await table_row(self._store, asker)
        url = asker.request.url
        base = self._config.public_url[0] if self._config.public_url else f"{url.scheme}://{url.netloc}"
        out = io.BytesIO()
        segno.make(f"{base}/t/{row.id}", error="m", micro=False).save(out, kind="svg", border=4, light="#fff")
        return out.getvalue()

    # --- shared by the handlers -----------------------------------------------------------------------

    async def _summary(self, row: TableRow, asker: ApiRequest) -> TableSummary:
        return TableSummary(
            id=row.id,
            created=row.created,
            updated=row.updated,
            status=cast("Status", row.status),  # the store has it from a table's state
            private=row.private,
            profile=row.profile,
            title=row.title,
            players=row.players,
            people=[await self._names.of(guest) for guest in row.people],
            seats=_seats.decode(row.seats),
            seats_free=row.seats_free,
            clocked=row.clocked,
            host=row.host,
            mine=asker.cookie is not None and asker.cookie.id in row.people,
        )
