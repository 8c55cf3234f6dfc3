"""Sends encrypted messages to browsers through their push services."""

from __future__ import annotations

import asyncio
import importlib
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from rum500.server.logs import log
from rum500.server.push.allowed_addresses import BadEndpoint, allowed, check_service, is_named
from rum500.server.push.vapid import VapidKey
from rum500.server.work_scheduler import Asker, Busy, Turn, Work, WorkScheduler
from rum500.store import BrowserRow

if TYPE_CHECKING:
    import aiohttp

Outcome = Literal["sent", "gone", "failed"]
CONNECT_S, PATIENCE_S = 3.0, 8.0
"""The seconds within which a push service must accept a connection, and a message."""
LANES = 128
"""The number of messages that are sent at the same time; at most a sixteenth of them to one push service."""
MOST_FAILURES, REST_S, LONGEST_REST_S = 3, 60.0, 3_600.0
"""After `MOST_FAILURES` messages in a row without an answer, a push service is not used for `REST_S` seconds,
then for twice as long each time, up to `LONGEST_REST_S`.
"""
_MOST_KNOWN = 1_000
_UNPROVEN = "unproven"
KEPT_S = 86_400
"""How many seconds a push service keeps a message for a browser that it cannot reach."""
_GONE = (404, 410)


class _Silence:
    """Stores which push services answered. One that repeatedly did not answer is not used for a while."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._answered: dict[str, None] = {}
        self._failures: dict[str, tuple[int, float]] = {}

    def answered(self, service: str) -> bool:
        """Return whether the last message to a service was answered."""
        return service in self._answered

    def is_paused(self, service: str) -> bool:
        """Return whether a service is not used now, because it did not answer several messages."""
        return self._failures.get(service, (0, 0.0))[1] > self._clock()

    def note(self, service: str, *, answered: bool) -> None:
        """Record whether a service has answered."""
        self._answered.pop(service, None)
        if answered:
            self._answered[service] = None
            if len(self._answered) > _MOST_KNOWN:
                del self._answered[next(iter(self._answered))]
            self._failures.pop(service, None)
            return
        if len(self._failures) > _MOST_KNOWN:
            self._failures = {each: found for each, found in self._failures.items() if self.is_paused(each)}
        failures, until = self._failures.get(service, (0, 0.0))
        if until <= self._clock():
            failures += 1
            if failures >= MOST_FAILURES:
                doubled = REST_S * 2.0 ** min(failures - MOST_FAILURES, 10)
                until = self._clock() + min(LONGEST_REST_S, doubled)
            self._failures[service] = failures, until


class PushSender:
    """Encrypts, signs and sends messages.

    It connects only to `services` at public addresses, and to addresses in `networks`. Push services share
    the lanes of the scheduler, and guests share the lanes of each service. Services that only `*` allows
    count as one service until they answer, because anybody can run many services that never answer.
    """

    def __init__(
        self,
        key: VapidKey,
        networks: Sequence[str],
        services: Sequence[str] = (),
        scheduler: WorkScheduler | None = None,
    ) -> None:
        self.key = key
        self.networks = networks
        self.services = services
        self._scheduler = scheduler or WorkScheduler({"push": LANES})
        self._silence = _Silence(asyncio.get_running_loop().time)
        self._session: aiohttp.ClientSession | None = None
        self._opening = asyncio.Lock()
        self._webpush: Any = None

    async def send(self, browser: BrowserRow, message: bytes) -> Outcome:
        """Send a message to a browser and return the outcome; `gone`: the subscription no longer exists."""
        try:
            host, port = check_service(browser.endpoint, self.services, self.networks)
        except BadEndpoint as error:
            log().warning("push.failed", status=None, error=str(error))
            return "failed"
        service = f"{host}:{port}"
        proven = self._silence.answered(service) or is_named(host, port, self.services)
        who = Asker(browser.guest_id, service if proven else _UNPROVEN)

        async def run(_turn: Turn) -> Outcome:
            return (
                "failed" if self._silence.is_paused(service) else await self._send(browser, message, service)
            )

        try:
            outcome: Outcome = await self._scheduler.submit(Work.PUSH, who, run)
        except Busy:
            return "failed"
        return outcome

    async def _send(self, browser: BrowserRow, message: bytes, service: str) -> Outcome:
        answered = True
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
            answered = status is not None
            if status in _GONE:
                return "gone"
            log().warning("push.failed", status=status, error=type(error).__name__)
            return "failed"
        finally:
            self._silence.note(service, answered=answered)
        return "sent"

    async def _open(self) -> aiohttp.ClientSession:
        """Return the HTTP session.

        The first call creates it and imports `pywebpush`, in a thread because the import is slow.
        """
        async with self._opening:
            if self._session is None:
                self._webpush = await asyncio.to_thread(importlib.import_module, "pywebpush")
                self._session = self._new_session()
            return self._session

    def _new_session(self) -> aiohttp.ClientSession:
        import aiohttp  # noqa: PLC0415 - as in `_open`

        class Answer(aiohttp.ClientResponse):
            """An answer whose status alone counts; its body is not read, so its size does not matter."""

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
            connector=aiohttp.TCPConnector(limit=LANES, socket_factory=self._socket),
            timeout=aiohttp.ClientTimeout(total=PATIENCE_S, sock_connect=CONNECT_S),
            response_class=Answer,
            trace_configs=[watch],
            trust_env=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    def _socket(self, address: Any) -> socket.socket:
        """Return a socket for this address, to which the URL's host name was resolved.

        The name may have resolved to another address before. Raises `OSError` if this address is not allowed.
        """
        family, kind, protocol, _, place = address
        if not allowed(str(place[0]), self.networks):
            raise OSError("the push service is not at a public address")
        return socket.socket(family, kind, protocol)

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
