"""Leagues of tables: all matches among the same people, who is ahead, and who owes whom points."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence, Set
from itertools import groupby

from msgspec.structs import replace

from rum500.server.guests import Names
from rum500.server.live.finished.match_results import MatchOutcome
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.time_source import TimeSource
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, shown
from rum500.server.messages.guest_names import tidy_name
from rum500.server.messages.people import League, LeagueMatch, LeaguePayment, LeagueRank, LeagueSummary
from rum500.server.messages.table_error import TableError
from rum500.server.work_scheduler import Asker
from rum500.store import Store
from rum500.store.people_rows import LeagueMember, LeagueResult, LeagueRow

MOST_MEMBERS = 12
MOST_LEAGUES = 50
"""The most leagues of which a guest may be a member."""
MOST_SHOWN = 50
"""The most matches in the list of a league; all count in the standing."""
MOST_READ = 50
"""The most logs that one request reads; the next request reads the next ones."""
_USED_MS = 86_400_000
_ID_BYTES, _MEMBER_BYTES = 16, 9
_UNCOUNTED = -1


class Leagues:
    """Makes and changes leagues, and computes their standings from the results of their matches."""

    def __init__(self, store: Store, tables: TableRegistry, names: Names, time: TimeSource) -> None:
        self._store = store
        self._tables = tables
        self._names = names
        self._time = time

    # --- changes --------------------------------------------------------------------------------------

    async def create(self, guest: str, name: str) -> LeagueRow:
        """Make a league of which this guest is the host and the first member. Raises `BadName`."""
        await self._check_number(guest)
        now = self._time.wall()
        league = LeagueRow(
            id=secrets.token_urlsafe(_ID_BYTES), name=tidy_name(name), host_id=guest, created=now, used=now
        )
        await self._store.leagues.create(league, self._member(league.id, guest))
        return league

    async def join(self, league: str, guest: str) -> None:
        """Make a guest a member. Raises `TableError` if the league was ended or is full."""
        row = await self.row(league)
        if await self._is_member(league, guest):
            return
        if row.ended is not None:
            raise TableError("league.ended")
        await self._check_number(guest)
        await self._store.leagues.join(self._member(league, guest), MOST_MEMBERS)
        if not await self._is_member(league, guest):
            raise TableError("league.full")

    async def leave(self, league: str, guest: str, who: Asker) -> None:
        """Remove a member. The matches so far stay; if the host leaves, the oldest member is the host."""
        row = await self.row(league)
        await self._check_member(league, guest)
        await self._update(row, who)
        await self._store.leagues.leave(league, guest)
        left = await self._store.leagues.members(league)
        if not left:
            await self._store.leagues.change(league, ended=row.ended or self._time.wall())
        elif row.host_id not in [each.guest_id for each in left]:
            await self._store.leagues.change(league, host_id=left[0].guest_id)

    async def rename(self, league: str, guest: str, name: str) -> None:
        """Change a league's name. Raises `TableError` unless the guest is the host, or `BadName`."""
        await self._check_host(league, guest)
        await self._store.leagues.change(league, name=tidy_name(name))

    async def end(self, league: str, guest: str) -> None:
        """End a league: later matches do not count, and nobody can join. Raises `TableError`."""
        row = await self._check_host(league, guest)
        if row.ended is None:
            await self._store.leagues.change(league, ended=self._time.wall())

    def _member(self, league: str, guest: str) -> LeagueMember:
        member = secrets.token_urlsafe(_MEMBER_BYTES)
        return LeagueMember(league_id=league, guest_id=guest, member=member, joined=self._time.wall())

    async def row(self, league: str) -> LeagueRow:
        """Return a league's row. Raises `TableError` if there is none."""
        row = await self._store.leagues.league(league)
        if row is None:
            raise TableError("league.unknown")
        return row

    async def _is_member(self, league: str, guest: str) -> bool:
        return guest in [each.guest_id for each in await self._store.leagues.members(league)]

    async def _check_member(self, league: str, guest: str) -> None:
        if not await self._is_member(league, guest):
            raise TableError("league.member")

    async def open_to(self, league: str, guest: str) -> LeagueRow:
        """Return a league to which this member may invite people. Raises `TableError`."""
        row = await self.row(league)
        await self._check_member(league, guest)
        if row.ended is not None:
            raise TableError("league.ended")
        return row

    async def _check_host(self, league: str, guest: str) -> LeagueRow:
        row = await self.row(league)
        if row.host_id != guest or not await self._is_member(league, guest):
            raise TableError("league.host")
        return row

    async def _check_number(self, guest: str) -> None:
        if len(await self._store.leagues.of_guest(guest)) >= MOST_LEAGUES:
            raise TableError("league.many")

    async def of_people(self, guest: str, people: Set[str]) -> LeagueRow | None:
        """Return the latest league of exactly these people that has not ended, with those invited to it."""
        for row in await self._store.leagues.of_guest(guest):
            members = {each.guest_id for each in await self._store.leagues.members(row.id)}
            if row.ended is not None or not members <= people:
                continue
            invited = self._store.people.invitation
            if all([await invited(other, league=row.id) for other in people - members]):
                return row
        return None

    # --- what is shown --------------------------------------------------------------------------------

    async def of_guest(self, guest: str) -> list[LeagueSummary]:
        """Return the leagues of which a guest is a member."""
        return [
            LeagueSummary(
                row.id, row.name, len(await self._store.leagues.members(row.id)), row.ended is not None
            )
            for row in await self._store.leagues.of_guest(guest)
        ]

    async def shown(self, league: str, guest: str | None, who: Asker) -> League:
        """Return a league as this guest sees it, who has its link. Raises `TableError` if there is none."""
        row = await self.row(league)
        await self._update(row, who)
        members = await self._store.leagues.members(league)
        results = await self._store.leagues.results(league)
        own = next((each.member for each in members if each.guest_id == guest), None)
        names = {each.member: await self._names.of(each.guest_id) for each in members}
        standing = _standing(results, names, own)
        order = {member: line for line, (member, _) in enumerate(standing)}
        matches = [list(rows) for _, rows in groupby(results, key=lambda row: row.table_id)]
        return League(
            id=row.id,
            name=row.name,
            created=row.created,
            ended=row.ended,
            host=guest is not None and row.host_id == guest,
            member=own is not None,
            full=len(members) >= MOST_MEMBERS,
            standing=[rank for _, rank in standing],
            payments=settled(matches, order),
            matches=[_match(rows, order, own) for rows in matches[:MOST_SHOWN]],
            more=len(matches) > MOST_SHOWN,
        )

    async def _update(self, row: LeagueRow, who: Asker) -> None:
        """Add the matches that ended since the league was last looked at, and older ones of new members."""
        leagues, now = self._store.leagues, self._time.wall()
        if now - row.used >= _USED_MS:
            await leagues.change(row.id, used=now)
        members = {}
        for each in await leagues.members(row.id):
            if row.ended is None:
                await self._tables.save_results(each.guest_id, who)
            # Logs have the ids that guests had before they were merged.
            for guest in (each.guest_id, *await self._store.former(each.guest_id)):
                members[guest] = each.member
        for table in await leagues.new_tables(row.id, row.ended, MOST_READ):
            try:
                outcome = await self._tables.outcome(table, who)
            except LogError as error:
                log().warning("table.unreadable", table=shown(table), error=error)
                outcome = None
            await leagues.add(_results(row.id, table, outcome, members))


def _results(
    league: str, table: str, outcome: MatchOutcome | None, members: dict[str, str]
) -> list[LeagueResult]:
    """Return the rows of a match; one that marks it if not all of its people are members, or only one is."""
    people = {
        player: members.get(guest)
        for player, guest in enumerate(outcome.guests if outcome else ())
        if guest is not None
    }
    common = LeagueResult(
        league_id=league,
        table_id=table,
        player=_UNCOUNTED,
        member="",
        ended=outcome.ended if outcome else 0,
        profile=outcome.profile if outcome else "",
        title=outcome.title if outcome else "",
        deals=outcome.deals if outcome else 0,
        points=0,
        won=False,
        owes={},
    )
    seats = {member: player for player, member in reversed(people.items())}
    if outcome is None or len(seats) < 2 or None in seats:
        return [common]
    return [
        replace(
            common,
            player=player,
            member=member,
            points=outcome.points[player],
            won=player in outcome.winners,
            owes={payee: points for payer, payee, points in outcome.owes if payer == player},
        )
        for player, member in people.items()
        if member is not None and seats[member] == player  # of two seats of merged guests, the first
    ]


def _standing(
    results: Sequence[LeagueResult], names: dict[str, str], own: str | None
) -> list[tuple[str, LeagueRank]]:
    """Return the lines of a standing with their members, the first place first."""
    found = {
        member: LeagueRank(
            name=names.get(member),
            you=member == own,
            member=member in names,
            matches=0,
            won=0,
            points=0,
            deals=0,
        )
        for member in dict.fromkeys([*names, *(row.member for row in results)])
    }
    for row in results:
        rank = found[row.member]
        rank.matches += 1
        rank.won += row.won
        rank.points += row.points
        rank.deals += row.deals
    return sorted(found.items(), key=lambda each: (-each[1].won, -each[1].points, each[1].deals))


def settled(matches: Sequence[Sequence[LeagueResult]], order: dict[str, int]) -> list[LeaguePayment]:
    """Return payments after which nobody owes anything: the largest debt is paid to the largest claim first.

    `order` has the line of each member. What is owed to bots does not count.
    """
    balance = Counter[int]()
    for rows in matches:
        lines = {row.player: order[row.member] for row in rows}
        for row in rows:
            for payee, points in row.owes.items():
                if payee in lines:
                    balance[lines[row.player]] -= points
                    balance[lines[payee]] += points
    found: list[LeaguePayment] = []
    while any(balance.values()):
        payee = max(balance, key=lambda line: (balance[line], -line))
        payer = min(balance, key=lambda line: (balance[line], line))
        points = min(balance[payee], -balance[payer])
        balance[payee] -= points
        balance[payer] += points
        found.append(LeaguePayment(payer, payee, points))
    return found


def _match(rows: Sequence[LeagueResult], order: dict[str, int], own: str | None) -> LeagueMatch:
    first = rows[0]
    return LeagueMatch(
        ended=first.ended,
        profile=first.profile,
        title=first.title,
        deals=first.deals,
        players=[order[row.member] for row in rows],
        points=[row.points for row in rows],
        winners=[order[row.member] for row in rows if row.won],
        table=first.table_id if own in [row.member for row in rows] else None,
    )
