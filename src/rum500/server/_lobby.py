"""The lobby over HTTP: guests, games and their rules, tables, replays."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import segno
from msgspec import Meta

from rum500.server._api import Asker, Endpoint, Param, Refusal
from rum500.server._catalogue import levels, profile_list, rule_sentences
from rum500.server._guests import Cookies, Names
from rum500.server._limits import Limits
from rum500.server._logs import log, shown
from rum500.server.config import Config
from rum500.server.http_messages import (
    Me,
    NewName,
    NewTable,
    NewTableId,
    Profile,
    Replay,
    RuleSentence,
    TableId,
    TableSummary,
)
from rum500.server.live import Guest, TableOptions, Tables
from rum500.server.messages import SeatPlate
from rum500.store import Store, TableRow

_LISTED = 100
_OPEN = ("open",)
_ANY = ("open", "playing", "paused", "over", "abandoned")
_RECORD = "text/plain; charset=utf-8"

_seats = msgspec.json.Decoder(list[SeatPlate])

_TABLE = Param("table", TableId, "The table's id: whoever knows it may come in.")
_DEAL = Param("deal", Annotated[int, Meta(ge=1, le=9999)], "The number of a finished deal, from 1.")
_PROFILE = Param("profile", Annotated[str, Meta(min_length=1, max_length=60)], "A game, by name or alias.")
_HOUSE = Param(
    "house", Annotated[str, Meta(pattern=r"^(H[1-6](,H[1-6])*)?$")], "House rules, separated by commas."
)
_PLAYERS = Param("players", Annotated[int, Meta(ge=2, le=8)], "The number of players.")


class Lobby:
    """Handlers of the requests; each is given who asks."""

    def __init__(
        self, config: Config, store: Store, tables: Tables, cookies: Cookies, names: Names, limits: Limits
    ) -> None:
        self._config = config
        self._store = store
        self._tables = tables
        self._cookies = cookies
        self._names = names
        self._limits = limits
        # A long match is work for the processor: one at a time, so that the tables in play hardly notice.
        self._one_replay = asyncio.Lock()

    def endpoints(self) -> list[Endpoint]:
        """All requests there are."""
        return [*self._of_guests(), *self._of_games(), *self._of_tables(), *self._of_deals()]

    def _of_guests(self) -> list[Endpoint]:
        return [
            Endpoint(
                method="GET",
                path="/api/me",
                meaning="Who I am; a stranger becomes a guest.",
                handler=self.me,
                answers=Me,
            ),
            Endpoint(
                method="PUT",
                path="/api/me",
                meaning="Choose a name.",
                handler=self.rename,
                answers=Me,
                takes=NewName,
                refuses=(401,),
            ),
        ]

    def _of_games(self) -> list[Endpoint]:
        return [
            Endpoint(
                method="GET",
                path="/api/profiles",
                meaning="The games of the family.",
                handler=self.profiles,
                answers=list[Profile],
            ),
            Endpoint(
                method="GET",
                path="/api/rules/{profile}",
                meaning="The rules of a game.",
                handler=self.rules,
                answers=list[RuleSentence],
                params=(_PROFILE,),
                query=(_HOUSE, _PLAYERS),
                refuses=(404, 422),
            ),
        ]

    def _of_tables(self) -> list[Endpoint]:
        one: dict[str, Any] = {"method": "GET", "params": (_TABLE,), "refuses": (404,)}
        return [
            Endpoint(
                method="GET",
                path="/api/tables",
                meaning="Open tables that anyone may sit down at.",
                handler=self.open_tables,
                answers=list[TableSummary],
            ),
            Endpoint(
                method="POST",
                path="/api/tables",
                meaning="Make a table.",
                handler=self.make_table,
                answers=NewTableId,
                takes=NewTable,
                status=201,
                refuses=(401, 404, 409),
            ),
            Endpoint(
                method="GET",
                path="/api/tables/mine",
                meaning="The tables at which I sit or sat, the latest first.",
                handler=self.my_tables,
                answers=list[TableSummary],
                refuses=(401,),
            ),
            Endpoint(
                path="/api/tables/{table}",
                meaning="A table as the lobby lists it.",
                handler=self.table,
                answers=TableSummary,
                **one,
            ),
            Endpoint(
                path="/api/tables/{table}/qr.svg",
                meaning="A QR code that leads to the table.",
                handler=self.qr,
                answers=str,
                media="image/svg+xml",
                **one,
            ),
            Endpoint(
                path="/api/tables/{table}/record.rum500",
                meaning="The record of the match so far, finished deals only.",
                handler=self.match_record,
                answers=str,
                media=_RECORD,
                **one,
            ),
        ]

    def _of_deals(self) -> list[Endpoint]:
        one: dict[str, Any] = {"method": "GET", "params": (_TABLE, _DEAL), "refuses": (404,)}
        return [
            Endpoint(
                path="/api/tables/{table}/deals/{deal}.rum500",
                meaning="The record of a finished deal, which rum500 replay --verify verifies.",
                handler=self.deal_record,
                answers=str,
                media=_RECORD,
                **one,
            ),
            Endpoint(
                path="/api/tables/{table}/deals/{deal}",
                meaning="A finished deal, step by step.",
                handler=self.replay,
                answers=Replay,
                **one,
            ),
        ]

    # --- guests ---------------------------------------------------------------------------------------

    async def me(self, asker: Asker) -> Me:
        """The guest who asks; the cookie is given, or given anew so that it does not grow old."""
        if asker.cookie is None:
            self._limits.check("new_guests", asker.address)
            asker.cookie = self._cookies.new()
        asker.headers["set-cookie"] = self._cookies.header(asker.cookie, secure=asker.secure)
        return await self._me(asker)

    async def rename(self, asker: Asker) -> Me:
        """Give the guest a name."""
        guest = asker.guest
        self._limits.check("names", guest.id)
        name = await self._names.give(guest.id, asker.body.name)
        self._tables.renamed(Guest(id=guest.id, name=name))
        return await self._me(asker)

    async def _me(self, asker: Asker) -> Me:
        guest = asker.guest
        return Me(guest.id, await self._names.of(guest.id), guest.since, levels())

    # --- games ----------------------------------------------------------------------------------------

    async def profiles(self, _asker: Asker) -> Sequence[Profile]:
        """The games there are."""
        return profile_list()

    async def rules(self, asker: Asker) -> list[RuleSentence]:
        """The rules of one of them."""
        query = asker.request.query_params
        house = _checked(_HOUSE, query.get("house", ""))
        players = query.get("players")
        return rule_sentences(
            asker.request.path_params["profile"],
            [rule for rule in house.split(",") if rule],
            None if players is None else _checked(_PLAYERS, players),
        )

    # --- tables ---------------------------------------------------------------------------------------

    async def open_tables(self, asker: Asker) -> list[TableSummary]:
        """Tables that are open to all."""
        rows = await self._store.tables(status=_OPEN, private=False, limit=_LISTED)
        return [await self._summary(row, asker) for row in rows if row.seats_free]

    async def my_tables(self, asker: Asker) -> list[TableSummary]:
        """Tables of the guest's own."""
        rows = await self._store.tables(status=_ANY, guest=asker.guest.id, limit=_LISTED)
        return [await self._summary(row, asker) for row in rows]

    async def table(self, asker: Asker) -> TableSummary:
        """One table."""
        return await self._summary(await self._row(asker), asker)

    async def make_table(self, asker: Asker) -> NewTableId:
        """Make a table; the guest sits at its first seat without a bot."""
        wanted: NewTable = asker.body
        guest = asker.guest
        self._limits.check("new_tables", guest.id)
        self._limits.check("new_tables_by_address", asker.address)
        values = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not None}
        bots, start = values.pop("bots"), values.pop("start")
        values["bot_pause_ms"] = self._config.bot_pause_ms
        try:
            options = msgspec.convert(values, TableOptions)
        except msgspec.ValidationError as error:
            raise Refusal(422, "table.options", str(error)) from None
        who = Guest(id=guest.id, name=await self._names.of(guest.id))
        made = await self._tables.create(options, who, bots=bots, start=start)
        log().info(
            "table.created", table=shown(made), profile=wanted.profile, private=wanted.private, start=start
        )
        return NewTableId(made)

    async def qr(self, asker: Asker) -> bytes:
        """The invitation as a picture."""
        row = await self._row(asker)
        url = asker.request.url
        base = self._config.public_url[0] if self._config.public_url else f"{url.scheme}://{url.netloc}"
        out = io.BytesIO()
        segno.make(f"{base}/t/{row.id}", error="m", micro=False).save(out, kind="svg", border=4, light="#fff")
        return out.getvalue()

    # --- deals ----------------------------------------------------------------------------------------

    async def replay(self, asker: Asker) -> Replay:
        """A finished deal, to be stepped through."""
        row, deal = await self._row(asker), _deal(asker)
        self._limits.check("replays", asker.address)
        async with self._one_replay:
            found = await self._tables.replay(row.id, deal)
        if found is None:
            raise _no_deal()
        return found

    async def deal_record(self, asker: Asker) -> bytes:
        """A finished deal's record."""
        return await self._record(asker, _deal(asker))

    async def match_record(self, asker: Asker) -> bytes:
        """The match's record."""
        return await self._record(asker, None)

    async def _record(self, asker: Asker, deal: int | None) -> bytes:
        row = await self._row(asker)
        self._limits.check("replays", asker.address)
        async with self._one_replay:
            found = await self._tables.record(row.id, deal)
        if found is None:
            raise _no_deal()
        name = f"{row.profile}-{row.id[:6]}" + (f"-{deal}" if deal else "")
        asker.headers["content-disposition"] = f'attachment; filename="{name}.rum500"'
        return found.encode()

    # --- what several need ----------------------------------------------------------------------------

    async def _row(self, asker: Asker) -> TableRow:
        row = await self._store.table(asker.request.path_params["table"])
        if row is None:
            raise Refusal(404, "table.unknown", "there is no such table")
        return row

    async def _summary(self, row: TableRow, asker: Asker) -> TableSummary:
        return TableSummary(
            id=row.id,
            created=row.created,
            updated=row.updated,
            status=row.status,  # type: ignore[arg-type] - the store keeps the tables' own word
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


def _no_deal() -> Refusal:
    return Refusal(404, "deal.unknown", "there is no such finished deal")


def _deal(asker: Asker) -> int:
    try:
        return int(_checked(_DEAL, asker.request.path_params["deal"]))
    except Refusal:
        raise _no_deal() from None


def _checked(param: Param, word: str) -> Any:
    """A word of the path or the query, as what it should be; `Refusal`."""
    try:
        return msgspec.convert(word, param.type, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal(422, "request.invalid", f"{param.name}: {error}") from None
