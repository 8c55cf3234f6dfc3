"""The review of a finished deal: asked for by one press, read by keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.axe import settled, violations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.waiting import until

PHONE, DESKTOP = (390, 844), (1440, 900)


@pytest.mark.parametrize("size", depth([DESKTOP], [PHONE, DESKTOP]), ids=str)
def test_a_deal_is_reviewed_by_one_press_and_read_by_keys(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    guest = Guest(server, "Ada")
    table = guest.new_table("500-rum", level="greedy", start=True)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: bool(facts.get("scores")))
    page = new_page(guest, viewport={"width": size[0], "height": size[1]}).at(table).page
    page.get_by_role("link", name="Review", exact=True).click()
    until(lambda: page.url.endswith("/deal/1/review"))
    if size == DESKTOP:  # on a phone it is behind a tab
        expect(page.get_by_text("Not explained")).to_be_visible()
    heading = page.get_by_role("heading", name="what could you do?")

    def decision() -> bool:
        """Walk through the deal and back; stop at a decision of one's own."""
        for key in ("ArrowRight", "ArrowLeft"):
            for _ in range(30):
                page.keyboard.press(key)
                if heading.is_visible():
                    return True
        return False

    until(decision)
    expect(page.get_by_text("your play", exact=True).first).to_be_visible()
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not violations(page)
