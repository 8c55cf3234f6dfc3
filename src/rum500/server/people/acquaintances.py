"""The people with whom a guest has played, behind ids that only this guest's list has."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from rum500.server.live.log.entries import LogError
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.server.messages.guest_names import usual_name
from rum500.server.messages.people import PeopleList, Person
from rum500.server.messages.table_error import TableError
from rum500.server.work_scheduler import Asker
from rum500.store import Store
from rum500.store.people_rows import Companion

_ID_BYTES = 12


@dataclass(slots=True, eq=False)
class Acquaintances:
    """Lists the people of a guest's matches. It shows nothing of them that the common tables did not show."""

    _store: Store
    _tables: TableRegistry
    _here: Callable[[], set[str]]
    _key: bytes

    def id_of(self, guest: str, other: str) -> str:
        """Return the id of another guest in this guest's list; only the server can find the guest by it."""
        pair = f"{guest} {other}".encode()
        made = blake2b(pair, key=self._key[:64], person=b"people", digest_size=_ID_BYTES)
        return base64.urlsafe_b64encode(made.digest()).decode()

    async def guests(self, guest: str, ids: Sequence[str]) -> list[str]:
        """Return the guests with these ids in the guest's list. Raises `TableError` if one is not there."""
        known = {self.id_of(guest, other): other for other in await self._store.people.known(guest)}
        if not known.keys() >= set(ids):
            raise TableError("person.unknown")
        return [known[each] for each in dict.fromkeys(ids)]

    async def last_match(self, guest: str, other: str) -> Companion:
        """Return the common matches of two guests. Raises `TableError` if they have not played together."""
        found = await self._store.people.companions(guest, other)
        if not found:
            raise TableError("person.unknown")
        return found[0]

    async def list_of(self, guest: str, who: Asker, *, skip: int, limit: int) -> PeopleList:
        """Return a part of a guest's list."""
        people = self._store.people
        await self._tables.save_results(guest, who)
        found = await people.companions(guest, skip=skip, limit=limit)
        refused, here = await people.refused(guest), self._here()
        own = await self._store.guest(guest)
        return PeopleList(
            people=[
                Person(
                    id=self.id_of(guest, each.guest_id),
                    name=await self._name(each.table_id, each.guest_id, who),
                    matches=each.matches,
                    last=each.last,
                    points=each.points,
                    their_points=each.their_points,
                    here=each.guest_id in here and await self._shows_presence(each.guest_id),
                    refused=each.guest_id in refused,
                )
                for each in found
            ],
            total=len(await people.known(guest)),
            shows_presence=own is not None and own.shows_presence,
        )

    async def _shows_presence(self, guest: str) -> bool:
        row = await self._store.guest(guest)
        return row is not None and row.shows_presence

    async def name(self, guest: str, other: str, who: Asker, table: str | None = None) -> str:
        """Return the name of another guest at a table, by default the last common one.

        Later names were not shown to the guest.
        """
        return await self._name(table or (await self.last_match(guest, other)).table_id, other, who)

    async def _name(self, table: str, other: str, who: Asker) -> str:
        try:
            deals = await self._tables.deals(table, who)
            known = (other, *await self._store.former(other))
            return next(name for name, guest in zip(deals.names, deals.guests, strict=True) if guest in known)
        except LogError as error:
            log().warning("table.unreadable", table=shown(table), error=error)
            return usual_name(other)
