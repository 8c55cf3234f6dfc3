"""`rum500 db`: move the data from one database to another."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from rum500.rules.english import counted
from rum500.store import copy_database, database_of

command = App(name="db", help="Move the data from one database to another.", help_format="plaintext")


@command.command
def copy(
    source: Annotated[str, Parameter(name="FROM", help="The database to copy: a file, or a URL.")],
    target: Annotated[str, Parameter(name="TO", help="The database to fill; it must be empty.")],
    /,
) -> None:
    """Copy everything from SQLite to PostgreSQL, or back; no server may run on either.

    FROM and TO are files such as /srv/rum500/rum500.sqlite3, or URLs such as
    postgresql://rum500@localhost/rum500. All rows are read back and compared by a digest before they are
    committed. FROM stays as it is, except that an older version of it is migrated.
    """
    copied = copy_database(source, target)
    names = database_of(source).name, database_of(target).name
    tables, guests = counted(copied.tables, "table"), counted(copied.guests, "guest")
    held = f"{tables}, {copied.entries:,} log entries, {guests}"
    print(f"{names[1]}: has everything from {names[0]}: {held}; all rows read back, SHA-256 {copied.sha256}")
