"""Attacks on a real server by sockets; other clients must not be affected."""

from __future__ import annotations

import base64
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError

import pytest
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode

from rum500.server.transport.websocket import WebSocketConnection
from tests.support.live_server import Guest as Person
from tests.support.live_server import LiveServer
from tests.support.serving import PROTOCOL, Running
from tests.support.waiting import PATIENCE, attempts, until

# --- handshakes ---------------------------------------------------------------------------------------


def upgrade(*headers: str, first: str = "GET /ws/none HTTP/1.1") -> bytes:
    """A WebSocket's handshake with these headers added."""
    key = base64.b64encode(bytes(16)).decode()
    lines = [
        first,
        "Host: 127.0.0.1",
        "Connection: Upgrade",
        "Upgrade: websocket",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Protocol: {PROTOCOL}",
        *headers,
        "",
        "",
    ]
    return "\r\n".join(lines).encode("latin-1")


MALFORMED = {
    "a control character": upgrade("X-Odd: a\x01b"),
    "too many headers": upgrade(*(f"X-{number}: 1" for number in range(140))),
    "a long header": upgrade(f"X-Long: {'x' * 9000}"),
    "a body": upgrade("Content-Length: 5") + b"hello",
    "a body in chunks": upgrade("Transfer-Encoding: chunked") + b"0\r\n\r\n",
}


@pytest.mark.parametrize("request_", MALFORMED.values(), ids=MALFORMED)
def test_malformed_handshake_is_refused_and_closed(tmp_path: Path, request_: bytes) -> None:
    with (
        Running(tmp_path) as server,
        socket.create_connection(("127.0.0.1", server.port), PATIENCE) as attacker,
    ):
        attacker.sendall(request_)
        heard = b""
        while piece := attacker.recv(65_536):
            heard += piece
        assert heard[:13] in (b"HTTP/1.1 400 ", b"HTTP/1.1 431 ")
        until(lambda: not server.connections)


def test_server_exits_with_zero_while_malformed_handshakes_are_open(tmp_path: Path) -> None:
    with ExitStack() as opened:
        server = LiveServer(tmp_path, "--log", "json").start()
        process = server._process
        assert process is not None
        for request_ in MALFORMED.values():
            attacker = opened.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
            attacker.sendall(request_)
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as other:
            other.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert other.recv(100).startswith(b"HTTP/1.1 200 ")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        server.end()
        assert "Traceback" not in server.log
        assert '"event":"server.stopped"' in server.log.splitlines()[-1].replace('": "', '":"')


# --- control frames -----------------------------------------------------------------------------------


@contextmanager
def narrow(server: Running, source: str = "127.0.0.1") -> Iterator[socket.socket]:
    """A connection that takes in as little as the system allows before it is read."""
    with socket.socket() as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.bind((source, 0))
        made.settimeout(PATIENCE)
        made.connect(("127.0.0.1", server.port))
        yield made


def flood(attacker: socket.socket, data: bytes, most: int) -> int:
    """Send this again and again and read nothing, until the server has had enough; the bytes that it took."""
    taken = 0
    attacker.settimeout(0.2)
    with suppress(ConnectionError):  # the server closes the connection
        for _ in attempts():
            if taken >= most:
                break
            with suppress(TimeoutError):
                taken += attacker.send(data)
    return taken


@contextmanager
def watched(wire: WebSocketConnection) -> Iterator[list[int]]:
    """The bytes that wait to be sent after each write."""
    transport, waiting = wire.transport, list[int]()

    class Watched:
        def __getattr__(self, name: str) -> object:
            return getattr(transport, name)

        def write(self, data: bytes) -> None:
            transport.write(data)
            waiting.append(transport.get_write_buffer_size())

    wire.transport = Watched()  # type: ignore[assignment]
    yield waiting


PING = Frame(Opcode.PING, bytes(125)).serialize(mask=True)
ASK = Frame(Opcode.TEXT, b'{"type":"ask","id":"1","about":"turn"}').serialize(mask=True)


@pytest.mark.parametrize("frames", [PING, 100 * PING, ASK, 100 * ASK], ids=["ping", "pings", "ask", "asks"])
def test_unsent_bytes_for_a_client_that_does_not_read_are_limited(tmp_path: Path, frames: bytes) -> None:
    """Even without limits on messages: a flood of frames with answers makes no more than `outbox_kb` wait."""
    with (
        Running(tmp_path, outbox_kb=64, handshake_s=1) as server,
        server.guest() as ada,
        narrow(server) as attacker,
    ):
        attacker.sendall(upgrade(f"Cookie: {ada.cookie}", first=f"GET /ws/{ada.table()} HTTP/1.1"))
        assert attacker.recv(4096).startswith(b"HTTP/1.1 101 ")
        attacker.sendall(Frame(Opcode.TEXT, b'{"type":"join","id":"1"}').serialize(mask=True))
        wire = server.websocket
        with watched(wire) as waiting:
            taken = flood(attacker, frames, 2_000_000)
            until(lambda: waiting)
        assert max(waiting) <= 70 * 1024
        if taken < 2_000_000:
            until(lambda: not server.connections.websockets)


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
def test_control_frames_count_as_messages(tmp_path: Path, opcode: Opcode) -> None:
    with (
        Running(tmp_path, limits=True, messages="30 per hour") as server,
        server.guest() as ada,
        ada.join(ada.table()) as talk,
    ):
        frame = Frame(opcode, b"").serialize(mask=True)
        for _ in range(29):
            talk.wire.socket.sendall(frame)
        assert talk.ask("ping")["reason"]["code"] == "limit.messages"
        with suppress(OSError):
            for _ in range(19):
                talk.wire.socket.sendall(frame)
        assert talk.closing_code() == 1008
        assert {message["reason"]["code"] for message in talk.seen[1:]} == {"limit.messages"}


def test_pings_are_answered(tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.guest() as ada, ada.join(ada.table()) as talk:
        assert talk.wire.ping(b"here").wait(PATIENCE)
        assert talk.ask("ping")["type"] == "pong"


# --- clients that do not read -------------------------------------------------------------------------

ASSET = "assets/large.js"


def with_page(data: Path) -> Path:
    """Give the server in this folder a page with a large file."""
    (data / "page" / "assets").mkdir(parents=True)
    (data / "page" / "index.html").write_text("<!doctype html>")
    (data / "page" / ASSET).write_bytes(bytes(8_000_000))
    return data


def answered(server: Running, source: str) -> bool:
    """Whether a visitor from another address is answered."""
    with (
        suppress(OSError),
        socket.create_connection(("127.0.0.1", server.port), PATIENCE, (source, 0)) as one,
    ):
        one.sendall(b"GET /api/profiles HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return one.recv(100).startswith(b"HTTP/1.1 200 ")
    return False


@pytest.mark.parametrize("limits", [True, False], ids=["limits", "no limits"])
def test_clients_that_do_not_read_exclude_nobody(tmp_path: Path, limits: bool) -> None:
    with (
        Running(with_page(tmp_path), limits=limits, max_connections=100, handshake_s=300) as server,
        server.guest() as ada,
        ExitStack() as attackers,
    ):
        table = ada.table()
        with ada.join(table) as talk:
            for _ in range(226):
                attacker = attackers.enter_context(narrow(server, "127.0.0.2"))
                with suppress(ConnectionError):
                    attacker.sendall(10 * f"GET /{ASSET} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert answered(server, "127.0.0.3")
            assert answered(server, "127.0.0.2")
            assert talk.ask("ping")["type"] == "pong"
        with server.guest("Ben") as ben:
            ben.join(table).close()
        ada.join(table).close()


def test_clients_that_do_not_read_are_closed(tmp_path: Path) -> None:
    """Also those that asked for so little that the server has done its part, and waits to close."""
    with Running(with_page(tmp_path), handshake_s=1) as server, ExitStack() as attackers:
        connections = server.connections
        for close in ("", "Connection: close\r\n"):
            attacker = attackers.enter_context(narrow(server))
            attacker.sendall(f"GET /{ASSET} HTTP/1.1\r\nHost: 127.0.0.1\r\n{close}\r\n".encode())
        until(lambda: len(connections) == 2)
        until(lambda: not connections)


def test_slow_reader_receives_everything(tmp_path: Path) -> None:
    with Running(with_page(tmp_path), handshake_s=1) as server, narrow(server) as reader:
        reader.sendall(f"GET /{ASSET} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        heard = 0
        while piece := reader.recv(20_000):
            heard += len(piece)
        assert heard > 8_000_000


def test_new_connection_replaces_an_idle_one_of_the_same_address(tmp_path: Path) -> None:
    with Running(tmp_path, limits=True, http_per_address=3) as server, ExitStack() as opened:
        idle = [opened.enter_context(narrow(server, "127.0.0.2")) for _ in range(3)]
        assert answered(server, "127.0.0.2")
        assert idle[0].recv(1) == b""
        assert answered(server, "127.0.0.3")
        for one in idle[1:]:
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert one.recv(100).startswith(b"HTTP/1.1 200 ")


def test_last_connections_are_reserved_for_seated_guests(tmp_path: Path) -> None:
    with (
        Running(tmp_path, max_connections=20) as server,
        server.guest("Ada") as ada,
        ExitStack() as opened,
    ):
        table = ada.table()
        for _ in range(18):
            watcher = opened.enter_context(server.guest())
            opened.enter_context(watcher.connect(table))
        late = opened.enter_context(server.guest())
        with pytest.raises(InvalidStatus) as caught:
            late.connect(table)
        assert caught.value.response.status_code == 429
        assert b"limit.max_connections" in bytes(caught.value.response.body or b"")
        with ada.join(table) as talk:
            assert talk.ask("ping")["type"] == "pong"


# --- clocks -------------------------------------------------------------------------------------------

SET_BACK = """
import time, pathlib
real, mark = time.time, pathlib.Path({mark!r})
time.time = lambda: real() - 3600 * mark.exists()
"""


@pytest.mark.whole
def test_clock_set_back_blocks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "set-back"
    (tmp_path / "sitecustomize.py").write_text(SET_BACK.format(mark=str(mark)))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with LiveServer(tmp_path / "data", "--names", "1 per second") as server:
        ada = Person(server, "Ada")
        mark.touch()

        def renamed() -> bool:
            with suppress(HTTPError):
                return bool(ada.call("PUT", "/api/me", {"name": "Ada L."}))
            return False

        until(renamed)


# --- clients that leave -------------------------------------------------------------------------------


def test_work_ends_when_its_client_leaves_while_it_waits_or_runs(tmp_path: Path) -> None:
    """One question runs without end, the next one waits for its lane; both connections are dropped."""
    modules = ("--bot-modules", "tests.support.endless_practice", "--bot-workers", "1")
    with LiveServer(tmp_path, *modules) as server, ExitStack() as opened:
        guest = Person(server)

        def figure(name: str) -> float:
            rows = dict(line.rsplit(" ", 1) for line in guest.call("GET", "/metrics").splitlines())
            return float(rows.get(f'rum500_work_{name}{{work="practice"}}', 0))

        def ask(seed: int) -> socket.socket:
            client = opened.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
            path = f"/api/drills/discard/500-rum/2/{seed}/1"
            lines = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {guest.cookie}\r\n\r\n"
            client.sendall(lines.encode())
            return client

        running, waiting = ask(1), ask(2)
        until(lambda: figure("waiting") == 1)
        waiting.close()
        until(lambda: figure("waiting") == 0)
        assert figure("wait_seconds_count") == 0
        running.close()
        until(lambda: figure("wait_seconds_count") == 1)
