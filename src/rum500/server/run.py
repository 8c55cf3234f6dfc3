"""Runs the server: binds its socket, configures uvicorn and the process, and shuts down cleanly."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO, cast

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from rum500.server.app import Application
from rum500.server.config import Config, ConfigError
from rum500.server.logs import log, start_log, uncaught_logged
from rum500.server.transport.connections import Connections
from rum500.server.transport.handshake_queue import Admission
from rum500.server.transport.http_connection import HttpConnection, with_deadlines
from rum500.server.transport.websocket import WebSocketConnection

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_BACKLOG = 2048
_KEEP_ALIVE_S = 15
_GRACE_S = 5
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not listened on


class Server:
    """A uvicorn server with rum500's connection classes, which closes the tables before it stops."""

    def __init__(self, config: Config, application: Application, started: Callable[[], None]) -> None:
        """Set the application to serve; `started` is called when connections are accepted."""
        self._application = application
        self._started = started
        self._request_s = config.handshake_s
        most = config.max_connections + config.max_connections // 4 + 100
        of_address = config.http_per_address if config.limits else most
        self.connections = Connections(most, of_address, config.trusted_proxies)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving: asyncio.Task[None] | None = None
        app = with_deadlines(self._serve)
        if config.trusted_proxies:
            app = cast("ASGIApp", ProxyHeadersMiddleware(cast("Any", app), list(config.trusted_proxies)))
        http = partial(HttpConnection, self.connections, Admission(application.overloaded), self._request_s)
        self._uvicorn = uvicorn.Server(
            uvicorn.Config(
                cast("Any", app),
                http=cast("type[asyncio.Protocol]", http),
                ws=cast(
                    "type[asyncio.Protocol]",
                    partial(WebSocketConnection, self.connections, app, config.ping_s),
                ),
                loop="auto" if sys.platform == "win32" else "uvloop",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=_KEEP_ALIVE_S,
                timeout_graceful_shutdown=_GRACE_S,
                backlog=_BACKLOG,
            )
        )

    def run(self, sockets: Sequence[socket.socket]) -> None:
        """Serve at these sockets until `stop`. Raises `SystemExit` if the application cannot start."""
        self._handle_signals()  # uvicorn passes signals that arrive while it starts to these handlers
        self._uvicorn.run(sockets=list(sockets))

    def stop(self, *_: object) -> None:
        """Shut down cleanly; a second call stops at once. Any thread or signal handler may call this."""
        self._uvicorn.force_exit = self._uvicorn.should_exit
        self._uvicorn.should_exit = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._leave)

    def _handle_signals(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for signal_ in (signal.SIGINT, signal.SIGTERM):
                signal.signal(signal_, self.stop)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request from uvicorn, or the lifespan. Handle signals once the application has started."""
        if scope["type"] != "lifespan":
            await self._application(scope, receive, send)
            return
        watch: asyncio.Task[None] | None = None

        async def receive_shutdown() -> Message:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self._leave()
            return message

        async def send_startup(message: Message) -> None:
            nonlocal watch
            await send(message)
            if message["type"] == "lifespan.startup.complete":
                self._loop = asyncio.get_running_loop()
                watch = asyncio.create_task(self.connections.watch(self._request_s))
                self._handle_signals()
                self._started()

        await self._application(scope, receive_shutdown, send_startup)
        if watch is not None:
            watch.cancel()

    def _leave(self) -> asyncio.Task[None]:
        """Start the task that closes the tables and their WebSockets, unless it is started, and return it."""
        if self._leaving is None:
            self._leaving = asyncio.get_running_loop().create_task(self._close_tables())
        return self._leaving

    async def _close_tables(self) -> None:
        await self._application.leave()
        await self.connections.close_websockets(_GRACE_S)


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


def serve(
    config: Config,
    out: TextIO,
    sockets: Sequence[socket.socket] = (),
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGINT or SIGTERM, at the configured address or at given sockets.

    `ready` is called when the server is up. Raises `ConfigError` or `StoreError` if it cannot start.
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
        ready()
        log().info("server.started", address=addresses[0], data=str(config.data))
        if config.open and _has_screen():
            threading.Thread(target=webbrowser.open, args=(addresses[0],), daemon=True).start()

    server = Server(config, application, started)
    # The exception below reports an error of the application's start, so uvicorn must not.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    try:
        with uncaught_logged():
            server.run(sockets)
    except SystemExit:
        if application.failure is None:
            raise
    finally:
        for one in sockets:
            one.close()
    if application.failure is not None:
        raise application.failure
    log().info("server.stopped")


def addresses_of(host: str, port: int) -> list[str]:
    """Return the URLs of a server that listens on this host, beginning with the one for this machine."""
    if host not in _EVERYWHERE:
        return [f"http://{f'[{host}]' if ':' in host else host}:{port}/"]
    found = [f"http://127.0.0.1:{port}/"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: `connect` only determines which local address would be used.
            probe.connect(("192.0.2.1", 9))
            found.append(f"http://{probe.getsockname()[0]}:{port}/")
        except OSError:
            pass
    return found


def _has_screen() -> bool:
    """Return whether a user of this machine would see a browser open."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _raise_limits() -> None:
    """Allow as many open files as the system permits."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
