"""The ASGI application: it connects the store and the live tables with HTTP and WebSockets."""

from __future__ import annotations

import asyncio
import importlib
import ipaddress
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rum500.external_bots import allow_local_imports
from rum500.server.config import Config, ConfigError
from rum500.server.guests import Cookies, Names, secret_key
from rum500.server.http.dispatch import JSON, Dispatcher, Endpoint, endpoints, on_failure, on_http_exception
from rum500.server.http.lobby import Lobby
from rum500.server.http.openapi import document
from rum500.server.http.replays import Replays
from rum500.server.http.static_page import FOLDER, StaticPage
from rum500.server.limits import Limits
from rum500.server.live import ProcessExecutor, TableRegistry, ThreadExecutor
from rum500.server.logs import log, on_loop_error
from rum500.server.messages.http import Health
from rum500.server.metrics import CONTENT_TYPE, Metrics
from rum500.server.security import SecurityHeaders
from rum500.server.stall_monitor import StallMonitor
from rum500.server.ws.table_socket import WebSocketApp
from rum500.store import Store, StoreError, make_data_dir

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

HEALTH = "/healthz"
_LEAVE_S = 5.0
_encode = msgspec.json.Encoder().encode


class Application:
    """The server as an ASGI application; its lifespan opens the store and closes it at the end.

    If the lifespan cannot start, `failure` contains the error.
    """

    def __init__(self, config: Config, *, page: Path = FOLDER) -> None:
        self.config = config
        self.metrics = Metrics()
        self.page = StaticPage(page)
        self.failure: StoreError | ConfigError | None = None
        self._store: Store | None = None
        self._tables: TableRegistry | None = None
        self._http: ASGIApp | None = None
        self._sockets: WebSocketApp | None = None
        self._watches: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Import the bots, open the store and start the background tasks.

        Raises `StoreError` or `ConfigError`.
        """
        config, metrics = self.config, self.metrics
        _bring_bots(config.bot_modules)
        make_data_dir(config.data)
        self._store = store = await Store.open(config.database, observe=metrics.commit)
        try:
            cookies = Cookies(secret_key(config.secret_file))
        except ConfigError:
            await store.close()
            raise
        names, limits = Names(store), Limits(config)
        count, modules = config.bot_workers, config.bot_modules
        executor = ProcessExecutor(count, modules) if count else ThreadExecutor()
        self._tables = tables = TableRegistry(store, metrics=metrics, executor=executor)
        self._sockets = WebSocketApp(config, tables, cookies, names, limits, metrics)
        lobby = Lobby(config, store, tables, cookies, names, limits)
        api = [*endpoints(lobby), *endpoints(Replays(store, tables, limits))]
        self._http = self._routed(Dispatcher(config, cookies, limits, metrics), api)
        asyncio.get_running_loop().set_exception_handler(on_loop_error)
        watches = (metrics.watch_loop(), StallMonitor(tables, metrics).run())
        self._watches = [asyncio.create_task(watch) for watch in watches]

    def _routed(self, desk: Dispatcher, api: list[Endpoint]) -> SecurityHeaders:
        described = _encode(document(api, version()))

        async def openapi(_request: Request) -> Response:
            return Response(described, media_type=JSON)

        async def page(request: Request) -> Response:
            return await self.page.answer(request, desk.greeting)

        routed = Starlette(
            routes=[
                *desk.routes(api),
                Route("/api/openapi.json", openapi),
                Route(HEALTH, self._healthz),
                Route("/metrics", self._metrics),
                Route("/{path:path}", page),
            ],
            exception_handlers={HTTPException: on_http_exception, Exception: on_failure},
        )
        return SecurityHeaders(routed)

    async def leave(self) -> None:
        """Close every table: its viewers are sent `bye`, and everything is written to the disk."""
        tables, self._tables = self._tables, None
        if tables is not None:
            try:
                await asyncio.wait_for(tables.close(), _LEAVE_S)
            except TimeoutError:
                log().error("tables.not_closed", after_s=_LEAVE_S)

    async def close(self) -> None:
        """Close the tables, then the store."""
        await self.leave()
        for watch in self._watches:
            watch.cancel()
        if self._store is not None:
            await self._store.close()

    # --- ASGI -----------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, a WebSocket, or the lifespan."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        assert self._http is not None, "the lifespan has not begun"
        assert self._sockets is not None, "the lifespan has not begun"
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["path"] == HEALTH:
            await self._healthz_socket(scope, receive, send)
        else:
            await self._sockets(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self.open()
        except (StoreError, ConfigError) as error:
            self.failure = error
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.close()
        await send({"type": "lifespan.shutdown.complete"})

    # --- health and metrics ---------------------------------------------------------------------------

    async def _health(self, scope: Scope) -> Health:
        assert self._store is not None
        trouble = await self._store.ready()
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        client = scope["client"]
        return Health(
            status="ok" if trouble is None else "failing",
            store="ok" if trouble is None else trouble.code,
            version=version(),
            scheme=scope["scheme"],
            host=headers.get(b"host", ""),
            client=client[0] if client else None,
            forwarded_proto=headers.get(b"x-forwarded-proto"),
            forwarded_host=headers.get(b"x-forwarded-host"),
            forwarded_for=headers.get(b"x-forwarded-for"),
        )

    async def _healthz(self, request: Request) -> Response:
        health = await self._health(request.scope)
        status = 200 if health.status == "ok" else 503
        return Response(_encode(health), status, {"cache-control": "no-store"}, JSON)

    async def _healthz_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the health over a WebSocket, so that a client can test whether a proxy passes WebSockets."""
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": _encode(await self._health(scope)).decode()})
        await send({"type": "websocket.close", "code": 1000})

    async def _metrics(self, request: Request) -> Response:
        allowed = self.config.metrics == "all" or (
            self.config.metrics == "local" and _is_local(request.scope)
        )
        if not allowed:
            raise HTTPException(404)
        self.metrics.tables(0 if self._tables is None else len(self._tables))
        return Response(
            self.metrics.text(), headers={"cache-control": "no-store", "content-type": CONTENT_TYPE}
        )


def create_app(config: Config) -> Application:
    """Return the application for a configuration."""
    return Application(config)


def _bring_bots(modules: Iterable[str]) -> None:
    """Import the modules that register bots, installed or in the current folder.

    Raises `ConfigError` for a module that cannot be imported.
    """
    for module in modules:
        allow_local_imports()
        try:
            importlib.import_module(module)
        except Exception as error:  # noqa: BLE001 - a module may raise anything
            why = f"{type(error).__name__}: {error}"
            raise ConfigError(f"bot_modules: {module} cannot be imported ({why})") from None


def version() -> str:
    """Return the installed version of rum500."""
    return metadata.version("rum500")


def _is_local(scope: Scope) -> bool:
    """Return whether the request comes from a program on this machine, not from a proxy."""
    client = scope["client"]
    if client is None or any(name.startswith((b"x-forwarded", b"forwarded")) for name, _ in scope["headers"]):
        return False
    try:
        return ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False
