"""The servers of a load test: ours in its several forms, and boardgame.io's."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from load_boardgame import Boardgame
from load_rum500 import Rum500, Rum500Unadvised

from rum500.store import SECRET
from tests.support.ports import free_port
from tests.support.postgres import postgres
from tools import npm_tools

ROOT = Path(__file__).resolve().parent.parent
BOARDGAME = ROOT / "build" / "boardgame"


@dataclass(frozen=True)
class Running:
    """Servers that run: the ports that players use, and process ids."""

    ports: list[int]
    servers: list[int]
    database: int | None = None
    """The process of PostgreSQL, if there is one."""


Start = Callable[[Path, Mapping[str, str]], AbstractContextManager[Running]]


@contextlib.contextmanager
def on_sqlite(data: Path, settings: Mapping[str, str]) -> Iterator[Running]:
    """Run our server as it is by default."""
    with rum500(data, settings) as (port, process):
        yield Running([port], [process])


@contextlib.contextmanager
def on_postgresql(
    data: Path, settings: Mapping[str, str], *, servers: int = 1, processes: int = 1
) -> Iterator[Running]:
    """Run so many servers that share a database of this machine, each with so many processes."""
    with ExitStack() as stack:
        database = stack.enter_context(postgres(safe=True))
        url, started = database.new_database(), []
        for number in range(servers):
            folder, port = data / str(number), free_port()
            folder.mkdir()
            if number:
                shutil.copy(data / "0" / SECRET, folder / SECRET)
            flags = ("--db", url, "--node-url", f"http://127.0.0.1:{port}", "--processes", str(processes))
            started.append(stack.enter_context(rum500(folder, settings, *flags, port=port)))
        yield Running([port for port, _ in started], [process for _, process in started], database.pid)


@contextlib.contextmanager
def rum500(data: Path, settings: Mapping[str, str], *flags: str, port: int = 0) -> Iterator[tuple[int, int]]:
    """Run one server with these settings, and without limits by address; yield its port and process id."""
    command = [sys.executable, "-m", "rum500", "serve", "--port", str(port), "--no-open", "--no-limits"]
    words = [*command, "--data", str(data), *flags]
    with running(words, {"RUM500_LOG_LEVEL": "warning", **settings}, ROOT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                yield int(found[1]), process.pid
                return
        raise SystemExit("the server did not start")


@contextlib.contextmanager
def boardgame(_: Path, settings: Mapping[str, str]) -> Iterator[Running]:
    """Run their server in production mode."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    said = {"PORT": str(port), "NODE_ENV": "production", **settings}
    with running([npm_tools.node(), "server.cjs"], said, BOARDGAME) as process:
        assert process.stdout is not None
        if "ready" not in process.stdout.readline():
            raise SystemExit("boardgame.io's server did not start")
        yield Running([port], [process.pid])


@contextlib.contextmanager
def running(command: list[str], extra: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a process for as long as it is needed."""
    process = subprocess.Popen(
        command, env={**os.environ, **extra}, cwd=folder, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()


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
