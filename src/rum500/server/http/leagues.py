"""Leagues of tables over HTTP: making, joining, leaving and ending them, and their standings."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.server.guests import Names
from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.limits import Limits
from rum500.server.messages.people import (
    EndLeague,
    Invited,
    InviteToLeague,
    JoinLeague,
    League,
    LeagueId,
    LeagueSummary,
    LeaveLeague,
    NewLeague,
    NotInvited,
    RenameLeague,
)
from rum500.server.messages.table_error import TableError
from rum500.server.people.acquaintances import Acquaintances
from rum500.server.people.invitations import InvitationNotice, Invitations
from rum500.server.people.leagues import Leagues
from rum500.server.work_scheduler import Light, Work
from rum500.store import Store
from rum500.store.people_rows import InvitationRow, LeagueRow

_LEAGUE = Param("league", LeagueId, "The id of the league, which is in its link.")
_PATH = "/api/leagues/{league}"


@dataclass(slots=True, eq=False)
class LeagueHandlers:
    """The handlers of the requests for leagues."""

    _store: Store
    _leagues: Leagues
    _names: Names
    _limits: Limits
    _people: Acquaintances
    _invitations: Invitations

    @answers("GET", "/api/leagues", work=Light.ROWS, refuses=(401,))
    async def leagues(self, asker: ApiRequest) -> list[LeagueSummary]:
        """List the leagues of which the guest is a member, the latest first."""
        return await self._leagues.of_guest(asker.guest.id)

    @answers("POST", "/api/leagues", work=Work.READ, takes=NewLeague, status=201, refuses=(401, 404, 409))
    async def new_league(self, asker: ApiRequest) -> Invited:
        """Make a league, of which the guest is the host, and invite people to it.

        For a table whose people have a league already, or are invited to one, return that league.
        """
        guest, wanted = asker.guest.id, asker.body
        self._limits.check("new_tables", guest)
        others = await self._people.guests(guest, wanted.people)
        if wanted.table is not None:
            row = await self._store.table(wanted.table)
            if row is None or guest not in row.people:
                raise TableError("table.unknown")
            others = list(dict.fromkeys([*others, *(each for each in row.people if each != guest)]))
            if found := await self._leagues.of_people(guest, {guest, *others}):
                return Invited(found.id, [])
        league = await self._leagues.create(guest, wanted.name)
        return await self._invite(guest, others, league, asker, wanted.table)

    async def _invite(
        self, guest: str, others: list[str], league: LeagueRow, asker: ApiRequest, table: str | None = None
    ) -> Invited:
        notice = InvitationNotice("", league.id, "", league.name, await self._names.of(guest), "")
        found = Invited(league.id, [])
        for other in others:
            invitation = InvitationRow(guest_id=other, league_id=league.id, by_guest=guest, at=0)
            if code := await self._invitations.invite(invitation, notice):
                name = await self._people.name(guest, other, asker.who, table)
                found.not_invited.append(NotInvited(name, code))
        return found

    @answers("GET", _PATH, work=Work.READ, params=(_LEAGUE,), refuses=(404, 422))
    async def league(self, asker: ApiRequest) -> League:
        """Return a league with its standing, for everybody who has its link."""
        self._limits.check("replays", asker.address)
        return await self._leagues.shown(asker.param(_LEAGUE), asker.known, asker.who)

    @answers(
        "PUT", _PATH, work=Work.READ, takes=RenameLeague, params=(_LEAGUE,), refuses=(401, 404, 409, 422)
    )
    async def rename_league(self, asker: ApiRequest) -> League:
        """Rename a league; only its host may."""
        await self._leagues.rename(asker.param(_LEAGUE), asker.guest.id, asker.body.name)
        return await self.league(asker)

    @answers(
        "POST",
        f"{_PATH}/join",
        work=Work.READ,
        takes=JoinLeague,
        params=(_LEAGUE,),
        refuses=(401, 404, 409, 422),
    )
    async def join_league(self, asker: ApiRequest) -> League:
        """Join a league. Earlier matches of the guest count too, if all of their people are members."""
        await self._leagues.join(asker.param(_LEAGUE), asker.guest.id)
        return await self.league(asker)

    @answers(
        "POST",
        f"{_PATH}/leave",
        work=Work.READ,
        takes=LeaveLeague,
        params=(_LEAGUE,),
        refuses=(401, 404, 409, 422),
    )
    async def leave_league(self, asker: ApiRequest) -> League:
        """Leave a league. The matches so far stay, with "a player" instead of the name."""
        await self._leagues.leave(asker.param(_LEAGUE), asker.guest.id, asker.who)
        return await self.league(asker)

    @answers(
        "POST",
        f"{_PATH}/end",
        work=Work.READ,
        takes=EndLeague,
        params=(_LEAGUE,),
        refuses=(401, 404, 409, 422),
    )
    async def end_league(self, asker: ApiRequest) -> League:
        """End a league; only its host may. Later matches do not count, and the standing stays."""
        await self._leagues.end(asker.param(_LEAGUE), asker.guest.id)
        return await self.league(asker)

    @answers(
        "POST",
        f"{_PATH}/invite",
        work=Work.READ,
        takes=InviteToLeague,
        params=(_LEAGUE,),
        status=201,
        refuses=(401, 404, 409, 422),
    )
    async def invite_to_league(self, asker: ApiRequest) -> Invited:
        """Invite people to a league of which the guest is a member."""
        guest = asker.guest.id
        others = await self._people.guests(guest, asker.body.people)
        league = await self._leagues.open_to(asker.param(_LEAGUE), guest)
        return await self._invite(guest, others, league, asker)
