"""Links to a table or page that does not exist."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import LiveServer

LOST_TABLE = ("/t/AAAAAAAAAAAAAAAAAAAAAA", "There is no such table.")


@pytest.mark.parametrize(
    ("path", "said"),
    [LOST_TABLE, *depth([], [("/nowhere", "There is no such page")])],
)
def test_a_link_to_nothing_says_so(path: str, said: str, browser: Browser, server: LiveServer) -> None:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    try:
        page = context.new_page()
        page.goto(server.url + path)
        expect(page.get_by_role("heading", name=said)).to_be_visible()
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            assert_sound(page)
        expect(page.get_by_role("link", name=re.compile("^rum500"))).to_have_attribute("href", "/")
    finally:
        context.close()
