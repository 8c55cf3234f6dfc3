"""Connections to tables, on a real server with real WebSockets: handshake, limits, shutdown."""

from __future__ import annotations

import json
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from tests.support.live_server import Guest as Person
from tests.support.live_server import LiveServer, play_on
from tests.support.serving import PROTOCOL, Running, Socket
from tests.support.storing import file_system, may_mount
from tests.support.waiting import PATIENCE, attempts


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("ws")) as running:
        yield running


def refused(server: Running, table: str, **settings: Any) -> tuple[int, str]:
    """The status and the code with which a handshake is refused."""
    headers = settings.pop("headers", {})
    settings = {"subprotocols": [PROTOCOL]} | settings
    with (
        pytest.raises(InvalidStatus) as caught,
        connect(f"ws://127.0.0.1:{server.port}/ws/{table}", additional_headers=headers, **settings),
    ):
        pass
    response = caught.value.response
    assert response.headers["Content-Type"] == "application/json"
    return response.status_code, json.loads(response.body or b"")["code"]


# --- coming in ----------------------------------------------------------------------------------------


def test_join_is_answered_with_the_table(server: Running) -> None:
    with server.guest("Ada") as ada, ada.join(ada.table(bots=[None, "greedy"])) as talk:
        assert talk.sync["type"] == "sync"
        assert talk.sync["options"]["profile"] == "500-rum"
        assert talk.sync["you"]["seat"] == 0
        assert [seat["kind"] for seat in talk.sync["shared"]["seats"]] == ["person", "bot"]
        assert talk.ask("ping")["type"] == "pong"
        assert talk.wire.subprotocol == PROTOCOL


def test_refused_handshake_has_status_and_code(server: Running) -> None:
    with server.guest() as ada:
        table, cookie = ada.table(), {"Cookie": ada.cookie}
        assert refused(server, table) == (401, "guest.unknown")
        assert refused(server, table, headers={"Cookie": ada.cookie[:-3] + 'xx"'}) == (401, "guest.unknown")
        assert refused(server, "none", headers=cookie) == (404, "table.unknown")
        assert refused(server, f"{table}/../{table}x", headers=cookie) == (404, "table.unknown")
        assert refused(server, table, headers=cookie, subprotocols=None) == (400, "message.protocol")
        assert refused(server, table, headers=cookie, origin="https://evil.example") == (
            403,
            "request.origin",
        )
        for own in (server.url, server.url.replace("http:", "https:")):
            with ada.connect(table, origin=own):
                pass
        assert ada.http.get(f"/ws/{table}").status_code == 404


def test_configured_origins_may_connect(tmp_path: Path) -> None:
    with (
        Running(tmp_path, origins=("https://club.example",), public_url=("https://cards.example",)) as server,
        server.guest() as ada,
    ):
        table = ada.table()
        for origin in ("https://club.example", "https://cards.example"):
            with ada.connect(table, origin=origin):
                pass
        assert refused(
            server, table, headers={"Cookie": ada.cookie}, origin="https://cards.example.evil"
        ) == (403, "request.origin")


def test_compression_is_not_negotiated(server: Running) -> None:
    with (
        server.guest() as ada,
        connect(
            f"ws://127.0.0.1:{server.port}/ws/{ada.table()}",
            subprotocols=[PROTOCOL],  # type: ignore[list-item]
            additional_headers={"Cookie": ada.cookie},
            compression="deflate",
        ) as wire,
    ):
        assert wire.response is not None
        assert "Sec-WebSocket-Extensions" not in wire.response.headers


def test_health_is_sent_over_a_websocket(server: Running) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/healthz") as wire:
        assert json.loads(wire.recv(PATIENCE))["status"] == "ok"


def test_newer_connection_of_a_seat_replaces_the_older(server: Running) -> None:
    with server.guest() as ada:
        table = ada.table()
        with ada.join(table) as first, ada.join(table) as second:
            assert first.hear() == {"type": "bye", "reason": "elsewhere"}
            assert first.closing_code() == 1000
            assert second.ask("ping")["type"] == "pong"


# --- messages that are none ---------------------------------------------------------------------------


def test_first_message_must_be_a_join(server: Running) -> None:
    with server.guest() as ada, ada.connect(ada.table()) as talk:
        answer = talk.ask("sit")
        assert (answer["type"], answer["reason"]["code"]) == ("refused", "message.join_first")
        assert talk.ask("join")["type"] == "sync"


@pytest.mark.parametrize(
    ("text", "re_"),
    [
        ("", None),
        ("{", None),
        ("null", None),
        ("[]", None),
        ('{"type":"ping"}', None),
        ('{"type":"ping","id":""}', ""),
        ('{"type":"ping","id":5}', None),
        (json.dumps({"type": "ping", "id": "x" * 41}), None),
        ('{"type":"fly","id":"a"}', "a"),
        ('{"type":"ping","id":"a","more":1}', "a"),
        ('{"type":"play","id":"a","asked":-1,"play":"1"}', "a"),
        ('{"type":"play","id":"a","asked":1,"play":"1e5"}', "a"),
        ('{"type":"chat","id":"a","text":""}', "a"),
        (json.dumps({"type": "chat", "id": "a", "text": "x" * 301}), "a"),
        ('{"type":"sit","id":"a","seat":8}', "a"),
        ('{"type":"seed","id":"a","shuffle":1,"value":"zz"}', "a"),
        ("[" * 4000, None),
        ('{"a":' + "[" * 8000, None),
        ('{"type":"ping","id":"a","more":' + "[" * 4000 + "]" * 4000 + "}", None),
    ],
)
def test_invalid_message_is_refused_and_the_connection_stays_open(
    server: Running, text: str, re_: str | None
) -> None:
    with server.guest() as ada, ada.join(ada.table()) as talk:
        talk.wire.send(text)
        answer = talk.hear()
        assert (answer["type"], answer["reason"]["code"]) == ("refused", "message.invalid")
        assert answer["re"] == re_
        assert talk.ask("ping")["type"] == "pong"


def test_connection_is_closed_after_twenty_invalid_messages(server: Running) -> None:
    with server.guest() as ada, ada.join(ada.table()) as talk:
        for _ in range(20):
            talk.wire.send(b"\x00\x01")
        assert talk.closing_code() == 1008
        assert {message["reason"]["code"] for message in talk.seen[1:]} == {"message.binary"}


def test_too_large_frame_closes_only_its_connection(server: Running) -> None:
    with server.guest() as ada, server.guest() as ben:
        table = ada.table(players=2)
        with ada.join(table) as talk, ben.join(table) as other:
            talk.wire.send('{"type":"ping","id":"1"}' + " " * 8200)
            assert talk.closing_code() == 1009
            with ada.join(table) as again:
                with suppress(ConnectionClosed):  # the server may have had enough before all is sent
                    again.wire.send([" " * 4000, " " * 4000, " " * 4000])
                assert again.closing_code() == 1009
            assert other.ask("ping")["type"] == "pong"


def test_fragments_are_joined_and_too_many_close_the_connection(server: Running) -> None:
    with server.guest() as ada:
        table = ada.table()
        with ada.join(table) as talk:
            talk.wire.send(['{"type":"ping",', '"id":"a b"}'])
            assert talk.hear() == {"type": "pong", "re": "a b"}
            with suppress(ConnectionClosed):  # the server may have had enough before all is sent
                talk.wire.send([" "] * 40)
            assert talk.closing_code() == 1009


@pytest.mark.parametrize("cut", [1, 2, 5, 6, 10, -1])
def test_frames_are_read_from_any_pieces(server: Running, cut: int) -> None:
    whole, first, second, cut_up, after = (
        Frame(Opcode.TEXT, b'{"type":"ping","id":"%d"}' % number).serialize(mask=True) for number in range(5)
    )
    sign, ping = (Frame(kind, b"?").serialize(mask=True) for kind in (Opcode.PONG, Opcode.PING))
    with (
        server.guest() as ada,
        server.guest() as ben,
        ada.join(ada.table()) as talk,
        ben.join(ben.table()) as other,
    ):
        for piece in (whole, sign, ping, first + sign + second, sign + cut_up[:cut], cut_up[cut:], after):
            talk.wire.socket.sendall(piece)
            other.ask("ping")  # by its answer the piece has been read, by itself
        assert [talk.hear()["re"] for _ in range(5)] == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize("cut", [1, 2, 5, 6, 10, -1])
def test_first_frame_may_arrive_in_pieces(server: Running, cut: int) -> None:
    cut_up, after = (
        Frame(Opcode.TEXT, b'{"type":"ping","id":"%d"}' % number).serialize(mask=True) for number in range(2)
    )
    with (
        server.guest() as ada,
        server.guest() as ben,
        ada.join(ada.table()) as talk,
        ben.join(ben.table()) as other,
    ):
        for piece in (cut_up[:cut], cut_up[cut:] + after[:cut], after[cut:]):
            talk.wire.socket.sendall(piece)
            other.ask("ping")
        assert [talk.hear()["re"] for _ in range(2)] == ["0", "1"]


def test_unmasked_frame_closes_the_connection(server: Running) -> None:
    with server.guest() as ada, ada.join(ada.table()) as talk:
        frame = Frame(Opcode.TEXT, b'{"type":"ping","id":"1"}').serialize(mask=False)
        talk.wire.socket.sendall(frame)
        assert talk.closing_code() == 1002


# --- those who are slow, or never come in -------------------------------------------------------------


def test_connection_without_join_is_closed_after_the_timeout(tmp_path: Path) -> None:
    with Running(tmp_path, handshake_s=1) as server, server.guest() as ada:
        table = ada.table()
        with ada.connect(table) as idle, ada.join(table) as talk:
            assert idle.closing_code() == 1008
            assert talk.ask("ping")["type"] == "pong"


def ask_without_end(talk: Socket) -> None:
    for _ in attempts():
        talk.say("ask", about="turn")


def test_viewer_that_does_not_read_is_closed_and_delays_no_other(tmp_path: Path) -> None:
    with Running(tmp_path, outbox_kb=16) as server, server.guest() as ada, server.guest() as ben:
        table = ada.table()
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", server.port))
        with ada.connect(table, sock=narrow) as slow, ben.join(table) as fast:
            slow.ask("join")
            # The client's reader stops at a few unread messages: the answers to its questions pile up.
            with pytest.raises(ConnectionClosed):
                ask_without_end(slow)
            assert fast.ask("ping")["type"] == "pong"


def test_thousand_incomplete_requests_delay_nobody_and_are_closed(tmp_path: Path) -> None:
    with Running(tmp_path, handshake_s=3) as server, server.guest() as ada, ExitStack() as opened:
        table = ada.table()
        half = []
        for number in range(1000):
            one = opened.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
            if number % 3 == 1:
                one.sendall(b"GET /api/me HTTP/1.1\r\nHost: x\r\n")
            elif number % 3 == 2:
                one.sendall(b"PUT /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{")
            half.append(one)
        with ada.join(table) as talk:
            for _ in range(20):
                assert talk.ask("ping")["type"] == "pong"
            assert ada.http.get("/api/tables/mine").status_code == 200
        for one in half:
            one.settimeout(PATIENCE)
            with suppress(ConnectionResetError):
                assert b"HTTP/1.1 2" not in one.recv(1000)
        assert ada.http.get("/healthz").status_code == 200


# --- a disk that is full ------------------------------------------------------------------------------

needs_mount = pytest.mark.skipif(not may_mount(), reason="mounting a small disk needs root")


def sit_and_stand(talk: Socket, times: int) -> str | None:
    """Change the table until it cannot be kept; the code of the refusal, if it came to that."""
    for _ in range(times):
        for kind in ("stand", "sit"):
            answer = talk.ask(kind)
            if answer["type"] == "refused":
                return str(answer["reason"]["code"])
    return None


@needs_mount
def test_full_disk_refuses_moves_until_there_is_room(tmp_path: Path) -> None:
    with (
        file_system(tmp_path / "disk", "3m"),
        Running(tmp_path / "disk") as server,
        server.guest("Ada") as ada,
    ):
        table = ada.table()
        ballast = tmp_path / "disk" / "ballast"
        ballast.write_bytes(bytes(1_500_000))
        with ada.join(table) as talk:
            assert sit_and_stand(talk, 3000) == "store.full"
            health = ada.http.get("/healthz")
            assert (health.status_code, health.json()["store"]) == (503, "store.full")
            answer = ada.http.post("/api/tables", json={"profile": "500-rum"})
            assert (answer.status_code, answer.json()["code"]) == (503, "store.full")
            assert str(tmp_path) not in answer.text
            assert talk.ask("ping")["type"] == "pong"
            with ada.join(table) as before:  # what was acknowledged is what there is
                seats = before.sync["shared"]["seats"]
                ballast.unlink()
                assert sit_and_stand(before, 2) is None
                assert ada.http.get("/healthz").status_code == 200
            assert seats[0]["kind"] in ("person", "empty")


# --- the end ------------------------------------------------------------------------------------------


def iter_messages(wire: ClientConnection) -> Iterator[dict[str, Any]]:
    """What is still to be heard until the connection is closed."""
    with suppress(ConnectionClosed):
        while True:
            yield json.loads(wire.recv(PATIENCE))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=lambda how: how.name)
def test_signal_sends_bye_and_exits_with_zero(tmp_path: Path, how: signal.Signals) -> None:
    server = LiveServer(tmp_path, "--log", "json").start()
    process = server._process
    assert process is not None
    ada = Person(server, "Ada")
    address = f"ws://127.0.0.1:{server.port}/ws/{ada.new_table(players=2)}"
    with connect(address, subprotocols=[PROTOCOL], additional_headers={"Cookie": ada.cookie}) as wire:  # type: ignore[list-item]
        wire.send('{"type":"join","id":"1"}')
        assert json.loads(wire.recv(PATIENCE))["type"] == "sync"
        process.send_signal(how)
        heard = list(iter_messages(wire))
        assert heard[-1] == {"type": "bye", "reason": "restart"}
        assert process.wait(PATIENCE) == 0
    server.end()
    entries = [json.loads(line) for line in server.log.splitlines()]
    assert [entry["event"] for entry in entries] == ["server.started", "table.created", "server.stopped"]


# --- the log ------------------------------------------------------------------------------------------

CARDS = re.compile(r"(?<![\w-])(?:10|[2-9TJQKA])[SHDC♠♥♦♣](?![\w-])|(?<![\w-])JK(?![\w-])")


def test_log_contains_no_card(tmp_path: Path) -> None:
    assert CARDS.search('"hand":["10S"]') and CARDS.search("meld QD KD") and not CARDS.search("3_ATmFG2S")
    with LiveServer(
        tmp_path, "--log", "json", "--log-level", "debug", "--bot-pause-ms", "0", "--no-limits"
    ) as server:
        ada = Person(server, "Ada")
        table = ada.new_table("rummy-500", players=2, bots=[None, "greedy"], start=True)
        with ada.at(table) as seat:
            play_on([seat], lambda facts: bool(facts.get("scores")))
            seat.say("say", asked=0, text="meld 6S 7S 8S")
            seat.say("play", asked=0, play="12345")
            seat.say("chat", text="I had the QD and the KD")
    assert "table.created" in server.log
    for line in server.log.splitlines():
        assert not CARDS.search(line), line
        assert table not in line
