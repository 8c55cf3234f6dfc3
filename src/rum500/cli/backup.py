"""`rum500 backup`: a verified copy of the data in one file, while the server runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from rum500.cli._server_options import ConfigFile, DatabaseUrl, DataFolder, configured
from rum500.rules.english import counted
from rum500.store import write_backup


def command(
    file: Annotated[Path, Parameter(name="FILE", help="The file to write.")],
    /,
    *,
    data: DataFolder = None,
    db: DatabaseUrl = None,
    config: ConfigFile = None,
    force: Annotated[bool, Parameter(help="Replace the file if it is there.")] = False,
) -> None:
    """Write a backup of all tables, guests and the secret key; the server may be running.

    The backup contains everything that was committed at one moment. It is read back before it gets its name.
    Only you can read it: anyone who has it can pass for any guest.
    """
    place = configured(data, db, config)
    made = write_backup(place.database, place.secret, file, force=force)
    held = f"{counted(made.tables, 'table')}, {made.entries:,} log entries, {counted(made.guests, 'guest')}"
    key = "the secret key" if len(made.sha256) > 1 else "no secret key: there is none yet"
    print(f"{file}: {held}, {key}; {file.stat().st_size:,} bytes, read back and right")
