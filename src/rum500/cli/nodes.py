"""`rum500 nodes`: the servers that share a database."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console

from rum500.cli._console import plain_table
from rum500.cli._server_options import ConfigFile, DatabaseUrl, DataFolder, configured
from rum500.cli.user_error import UserError
from rum500.store import NodeRow

_LOOK_S = 0.5
"""How many seconds pass between two checks of a draining server's tables."""

command = App(name="nodes", help="List the servers that share a database.", help_format="plaintext")


@command.default
def listed(*, data: DataFolder = None, db: DatabaseUrl = None, config: ConfigFile = None) -> None:
    """List the servers that share a database of PostgreSQL, and those of the last day that are gone."""
    url = _shared(data, db, config)
    from rum500.store.postgres_leases import all_nodes  # noqa: PLC0415 - an extra brings its driver

    found = all_nodes(url)
    if not found:
        print("No server shares this database; start one with rum500 serve --db … --node-url http://ADDRESS")
        return
    table = plain_table("name", "address", "version", ">tables", "state", gap=1)
    for node in found:
        table.add_row(node.name, node.url, node.version, str(node.tables), _state(node))
    Console().print(table)


@command.command
def drain(
    name: Annotated[str, Parameter(help="The server's name, as `rum500 nodes` lists it.")],
    /,
    *,
    wait: Annotated[
        bool, Parameter(help="Return when it has no table left.", negative=(), show_default=False)
    ] = False,
    data: DataFolder = None,
    db: DatabaseUrl = None,
    config: ConfigFile = None,
) -> None:
    """Let a server give its tables to the other servers, one after the other, and take no more.

    Players are at the same tables again within a second. The server runs on, and its /healthz says that it is
    draining; stop it when `rum500 nodes` shows that it has no table. It takes tables again after a new start.
    """
    url = _shared(data, db, config)
    from rum500.store.postgres_leases import all_nodes, drain_node  # noqa: PLC0415 - an extra brings its driver

    count = drain_node(url, name)
    begun = {node.id: node.until for node in all_nodes(url)}
    # Ignore reports from before the request.
    while wait and any(
        node.tables or node.until == begun.get(node.id) for node in all_nodes(url) if _drains(node, name)
    ):
        time.sleep(_LOOK_S)
    if not count:
        raise UserError(f"{name!r}: no server of this name runs; rum500 nodes lists them")
    print(
        f"{name} gives up its tables" if count == 1 else f"{count} servers named {name} give up their tables"
    )


def _shared(data: str | None, db: str | None, config: Path | None) -> str:
    """Return the URL of the shared PostgreSQL database. Raises `UserError` for another database."""
    place = configured(data, db, config)
    if place.database.file is not None:
        raise UserError(f"{place.database.name}: one server alone uses it; name a --db postgresql://…")
    return place.url


def _drains(node: NodeRow, name: str) -> bool:
    return node.live and node.draining and name in {node.name, node.id}


def _state(node: NodeRow) -> str:
    if not node.live:
        return "gone"
    return "draining" if node.draining else "runs"
