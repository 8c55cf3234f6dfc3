"""Several processes behind one port, each a server that owns some tables of a shared database."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

from rum500.server.config import Config, ConfigError
from rum500.server.logs import log, start_log
from rum500.store import StoreError, database_of

_AGAIN_S = 1.0
"""The seconds between two starts of a process that keeps dying."""
_END_S = 30.0
"""If one process cannot start, the others are killed unless they end within this many seconds."""
_STARTED = ""
"""The report of a process once it serves. A process that cannot serve reports the reason."""
_LOOPBACK = "127.0.0.1"
_LOOK_S = 1.0
"""The seconds between two looks at whether the first process still runs."""

Bind = Callable[[str, int], socket.socket]
Serve = Callable[[Config, TextIO, Sequence[socket.socket], Callable[[], None]], None]


def serve_together(config: Config, bind: Bind, serve: Serve) -> None:
    """Serve with `config.processes` processes until SIGINT or SIGTERM.

    A process that dies is started again; meanwhile the other processes take its tables. `bind` opens a
    socket, and `serve` serves in one process; these two must be functions of a module, so that processes can
    import them. Raises `ConfigError` if the address cannot be used, or if a process cannot start; then all
    processes have ended.
    """
    if database_of(config.database).file is not None:
        raise ConfigError("processes: several need a database that they can share: --db postgresql://…")
    start_log(config)
    with bind(config.host, config.port) as bound:
        _ProcessGroup(config, bound, bind, serve).run()


class _ProcessGroup:
    """The processes, numbered from 1, which all accept connections at the same socket."""

    def __init__(self, config: Config, bound: socket.socket, bind: Bind, serve: Serve) -> None:
        self._config = config
        self._bind, self._serve = bind, serve
        self._bound = bound
        self._started = dict.fromkeys(range(1, config.processes + 1), 0.0)
        self._running: dict[int, BaseProcess] = {}
        self._reports: dict[int, Connection] = {}
        self._served: set[int] = set()
        """The numbers of processes that have served at least once."""
        self._ending = False

    def run(self) -> None:
        """Start all processes, and restart any that dies, until a signal ends them.

        Raises `ConfigError` if one cannot start.
        """
        for sent in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sent, self._end)
        for number in self._started:
            self._start(number)
        while self._running:
            multiprocessing.connection.wait([child.sentinel for child in self._running.values()])
            for number, child in list(self._running.items()):
                if child.exitcode is not None:
                    self._ended(number, child.exitcode)

    def _start(self, number: int) -> None:
        # Forks share the memory of the modules, which this process has loaded.
        linux = sys.platform == "linux"
        context = multiprocessing.get_context("fork") if linux else multiprocessing.get_context("spawn")
        self._started[number] = time.monotonic()
        first = number == 1 and number not in self._served
        self._reports[number], reports = context.Pipe(duplex=False)
        child = self._running[number] = context.Process(
            target=_serve_one,
            args=(self._config, self._bound, self._bind, self._serve, number, first, reports),
            name=f"rum500-{number}",
        )
        child.start()
        reports.close()
        if self._ending:  # a signal came in the meantime
            child.terminate()

    def _ended(self, number: int, status: int) -> None:
        """Restart a process that has died. Raises `ConfigError` if it had never served."""
        del self._running[number]
        reports, why = _received(self._reports.pop(number)), f"process {number} ended with status {status}"
        if self._ending:
            return
        self._served |= {number} if _STARTED in reports else set()
        why = next(filter(None, reports), why)
        # A database that was down when a process died may come back; the other processes wait for it too.
        if number not in self._served:
            self._end()
            for child in self._running.values():
                child.join(_END_S)
                child.kill()
                child.join()
            raise ConfigError(why)
        log().error("process.restarted", process=number, status=status, text=why)
        time.sleep(max(0.0, self._started[number] + _AGAIN_S - time.monotonic()))
        if not self._ending:
            self._start(number)

    def _end(self, *_: object) -> None:
        self._ending = True
        for child in self._running.values():
            if child.pid is not None:
                child.terminate()


def _received(reports: Connection) -> list[str]:
    """Return the messages that an ended process had sent."""
    found = []
    with reports, contextlib.suppress(EOFError, OSError):
        while True:
            found.append(reports.recv())
    return found


def _serve_one(
    config: Config,
    bound: socket.socket,
    bind: Bind,
    serve: Serve,
    number: int,
    prints: bool,
    reports: Connection,
) -> None:
    """Serve as process `number` of several. The other processes reach this one at a separate port.

    If `prints` is true, the process prints the addresses at which clients reach the server.
    """
    for sent in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sent, signal.SIG_DFL)  # a fork has the parent's handlers
    if sys.platform != "win32":
        os.setpgrp()  # the parent gets Ctrl-C and passes it on
    threading.Thread(target=_end_with_family, daemon=True).start()
    given = urlsplit(config.node_url[0]) if config.node_url else None
    host = (given.hostname if given else None) or _LOOPBACK
    try:
        own = bind(host, 0)
        name = config.node_name or (given.netloc if given else socket.gethostname())
        shown = f"[{host}]" if ":" in host else host
        mine = replace(
            config,
            node_url=(f"http://{shown}:{own.getsockname()[1]}",),
            node_name=f"{name}-{number}",
            open=config.open and prints,
        )
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            serve(mine, sys.stdout if prints else nowhere, (bound, own), lambda: reports.send(_STARTED))
    except (ConfigError, StoreError) as error:
        reports.send(str(error))
        sys.exit(2)
    except Exception as error:  # noqa: BLE001 - multiprocessing would print it as plain text into the log
        log().error("process.failed", process=number, error=error)
        reports.send(f"process {number} failed: {type(error).__name__}: {error}")
        sys.exit(1)


def _end_with_family() -> None:
    """Wait until the parent process has died; then shut this process down cleanly."""
    family = multiprocessing.parent_process()
    if family is None:
        return
    # Forks that started later hold the other end of the sentinel too: also look for another parent.
    while not multiprocessing.connection.wait([family.sentinel], _LOOK_S) and os.getppid() == family.pid:
        pass
    os.kill(os.getpid(), signal.SIGTERM)
