"""Security headers of every HTTP response, and the hosts for which the server answers."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rum500.server.config import Config

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""The content security policy: everything comes from this server; nothing is inline or in a frame."""

DEVICE_WORKER = "/assets/device-worker-"
"""In the path of the script that runs the tables of a browser, which compiles WebAssembly."""
_WORKER_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")

_ALWAYS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # Anyone who knows the address of a private table can join it, so other sites must not learn it.
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
]
_SECURE = [(b"strict-transport-security", b"max-age=31536000")]


class SecurityHeaders:
    """Middleware that adds the security headers to every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application and add the headers to its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        policy = _WORKER_POLICY if DEVICE_WORKER in scope["path"] else POLICY
        secure = _SECURE if scope["scheme"] == "https" else []
        added = [(b"content-security-policy", policy.encode()), *_ALWAYS, *secure]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *added]
            await send(message)

        await self._app(scope, receive, send_with_headers)


class AllowedHosts:
    """The hosts for which the server answers.

    Another site can let its own name resolve to this server (DNS rebinding). The browser then treats that
    site and this server as one site; only the Host header, which contains that name, differs. An IP address
    is not resolved, so it is always allowed.
    """

    def __init__(self, config: Config) -> None:
        named = [urlsplit(one).hostname for one in (*config.public_url, *config.origins)]
        self._names = {"localhost", config.host.casefold(), *config.allowed_hosts, *named}

    def __contains__(self, scope: object) -> bool:
        """Return whether a request names one of these hosts, or none, as only HTTP/1.0 requests may."""
        assert isinstance(scope, dict)
        host = host_of(scope)
        return not host or host in self._names or "*" in self._names or is_address(host)


def host_of(scope: Scope) -> str:
    """Return the host in a request's Host header, without the port; empty if there is none."""
    given = b"".join(value for name, value in scope["headers"] if name == b"host").decode("latin-1")
    try:
        return (urlsplit(f"//{given}").hostname or given).removesuffix(".")
    except ValueError:
        return given


def is_address(host: str, *, loopback: bool = False) -> bool:
    """Return whether a host is an IP address; with `loopback`, whether it is a loopback address.

    >>> is_address("192.0.2.1"), is_address("192.0.2.1", loopback=True), is_address("cards.example")
    (True, False, False)
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or not loopback
