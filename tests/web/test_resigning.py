"""A player resigns from a table of more than two: the page shows those who are left."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.players import Mouse
from tests.support.table_page import TablePage


def left_by_one(server: LiveServer, new_page, players: int, **options: Any) -> TablePage:
    """Ada's page at a table that another person has just resigned from; the rest are bots."""
    ada, bo = Guest(server, "Ada"), Guest(server, "Bo")
    bots = ["greedy"] * (players - 2)
    table = ada.new_table("500-rum", players=players, bots=[None, None, *bots], **options)
    with ada.at(table) as first, bo.at(table) as second:
        second.say("sit", seat=1)
        first.say("start")
        play_on([first, second], lambda facts: facts.get("phase") == "draw")
        page = new_page(ada).at(table)
        assert page.page.locator("[data-seat]").count() == players - 1
        second.say("resign")
    expect(page.log).to_contain_text("Bo")
    page.turn_comes()
    return page


def others(page: TablePage) -> list[str]:
    """Who sits there besides the one who looks, as the plates say."""
    return page.page.locator("[data-seat] .who .name b").all_inner_texts()


@pytest.mark.whole
def test_of_three_two_are_left_and_the_end_sums_up_their_deals(server: LiveServer, new_page) -> None:
    page = left_by_one(server, new_page, 3, target=1)
    names = others(page)
    assert len(names) == 1
    for _ in range(5):
        page.whole_deal(Mouse(page).turn)
        if page.attribute("status") == "over":
            break
        page.action("next").click()
        page.state(phase="draw")
    page.button("Result of the match").click()
    course = page.page.locator(".course")
    expect(course.get_by_role("columnheader")).to_have_text(
        [re.compile("Deal"), *(re.compile(f"{name}$") for name in ("You", *names))]
    )


@pytest.mark.whole
def test_player_who_resigned_is_in_the_summary(server: LiveServer, new_page) -> None:
    ada, bo = Guest(server, "Ada"), Guest(server, "Bo")
    table = ada.new_table("500-rum", players=3, bots=[None, None, "greedy"], target=2_000)
    with ada.at(table) as first, bo.at(table) as second:
        second.say("sit", seat=1)
        first.say("start")
        play_on([first, second], lambda facts: facts.get("waiting_for") == "next")
        second.say("resign")
        play_on([first], lambda facts: len(facts.get("scores") or []) == 2)
        first.say("resign")
    page = new_page(ada).at(table)
    page.state(status="over")
    page.page.locator(".end polyline").first.wait_for(state="attached")
    course = page.page.locator(".course")
    bot = next(frame for frame in page.frames if frame["type"] == "sync")["shared"]["seats"][1]["name"]
    expect(course.get_by_role("columnheader")).to_have_text(
        [re.compile("Deal"), re.compile("You$"), re.compile(f"{bot}$"), "Bo"]
    )
    first_deal, second_deal = course.get_by_role("row").all()[1:]
    expect(first_deal.get_by_text("–", exact=True)).to_have_count(0)
    expect(second_deal.get_by_role("cell").last).to_have_text("–")
