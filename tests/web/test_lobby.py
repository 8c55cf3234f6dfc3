"""The list of open tables on the first screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.table_page import SHIFT, TablePage
from tests.support.waiting import until


@pytest.mark.sample(1)
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_on_a_phone_the_whole_lobby_is_one_screen(locale: str, server: LiveServer, new_page) -> None:
    """With three tables that wait, two of them behind a press, as are open tables, a line each."""
    ada = Guest(server, "Ada")
    for players in (2, 3, 8):
        ada.new_table("rummy-500", players=players, level="random", start=True)
    Guest(server, "Cy").host(house_rules=["H6"], variations=["jokers-2"])
    page = new_page(ada, locale=locale, viewport={"width": 390, "height": 844}).open("/")
    expect(page.page.locator(".mine li")).to_have_count(1)
    expect(page.page.locator(".day .button:not(.ghost)")).to_be_in_viewport(ratio=1)
    expect(page.page.get_by_role("combobox")).to_have_count(4)  # players, length, level, language
    opens = page.page.locator(".open .waiting")
    expect(opens).to_be_visible()
    beyond = "it => [it.scrollHeight - innerHeight, it.scrollWidth - innerWidth]"
    assert page.page.locator("html").evaluate(beyond) == [0, 0]
    page.page.locator(".mine .more").click()
    expect(page.page.locator(".mine li")).to_have_count(3)
    for game in page.page.locator(".mine .who .mut").all():
        expect(game).to_be_in_viewport(ratio=0.9)
        assert game.evaluate("it => it.scrollWidth <= it.clientWidth + 1")
    opens.click()
    row = page.page.locator(".open li a").first
    expect(row).to_be_visible()
    box = row.bounding_box()
    assert box is not None
    assert 44 <= box["height"] < 60


@pytest.mark.sample(2)
@pytest.mark.parametrize("size", [(844, 390), (360, 640), (820, 1180), (1280, 720), (1440, 900)], ids=str)
def test_what_waits_the_deal_of_the_day_and_play_with_bots_are_above_the_fold(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    ada = Guest(server, "Ada")
    for players in (2, 3, 4):
        ada.new_table("rummy-500", players=players, level="random", start=True)
    page = new_page(ada, viewport={"width": size[0], "height": size[1]}).open("/").page
    for part in (".mine li:first-of-type .row", ".day .button:not(.ghost)", ".cards .button.primary"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.locator("html").evaluate("it => it.scrollWidth - innerWidth") == 0


def test_what_is_put_away_or_ended_reaches_the_server_when_the_page_is_left(
    server: LiveServer, new_page
) -> None:
    ada = Guest(server, "Ada")
    ended, away = (ada.new_table(level="random", players=players, start=True) for players in (2, 3))
    page = new_page(ada).open("/")
    rows = page.page.locator(".mine li")
    for name in ("^End: .Bruno.,", "^Put away: .Bruno. and"):
        rows.get_by_role("button", name=re.compile(name)).click()
    expect(page.button("Undo")).to_have_count(2)
    assert len(ada.call("GET", "/api/tables/mine")) == 2
    page.page.goto("about:blank")
    until(lambda: ada.call("GET", "/api/tables/mine") == [])
    assert [one["table"]["id"] for one in ada.call("GET", "/api/tables/mine?away=true")] == [away]
    assert ada.call("GET", f"/api/tables/{ended}")["status"] == "abandoned"


@pytest.mark.parametrize("hours", [20, -20])
def test_times_are_right_although_the_browser_s_clock_is_wrong(
    hours: int, server: LiveServer, new_page
) -> None:
    ada = Guest(server, "Ada")
    slow = ada.new_table("500-rum", players=2, level="greedy", start=True, turn_s=2 * 86_400)
    with ada.at(slow) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
    ended = ada.new_table("500-rum", players=2, level="greedy", start=True, target=1)
    with ada.at(ended) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over")

    def shown(page: TablePage) -> list[str]:
        row = page.open("/").page.locator(".mine li")
        expect(row).to_contain_text("left")
        texts = row.inner_text()
        match = page.open("/history").page.get_by_role("row").filter(has_text="today")
        expect(match).to_have_count(1)
        texts += "\n" + match.inner_text()  # with the result of the review, once there is one
        return [line for line in texts.splitlines() if "left" in line or "today" in line]

    wrong = new_page(ada)
    wrong.page.add_init_script(f"const shift = {hours} * 3_600_000; {SHIFT}")
    times = shown(wrong)
    assert times == shown(new_page(ada)) and len(times) == 2
