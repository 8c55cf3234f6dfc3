"""Limits by guest and address, and the refusals beyond them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from rum500.server.config import Config
from rum500.server.guests import Names
from rum500.server.limits import MOST_PAUSE_S, REFUSAL_EVERY_S, Limits, TooMany, address_of
from tests.support.serving import PROTOCOL, Running
from tests.support.waiting import PATIENCE


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_window_of_a_rate_begins_with_its_first_request() -> None:
    clock = Clock()
    limits = Limits(Config(names="3 per minute"), clock)
    assert [limits.within("names", "ada") for _ in range(4)] == [True, True, True, False]
    assert limits.within("names", "ben")
    clock.now += 59
    with pytest.raises(TooMany) as caught:
        limits.check("names", "ada")
    assert (caught.value.what, caught.value.retry_s) == ("names", 1)
    clock.now += 1
    assert limits.within("names", "ada")


def test_disabled_limits_allow_everything() -> None:
    limits = Limits(Config(names="", chats="1 per minute"), Clock())
    assert all(limits.within("names", "ada") for _ in range(1000))
    assert [limits.within("chats", "ada") for _ in range(2)] == [True, False]
    limits = Limits(Config(limits=False, chats="1 per minute", connections_per_address=1), Clock())
    assert all(limits.within("chats", "ada") for _ in range(1000))
    for _ in range(100):
        limits.hold("192.0.2.1")


def test_address_may_make_five_times_as_many_tables_as_a_guest() -> None:
    limits = Limits(Config(new_tables="2 per 3 minutes"), Clock())
    assert [limits.within("new_tables", "ada") for _ in range(3)] == [True, True, False]
    made = [limits.within("new_tables_by_address", "192.0.2.1") for _ in range(11)]
    assert made == [True] * 10 + [False]


def test_open_connections_are_limited_in_all_and_by_address() -> None:
    limits = Limits(Config(max_connections=3, connections_per_address=2), Clock())
    limits.hold("192.0.2.1")
    limits.hold("192.0.2.1")
    with pytest.raises(TooMany, match="connections_per_address"):
        limits.hold("192.0.2.1")
    limits.hold("192.0.2.2")
    with pytest.raises(TooMany, match="max_connections"):
        limits.hold("192.0.2.3")
    limits.release("192.0.2.1")
    limits.hold("192.0.2.3")
    assert limits.connections == 3


def test_answers_to_refused_requests_are_spread_over_time_by_address() -> None:
    clock = Clock()
    limits = Limits(Config(), clock)
    pauses = [limits.pause_of("192.0.2.1") for _ in range(300)]
    assert pauses[:3] == pytest.approx([0.0, REFUSAL_EVERY_S, 2 * REFUSAL_EVERY_S])
    assert max(pauses) == pytest.approx(MOST_PAUSE_S) == pytest.approx(pauses[-1])
    assert limits.pause_of("192.0.2.2") == 0.0
    clock.now += 1
    assert limits.pause_of("192.0.2.1") == pytest.approx(MOST_PAUSE_S - 1)
    clock.now += MOST_PAUSE_S
    assert limits.pause_of("192.0.2.1") == 0.0
    assert Limits(Config(limits=False), clock).pause_of("192.0.2.1") == 0.0


def test_ended_windows_are_removed() -> None:
    clock = Clock()
    limits = Limits(Config(chats="1 per 10 seconds"), clock)
    for number in range(5000):
        limits.within("chats", f"guest {number}")
        limits.pause_of(f"address {number}")
    clock.now += 11
    assert limits.within("chats", "ada")
    assert list(limits._windows) == [("chats", "ada")]
    assert not limits._refusals


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (("192.0.2.7", 5), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 5), "2001:db8:1:2::/64"),
        (("::ffff:192.0.2.7", 5), "192.0.2.7"),
        (("fe80::1%eth0", 5), "fe80::/64"),
        (("not an address", 0), "unknown"),
        (None, "local"),
    ],
)
def test_ipv6_addresses_are_counted_by_network(client: tuple[str, int] | None, counted: str) -> None:
    assert address_of(client) == counted


# --- over HTTP and WebSockets ---------------------------------------------------------------------------


RATES: dict[str, tuple[str, str, object]] = {
    "names": ("PUT", "/api/me", {"name": "Ada"}),
    "new_tables": ("POST", "/api/tables", {"profile": "500-rum"}),
    "sign_outs": ("POST", "/api/me/sign-out", {"devices": "others"}),
    "bot_tokens": ("POST", "/api/tables/{table}/bots", {"seat": 1}),
    "replays": ("GET", "/api/tables/{table}/record.rum500", None),
    "reviews": ("POST", "/api/tables/{table}/review", {}),
    "practice": ("GET", "/api/puzzles/daily", None),
    "questions": ("POST", "/api/puzzles/none/ask", {"about": "turn"}),
    "browsers": ("POST", "/api/notices/browsers/remove", {"endpoint": "https://push.example/1"}),
}
"""A request for each rate."""


def test_request_beyond_its_rate_is_refused_with_the_time_to_wait(tmp_path: Path) -> None:
    rates = dict.fromkeys(RATES, "1 per hour") | {"new_guests": "3 per hour"}
    with (
        Running(tmp_path, limits=True, **rates) as server,
        server.guest("Ada") as host,
        server.guest() as ben,
    ):
        table = host.table()
        for name, (method, path, body) in RATES.items():
            first, late = (ben.http.request(method, path.format(table=table), json=body) for _ in range(2))
            assert first.status_code != 429, name
            assert (late.status_code, late.json()["code"]) == (429, f"limit.{name}")
            assert 3500 < int(late.headers["retry-after"]) == late.json()["retry_s"] <= 3600
        with server.client() as third, server.client() as fourth:
            assert third.get("/api/me").status_code == 200
            assert fourth.get("/api/me").json()["code"] == "limit.new_guests"
            assert third.get("/api/me").status_code == 200


def test_requests_and_page_have_separate_limits_by_address(tmp_path: Path) -> None:
    with (
        Running(tmp_path, limits=True, requests="5 per hour", pages="2 per hour") as server,
        server.client() as client,
    ):
        assert [client.get("/api/profiles").status_code for _ in range(6)] == [200] * 5 + [429]
        assert client.get("/api/tables").json()["code"] == "limit.requests"
        for path in ("/healthz", "/api/openapi.json", "/metrics"):  # each apart from all others
            assert [client.get(path).status_code for _ in range(6)] == [200] * 5 + [429]
            assert client.get(path).json()["code"] == "limit.requests"
        assert [client.get(path).status_code for path in ("/", "/x.js")] == [503, 404]  # not built here
        late = client.get("/")
        assert (late.status_code, late.json()["code"]) == (429, "limit.pages")
        assert 3500 < int(late.headers["retry-after"]) <= 3600


def test_all_refusals_over_http_are_counted_for_their_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = list[str]()
    monkeypatch.setattr(Limits, "pause_of", lambda _, address: refused.append(address) or 0.0)
    with (
        Running(tmp_path, limits=True, requests="1 per hour", pages="1 per hour") as server,
        server.client() as client,
    ):
        for path in ("/api/profiles", "/healthz", "/x.js"):
            assert client.get(path).status_code != 429
            assert not refused
            assert client.get(path).status_code == 429
            assert refused == ["127.0.0.1"]
            refused.clear()


def test_health_over_websockets_is_limited(tmp_path: Path) -> None:
    with Running(tmp_path, limits=True, connects="2 per hour") as server:
        address = f"ws://127.0.0.1:{server.port}/healthz"
        for _ in range(2):
            with connect(address) as wire:
                assert b'"ok"' in wire.recv(PATIENCE, decode=False)
        with pytest.raises(InvalidStatus) as caught, connect(address):
            pass
        assert caught.value.response.status_code == 429


def test_open_connections_are_limited_by_address(tmp_path: Path) -> None:
    with Running(tmp_path, limits=True, connections_per_address=2) as server, server.guest() as ada:
        table = ada.table()
        first, second = ada.connect(table), ada.connect(table)
        with pytest.raises(InvalidStatus) as caught:
            ada.connect(table)
        assert caught.value.response.status_code == 429
        assert b"limit.connections_per_address" in bytes(caught.value.response.body or b"")
        first.close()
        ada.connect(table).close()
        second.close()


def test_new_connections_are_limited_by_rate(tmp_path: Path) -> None:
    with Running(tmp_path, limits=True, connects="3 per hour") as server, server.guest() as ada:
        table = ada.table()
        for _ in range(3):
            ada.connect(table).close()
        with pytest.raises(InvalidStatus) as caught:
            ada.connect(table)
        assert caught.value.response.status_code == 429
        assert b"limit.connects" in bytes(caught.value.response.body or b"")


def test_joins_are_limited_by_rate_and_the_connection_stays_open(tmp_path: Path) -> None:
    with (
        Running(tmp_path, limits=True, joins="3 per hour") as server,
        server.guest() as ada,
        ada.join(ada.table()) as talk,
    ):
        answers = [talk.ask("join") for _ in range(3)]
        assert [answer["type"] for answer in answers] == ["sync", "sync", "refused"]
        assert answers[-1]["reason"]["code"] == "limit.joins"
        assert talk.ask("ping")["type"] == "pong"


@pytest.mark.parametrize("origin", ["http://[", "http://a]b"])
def test_failed_handshake_frees_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    """Neither with an origin that is no address, nor by a fault of ours."""

    async def broken(_self: Names, _guest: str) -> str:
        raise RuntimeError

    with Running(tmp_path, max_connections=2) as server, server.guest() as ada:
        table = ada.table()
        for _ in range(3):
            with pytest.raises(InvalidStatus) as caught:
                ada.connect(table, origin=origin)
            assert caught.value.response.status_code == 403
        with monkeypatch.context() as patched:
            patched.setattr(Names, "of", broken)
            for _ in range(3):
                with pytest.raises(InvalidStatus) as caught:
                    ada.connect(table)
                assert caught.value.response.status_code == 500
        ada.join(table).close()


def test_messages_beyond_a_limit_are_refused_and_then_close_the_connection(tmp_path: Path) -> None:
    with (
        Running(tmp_path, limits=True, messages="30 per hour", chats="2 per hour") as server,
        server.guest() as ada,
        ada.join(ada.table()) as talk,
    ):
        for number in range(3):
            answer = talk.answer_to(talk.say("chat", text=f"hello {number}"))
        assert answer["reason"]["code"] == "limit.chats"
        answers = [talk.ask("ping") for _ in range(27)]
        codes = [answer.get("reason", {}).get("code", answer["type"]) for answer in answers]
        assert codes == ["pong"] * 26 + ["limit.messages"]
        for _ in range(19):
            talk.say("ping")
        assert talk.closing_code() == 1008


# --- behind a proxy -------------------------------------------------------------------------------------


@pytest.mark.parametrize("trusted", [(), ("192.0.2.0/24",), ("127.0.0.1",)])
def test_forwarded_address_counts_only_from_a_trusted_proxy(trusted: tuple[str, ...], tmp_path: Path) -> None:
    believed = trusted == ("127.0.0.1",)
    with (
        Running(tmp_path, limits=True, requests="3 per hour", trusted_proxies=trusted) as server,
        server.client() as proxy,
    ):
        seen = [
            proxy.get(
                "/api/me", headers={"X-Forwarded-For": f"198.51.100.{number}", "X-Forwarded-Proto": "https"}
            )
            for number in range(5)
        ]
        assert [answer.status_code for answer in seen] == ([200] * 5 if believed else [200] * 3 + [429] * 2)
        assert ("Secure" in seen[0].headers["set-cookie"]) is believed
        assert ("strict-transport-security" in seen[0].headers) is believed
        # What a visitor claims for itself counts for nothing: only what the proxy adds, on the right, does.
        claimed = [
            proxy.get("/api/profiles", headers={"X-Forwarded-For": f"203.0.113.{number}, 198.51.100.77"})
            for number in range(4)
        ]
        assert claimed[-1].status_code == 429
        headers = {"X-Forwarded-For": "198.51.100.9", "X-Forwarded-Proto": "https"}
        health = proxy.get("/healthz", headers=headers).json()
        assert (health["client"], health["scheme"]) == (
            ("198.51.100.9", "https") if believed else ("127.0.0.1", "http")
        )
        assert health["forwarded_for"] == "198.51.100.9"


@pytest.mark.parametrize(
    "claimed", ["nonsense {}", "198.51.100.{0}.9", "[2001:db8::{}", "{}", "x" * 4000 + "{}"]
)
def test_invalid_forwarded_addresses_count_as_one(tmp_path: Path, claimed: str) -> None:
    """A proxy that passes on what visitors claim gives nobody an address, and a limit, for each request."""
    with (
        Running(tmp_path, limits=True, requests="3 per hour", trusted_proxies=("127.0.0.1",)) as server,
        server.client() as proxy,
    ):
        seen = [
            proxy.get("/healthz", headers={"X-Forwarded-For": claimed.format(number)}) for number in range(5)
        ]
        assert [answer.status_code for answer in seen] == [200] * 3 + [429] * 2
        assert seen[0].json()["client"] is None


# --- hosts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 421),
        ("evil.example:{port}", 421),
        ("127.0.0.1.evil.example", 421),
        ("cards.example.evil", 421),
        ("[", 421),
        ("localhost:{port}", 200),
        ("LOCALHOST.", 200),
        ("127.0.0.1", 200),
        ("[::1]:{port}", 200),
        ("192.168.1.5:{port}", 200),
        ("cards.example", 200),
        ("Cards.Example:443", 200),
        ("club.example", 200),
        ("rum.local:{port}", 200),
    ],
)
def test_other_hosts_are_refused(named: Running, host: str, status: int) -> None:
    """As a page does whose own name is resolved to this machine, by DNS rebinding."""
    name = host.format(port=named.port)
    with named.client(headers={"Host": name}) as page, named.guest() as ada:
        for path in ("/api/me", "/api/openapi.json", "/metrics"):
            answer = page.get(path)
            assert answer.status_code in ((421,) if status == 421 else (200, 404)), path
            if status == 421:
                assert answer.json()["code"] == "request.host"
                assert answer.headers["x-content-type-options"] == "nosniff"
        assert page.get("/healthz").json()["host_allowed"] is (status == 200)
        with socket.create_connection(("127.0.0.1", named.port), PATIENCE) as wire:
            key = f"{'A' * 22}=="
            lines = [
                f"GET /ws/{ada.table()} HTTP/1.1",
                f"Host: {name}",
                "Connection: Upgrade",
                "Upgrade: websocket",
            ]
            lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Cookie: {ada.cookie}"]
            lines += [f"Origin: http://{name}", f"Sec-WebSocket-Protocol: {PROTOCOL}", "", ""]
            wire.sendall("\r\n".join(lines).encode())
            assert wire.recv(1000).split(b" ")[1] == (b"101" if status == 200 else b"421")


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(
        tmp_path_factory.mktemp("hosts"),
        public_url=("https://cards.example",),
        origins=("https://club.example",),
        allowed_hosts=("rum.local",),
    ) as running:
        yield running


def test_all_hosts_can_be_allowed(tmp_path: Path) -> None:
    with (
        Running(tmp_path, allowed_hosts=("*",)) as server,
        server.client(headers={"Host": "any.example"}) as page,
    ):
        assert page.get("/api/me").status_code == 200


# --- metrics ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "added",
    [
        {"X-Forwarded-For": "192.0.2.1"},
        {"X-Forwarded-Proto": "https"},
        {"Forwarded": "for=192.0.2.1"},
        {"X-Real-IP": "192.0.2.1"},
        {"Via": "1.1 proxy"},
        {"CF-Connecting-IP": "192.0.2.1"},
        {"Host": "cards.example"},
        {"Host": "192.0.2.1"},
    ],
    ids=str,
)
def test_metrics_are_hidden_from_requests_through_a_proxy(named: Running, added: dict[str, str]) -> None:
    with named.client() as local:
        assert local.get("/metrics").status_code == 200
        assert local.get("/metrics", headers=added).status_code == 404


def test_metrics_are_hidden_from_http_1_0(named: Running) -> None:
    """As nginx does without settings: HTTP/1.0, and its own Host."""
    with socket.create_connection(("127.0.0.1", named.port), PATIENCE) as proxy:
        proxy.sendall(f"GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:{named.port}\r\n\r\n".encode())
        assert proxy.recv(100).split(b" ")[1] == b"404"


# --- tables -------------------------------------------------------------------------------------------


def test_running_tables_are_limited_by_guest_and_address(tmp_path: Path) -> None:
    bots = {"bots": ["greedy", "greedy"], "start": True}
    with (
        Running(tmp_path, limits=True, running_tables=2, new_tables="") as server,
        ExitStack() as guests,
    ):
        for _ in range(5):
            guest = guests.enter_context(server.guest())
            for _ in range(2):
                guest.table(**bots)
            late = guest.http.post("/api/tables", json={"profile": "500-rum", "players": 2} | bots)
            assert (late.status_code, late.json()["code"]) == (429, "limit.running_tables")
            assert int(late.headers["retry-after"]) > 0
        other = guests.enter_context(server.guest())
        late = other.http.post("/api/tables", json={"profile": "500-rum"})
        assert late.json()["code"] == "limit.running_tables", "the address has made ten"
