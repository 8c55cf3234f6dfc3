"""The list of open tables on the first screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer

TABLES = 8
PANELS = ("Play bots now", "Invite friends", "Open tables")


def test_all_open_tables_can_be_reached(own_server: LiveServer, new_page) -> None:
    """The first six are there unasked, the others after one press."""
    ada = Guest(own_server, "Ada")
    made = {ada.new_table(private=False) for _ in range(TABLES)}
    page = new_page(Guest(own_server, "Bo"), at=own_server).open("/")
    listed = page.page.get_by_role("region", name="Open tables").get_by_role("listitem")
    expect(listed).to_have_count(6)
    page.button(f"Show all {TABLES}").click()
    expect(listed).to_have_count(TABLES)
    links = listed.get_by_role("link").evaluate_all("all => all.map(x => x.getAttribute('href'))")
    assert {link.removeprefix("/t/") for link in links} == made
    page.button("Show fewer").click()
    expect(listed).to_have_count(6)


@pytest.mark.whole
def test_nothing_moves_when_the_guests_own_tables_come(server: LiveServer, new_page) -> None:
    """The answer that names them is held back; until it is there, nothing they would move can be pressed."""
    ada = Guest(server, "Ada")
    page = new_page(ada).open("/")
    play = page.page.get_by_role("button", name="Play 500 Rum")
    expect(play).to_be_visible()  # at the first visit at once
    ada.new_table()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.page.route("**/api/tables/mine", hold)
    with page.page.expect_request("**/api/tables/mine"):
        page.open("/")
    expect(page.page.get_by_role("heading", level=1)).to_be_visible()
    expect(play).to_be_hidden()
    for route in held:
        route.continue_()
    expect(page.page.get_by_role("heading", name="Your tables")).to_be_visible()
    expect(play).to_be_visible()


@pytest.mark.whole
def test_few_open_tables_are_all_shown(own_server: LiveServer, new_page) -> None:
    ada = Guest(own_server, "Ada")
    for _ in range(6):
        ada.new_table(private=False)
    page = new_page(Guest(own_server, "Bo"), at=own_server).open("/")
    expect(page.page.get_by_role("region", name="Open tables").get_by_role("listitem")).to_have_count(6)
    expect(page.button(re.compile("^Show"))).to_have_count(0)


@pytest.mark.whole
@pytest.mark.parametrize("size", depth([(2560, 1440)], [(768, 1024), (2560, 1440)]), ids=str)
def test_tablets_and_large_windows_are_filled_and_no_words_are_cut(
    size: tuple[int, int], own_server: LiveServer, new_page
) -> None:
    ada = Guest(own_server, "Ada")
    ada.new_table("persian-rummy", level="random", start=True)
    page = new_page(ada, at=own_server, viewport={"width": size[0], "height": size[1]}).open("/").page
    game = page.locator(".mine").get_by_text("Persian Rummy")
    expect(game).to_be_in_viewport(ratio=0.9)
    play, friends, listed = (page.get_by_role("region", name=name).bounding_box() for name in PANELS)
    assert play and friends and listed
    assert listed["x"] + listed["width"] - play["x"] >= min(size[0] - 48, size[0] * 0.5)
    assert friends["y"] == listed["y"]  # beside each other
    assert friends["y"] + friends["height"] <= size[1]


@pytest.mark.whole
@pytest.mark.parametrize("size", depth([(1280, 800)], [(1280, 800), (1440, 900)]), ids=str)
def test_with_large_text_the_play_button_is_in_the_first_screen(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    """The cards grow with the text, beside the words: no stretch is empty."""
    page = new_page(viewport={"width": size[0], "height": size[1]}).page
    page.add_init_script("localStorage.setItem('rum500.settings', '{\"textSize\": 200}')")
    page.goto(server.url)
    expect(page.get_by_role("button", name="Play 500 Rum")).to_be_in_viewport(ratio=1)
    panel = page.get_by_role("region", name="Play bots now")
    queen, game = panel.locator(".card").last.bounding_box(), panel.locator(".game").bounding_box()
    assert queen and game
    assert queen["width"] == 168
    assert game["x"] + game["width"] < queen["x"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_on_a_phone_the_whole_lobby_is_one_screen(locale: str, server: LiveServer, new_page) -> None:
    """With three tables that wait; open tables are behind a press, a line each."""
    ada = Guest(server, "Ada")
    for players in (2, 3, 8):
        ada.new_table("rummy-500", players=players, level="random", start=True)
    Guest(server, "Cy").new_table(private=False, house_rules=["H6"], variations=["jokers-2"])
    page = new_page(ada, locale=locale, viewport={"width": 390, "height": 844}).open("/")
    expect(page.page.locator(".mine li")).to_have_count(3)
    for game in page.page.locator(".mine .who .mut").all():
        expect(game).to_be_in_viewport(ratio=0.9)
        assert game.evaluate("it => it.scrollWidth <= it.clientWidth + 1")
    expect(page.page.get_by_role("combobox")).to_have_count(3)  # players, level, language
    opens = page.page.locator(".open .waiting")
    expect(opens).to_be_visible()
    beyond = "it => [it.scrollHeight - innerHeight, it.scrollWidth - innerWidth]"
    assert page.page.locator("html").evaluate(beyond) == [0, 0]
    opens.click()
    row = page.page.locator(".open li a").first
    expect(row).to_be_visible()
    box = row.bounding_box()
    assert box is not None
    assert 44 <= box["height"] < 60
