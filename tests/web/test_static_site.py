"""The site of static files below a path of Python's plain file server; `make offline` builds its pack."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.support.players import Mouse
from tools import offline_pack, static_site

pytestmark = pytest.mark.whole


class Site(NamedTuple):
    """A static site."""

    url: str


class QuietFiles(SimpleHTTPRequestHandler):
    """Python's file server, without its log."""

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; yield the address."""
    handler = functools.partial(QuietFiles, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, name="files")
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site, below the path `/cards` of a host."""
    assert offline_pack.current(), "the pack is not of these sources: make offline"
    host = tmp_path_factory.mktemp("host")
    static_site.write(host / "cards", "/cards")
    with served(host) as url:
        yield Site(f"{url}/cards")


def test_every_known_address_is_a_file(site: Site, new_page) -> None:
    page = new_page(at=site)
    unknown = page.page.request.get(f"{site.url}/nowhere")
    assert unknown.status == 404
    found = list(static_site.addresses())
    assert {"", "rules/persian-rummy", "practice/daily", "lessons/salt", "pad", "settings"} <= set(found)
    for address in found:
        answer = page.page.request.get(f"{site.url}/{address}")
        assert answer.ok and static_site.SWITCH in answer.text(), address


@pytest.mark.parametrize("address", ["/", "/rules/persian-rummy", "/pad", "/practice", "/tips", "/settings"])
def test_pages_work_when_they_are_reloaded(address: str, site: Site, new_page) -> None:
    page = new_page(at=site).open(address)
    page.page.reload()
    expect(page.page.locator("h1").first).to_be_visible()
    expect(page.page.get_by_text("There is no such page")).to_have_count(0)


def test_whole_deal_is_played_without_any_server(site: Site, new_page) -> None:
    page = new_page(at=site)
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(request.url))
    page.open("/rules/500-rum")
    expect(page.page.locator("h1").first).to_be_visible()
    page.open("/")
    page.button("Play 500 Rum").click()
    page.state(live="live")
    mouse = Mouse(page)
    page.whole_deal(mouse.turn)
    expect(page.page.get_by_role("heading", name="Deal 1")).to_be_visible()
    expect(page.page.get_by_role("link", name="Replay")).to_be_visible()
    expect(page.page.get_by_role("link", name="Review")).to_have_count(0)
    assert "discard" in mouse.made or "meld" in mouse.made
    outside = [url for url in asked if not url.startswith((f"{site.url}/", "blob:", "data:"))]
    assert outside == []
    assert not [url for url in asked if "/api/" in url]


def test_table_opens_after_a_reload_although_the_host_does_not_know_its_address(site: Site, new_page) -> None:
    page = new_page(at=site, service_worker=True).open("/")
    page.page.evaluate("navigator.serviceWorker.ready")
    page.page.wait_for_function("caches.match(document.baseURI).then(Boolean)")
    page.button("Play 500 Rum").click()
    page.state(live="live")
    assert page.page.request.get(page.page.url).status == 404
    page.page.reload()
    page.state(live="live")
    page.faults = []


def test_settings_and_history_speak_of_no_server(site: Site, new_page) -> None:
    page = new_page(at=site).open("/settings").page
    expect(page.get_by_text("Kept in this browser.", exact=True)).to_be_visible()
    expect(page.get_by_text("Sign out")).to_have_count(0)
    page.goto(f"{site.url}/history")
    expect(page.get_by_role("radio", name="All")).to_be_visible()
    for name in ("With people", "Not reviewed"):
        expect(page.get_by_role("radio", name=name)).to_have_count(0)
