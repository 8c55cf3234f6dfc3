"""`rum500 serve`: the table in the browser."""

from __future__ import annotations

import gc
import sys

from rum500.cli._server_options import ConfigFile, Flags, settled
from rum500.server.run import bind, serve
from rum500.store import database_of


def command(*, config: ConfigFile = None, flags: Flags | None = None) -> None:
    """Serve the table in the browser, for you and your friends; Ctrl-C ends it.

    Every option can also be set in the environment or in a file; see rum500 config.
    """
    found = settled(flags, config).config
    database_of(found.database)  # report a wrong URL or a missing driver now
    _collect_garbage()
    if found.processes > 1:
        from rum500.server.cluster.processes import serve_together  # noqa: PLC0415 - few need it

        serve_together(found, bind, serve)
    else:
        serve(found, sys.stdout)


def _collect_garbage() -> None:
    """Free what reading the command line left, and collect from now on only what is created from now on."""
    gc.collect()
    gc.freeze()  # later collections need not walk the modules, nor write to memory that processes share
    gc.enable()
