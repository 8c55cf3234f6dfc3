"""The pages of practice: axe finds nothing on them, before an answer and after it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer

PHONE, DESKTOP = (390, 844), (1440, 900)


in_depth = depth(lambda page: None, assert_sound)
"""Of the quick tests, axe checks the pages with most on them alone."""


def begin(page: Page, drill: str) -> None:
    """Begin a drill from the list of drills."""
    page.get_by_role("link", name=f"{drill}: Begin").click()
    expect(page.get_by_role("heading", name=f"{drill} 1 of 10")).to_be_visible()


def answer_count(page: Page) -> None:
    page.get_by_label("Points").fill("999")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="999 is not right")).to_be_focused()


def answer_who(page: Page) -> None:
    page.get_by_role("slider").first.press("ArrowRight")
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("heading", name=re.compile("of 100"))).to_be_focused()
    expect(page.get_by_text("By what could be known").first).to_be_visible()


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("size", "theme"),
    depth([(PHONE, "dark")], [(PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")]),
    ids=str,
)
def test_axe_finds_nothing_on_the_pages_of_practice(
    size: tuple[int, int], theme: str, server: LiveServer, new_page
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = new_page(Guest(server, "Ada"), viewport=viewport, color_scheme=theme).open("/practice").page
    expect(page.get_by_role("link", name="Puzzles: Next puzzle")).to_be_visible()
    in_depth(page)
    page.goto(f"{server.url}/practice/mistakes")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    in_depth(page)
    for drill, answer in (("Count the points", answer_count), ("Who has it?", answer_who)):
        page.goto(f"{server.url}/practice/drills")
        in_depth(page)
        begin(page, drill)
        in_depth(page)
        answer(page)
        assert_sound(page)
