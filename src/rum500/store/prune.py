"""The selection of what `rum500 prune` removes: tables and guests that were not used for a long time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, delete, func, or_, select
from sqlalchemy.exc import DBAPIError

from rum500.store.database import Database, database_of
from rum500.store.errors import older
from rum500.store.rows import PruneReport
from rum500.store.schema import (
    HEAD,
    browsers,
    day_attempts,
    entries,
    guests,
    invitations,
    league_members,
    league_results,
    leagues,
    mistakes,
    notices,
    people,
    put_away,
    puzzle_answers,
    puzzle_days,
    refused_people,
    results,
    review_sums,
    reviews,
    tables,
)
from rum500.store.writer import Statement

_OF_A_TABLE = (entries, people, put_away, results, notices, reviews, review_sums, invitations)
_OF_A_LEAGUE = (league_results.c.league_id, league_members.c.league_id, invitations.c.league_id, leagues.c.id)
_PLACES = select(people.c.guest_id, tables.c.id).join(tables, people.c.table_id == tables.c.id)
_LAST_ANSWERS = select(puzzle_answers.c.guest_id, func.max(puzzle_answers.c.at)).group_by(
    puzzle_answers.c.guest_id
)
_LAST_DAYS = select(day_attempts.c.guest_id, func.max(day_attempts.c.at)).group_by(day_attempts.c.guest_id)


@dataclass(frozen=True)
class Unused:
    """The ids of everything that can be removed."""

    tables: Sequence[str]
    guests: Sequence[str]
    solvers: Sequence[str]
    """Guests whose answers to puzzles are removed."""
    endpoints: Sequence[str]
    """Browsers whose subscriptions are removed."""
    learners: Sequence[str]
    """Guests whose mistakes are removed."""
    day_players: Sequence[str]
    """Guests whose attempts at deals of the day are removed; the counts of points stay."""
    leagues: Sequence[str]
    """Leagues that nobody has looked at, with their results."""
    refusers: Sequence[str]
    """Guests whose refusals of invitations are removed."""
    nameless: Sequence[str]
    """Guests without a name and a table that stays. They have no row in `guests`, and are only counted."""

    @property
    def report(self) -> PruneReport:
        """The numbers of tables and guests that can be removed."""
        return PruneReport(tables=len(self.tables), guests=len(self.guests) + len(self.nameless))

    def removals(self) -> Iterator[tuple[str, list[Statement]]]:
        """Yield (table, statements) of each change; `table` is an id, or "" for a change outside tables."""
        for table in self.tables:
            gone = [delete(each).where(each.c.table_id == table) for each in _OF_A_TABLE]
            yield table, [(each, None) for each in (*gone, delete(tables).where(tables.c.id == table))]
        rows = [(guests.c.id, guest) for guest in self.guests]
        rows += [(of.c.guest_id, guest) for guest in self.solvers for of in (puzzle_answers, puzzle_days)]
        rows += [(day_attempts.c.guest_id, guest) for guest in self.day_players]
        rows += [(column, league) for league in self.leagues for column in _OF_A_LEAGUE]
        rows += [(refused_people.c.guest_id, guest) for guest in self.refusers]
        rows += [(browsers.c.endpoint, endpoint) for endpoint in self.endpoints]
        rows += [(mistakes.c.guest_id, guest) for guest in self.learners]
        for column, value in rows:
            yield "", [(delete(column.table).where(column == value), None)]


def find_unused(connection: Connection, before: int, keep: Callable[[str], bool] = lambda _: False) -> Unused:
    """Return the tables last changed before a time, in ms since 1970, and the guests not seen since then.

    A table stays if `keep` returns True for its id, or if its clock of days runs. A guest stays, with
    browsers, mistakes, answers to puzzles and attempts at deals of the day, if one of the guest's tables
    stays, if the guest has answered a puzzle or played a deal of the day since that time, or if the guest is
    in a league that somebody has looked at since. The row of a guest who has signed out elsewhere stays too:
    without it, old cookies would become valid again.
    """

    def rows(wanted: Select[Any]) -> Sequence[Any]:
        return connection.execute(wanted).all()

    unused = rows(select(tables.c.id).where(tables.c.updated < before, tables.c.due.is_(None)))
    used = _PLACES.where(or_(tables.c.updated >= before, tables.c.due.is_not(None)))
    staying = {guest for guest, _ in rows(used)} | {guest for guest, table in rows(_PLACES) if keep(table)}
    solvers = dict[str, int](map(tuple, rows(_LAST_ANSWERS)))
    staying |= {guest for guest, last in solvers.items() if last >= before}
    day_players = dict[str, int](map(tuple, rows(_LAST_DAYS)))
    staying |= {guest for guest, last in day_players.items() if last >= before}
    members = select(league_members.c.guest_id).join(leagues, league_members.c.league_id == leagues.c.id)
    staying |= {guest for (guest,) in rows(members.where(leagues.c.used >= before))}
    unseen = rows(select(guests.c.id).where(guests.c.seen < before, guests.c.valid_from == 0))
    seen = {guest for (guest,) in rows(select(guests.c.id).where(guests.c.seen >= before))}
    silent = rows(select(browsers.c.guest_id, browsers.c.endpoint).where(browsers.c.seen < before))
    last_seen = select(mistakes.c.guest_id).group_by(mistakes.c.guest_id)
    named = {guest for (guest,) in rows(select(guests.c.id))}
    refusers = rows(select(refused_people.c.guest_id).group_by(refused_people.c.guest_id))
    learners = rows(last_seen.having(func.max(mistakes.c.seen) < before))
    return Unused(
        tables=[table for (table,) in unused if not keep(table)],
        guests=[guest for (guest,) in unseen if guest not in staying],
        solvers=sorted(solvers.keys() - staying - seen),
        endpoints=[endpoint for guest, endpoint in silent if guest not in staying],
        learners=[guest for (guest,) in learners if guest not in staying],
        day_players=sorted(day_players.keys() - staying - seen),
        leagues=[league for (league,) in rows(select(leagues.c.id).where(leagues.c.used < before))],
        refusers=sorted({guest for (guest,) in refusers} - staying - seen),
        nameless=sorted({guest for guest, _ in rows(_PLACES)} - staying - named),
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
