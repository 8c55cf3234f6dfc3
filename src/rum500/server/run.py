"""Running the server: its socket, its process, its end."""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from types import FrameType
from typing import TextIO

import uvicorn

from rum500.server.app import Application
from rum500.server.config import Config, ConfigError
from rum500.server.gc_control import GcController
from rum500.server.logs import log, start_log
from rum500.server.ws.transport import DeadlineConfig, DeadlineHttpProtocol, DirectWebSocketProtocol

_LARGEST_MESSAGE = 8 * 1024
_BACKLOG = 2048
_KEEP_ALIVE_S = 15
_GRACE_S = 5
_SWITCH_S = 0.0002
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - told apart, not chosen


class Server(uvicorn.Server):
    """uvicorn's server, which says when it listens, and goodbye before it closes anything."""

    def __init__(self, config: uvicorn.Config, application: Application, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._application = application
        self._on_start = started
        self._collector = GcController(lambda: len(self.server_state.connections))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the application, listen, and say so."""
        await super().startup(sockets)
        if self.started:
            self._collector.begin()
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nobody in any more, tell those who are there, finish."""
        for server in self.servers:
            server.close()
        await self._application.leave()
        await super().shutdown(sockets)
        self._collector.end()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End in good order, and with the exit code of that; a second signal ends at once."""
        self.force_exit = self.should_exit
        self.should_exit = True


def bind(host: str, port: int) -> socket.socket:
    """A socket at the address, not yet listening; `ConfigError` that says why there is none."""
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
        # A port that another program listens on shows only now on some systems.
        bound.listen(_BACKLOG)
    except OSError as error:
        bound.close()
        raise ConfigError(_why_not(error, host, port)) from None
    bound.setblocking(False)
    return bound


def _why_not(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port: {port} is taken on {host}; end what listens there, or take another (0: a free one)"
        case errno.EACCES:
            return f"port: {port} may not be used by this user; those below 1024 are the system's"
        case errno.EADDRNOTAVAIL:
            return f'host: "{host}" is no address of this machine'
    return f"host: {host}: {error.strerror or error}"


def serve(config: Config, out: TextIO) -> None:
    """Serve until told to end by SIGINT or SIGTERM; `ConfigError` or `StoreError` where it cannot begin."""
    bound = bind(config.host, config.port)
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
    # What keeps the application from beginning is told once, below.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    try:
        server.run(sockets=[bound])
    except SystemExit:
        if application.failure is None:
            raise
    finally:
        bound.close()
    if application.failure is not None:
        raise application.failure
    log().info("server.stopped")


def uvicorn_config(config: Config, application: Application) -> DeadlineConfig:
    """The settings for uvicorn that follow from ours."""
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
    made.most_connections = config.max_connections
    return made


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses at which a server that listens on this host can be opened, one of this machine first."""
    if host not in _EVERYWHERE:
        return [f"http://{f'[{host}]' if ':' in host else host}:{port}/"]
    found = [f"http://127.0.0.1:{port}/"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: it only asks which of this machine's addresses would be used.
            probe.connect(("192.0.2.1", 9))
            found.append(f"http://{probe.getsockname()[0]}:{port}/")
        except OSError:
            pass
    return found


def _has_screen() -> bool:
    """Whether somebody sits there who would see a browser open."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _raise_limits() -> None:
    """As many open files as the system allows, and a prompt change of threads."""
    # The writer gets through the interpreter several times a commit, and each time waits so long where the
    # event loop is busy; a bot that thinks in a thread keeps the event loop waiting likewise.
    sys.setswitchinterval(_SWITCH_S)
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
