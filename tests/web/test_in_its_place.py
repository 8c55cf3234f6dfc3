"""The places of things: frames and tags at the melds, the header's points, buttons that do not move."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.support import situations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.rare_situations import Situation, lay_out
from tests.support.screens import screens

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
LOCALES = depth(("de-DE",), ("en-GB", "de-DE", "es-ES", "fr-FR", "fa-IR"))

Box = dict[str, float]


#: Keep all heights that the felt has from now on.
FELT = """() => {
    window.heights = []
    const felt = document.querySelector('.felt')
    new ResizeObserver(() => window.heights.push(felt.getBoundingClientRect().height)).observe(felt)
}"""


def seated(server: LiveServer, new_page, situation: Situation, size: dict[str, Any], **more: Any) -> Mouse:
    """Somebody at a table in this situation."""
    guest = Guest(server, "Nora")
    page = new_page(guest, **size, **more).at(lay_out(server, situation, guest))
    page.state(mine="true")
    page.advised()
    return Mouse(page, touch=size is PHONE)


def box(item: Locator) -> Box:
    """Where something lies."""
    found = item.bounding_box()
    assert found is not None
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("size", "locale"),
    [*((PHONE, locale) for locale in LOCALES), *depth([], [(DESKTOP, "de-DE"), (DESKTOP, "fa-IR")])],
    ids=lambda it: it if isinstance(it, str) else "phone" if it is PHONE else "desktop",
)
def test_the_table_stays_where_it_is_while_cards_are_selected(
    size: dict[str, Any], locale: str, server: LiveServer, new_page
) -> None:
    for situation in depth((situations.BANNED,), (situations.TWO_TARGETS, situations.BANNED)):
        player = seated(server, new_page, situation, size, locale=locale)
        page, cards = player.page.page, player.page.cards()
        page.evaluate(FELT)
        for card in (*cards, *cards):  # two presses of one card at once would be a double tap
            player.select(card)
        banner = page.locator(".banner")
        before = banner.inner_text()
        for card in cards[:2]:
            player.select(card)
        expect(banner).not_to_have_text(before)
        assert len(set(page.evaluate("heights"))) == 1


@pytest.mark.whole
def test_the_controls_of_a_replay_stay_where_they_are(server: LiveServer, new_page) -> None:
    scene = screens()["replay"](server)
    page = new_page(scene.guest, **PHONE).open(scene.path).page
    forward, foot = page.get_by_role("button", name="Turn forward"), page.locator(".foot")
    places = []

    def look() -> None:
        """Only the text above the controls may take another line."""
        assert round(box(foot)["bottom"]) == 640
        places.append((box(page.locator(".timeline")), box(forward)))

    for _ in range(12):
        look()
        assert box(page.locator(".scene"))["height"] >= 352
        forward.click()
    page.locator(".scroll").evaluate("it => it.scrollTo(0, it.scrollHeight)")
    look()
    assert all(each == places[0] for each in places), places


@pytest.mark.whole
def test_the_bots_to_choose_from_say_how_they_play(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    page = new_page(guest, **PHONE).at(guest.new_table("500-rum", players=3))
    page.button("Seat a bot: Seat 2").tap()
    bots = page.page.get_by_role("list", name="Seat a bot").get_by_role("button")
    levels = guest.me["levels"]
    expect(bots).to_have_count(len(levels) + 1)
    for bot in bots.all()[: len(levels)]:
        assert len(bot.locator(".line").inner_text()) > 30
        assert box(bot)["height"] >= 44
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Escape")
    expect(bots).to_have_count(0)
    expect(page.button("Seat a bot: Seat 2")).to_be_focused()
    page.button("Seat a bot: Seat 2").tap()
    page.button(re.compile("^Steady")).tap()
    expect(page.page.locator(".plate").nth(1)).to_contain_text("Bot, Steady")
    expect(page.button("Remove bot: Seat 2")).to_be_focused()
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 360
