"""The selection of what `rum500 prune` removes: tables and guests that were not used for a long time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, delete, or_, select
from sqlalchemy.exc import DBAPIError

from rum500.store.database import Database, database_of
from rum500.store.errors import older
from rum500.store.guest_data import OF_GUESTS, guest_removal, last_uses, table_removal
from rum500.store.rows import PruneReport
from rum500.store.schema import (
    HEAD,
    guests,
    invitations,
    league_members,
    league_results,
    leagues,
    people,
    tables,
)
from rum500.store.writer import Statement

_OF_A_LEAGUE = (league_results.c.league_id, league_members.c.league_id, invitations.c.league_id, leagues.c.id)
_PLACES = select(people.c.guest_id, tables.c.id).join(tables, people.c.table_id == tables.c.id)


@dataclass(frozen=True)
class Unused:
    """The ids of everything that can be removed."""

    tables: Sequence[str]
    guests: Sequence[str]
    """Guests with a row in `guests`."""
    leagues: Sequence[str]
    """Leagues that nobody has looked at, with their results."""
    nameless: Sequence[str]
    """Guests without a name and a table that stays. They have no row in `guests`, and are only counted."""
    owners: Sequence[str]
    """Guests whose other rows are removed."""

    @property
    def report(self) -> PruneReport:
        """The numbers of tables and guests that can be removed."""
        return PruneReport(tables=len(self.tables), guests=len(self.guests) + len(self.nameless))

    def removals(self) -> Iterator[tuple[str, list[Statement]]]:
        """Yield (table, statements) of each change; `table` is an id, or "" for a change outside tables."""
        for table in self.tables:
            yield table, table_removal(table)
        for league in self.leagues:
            yield "", [(delete(each.table).where(each == league), None) for each in _OF_A_LEAGUE]
        for guest in self.guests:
            yield "", [(delete(guests).where(guests.c.id == guest), None)]
        for guest in self.owners:
            yield "", guest_removal(guest)


def find_unused(connection: Connection, before: int, keep: Callable[[str], bool] = lambda _: False) -> Unused:
    """Return the tables last changed before a time, in ms since 1970, and the guests not seen since then.

    A table stays if `keep` returns True for its id, or if its clock of days runs. A guest stays, with
    everything in `OF_GUESTS`, if one of the guest's tables stays, if the guest has used one of these rows
    since that time, or if the guest is in a league that somebody has looked at since. The row of a guest who
    has signed out elsewhere stays too: without it, old cookies would become valid again.
    """

    def rows(wanted: Select[Any]) -> Sequence[Any]:
        return connection.execute(wanted).all()

    unused = rows(select(tables.c.id).where(tables.c.updated < before, tables.c.due.is_(None)))
    used = _PLACES.where(or_(tables.c.updated >= before, tables.c.due.is_not(None)))
    places = rows(_PLACES)
    staying = {guest for guest, _ in rows(used)} | {guest for guest, table in places if keep(table)}
    staying |= {guest for wanted in last_uses() for guest, last in rows(wanted) if last >= before}
    members = select(league_members.c.guest_id).join(leagues, league_members.c.league_id == leagues.c.id)
    staying |= {guest for (guest,) in rows(members.where(leagues.c.used >= before))}
    seen = {guest for (guest,) in rows(select(guests.c.id).where(guests.c.seen >= before))}
    unseen = rows(select(guests.c.id).where(guests.c.seen < before, guests.c.valid_from == 0))
    named = {guest for (guest,) in rows(select(guests.c.id))}
    own = (each for each in OF_GUESTS if not each.named)
    owners = {guest for each in own for (guest,) in rows(select(each.owner).distinct())}
    return Unused(
        tables=[table for (table,) in unused if not keep(table)],
        guests=[guest for (guest,) in unseen if guest not in staying],
        nameless=sorted({guest for guest, _ in places} - staying - named),
        leagues=[league for (league,) in rows(select(leagues.c.id).where(leagues.c.used < before))],
        owners=sorted(owners - staying - seen),
    )


def count_unused(place: str | Path | Database, before: int) -> PruneReport:
    """Count what `Store.prune` would remove, without writing; a server may use the database.

    Raises `StoreError` if the database cannot be read, or has another version than this program's.
    """
    database = database_of(place)
    if (version := database.version()) != HEAD:
        raise older(database.name, version, HEAD)
    engine = database.reading_engine()
    try:
        with engine.connect() as connection:
            return find_unused(connection, before).report
    except DBAPIError as error:
        raise database.error(error) from None
    finally:
        engine.dispose()
