"""Guests: which of their cookies are valid, and their names."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

from rum500.server.messages.guest_names import tidy_name, usual_name
from rum500.server.messages.table_error import TableError
from rum500.store import GuestRow, TableStore

T = TypeVar("T")

_KEPT_GUESTS = 20_000


def now_ms() -> int:
    """Return the milliseconds since 1970."""
    return int(time.time() * 1000)


class Cookie(NamedTuple):
    """The content of a guest's cookie."""

    id: str
    since: int
    """When the guest was created, in milliseconds since 1970."""
    issued: int
    """When the cookie was issued, in milliseconds since 1970; 0 if an older version issued it."""


class CookieMaker(Protocol):
    """Makes cookies."""

    def new(self) -> Cookie:
        """Return the cookie of a new guest."""

    def header(self, cookie: Cookie, *, secure: bool) -> str:
        """Return the value of the Set-Cookie header; `secure` limits the cookie to https."""


class Sessions:
    """Decides which cookies are valid, by the time of each guest's last sign-out. Recent results are cached.

    A cookie is valid if it was issued at that time or later. A cookie that is sent again keeps its time of
    issue, so that no copy of it is valid for longer.
    """

    def __init__(self, store: TableStore, names: Names, wall: Callable[[], int] = now_ms) -> None:
        """Read from this store, and pass its rows to `names`; `wall` returns the milliseconds since 1970."""
        self._store = store
        self._names = names
        self._wall = wall
        self._kept: OrderedDict[str, int] = OrderedDict()
        self._one = asyncio.Lock()

    async def is_valid(self, cookie: Cookie) -> bool:
        """Return whether the cookie is valid."""
        # If several servers share the store, the guest may have signed out at another one.
        if cookie.id not in self._kept or self._store.shared:
            row = await self._store.guest(cookie.id)
            self._names.note(cookie.id, row)
            # The guest may have signed out while the store was read.
            _keep(
                self._kept,
                cookie.id,
                max(self._kept.get(cookie.id, 0), row.valid_from if row is not None else 0),
            )
        return cookie.issued >= self._kept[cookie.id]

    async def sign_out_others(self, cookie: Cookie) -> Cookie:
        """Return a new cookie of this guest, the only valid one from now on.

        Raises `TableError` if the given cookie is not valid.
        """
        async with self._one:
            if not await self.is_valid(cookie):
                raise TableError("guest.signed_out")
            new = cookie._replace(issued=max(self._wall(), cookie.issued + 1))
            await self._store.sign_out(cookie.id, new.issued)
            _keep(self._kept, cookie.id, new.issued)
        return new

    async def cookie_for(self, guest: str, since: int) -> Cookie:
        """Return a cookie of this guest for another device, valid until the guest signs out elsewhere."""
        row = await self._store.guest(guest)
        return Cookie(guest, since, max(self._wall(), row.valid_from if row is not None else 0))

    def end(self, guest: str, valid_from: int) -> None:
        """Note that the guest's cookies issued before this time, in ms since 1970, are invalid."""
        _keep(self._kept, guest, valid_from)


class Names:
    """The guests' names. The store has the chosen names; recently used ones are cached here."""

    def __init__(self, store: TableStore, wall: Callable[[], int] = now_ms) -> None:
        """Read from this store; `wall` returns the milliseconds since 1970."""
        self._store = store
        self._wall = wall
        self._kept: OrderedDict[str, tuple[int, str]] = OrderedDict()

    async def of(self, guest: str) -> str:
        """Return the guest's name."""
        if guest not in self._kept:
            self.note(guest, await self._store.guest(guest))
        return self._kept[guest][1]

    def note(self, guest: str, row: GuestRow | None) -> None:
        """Cache the name in a guest's row, unless a newer name is cached.

        The row may be newer than the cache: the guest may have changed the name at another server.
        """
        stored = (row.seen, row.name) if row is not None and row.name else (0, usual_name(guest))
        known = self._kept.get(guest, stored)
        _keep(self._kept, guest, known if known[0] >= stored[0] else stored)

    def forget(self, guest: str) -> None:
        """Remove the guest's name from the cache."""
        self._kept.pop(guest, None)

    async def give(self, guest: str, name: str) -> str:
        """Store the guest's new name in the form that `tidy_name` returns; return it. Raises `BadName`."""
        name = tidy_name(name)
        now = self._wall()
        await self._store.save_guest(guest, name, now)
        _keep(self._kept, guest, (now, name))
        return name


def _keep(kept: OrderedDict[str, T], guest: str, value: T) -> None:
    kept[guest] = value
    kept.move_to_end(guest)
    if len(kept) > _KEPT_GUESTS:
        kept.popitem(last=False)
