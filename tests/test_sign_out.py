"""A guest signs out on all other devices: over HTTP and WebSockets, across restarts, from old cookies on."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from itsdangerous import Signer
from websockets.exceptions import InvalidStatus

from rum500.server.ws.table_socket import WebSocketApp
from rum500.store import GuestRow
from rum500.store import _version as versions
from tests.support.serving import Guest, Running
from tests.support.storing import changed, made, with_store

OTHERS = {"devices": "others"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("out")) as running:
        yield running


def with_cookie(server: Running, cookie: str) -> Guest:
    """The guest of this cookie at another device."""
    other = Guest.__new__(Guest)
    other.running, other.http = server, server.client()
    other.http.cookies.set("rum500", cookie.partition("=")[2], domain="127.0.0.1")
    return other


def asked(guest: Guest, method: str, path: str, body: object = None) -> tuple[int, Any]:
    """The status, and the code of a refusal."""
    answer = guest.http.request(method, path, json=body)
    return answer.status_code, answer.json().get("code") if answer.is_error else None


def signed_out(guest: Guest) -> bool:
    status, code = asked(guest, "GET", "/api/tables/mine")
    assert (status, code) in ((200, None), (401, "guest.signed_out"))
    return status == 401


def test_all_other_devices_are_signed_out_and_their_connections_closed(server: Running) -> None:
    with server.guest("Ada") as ada, server.guest("Ben") as ben, with_cookie(server, ada.cookie) as other:
        table, second = ada.table(players=3), ada.table()
        with ben.join(table) as bystander, other.join(table) as joined, other.connect(second) as waiting:
            answer = ada.http.post("/api/me/sign-out", json=OTHERS)
            assert (answer.status_code, answer.json()["name"], answer.json()["id"]) == (
                200, "Ada", ada.me["id"],
            )  # fmt: skip
            for talk in (joined, waiting):
                assert talk.closing_code() == 1008
                assert talk.seen[-1] == {"type": "bye", "reason": "signed_out"}
            assert bystander.ask("ping")["type"] == "pong"
        assert not signed_out(ada) and signed_out(other)
        for method, path, body in (
            ("GET", "/api/me", None),
            ("PUT", "/api/me", {"name": "Eve"}),
            ("POST", "/api/me/sign-out", OTHERS),
            ("POST", "/api/tables", {"profile": "500-rum"}),
            ("GET", "/api/history", None),
        ):
            assert asked(other, method, path, body) == (401, "guest.signed_out"), path
        assert asked(other, "GET", f"/api/tables/{table}") == (200, None)
        with pytest.raises(InvalidStatus) as caught:
            other.connect(table)
        assert caught.value.response.status_code == 401
        assert b'"guest.signed_out"' in (caught.value.response.body or b"")
        with ada.join(table) as talk:
            assert talk.sync["you"]["seat"] == 0


def test_signed_out_device_becomes_a_new_guest_on_request(server: Running) -> None:
    with server.guest() as ada, with_cookie(server, ada.cookie) as other:
        ada.http.post("/api/me/sign-out", json=OTHERS)
        page = other.http.get("/", headers={"accept": "text/html"})
        assert "set-cookie" not in page.headers
        assert asked(other, "GET", "/api/me?new=perhaps") == (422, "request.invalid")
        me = other.http.get("/api/me?new=true").json()
        assert me["id"] != ada.me["id"]
        assert other.http.get("/api/me").json() == me
        assert ada.http.get("/api/me?new=true").json()["id"] == ada.me["id"]


def test_simultaneous_sign_outs_leave_one_device(server: Running) -> None:
    with server.guest() as ada, ThreadPoolExecutor(6) as threads:
        devices = [with_cookie(server, ada.cookie) for _ in range(6)]
        answers = threads.map(lambda one: asked(one, "POST", "/api/me/sign-out", OTHERS), devices)
        assert Counter(answers) == {(200, None): 1, (401, "guest.signed_out"): 5}
        assert [signed_out(one) for one in devices].count(False) == 1
        for one in devices:
            one.http.close()


def test_repeated_cookie_keeps_its_time_of_issue(server: Running) -> None:
    with server.guest() as ada:
        before = ada.cookie
        assert ada.http.get("/api/me").headers["set-cookie"].startswith(before)
        ada.http.post("/api/me/sign-out", json=OTHERS)
        assert ada.cookie != before


def test_pages_of_other_sites_cannot_sign_out(server: Running) -> None:
    with server.guest() as ada, with_cookie(server, ada.cookie) as other:
        evil = {"origin": "https://evil.example"}
        assert ada.http.post("/api/me/sign-out", json=OTHERS, headers=evil).status_code == 403
        assert ada.http.post("/api/me/sign-out", json={}).status_code == 422
        assert ada.http.post("/api/me/sign-out").status_code == 415
        with server.client() as nobody:
            assert nobody.post("/api/me/sign-out", json=OTHERS).json()["code"] == "guest.unknown"
        assert not signed_out(other)


def test_old_format_cookie_counts_until_sign_out(tmp_path: Path) -> None:
    with Running(tmp_path) as server:
        key = (tmp_path / "secret.key").read_bytes()
        signer = Signer(key, salt=b"rum500.guest", digest_method=hashlib.sha256)
        old = f'rum500="{signer.sign("oldguest:1700000000000").decode()}"'
        with with_cookie(server, old) as here, with_cookie(server, old) as there:
            me = here.http.get("/api/me").json()
            assert (me["id"], me["guest_since"]) == ("oldguest", 1_700_000_000_000)
            assert not signed_out(there)
            assert asked(here, "POST", "/api/me/sign-out", OTHERS) == (200, None)
            assert signed_out(there) and not signed_out(here)
            assert here.http.get("/api/me").json() == me
            fresh, stale = here.cookie, old
    with (  # and after a restart
        Running(tmp_path) as server,
        with_cookie(server, fresh) as here,
        with_cookie(server, stale) as there,
    ):
        assert signed_out(there) and not signed_out(here)


def test_database_of_version_two_keeps_its_guests(
    new_place: Callable[[], Path | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = new_place()
    monkeypatch.setattr(versions, "HEAD", "0002")
    made(place, "migrate")
    monkeypatch.undo()
    changed(place, "INSERT INTO guests (id, name, since, seen) VALUES ('ada', 'Ada', 1, 2)")

    async def work(store: Any) -> None:
        assert await store.guest("ada") == GuestRow("ada", "Ada", 1, 2, 0)
        await store.sign_out("ada", 7)
        await store.save_guest("ada", "Ada L.", 9)
        assert await store.guest("ada") == GuestRow("ada", "Ada L.", 1, 9, 7)

    with_store(place, work)


def test_signed_out_guest_is_not_pruned(tmp_path: Path) -> None:
    """Without the row, cookies that no longer count would count again."""

    async def work(store: Any) -> None:
        await store.sign_out("ada", 5)
        await store.save_guest("ben", "Ben", 5)
        assert (await store.prune(1_000)).guests == 1
        assert await store.guest("ada") == GuestRow("ada", "", 5, 5, 5)
        assert await store.guest("ben") is None

    with_store(tmp_path, work)


def test_no_error_without_a_cookie(server: Running) -> None:
    answer = httpx.get(f"{server.url}/api/me?new=true")
    assert answer.status_code == 200


def test_guest_signed_out_during_the_handshake_is_refused(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sign-out comes between the check of the cookie and the connection's registration."""
    check, tries = WebSocketApp._check, []
    with server.guest() as ada, with_cookie(server, ada.cookie) as other:
        table = ada.table()

        async def slowly(app: WebSocketApp, *asked: Any) -> object:
            found = await check(app, *asked)
            if not tries:
                await asyncio.to_thread(ada.http.post, "/api/me/sign-out", json=OTHERS)
            tries.append(found)
            return found

        monkeypatch.setattr(WebSocketApp, "_check", slowly)
        with pytest.raises(InvalidStatus) as caught:
            other.connect(table)
        assert caught.value.response.status_code == 401
        assert len(tries) == 1
