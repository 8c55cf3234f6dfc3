"""Which data a command works on, by its flags, the environment and the file, as `rum500 serve` does."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from rum500.cli._errors import UserError
from rum500.server.config import ConfigError, load
from rum500.store import StoreError, database_path

DataFolder = Annotated[
    str | None,
    Parameter(name="--data", help="The folder of the tables and the secret key (RUM500_DATA)."),
]
DatabaseUrl = Annotated[
    str | None, Parameter(name="--db", help="The database, where it lies elsewhere (RUM500_DB).")
]
ConfigFile = Annotated[
    Path | None, Parameter(name="--config", help="The server's TOML file (RUM500_CONFIG).")
]


@dataclass(frozen=True, slots=True)
class Data:
    """Where the data lies."""

    folder: Path
    database: Path
    secret: Path
    connections: int
    """The most connections that the server is configured to take."""


def configured(folder: str | None, url: str | None, config: Path | None) -> Data:
    """The places that the server would use; `UserError`."""
    try:
        found = load({"data": folder, "db": url}, os.environ, config)
        return Data(found.data, database_path(found.database), found.secret_file, found.max_connections)
    except (ConfigError, StoreError) as error:
        raise UserError(str(error)) from None
