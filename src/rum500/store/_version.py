"""The version of a database, its creation, and its migration to the current version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from rum500.store.errors import foreign, newer
from rum500.store.schema import APPLICATION, HEAD, metadata

_MIGRATIONS = Path(__file__).parent / "migrations"


def read_version(connection: sqlite3.Connection, path: Path) -> str | None:
    """Return the version of a SQLite database; None if the database is empty.

    Raises `StoreError` if the version is newer than this program's, or the database is another program's.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    named = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    names = {name for (name,) in connection.execute(named)}
    if not names and application == 0:
        return None
    if application != APPLICATION or "alembic_version" not in names:
        raise foreign(path, "is a database of another program")
    return known(
        [version for (version,) in connection.execute("SELECT version_num FROM alembic_version")], path
    )


def known(versions: Sequence[object], place: Path | str) -> str:
    """Return the version of the database at `place`; `versions` are the rows of its table of versions.

    Raises `StoreError` if there is not exactly one row, or if the version is newer than this program's.
    """
    version = str(versions[0]) if len(versions) == 1 else ""
    if not version.isdecimal():
        raise newer(place, " ".join(map(str, versions)) or "unknown", HEAD)
    if int(version) > int(HEAD):
        raise newer(place, version, HEAD)
    return version


def create(connection: Connection, begin: str, mark: str) -> None:
    """Create the tables of the current version in an empty database, completely or not at all.

    `begin` is the engine's statement that begins a change, and `mark` the one that marks the database as
    rum500's.
    """
    with _all_or_nothing(connection, begin, mark):
        metadata.create_all(connection)
        connection.exec_driver_sql(
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL,"
            " CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
        )
        connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{HEAD}')")  # noqa: S608 - our own


def migrate(connection: Connection, begin: str, mark: str) -> None:
    """Migrate the database to the current version, completely or not at all. Arguments are as in `create`."""
    # Import Alembic here: importing it takes longer than opening a database that needs no migration.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with _all_or_nothing(connection, begin, mark):
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)


@contextmanager
def _all_or_nothing(connection: Connection, begin: str, mark: str) -> Iterator[None]:
    """Run the body in a transaction that ends with the statement `mark`."""
    connection.exec_driver_sql(begin)
    try:
        yield
        connection.exec_driver_sql(mark)
        connection.exec_driver_sql("COMMIT")
    except BaseException:
        connection.exec_driver_sql("ROLLBACK")
        raise
