"""Replays and records of finished deals, over HTTP."""

from __future__ import annotations

from rum500.server.guests import Names
from rum500.server.http.endpoint import ApiError, ApiRequest, Param, answers
from rum500.server.limits import Limits
from rum500.server.live.log.table_options import Guest
from rum500.server.live.table_registry import TableRegistry
from rum500.server.messages.field_types import DealNumber
from rum500.server.messages.http import NewTableId, Replay, TableId, TryAgain
from rum500.server.messages.table_error import TableError
from rum500.server.work_scheduler import Work
from rum500.store import TableRow, TableStore

TABLE = Param("table", TableId, "The table's id; anyone who knows it may join.")
DEAL = Param("deal", DealNumber, "The number of a finished deal, from 1.")
_RECORD = "text/plain; charset=utf-8"


class Replays:
    """The handlers of the requests for finished deals."""

    def __init__(self, store: TableStore, tables: TableRegistry, names: Names, limits: Limits) -> None:
        self._names = names
        self._store = store
        self._tables = tables
        self._limits = limits

    @answers(
        "GET",
        "/api/tables/{table}/record.rum500",
        work=Work.EXPORT,
        media=_RECORD,
        params=(TABLE,),
        refuses=(404,),
    )
    async def match_record(self, asker: ApiRequest) -> bytes:
        """Return the record of the match so far, with its finished deals."""
        return await self._record(asker, None)

    @answers(
        "GET",
        "/api/tables/{table}/deals/{deal}.rum500",
        work=Work.EXPORT,
        media=_RECORD,
        params=(TABLE, DEAL),
        refuses=(404,),
    )
    async def deal_record(self, asker: ApiRequest) -> bytes:
        """Return the record of a finished deal, which `rum500 replay --verify` can check."""
        return await self._record(asker, deal_number(asker))

    @answers("GET", "/api/tables/{table}/deals/{deal}", work=Work.READ, params=(TABLE, DEAL), refuses=(404,))
    async def replay(self, asker: ApiRequest) -> Replay:
        """Return a finished deal as a list of steps."""
        row, deal = await table_row(self._store, asker), deal_number(asker)
        self._limits.check("replays", asker.address)
        found = await self._tables.replay(row.id, deal, asker.who)
        if found is None:
            raise _no_deal()
        return found

    @answers(
        "POST",
        "/api/tables/{table}/deals/{deal}/try",
        work=Work.READ,
        params=(TABLE, DEAL),
        takes=TryAgain,
        status=201,
        refuses=(401, 404, 409),
    )
    async def try_again(self, asker: ApiRequest) -> NewTableId:
        """Create a table at which the guest plays on from a decision of a finished deal, against bots.

        The guest gets the seat that decides. The result is not counted.
        """
        row, deal, guest = await table_row(self._store, asker), deal_number(asker), asker.guest
        made_by = self._tables.made_by
        self._limits.check_new_table(guest.id, asker.address, made_by(guest.id), made_by(asker.address))
        wanted: TryAgain = asker.body
        who = Guest(id=guest.id, name=await self._names.of(guest.id))
        made = await self._tables.try_again(
            row.id, deal, wanted.frame, who, redealt=wanted.redealt, address=asker.address
        )
        if made is None:
            raise _no_deal()
        return NewTableId(made)

    async def _record(self, asker: ApiRequest, deal: int | None) -> bytes:
        row = await table_row(self._store, asker)
        self._limits.check("replays", asker.address)
        found = await self._tables.record(row.id, deal, asker.who)
        if found is None:
            raise _no_deal()
        name = f"{row.profile}-{row.id[:6]}" + (f"-{deal}" if deal else "")
        asker.headers["content-disposition"] = f'attachment; filename="{name}.rum500"'
        return found.encode()


async def table_row(store: TableStore, asker: ApiRequest) -> TableRow:
    """Return the row of the table in the path. Raises `TableError` if there is no such table."""
    row = await store.table(asker.path["table"])
    if row is None:
        raise TableError("table.unknown")
    return row


def deal_number(asker: ApiRequest) -> int:
    """Return the number of the deal in the path. Raises `TableError` if it is not a number."""
    try:
        return int(asker.param(DEAL))
    except ApiError:
        raise _no_deal() from None


def _no_deal() -> TableError:
    return TableError("deal.unknown")
