"""A server in place: it answers requests and runs connections to tables, without a network."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from rum500.local.executor import InlineExecutor, check_local_level, local_levels, plays_in_place
from rum500.local.key_values import KeyValues
from rum500.local.store import LocalStore
from rum500.puzzles.collection import shipped
from rum500.puzzles.drills import DrillKind
from rum500.server.config import Config
from rum500.server.guests import Cookie, Names, Sessions, now_ms
from rum500.server.http.day_deals import DayDealHandlers
from rum500.server.http.drills import DrillHandlers
from rum500.server.http.endpoint import JSON, ApiRequest, Endpoint, decoded, endpoints, refusal_of
from rum500.server.http.games import GameHandlers
from rum500.server.http.guests import GuestHandlers
from rum500.server.http.history import HistoryHandlers
from rum500.server.http.lessons import LessonHandlers
from rum500.server.http.levels import LevelHandlers
from rum500.server.http.lobby import Lobby
from rum500.server.http.progress import ProgressHandlers
from rum500.server.http.puzzles import PuzzleHandlers
from rum500.server.http.replays import Replays
from rum500.server.limits import Limits
from rum500.server.live.log.table_options import Guest
from rum500.server.live.log.time_source import Alarm, LoopTime
from rum500.server.live.ownership import SoleOwner
from rum500.server.live.table import LiveTable
from rum500.server.live.table_registry import TableRegistry
from rum500.server.live.turn.viewer import CloseReason, Viewer
from rum500.server.messages import CLIENT_DECODER, Bye, Join, Ping, Pong, Reason, Refused
from rum500.server.messages.message_id import JOIN_FIRST, NOT_DECODED, message_id
from rum500.server.messages.table_error import TableError
from rum500.server.practice.advisor import Advisor
from rum500.server.practice.day_book import DayBook
from rum500.server.practice.drills import Drills
from rum500.server.practice.progress_book import ProgressBook
from rum500.server.practice.puzzle_book import PuzzleBook
from rum500.server.work_scheduler import Asker, Work

_ME = "me"
"""The key of the guest's cookie."""
_ID_BYTES = 12
ID_PREFIX = "local-"
"""The prefix of the ids of local tables. The page recognises by it that a table is not on a server."""
_SITE = "https://local"
_ADDRESS = "local"
_PRACTICE = "rum500.server.practice.work"
_encode = msgspec.json.Encoder().encode
_cookie = msgspec.json.Decoder(Cookie).decode


@dataclass(frozen=True, slots=True)
class LocalAnswer:
    """The answer to a request, as a server sends it over HTTP."""

    status: int
    body: bytes
    media: str = JSON
    headers: dict[str, str] = field(default_factory=dict)


class LocalServer:
    """The lobby, tables, levels, history, replays, lessons, puzzles and drills of one person."""

    def __init__(self, store: LocalStore, me: Cookie, config: Config, *, searches: bool = False) -> None:
        """Use `LocalServer.open` instead, which reads the store and the guest."""
        executor = InlineExecutor(searches=searches)
        limits, names = Limits(config), Names(store)
        self.store = store
        self.tables = tables = TableRegistry(SoleOwner(store), executor=executor, time=LocalTime())
        tables.id_prefix = ID_PREFIX
        tables.services.check_level = check_local_level
        self._me = me
        self._names = names
        advisor = Advisor(executor)
        days = DayBook(store, tables, names, executor, on_device=True)
        handlers = (
            GuestHandlers(
                tables, _OneCookie(me), Sessions(store, names), names, limits, lambda _: None, local_levels
            ),
            GameHandlers(),
            LevelHandlers(store, tables, plays_in_place),
            Lobby(config, store, tables, names, limits),
            Replays(store, tables, names, limits),
            HistoryHandlers(store, tables, _NoReviews(), _NoMistakes(), limits, days),
            DayDealHandlers(config, tables, days, limits),
            ProgressHandlers(ProgressBook(store, tables, days, plays_in_place), limits),
            LessonHandlers(config, tables, names, limits),
            DrillHandlers(Drills(_Practice(executor)), advisor, limits),
            PuzzleHandlers(store, PuzzleBook(store, shipped()), limits, advisor),
        )
        self._routes = [(_pattern(one.path), one) for each in handlers for one in endpoints(each)]

    @classmethod
    async def open(cls, data: KeyValues, config: Config | None = None, *, searches: bool = False) -> Self:
        """Return the server of everything stored in `data`; a new guest is stored there at once.

        `searches` allows hints and drills that search, which a compiled engine does within seconds. Raises
        `StoreError`.
        """
        store = await LocalStore.open(data)
        found = dict(await data.read(_ME)).get(_ME)
        if found is None:
            now = now_ms()
            me = Cookie(secrets.token_urlsafe(_ID_BYTES), now, now)
            await data.write({_ME: _encode(me)})
        else:
            me = _cookie(found)
        return cls(store, me, config or Config(limits=False), searches=searches)

    async def answer(self, method: str, target: str, body: bytes = b"") -> LocalAnswer:
        """Return the answer to a request; `target` is the path with its query. Errors are answers too."""
        url = urlsplit(target)
        path, query = unquote(url.path), dict(parse_qsl(url.query, keep_blank_values=True))
        try:
            endpoint, params = self._endpoint(method, path)
            asker = ApiRequest(params, query, _SITE, _ADDRESS, self._me)
            if endpoint.takes is not None:
                asker.body = decoded(body, endpoint.takes)
            found = await endpoint.handler(asker)
        except Exception as error:  # noqa: BLE001 - every error has its answer
            status, failure = refusal_of(error)
            return LocalAnswer(status, _encode(failure))
        content = found if isinstance(found, bytes) else _encode(found)
        return LocalAnswer(endpoint.status, content, endpoint.media, asker.headers)

    def _endpoint(self, method: str, path: str) -> tuple[Endpoint, dict[str, str]]:
        for pattern, endpoint in self._routes:
            if endpoint.method == method and (found := pattern.fullmatch(path)):
                return endpoint, found.groupdict()
        raise TableError("local.server")

    async def connect(
        self, table: str, send: Callable[[bytes], None], close: Callable[[], None]
    ) -> LocalSocket:
        """Return a connection to a table.

        Raises `TableError` if there is no such table, or if a bot at the table cannot play in place.

        `send` is called with each message of the table, and `close` when the table closes the connection.
        """
        live = await self.tables.get(table, Asker(self._me.id, _ADDRESS))
        if live is None:
            raise TableError("table.unknown")
        state = live.log.state
        for seat in state.seats:
            if seat.kind == "bot" and seat.level is not None and not state.ended:
                check_local_level(seat.level, state.rules, len(state.seats))
        guest = Guest(self._me.id, await self._names.of(self._me.id))
        return LocalSocket(live, guest, send, close)

    async def close(self) -> None:
        """Close the tables; everything is stored already."""
        await self.tables.close()


class LocalSocket:
    """A connection to a table. The table calls `send` and `close`; the page calls `receive` and `end`."""

    def __init__(
        self, table: LiveTable, guest: Guest, send: Callable[[bytes], None], close: Callable[[], None]
    ) -> None:
        self._table = table
        self._guest = guest
        self._send = send
        self._close = close
        self._viewer: Viewer | None = None
        self._ended = False

    def receive(self, data: bytes) -> None:
        """Decode a message and pass it to the table. The first one, apart from pings, must be `join`."""
        if self._ended:
            return
        try:
            message = CLIENT_DECODER.decode(data)
        except NOT_DECODED as error:
            self._refuse(data, "message.invalid", str(error))
            return
        if self._viewer is None and isinstance(message, Ping):
            self.send(_encode(Pong(re=message.id)))
            return
        if self._viewer is None:
            if not isinstance(message, Join):
                self._refuse(data, *JOIN_FIRST)
                return
            self._viewer = self._table.connect(self._guest, self)
        self._table.receive(self._viewer, message)

    def _refuse(self, data: bytes, code: str, why: str) -> None:
        self.send(_encode(Refused(re=message_id(data), reason=Reason(code=code, message=why))))

    def send(self, message: bytes) -> None:
        """Pass a message to the page."""
        if not self._ended:
            self._send(message)

    def close(self, reason: CloseReason) -> None:
        """Send `bye` with this reason, and end the connection."""
        self.send(_encode(Bye(reason)))
        self.end()
        self._close()

    def end(self, *, said_bye: bool = False) -> None:
        """Leave the table; `said_bye` is whether the page closed the connection properly."""
        self._ended = True
        if self._viewer is not None:
            self._table.disconnect(self._viewer, said_bye=said_bye)
            self._viewer = None


class LocalTime(LoopTime):
    """The clock of the event loop, for loops that refuse to schedule a call in the past."""

    def call_at(self, moment: float, call: Callable[[], None]) -> Alarm:
        """Schedule a call; see `TimeSource.call_at`."""
        return self._loop.call_later(max(0.0, moment - self.now()), call)


class _OneCookie:
    """Returns the cookie of the only guest instead of new ones."""

    def __init__(self, me: Cookie) -> None:
        self._me = me

    def new(self) -> Cookie:
        return self._me

    def header(self, _cookie: Cookie, *, secure: bool) -> str:
        return ""


class _NoReviews:
    """No deal is reviewed without a server."""

    def judging(self, _table: str) -> bool:
        return False


class _NoMistakes:
    """Mistakes come from reviews, which a server makes."""

    async def export(self, _guest: str) -> list[dict[str, Any]]:
        return []


class _Practice:
    """Does the work of drills in place; all kinds but counting points need searches."""

    def __init__(self, executor: InlineExecutor) -> None:
        self._executor = executor

    async def practise(self, who: Asker, function: str, *parts: object) -> bytes:
        if parts[0] != DrillKind.COUNT:
            self._executor.check_search()
        return await self._executor.call(Work.PRACTICE, who, f"{_PRACTICE}:{function}", *parts)


def _pattern(path: str) -> re.Pattern[str]:
    """Return the regular expression of an endpoint's path; a parameter matches text without a slash."""
    parts = re.split(r"\{(\w+)\}", path)
    return re.compile(
        "".join(f"(?P<{part}>[^/]+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    )
