"""Run the server: bind its socket, configure uvicorn and the process, and shut down in order."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TextIO

import uvicorn

from rum500.server.app import Application
from rum500.server.config import Config, ConfigError
from rum500.server.gc_control import GcController
from rum500.server.http.door import Door
from rum500.server.http.transport import DeadlineConfig, DeadlineHttpProtocol, HttpPlaces
from rum500.server.logs import log, start_log
from rum500.server.write_deadline import WriteDeadline
from rum500.server.ws.transport import DirectWebSocketProtocol

_LARGEST_MESSAGE = 8 * 1024
_BACKLOG = 2048
_KEEP_ALIVE_S = 15
_GRACE_S = 5
_SWITCH_S = 0.0002
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not listened on


class Server(uvicorn.Server):
    """uvicorn's server, which reports when it listens, and closes the tables before the connections."""

    def __init__(self, config: uvicorn.Config, application: Application, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._application = application
        self._on_start = started
        self._collector = GcController(lambda: len(self.server_state.connections))
        self._deadline: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the application, listen, and call `started`."""
        await super().startup(sockets)
        if self.started:
            self._collector.begin()
            deadline = WriteDeadline(self.server_state.connections, self._application.config.handshake_s)  # type: ignore[arg-type]
            self._deadline = asyncio.create_task(deadline.watch())
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, close the tables, then the remaining connections."""
        for server in self.servers:
            server.close()
        await self._application.leave()
        await super().shutdown(sockets)
        if self._deadline is not None:
            self._deadline.cancel()
        self._collector.end()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down in order, with exit code 0; a second signal stops the server at once."""
        self.force_exit = self.should_exit
        self.should_exit = True


def bind(host: str, port: int) -> socket.socket:
    """Return a non-blocking socket bound to the address. Raises `ConfigError` if it cannot be bound."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError:
        raise ConfigError(f'host: "{host}"; expected a name or address of this machine') from None
    bound = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        # Some systems report only here that another program listens on the port.
        bound.listen(_BACKLOG)
    except OSError as error:
        bound.close()
        raise ConfigError(_why_not(error, host, port)) from None
    bound.setblocking(False)
    return bound


def _why_not(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return (
                f"port: {port} is in use on {host}; stop that program, or choose another port (0: a free one)"
            )
        case errno.EACCES:
            return f"port: {port} may not be used by this user; ports below 1024 belong to the system"
        case errno.EADDRNOTAVAIL:
            return f'host: "{host}" is not an address of this machine'
    return f"host: {host}: {error.strerror or error}"


def serve(config: Config, out: TextIO, sockets: Sequence[socket.socket] = ()) -> None:
    """Serve until SIGINT or SIGTERM, at the configured address or at given sockets.

    Raises `ConfigError` or `StoreError` if the server cannot start.
    """
    sockets = sockets or [bind(config.host, config.port)]
    bound = sockets[0]
    _raise_limits()
    start_log(config)
    application = Application(config)

    def started() -> None:
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        addresses = addresses_of(config.host, bound.getsockname()[1])
        out.write("".join(f"rum500 is at {address}\n" for address in addresses))
        if not application.page.there:
            out.write("The page has not been built: run `make page` in the source's folder.\n")
        out.flush()
        log().info("server.started", address=addresses[0], data=str(config.data))
        if config.open and _has_screen():
            threading.Thread(target=webbrowser.open, args=(addresses[0],), daemon=True).start()

    server = Server(uvicorn_config(config, application), application, started)
    # An error of the application's start is reported once, by the exception below.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    try:
        server.run(sockets=list(sockets))
    except SystemExit:
        if application.failure is None:
            raise
    finally:
        for one in sockets:
            one.close()
    if application.failure is not None:
        raise application.failure
    log().info("server.stopped")


def uvicorn_config(config: Config, application: Application) -> DeadlineConfig:
    """Return uvicorn's settings for this configuration."""
    made = DeadlineConfig(
        application,
        http=DeadlineHttpProtocol,
        ws=DirectWebSocketProtocol,
        loop="auto" if sys.platform == "win32" else "uvloop",
        ws_max_size=_LARGEST_MESSAGE,
        ws_ping_interval=config.ping_s,
        ws_ping_timeout=config.ping_s,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(config.trusted_proxies),
        forwarded_allow_ips=list(config.trusted_proxies),
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_GRACE_S,
        backlog=_BACKLOG,
    )
    made.deadline_s = config.handshake_s
    most = config.max_connections + config.max_connections // 4 + 100
    made.places = HttpPlaces(most, config.http_per_address if config.limits else most, config.trusted_proxies)
    made.door = Door(lambda: application.crowded)
    return made


def addresses_of(host: str, port: int) -> list[str]:
    """Return the URLs of a server that listens on this host, the one for this machine first."""
    if host not in _EVERYWHERE:
        return [f"http://{f'[{host}]' if ':' in host else host}:{port}/"]
    found = [f"http://127.0.0.1:{port}/"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: `connect` only determines the local address that would be used.
            probe.connect(("192.0.2.1", 9))
            found.append(f"http://{probe.getsockname()[0]}:{port}/")
        except OSError:
            pass
    return found


def _has_screen() -> bool:
    """Return whether a user at this machine would see a browser open."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _raise_limits() -> None:
    """Allow as many open files as the system permits, and shorten the interpreter's switch interval."""
    # The store's writer thread needs the interpreter several times for each commit, and each time waits for
    # one switch interval while the event loop is busy. A bot in a thread delays the event loop likewise.
    sys.setswitchinterval(_SWITCH_S)
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
