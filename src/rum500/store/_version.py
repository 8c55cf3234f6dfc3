"""The version of a database, its creation, and its migration to the current version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from rum500.store._connect import writing_engine
from rum500.store._errors import foreign, newer
from rum500.store.schema import APPLICATION, HEAD, metadata

_MIGRATIONS = Path(__file__).parent / "migrations"


def read_version(connection: sqlite3.Connection, path: Path) -> str | None:
    """Return the database's version, None if it is empty.

    Raises `StoreError` if the version is newer than this program's, or the database is another program's.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    named = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    names = {name for (name,) in connection.execute(named)}
    if not names and application == 0:
        return None
    if application != APPLICATION or "alembic_version" not in names:
        raise foreign(path, "is a database of another program")
    versions = [version for (version,) in connection.execute("SELECT version_num FROM alembic_version")]
    if len(versions) != 1 or not versions[0].isdigit():
        raise newer(path, " ".join(versions) or "unknown", HEAD)
    if int(versions[0]) > int(HEAD):
        raise newer(path, versions[0], HEAD)
    return str(versions[0])


def create(path: Path) -> None:
    """Give an empty database the tables of the current version, completely or not at all."""
    with _all_or_nothing(path) as connection:
        metadata.create_all(connection)
        connection.exec_driver_sql(
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL,"
            " CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
        )
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (HEAD,))


def migrate(path: Path) -> None:
    """Migrate the database to the current version, completely or not at all."""
    # Loading Alembic takes longer than opening a database that needs no migration.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with _all_or_nothing(path) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)


@contextmanager
def _all_or_nothing(path: Path) -> Iterator[Connection]:
    """Yield a connection in a transaction, after which the database is this program's."""
    engine = writing_engine(path)
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
    finally:
        engine.dispose()
