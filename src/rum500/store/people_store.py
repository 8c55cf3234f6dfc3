"""People who played together, in the database: whom a guest knows, invitations, and refusals of them."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Select, bindparam, delete, false, func, select, update

from rum500.store._store_part import StorePart, upsert
from rum500.store.people_rows import Companion, InvitationRow
from rum500.store.schema import invitations, refused_people, results
from rum500.store.writer import Statement

_INVITED = upsert(invitations)
_REFUSED = upsert(refused_people)
_ALLOWED = delete(refused_people).where(
    refused_people.c.guest_id == bindparam("guest_id"), refused_people.c.other_id == bindparam("other_id")
)
_ANSWERED = (
    update(invitations)
    .where(
        invitations.c.guest_id == bindparam("guest"),
        invitations.c.table_id == bindparam("table"),
        invitations.c.league_id == bindparam("league"),
    )
    .values(answered=True)
)
_ALL_ANSWERED = (
    update(invitations)
    .where(invitations.c.guest_id == bindparam("guest"), invitations.c.by_guest == bindparam("other"))
    .values(answered=True)
)


class PeopleStore(StorePart):
    """Reads which guests have played together; reads and writes their invitations."""

    async def companions(
        self, guest: str, other: str | None = None, *, skip: int = 0, limit: int = 20
    ) -> list[Companion]:
        """Return the guests who have results of the same matches, those of the latest matches first.

        With `other`, return only this one.
        """
        pairs = _pairs(guest, other).subquery()
        of_guest = pairs.c.guest_id
        newest = pairs.c.ended.desc(), pairs.c.table_id
        each = select(
            pairs.c.guest_id,
            pairs.c.table_id,
            func.count().over(partition_by=of_guest).label("matches"),
            pairs.c.ended.label("last"),
            func.sum(pairs.c.points).over(partition_by=of_guest).label("points"),
            func.sum(pairs.c.their_points).over(partition_by=of_guest).label("their_points"),
            func.row_number().over(partition_by=of_guest, order_by=newest).label("place"),
        ).subquery()
        wanted = select(*(each.c[name] for name in Companion.__struct_fields__)).where(each.c.place == 1)
        wanted = wanted.order_by(each.c.last.desc(), each.c.guest_id).offset(skip).limit(limit)
        return [Companion(*row[:2], *map(int, row[2:])) for row in await self._read(wanted)]

    async def known(self, guest: str) -> list[str]:
        """Return the ids of all guests with whom this guest has played."""
        pairs = _pairs(guest).subquery()
        return [str(row[0]) for row in await self._read(select(pairs.c.guest_id).distinct())]

    async def invite(self, invitation: InvitationRow) -> None:
        """Store an invitation, unless the guest has one to the same table or league already."""
        await self._change(statements=[(_INVITED, msgspec.structs.asdict(invitation))])

    async def invitation(self, guest: str, *, table: str = "", league: str = "") -> InvitationRow | None:
        """Return the guest's invitation to a table or a league; None if there is none."""
        of = invitations.c
        wanted = select(invitations).where(of.guest_id == guest, of.table_id == table, of.league_id == league)
        found = await self._rows(InvitationRow, invitations, wanted)
        return found[0] if found else None

    async def invitations(self, guest: str) -> list[InvitationRow]:
        """Return the invitations that a guest has not put away, the latest first."""
        wanted = select(invitations).where(invitations.c.guest_id == guest, invitations.c.answered == false())
        return await self._rows(InvitationRow, invitations, wanted.order_by(invitations.c.at.desc()))

    async def invited_since(self, by: str, guest: str, since: int) -> int:
        """Return how often a guest has invited another guest since this time, in ms since 1970."""
        of = invitations.c
        wanted = select(func.count()).where(of.by_guest == by, of.guest_id == guest, of.at > since)
        return int((await self._read(wanted))[0][0])

    async def answer(self, guest: str, *, table: str = "", league: str = "") -> None:
        """Put an invitation away."""
        values = {"guest": guest, "table": table, "league": league}
        await self._change(statements=[(_ANSWERED, values)])

    async def refuse(self, guest: str, other: str, at: int) -> None:
        """Refuse all invitations of another guest, also those that are open."""
        refused: list[Statement] = [
            (_REFUSED, {"guest_id": guest, "other_id": other, "at": at}),
            (_ALL_ANSWERED, {"guest": guest, "other": other}),
        ]
        await self._change(statements=refused)

    async def allow(self, guest: str, other: str) -> None:
        """Allow another guest's invitations again."""
        await self._change(statements=[(_ALLOWED, {"guest_id": guest, "other_id": other})])

    async def refused(self, guest: str) -> set[str]:
        """Return the ids of the guests whose invitations a guest refuses."""
        wanted = select(refused_people.c.other_id).where(refused_people.c.guest_id == guest)
        return {str(row[0]) for row in await self._read(wanted)}


def _pairs(guest: str, other: str | None = None) -> Select[Any]:
    """Select a row for each match and each other guest (or only `other`) who has a result of it."""
    mine, theirs = results.alias("mine"), results.alias("theirs")
    wanted = (
        select(
            theirs.c.guest_id,
            theirs.c.table_id,
            mine.c.ended,
            mine.c.points,
            theirs.c.points.label("their_points"),
        )
        .join(theirs, theirs.c.table_id == mine.c.table_id)
        .where(mine.c.guest_id == guest, theirs.c.guest_id != guest, mine.c.deals > 0)
    )
    return wanted if other is None else wanted.where(theirs.c.guest_id == other)
