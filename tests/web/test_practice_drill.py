"""A drill by keyboard alone: from the list of drills to what an answer was worth, and the next question."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.axe import assert_sound
from tests.support.live_server import Guest, LiveServer
from tests.support.waiting import until


@pytest.mark.compiled
def test_a_drill_is_answered_by_keys(server: LiveServer, new_page) -> None:
    page = new_page(Guest(server, "Ada"), viewport={"width": 390, "height": 844}).page
    page.goto(f"{server.url}/practice/drills")
    page.get_by_role("link", name="Take or draw?: Begin").press("Enter")
    expect(page.get_by_role("heading", name="Take or draw? 1 of 10")).to_be_visible()
    expect(page.get_by_test_id("position")).to_have_attribute("data-phase", "draw")
    page.keyboard.press("d")
    said = page.get_by_role("heading", name="of 100")
    expect(said).to_be_focused()
    assert_sound(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("group", name="of 100")).to_be_focused()  # it scrolls where there is much to say
    page.keyboard.press("Tab")
    until(lambda: page.evaluate("document.activeElement.textContent.trim()") == "Next")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Take or draw? 2 of 10")).to_be_visible()
