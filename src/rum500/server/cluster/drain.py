"""Draining: before a server stops, it hands its tables over to other servers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log
from rum500.store import SharedStore, StoreError

DRAINED_AT_ONCE = 8
"""The largest number of tables that a draining server closes at a time."""
DRAIN_PAUSE_S = 0.1
"""The seconds between two batches of tables that are closed."""
UNTAKEN_AT_ONCE = 32
"""No table is closed while so many closed tables, which had visitors, wait for another server: as many as are
closed in 0.4 seconds. Clients reconnect 0.3 to 0.5 seconds after they were disconnected.
"""
UNTAKEN_S = 2.0
"""After this many seconds, a closed table no longer counts as waiting for another server."""


async def drain(store: SharedStore, tables: TableRegistry, now: Callable[[], float]) -> None:
    """Close all tables, a few at a time, and no faster than other servers take them."""
    untaken: dict[str, float] = {}
    while tables.in_memory:
        began = now()
        expected = {table: closed for table, closed in untaken.items() if closed > began - UNTAKEN_S}
        untaken = await _still_untaken(store, expected)
        closed = await tables.close_some(min(DRAINED_AT_ONCE, UNTAKEN_AT_ONCE - len(untaken)))
        untaken |= dict.fromkeys(closed, now())
        await asyncio.sleep(max(0.0, began + DRAIN_PAUSE_S - now()))


async def _still_untaken(store: SharedStore, untaken: dict[str, float]) -> dict[str, float]:
    """Return the tables in `untaken` that still have no owner; the values are the times of closing."""
    try:
        ownerless = await store.nodes.ownerless(untaken) if untaken else set()
    except StoreError as error:  # without the store no server can take a table either
        log().warning("tables.not_looked_up", code=error.code)
        return untaken
    return {table: untaken[table] for table in ownerless}
