"""Tables made on the page: every game from the first card, and every option of a new table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.table_page import TablePage
from tests.support.waiting import until


def options_of(page: TablePage) -> dict[str, Any]:
    """How the table that the page is at was made, as the server says."""
    page.state(live="live")
    return dict([frame["options"] for frame in page.frames if frame["type"] == "sync"][-1])


def test_every_game_is_begun_from_the_first_card_within_three_taps(server: LiveServer, new_page) -> None:
    """Another game, which one, play; the next time the last one is offered, by one tap."""
    ada = Guest(server, "Ada")
    page = new_page(ada)
    games = ada.call("GET", "/api/profiles")
    assert len(games) == 9
    for game in depth(games[:2], games):
        page.open("/")
        page.page.get_by_role("link", name="Another game").click()
        page.page.locator(f'input[value="{game["name"]}"]').check()
        page.button("Play bots at once").click()
        page.state(status="playing", live="live")
        made = options_of(page)
        assert (made["profile"], made["players"]) == (game["name"], game["players_usual"])
        expect(page.page.get_by_role("heading", name=game["title"], exact=True)).to_be_attached()
    page.open("/")
    page.button(f"Play {game['title']}").click()
    page.state(status="playing", live="live")
    assert options_of(page)["profile"] == game["name"]


def test_back_returns_to_the_first_step_with_its_choices(server: LiveServer, new_page) -> None:
    """The browser's own way back, and the page's."""
    page = new_page(Guest(server, "Ada")).open("/new")
    persian = page.page.locator('input[value="persian-rummy"]')
    persian.check()
    for back in (page.page.go_back, page.page.get_by_role("link", name="Back").click):
        page.page.get_by_role("link", name="Next: the table").click()
        expect(page.page.get_by_role("heading", name="Who plays, and how fast?")).to_be_focused()
        expect(page.page.get_by_role("radio", name="4, two sides")).to_be_checked()
        back()
        expect(persian).to_be_checked()


@pytest.mark.parametrize("height", [720, 800])
def test_the_main_button_is_in_sight_on_a_desktop(height: int, server: LiveServer, new_page) -> None:
    """At both steps, for every choice of players, and it covers no focused element."""
    page = new_page(Guest(server, "Ada"), viewport={"width": 1280, "height": height}).open("/new").page
    expect(page.get_by_role("link", name="Next: the table")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Next: the table").click()
    button = page.get_by_role("button", name="Make the table")
    company = page.get_by_role("radiogroup", name="Who plays")
    for one in company.get_by_role("radio").all():
        one.check()
        expect(button).to_be_in_viewport(ratio=1)
    last = page.get_by_role("link", name="Rules")
    last.last.focus()
    foot, focused = page.locator(".foot").bounding_box(), page.locator(":focus").bounding_box()
    assert foot is not None
    assert focused is not None
    assert focused["y"] + focused["height"] <= foot["y"]


def test_a_table_has_the_options_that_were_chosen(server: LiveServer, new_page) -> None:
    ada = Guest(server, "Ada")
    page = new_page(ada).open("/new?step=table")
    form = page.page

    def choose(group: str, name: str | re.Pattern[str]) -> None:
        form.get_by_role("radiogroup", name=group, exact=True).get_by_role("radio", name=name).check()

    choose("Players", "3")
    choose("Who may come", "Anybody")
    choose("Clock", re.compile("^30"))
    choose("Bank for the match", re.compile("^5 "))
    choose("Bots", "Casual")
    page.button("House rules: none").click()
    unnamed = form.locator('input[value="H3"]')
    expect(unnamed).to_have_attribute("aria-disabled", "true")
    expect(unnamed).to_have_accessible_description(re.compile("add wild jokers first"))
    for rule in ("H5", "H6", "jokers-2"):
        form.locator(f'input[value="{rule}"]').check()
    expect(unnamed).to_have_attribute("aria-disabled", "false")
    unnamed.check()
    expect(form.get_by_label("One wild joker")).to_have_attribute("aria-disabled", "true")
    choose("Time to call “Rummy!”", re.compile("^12"))
    page.button("To 500 points").click()
    form.get_by_label("Points to win").fill("350")
    form.get_by_label("Maximum number of deals").fill("9")
    page.button("Seats and absence").click()
    choose("Seats", "Drawn by lot")
    choose("A bot plays for someone who leaves after", re.compile("^2 "))
    page.button("Make the table").click()
    made = options_of(page)
    wanted = {
        "profile": "500-rum", "players": 3, "private": False, "turn_s": 30, "bank_s": 300, "level": "casual",
        "house_rules": ["H3", "H5", "H6"], "variations": ["jokers-2"], "max_deals": 9,
        "claim_s": 12, "target": 350, "seats_drawn": True, "leaver_s": 120,
    }  # fmt: skip
    assert {key: made[key] for key in wanted} == wanted
    room = page.page.locator(".room header")
    for words in ("3 players", "350", "at most 9 deals", "Drawn by lot"):
        expect(room).to_contain_text(words)
    expect(room.locator(".house li")).to_have_count(4)
    table = page.page.url.rpartition("/")[2]
    until(lambda: any(one["id"] == table for one in ada.call("GET", "/api/tables")))
    lobby = new_page(Guest(server, "Ben")).open("/")
    row = lobby.page.locator(f'a[href="/t/{table}"]')
    for words in ("two wild jokers", "jokers without names", "“Rummy!”", "to 350 points"):
        expect(row).to_contain_text(words)
