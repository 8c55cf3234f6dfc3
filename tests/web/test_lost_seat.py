"""A person whose cookie is gone comes back to the seat by a friend's yes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.axe import settled, violations
from tests.support.impatient_server import ImpatientServer
from tests.support.live_server import Guest, LiveServer, Seated, play_on
from tests.support.players import Mouse
from tests.support.table_page import TablePage
from tests.web.conftest import FLAGS

SIZES = [(390, 844), (360, 640), (844, 390), (640, 360), (1280, 720)]
#: The places of all that the question must not move.
PLACES = """() => ['main.ground', '.pile', '.stock', '.tray', '[data-drop=hand]', '.hand-place [role=option]']
    .map(part => document.querySelector(part).getBoundingClientRect())
    .map(({x, y, width, height}) => [x + scrollX, y + scrollY, width, height])"""


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[LiveServer]:
    """A server for one test alone."""
    with ImpatientServer(tmp_path / "data", *FLAGS) as running:
        yield running


class Kitchen:
    """Nora, to move, and Ada at a table of three, each in a browser; Cleo has only a connection."""

    def __init__(self, server: LiveServer, new_page: Any) -> None:
        self.server = server
        self.nora, self.ada, cleo = (Guest(server, name) for name in ("Nora", "Ada", "Cleo"))
        self.table = self.nora.new_table("500-rum", players=3, seats_drawn=False)
        seats = [guest.at(self.table) for guest in (self.nora, self.ada, cleo)]
        for seat in seats[1:]:
            seat.say("sit")
        seats[0].say("start")
        play_on(seats, lambda _: bool(seats[0].facts.get("may")))
        self.cleo: Seated = seats[2]
        self.page: TablePage = new_page(self.nora, at=server).at(self.table)
        self.friend: TablePage = new_page(self.ada, at=server).at(self.table)
        self.page.state(mine="true")
        self.hand = sorted(self.page.cards())

    def lose_cookie(self) -> None:
        """Clear the data of Nora's browser, and open the table's link again."""
        self.page.page.goto("about:blank")
        self.page.page.context.clear_cookies()
        self.cleo.sees(lambda facts: not facts["seats"][0]["here"])
        self.page.frames.clear()
        self.page.at(self.table)
        title = self.page.page.get_by_role("heading", name="Is one of these seats yours?")
        expect(title).to_be_focused()


def places(page: TablePage) -> dict[tuple[int, int], Any]:
    """Where felt, pile and hand are, by the size of the window."""
    found = {}
    for width, height in SIZES:
        page.page.set_viewport_size({"width": width, "height": height})
        settled(page.page)
        found[width, height] = page.page.evaluate(PLACES)
    return found


def test_next_play_works_after_a_friends_yes(impatient: LiveServer, new_page) -> None:
    kitchen = Kitchen(impatient, new_page)
    page, friend = kitchen.page, kitchen.friend
    before = places(friend)
    kitchen.lose_cookie()
    assert violations(page.page) == []
    expect(page.page.get_by_role("radio", name="Nora: this is me")).to_be_checked()
    page.button("Ask the table").click()
    words = page.page.locator("[lang=en].two")
    question = friend.page.get_by_role("region", name="Somebody asks for Nora’s seat")
    expect(question).to_contain_text(words.inner_text())
    assert (violations(page.page), violations(friend.page)) == ([], [])
    assert places(friend) == before
    assert all(not frame.get("you", {}).get("hand") for frame in page.frames)
    friend.button("Give Nora the seat").click()
    page.state(mine="true")
    assert sorted(page.cards()) == kitchen.hand
    number = page.number
    Mouse(page).turn()
    page.moved_on(number)
    page.page.reload()
    page.state(live="live")
    # The new guest has taken the name of the seat.
    expect(friend.page.get_by_role("region", name="Nora")).to_be_visible()
    assert [plate["name"] for plate in friend.facts["seats"]] == ["Nora", "Ada", "Cleo"]
    expect(question).to_have_count(0)
    old = new_page(kitchen.nora, at=impatient).at(kitchen.table)
    expect(old.page.get_by_text("Your seat at this table has moved to another device.")).to_be_visible()
    assert violations(old.page) == []


#: Parts of the table that lie under the strip, and remain there when the page is scrolled to show them.
UNDER_THE_STRIP = """() => {
    const strip = document.querySelector('.asking section').getBoundingClientRect(), found = []
    for (const it of document.querySelectorAll(
        '.stock, .pile, [data-drop=hand], .hand-place [role=option], .tray button:not(:disabled)')) {
        it.scrollIntoView({block: 'end'})
        const {bottom, height} = it.getBoundingClientRect()
        if (height && bottom > strip.top + 1) found.push(it.outerHTML.slice(0, 80))
    }
    scrollTo(0, 0)
    return found
}"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844)], ids=str)
def test_question_in_large_text_is_a_strip_that_covers_nothing_for_good(
    size: tuple[int, int], impatient: LiveServer, new_page
) -> None:
    kitchen = Kitchen(impatient, new_page)
    page, friend = kitchen.page, kitchen.friend
    friend.page.set_viewport_size({"width": size[0], "height": size[1]})
    friend.page.evaluate("localStorage.setItem('rum500.settings', '{\"textSize\": 200}')")
    friend.page.reload()
    friend.state(live="live")
    settled(friend.page)
    before = friend.page.evaluate(PLACES)
    kitchen.lose_cookie()
    page.button("Ask the table").click()
    words = page.page.locator("[lang=en].two").inner_text()
    question = friend.page.get_by_role("region", name="Somebody asks for Nora’s seat")
    line = question.get_by_role("button", name="Nora’s seat: answer")
    expect(line).to_be_in_viewport(ratio=1)
    settled(friend.page)
    assert friend.page.evaluate(PLACES) == before
    assert question.evaluate("it => it.offsetHeight / innerHeight") <= 1 / 3
    assert friend.page.evaluate(UNDER_THE_STRIP) == []
    assert violations(friend.page) == []
    line.click()
    panel = friend.page.get_by_role("dialog", name="Somebody asks for Nora’s seat")
    expect(panel).to_contain_text(words)
    assert violations(friend.page) == []
    friend.page.keyboard.press("Escape")
    expect(line).to_be_focused()
    line.press("Enter")
    panel.get_by_role("button", name="Give Nora the seat").click()
    page.state(mine="true")
    expect(panel).to_have_count(0)


def test_request_outlives_a_restart_and_a_no_ends_it(impatient: LiveServer, new_page) -> None:
    kitchen = Kitchen(impatient, new_page)
    page, friend = kitchen.page, kitchen.friend
    kitchen.lose_cookie()
    page.page.keyboard.press("Tab")
    page.button("Ask the table").press("Enter")
    words = page.page.locator("[lang=en].two").inner_text()
    impatient.kill()
    for each in (page, friend):
        each.state(live="reconnecting")
    impatient.start()
    for each in (page, friend):
        each.state(live="live")
    expect(friend.page.get_by_text(words)).to_be_visible()
    friend.button("Not Nora").press("Enter")
    expect(page.page.get_by_text("The table said no.")).to_be_visible()
    page.faults = friend.faults = []


def test_question_whose_part_could_not_be_loaded_appears_once_the_server_answers(
    impatient: LiveServer, new_page
) -> None:
    kitchen = Kitchen(impatient, new_page)
    page, friend = kitchen.page, kitchen.friend
    missing = ("**/SeatQuestion*.js", "**/healthz")
    for address in missing:
        friend.page.route(address, lambda route: route.abort())
    kitchen.lose_cookie()
    with friend.page.expect_request("**/healthz"):
        page.button("Ask the table").click()
    expect(friend.page.get_by_text("Somebody asks")).to_have_count(0)
    for address in missing:
        friend.page.unroute(address)
    expect(friend.page.get_by_role("region", name="Somebody asks for Nora’s seat")).to_be_visible()
    friend.faults = []
