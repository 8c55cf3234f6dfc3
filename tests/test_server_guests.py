"""Guests over HTTP, on a real server: cookies and names."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rum500.server.cookies import Cookies
from rum500.server.messages.guest_names import BadName, tidy_name, usual_name
from rum500.store import DATABASE
from tests.support.serving import HTML, Running, write_page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("http") / "data"
    write_page(data)
    with Running(data) as running:
        yield running


def test_first_request_creates_a_guest_that_is_kept(server: Running) -> None:
    with server.client() as client:
        answer = client.get("/api/me")
        header = answer.headers["set-cookie"]
        assert (
            "HttpOnly" in header
            and "SameSite=Lax" in header
            and "Path=/" in header
            and "Secure" not in header
        )
        me = answer.json()
        assert me["name"] == usual_name(me["id"])
        assert me["levels"][0] == "random" and "greedy" in me["levels"]
        assert client.get("/api/me").json() == me
    with server.client() as other:
        assert other.get("/api/me").json()["id"] != me["id"]


def test_simultaneous_first_requests_of_a_page_are_one_guest(server: Running) -> None:
    with server.client() as browser:
        tag = browser.get("/", headers=HTML).headers["etag"]
        with ThreadPoolExecutor(8) as threads:
            mine = {me.json()["id"] for me in threads.map(lambda _: browser.get("/api/me"), range(8))}
        assert len(mine) == 1
        assert "set-cookie" not in browser.get("/t/some", headers=HTML).headers
    with server.client() as again:  # the page is still known, the guest no more
        kept = again.get("/", headers=HTML | {"if-none-match": tag})
        assert (kept.status_code, again.get("/api/me").json()["id"] in mine) == (304, False)
        assert kept.headers["set-cookie"].startswith("rum500=")


@pytest.mark.parametrize(
    ("path", "accept"), [("/", "*/*"), ("/sw.js", "text/html"), ("/assets/app-1a2b.js", "text/html")]
)
def test_only_the_page_sets_a_cookie(server: Running, path: str, accept: str) -> None:
    with server.client() as client:
        answer = client.get(path, headers={"accept": accept})
        assert (answer.status_code, "set-cookie" in answer.headers) == (200, False)


def test_name_is_stored_and_invalid_name_is_refused(server: Running) -> None:
    with server.guest("  Ada \u00a0 Lovelace ") as ada:
        assert ada.me["name"] == "Ada Lovelace"
        for bad in ("", "   ", "x" * 25, "a:b", "a\u202eb", "a\nb{", "<b>"):
            answer = ada.http.put("/api/me", json={"name": bad})
            assert (answer.status_code, answer.json()["code"]) == (422, "guest.name"), bad
        assert ada.http.get("/api/me").json()["name"] == "Ada Lovelace"


@pytest.mark.parametrize(
    "name",
    [
        "José",
        "Zoë 🃏",
        "آرش",
        "می\u200cخواهم",
        "李雷",
        "O'Neil",
        "👩\u200d🚀",
        "Nguyễn",
        "שָׁלוֹם",
        "प्रिया",
        "1️⃣",
    ],
)
def test_names_in_any_script_are_allowed(name: str) -> None:
    assert tidy_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("name", "tidied"),
    [
        ("Ａｄａ", "Ada"),
        ("ﬁona", "fiona"),
        ("𝐀𝐝𝐚", "Ada"),
        ("Ada\u00a0L", "Ada L"),
        ("Jose\u0301", "José"),
        ("ﻋﻠﻲ", "علي"),
    ],
)
def test_name_is_normalised(name: str, tidied: str) -> None:
    assert tidy_name(name) == tidied


@pytest.mark.parametrize(
    "name",
    [
        *("\u200b", "a\u0000b", "a\u202eb", 'a"b', "a|b", "x" * 25, "ﷺﷺ", "a：b"),
        *("\u200d", "\u200c\u200d", "Ada\u200d", "\u200dAda", "A\u200d\u200dda"),
        *("\u3164", "\uffa0", "\u115f\u1160", "\u2800", "A\u034fda", "\u00ad"),
        *("\u0301", "Ada \u0301", "Z\u0489\u0489\u0489", "Z" + "\u0335\u0336\u0337", "a" + "\u0316" * 20),
    ],
)
def test_invisible_or_unwritable_name_is_refused(name: str) -> None:
    with pytest.raises(BadName):
        tidy_name(name)


def test_forged_cookie_is_ignored(server: Running) -> None:
    with server.guest("Ada") as ada:
        ours, other = Cookies(b"k" * 64), Cookies(b"o" * 64)
        cookie = ours.new()
        assert ours.read(ours.header(cookie, secure=True).partition(";")[0]) == cookie
        assert other.read(ours.header(cookie, secure=False).partition(";")[0]) is None
        last = "A" if ada.me["id"].endswith("_") else "_"
        for forged in (
            ada.cookie.replace(ada.me["id"], ada.me["id"][:-1] + last),
            ada.cookie[:-4] + 'AAA"',
            "rum500=",
            'rum500=":1.x"',
            "rum500=\xff\xfe;;;=",
        ):
            with server.client() as client:
                answer = client.get("/api/me", headers={"cookie": forged.encode("latin-1")})
                assert answer.json()["id"] != ada.me["id"]
                assert (
                    client.get("/api/tables/mine", headers={"cookie": forged.encode("latin-1")}).status_code
                    == 401
                )


@pytest.mark.parametrize("other", ["a[b]=1", 'likes={"a":1}', "x=\u00e9", "foo", 'q="'])
def test_cookies_of_other_programs_do_not_hide_ours(other: str) -> None:
    """Every port of 127.0.0.1 is sent the cookies of all."""
    cookies = Cookies(b"k" * 64)
    ours = cookies.new()
    own = cookies.header(ours, secure=False).partition(";")[0]
    assert cookies.read(f"{other}; {own}") == cookies.read(f"{own}; {other}") == ours


def test_guests_and_tables_survive_a_restart(tmp_path: Path) -> None:
    with Running(tmp_path) as first, first.guest("Ada") as ada:
        cookie, table = ada.cookie, ada.table(private=True)
    with Running(tmp_path) as second, second.client(headers={"cookie": cookie}) as client:
        assert client.get("/api/me").json()["name"] == "Ada"
        assert [row["table"]["id"] for row in client.get("/api/tables/mine").json()] == [table]
    if os.name == "posix":
        modes = {
            path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir() if path.is_file()
        }
        assert modes["secret.key"] == modes[DATABASE] == 0o600
