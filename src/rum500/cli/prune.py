"""`rum500 prune`: remove tables, chats and guests that have not been used for long."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from rum500.cli._server_options import ConfigFile, DatabaseUrl, DataFolder, configured
from rum500.cli.user_error import UserError
from rum500.rules.english import counted
from rum500.store import Database, PruneReport, Store, count_unused

_DAY_MS = 86_400_000


def command(
    *,
    days: Annotated[
        int, Parameter(validator=Number(gte=1, lte=36_500), help="Remove what nobody has used for so long.")
    ],
    data: DataFolder = None,
    db: DatabaseUrl = None,
    config: ConfigFile = None,
    dry_run: Annotated[bool, Parameter(negative="", help="Only count what would be removed.")] = False,
) -> None:
    """Remove old tables with their chats, and guests without tables; the server must not run.

    With --dry-run it may run. Make a backup first: what is removed cannot be restored without one.
    """
    place = configured(data, db, config)
    before = int(time.time() * 1000) - days * _DAY_MS
    if not place.database.exists():
        raise UserError(f"{place.database.name}: is not there; name the folder with --data")
    gone = count_unused(place.database, before) if dry_run else asyncio.run(_pruned(place.database, before))
    done = "would be removed" if dry_run else "removed"
    print(
        f"{place.database.name}: {counted(gone.tables, 'table')} and {counted(gone.guests, 'guest')} {done}, "
        f"unused for {counted(days, 'day')}"
    )


async def _pruned(database: Database, before: int) -> PruneReport:
    store = await Store.open(database)
    try:
        return await store.prune(before)
    finally:
        await store.close()
