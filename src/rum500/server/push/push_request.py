"""Sends encrypted messages to browsers through their push services."""

from __future__ import annotations

import asyncio
import importlib
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from rum500.server.logs import log
from rum500.server.push.endpoints import allowed
from rum500.server.push.vapid import VapidKey
from rum500.store import BrowserRow

if TYPE_CHECKING:
    import aiohttp

Outcome = Literal["sent", "gone", "failed"]
PATIENCE_S = 10.0
"""The seconds in which a push service must accept a message."""
KEPT_S = 86_400
"""The seconds for which a push service keeps a message for a browser that it cannot reach."""
_GONE = (404, 410)


class PushSender:
    """Encrypts, signs and sends messages. It connects to public addresses only, and to `networks`."""

    def __init__(self, key: VapidKey, networks: Sequence[str]) -> None:
        self.key = key
        self.networks = networks
        self._session: aiohttp.ClientSession | None = None
        self._opening = asyncio.Lock()
        self._webpush: Any = None

    async def send(self, browser: BrowserRow, message: bytes) -> Outcome:
        """Send a message to a browser; `gone`: its subscription does not exist any more."""
        try:
            session = await self._open()
            await self._webpush.webpush_async(
                {"endpoint": browser.endpoint, "keys": {"p256dh": browser.p256dh, "auth": browser.auth}},
                message,
                self.key.signer,
                {"sub": self.key.contact},
                ttl=KEPT_S,
                headers={"Urgency": "high"},
                timeout=session.timeout,
                aiohttp_session=session,
            )
        except Exception as error:  # noqa: BLE001 - a browser's keys and a service's answer may be anything
            status = getattr(error, "status_code", None)
            if status in _GONE:
                return "gone"
            log().warning("push.failed", status=status, error=type(error).__name__)
            return "failed"
        return "sent"

    async def _open(self) -> aiohttp.ClientSession:
        """Return the session; the packages are imported for the first message, which takes a while."""
        async with self._opening:
            if self._session is None:
                self._webpush = await asyncio.to_thread(importlib.import_module, "pywebpush")
                self._session = self._new_session()
            return self._session

    def _new_session(self) -> aiohttp.ClientSession:
        import aiohttp  # noqa: PLC0415 - as in `_open`

        class Answer(aiohttp.ClientResponse):
            """An answer whose status counts; its body, of any size, is not read."""

            async def text(self, *_args: object, **_more: object) -> str:
                self.release()
                return ""

        def stay(*_about: object) -> None:
            raise aiohttp.ClientError("a push service must not redirect")

        async def redirected(*about: object) -> None:
            stay(*about)

        watch = aiohttp.TraceConfig()
        watch.on_request_redirect.append(redirected)
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=8, socket_factory=self._socket),
            timeout=aiohttp.ClientTimeout(total=PATIENCE_S),
            response_class=Answer,
            trace_configs=[watch],
            trust_env=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    def _socket(self, address: Any) -> socket.socket:
        """Return a socket for this address, which names resolve to or which the URL contains.

        Whatever the name resolved to before, only this address counts. Raises `OSError` if it is not allowed.
        """
        family, kind, protocol, _, place = address
        if not allowed(str(place[0]), self.networks):
            raise OSError("the push service is not at a public address")
        return socket.socket(family, kind, protocol)

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
