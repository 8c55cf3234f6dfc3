"""A real server for tests, on a free port in a thread."""

from __future__ import annotations

import asyncio
import gzip
import json
import ssl
import threading
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from rum500.server.app import Application
from rum500.server.config import Config
from rum500.server.cookies import COOKIE, Cookies, secret_key
from rum500.server.guests import Cookie, now_ms
from rum500.server.live.log.time_source import LoopTime
from rum500.server.messages.field_types import PROTOCOL
from rum500.server.run import Server, bind
from rum500.server.transport.connections import Connections
from rum500.server.transport.websocket import WebSocketConnection
from tests.support.waiting import PATIENCE

T = TypeVar("T")
#: No certificates are used here, and reading the authorities takes each client 30 ms.
_NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
HTML = {"accept": "text/html,application/xhtml+xml"}
"""The headers with which a browser opens a page."""


def write_page(data: Path) -> None:
    """Write a small page, as a build makes it, for a server on this folder."""
    page = data / "page"
    (page / "assets").mkdir(parents=True)
    script = b"console.log('rum500');" * 50
    (page / "index.html").write_bytes(b"<!doctype html><title>rum500</title>")
    (page / "assets" / "app-1a2b.js").write_bytes(script)
    (page / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(script))
    (page / "assets" / "app-1a2b.js.br").write_bytes(b"not really brotli")
    (page / "offline").mkdir()
    (page / "offline" / "pack.json").write_bytes(b"{}")
    for name in ("python-3c4d.mjs", "python-5e6f.wasm", "rum500-7a8b.zip"):
        (page / "offline" / f"{name}.br").write_bytes(b"not really brotli")
    (page / "sw.js").write_bytes(b"// none")
    (page / "manifest.webmanifest").write_bytes(b"{}")
    addresses = ("", "new", "t", "day", "rules", "guide", "settings", "tips", "about")
    early = {"views": {part: [] for part in addresses}, "languages": {}}
    (page / "early.json").write_text(json.dumps(early))


def cookie_of(secret: Path, guest: str) -> str:
    """Return the value of a cookie of the guest with this id, signed with the key in the file `secret`."""
    made = Cookies(secret_key(secret)).header(Cookie(guest, 0, now_ms()), secure=False)
    return made.partition(";")[0].partition("=")[2].strip('"')


class Running:
    """A server that runs while the `with` block does, and a guest to talk to it."""

    def __init__(self, data: Path, time: Callable[[], LoopTime] = LoopTime, **changes: Any) -> None:
        """Set the folder and the configuration; `time` makes the clock on the server's loop."""
        settings: dict[str, Any] = {
            "data": data,
            "port": 0,
            "open": False,
            "limits": False,
            "bot_pause_ms": 0,
            "review_niceness": 0,
        }
        self.config = Config(**(settings | changes))
        self.application = Application(self.config, page=data / "page", time=time)
        self.port = 0
        self.loop: asyncio.AbstractEventLoop
        self._ready = threading.Event()
        self._server: Server
        self._thread = threading.Thread(target=self._run, name="server")
        self._crash: BaseException | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(PATIENCE), "the server does not start"
        if self._crash is not None:
            self._thread.join()
            raise self._crash
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        bound = bind(self.config.host, 0)
        self.port = bound.getsockname()[1]
        self._server = Server(self.config, self.application, self._started)
        try:
            self._server.run([bound])
        except BaseException as error:  # noqa: BLE001 - it is raised in the test's thread
            self._crash = self.application.failure or error
        finally:
            bound.close()
            self._ready.set()

    def _started(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._ready.set()

    def stop(self) -> None:
        """Stop the server in good order, as after a signal."""
        if self._thread.is_alive():
            self._server.stop()
            self._thread.join(PATIENCE)
            assert not self._thread.is_alive(), "the server does not end"

    def on_loop(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the server's event loop and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    @property
    def connections(self) -> Connections:
        """The open connections."""
        return self._server.connections

    @property
    def websocket(self) -> WebSocketConnection:
        """The only open WebSocket."""
        (websocket,) = self.connections.websockets
        return cast("WebSocketConnection", websocket)

    @property
    def url(self) -> str:
        """The address."""
        return f"http://127.0.0.1:{self.port}"

    def client(self, **settings: Any) -> httpx.Client:
        """Return a browser without a cookie."""
        return httpx.Client(base_url=self.url, timeout=PATIENCE, verify=_NO_AUTHORITIES, **settings)

    def guest(self, name: str | None = None, known: str | None = None) -> Guest:
        """Return a guest, who has a cookie; `known` is the id of a guest whom the database knows."""
        return Guest(self, name, known)


class Guest:
    """Somebody with a browser."""

    def __init__(self, running: Running, name: str | None = None, known: str | None = None) -> None:
        self.running = running
        self.http = running.client()
        if known is not None:
            value = cookie_of(running.config.secret_file, known)
            self.http.cookies.set(COOKIE, value, domain="127.0.0.1", path="/")
        self.me = self.http.get("/api/me").json()
        if name is not None:
            self.me = self.http.put("/api/me", json={"name": name}).json()

    @property
    def cookie(self) -> str:
        """The cookie's header."""
        return f"rum500={self.http.cookies['rum500']}"

    def table(self, **options: Any) -> str:
        """Make a table and return its id."""
        made = self.http.post("/api/tables", json={"profile": "500-rum", "players": 2} | options)
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    def connect(self, table: str, **settings: Any) -> Socket:
        """Connect to a table without sending anything."""
        return Socket(
            connect(
                f"ws://127.0.0.1:{self.running.port}/ws/{table}",
                subprotocols=[PROTOCOL],  # type: ignore[list-item] - a NewType of str
                additional_headers={"Cookie": self.cookie},
                compression=None,
                **settings,
            )
        )

    def join(self, table: str, last: int = 0) -> Socket:
        """Connect to a table and join it."""
        socket = self.connect(table)
        socket.sync = socket.ask("join", last=last)
        return socket

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()


class Socket:
    """A connection to a table."""

    def __init__(self, opening: AbstractContextManager[ClientConnection]) -> None:
        self._opening = opening
        self.wire: ClientConnection = opening.__enter__()
        self.sync: dict[str, Any] = {}
        self.seen: list[dict[str, Any]] = []
        self._number = 0

    def say(self, kind: str, **fields: Any) -> str:
        """Send a message and return its id."""
        self._number += 1
        message = {"type": kind, "id": f"m{self._number}"} | fields
        self.wire.send(json.dumps(message))
        return str(message["id"])

    def hear(self) -> dict[str, Any]:
        """Return the next message."""
        message = json.loads(self.wire.recv(PATIENCE))
        self.seen.append(message)
        return message

    def answer_to(self, asked: str | None) -> dict[str, Any]:
        """Return the answer to the message with this id; messages before it are added to `seen`."""
        while True:
            message = self.hear()
            if message.get("re", message) == asked:
                return message

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a message and wait for its answer."""
        return self.answer_to(self.say(kind, **fields))

    def closing_code(self) -> int | None:
        """Receive everything that is left; return the code of the server's close, None if there is none."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as closed:
            return None if closed.rcvd is None else closed.rcvd.code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._opening.__exit__(None, None, None)
