"""A whole deal of every profile in the browser: by mouse, by touch, by keyboard alone, by typed plays."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from rum500.rules.profiles import profile_names, ruleset
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Keys, Mouse, Typist
from tests.support.screens import by_hand


def table_with_bots(server: LiveServer, profile: str, **options: object) -> tuple[Guest, str]:
    """A guest at a table of the profile's smallest size, all other seats bots, already begun."""
    guest = Guest(server, "Ada")
    players = min(ruleset(profile).players)
    return guest, guest.new_table(profile, players=players, level="greedy", start=True, **options)


@pytest.mark.parametrize("profile", depth(["persian-rummy"], profile_names()))
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


def test_by_touch_on_a_phone(server: LiveServer, new_page) -> None:
    guest, table = table_with_bots(server, "rummy-500")
    page = new_page(guest, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True).at(table)
    finger = Mouse(page, touch=True)
    page.whole_deal(finger.turn)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_by_keyboard_alone(server: LiveServer, new_page) -> None:
    """Drawing and cutting by hand too."""
    guest, table = table_with_bots(server, "500-rum")
    page = new_page(guest)
    by_hand(page.page)
    page.at(table)
    keys = Keys(page)
    page.whole_deal(keys.turn)
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
