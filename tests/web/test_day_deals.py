"""The deal of the day in the page: its card, the result, sharing, the calendar, and a second guest."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.moved_time import MovedTime
from tests.support.serving import Running
from tests.support.table_page import SHIFT
from tests.web.conftest import PAGE

PHONE, DESKTOP = (390, 844), (1280, 720)
SIZES = pytest.mark.parametrize("size", depth([PHONE], [PHONE, DESKTOP]), ids=str)


def today(guest: Guest) -> dict:
    return dict(guest.call("GET", "/api/day-deals/today"))


def played(guest: Guest) -> str:
    """Play today's deal to its end; return the day."""
    day = str(today(guest)["day"])
    table = guest.call("POST", f"/api/day-deals/{day}/play", {})["id"]
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over")
    assert today(guest)["status"] == "over"
    return day


def sized(size: tuple[int, int]) -> dict:
    return {"viewport": {"width": size[0], "height": size[1]}}


def card(page: Page):
    return page.get_by_role("region", name="Deal of the day")


@SIZES
def test_the_deal_is_begun_and_resumed_from_the_lobby(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    guest = Guest(server, "Ada")
    page = new_page(guest, **sized(size)).open("/").page
    play = card(page).get_by_role("button", name="Play today’s deal")
    for button in (play, page.get_by_role("button", name=re.compile("^Play 500 Rum"))):
        expect(button).to_be_in_viewport(ratio=1)
    assert page.locator("html").evaluate("it => it.scrollWidth - innerWidth") == 0
    assert_sound(page)
    play.click()
    page.wait_for_url(re.compile(r"/t/[\w-]+$"))
    table = page.url
    expect(page).to_have_title(re.compile("rum500"))
    page.goto(f"{server.url}/")
    expect(card(page)).to_contain_text(re.compile(r"Turn 1, you hold \d+ cards"))
    card(page).get_by_role("button", name="Go on").click()
    page.wait_for_url(table)


def test_a_second_tab_takes_the_table_over_and_another_guest_is_kept_out(
    server: LiveServer, new_page
) -> None:
    ada = Guest(server, "Ada")
    day = today(ada)["day"]
    table = ada.call("POST", f"/api/day-deals/{day}/play", {})["id"]
    first = new_page(ada, **sized(PHONE)).at(table)
    second = first.page.context.new_page()
    second.goto(f"{server.url}/t/{table}")
    expect(first.page.get_by_text("This table is open in another window.")).to_be_visible()
    assert_sound(first.page)
    expect(second.get_by_role("button", name=re.compile("^Draw"))).to_be_visible()
    first.button("Play here").click()
    expect(second.get_by_text("This table is open in another window.")).to_be_visible()
    expect(first.action("draw")).to_be_visible()
    sly = new_page(Guest(server, "Sly"), **sized(PHONE)).open(f"/t/{table}").page
    expect(sly.get_by_text(re.compile("^Somebody plays the deal of the day here"))).to_be_visible()
    assert_sound(sly)
    sly.get_by_role("link", name="To the lobby", exact=True).click()
    expect(card(sly).get_by_role("button", name="Play today’s deal")).to_be_visible()


@SIZES
def test_the_result_is_shown_and_shared_without_cards(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    guest = Guest(server, "Ada")
    played(Guest(server, "Ben"))
    day = played(guest)
    points = today(guest)["points"]
    page = new_page(guest, **sized(size)).open("/").page
    expect(card(page)).to_contain_text(str(abs(points)))
    card(page).get_by_role("link", name="See the result").click()
    chart = page.get_by_role("img", name=re.compile("^Points of"))
    expect(chart).to_have_attribute("aria-label", re.compile(r"Club: mean"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_text(re.compile("on these cards"))).to_be_visible()
    assert_sound(page)
    page.get_by_role("button", name="Share").click()
    share = page.get_by_role("dialog", name="Share")
    expect(share.get_by_role("img")).to_be_visible()
    size_of = "it => it.decode().then(() => [it.naturalWidth, it.naturalHeight])"
    assert share.get_by_role("img").evaluate(size_of) == [1200, 630]
    text = share.locator("pre").inner_text()
    assert text.endswith(f"/day/{day}")
    assert not re.search(r"[♠♥♦♣]|\b(?:10|[2-9AJQK])[SHDC]\b", text)
    assert_sound(page)
    page.keyboard.press("Escape")
    expect(share).to_have_count(0)
    page.goto(f"{server.url}/t/{today(guest)['table']}")
    page.get_by_role("link", name="See the result").click()
    expect(page).to_have_url(f"{server.url}/day/{day}")
    page.get_by_role("link", name="Last 30 days").click()
    cell = page.get_by_role("link", name=re.compile(rf"[ −]{abs(points)}, "))
    expect(cell).to_be_visible()
    assert_sound(page)


def test_a_guest_who_is_alone_has_bots_of_all_levels_as_company(own_server: LiveServer, new_page) -> None:
    ada = Guest(own_server, "Ada")
    day = played(ada)
    page = new_page(ada, at=own_server, **sized(PHONE)).open(f"/day/{day}").page
    expect(page.get_by_role("heading", level=1)).to_have_text("First one today")
    ladder = page.get_by_role("region", name="Same cards, same seat")
    for level in ("Club", "Strong", "Expert"):
        expect(ladder.get_by_role("img")).to_have_attribute("aria-label", re.compile(f"{level}: mean"))
    assert_sound(page)
    played(Guest(own_server, "Ben"))
    page.reload()
    expect(page.get_by_role("row").filter(has_text="a player")).to_have_count(1)
    expect(page.get_by_role("row").filter(has_text="Ben")).to_have_count(0)


@pytest.mark.parametrize("noted", ["the same", "another"])
def test_the_page_checks_that_the_cards_of_a_past_day_were_fixed(
    noted: str, tmp_path: Path, new_page
) -> None:
    """The server's clock goes past midnight after the lobby noted the commitment."""
    (tmp_path / "page").symlink_to(PAGE)
    start = datetime(2026, 11, 30, 20, tzinfo=UTC)
    times: list[MovedTime] = []
    with Running(tmp_path, time=lambda: times.append(MovedTime(start)) or times[0], push=False) as server:
        guest = Guest(server, "Ada")  # type: ignore[arg-type]
        page = new_page(guest, at=server, **sized(PHONE)).open("/").page
        expect(card(page).get_by_role("button", name="Play today’s deal")).to_be_visible()
        day = played(guest)
        if noted == "another":
            page.evaluate(
                """() => localStorage.setItem('rum500.day.commitments',
                    localStorage.getItem('rum500.day.commitments').replace(/","./, '","x'))"""
            )

        async def past_midnight() -> None:
            times[0].move(5 * 3600)

        server.on_loop(past_midnight())
        page.goto(f"{server.url}/day/{day}")
        page.get_by_text("The cards were fixed beforehand").click()
        steps = page.get_by_role("listitem").filter(has_text=re.compile("secret|number"))
        last = "The cards of your deal follow from the secret."
        same = "This browser noted the number before the secret was published."
        middle = same if noted == "the same" else "This browser noted another number before."
        expect(steps).to_have_text(["The secret fits the number.", middle, last])
        assert_sound(page)


@SIZES
def test_table_that_is_open_at_midnight_shows_that_the_day_is_over(
    size: tuple[int, int], tmp_path: Path, new_page
) -> None:
    (tmp_path / "page").symlink_to(PAGE)
    start = datetime(2026, 11, 26, 23, tzinfo=UTC)
    times: list[MovedTime] = []
    with Running(tmp_path, time=lambda: times.append(MovedTime(start)) or times[0], push=False) as server:
        page = new_page(Guest(server, "Ada"), at=server, **sized(size)).open("/").page  # type: ignore[arg-type]
        card(page).get_by_role("button", name="Play today’s deal").click()
        page.wait_for_url(re.compile(r"/t/[\w-]+$"))
        page.locator("[data-drop=hand]").wait_for()

        async def past_midnight() -> None:
            times[0].move(2 * 3600)

        server.on_loop(past_midnight())
        expect(page.get_by_role("heading", name="The day is over")).to_be_visible()
        for reload in (False, True):
            if reload:
                page.reload()
            expect(page.get_by_text("It ended at midnight (UTC), before your last card")).to_be_visible()
            expect(page.get_by_text(re.compile("abandoned|agreed|0 deals", re.IGNORECASE))).to_have_count(0)
        assert_sound(page)
        page.get_by_role("link", name="See that day’s deal").click()
        expect(page.get_by_text("The attempt ended before the last card")).to_be_visible()
        page.get_by_role("button", name="Practise it").click()
        expect(page.get_by_text(re.compile("Deal of the day · Practice")).first).to_be_attached()
        page.goto(f"{server.url}/")
        expect(card(page).get_by_role("button", name="Play today’s deal")).to_be_visible()


def test_an_old_deal_is_practised(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Ada")
    page = new_page(guest, **sized(PHONE)).open("/day").page
    page.get_by_role("link", name=re.compile("not played$")).first.click()
    page.get_by_role("button", name="Practise it").click()
    page.wait_for_url(re.compile(r"/t/[\w-]+$"))
    expect(page.get_by_text(re.compile("Deal of the day · Practice")).first).to_be_attached()
    assert today(guest)["status"] == "new"


@pytest.mark.parametrize("hours", [20, -20])
def test_a_wrong_clock_of_the_browser_changes_nothing(hours: int, server: LiveServer, new_page) -> None:
    guest = Guest(server, "Ada")
    page = new_page(guest, **sized(PHONE))
    page.page.add_init_script(f"const shift = {hours} * 3_600_000; {SHIFT}")
    page = page.open("/").page
    card(page).get_by_role("button", name="Play today’s deal").click()
    page.wait_for_url(re.compile(r"/t/[\w-]+$"))
    assert today(guest)["status"] == "playing"
    page.goto(f"{server.url}/day")
    playing = page.get_by_role("link").filter(has_text="begun")
    expect(playing).to_have_attribute("href", f"/day/{today(guest)['day']}")


def test_second_guest_of_a_device_is_warned_of_a_second_attempt(server: LiveServer, new_page) -> None:
    ada, ben = Guest(server, "Ada"), Guest(server, "Ben")
    played(ada)
    page = new_page(ada, **sized(PHONE)).open("/").page
    expect(card(page).get_by_role("link", name="See the result")).to_be_visible()
    name, _, value = ben.cookie.partition("=")
    page.context.add_cookies([{"name": name, "value": value, "url": server.url}])
    page.reload()
    expect(card(page)).to_contain_text("A second attempt would not be fair.")
