"""Push notifications over HTTP: which browsers get one when a table waits for their guest."""

from __future__ import annotations

import asyncio
import base64
import binascii

from msgspec.structs import asdict

from rum500.server.config import ConfigError
from rum500.server.guests import now_ms
from rum500.server.http.endpoint import ApiError, ApiRequest, answers
from rum500.server.limits import Limits
from rum500.server.logs import log
from rum500.server.messages.http import BrowserEndpoint, Notices
from rum500.server.push.allowed_addresses import BadEndpoint, check_endpoint
from rum500.server.push.push_sender import PushSender
from rum500.server.push.quiet_hours import time_zone
from rum500.server.work_scheduler import Light
from rum500.store import Browser, BrowserRow, Store

MOST_BROWSERS = 10
"""The most browsers of a guest; beyond this number, the one that subscribed least recently is removed."""
_SECRET_BYTES = 16


class NoticeHandlers:
    """The handlers of the requests of browsers that subscribe to push notifications."""

    def __init__(self, store: Store, limits: Limits, sender: PushSender | None) -> None:
        """Set the parts; `sender` is None if the operator has turned push notifications off."""
        self._store = store
        self._limits = limits
        self._sender = sender

    @answers("GET", "/api/notices", work=Light.CONSTANT)
    async def notices(self, _asker: ApiRequest) -> Notices:
        """Return the key that a browser needs to subscribe to push notifications."""
        if self._sender is None:
            return Notices(key=None)
        key = self._sender.key
        try:
            # In a thread: the first use imports a large library.
            return Notices(key=await asyncio.to_thread(lambda: key.public))
        except ConfigError as error:
            log().error("push.key", error=str(error))
            return Notices(key=None)

    @answers(
        "POST", "/api/notices/browsers", work=Light.ROWS, takes=Browser, status=201, refuses=(401, 409, 422)
    )
    async def add_browser(self, asker: ApiRequest) -> BrowserEndpoint:
        """Subscribe this browser to push notifications. They are sent when a table waits for the guest and
        the guest is not viewing the table.

        If the browser is already subscribed, it belongs to this guest from now on, with the new quiet hours.
        A guest has at most 10 browsers: beyond that, the one that subscribed least recently is removed.
        """
        guest, browser = asker.guest, asker.body
        self._limits.check("browsers", guest.id)
        if self._sender is None:
            raise ApiError(409, "push.off", "this server sends no messages to browsers")
        await asyncio.to_thread(_check_keys, browser)
        try:
            time_zone(browser.zone)
            await check_endpoint(browser.endpoint, self._sender.services, self._sender.networks)
        except BadEndpoint as error:
            raise ApiError(422, "push.endpoint", str(error)) from None
        except ValueError:
            raise ApiError(422, "push.zone", "there is no such time zone") from None
        row = BrowserRow(guest_id=guest.id, seen=now_ms(), **asdict(browser))
        await self._store.notices.save_browser(row, MOST_BROWSERS)
        return BrowserEndpoint(browser.endpoint)

    @answers("POST", "/api/notices/browsers/remove", work=Light.ROWS, takes=BrowserEndpoint, refuses=(401,))
    async def remove_browser(self, asker: ApiRequest) -> BrowserEndpoint:
        """Unsubscribe this browser."""
        self._limits.check("browsers", asker.guest.id)
        await self._store.notices.remove_browser(asker.body.endpoint)
        return BrowserEndpoint(asker.body.endpoint)


def _check_keys(browser: Browser) -> None:
    """Raise `ApiError` unless push notifications can be encrypted for this browser."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - large, and only push needs it

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(browser.p256dh))
        right = len(_bytes(browser.auth)) == _SECRET_BYTES
    except (ValueError, binascii.Error):
        right = False
    if not right:
        raise ApiError(422, "push.keys", "the keys are not those of a browser's subscription")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
