"""Push messages in the database: which browsers get them, and which messages are due or were sent."""

from __future__ import annotations

import msgspec
from sqlalchemy import BindParameter, bindparam, delete, func, select

from rum500.store._store_part import StorePart, upsert
from rum500.store.rows import BrowserRow, NoticeRow
from rum500.store.schema import browsers, notices

_TABLE: BindParameter[str] = bindparam("table")
_GUEST: BindParameter[str] = bindparam("guest")
_NOTICE_GONE = delete(notices).where(notices.c.guest_id == _GUEST, notices.c.table_id == _TABLE)
_NOTICE = upsert(notices, ["due"])
_BROWSER = upsert(browsers, [name for name in browsers.columns.keys() if name != "endpoint"])  # noqa: SIM118
_MOST: BindParameter[int] = bindparam("most")
_OLDER_BROWSERS = delete(browsers).where(
    browsers.c.endpoint.in_(
        select(browsers.c.endpoint)
        .where(browsers.c.guest_id == _GUEST)
        .order_by(browsers.c.seen.desc())
        .offset(_MOST)
    )
)
_BROWSER_GONE = delete(browsers).where(browsers.c.endpoint == bindparam("gone"))


class NoticeStore(StorePart):
    """Reads and writes messages about tables, and the browsers that get them."""

    async def browsers(self, guest: str) -> list[BrowserRow]:
        """Return the browsers that get a push message when a table waits for this guest."""
        wanted = select(browsers).where(browsers.c.guest_id == guest)
        return await self._rows(BrowserRow, browsers, wanted)

    async def save_browser(self, row: BrowserRow, most: int) -> None:
        """Store or update a browser's subscription; keep only the guest's `most` last seen browsers."""
        older = {"guest": row.guest_id, "most": most}
        await self._change(statements=[(_BROWSER, msgspec.structs.asdict(row)), (_OLDER_BROWSERS, older)])

    async def remove_browser(self, endpoint: str) -> None:
        """Remove a browser's subscription, if it is stored."""
        await self._change(statements=[(_BROWSER_GONE, {"gone": endpoint})])

    async def all(self) -> list[NoticeRow]:
        """Return all stored messages, due or sent. A message is removed when its guest views the table."""
        return [NoticeRow(*row) for row in await self._read(select(notices))]

    async def sent(self, guest: str) -> int:
        """Return the number of tables that a guest has not viewed since a message about them was sent."""
        wanted = select(func.count()).where(notices.c.guest_id == guest, notices.c.due == 0)
        return int((await self._read(wanted))[0][0])

    async def save(self, row: NoticeRow) -> None:
        """Store a message that is due or was sent."""
        await self._change(statements=[(_NOTICE, msgspec.structs.asdict(row))])

    async def remove(self, guest: str, table: str) -> None:
        """Remove the message to this guest about this table."""
        await self._change(statements=[(_NOTICE_GONE, {"guest": guest, "table": table})])
