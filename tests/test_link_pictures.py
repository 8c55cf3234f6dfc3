"""What messengers show beside a link: tags in the head of the page, and a picture."""

from __future__ import annotations

import re
import struct
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path

import httpx
import pytest

from tests.support.moved_time import MovedTime
from tests.support.serving import HTML, Running, write_page

PNG = b"\x89PNG\r\n\x1a\n"


def tags(http: httpx.Client, path: str) -> dict[str, str]:
    """Return the tags of the page at this path, as a messenger without a cookie gets them."""
    found = http.get(path, headers=HTML)
    assert found.status_code == 200
    return {
        name: unescape(text) for name, text in re.findall(r'property="([^"]+)" content="([^"]*)"', found.text)
    }


def picture(http: httpx.Client, path: str) -> bytes:
    found = http.get(path)
    assert found.status_code == 200
    assert found.headers["content-type"] == "image/png"
    assert found.content[:8] == PNG
    assert struct.unpack(">II", found.content[16:24]) == (1200, 630)
    assert "max-age" in found.headers["cache-control"]
    return found.content


def test_links_have_words_and_a_picture_without_names(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="NOT DRAWN: resvg_py is not installed")
    write_page(tmp_path)
    with Running(tmp_path) as running, running.guest("Adamantine") as ada, running.client() as http:
        table = ada.table(private=True)
        invited = tags(http, f"/t/{table}")
        assert (invited["og:title"], invited["og:url"]) == ("500 Rum", f"{running.url}/t/{table}")
        assert invited["og:image"] == f"{running.url}/api/tables/{table}/link.png"
        assert "2 players" in invited["og:description"]
        assert not any("Adamantine" in text for text in invited.values())
        plain = picture(http, "/api/link.png")
        assert picture(http, f"/api/tables/{table}/link.png") != plain
        today = http.get("/api/day-deals/today").json()
        day = tags(http, f"/day/{today['day']}")
        assert day["og:title"] == f"Deal of the day {today['number']}"
        assert today["title"] in day["og:description"]
        assert picture(http, day["og:image"].removeprefix(running.url)) != plain
        assert tags(http, "/rules/500-rum") == {}
        lobby = tags(http, "/")
        later = date.fromisoformat(today["day"]) + timedelta(days=1)
        for wrong in ("/t/nowhere", "/t/%22%3E%3Cb%3E", f"/day/{later}", "/day/2026-02-30", "/day"):
            assert {**tags(http, wrong), "og:url": ""} == {**lobby, "og:url": ""}
        assert picture(http, "/api/tables/nowhere/link.png") == plain
        assert picture(http, "/api/day-deals/2026-02-30/link.png") == plain


def test_behind_a_path_the_picture_s_address_has_it(tmp_path: Path) -> None:
    write_page(tmp_path)
    site = "https://example.org/cards"
    with Running(tmp_path, public_url=(site,)) as running, running.client() as http:
        found = http.get("/cards/", headers=HTML | {"host": "example.org"}).text
        assert f'content="{site}/api/link.png"' in found
        assert f'content="{site}/"' in found


@pytest.mark.parametrize(
    ("language", "title", "players"),
    [
        ("de", "Spiel des Tages 1", "2 Spieler"),
        ("es", "Mano del día 1", "2 jugadores"),
        ("fr", "Donne du jour 1", "2 joueurs"),
        ("fa", "دست روز ۱", "۲ بازیکن"),
    ],
)
def test_a_link_with_a_language_has_its_words(
    language: str, title: str, players: str, tmp_path: Path
) -> None:
    pytest.importorskip("resvg_py", reason="NOT DRAWN: resvg_py is not installed")
    write_page(tmp_path)
    start = datetime(2026, 1, 1, 12, tzinfo=UTC)  # the day of the first deal
    with Running(tmp_path, time=lambda: MovedTime(start)) as running, running.guest() as ada:
        table = ada.table(private=True)
        invited, day = (
            tags(ada.http, f"{path}?lang={language}") for path in (f"/t/{table}", "/day/2026-01-01")
        )
        assert invited["og:description"].startswith(players)
        assert day["og:title"] == title
        for found in (invited, day):
            assert found["og:image"].endswith(f"/link.png?lang={language}")
            address = found["og:image"].removeprefix(running.url)
            assert picture(ada.http, address) != picture(ada.http, address.partition("?")[0])
        assert tags(ada.http, f"/t/{table}?lang=tlh") == tags(ada.http, f"/t/{table}")
        assert ada.http.get("/api/link.png?lang=tlh").status_code == 422
