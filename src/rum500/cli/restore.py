"""`rum500 restore`: restore the data from a backup."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from rum500.cli._server_options import ConfigFile, DatabaseUrl, DataFolder, configured
from rum500.rules.english import counted
from rum500.store import restore_backup


def command(
    file: Annotated[Path, Parameter(name="FILE", help="A file that rum500 backup wrote.")],
    /,
    *,
    data: DataFolder = None,
    db: DatabaseUrl = None,
    config: ConfigFile = None,
    force: Annotated[bool, Parameter(help="Replace the data that is there; it is lost.")] = False,
) -> None:
    """Replace the data by a backup, completely or not at all; the server must not run.

    The backup is checked before anything is changed.
    """
    place = configured(data, db, config)
    made = restore_backup(file, place.database, place.secret, force=force)
    when = datetime.fromtimestamp(made.made / 1000, UTC).isoformat(" ", "seconds")
    held = f"{counted(made.tables, 'table')}, {made.entries:,} log entries, {counted(made.guests, 'guest')}"
    print(f"{place.database.name}: restored as of {when}: {held}")
