"""People with whom the guest has played over HTTP: the list, presence, invitations, and playing again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from rum500.server.guests import Names, now_ms
from rum500.server.http.endpoint import ApiError, ApiRequest, Param, answers
from rum500.server.http.lobby import Lobby
from rum500.server.limits import Limits
from rum500.server.live.log.entries import options_in
from rum500.server.live.log.table_options import Guest
from rum500.server.live.table_registry import TableRegistry
from rum500.server.messages.people import (
    AnswerInvitation,
    Invitation,
    Invited,
    InvitePeople,
    NotInvited,
    PeopleList,
    PlayAgain,
    RefusePerson,
    ShowPresence,
)
from rum500.server.messages.table_error import TableError
from rum500.server.people.acquaintances import Acquaintances
from rum500.server.people.invitations import InvitationNotice, Invitations
from rum500.server.work_scheduler import Light, Work
from rum500.store import Store, TableRow
from rum500.store.people_rows import InvitationRow

MOST_PEOPLE = 50
_SKIP = Param("skip", Annotated[int, Meta(ge=0, le=10_000)], "The people to leave out; by default 0.")
_LIMIT = Param(
    "limit", Annotated[int, Meta(ge=1, le=MOST_PEOPLE)], "The most people to return; by default 20."
)


@dataclass(slots=True, eq=False)
class PeopleHandlers:
    """The handlers of the requests for the people with whom the guest has played."""

    _store: Store
    _tables: TableRegistry
    _names: Names
    _limits: Limits
    _lobby: Lobby
    _people: Acquaintances
    _invitations: Invitations

    @answers("GET", "/api/people", work=Work.READ, query=(_SKIP, _LIMIT), refuses=(401, 422))
    async def people(self, asker: ApiRequest) -> PeopleList:
        """List the people with whom the guest has played a match to its end, those of the latest first."""
        skip, limit = asker.param(_SKIP, "0"), asker.param(_LIMIT, "20")
        return await self._people.list_of(asker.guest.id, asker.who, skip=skip, limit=limit)

    @answers("PUT", "/api/people/presence", work=Light.ROWS, takes=ShowPresence, refuses=(401,))
    async def show_presence(self, asker: ApiRequest) -> ShowPresence:
        """Choose whether people with whom the guest has played may see when the guest is here."""
        await self._store.save_presence(asker.guest.id, now_ms(), shown=asker.body.shown)
        return ShowPresence(asker.body.shown)

    @answers("PUT", "/api/people/refused", work=Light.ROWS, takes=RefusePerson, refuses=(401, 404))
    async def refuse(self, asker: ApiRequest) -> RefusePerson:
        """Refuse another guest's invitations from now on, or allow them again."""
        guest, wanted = asker.guest.id, asker.body
        (other,) = await self._people.guests(guest, [wanted.person])
        if wanted.refused:
            await self._store.people.refuse(guest, other, now_ms())
        else:
            await self._store.people.allow(guest, other)
        return RefusePerson(wanted.person, wanted.refused)

    @answers(
        "POST",
        "/api/people/play-again",
        work=Work.READ,
        takes=PlayAgain,
        status=201,
        refuses=(401, 404, 409),
    )
    async def play_again(self, asker: ApiRequest) -> Invited:
        """Create a private table like the last one with the first of these people, and invite all of them."""
        guest, made_by = asker.guest.id, self._tables.made_by
        others = await self._people.guests(guest, asker.body.people)
        last = (await self._people.last_match(guest, others[0])).table_id
        options = options_in((await self._store.first_entries([last])).get(last))
        if options is None:
            raise TableError("table.unreadable")
        self._limits.check_new_table(guest, asker.address, made_by(guest), made_by(asker.address))
        players = max(options.players or 0, len(others) + 1)
        who = Guest(id=guest, name=await self._names.of(guest))
        made = await self._tables.create(
            replace(options, private=True, players=players), who, address=asker.address
        )
        row = await self._store.table(made)
        assert row is not None
        return await self._invite(guest, others, row, asker)

    @answers(
        "POST", "/api/people/invite", work=Work.READ, takes=InvitePeople, status=201, refuses=(401, 404, 409)
    )
    async def invite(self, asker: ApiRequest) -> Invited:
        """Invite people to a table at which the guest has a seat, and whose match has not begun."""
        guest = asker.guest.id
        others = await self._people.guests(guest, asker.body.people)
        row = await self._store.table(asker.body.table)
        if row is None or guest not in row.people:
            raise TableError("table.unknown")
        if row.status != "open":
            raise TableError("table.begun")
        if not row.seats_free:
            raise TableError("table.full")
        return await self._invite(guest, others, row, asker)

    async def _invite(self, guest: str, others: list[str], row: TableRow, asker: ApiRequest) -> Invited:
        notice = InvitationNotice(row.id, "", row.profile, row.title, await self._names.of(guest), "")
        found = Invited(row.id, [])
        for other in others:
            invitation = InvitationRow(guest_id=other, table_id=row.id, by_guest=guest, at=0)
            if other not in row.people and (code := await self._invitations.invite(invitation, notice)):
                name = await self._people.name(guest, other, asker.who)
                found.not_invited.append(NotInvited(name, code))
        return found

    @answers("GET", "/api/invitations", work=Light.ROWS, refuses=(401,))
    async def invitations(self, asker: ApiRequest) -> list[Invitation]:
        """List the guest's invitations to tables with a free seat that have not begun, and to leagues.

        Invitations that the guest has put away, and those to leagues that have ended, are left out.
        """
        guest = asker.guest.id
        found = []
        for row in await self._store.people.invitations(guest):
            table = await self._store.table(row.table_id) if row.table_id else None
            if table is not None and (
                table.status != "open" or not table.seats_free or guest in table.people
            ):
                continue
            league = await self._store.leagues.league(row.league_id) if row.league_id else None
            if league is not None and (
                league.ended is not None
                or league.id in [each.id for each in await self._store.leagues.of_guest(guest)]
            ):
                continue
            if table is None and league is None:
                continue
            found.append(
                Invitation(
                    by=await self._names.of(row.by_guest),
                    at=row.at,
                    table=(await self._lobby.summaries([table], asker))[0] if table else None,
                    league=league.id if league else None,
                    league_name=league.name if league else None,
                )
            )
        return found

    @answers("POST", "/api/invitations/answer", work=Light.ROWS, takes=AnswerInvitation, refuses=(401, 404))
    async def answer(self, asker: ApiRequest) -> AnswerInvitation:
        """Put an invitation away, and on request refuse all later ones of the same person."""
        guest, wanted = asker.guest.id, asker.body
        if (wanted.table is None) == (wanted.league is None):
            raise ApiError(422, "request.invalid", "give either table or league")
        which = {"table": wanted.table or "", "league": wanted.league or ""}
        row = await self._store.people.invitation(guest, **which)
        if row is None:
            raise TableError("invitation.unknown")
        await self._store.people.answer(guest, **which)
        if wanted.refuse_more:
            await self._store.people.refuse(guest, row.by_guest, now_ms())
        return AnswerInvitation(wanted.table, wanted.league, wanted.refuse_more)
