"""Tables made on the page: every game from the first card, and every option of a new table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.table_page import TablePage


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
        page.button("Another game").click()
        choice = page.page.get_by_role("list", name="Choose a game")
        choice.get_by_role("button", name=re.compile(f"^{re.escape(game['title'])} *\\d")).click()
        page.button(re.compile("^Play ")).click()
        page.state(status="playing", live="live")
        made = options_of(page)
        assert (made["profile"], made["players"]) == (game["name"], game["players_usual"])
        expect(page.page.get_by_role("heading", name=game["title"], exact=True)).to_be_attached()
    page.open("/")
    page.button(f"Play {game['title']}").click()
    page.state(status="playing", live="live")
    assert options_of(page)["profile"] == game["name"]


def test_a_table_has_the_options_that_were_chosen(server: LiveServer, new_page) -> None:
    ada = Guest(server, "Ada")
    page = new_page(ada).open("/new?for=friends")
    form = page.page

    def choose(group: str, name: str | re.Pattern[str]) -> None:
        form.get_by_role("group", name=group, exact=True).get_by_role("radio", name=name).check()

    choose("Game", re.compile("^500 Rum *\\d"))
    choose("Players", "3")
    choose("Who may come", re.compile("^Anybody"))
    choose("Clock", re.compile("^30"))
    choose("Bank for the match", re.compile("^5 "))
    choose("Bots in empty seats", re.compile("^Casual"))
    form.get_by_text("House rules, target and more").click()
    for rule in ("H5", "H6"):
        form.locator(f'input[value="{rule}"]').check()
    choose("Time to call “Rummy!”", re.compile("^12"))
    form.get_by_label("Points to win").fill("350")
    choose("Seats", "Drawn by lot")
    choose("A bot plays for someone who leaves after", re.compile("^2 "))
    page.button("Make the table").click()
    made = options_of(page)
    wanted = {
        "profile": "500-rum", "players": 3, "private": False, "turn_s": 30, "bank_s": 300, "level": "casual",
        "house_rules": ["H5", "H6"], "claim_s": 12, "target": 350, "seats_drawn": True, "leaver_s": 120,
    }  # fmt: skip
    assert {key: made[key] for key in wanted} == wanted
    room = page.page.locator(".room header")
    for words in ("3 players", "350", "Drawn by lot"):
        expect(room).to_contain_text(words)
    expect(room.locator(".house li")).to_have_count(2)
    listed = ada.call("GET", "/api/tables")
    assert any(page.page.url.endswith(one["id"]) for one in listed)


@pytest.mark.whole
def test_what_is_not_changed_is_as_usual(server: LiveServer, new_page) -> None:
    page = new_page(Guest(server, "Ada")).open("/new?for=friends")
    page.button("Make the table").click()
    made = options_of(page)
    usual = {
        "profile": "500-rum", "private": True, "turn_s": None, "house_rules": [], "target": 500,
        "seats_drawn": False, "leaver_s": 60,
    }  # fmt: skip
    assert {key: made[key] for key in usual} == usual
