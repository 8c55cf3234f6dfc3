"""A link to a table that is not there."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.support.live_server import LiveServer


def test_a_link_to_no_table_says_so(browser: Browser, server: LiveServer) -> None:
    context = browser.new_context(locale="en-GB")
    try:
        page = context.new_page()
        page.goto(f"{server.url}/t/AAAAAAAAAAAAAAAAAAAAAA")
        expect(page.get_by_role("heading", name="There is no such table.")).to_be_visible()
    finally:
        context.close()
