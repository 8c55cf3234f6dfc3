"""Everything that the database has of one guest: exporting it, deleting it, and merging two guests."""

from __future__ import annotations

from typing import Any

from sqlalchemy import exists, select

from rum500.store._store_part import StorePart
from rum500.store.guest_data import OF_GUESTS, deleted, merged, table_removal
from rum500.store.schema import people


class GuestDataStore(StorePart):
    """Reads and changes all rows of a guest at once, as `rum500.store.guest_data` declares them."""

    async def export(self, guest: str) -> dict[str, list[dict[str, Any]]]:
        """Return the guest's rows as plain data, by the name of the table of the schema."""
        return {
            rows.table.name: [
                dict(zip((column.name for column in rows.exported), row, strict=True))
                for row in await self._read(
                    select(*rows.exported).where(rows.owner == guest).order_by(*rows.exported)
                )
            ]
            for rows in OF_GUESTS
            if rows.exported
        }

    async def has_any(self, guest: str) -> bool:
        """Return whether the guest has any rows that a merge would move."""
        kinds = [rows for rows in OF_GUESTS if not rows.brief]
        found = (select(exists().where(rows.owner == guest)) for rows in kinds)
        return any([(await self._read(each))[0][0] for each in found])

    async def tables_alone(self, guest: str) -> list[str]:
        """Return the tables of players at which the guest is the only person who has or had a seat."""
        other = people.alias()
        company = exists().where(other.c.table_id == people.c.table_id, other.c.guest_id != guest)
        wanted = select(people.c.table_id).where(people.c.guest_id == guest, ~company)
        return [str(row[0]) for row in await self._read(wanted)]

    async def merge(self, former: str, guest: str, at: int) -> None:
        """Make everything of `former` belong to `guest`, in one transaction, at a time in ms since 1970."""
        await self._change(statements=merged(former, guest, at))

    async def delete(self, guest: str, at: int) -> None:
        """Remove everything of a guest, in one transaction, at a time in ms since 1970."""
        await self._change(statements=deleted(guest, at))

    async def delete_table(self, table: str) -> None:
        """Remove a table of players and everything about it."""
        await self._change(table=table, statements=table_removal(table))
