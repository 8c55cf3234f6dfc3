"""The ASGI application: connects the store and the live tables with HTTP and WebSockets."""

from __future__ import annotations

import asyncio
import hmac
import importlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rum500.external_bots import allow_local_imports
from rum500.puzzles.collection import retired, shipped
from rum500.puzzles.day_deal import COMPARED, QUICK
from rum500.server.config import Config, ConfigError
from rum500.server.cookies import Cookies, secret_key
from rum500.server.devices import Devices
from rum500.server.guests import Names, Sessions
from rum500.server.http import health
from rum500.server.http.day_deals import DayDealHandlers
from rum500.server.http.devices import DeviceHandlers
from rum500.server.http.dispatch import Dispatcher, failed, on_failure, on_http_exception
from rum500.server.http.drills import DrillHandlers
from rum500.server.http.endpoint import JSON, ApiError, Endpoint, endpoints
from rum500.server.http.games import GameHandlers
from rum500.server.http.guests import GuestHandlers
from rum500.server.http.history import HistoryHandlers
from rum500.server.http.leagues import LeagueHandlers
from rum500.server.http.lessons import LessonHandlers
from rum500.server.http.levels import LevelHandlers
from rum500.server.http.link_pictures import LinkPictures
from rum500.server.http.lobby import Lobby
from rum500.server.http.mistakes import MistakeHandlers
from rum500.server.http.notices import NoticeHandlers
from rum500.server.http.offline import OfflineHandlers
from rum500.server.http.openapi import document
from rum500.server.http.pads import PadHandlers
from rum500.server.http.people import PeopleHandlers
from rum500.server.http.progress import ProgressHandlers
from rum500.server.http.puzzles import PuzzleHandlers
from rum500.server.http.qr_code import QrCodes
from rum500.server.http.replays import Replays
from rum500.server.http.reviews import ReviewHandlers
from rum500.server.http.static_page import FOLDER, StaticPage
from rum500.server.late_tables import LateTableMonitor
from rum500.server.limits import Limits, TooMany, address_of
from rum500.server.live.log.time_source import LoopTime
from rum500.server.live.ownership import SoleOwner
from rum500.server.live.table_registry import TableRegistry
from rum500.server.logs import log, on_loop_error
from rum500.server.metrics import CONTENT_TYPE, Metrics
from rum500.server.people.acquaintances import Acquaintances
from rum500.server.people.invitations import Invitations
from rum500.server.people.leagues import Leagues
from rum500.server.people.presence import Presence
from rum500.server.practice.advisor import Advisor
from rum500.server.practice.day_book import DayBook
from rum500.server.practice.drills import Drills
from rum500.server.practice.mistakes import Mistakes
from rum500.server.practice.progress_book import ProgressBook
from rum500.server.practice.puzzle_book import PuzzleBook
from rum500.server.push.push_sender import LANES as PUSH_LANES
from rum500.server.push.push_sender import PushSender
from rum500.server.push.turn_notices import TurnNotices
from rum500.server.push.vapid import VapidKey
from rum500.server.reviewing.reviews import Reviews
from rum500.server.security import AllowedHosts, SecurityHeaders, host_of, is_address
from rum500.server.thinking.bot_processes import ProcessExecutor
from rum500.server.thinking.executor import BotExecutor, ThreadExecutor
from rum500.server.transport.websocket import EXTENSION
from rum500.server.work_scheduler import LaneKind, Work, WorkScheduler
from rum500.server.ws.table_socket import HandshakeRefused, WebSocketApp, refuse
from rum500.store import Store, StoreError, make_data_dir, open_to_others

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from rum500.server.cluster.cluster import Cluster

    _Handler = Callable[[Request], Awaitable[Response]]

THREADS = 2
"""The number of threads for bots, if the server has no processes for them."""
_CLOSE_S = 5.0
_EXPIRE_EVERY_S = 6 * 3600.0
_SHOWN_OF_HOST = 80
_LOST = (
    "the key is old and the database new: tables and names may be missing. Look whether data and db are "
    "right and all disks are there; rum500 restore brings back a backup"
)
_PROXY_HEADERS = (
    b"forwarded", b"x-forwarded", b"x-real-ip", b"x-client-ip", b"x-cluster-client-ip", b"x-original", b"via",
    b"true-client-ip", b"cf-", b"fastly-", b"x-envoy", b"x-proxy",
)  # fmt: skip
"""The beginnings of the names of headers that proxies add."""


class Application:
    """The server as an ASGI application. Its lifespan opens the store at the start and closes it at the end.

    If the lifespan cannot start, `failure` contains the error.
    """

    def __init__(
        self, config: Config, *, page: Path = FOLDER, time: Callable[[], LoopTime] = LoopTime
    ) -> None:
        """Set the configuration. `time` makes the clock of a server that shares no database, on its loop."""
        self.config = config
        self._new_time = time
        self.metrics = Metrics()
        self.page = StaticPage(page, config.prefix)
        self.failure: StoreError | ConfigError | None = None
        self._store: Store | None = None
        self._tables: TableRegistry | None = None
        self.reviews: Reviews | None = None
        self.days: DayBook | None = None
        self.progress: ProgressBook | None = None
        self._http: ASGIApp | None = None
        self._sockets: WebSocketApp | None = None
        self._limits = Limits(config)
        self._hosts = AllowedHosts(config)
        self._health = health.HealthCheck(
            version(), self._hosts, self._limits, self._trouble, self._is_draining
        )
        self._sender: PushSender | None = None
        self._notifier: TurnNotices | None = None
        self._invitations: Invitations | None = None
        self._scheduler: WorkScheduler | None = None
        self._processes: ProcessExecutor | None = None
        self._cluster: Cluster | None = None
        self._watches: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Import the bots, open the store and start the background tasks.

        Raises `StoreError` or `ConfigError`.
        """
        config, metrics = self.config, self.metrics
        _import_bots(config.bot_modules)
        make_data_dir(config.data)
        old_key = config.secret_file.exists()
        if config.node_url:
            from rum500.server.cluster.cluster import Cluster  # noqa: PLC0415 - only one of several servers

            key = secret_key(config.secret_file)
            self._cluster = await Cluster.join(config, key, version(), metrics)
        cluster = self._cluster
        forwarder = cluster.relay if cluster else None
        store = cluster.store if cluster else await Store.open(config.database, observe=metrics.commit)
        self._store = store
        executor = self._open_processes()
        assert self._processes is not None
        try:
            secret = secret_key(config.secret_file)
            _look_at_data(config.data, store)
            if config.push:
                push_key = VapidKey(secret, config.contact, config.vapid_file)
                self._sender = PushSender(
                    push_key, config.push_networks, config.push_services, self._scheduler
                )
            time = cluster.time if cluster else self._new_time()
            cookies = Cookies(secret, time.wall, config.prefix)
        except (ConfigError, StoreError):
            if cluster is not None:
                await cluster.node.leave()
            await store.close()
            raise
        # Of several processes, another one may have just created the database: only a single process warns.
        if old_key and config.processes == 1 and store.new and not await store.tables(limit=1):
            log().warning("database.empty", database=store.name, key=str(config.secret_file), text=_LOST)
        names, limits = Names(store, time.wall), self._limits
        sessions = Sessions(store, names, time.wall)
        self._tables = tables = await self._open_tables(store, executor, time)
        self.reviews = reviews = Reviews(
            store,
            tables,
            self._processes,
            metrics.review,
            config.review_budget,
        )
        tables.services.deal_ended = reviews.ended
        self._sockets = sockets = WebSocketApp(
            config, tables, cookies, sessions, names, limits, metrics, forwarder
        )
        mistakes, advisor, presence = (
            Mistakes(store, reviews, time),
            Advisor(tables.services.executor),
            Presence(time.now, sockets.guests),
        )
        seats_changed = (
            cluster.begin(tables, sockets.sign_out, presence, names) if cluster is not None else None
        )
        self.days = days = DayBook(
            store,
            tables,
            names,
            self._processes,
            reviews if config.review_processes else None,
            levels=tuple(COMPARED) if config.review_processes else QUICK,
        )
        self.progress, book = (
            ProgressBook(store, tables, days),
            PuzzleBook(store, shipped(), retired()),
        )
        history, devices = (
            HistoryHandlers(store, tables, reviews, mistakes, limits, days),
            Devices(store, secret, tables, sessions, names, sockets.sign_out, time.wall, seats_changed),
        )
        handlers = (
            GuestHandlers(tables, cookies, sessions, names, limits, sockets.sign_out),
            GameHandlers(),
            LevelHandlers(store, tables),
            *self._lobby(store, tables, names, presence, secret, time),
            QrCodes(config, store),
            Replays(store, tables, names, limits),
            ReviewHandlers(store, reviews, limits),
            history,
            DeviceHandlers(config, store, devices, cookies, names, limits, history),
            MistakeHandlers(mistakes, advisor, limits),
            DayDealHandlers(config, tables, days, limits),
            ProgressHandlers(self.progress, limits),
            (pictures := LinkPictures(config, store, days, self._processes)),
            LessonHandlers(config, tables, names, limits),
            DrillHandlers(Drills(reviews), advisor, limits),
            PuzzleHandlers(store, book, limits, advisor),
            OfflineHandlers(book, advisor.executor.scheduler),
            NoticeHandlers(store, limits, self._sender),
            PadHandlers(store, limits),
        )
        api = [endpoint for each in handlers for endpoint in endpoints(each)]
        self._http = self._routed(
            Dispatcher(config, cookies, sessions, limits, metrics, forwarder, presence.note),
            api,
            pictures,
        )
        asyncio.get_running_loop().set_exception_handler(on_loop_error)
        watches = [metrics.watch_loop(), LateTableMonitor(tables, metrics).run()]
        if config.expire_days:
            watches.append(_expire(tables, config.expire_days))
        self._watches = [asyncio.create_task(watch) for watch in watches]

    def _lobby(
        self,
        store: Store,
        tables: TableRegistry,
        names: Names,
        presence: Presence,
        key: bytes,
        time: LoopTime,
    ) -> tuple[Lobby, PeopleHandlers, LeagueHandlers]:
        """Return the handlers of tables and of the people who play there."""
        limits = self._limits
        lobby = Lobby(self.config, store, tables, names, limits)
        people = Acquaintances(store, tables, presence.here, key)
        send = None if self._sender is None else self._sender.send
        self._invitations = invitations = Invitations(store, time, send)
        leagues = Leagues(store, tables, names, time)
        return (
            lobby,
            PeopleHandlers(store, tables, names, limits, lobby, people, invitations),
            LeagueHandlers(store, leagues, names, limits, people, invitations),
        )

    def _open_processes(self) -> BotExecutor:
        """Create the scheduler and its processes; return the executor of bots, which may use threads."""
        config, metrics = self.config, self.metrics
        lanes: dict[LaneKind, int] = {
            "interactive": config.bot_workers or THREADS,
            "background": config.review_processes,
            "push": PUSH_LANES,
        }
        self._scheduler = scheduler = WorkScheduler(lanes, metrics, lambda: metrics.load)
        niceness: dict[LaneKind, int] = {"background": config.review_niceness}
        self._processes = ProcessExecutor(scheduler, config.bot_modules, niceness)
        return self._processes if config.bot_workers else ThreadExecutor(scheduler)

    async def _open_tables(self, store: Store, executor: BotExecutor, time: LoopTime) -> TableRegistry:
        """Return the table registry, connected to the notifier if there is one."""
        if self._cluster is None:
            await store.unlist_all()
        notifier = None if self._sender is None else TurnNotices(store, time, self._sender.send)
        tables = TableRegistry(
            self._cluster.owner if self._cluster else SoleOwner(store),
            time=time,
            metrics=self.metrics,
            executor=executor,
            notices=notifier,
        )
        if notifier is not None:
            self._notifier = notifier
            await notifier.open(tables.standing)
        return tables

    def _routed(self, dispatcher: Dispatcher, api: list[Endpoint], pictures: LinkPictures) -> SecurityHeaders:
        # The document is rarely requested and slow to make, so the first request makes it.
        described = cache(lambda: msgspec.json.encode(document(api, version())))

        async def openapi(_request: Request) -> Response:
            return Response(await asyncio.to_thread(described), media_type=JSON)

        async def page(request: Request) -> Response:
            return await self.page.answer(request, dispatcher.greeting, pictures.head)

        routed = Starlette(
            routes=[
                *dispatcher.routes(api),
                Route("/api/openapi.json", self._limited("requests", openapi)),
                Route(health.PATH, self._limited("requests", self._health.over_http)),
                Route("/metrics", self._limited("requests", self._metrics)),
                Route("/{path:path}", self._limited("pages", page)),
            ],
            exception_handlers={HTTPException: on_http_exception, Exception: on_failure},
        )
        return SecurityHeaders(routed)

    def _limited(self, rate: str, handler: _Handler) -> _Handler:
        """Return a handler that refuses requests beyond this rate.

        Each handler has its own count, so that a monitoring program gets answers even if other requests from
        the same address are refused.
        """
        name = handler.__name__

        async def answer(request: Request) -> Response:
            address = address_of(request.scope["client"])
            try:
                self._limits.check(rate, f"{name} {address}")
                return await handler(request)
            except TooMany as error:
                await asyncio.sleep(self._limits.pause_of(address))
                return failed(error)

        return answer

    async def leave(self) -> None:
        """Close every table: send `bye` to its viewers, and write everything to the disk."""
        tables, self._tables = self._tables, None
        if tables is not None:
            try:
                await asyncio.wait_for(tables.close(), _CLOSE_S)
            except TimeoutError:
                log().error("tables.not_closed", after_s=_CLOSE_S)
            if self._cluster is not None:
                await self._cluster.node.leave()

    async def close(self) -> None:
        """Close the tables, then the store."""
        await self.leave()
        if self.days is not None:
            await self.days.close()
        if self.progress is not None:
            await self.progress.close()
        if self.reviews is not None:
            await self.reviews.close()
        if self._processes is not None:
            await self._processes.close()
        if self._notifier is not None:
            await self._notifier.close()
        if self._invitations is not None:
            await self._invitations.close()
        if self._sender is not None:
            await self._sender.close()
        for watch in self._watches:
            watch.cancel()
        if self._store is not None:
            await self._store.close()

    def overloaded(self) -> bool:
        """Return whether the limit of pending handshakes is reached, so that new connections wait."""
        return self._sockets is not None and self._sockets.overloaded

    # --- ASGI -----------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, a WebSocket, or the lifespan."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        assert self._http is not None, "the lifespan has not begun"
        assert self._sockets is not None, "the lifespan has not begun"
        prefix = self.config.prefix
        if prefix and scope["path"] == prefix and scope["type"] == "http":
            await RedirectResponse(f"{prefix}/", 308)(scope, receive, send)
            return
        if prefix and scope["path"].startswith(f"{prefix}/"):  # a proxy may have removed the prefix already
            scope["path"] = scope["path"].removeprefix(prefix)
            scope["raw_path"] = scope["raw_path"].removeprefix(prefix.encode())
        relayed = self._cluster is not None and self._cluster.relay.received(scope)
        if scope["path"] != health.PATH and not relayed and scope not in self._hosts:
            await self._refuse_host(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["path"] == health.PATH:
            await self._health.over_socket(scope)
        else:
            await self._sockets.serve(scope)

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

    async def _refuse_host(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = host_of(scope)
        log().warning("host.refused", host=name[:_SHOWN_OF_HOST])
        why = (
            f"this server does not answer for {name[:_SHOWN_OF_HOST]}; its owner can add it to allowed_hosts"
        )
        if scope["type"] == "http":
            refusal = failed(ApiError(421, "request.host", why))
            await SecurityHeaders(refusal)(scope, receive, send)
        else:
            refuse(scope["extensions"][EXTENSION], HandshakeRefused(421, "request.host", why))

    # --- health and metrics ---------------------------------------------------------------------------

    async def _trouble(self) -> StoreError | None:
        assert self._store is not None
        fault = self._tables.ownership.fault if self._tables is not None else None
        return fault or await self._store.ready()  # the store may not answer while there is a fault

    def _is_draining(self) -> bool:
        return self._cluster is not None and self._cluster.node.draining

    async def _metrics(self, request: Request) -> Response:
        config, given = self.config, request.headers.get("authorization", "")
        if given and config.metrics_token:
            scheme, _, token = given.partition(" ")
            # Compare in constant time, so that the token cannot be guessed byte by byte.
            right = hmac.compare_digest(token.strip().encode("latin-1"), config.metrics_token.encode())
            if not right or scheme.lower() != "bearer":
                raise HTTPException(401, headers={"www-authenticate": "Bearer"})
        elif config.metrics != "all" and not (config.metrics == "local" and _is_local(request.scope)):
            raise HTTPException(404)
        self.metrics.reviews_waiting(self.reviews.waiting if self.reviews else 0)
        waiting = Counter[str]() if self._scheduler is None else self._scheduler.waiting()
        self.metrics.work_waits({work: waiting[work] for work in Work})
        self.metrics.tables(0 if self._tables is None else len(self._tables))
        return Response(
            self.metrics.text(), headers={"cache-control": "no-store", "content-type": CONTENT_TYPE}
        )


async def _expire(tables: TableRegistry, days: int) -> None:
    """Remove tables and guests unused for this many days: now, then a few times a day, until cancelled."""
    while True:
        try:
            gone = await tables.prune(int((time.time() - days * 86_400) * 1000))
        except StoreError as error:
            log().warning("store.failed", error=error)
        else:
            if gone.tables or gone.guests:
                log().info("store.pruned", tables=gone.tables, guests=gone.guests)
        await asyncio.sleep(_EXPIRE_EVERY_S)


def _look_at_data(data: Path, store: Store) -> None:
    """Make the data folder private. Log a damaged database, and a folder that other users can still read."""
    if store.damage is not None:
        log().error("database.damaged", text=store.damage)
    if open_to_others(make_data_dir(data)):
        log().warning("data.open_to_others", folder=str(data), remedy=f"chmod go-rwx {data}")


def _import_bots(modules: Iterable[str]) -> None:
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
    """Return whether a program on this machine sent the request, without a proxy.

    A proxy is recognized by its headers, by a public Host, or by HTTP/1.0, which only proxies still use.
    """
    client, host = scope["client"], host_of(scope)
    return (
        client is not None
        and is_address(client[0], loopback=True)
        and (host == "localhost" or is_address(host, loopback=True))
        and scope["http_version"] != "1.0"
        and not any(name.startswith(_PROXY_HEADERS) for name, _ in scope["headers"])
    )
