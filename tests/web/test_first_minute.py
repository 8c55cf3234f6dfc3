"""The first minute: from the address to the first turn, the link for a friend, what the browser remembers."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.support.live_server import Guest, LiveServer
from tests.support.table_page import TablePage


def test_at_play_by_one_tap(tmp_path: Path, new_page) -> None:
    """With the bots' usual pauses, and nothing known of the visitor."""
    with LiveServer(tmp_path / "data", "--log-level", "warning") as server:
        page = new_page(at=server).open("/")
        page.button(re.compile("^Play (?!today)")).click()
        page.state(mine="true", phase="draw")
        assert page.cards()


def test_invited_friend_joins_by_the_link(server: LiveServer, new_page) -> None:
    ada = new_page(Guest(server, "Ada")).open("/new?step=table")
    ada.button("Make the table").click()
    ada.state(live="live", status="open")
    link = ada.page.get_by_label("Link to this table").input_value()
    expect(ada.page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    bo = new_page(Guest(server, "Bo")).open(link.removeprefix(server.url))
    expect(bo.page.get_by_role("heading", name=re.compile("Ada.* invites you to 500 Rum"))).to_be_visible()
    bo.button("Sit down and play").click()
    expect(bo.button("Stand up")).to_be_visible()
    expect(ada.page.get_by_text("Bo", exact=True)).to_be_visible()


def test_two_tabs_opened_at_once_are_one_guest(server: LiveServer, new_page) -> None:
    """The second tab brings a cookie of its own: it was asked for before the first one had been answered."""
    first = new_page().open("/")
    name = first.page.locator(".guest p span")
    expect(name).to_be_visible()
    before = name.inner_text()
    key, _, value = Guest(server).cookie.partition("=")
    first.page.context.add_cookies([{"name": key, "value": value, "url": server.url}])
    second = TablePage(first.page.context.new_page(), server.url).open("/")
    expect(second.page.locator(".guest p span")).to_be_visible()
    other = second.page.locator(".guest p span").inner_text()
    assert other != before
    expect(name).to_have_text(other)
    assert not second.faults
