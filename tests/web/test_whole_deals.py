"""Whole deals and matches in the browser: by mouse, touch, keyboard, names alone, from right to left."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from rum500.rules.profiles import profile_names, ruleset
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Keys, Listener, Mouse, Typist
from tests.support.screens import by_hand
from tests.support.table_page import STEPS, TablePage


def table_with_bots(server: LiveServer, profile: str, **options: object) -> tuple[Guest, str]:
    """A guest at a table of the profile's smallest size, all other seats bots, already begun."""
    guest = Guest(server, "Ada")
    players = min(ruleset(profile).players)
    return guest, guest.new_table(profile, players=players, level="greedy", start=True, **options)


@pytest.mark.whole
@pytest.mark.parametrize("profile", profile_names())
def test_by_mouse(profile: str, server: LiveServer, new_page) -> None:
    """A deal in which the person had a turn: of four players another may go out before."""
    for _ in range(4):
        guest, table = table_with_bots(server, profile)
        page = new_page(guest).at(table)
        mouse = Mouse(page)
        page.whole_deal(mouse.turn)
        expect(page.page.get_by_role("table").first).to_be_visible()
        if mouse.made:
            break
    assert "discard" in mouse.made or "meld" in mouse.made


@pytest.mark.whole
def test_by_touch_on_a_phone(server: LiveServer, new_page) -> None:
    guest, table = table_with_bots(server, "rummy-500")
    page = new_page(guest, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True).at(table)
    finger = Mouse(page, touch=True)
    page.whole_deal(finger.turn)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_by_keyboard_alone(server: LiveServer, new_page) -> None:
    """Drawing and cutting by hand too; in a quick run the first turns."""
    guest, table = table_with_bots(server, "500-rum")
    page = new_page(guest)
    by_hand(page.page)
    page.at(table)
    keys = Keys(page)
    if page.whole_deal(keys.turn, depth(10, STEPS)):
        expect(page.page.get_by_role("heading", name="Deal 1")).to_be_visible()
    assert {"draw", "discard"} <= set(keys.made)


@pytest.mark.whole
def test_by_typed_plays(server: LiveServer, new_page) -> None:
    guest, table = table_with_bots(server, "500-rum")
    page = new_page(guest).at(table)
    typist = Typist(page)
    page.whole_deal(typist.turn)
    expect(page.page.get_by_role("heading", name="Deal 1")).to_be_visible()
    assert {"draw", "discard"} <= set(typist.made)


def tab_to(page: TablePage, name: str) -> None:
    """Go to this button by the Tab key, and press it."""
    button = page.button(name)
    expect(button).to_be_visible()
    for _ in range(60):
        if button.evaluate("it => it === document.activeElement"):
            page.page.keyboard.press("Enter")
            return
        page.page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not reach {name}")


@pytest.mark.whole
@pytest.mark.parametrize("player", [Keys, Listener])
def test_a_whole_match_by_keyboard_and_by_names(player: type[Keys], server: LiveServer, new_page) -> None:
    guest, table = table_with_bots(server, "500-rum", target=100)
    page = new_page(guest).at(table)
    someone = player(page)
    page.whole_match(someone.turn, lambda: tab_to(page, "Next deal"))
    expect(page.button("Result of the match")).to_be_visible()
    tab_to(page, "Result of the match")
    expect(page.button("Rematch")).to_be_visible()
    assert {"draw", "discard"} <= set(someone.made)


@pytest.mark.whole
@pytest.mark.parametrize("size", [(1280, 800), (360, 740)], ids=str)
def test_a_whole_match_from_right_to_left(size: tuple[int, int], server: LiveServer, new_page) -> None:
    guest, table = table_with_bots(server, "500-rum", target=100)
    page = new_page(guest, locale="fa-IR", viewport={"width": size[0], "height": size[1]}).at(table)
    page.english = False
    mouse = Mouse(page)
    page.whole_match(mouse.turn, lambda: page.page.locator(".sheet .foot .primary").click())
    page.page.locator(".sheet .foot .primary, .won [data-action=result]").click()
    expect(page.page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.page.locator(".sheet")).to_have_count(0)
    assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert {"draw", "discard"} <= set(mouse.made)
