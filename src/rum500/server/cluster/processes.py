"""Several processes behind one port: each is a server that owns some tables of a shared database."""

from __future__ import annotations

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
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

from rum500.server.config import Config, ConfigError
from rum500.server.logs import log, start_log
from rum500.store import StoreError, database_of

_AGAIN_S = 1.0
"""The seconds between two starts of a process that dies."""
_BAD_INPUT = 2
_LOOPBACK = "127.0.0.1"

Bind = Callable[[str, int], socket.socket]
Serve = Callable[[Config, TextIO, Sequence[socket.socket]], None]


def serve_together(config: Config, bind: Bind, serve: Serve) -> int:
    """Serve by `config.processes` processes until SIGINT or SIGTERM. Return the exit status.

    A process that dies is started again; the others take its tables meanwhile. `bind` opens a socket, `serve`
    serves in one process: functions of a module, so that other processes find them. Raises `ConfigError` or
    `StoreError` if the address or the folder cannot be used.
    """
    if database_of(config.database).file is not None:
        raise ConfigError("processes: several need a database that they can share: --db postgresql://…")
    start_log(config)
    with bind(config.host, config.port) as bound:
        return _Family(config, bound, bind, serve).run()


class _Family:
    """The processes, numbered from 1, which all accept connections at one socket."""

    def __init__(self, config: Config, bound: socket.socket, bind: Bind, serve: Serve) -> None:
        self._config = config
        self._bind, self._serve = bind, serve
        self._bound = bound
        self._started = dict.fromkeys(range(1, config.processes + 1), 0.0)
        self._running: dict[int, BaseProcess] = {}
        self._started_again: set[int] = set()
        self._ending = False

    def run(self) -> int:
        """Start all processes, and restart any that dies, until a signal ends them."""
        for sent in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sent, self._end)
        for number in self._started:
            self._start(number)
        while self._running:
            multiprocessing.connection.wait([child.sentinel for child in self._running.values()])
            for number, child in list(self._running.items()):
                if child.exitcode is not None and not self._restarts(number, child.exitcode):
                    return child.exitcode
        return 0

    def _start(self, number: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._started[number] = time.monotonic()
        first = number == 1 and number not in self._started_again
        child = self._running[number] = context.Process(
            target=_serve_one,
            args=(self._config, self._bound, self._bind, self._serve, number, first),
            name=f"rum500-{number}",
        )
        child.start()
        if self._ending:  # the signal came meanwhile
            child.terminate()

    def _restarts(self, number: int, status: int) -> bool:
        """Start a process again that has died. Return False if that is of no use."""
        del self._running[number]
        if self._ending:
            return True
        # A database that is down when a process is restarted may return; the other processes wait for it too.
        if status == _BAD_INPUT and number not in self._started_again:
            self._end()
            for child in self._running.values():
                child.join()
            return False
        self._started_again.add(number)
        log().error("process.restarted", process=number, status=status)
        time.sleep(max(0.0, self._started[number] + _AGAIN_S - time.monotonic()))
        if not self._ending:
            self._start(number)
        return True

    def _end(self, *_: object) -> None:
        self._ending = True
        for child in self._running.values():
            if child.pid is not None:
                child.terminate()


def _serve_one(
    config: Config, bound: socket.socket, bind: Bind, serve: Serve, number: int, prints: bool
) -> None:
    """Serve as one of several processes, which the others reach at another port.

    One of them prints, once, where they can be reached.
    """
    if sys.platform != "win32":
        os.setpgrp()  # Ctrl-C is for the family, which passes it on
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
            serve(mine, sys.stdout if prints else nowhere, (bound, own))
    except (ConfigError, StoreError) as error:
        sys.stderr.write(f"rum500 serve: {error}\n")
        sys.exit(_BAD_INPUT)
    except Exception as error:  # noqa: BLE001 - multiprocessing would print it as plain text into the log
        log().error("process.failed", process=number, error=error)
        sys.exit(1)


def _end_with_family() -> None:
    """End this process in order when the one that started it has died."""
    family = multiprocessing.parent_process()
    if family is not None:
        multiprocessing.connection.wait([family.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
