"""Links to a table or page that does not exist."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer

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


@pytest.mark.compiled
def test_a_review_of_nothing_says_so(browser: Browser, server: LiveServer) -> None:
    """A deal in play, one that was never dealt, a match without a finished deal, and no table."""
    guest = Guest(server, "Ada")
    table = guest.new_table("500-rum", level="greedy", start=True)
    name, _, value = guest.cookie.partition("=")
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    context.add_cookies([{"name": name, "value": value, "url": server.url}])
    try:
        page = context.new_page()
        for path, said in (
            (f"/t/{table}/deal/1/review", "only finished deals can"),
            (f"/t/{table}/deal/7/review", "only finished deals can"),
            (f"/t/{table}/review", "No deal of this match is finished yet."),
            (f"{LOST_TABLE[0]}/deal/1/review", "There is no such page"),
            (f"{LOST_TABLE[0]}/review", "There is no such page"),
        ):
            page.goto(server.url + path)
            expect(page.get_by_text(said)).to_be_visible()
            assert_sound(page)
    finally:
        context.close()
