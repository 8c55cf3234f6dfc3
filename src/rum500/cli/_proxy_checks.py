"""Checks of `rum500 doctor` that the server can be reached at its public address, through its proxy."""

from __future__ import annotations

import asyncio
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from urllib.parse import SplitResult, urlsplit

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus, WebSocketException

from rum500.cli._data_checks import CheckResult
from rum500.cli.user_error import UserError, one_line
from rum500.server.messages.http import Health

_SECONDS = 10.0
_MOST = 64 * 1024
_PORTS = {"http": 80, "https": 443}
_SOCKET = {"http": "ws", "https": "wss"}


def check_proxy(url: str) -> Iterator[CheckResult]:
    """Fetch `/healthz` at this address over HTTP and over WebSocket; yield the results."""
    address = _address(url)
    try:
        began = time.perf_counter()
        seen = _fetched(f"{address.scheme}://{address.netloc}{address.path}/healthz")
        took = time.perf_counter() - began
    except _Unreached as error:
        yield CheckResult("proxy", "bad", f"{url}: {error}")
        return
    yield CheckResult("proxy", "ok", f"rum500 {seen.version} answers at {url} in {took * 1000:.0f} ms")
    if seen.status != "ok":
        yield CheckResult(
            "proxy", "bad", f"the server says that it cannot keep moves ({seen.store}); see its log"
        )
    yield _scheme(seen, address)
    yield _host(seen, address)
    yield _client(seen)
    yield _socket(address)


class _Unreached(Exception):
    """The address does not lead to a rum500 server; the message says why."""


def _address(url: str) -> SplitResult:
    try:
        found = urlsplit(url)
        known = found.scheme in _PORTS and bool(found.hostname) and (found.port or 1) > 0
    except ValueError:
        known, found = False, urlsplit("")
    if not known or found.query or found.username:
        raise UserError(f"--url: found {url!r}, expected an address such as https://cards.example.org")
    return found._replace(path=found.path.rstrip("/"))


def _fetched(url: str) -> Health:
    # Ignore any proxy in this machine's environment: the proxy in front of the server is to be checked.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())
    try:
        with opener.open(url, timeout=_SECONDS) as answer:
            content = answer.read(_MOST)
    except urllib.error.HTTPError as error:
        with error:
            content = error.read(_MOST)
        if error.code in range(300, 400):
            raise _Unreached(f"sends on to {error.headers.get('Location')}; name that address") from None
        if error.code != 503:  # 503 comes from the server itself, when it cannot store moves
            raise _Unreached(
                f"answers {error.code} {error.reason} for /healthz; does it pass all paths on?"
            ) from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, ssl.SSLError):
            raise _Unreached(f"its certificate is not accepted: {one_line(error.reason)}") from None
        raise _Unreached(f"cannot be reached: {one_line(error.reason)}") from None
    except OSError as error:
        raise _Unreached(f"cannot be reached: {error}") from None
    try:
        return msgspec.json.decode(content, type=Health)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise _Unreached(
            "something else than rum500 answers; does the proxy pass /healthz on to it?"
        ) from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Do not follow redirects."""


def _scheme(seen: Health, address: SplitResult) -> CheckResult:
    if seen.scheme == address.scheme:
        return CheckResult("proxy", "ok", f"the server knows that visitors come by {seen.scheme}")
    wrong = f"visitors come by {address.scheme} and the server takes it for {seen.scheme}"
    if seen.forwarded_proto is None:
        remedy = "have the proxy send X-Forwarded-Proto (nginx: proxy_set_header X-Forwarded-Proto $scheme;)"
    elif seen.forwarded_proto != address.scheme:
        remedy = (
            f"the proxy sends X-Forwarded-Proto: {seen.forwarded_proto}, which should be {address.scheme}"
        )
    else:
        remedy = (
            f"it does not believe the proxy's X-Forwarded-Proto; set trusted_proxies to {seen.client or 'it'}"
        )
    return CheckResult("proxy", "bad", f"{wrong}; {remedy}")


def _host(seen: Health, address: SplitResult) -> CheckResult:
    if _with_port(seen.host, address.scheme) == _with_port(address.netloc, address.scheme):
        if not seen.host_allowed:
            return CheckResult(
                "proxy",
                "bad",
                f"the server does not answer for {seen.host}; set public_url to {address.scheme}://{address.netloc}",
            )
        return CheckResult("proxy", "ok", f"the server knows that visitors ask for {seen.host}")
    wrong = f"visitors ask for {address.netloc} and the server takes it for {seen.host or 'nothing'}"
    if seen.forwarded_host is not None:
        wrong += f" (X-Forwarded-Host: {seen.forwarded_host} is not looked at)"
    return CheckResult(
        "proxy", "bad", f"{wrong}; have the proxy keep Host (nginx: proxy_set_header Host $http_host;)"
    )


def _with_port(host: str, scheme: str) -> str:
    ending = f":{_PORTS[scheme]}"
    return host.casefold().removesuffix(ending)


def _client(seen: Health) -> CheckResult:
    if seen.forwarded_for is None:
        if seen.forwarded_proto is None and seen.forwarded_host is None:
            return CheckResult(
                "proxy", "ok", f"no proxy shows itself; this machine is {seen.client} to the server"
            )
        text = f"all visitors are {seen.client} to the server, and share its limits by address"
        remedy = "have the proxy send X-Forwarded-For (nginx: $proxy_add_x_forwarded_for)"
        return CheckResult("proxy", "bad", f"{text}; {remedy}")
    if seen.client in [part.strip() for part in seen.forwarded_for.split(",")]:
        return CheckResult(
            "proxy", "ok", f"the server tells visitors apart: this machine is {seen.client} to it"
        )
    text = f"all visitors are {seen.client} to the server: it does not believe the proxy's X-Forwarded-For"
    return CheckResult("proxy", "bad", f"{text}; set trusted_proxies to {seen.client}")


def _socket(address: SplitResult) -> CheckResult:
    url = f"{_SOCKET[address.scheme]}://{address.netloc}{address.path}/healthz"
    try:
        took = asyncio.run(_heard(url))
    except InvalidStatus as error:
        code = error.response.status_code
        remedy = "have the proxy pass Upgrade and Connection on, by HTTP/1.1 (nginx: proxy_http_version 1.1; "
        remedy += 'proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";)'
        return CheckResult("proxy", "bad", f"WebSockets do not get through (answer {code}); {remedy}")
    except (WebSocketException, OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        return CheckResult(
            "proxy", "bad", f"WebSockets do not get through: {one_line(error) or type(error).__name__}"
        )
    return CheckResult("proxy", "ok", f"WebSockets get through, in {took * 1000:.0f} ms")


async def _heard(url: str) -> float:
    """Return the seconds from opening a WebSocket until the server's `Health` arrives over it."""
    began = time.perf_counter()
    async with asyncio.timeout(_SECONDS):
        # The threaded client can stall, because its reader and writer share a TLS connection.
        async with connect(url, close_timeout=1, max_size=_MOST, proxy=None) as socket:
            msgspec.json.decode(await socket.recv(), type=Health)
            return time.perf_counter() - began
