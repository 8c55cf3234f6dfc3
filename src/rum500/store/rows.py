"""The store's rows: entries of tables' logs, tables as the lobby lists them, results, and guests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal
from zlib import crc32

import msgspec
from msgspec import Meta, Struct

Row = tuple[str, int, int, str, bytes, str | None, str | None, int | None]
"""An entry in the form for the driver: table, number, at, kind, data, author, message, checksum."""


class StoredEntry(Struct, frozen=True, gc=False):
    """One entry of a table's log. A table's entries, in order, define its state."""

    number: int
    """The number, from 1 at each table, without gaps."""
    at: int
    """The time in milliseconds since 1970; nothing depends on it."""
    kind: str
    """The kind of entry; see `rum500.server.live.log.entries`."""
    data: bytes
    """The entry's fields, encoded."""
    author: str | None = None
    """The id of the guest whose message caused it; None if no message did."""
    message: str | None = None
    """The id of that message, unique for a table and an author; None if no message did."""
    checksum: int | None = None
    """The checksum of the log up to this entry; None if an older version wrote it."""


def checksum(before: int | None, table: str, entry: StoredEntry) -> int:
    """Return the checksum of a log up to `entry`; `before` is the previous entry's, None if it has none."""
    head = "\0".join(map(str, (table, entry.number, entry.at, entry.kind, entry.author, entry.message)))
    return crc32(entry.data, crc32(head.encode(), before or 0))


class TableListing(Struct, frozen=True, kw_only=True):
    """What the lobby shows of a table."""

    id: str
    """The table's id."""
    created: int
    """The time of creation, in milliseconds since 1970."""
    updated: int
    """The time of the last change, in milliseconds since 1970."""
    status: str
    """The table's status: `open`, `playing`, `over`, …; the store only compares it."""
    private: bool
    """Whether the table is left out of the lobby."""
    profile: str
    """The name of the game."""
    title: str
    """The title of the game."""
    players: int
    """The number of seats."""
    seats_free: int = 0
    """The number of free seats."""
    clocked: bool = False
    """Whether the players have clocks."""
    host: str | None = None
    """The name of the guest who made the table."""


class TableRow(TableListing, frozen=True, kw_only=True):
    """A table's row in the index, which is derived from its log."""

    people: list[str] = []
    """Ids of the guests that have or had a seat; `tables(guest=…)` finds a table by any of them."""
    seats: str = "[]"
    """The seats as JSON, which the store does not interpret."""
    due: int | None = None
    """When the table must be loaded because a clock of days runs out, in ms since 1970; None if never."""


class MatchSummary(Struct, frozen=True, kw_only=True):
    """The result of an ended match for one guest."""

    ended: int
    """When the match ended, in milliseconds since 1970."""
    status: str
    """`over` or `abandoned`."""
    profile: str
    """The name of the game."""
    title: str
    """The title of the game."""
    players: int
    deals: int
    """The number of finished deals."""
    place: int | None
    """The place, from 1; None if the match was abandoned."""
    won: bool
    points: int
    """The final total of the guest, or of the guest's side; in an abandoned match the last total."""
    margin: int | None
    """The points ahead of the second or, negative, behind the winner; None if the match was abandoned."""
    partners: list[str]
    """The names of the guest's partners."""
    opponents: list[str]
    """The names of the opponents."""
    with_people: bool
    """Whether other people played."""
    level: str | None
    """The level of the bots; None if they had different levels or there were none."""
    bot_turns: int = 0
    """The number of turns that bots played for the guest."""


class DealPoints(Struct, frozen=True, array_like=True, gc=False):
    """A guest's points in a finished deal."""

    points: int
    """The points of the guest, or of the guest's side."""
    ahead: float
    """These points minus the mean of the others'."""


class ResultRow(MatchSummary, frozen=True, kw_only=True):
    """The result of an ended match for one guest, with its table; derived from the table's log."""

    guest_id: str
    table_id: str
    accounts: int
    """The number of sides, or of players if there are no sides."""
    best_deal: int | None
    """The most points in a deal; None if no deal was finished."""
    by_deal: list[DealPoints] = []
    """The points of each finished deal, in order; empty until the log has been examined."""
    examined: int = 0
    """The version of the deeds that were looked for in the log; 0 before the first time."""


class Achievement(Struct, frozen=True, kw_only=True):
    """A deed or a step of the stairs that a guest has reached. It is never lost."""

    guest_id: str
    name: str
    """The name of the deed; for a step, `step:` with the game, the number of players and the level."""
    at: int
    """When the match, or the day, ended that proves it, in milliseconds since 1970."""
    profile: str
    """The name of the game."""
    title: str
    """The title of the game."""
    table_id: str | None
    """The table of the proof; None for a step."""
    deal: int
    """The number of the deal that proves it; 0 for a step."""
    frame: int
    """The frame of that deal's replay; 0 for a step."""


class ReviewRow(Struct, frozen=True, kw_only=True):
    """A part of the review of a finished deal."""

    table_id: str
    deal: int
    """The number of the deal."""
    kind: str
    """Which part: `account` (the breakdown) or `marks`."""
    judge: str
    """The judge that made the part, which replaces the same part by another judge."""
    done: bool
    """Whether the part is complete."""
    at: int
    """When the part was stored, in milliseconds since 1970."""
    data: bytes
    """The results, which the store does not interpret."""


class ReviewSum(Struct, frozen=True, kw_only=True):
    """The results of a deal's review for one guest who played it."""

    guest_id: str
    table_id: str
    deal: int
    """The number of the deal."""
    at: int
    """When the results were first stored, in milliseconds since 1970."""
    play: float
    """The gain of the guest's decisions compared with `club`, in points."""
    play_error: float
    """The standard error of `play`."""
    decisions: int
    """The number of decisions with more than one legal action."""
    marks: dict[str, int] | None = None
    """The number of counted decisions with each mark; None until all decisions have one."""
    mistakes: dict[str, int] | None = None
    """The number of mistakes and blunders, by kind of decision."""


class MistakeRow(Struct, frozen=True, kw_only=True):
    """A guest's mistake, repeated until it is learned. Days are numbered as by `date.toordinal`."""

    guest_id: str
    table_id: str
    deal: int
    """The number of the deal."""
    step: int
    """The number of the play in the deal, from 1."""
    seen: int
    """When the mistake was added or last answered, in milliseconds since 1970."""
    due: int | None
    """The day on which it is due again; None if it is learned."""
    last: int | None = None
    """The day of the last answer; None before the first."""
    stability: float | None = None
    """How long it is remembered, in days; see `rum500.server.practice.schedule`."""
    difficulty: float | None = None
    answers: int = 0
    """The number of answers."""
    right: int = 0
    """The number of right answers."""
    hinted: bool = False
    """Whether a hint was given since the last answer."""
    data: bytes
    """The position and its verdict, which the store does not interpret."""


class GameFigures(Struct, frozen=True):
    """The totals of a guest's finished matches of one game."""

    profile: str
    """The name of the rule set."""
    title: str
    """The title of the rule set."""
    matches: int
    won: int
    even: float
    """The expected number of wins if all players were equally strong."""
    deals: int
    points: int
    """The sum of the final totals."""
    best_deal: int
    """The most points in a deal."""


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
    valid_from: int = 0
    """Cookies issued before this time, in milliseconds since 1970, are invalid; 0: all are valid."""
    speed: str | None = None
    """The speed of bots that the guest chose last."""
    shows_presence: bool = False
    """Whether people with whom the guest has played may see when the guest is here."""


class DeviceCode(Struct, frozen=True, kw_only=True):
    """A code with which another device becomes a guest's device."""

    code: str
    """The keyed hash of the code."""
    guest_id: str
    since: int
    """When the guest was created, in milliseconds since 1970."""
    at: int
    """When the code was made, in milliseconds since 1970."""
    asker: str | None = None
    """The id that the other device has so far; None until it gives the code."""
    browser: str | None = None
    """The browser of the other device."""
    phone: bool | None = None
    """Whether the other device is a phone or a tablet."""
    words: str | None = None
    """The words that both devices show."""
    answer: bool | None = None
    """Whether the guest has let the other device in; None before the answer."""


class RecoveryWords(Struct, frozen=True, kw_only=True):
    """The recovery words of a guest."""

    hash: str
    """The slow keyed hash of the words."""
    guest_id: str
    since: int
    """When the guest was created, in milliseconds since 1970."""
    at: int
    """When the words were made, in milliseconds since 1970."""


class PuzzleAnswer(Struct, frozen=True, kw_only=True):
    """The first answer of a guest to a puzzle."""

    guest_id: str
    puzzle: str
    """The name of the puzzle."""
    at: int
    """When the answer was given, in milliseconds since 1970."""
    play: str
    """The play, as the code of the action."""
    solved: bool
    mean: float
    """The guest's rating after the answer."""
    deviation: float
    """The uncertainty of that rating."""
    before: float
    """The guest's rating before the answer."""
    vote: int = 0
    """1: a good puzzle, -1: a bad one, 0: no vote."""


class PuzzleRating(Struct, frozen=True):
    """The rating of a puzzle, from its answers."""

    puzzle: str
    """The name of the puzzle."""
    mean: float
    """The rating."""
    deviation: float
    """The uncertainty of the rating."""


class DayAttempt(Struct, frozen=True, kw_only=True):
    """A guest's attempt at a deal of the day, or practice on an old one."""

    day: int
    """The day, numbered as by `date.toordinal`."""
    guest_id: str
    table_id: str
    """The table at which the deal is played."""
    status: Literal["playing", "over", "unfinished", "practised"]
    """`over`: played to the end; `unfinished`: ended early; `practised`: only played on a later day."""
    points: int | None
    """The guest's points, or those of the guest's side; None unless the deal was played to the end."""
    at: int
    """When the attempt began or ended, in milliseconds since 1970."""


Minute = Annotated[int, Meta(ge=0, le=1439)]
"""A minute of the day."""


class Browser(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A browser's subscription to push messages: data of its Push API, the language, and the quiet hours."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    """The address at the browser's push service, a secret of the browser."""
    p256dh: Annotated[str, Meta(max_length=200)]
    """The public key of the subscription, in base64url."""
    auth: Annotated[str, Meta(max_length=100)]
    """The secret of the subscription, in base64url."""
    language: Annotated[str, Meta(pattern=r"^[a-z]{2}$")]
    """The language of the messages."""
    zone: Annotated[str, Meta(min_length=1, max_length=64)]
    """The name of the browser's time zone, such as `Europe/Berlin`."""
    quiet_from: Minute | None = None
    """The minute of the day, in this time zone, from which on nothing is sent; null for no quiet hours."""
    quiet_to: Minute | None = None
    """The minute of the day at which the quiet hours end. Messages that were held back are sent then."""


class BrowserRow(Browser, frozen=True, kw_only=True):
    """A browser with a subscription; it gets a push message when a table waits for the guest."""

    guest_id: str
    seen: int
    """When the browser last reported, in milliseconds since 1970."""


class NoticeRow(Struct, frozen=True):
    """A push message to a guest about a table that the guest has not viewed since."""

    guest_id: str
    table_id: str
    due: int
    """When the message has to be sent, in milliseconds since 1970; 0 if it was sent."""


class PruneReport(Struct, frozen=True):
    """The numbers of tables and guests that were removed from a database, or can be."""

    tables: int
    """The number of tables, with their logs."""
    guests: int
    """The number of guests."""


class Counts(Struct, frozen=True, kw_only=True):
    """The numbers of a database's rows."""

    tables: int
    """The number of tables."""
    entries: int
    """The number of log entries."""
    guests: int
    """The number of guests."""


class DatabaseReport(Counts, frozen=True, kw_only=True):
    """The result of checking a database, which is sound if `problems` is empty."""

    version: str
    """The database's version."""
    bytes: int
    """The size of the database with its write-ahead log, in bytes."""
    problems: list[str]
    """The problems, one line each."""


_NAMES = msgspec.json.Decoder(list[str])


def names_text(names: Sequence[str]) -> str:
    """Return names as JSON text, for a column."""
    return msgspec.json.encode(list(names)).decode()


def names_of(column: str) -> list[str]:
    """Return the names in a column's text, which `names_text` made."""
    return _NAMES.decode(column)
