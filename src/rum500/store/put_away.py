"""The unfinished tables that guests have put away, in the database."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, select

from rum500.store._store_part import StorePart, upsert
from rum500.store.schema import put_away

_PUT = upsert(put_away, ["at"])
_TAKEN_BACK = delete(put_away).where(
    put_away.c.guest_id == bindparam("guest_id"), put_away.c.table_id == bindparam("table_id")
)


class PutAwayTables(StorePart):
    """Reads and writes which tables a guest has put away."""

    async def put(self, guest: str, table: str, at: int) -> None:
        """Store the time, in milliseconds since 1970, at which a guest put a table away."""
        await self._change(statements=[(_PUT, {"guest_id": guest, "table_id": table, "at": at})])

    async def take_back(self, guest: str, table: str) -> None:
        """Remove the mark that a guest has put a table away."""
        await self._change(statements=[(_TAKEN_BACK, {"guest_id": guest, "table_id": table})])

    async def of_guest(self, guest: str) -> dict[str, int]:
        """Return the tables that a guest has put away, each with its time in milliseconds since 1970."""
        wanted = select(put_away.c.table_id, put_away.c.at).where(put_away.c.guest_id == guest)
        return {str(table): int(at) for table, at in await self._read(wanted)}
