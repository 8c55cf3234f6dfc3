"""The store's rows: entries of tables' logs, tables as listed in the lobby, and guests."""

from __future__ import annotations

from msgspec import Struct


class StoredEntry(Struct, frozen=True, gc=False):
    """One entry of a table's log. The entries of a table, in order, define the table."""

    number: int
    """The number, from 1 at each table, without gaps."""
    at: int
    """The time in milliseconds since 1970, for information only."""
    kind: str
    """The kind of entry; see `rum500.server.live.log_entries`."""
    data: bytes
    """The entry's fields, encoded."""
    author: str | None = None
    """The guest whose message caused it."""
    message: str | None = None
    """The id of that message; unique for a table and an author."""


class TableRow(Struct, frozen=True, kw_only=True):
    """The lobby's data of a table, an index that is derived from its log."""

    id: str
    """The table's id."""
    created: int
    """The time of creation, in milliseconds since 1970."""
    updated: int
    """The time of the last change, in milliseconds since 1970."""
    status: str
    """`open`, `playing`, `over`, …; the store only compares it."""
    private: bool
    """Whether the table is left out of the lobby."""
    profile: str
    """The name of the rule set."""
    title: str
    """The title of the rule set."""
    players: int
    """The number of players."""
    people: list[str] = []
    """Ids of the guests that have or had a seat; `tables(guest=…)` finds a table by any of them."""
    seats_free: int = 0
    """The number of free seats."""
    clocked: bool = False
    """Whether moves have a time limit."""
    host: str | None = None
    """The name of the guest who made the table."""
    seats: str = "[]"
    """The seats as JSON, which the store does not read."""


class GuestRow(Struct, frozen=True):
    """A guest, identified by a signed cookie."""

    id: str
    """The guest's id."""
    name: str
    """The guest's name."""
    since: int
    """When the guest was first seen, in milliseconds since 1970."""
    seen: int
    """When the guest was last seen, in milliseconds since 1970."""


class DatabaseReport(Struct, frozen=True):
    """The result of a check of a database, which is sound if `problems` is empty."""

    version: str
    """The database's version."""
    tables: int
    """The number of tables."""
    entries: int
    """The number of log entries."""
    guests: int
    """The number of guests."""
    bytes: int
    """The size of the database and its write-ahead log."""
    problems: list[str]
    """The problems, one line each."""
