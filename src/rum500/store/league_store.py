"""The leagues of tables in the database: their members, and the results of their matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, case, delete, func, select, text, update

from rum500.store._store_part import StorePart, upsert
from rum500.store.people_rows import LeagueMember, LeagueResult, LeagueRow
from rum500.store.schema import league_members, league_results, leagues, results

_NEW_LEAGUE = upsert(leagues)
_NEW_RESULT = upsert(league_results)
_JOINED = text(
    "INSERT INTO league_members (league_id, guest_id, member, joined) "
    "SELECT :league_id, :guest_id, :member, :joined "
    "WHERE (SELECT count(*) FROM league_members WHERE league_id = :league_id) < :most "
    "ON CONFLICT (league_id, guest_id) DO NOTHING"
)
_LEFT = delete(league_members).where(
    league_members.c.league_id == bindparam("league"), league_members.c.guest_id == bindparam("guest")
)
_UNCOUNTED_GONE = delete(league_results).where(
    league_results.c.league_id == bindparam("league"), league_results.c.player < 0
)
_owes = msgspec.json.Decoder(dict[int, int]).decode


class LeagueStore(StorePart):
    """Reads and writes leagues."""

    async def create(self, league: LeagueRow, host: LeagueMember) -> None:
        """Store a new league with its first member."""
        joined = msgspec.structs.asdict(host) | {"most": 1}
        await self._change(statements=[(_NEW_LEAGUE, msgspec.structs.asdict(league)), (_JOINED, joined)])

    async def league(self, league: str) -> LeagueRow | None:
        """Return the league with this id; None if there is none."""
        found = await self._rows(LeagueRow, leagues, select(leagues).where(leagues.c.id == league))
        return found[0] if found else None

    async def of_guest(self, guest: str) -> list[LeagueRow]:
        """Return the leagues in which a guest is, the latest first."""
        wanted = select(leagues).join(league_members, league_members.c.league_id == leagues.c.id)
        wanted = wanted.where(league_members.c.guest_id == guest)
        return await self._rows(LeagueRow, leagues, wanted.order_by(leagues.c.created.desc(), leagues.c.id))

    async def change(self, league: str, **fields: Any) -> None:
        """Change fields of a league's row."""
        await self._change(
            statements=[(update(leagues).where(leagues.c.id == league).values(**fields), None)]
        )

    async def members(self, league: str) -> list[LeagueMember]:
        """Return the members of a league, the first to join first."""
        wanted = select(league_members).where(league_members.c.league_id == league)
        wanted = wanted.order_by(league_members.c.joined, league_members.c.member)
        return await self._rows(LeagueMember, league_members, wanted)

    async def join(self, member: LeagueMember, most: int) -> None:
        """Add a member unless there are `most` members, or the guest is one already.

        Matches that did not count are looked at again.
        """
        values = msgspec.structs.asdict(member) | {"most": most}
        await self._change(statements=[(_JOINED, values), (_UNCOUNTED_GONE, {"league": member.league_id})])

    async def leave(self, league: str, guest: str) -> None:
        """Remove a member; the results stay."""
        await self._change(statements=[(_LEFT, {"league": league, "guest": guest})])

    async def new_tables(self, league: str, until: int | None, limit: int) -> list[str]:
        """Return finished tables of members, the earliest first, that are not among the league's results.

        A table with the result of another guest is left out; so is one that ended after `until`.
        """
        mine = select(league_members.c.guest_id).where(league_members.c.league_id == league)
        known = select(league_results.c.table_id).where(league_results.c.league_id == league)
        theirs = select(results.c.table_id).where(results.c.guest_id.in_(mine))
        strangers = func.sum(case((results.c.guest_id.in_(mine), 0), else_=1))
        wanted = (
            select(results.c.table_id)
            .where(results.c.table_id.in_(theirs), results.c.table_id.not_in(known))
            .where(results.c.status == "over", results.c.with_people)
            .group_by(results.c.table_id)
            .having(strangers == 0)
            .order_by(func.max(results.c.ended), results.c.table_id)
            .limit(limit)
        )
        if until is not None:
            wanted = wanted.where(results.c.ended <= until)
        return [str(row[0]) for row in await self._read(wanted)]

    async def add(self, rows: Sequence[LeagueResult]) -> None:
        """Store results of matches; existing ones stay as they are."""
        values = [
            msgspec.structs.asdict(row) | {"owes": msgspec.json.encode(row.owes).decode()} for row in rows
        ]
        if values:
            await self._change(statements=[(_NEW_RESULT, values)])

    async def results(self, league: str) -> list[LeagueResult]:
        """Return the results of the matches that count, the latest match first, by player."""
        wanted = select(league_results).where(
            league_results.c.league_id == league, league_results.c.player >= 0
        )
        wanted = wanted.order_by(
            league_results.c.ended.desc(), league_results.c.table_id, league_results.c.player
        )
        names = league_results.columns.keys()
        rows = [dict(zip(names, row, strict=True)) for row in await self._read(wanted)]
        return [LeagueResult(**row | {"owes": _owes(row["owes"])}) for row in rows]
