"""The servers of a load test: ours in its several forms, and boardgame.io's."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from load_boardgame import Boardgame
from load_rum500 import Rum500, Rum500Unadvised

from rum500.store import SECRET
from tests.support.live_server import LiveServer
from tests.support.ports import free_port
from tests.support.postgres import postgres
from tools import npm_tools

BOARDGAME = Path(__file__).resolve().parent / "boardgame_server.cjs"


@dataclass(frozen=True)
class Running:
    """Servers that run: the ports that players use, and process ids."""

    ports: list[int]
    servers: list[int]
    database: int | None = None
    """The process of PostgreSQL, if there is one."""


Start = Callable[..., AbstractContextManager[Running]]
"""Runs servers in a folder; this project's servers with these flags."""


@contextlib.contextmanager
def on_sqlite(data: Path, *flags: str) -> Iterator[Running]:
    """Run this project's server with its default options."""
    with rum500(data, *flags) as server:
        yield Running([server.port], [server.pid])


@contextlib.contextmanager
def on_postgresql(data: Path, *flags: str, servers: int = 1, processes: int = 1) -> Iterator[Running]:
    """Run this many servers that share a database of this machine, each with this many processes."""
    with ExitStack() as stack:
        database = stack.enter_context(postgres(safe=True))
        url, started = database.new_database(), []
        for number in range(servers):
            folder, port = data / str(number), free_port()
            folder.mkdir()
            if number:
                shutil.copy(data / "0" / SECRET, folder / SECRET)
            own = ("--db", url, "--node-url", f"http://127.0.0.1:{port}", "--processes", str(processes))
            started.append(stack.enter_context(rum500(folder, *own, *flags, port=port)))
        yield Running([one.port for one in started], [one.pid for one in started], database.pid)


def rum500(data: Path, *flags: str, port: int = 0) -> LiveServer:
    """Return a server with these flags, and without limits by address; it runs as a context manager."""
    return LiveServer(data, "--no-limits", "--log-level", "warning", *flags, port=port)


@contextlib.contextmanager
def boardgame(_: Path) -> Iterator[Running]:
    """Run boardgame.io's server in production mode."""
    port = free_port()
    modules = str(npm_tools.installed(npm_tools.BOARDGAME))
    variables = {**os.environ, "PORT": str(port), "NODE_ENV": "production", "NODE_PATH": modules}
    command = [npm_tools.node(), str(BOARDGAME)]
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            if "ready" not in process.stdout.readline():
                raise SystemExit("boardgame.io's server did not start")
            yield Running([port], [process.pid])
        finally:
            process.kill()


OURS, UNADVISED, THEIRS = "rum500", "rum500, no advice", "boardgame.io"
ONE, TWO, TOGETHER = "rum500 on PostgreSQL", "two of them", "two processes behind one port"
SERVERS: dict[str, tuple[type[Rum500 | Boardgame], Start]] = {
    OURS: (Rum500, on_sqlite),
    UNADVISED: (Rum500Unadvised, on_sqlite),
    THEIRS: (Boardgame, boardgame),
    ONE: (Rum500, on_postgresql),
    TWO: (Rum500, partial(on_postgresql, servers=2)),
    TOGETHER: (Rum500, partial(on_postgresql, processes=2)),
}
