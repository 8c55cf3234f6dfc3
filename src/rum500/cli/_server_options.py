"""The keys of the server's configuration as command-line options."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from rum500.server.config import Key, LoadedConfig, keys, load, settle
from rum500.store import Database, database_of


def _option(key: Key) -> tuple[str, object, Any]:
    text = f"{key.meaning} Default: {key.default_shown}. ({key.variable})"
    if isinstance(key.default, bool):
        on = key.flag.replace("--no-", "--", 1)
        kind: object = Annotated[bool | None, Parameter(name=on, negative=f"--no-{on[2:]}", help=text)]
    else:
        kind = Annotated[str | None, Parameter(help=text)]
    return key.name, kind, field(default=None)


if TYPE_CHECKING:
    Flags = Any
else:
    # Without `__module__`, cyclopts would take this class for a type of the standard library, and its fields
    # for no options.
    _NAMESPACE = {"__module__": __name__, "__doc__": "One optional text, or switch, for each key."}
    _OPTIONS = [_option(key) for key in keys()]
    Flags = Parameter(name="*")(
        make_dataclass("Flags", _OPTIONS, namespace=_NAMESPACE, frozen=True, kw_only=True)
    )


def settled(flags: Flags | None, file: Path | None) -> LoadedConfig:
    """Return the configuration from flags, environment and file. Raises `ConfigError` if it is invalid."""
    return settle({} if flags is None else asdict(flags), os.environ, file)


DataFolder = Annotated[
    str | None,
    Parameter(name="--data", help="The folder of the tables and the secret key (RUM500_DATA)."),
]
DatabaseUrl = Annotated[
    str | None,
    Parameter(name="--db", help="The database, where it is elsewhere: a file, or a URL (RUM500_DB)."),
]
ConfigFile = Annotated[
    Path | None, Parameter(name="--config", help="The server's TOML file (RUM500_CONFIG).")
]


@dataclass(frozen=True, slots=True)
class Data:
    """Where the server keeps its data."""

    folder: Path
    url: str
    """The URL of the database. It may contain a password."""
    database: Database
    secret: Path
    vapid: Path
    connections: int
    """The largest number of connections in the configuration."""

    @property
    def disk(self) -> Path:
        """The folder on whose disk the local data is."""
        return self.folder if self.database.file is None else self.database.file.parent


def configured(folder: str | None, url: str | None, config: Path | None) -> Data:
    """Return where the server would keep its data. Raises `ConfigError` or `StoreError`."""
    found = load({"data": folder, "db": url}, os.environ, config)
    database = database_of(found.database)
    return Data(
        found.data, found.database, database, found.secret_file, found.vapid_file, found.max_connections
    )
