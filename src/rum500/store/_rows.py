"""What the store keeps: lines of tables' logs, the tables as the lobby lists them, and guests."""

from __future__ import annotations

from msgspec import Struct


class StoredEntry(Struct, frozen=True, gc=False):
    """One line of a table's log; the entries of a table, in order, are the table."""

    number: int
    """1 and up at each table, without gaps."""
    at: int
    """When, in milliseconds since 1970: informative, nothing is ordered by it."""
    kind: str
    data: bytes
    author: str | None = None
    """The guest whose message caused it."""
    message: str | None = None
    """That message's id: one entry only for a table, an author and a message."""


class TableRow(Struct, frozen=True, kw_only=True):
    """What the lobby knows of a table without reading its log: an index, not the truth."""

    id: str
    created: int
    """Milliseconds since 1970, as `updated`."""
    updated: int
    status: str
    """The owner's word: `open`, `playing`, `over`, …; the store only compares it."""
    private: bool
    profile: str
    title: str
    players: int
    people: list[str] = []
    """Ids of the guests that have a seat or had one: `tables(guest=…)` finds a table by any of them."""
    seats_free: int = 0
    clocked: bool = False
    host: str | None = None
    """The name of who made it, as the lobby shows it."""
    seats: str = "[]"
    """Who sits where, as JSON of the caller's making that nothing here reads."""


class GuestRow(Struct, frozen=True):
    """A guest: who a signed cookie says somebody is."""

    id: str
    name: str
    since: int
    """When first seen, in milliseconds since 1970."""
    seen: int
    """When last seen."""


class DatabaseReport(Struct, frozen=True):
    """What a check of a database found; it is sound if `problems` is empty."""

    version: str
    tables: int
    entries: int
    guests: int
    bytes: int
    """Of the database and its write-ahead log."""
    problems: list[str]
