"""The page of progress: stairs, points a deal and deeds, for a new guest and for one who has played."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on

PHONE, DESKTOP = (390, 844), (1280, 720)
SIZES = pytest.mark.parametrize("size", depth([PHONE], [PHONE, DESKTOP]), ids=str)


def sized(size: tuple[int, int]) -> dict:
    return {"viewport": {"width": size[0], "height": size[1]}}


def played(guest: Guest, target: int) -> str:
    """Play a match against a bot to its end; return its table."""
    options = {"players": 2, "level": "level2", "start": True, "target": target, "private": True}
    table = str(guest.call("POST", "/api/tables", {"profile": "500-rum"} | options)["id"])
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over")
    return table


@SIZES
def test_a_new_guest_sees_the_stairs_and_plays_the_first_opponent(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    page = new_page(Guest(server, "Nora"), **sized(size)).open("/progress").page
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing to show yet, Nora")
    expect(page.get_by_role("listitem").filter(has_text="Level 1, not reached yet")).to_have_count(1)
    expect(page.get_by_role("heading", name="0 of 10 deals played")).to_be_visible()
    assert page.locator("html").evaluate("it => it.scrollWidth - innerWidth") == 0
    assert_sound(page)
    expect(page.get_by_role("heading", name="Your next opponent: Steady")).to_be_visible()
    page.get_by_role("button", name="Play Steady").click()
    page.wait_for_url(re.compile(r"/t/[\w-]+$"))


@SIZES
def test_the_figures_of_a_guest_who_has_played(size: tuple[int, int], server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    tables = [played(guest, 1000), played(guest, 1000)]
    found = guest.call("GET", "/api/progress")
    while found["deals"] < 10:
        tables.append(played(guest, 1000))
        found = guest.call("GET", "/api/progress")
    page = new_page(guest, **sized(size)).open("/progress").page
    expect(page.get_by_role("img", name=re.compile("^Points a deal over time"))).to_be_visible()
    won = f"{found['won']} of {len(tables)} matches won"
    expect(page.get_by_role("listitem").filter(has_text=re.compile(rf"Level 2, .*{won}"))).to_have_count(1)
    number = found["next"]["level"].removeprefix("level")
    following = page.get_by_role("listitem").filter(has_text=re.compile(rf"Level {number}, .*next"))
    expect(following).to_have_count(1)
    row = page.get_by_role("row").filter(has_text="500 Rum")
    expect(row).to_contain_text(str(found["deals"]))
    assert_sound(page)
    page.get_by_role("link", name="All deeds").click()
    expect(page.get_by_role("heading", name="Deeds", exact=True, level=1)).to_be_visible()
    done = [deed for deed in found["deeds"] if deed["table"] in tables]
    looks = page.get_by_role("link", name=re.compile("^Look at the turn"))
    expect(looks).to_have_count(len(done))
    assert_sound(page)
    if done:
        looks.first.click()
        page.wait_for_url(re.compile(rf"/t/({'|'.join(tables)})/deal/\d+"))


def test_an_error_says_that_nothing_is_lost(server: LiveServer, new_page) -> None:
    page = new_page(Guest(server, "Nora"), offline=True, **sized(PHONE)).page
    page.route("**/api/progress*", lambda route: route.abort("internetdisconnected"))
    page.goto(f"{server.url}/progress")
    expect(page.get_by_text("Your matches and all that you have reached are safe")).to_be_visible()
    assert_sound(page)
    page.unroute("**/api/progress*")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("listitem").filter(has_text="Level 1, not reached yet")).to_have_count(1)
