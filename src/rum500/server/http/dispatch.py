"""Dispatch of HTTP requests: limits, checks of origins, bodies, and the responses or refusals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from rum500.server.config import Config
from rum500.server.cookies import Cookies
from rum500.server.forwarding import Forwarder
from rum500.server.guests import Sessions
from rum500.server.http.endpoint import JSON, ApiError, ApiRequest, Endpoint, decoded, refusal_of
from rum500.server.limits import Limits, address_of
from rum500.server.messages.http import Failure
from rum500.server.messages.table_error import TableError, refusal_sentence
from rum500.server.metrics import Metrics
from rum500.server.work_scheduler import Light
from rum500.server.ws.table_socket import origin_allowed
from rum500.store import ServedElsewhere

LARGEST_BODY = 8 * 1024
_encode = msgspec.json.Encoder().encode


@dataclass(slots=True, eq=False)
class Dispatcher:
    """Answers requests: checks limits and origins, decodes bodies, calls handlers and encodes results."""

    _config: Config
    _cookies: Cookies
    _sessions: Sessions
    _limits: Limits
    _metrics: Metrics
    _forwarder: Forwarder | None = None
    _note: Callable[[str], None] = lambda _guest: None
    """Called with the guest of each request."""

    def greeting(self, request: Request) -> dict[str, str]:
        """Return the `Set-Cookie` header that makes a first-time visitor a guest. The response with the page
        itself has this header.

        The result is empty if the request has a valid cookie, does not ask for HTML, or exceeds the limit on
        new guests. If only API requests set the cookie, the page's first two simultaneous requests would make
        two guests, and the second cookie would replace the first. A visitor who was signed out keeps the
        cookie, so that the page can explain the sign-out.
        """
        known = self._cookies.read(request.headers.get("cookie")) is not None
        if known or "text/html" not in request.headers.get("accept", ""):
            return {}
        if not self._limits.within("new_guests", address_of(request.scope["client"])):
            return {}
        secure = request.url.scheme == "https"
        return {"set-cookie": self._cookies.header(self._cookies.new(), secure=secure)}

    def routes(self, endpoints: Iterable[Endpoint]) -> list[Route]:
        """Return a route for each path, in the order of the endpoints."""
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
            found = await _while_connected(endpoint, asker, request)
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
        """Forward the request to the server that owns the table, and return the answer of that server."""
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
        host = headers.get(b"host") or request.url.netloc.encode("latin-1")
        asker = ApiRequest(
            request.path_params,
            request.query_params,
            f"{request.scope['scheme']}://{host.decode('latin-1')}",
            address,
            None if signed_out else cookie,
            signed_out,
        )
        if asker.cookie is not None:
            self._note(asker.cookie.id)
        if endpoint.takes is not None:
            asker.body = await _body(request, endpoint.takes)
        return asker

    def _check_source(self, headers: dict[bytes, bytes]) -> None:
        """Refuse a request with a body if another site's page sent it or the body is not declared as JSON."""
        if not origin_allowed(headers, self._config):
            raise ApiError(403, "request.origin", "pages of other sites may not do this")
        if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != JSON.encode():
            raise ApiError(415, "request.media", f"the body must be {JSON}")


async def _while_connected(endpoint: Endpoint, asker: ApiRequest, request: Request) -> object:
    """Return the result of the handler. If the client disconnects, cancel expensive work.

    Raises `ClientDisconnect` in this case.
    """
    if isinstance(endpoint.work, Light):
        return await endpoint.handler(asker)
    work = asyncio.ensure_future(endpoint.handler(asker))
    leaving = asyncio.ensure_future(_disconnect(request))
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
    return decoded(bytes(data), wanted)


def failed(error: Exception) -> Response:
    """Return the response to a request that raised this error; log unexpected errors."""
    return Response(status_code=400) if isinstance(error, ClientDisconnect) else refused(*refusal_of(error))


def refused(status: int, failure: Failure) -> Response:
    """Return a response with this failure as its body."""
    headers = {"cache-control": "no-store"}
    if failure.retry_s is not None:
        headers["retry-after"] = str(failure.retry_s)
    return Response(_encode(failure), status, headers, JSON)


_FAILED = refused(500, Failure("server.failed", refusal_sentence("server.failed")))


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
