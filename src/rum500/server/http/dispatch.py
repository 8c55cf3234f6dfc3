"""Dispatch of HTTP requests: endpoints are declared once, bodies have types, and all refusals one form."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, get_type_hints

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from rum500.rules.notation import NotationError
from rum500.rules.problems import RulesetError, UnknownProfile
from rum500.server.config import Config
from rum500.server.forwarding import Forwarder
from rum500.server.guests import Cookie, Cookies, Sessions
from rum500.server.limits import Limits, TooMany, address_of
from rum500.server.live.log.entries import LogError
from rum500.server.logs import log
from rum500.server.messages.guest_names import BadName
from rum500.server.messages.http import Failure
from rum500.server.messages.render import play_reason
from rum500.server.messages.table_error import TableError, refusal_sentence
from rum500.server.metrics import Metrics
from rum500.server.work_scheduler import Asker, Busy, Light, Work
from rum500.server.ws.table_socket import origin_allowed
from rum500.state import IllegalPlay
from rum500.store import ServedElsewhere, StoreError

JSON = "application/json"
LARGEST_BODY = 8 * 1024
_encode = msgspec.json.Encoder().encode


class ApiError(Exception):
    """A refused request: the HTTP status, and the body with code and message."""

    def __init__(self, status: int, code: str, message: str, retry_s: int | None = None) -> None:
        super().__init__(code)
        self.status = status
        self.failure = Failure(code, message, retry_s)


class Param(NamedTuple):
    """A parameter in the path or the query: its name, its type, and its description for the API document."""

    name: str
    type: Any
    meaning: str


@dataclass(slots=True)
class ApiRequest:
    """A request with its sender."""

    request: Request
    address: str
    """The client's address, as `limits.address_of` returns it."""
    cookie: Cookie | None
    """The cookie of the guest who sent the request; None if it is missing, invalid or signed out."""
    signed_out: bool = False
    """Whether the guest has signed out on the device that sent the request."""
    body: Any = None
    """The decoded body, of the type `takes` of the endpoint; None if there is none."""
    headers: dict[str, str] = field(default_factory=dict)
    """Additional headers for the response."""

    @property
    def guest(self) -> Cookie:
        """The cookie of the request's guest. Raises `ApiError` or `TableError` if none is valid."""
        if self.signed_out:
            raise TableError("guest.signed_out")
        if self.cookie is None:
            raise ApiError(401, "guest.unknown", "send GET /api/me first, which sets a cookie")
        return self.cookie

    @property
    def who(self) -> Asker:
        """The guest and the address whose share of the processor time the request uses."""
        return Asker(self.known or self.address, self.address)

    @property
    def known(self) -> str | None:
        """The id of the guest who sent the request; None without a valid cookie."""
        return None if self.cookie is None else self.cookie.id

    def param(self, param: Param, usual: str | None = None) -> Any:
        """Return the value of a parameter of the path or the query, or `usual` if it is missing.

        Raises `ApiError` if it is invalid.
        """
        word = self.request.path_params.get(param.name, self.request.query_params.get(param.name, usual))
        try:
            return None if word is None else msgspec.convert(word, param.type, strict=False)
        except msgspec.ValidationError as error:
            raise ApiError(422, "request.invalid", f"{param.name}: {error}") from None

    @property
    def secure(self) -> bool:
        """Whether the request came over https."""
        return self.request.url.scheme == "https"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One method of one path, with its parameters and results."""

    method: str
    path: str
    meaning: str
    """The description for the API document."""
    handler: Callable[[ApiRequest], Awaitable[object]]
    answers: Any
    """The type of the response's body."""
    work: Work | Light
    """The class of the endpoint's expensive work, or the reason why it has no such work."""
    takes: Any = None
    """The type of the request's body; None if it has none."""
    status: int = 200
    """The status of a successful response."""
    media: str = JSON
    """The media type of the response."""
    params: tuple[Param, ...] = ()
    """The parameters in the path."""
    query: tuple[Param, ...] = ()
    """The parameters in the query."""
    refuses: tuple[int, ...] = ()
    """The statuses of refusals, besides those that all endpoints have."""


_Handler = TypeVar("_Handler", bound=Callable[..., Awaitable[object]])
_REQUEST = "__request__"


def answers(method: str, path: str, **more: Any) -> Callable[[_Handler], _Handler]:
    """Return a decorator that marks a method as a handler; `more` are fields of its `Endpoint`.

    The endpoint's meaning is the first paragraph of the method's docstring, and its answer the return type.
    """

    def mark(handler: _Handler) -> _Handler:
        setattr(handler, _REQUEST, {"method": method, "path": path, **more})
        return handler

    return mark


def endpoints(handlers: object) -> list[Endpoint]:
    """Return the endpoints whose handlers are methods of this object or class, in the order of definition."""
    cls = handlers if isinstance(handlers, type) else type(handlers)
    return [
        Endpoint(
            **getattr(function, _REQUEST),
            meaning=" ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split()),
            handler=getattr(handlers, name),
            answers=get_type_hints(function, include_extras=True)["return"],
        )
        for name, function in vars(cls).items()
        if hasattr(function, _REQUEST)
    ]


@dataclass(slots=True, eq=False)
class Dispatcher:
    """Answers requests: checks limits and sources, decodes bodies, calls handlers and encodes results."""

    _config: Config
    _cookies: Cookies
    _sessions: Sessions
    _limits: Limits
    _metrics: Metrics
    _forwarder: Forwarder | None = None

    def greeting(self, request: Request) -> dict[str, str]:
        """Return the `Set-Cookie` header that makes a first-time visitor a guest; it is sent with the page
        itself.

        The result is empty if the request has a valid cookie, does not ask for HTML, or exceeds the limit on
        new guests. If only API requests set the cookie, the page's first two simultaneous requests would make
        two guests, and the second cookie would replace the first. A visitor who was signed out keeps the
        cookie, so that the page can say why.
        """
        known = self._cookies.read(request.headers.get("cookie")) is not None
        if known or "text/html" not in request.headers.get("accept", ""):
            return {}
        if not self._limits.within("new_guests", address_of(request.scope["client"])):
            return {}
        secure = request.url.scheme == "https"
        return {"set-cookie": self._cookies.header(self._cookies.new(), secure=secure)}

    def routes(self, endpoints: Iterable[Endpoint]) -> list[Route]:
        """Return a route for each path, in order."""
        by_path: dict[str, dict[str, Endpoint]] = {}
        for endpoint in endpoints:
            by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
        return [self._route(path, methods) for path, methods in by_path.items()]

    def _route(self, path: str, methods: Mapping[str, Endpoint]) -> Route:
        async def answer(request: Request) -> Response:
            endpoint = methods["GET" if request.method == "HEAD" else request.method]
            return await self._answer(endpoint, request)

        return Route(path, answer, methods=list(methods))

    async def _answer(self, endpoint: Endpoint, request: Request) -> Response:
        asker: ApiRequest | None = None
        try:
            asker = await self._asker(endpoint, request)
            found = await _while_connected(endpoint, asker)
        except ServedElsewhere as elsewhere:
            response = await self._elsewhere(request, asker, elsewhere)
        except Exception as error:  # noqa: BLE001 - every error has its response
            response = failed(error)
            if response.status_code == 429:
                await asyncio.sleep(self._limits.pause_of(address_of(request.scope["client"])))
        else:
            content = found if isinstance(found, bytes) else _encode(found)
            response = Response(content, endpoint.status, {"cache-control": "no-store"}, endpoint.media)
            response.headers.update(asker.headers)
        self._metrics.request(response.status_code)
        return response

    async def _elsewhere(
        self, request: Request, asker: ApiRequest | None, elsewhere: ServedElsewhere
    ) -> Response:
        """Return the answer of the server that owns the table."""
        body = b"" if asker is None or asker.body is None else _encode(asker.body)
        answer = self._forwarder and await self._forwarder.answer(
            request.method, request.scope, body, elsewhere
        )
        return answer or failed(TableError("table.failed"))

    async def _asker(self, endpoint: Endpoint, request: Request) -> ApiRequest:
        address = address_of(request.scope["client"])
        self._limits.check("requests", address)
        headers = dict(request.scope["headers"])
        if endpoint.takes is not None:
            self._check_source(headers)
        cookie = self._cookies.read(headers.get(b"cookie"))
        signed_out = cookie is not None and not await self._sessions.is_valid(cookie)
        asker = ApiRequest(request, address, None if signed_out else cookie, signed_out)
        if endpoint.takes is not None:
            asker.body = await _body(request, endpoint.takes)
        return asker

    def _check_source(self, headers: dict[bytes, bytes]) -> None:
        """Refuse a request with a body if another site's page sent it or the body is not declared as JSON."""
        if not origin_allowed(headers, self._config):
            raise ApiError(403, "request.origin", "pages of other sites may not do this")
        if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != JSON.encode():
            raise ApiError(415, "request.media", f"the body must be {JSON}")


async def _while_connected(endpoint: Endpoint, asker: ApiRequest) -> object:
    """Return the result of the handler. If the client disconnects, cancel expensive work.

    Raises `ClientDisconnect` in this case.
    """
    if isinstance(endpoint.work, Light):
        return await endpoint.handler(asker)
    work = asyncio.ensure_future(endpoint.handler(asker))
    leaving = asyncio.ensure_future(_disconnect(asker.request))
    try:
        await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise ClientDisconnect
        return work.result()
    finally:
        work.cancel()
        leaving.cancel()
        await asyncio.wait((work, leaving))


async def _disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _body(request: Request, wanted: Any) -> object:
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > LARGEST_BODY:
            raise ApiError(413, "request.large", f"the body must have at most {LARGEST_BODY} bytes")
    try:
        return msgspec.json.decode(bytes(data), type=wanted)
    except msgspec.ValidationError as error:
        raise ApiError(422, "request.invalid", str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError(400, "request.json", str(error)) from None


def failed(error: Exception) -> Response:
    """Return the response to a request that raised this error; log unexpected errors."""
    match error:
        case ApiError():
            return refused(error.status, error.failure)
        case TooMany():
            message = f"too many requests of this kind; try again in {error.retry_s} s"
            return refused(429, Failure(f"limit.{error.what}", message, error.retry_s))
        case LogError():
            log().error("table.unreadable", error=error)
            return refused(500, _failure("table.unreadable"))
        case StoreError():
            log().warning("store.failed", error=error)
            return refused(503, _failure(error.code))
        case TableError() | IllegalPlay() | NotationError():
            return _refused(error)
        case UnknownProfile():
            return refused(404, Failure("profile.unknown", str(error)))
        case RulesetError():
            return refused(422, Failure("rules.invalid", " ".join(str(error).split())))
        case BadName():
            return refused(422, Failure("guest.name", str(error)))
        case ClientDisconnect():
            return Response(status_code=400)
    log().error("request.failed", error=error)
    return _FAILED


def _refused(error: TableError | IllegalPlay | NotationError) -> Response:
    if isinstance(error, TableError):
        retry_s = error.seconds if isinstance(error, Busy) else None
        found = Failure(error.code, error.message, retry_s, key=error.key, parts=error.parts)
        return refused(_status_of(error.code), found)
    why = play_reason(error)
    return refused(422, Failure(why.code, why.message, parts=why.parts))


def _failure(code: str) -> Failure:
    return Failure(code, refusal_sentence(code))


def refused(status: int, failure: Failure) -> Response:
    """Return a response with this failure as its body."""
    headers = {"cache-control": "no-store"}
    if failure.retry_s is not None:
        headers["retry-after"] = str(failure.retry_s)
    return Response(_encode(failure), status, headers, JSON)


_FAILED = refused(500, _failure("server.failed"))


def on_failure(_request: Request, _error: Exception) -> Response:
    """Return the response to a request whose handler failed; the ASGI server logs the error."""
    return _FAILED


def on_http_exception(_request: Request, error: Exception) -> Response:
    """Return the response to a request for an unknown path, or with a method that is not allowed."""
    assert isinstance(error, HTTPException)
    code = {404: "request.path", 405: "request.method"}.get(error.status_code, "request.refused")
    response = refused(error.status_code, Failure(code, error.detail))
    response.headers.update(error.headers or {})
    return response


_STATUSES = {"guest.signed_out": 401, "work.busy": 429}


def _status_of(code: str) -> int:
    """Return the HTTP status for the code of a `TableError`."""
    if code in _STATUSES:
        return _STATUSES[code]
    if code in (
        "table.unknown",
        "deal.unknown",
        "profile.unknown",
        "review.step",
        "puzzle.unknown",
        "puzzle.none",
    ):
        return 404
    return 422 if code.startswith(("option.", "bot.")) else 409
