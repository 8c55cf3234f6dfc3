"""What happens at the tables of a guest who becomes one with another guest, or who deletes everything."""

from __future__ import annotations

from collections.abc import Sequence

from rum500.server.live.log import entries
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.table_state import TableState
from rum500.server.live.table import LiveTable
from rum500.server.live.table_registry import TableRegistry
from rum500.server.live.turn.ballot import abandoned_alone
from rum500.server.logs import log, shown
from rum500.server.messages.table_error import TableError
from rum500.store import ServedElsewhere, StoreError

UNFINISHED = ("open", "playing", "paused")
"""The statuses of tables that are not over."""
MOST = 1_000
"""The largest number of a guest's unfinished tables that are changed."""


def may_merge(state: TableState, former: str, guest: str) -> bool:
    """Return whether a guest may have the seats of a former guest: the guest has no place at the table."""
    mine = [player for player, seat in enumerate(state.seats) if former in (seat.guest, seat.owner)]
    return not state.ended and bool(mine) and all(state.seats.may_have(guest, player) for player in mine)


async def merge_seats(live: LiveTable, former: str, guest: str) -> None:
    """Give the seats of a former guest to this guest, who becomes host if the former guest was host.

    If both have a place at the table, nothing changes.
    """
    state = live.log.state
    if live.log.broken or not may_merge(state, former, guest):
        return
    hosts = state.host == former
    await _append(live, entries.GuestMerged(former, guest))
    if hosts:
        await _append(live, entries.Hosted(guest))


async def adopt_seats(tables: TableRegistry, live: LiveTable, guest: str) -> None:
    """Give this guest the seats of guests who were merged into this one while the table lay elsewhere."""
    if live.log.broken or live.log.state.ended or live.log.state.player_of(guest) is not None:
        return
    for former in await tables.services.store.former(guest):
        await _try_to_merge(live, former, guest)


async def merge_all_seats(
    tables: TableRegistry, unfinished: Sequence[str], former: str, guest: str
) -> list[str]:
    """Give this guest the seats of a former guest at these tables; return those that other servers own."""
    elsewhere = []
    for table in unfinished:
        try:
            if (live := await _live(tables, table)) is not None:
                await _try_to_merge(live, former, guest)
        except ServedElsewhere:
            elsewhere.append(table)
    return elsewhere


async def _try_to_merge(live: LiveTable, former: str, guest: str) -> None:
    try:
        await merge_seats(live, former, guest)
    except TableError as error:
        log().warning("table.not_merged", table=shown(live.id), error=error)


async def leave_all(tables: TableRegistry, unfinished: Sequence[str], guest: str) -> list[str]:
    """Let a guest leave these tables for good; return those that other servers own.

    Before the match the seat becomes empty, and a match with bots alone ends. During a match with other
    people, a bot plays for the guest as for anyone who has left.
    """
    elsewhere = []
    for table in unfinished:
        try:
            if (live := await _live(tables, table)) is None:
                continue
            state = live.log.state
            if state.status != "open":
                await live.append_and_store(lambda state: abandoned_alone(state, guest))
            elif (player := state.player_of(guest)) is not None:
                await _append(live, entries.Stood(player))
                others = [seat.guest for seat in state.seats if seat.guest and not seat.external]
                if state.host == guest and others:
                    await _append(live, entries.Hosted(others[0]))
        except ServedElsewhere:
            elsewhere.append(table)
        except TableError as error:
            log().info("table.left", table=shown(table), reason=error.code)
    return elsewhere


async def _append(live: LiveTable, entry: entries.LogEntry) -> None:
    await live.append_and_store(lambda _: entry)


async def _live(tables: TableRegistry, table: str) -> LiveTable | None:
    """Return a table; None if it is gone or damaged. Raises `ServedElsewhere`."""
    try:
        live = await tables.get(table)
    except ServedElsewhere:
        raise
    except (StoreError, LogError) as error:
        log().warning("table.unreadable", table=shown(table), error=error)
        return None
    return None if live is None or live.log.broken else live
