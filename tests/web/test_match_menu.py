"""Votes at the table, made by pressing buttons: pause, end, rematch; and a player who resigns."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.table_page import TablePage


def two_at_play(server: LiveServer, new_page, **options: Any) -> tuple[TablePage, TablePage]:
    """The pages of Ada and Bo, who are alone at their table, the first deal dealt."""
    ada, bo = Guest(server, "Ada"), Guest(server, "Bo")
    table = ada.new_table("500-rum", players=2, **options)
    with ada.at(table) as first, bo.at(table) as second:
        second.say("sit", seat=1)
        first.say("start")
        play_on([first, second], lambda facts: facts.get("phase") == "draw")
    return new_page(ada).at(table), new_page(bo).at(table)


def menu(page: TablePage, item: str, *, sure: bool = False) -> None:
    """Press something in the menu, and where it asks, say that it is meant; the menu is closed again."""
    page.button("Menu").click()
    dialog = page.page.get_by_role("dialog")
    dialog.get_by_role("button", name=item).click()
    if sure:
        dialog.get_by_role("button", name=item).click()
    if dialog.count():
        page.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def says(page: TablePage, text: str) -> None:
    """Wait until the page says this."""
    expect(page.page.get_by_text(text).first).to_be_visible()


@pytest.mark.whole
def test_a_pause_is_agreed_on_and_ended(server: LiveServer, new_page) -> None:
    ada, bo = two_at_play(server, new_page)
    menu(ada, "Pause")
    says(bo, "Pause wanted by Ada")
    assert ada.attribute("status") == "playing"
    ada.button("Withdraw").click()
    expect(bo.page.get_by_text("Pause wanted by")).to_have_count(0)
    menu(bo, "Pause")
    says(ada, "Pause wanted by Bo")
    ada.button("Agree").click()
    for page in (ada, bo):
        page.state(status="paused", mine="false")
        says(page, "The game is paused.")
    menu(ada, "Resume")
    says(bo, "Ready to continue: Ada.")
    bo.button("Resume").click()
    for page in (ada, bo):
        page.state(status="playing")
    assert sorted(page.attribute("mine") for page in (ada, bo)) == ["false", "true"]


def test_one_of_two_resigns_and_both_play_again(server: LiveServer, new_page) -> None:
    ada, bo = two_at_play(server, new_page, target=300)
    ada.button("Menu").click()
    ada.button("Resign").click()
    says(ada, "Give up the match?")
    ada.button("Cancel").click()
    assert ada.attribute("status") == "playing"
    ada.button("Resign").click()
    ada.button("Resign").click()
    for page in (ada, bo):
        page.state(status="over")
        says(page, "The match was given up.")
    expect(bo.page.get_by_role("heading", name="You win")).to_be_visible()
    expect(ada.page.get_by_role("heading", name="Bo wins")).to_be_visible()
    says(bo, "Ada gave up.")

    ended = ada.page.url
    ada.button("Rematch").click()
    says(ada, "You want a rematch. Waiting for the others.")
    says(bo, "Rematch wanted by Ada.")
    bo.button("Rematch").click()
    for page in (ada, bo):
        page.state(live="live", status="playing")
    assert ada.page.url == bo.page.url != ended
    sync = [frame for frame in ada.frames if frame["type"] == "sync"][-1]
    assert (sync["options"]["target"], [seat["name"] for seat in sync["shared"]["seats"]]) == (
        300,
        ["Ada", "Bo"],
    )
