"""The database's schema; `migrations/` leads from each earlier version to this one."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    event,
    false,
)

HEAD = "0017"
"""The version of this schema, a number, so that an older program recognizes a newer database."""
APPLICATION = 0x72353030
"""SQLite's `application_id` of our databases: `r500` in ASCII; `file` shows it too."""

metadata = MetaData()
_PARTIAL: dict[Index, ColumnElement[bool]] = {}
"""The conditions of the indexes that contain only some rows."""


@event.listens_for(metadata, "before_create")
def _leave_out(_metadata: MetaData, connection: Connection, **_options: object) -> None:
    """Set the conditions of partial indexes. Passed to `Index`, they would import every dialect."""
    for index, condition in _PARTIAL.items():
        index.dialect_options[connection.dialect.name]["where"] = condition


_ID = Text
_TIME = BigInteger
# SQLite numbers rows automatically only if the type is spelled INTEGER.
_ROW = BigInteger().with_variant(Integer, "sqlite")

entries = Table(
    "entries",
    metadata,
    # Entries of all tables are appended in one order: a commit then writes half as many pages as with entries
    # ordered by table (measured).
    Column("row", _ROW, primary_key=True),
    Column("table_id", _ID, nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", _TIME, nullable=False),
    Column("kind", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("author", _ID),
    Column("message", _ID),
    Column("checksum", BigInteger),
    UniqueConstraint("table_id", "number", name="entries_number"),
)
_messages = Index("entries_message", entries.c.table_id, entries.c.author, entries.c.message, unique=True)
_PARTIAL[_messages] = entries.c.message.is_not(None)

tables = Table(
    "tables",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("created", _TIME, nullable=False),
    Column("updated", _TIME, nullable=False),
    Column("status", Text, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("profile", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("people", Text, nullable=False),  # a JSON list of guests' ids
    Column("seats_free", Integer, nullable=False),
    Column("clocked", Boolean, nullable=False),
    Column("host", Text),
    Column("seats", Text, nullable=False),
    Column("due", _TIME),
    Column("owner", _ID),
    Column("epoch", Integer, nullable=False, server_default="0"),
    Column("listed_by", Text),
    Index("tables_status", "status", "private", "updated"),
)
_PARTIAL[Index("tables_due", tables.c.due)] = tables.c.due.is_not(None)

people = Table(
    "people",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("table_id", _ID, primary_key=True),
    Index("people_table", "table_id"),
)
"""The guests of each table: the inverse of `tables.people`, to find a guest's tables."""

guests = Table(
    "guests",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("since", _TIME, nullable=False),
    Column("seen", _TIME, nullable=False),
    Column("valid_from", _TIME, nullable=False, server_default="0"),
    Column("speed", Text),
    Column("shows_presence", Boolean, nullable=False, server_default=false()),
)
_PARTIAL[Index("guests_signed_out", guests.c.valid_from)] = guests.c.valid_from > 0

former_guests = Table(
    "former_guests",
    metadata,
    Column("former", _ID, primary_key=True),
    Column("guest_id", _ID, nullable=False),
    Index("former_guests_guest", "guest_id"),
)
"""Guests that were merged into another: the logs of their tables still name them."""

device_codes = Table(
    "device_codes",
    metadata,
    Column("code", Text, primary_key=True),
    Column("guest_id", _ID, nullable=False),
    Column("since", _TIME, nullable=False),
    Column("at", _TIME, nullable=False),
    Column("asker", _ID),
    Column("browser", Text),
    Column("phone", Boolean),
    Column("words", Text),
    Column("answer", Boolean),
    Index("device_codes_guest", "guest_id"),
    Index("device_codes_asker", "asker"),
)
"""Keyed hashes of the codes with which a second device becomes a guest's device, for some minutes."""

recovery_words = Table(
    "recovery_words",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("guest_id", _ID, nullable=False),
    Column("since", _TIME, nullable=False),
    Column("at", _TIME, nullable=False),
    Index("recovery_words_guest", "guest_id"),
)
"""Slow keyed hashes of the guests' recovery words."""

put_away = Table(
    "put_away",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("table_id", _ID, primary_key=True),
    Column("at", _TIME, nullable=False),
    Index("put_away_table", "table_id"),
)
"""The unfinished tables that a guest has removed from the list of own tables."""

results = Table(
    "results",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("table_id", _ID, primary_key=True),
    Column("ended", _TIME, nullable=False),
    Column("status", Text, nullable=False),
    Column("profile", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("accounts", Integer, nullable=False),
    Column("deals", Integer, nullable=False),
    Column("place", Integer),
    Column("won", Boolean, nullable=False),
    Column("points", Integer, nullable=False),
    Column("margin", Integer),
    Column("best_deal", Integer),
    Column("partners", Text, nullable=False),  # a JSON list of names
    Column("opponents", Text, nullable=False),  # a JSON list of names
    Column("with_people", Boolean, nullable=False),
    Column("level", Text),
    Column("bot_turns", Integer, nullable=False, server_default="0"),
    Column("by_deal", Text, nullable=False, server_default="[]"),  # a JSON list
    Column("examined", Integer, nullable=False, server_default="0"),
    Index("results_guest", "guest_id", "ended"),
)
"""The results of each guest's ended matches, derived from the tables' logs."""

achievements = Table(
    "achievements",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("at", _TIME, nullable=False),
    Column("profile", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("table_id", _ID),
    Column("deal", Integer, nullable=False),
    Column("frame", Integer, nullable=False),
)
"""The deeds and steps that guests have reached. They stay when their table is removed."""

reviews = Table(
    "reviews",
    metadata,
    Column("table_id", _ID, primary_key=True),
    Column("deal", Integer, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("judge", _ID, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("at", _TIME, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
"""Reviews of finished deals, by the judge that made them; they follow from the tables' logs."""

review_sums = Table(
    "review_sums",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("table_id", _ID, primary_key=True),
    Column("deal", Integer, primary_key=True),
    Column("at", _TIME, nullable=False),
    Column("play", Float, nullable=False),
    Column("play_error", Float, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("marks", Text),  # a JSON object; so is the next column
    Column("mistakes", Text),
    Index("review_sums_table", "table_id"),
)
"""The results of the reviews of each guest's deals, for lists and totals."""

mistakes = Table(
    "mistakes",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("table_id", _ID, primary_key=True),
    Column("deal", Integer, primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("seen", _TIME, nullable=False),
    Column("due", Integer),
    Column("last", Integer),
    Column("stability", Float),
    Column("difficulty", Float),
    Column("answers", Integer, nullable=False),
    Column("right", Integer, nullable=False),
    Column("hinted", Boolean, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Index("mistakes_seen", "seen"),
)
"""The guests' mistakes, with the day on which each is due. They stay when their table is removed."""

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("puzzle", _ID, primary_key=True),
    Column("at", _TIME, nullable=False),
    Column("play", Text, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("before", Float, nullable=False),
    Column("vote", Integer, nullable=False, server_default="0"),
    Index("puzzle_answers_puzzle", "puzzle", "vote"),
)
"""The first answer of each guest to each puzzle, with the guest's rating after it."""

puzzle_days = Table(
    "puzzle_days",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
)
"""The days whose puzzle a guest answered on the day itself, numbered from 1 January of year 1."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", _ID, primary_key=True),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
)
"""The ratings of the answered puzzles."""

day_seeds = Table(
    "day_seeds",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("seed", Text, nullable=False),
)
"""The secret seed of each deal of the day, in hexadecimal. Days are numbered from 1 January of year 1."""

day_attempts = Table(
    "day_attempts",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("guest_id", _ID, primary_key=True),
    Column("table_id", _ID, nullable=False),
    Column("status", Text, nullable=False),
    Column("points", Integer),
    Column("at", _TIME, nullable=False),
    Index("day_attempts_table", "table_id"),
    Index("day_attempts_guest", "guest_id", "day"),
    Index("day_attempts_points", "day", "status", "points"),
)
"""The guests' attempts at deals of the day. They stay when their table is removed."""

day_counts = Table(
    "day_counts",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("points", Integer, primary_key=True, autoincrement=False),
    Column("players", Integer, nullable=False),
)
"""By deal of the day, how many guests got these points."""

day_bots = Table(
    "day_bots",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("level", Text, primary_key=True),
    Column("points", Text, nullable=False),  # a JSON list
)
"""By deal of the day and level, the points of a bot that played the deal several times."""

invitations = Table(
    "invitations",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("table_id", _ID, primary_key=True),
    Column("league_id", _ID, primary_key=True),
    Column("by_guest", _ID, nullable=False),
    Column("at", _TIME, nullable=False),
    Column("answered", Boolean, nullable=False, server_default=false()),
    Index("invitations_by", "by_guest", "guest_id", "at"),
    Index("invitations_table", "table_id"),
)
"""Invitations of guests by other guests, to a table or to a league; the id of the other one is empty."""

refused_people = Table(
    "refused_people",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("other_id", _ID, primary_key=True),
    Column("at", _TIME, nullable=False),
)
"""The guests whose invitations a guest refuses."""

leagues = Table(
    "leagues",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("host_id", _ID, nullable=False),
    Column("created", _TIME, nullable=False),
    Column("ended", _TIME),
    Column("used", _TIME, nullable=False),
)
"""The leagues of tables: a standing of all matches among the same people."""

league_members = Table(
    "league_members",
    metadata,
    Column("league_id", _ID, primary_key=True),
    Column("guest_id", _ID, primary_key=True),
    Column("member", _ID, nullable=False),
    Column("joined", _TIME, nullable=False),
    Index("league_members_guest", "guest_id"),
)
"""The guests in each league. The league's results have the random id `member` instead of the guest's."""

league_results = Table(
    "league_results",
    metadata,
    Column("league_id", _ID, primary_key=True),
    Column("table_id", _ID, primary_key=True),
    Column("player", Integer, primary_key=True, autoincrement=False),
    Column("member", _ID, nullable=False),
    Column("ended", _TIME, nullable=False),
    Column("profile", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("deals", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("owes", Text, nullable=False),  # a JSON object
)
"""The matches of each league, by player, derived from the tables' logs. They stay when their table is removed
and when a member leaves. Player -1 marks a match that does not count, so that its log is not read again.
"""

pads = Table(
    "pads",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("sheet", Text, nullable=False),
    Column("at", _TIME, nullable=False),
    Index("pads_at", "at"),
)
"""Score sheets of real cards that others watch, kept for a day after their last change."""

browsers = Table(
    "browsers",
    metadata,
    Column("endpoint", Text, primary_key=True),
    Column("guest_id", _ID, nullable=False),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("seen", _TIME, nullable=False),
    Index("browsers_guest", "guest_id", "seen"),
)
"""The browsers that get a push message when a table waits for their guest."""

notices = Table(
    "notices",
    metadata,
    Column("guest_id", _ID, primary_key=True),
    Column("table_id", _ID, primary_key=True),
    Column("due", _TIME, nullable=False),
    Index("notices_table", "table_id"),
)
"""The messages to guests about tables that they have not viewed since."""

nodes = Table(
    "nodes",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("since", _TIME, nullable=False),
    Column("until", _TIME, nullable=False),
    Column("draining", Boolean, nullable=False, server_default=false()),
    Column("tables", Integer, nullable=False, server_default="0"),
)
"""The servers that share the database, each with the end of its lease by the database's clock."""
