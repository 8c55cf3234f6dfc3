"""A push service on this machine, and browsers that have subscribed to it: they read what they are sent."""

from __future__ import annotations

import base64
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid

from rum500.store import BrowserRow


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushService:
    """Receives messages while the `with` block runs, and answers each with the status of its browser."""

    def __init__(self) -> None:
        self.browsers: dict[str, Browser] = {}
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                browser = service.browsers.get(self.path)
                status = 404 if browser is None else browser.status
                if browser is not None:
                    browser.asked += 1
                if browser is not None and browser.answer_after is not None:
                    browser.answer_after.wait()
                if browser is not None and status == 201:
                    browser.got.append(Message(browser, dict(self.headers.items()), body))
                elif browser is not None:
                    browser.refused += 1
                self.send_response(status)
                if status == 307:
                    self.send_header("location", self.path + "-elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def browser(self, *, guest: str = "", **fields: Any) -> Browser:
        """A browser that has just subscribed."""
        path = f"/push/{len(self.browsers)}"
        browser = self.browsers[path] = Browser(self.origin + path, guest, fields)
        return browser

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Browser:
    """A browser with a subscription, and the messages that it was sent."""

    def __init__(self, endpoint: str, guest: str, fields: dict[str, Any]) -> None:
        self.endpoint = endpoint
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.status = 201
        self.answer_after: threading.Event | None = None
        self.asked = self.refused = 0
        self.got: list[Message] = []
        self._guest = guest
        self._fields = {"language": "en", "zone": "UTC", "quiet_from": None, "quiet_to": None} | fields

    @property
    def subscription(self) -> dict[str, Any]:
        """Return the subscription as the page sends it to the server."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": base64url(point), "auth": base64url(self.secret)}
        return {"endpoint": self.endpoint, **keys, **self._fields}

    @property
    def row(self) -> BrowserRow:
        """Return the row that the server stores."""
        return BrowserRow(guest_id=self._guest, seen=1, **self.subscription)

    @property
    def notices(self) -> list[dict[str, Any]]:
        """The decrypted contents of the messages."""
        return [message.content for message in self.got]


class Message:
    """A message as a browser receives it; the sender's signature has been checked."""

    def __init__(self, browser: Browser, headers: dict[str, str], body: bytes) -> None:
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.body = body
        assert self.headers["content-encoding"] == "aes128gcm"
        plain = http_ece.decrypt(body, private_key=browser.key, auth_secret=browser.secret)
        self.content: dict[str, Any] = json.loads(plain)
        authorization = self.headers["authorization"]
        assert Vapid.verify(authorization)
        parts = dict(part.split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
        self.sender = parts["k"]
        self.claims: dict[str, Any] = json.loads(from_base64url(parts["t"].split(".")[1]))
