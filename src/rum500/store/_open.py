"""Opening a database: ownership, identity, write access, and version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from rum500.store._archive import finish_restore
from rum500.store._connect import connect, use_log
from rum500.store._errors import foreign, from_database, from_os
from rum500.store._owner import Ownership
from rum500.store._version import create, migrate, read_version
from rum500.store.paths import create_private, make_data_dir
from rum500.store.schema import HEAD

_BEGINNING = b"SQLite format 3\x00"


def prepare(path: Path) -> Ownership:
    """Make the database ready for use by this process only. Raises `StoreError` if this fails."""
    make_data_dir(path.parent)
    ownership = Ownership(path)
    try:
        finish_restore(path)
        if not create_private(path):
            _begins_like_a_database(path)
        with closing(connect(path)) as connection:
            version = read_version(connection, path)
            use_log(connection, path)
            # A change, which is rolled back, shows now whether the file can be written.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("PRAGMA user_version = 0")
            connection.execute("ROLLBACK")
        if version is None:
            create(path)
        elif version != HEAD:
            migrate(path)
    except OSError as error:
        ownership.release()
        raise from_os(error, path) from None
    except (DBAPIError, sqlite3.Error) as error:
        ownership.release()
        raise from_database(error, path) from None
    except BaseException:
        ownership.release()
        raise
    return ownership


def _begins_like_a_database(path: Path) -> None:
    """Refuse a file that SQLite would consider empty and overwrite."""
    with path.open("rb") as file:
        start = file.read(len(_BEGINNING))
    if start not in (b"", _BEGINNING):
        raise foreign(path, "is something else")
