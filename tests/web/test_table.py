"""What the table says and does in single situations: obligations, reasons, dragging, sorting, refusals."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support import situations
from tests.support.live_server import Guest, LiveServer
from tests.support.rare_situations import lay_out
from tests.web.conftest import Sit


def test_refused_play_names_and_links_the_rule(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    page = new_page(guest).at(lay_out(server, situations.TWO_TARGETS, guest))
    page.state(mine="true", phase="play")
    page.page.keyboard.press("/")
    field = page.page.locator("form.typed").get_by_role("textbox")
    field.fill("draw")
    field.press("Enter")
    expect(page.page.locator("form.typed").get_by_role("alert")).to_contain_text("You have drawn already")
    with page.page.expect_popup() as opened:
        page.page.get_by_role("link", name="the rule").click()
    rules = opened.value
    rule = rules.url.partition("#")[2]
    assert rule
    assert "/rules/500-rum?players=3" in rules.url
    expect(rules.locator(f"[id='{rule}']")).to_be_in_viewport()


def test_at_a_table_the_focus_is_not_lost(server: LiveServer, new_page) -> None:
    page = new_page(Guest(server, "Nora")).open("/")
    page.button(re.compile("^Play (?!today)")).focus()
    page.page.keyboard.press("Enter")
    page.turn_comes()
    assert page.page.evaluate("document.activeElement.tagName") == "MAIN"


def test_a_take_by_keys_leaves_the_focus_in_the_hand(server: LiveServer, new_page) -> None:
    """Also if the suggested melds then sort the hand again, which moves the focused card."""
    guest = Guest(server, "Nora")
    page = new_page(guest).at(lay_out(server, situations.LONG_PILE, guest))
    page.state(mine="true", phase="draw")
    page.advised()
    for key in ("p", "Home", " ", "t"):
        page.page.keyboard.press(key)
    page.state(mine="true", phase="use")
    page.advised()
    expect(page.hand.locator("[data-key]:focus")).to_have_count(1)


def test_focus_goes_to_the_heading_of_the_sheet_and_back_to_the_table(sit: Sit) -> None:
    player = sit(situations.OUT, "keys")
    page = player.page
    page.whole_deal(player.turn)
    expect(page.page.get_by_role("heading", name="Deal 1", level=1)).to_be_focused()
    page.button("Next deal").press("Enter")
    expect(page.page.get_by_role("main")).to_be_visible()
    page.page.wait_for_function("document.activeElement !== document.body")
