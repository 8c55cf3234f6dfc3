"""Which rows of the database belong to a guest, and what becomes of them.

`rum500 prune`, the export and the deletion of a guest's data, and the merge of two guests all derive from
`OF_GUESTS`. Every table of the schema is in exactly one of `OF_GUESTS`, `OF_TABLES` and `OF_NOBODY`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Column, LargeBinary, Select, Table, and_, delete, exists, func, insert, select, update

from rum500.store._store_part import upsert
from rum500.store.rows import GuestRow
from rum500.store.schema import (
    achievements,
    browsers,
    day_attempts,
    day_bots,
    day_counts,
    day_seeds,
    device_codes,
    entries,
    former_guests,
    guests,
    invitations,
    league_members,
    league_results,
    leagues,
    mistakes,
    nodes,
    notices,
    pads,
    people,
    put_away,
    puzzle_answers,
    puzzle_days,
    puzzle_ratings,
    recovery_words,
    refused_people,
    results,
    review_sums,
    reviews,
    tables,
)
from rum500.store.writer import Statement


@dataclass(frozen=True, kw_only=True)
class GuestRows:
    """The rows of one table that belong to guests. Deleting a guest removes them."""

    table: Table
    guest: str = "guest_id"
    """The column with the guest's id."""
    outlive_table: bool = False
    """Whether rows with a `table_id` stay when that table is removed."""
    used: str | None = None
    """The column with the time, in ms since 1970, at which the guest last used the row; a recent one keeps
    the guest from being pruned.
    """
    added: tuple[str, ...] = ()
    """Columns that are added up if both of two merged guests have a row with the same key."""
    earliest: str | None = None
    """The column that decides which of two such rows stays: the one with the smaller value. Without it, the
    row of the guest who remains stays.
    """
    secret: tuple[str, ...] = ()
    """Columns that are left out of exports."""
    brief: bool = False
    """Whether the rows are needed for some minutes only: a merge removes them, and no export has them."""
    named: bool = False
    """Whether the rows are another guest's, and name this one: no export has them."""
    kept: bool = False
    """Whether the rows stay when the guest is deleted."""

    @property
    def owner(self) -> Column[Any]:
        """The column with the guest's id."""
        return self.table.c[self.guest]

    @property
    def exported(self) -> list[Column[Any]]:
        """The columns of an export: not the guest's id, secrets and encoded contents."""
        return [
            column
            for column in self.table.columns
            if not (self.brief or self.named)
            and column.name not in (self.guest, *self.secret)
            and not isinstance(column.type, LargeBinary)
        ]

    def moves(self, former: str, guest: str) -> Iterator[Statement]:
        """Yield the statements that make the rows of `former` rows of `guest`."""
        owner, other = self.owner, self.table.alias()
        if self.brief:
            yield delete(self.table).where(owner == former), None
            return
        keys = [column.name for column in self.table.primary_key if column.name != self.guest]
        if owner.primary_key:
            same = and_(*(self.table.c[key] == other.c[key] for key in keys))
            of_former = and_(other.c[self.guest] == former, same)
            if self.added:
                both = {
                    name: self.table.c[name] + select(other.c[name]).where(of_former).scalar_subquery()
                    for name in self.added
                }
                found = exists().where(of_former)
                yield update(self.table).where(owner == guest, found).values(both), None
            if self.earliest is not None:
                earlier = other.c[self.earliest] < self.table.c[self.earliest]
                yield delete(self.table).where(owner == guest, exists().where(of_former, earlier)), None
            kept = exists().where(other.c[self.guest] == guest, same)
            yield delete(self.table).where(owner == former, kept), None
        yield update(self.table).where(owner == former).values({self.guest: guest}), None


OF_GUESTS = (
    GuestRows(table=people),
    GuestRows(table=put_away),
    GuestRows(table=results),
    GuestRows(table=review_sums),
    GuestRows(table=mistakes, outlive_table=True, used="seen"),
    GuestRows(table=puzzle_answers, used="at", earliest="at"),
    GuestRows(table=puzzle_days),
    GuestRows(table=day_attempts, outlive_table=True, used="at", earliest="at"),
    GuestRows(table=achievements, outlive_table=True, earliest="at"),
    GuestRows(table=browsers, used="seen", secret=("endpoint", "p256dh", "auth")),
    GuestRows(table=notices),
    GuestRows(table=invitations, secret=("by_guest",)),
    GuestRows(table=invitations, guest="by_guest", named=True),
    GuestRows(table=refused_people, secret=("other_id",)),
    GuestRows(table=refused_people, guest="other_id", named=True),
    GuestRows(table=league_members),
    GuestRows(table=leagues, guest="host_id", named=True, kept=True),
    GuestRows(table=former_guests, secret=("former",)),
    GuestRows(table=recovery_words, secret=("hash",)),
    GuestRows(table=device_codes, brief=True),
    GuestRows(table=device_codes, guest="asker", brief=True),
)
"""The rows of guests, except `guests` itself. Counts of all players, in `day_counts`, stay."""
OF_TABLES = (entries, reviews)
"""The rows that belong to all players of a table together, and are removed with the table."""
OF_NOBODY = (tables, guests, puzzle_ratings, day_seeds, day_counts, day_bots, league_results, pads, nodes)
"""The tables of the schema without rows of a guest. `tables` and `guests` have rules of their own: a table's
row follows from its log, and a guest's row stays without a name where old cookies must stay invalid.
"""

_WITH_TABLE: Sequence[Table] = (
    *OF_TABLES,
    *dict.fromkeys(rows.table for rows in OF_GUESTS if "table_id" in rows.table.c and not rows.outlive_table),
)
_EMPTY = upsert(guests, [name for name in guests.columns.keys() if name != "id"])  # noqa: SIM118


def merged(former: str, guest: str, at: int) -> list[Statement]:
    """Return the statements that make everything of `former` belong to `guest`, at a time in ms since 1970.

    The cookies of `former` become invalid.
    """
    moves = [statement for rows in OF_GUESTS for statement in rows.moves(former, guest)]
    alone = people.c.table_id.not_in(select(people.c.table_id).where(people.c.guest_id == guest))
    places = select(people.c.table_id).where(people.c.guest_id == former, alone)
    named = func.replace(tables.c.people, f'"{former}"', f'"{guest}"')
    seated = update(tables).where(tables.c.id.in_(places)).values(people=named)
    return [
        (seated, None),
        *moves,
        (insert(former_guests), {"former": former, "guest_id": guest}),
        _signed_out(former, at),
    ]


def deleted(guest: str, at: int) -> list[Statement]:
    """Return the statements that remove everything of a guest, at a time in ms since 1970.

    A row without a name stays, so that the guest's cookies stay invalid. The guest's leagues get another
    host.
    """
    next_host = (
        select(league_members.c.guest_id)
        .where(league_members.c.league_id == leagues.c.id, league_members.c.guest_id != guest)
        .order_by(league_members.c.joined, league_members.c.member)
        .limit(1)
        .scalar_subquery()
    )
    hosted = update(leagues).where(leagues.c.host_id == guest)
    handed_on = hosted.values(host_id=func.coalesce(next_host, ""))
    return [(handed_on, None), *guest_removal(guest), _signed_out(guest, at)]


def guest_removal(guest: str) -> list[Statement]:
    """Return the statements that remove a guest's rows, except the row in `guests`."""
    return [(delete(rows.table).where(rows.owner == guest), None) for rows in OF_GUESTS if not rows.kept]


def table_removal(table: str) -> list[Statement]:
    """Return the statements that remove a table of players, with all rows that are removed with it."""
    gone = [delete(each).where(each.c.table_id == table) for each in _WITH_TABLE]
    return [(each, None) for each in (*gone, delete(tables).where(tables.c.id == table))]


def _signed_out(guest: str, at: int) -> Statement:
    return _EMPTY, msgspec.structs.asdict(GuestRow(guest, "", at, at, at))


def last_uses() -> Iterator[Select[Any]]:
    """Yield the queries for (guest, time of the last use), one for each kind of rows with such a time."""
    for rows in OF_GUESTS:
        if rows.used is not None:
            last: Select[Any] = select(rows.owner, func.max(rows.table.c[rows.used]))
            yield last.group_by(rows.owner)
