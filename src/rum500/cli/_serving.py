"""The configuration's keys as options of a command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, field, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from rum500.cli._errors import UserError
from rum500.server._kinds import Switch
from rum500.server.config import ConfigError, Key, Settled, keys, settle

ConfigFile = Annotated[
    Path | None, Parameter(name="--config", help="A TOML file with any of these keys (RUM500_CONFIG).")
]


def _option(key: Key) -> tuple[str, object, Any]:
    told = f"{key.meaning} Default: {key.default_told}. ({key.variable})"
    if isinstance(key.kind, Switch):
        on = key.flag.replace("--no-", "--", 1)
        kind: object = Annotated[bool | None, Parameter(name=on, negative=f"--no-{on[2:]}", help=told)]
    else:
        kind = Annotated[str | None, Parameter(help=told)]
    return key.name, kind, field(default=None)


if TYPE_CHECKING:
    Flags = Any
else:
    # cyclopts takes a class of the standard library's, which this would seem to be, for a plain value.
    _NAMESPACE = {"__module__": __name__, "__doc__": "One optional text, or switch, for each key."}
    _OPTIONS = [_option(key) for key in keys()]
    Flags = Parameter(name="*")(
        make_dataclass("Flags", _OPTIONS, namespace=_NAMESPACE, frozen=True, kw_only=True)
    )


def settled(flags: Flags | None, file: Path | None) -> Settled:
    """The configuration from flags, environment and file; `UserError`."""
    given: Mapping[str, object] = {} if flags is None else asdict(flags)
    try:
        return settle(given, os.environ, file)
    except ConfigError as error:
        raise UserError(str(error)) from None
