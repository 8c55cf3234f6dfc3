"""The order of one's own hand: sorted in each way, by hand, with melds suggested or not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support import situations
from tests.support.axe import settled
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.rare_situations import lay_out
from tests.support.table_page import TablePage


@pytest.fixture
def page(server: LiveServer, new_page) -> TablePage:
    """The page of somebody who is to draw the three of spades."""
    ada = Guest(server, "Ada")
    opened: TablePage = new_page(ada).at(lay_out(server, situations.TO_SORT, ada))
    opened.state(mine="true", phase="draw")
    opened.advised()
    return opened


def sort(page: TablePage, how: str) -> None:
    """Press the button until it says that the hand is sorted so."""
    button = page.button(re.compile("^Sort hand"))
    for _ in range(4):
        if button.inner_text() == how:
            return
        button.click()
    expect(button).to_have_text(how)


def draw(page: TablePage) -> None:
    """Draw from the stock."""
    page.action("draw").click()
    page.state(phase="play")
    page.advised()


def test_by_hand_as_the_player_lays_it_and_a_new_card_last(page: TablePage) -> None:
    """Cards are dragged; sorting afterwards orders the whole hand again."""
    sort(page, "By rank")
    before = page.cards()
    page.in_hand("JD").drag_to(
        page.in_hand("3S"), source_position={"x": 6, "y": 12}, target_position={"x": 1, "y": 12}
    )
    expect(page.button(re.compile("^Sort hand"))).to_have_text("By hand")
    dragged = ["JD", *before[:-1]]
    assert page.cards() == dragged
    draw(page)
    assert page.cards() == [*dragged, "5S"]
    page.page.keyboard.press("s")
    assert page.cards() == ["9H", "9D", "9C", "3S", "4S", "5S", "10S", "JD"]


def suggested(page: TablePage) -> tuple[int, int, bool]:
    """How many cards are said to be in a meld, how many brackets there are, and whether a card is raised."""
    said = page.hand.get_by_role("option", name=re.compile("with others a"))
    raised = page.hand.get_by_role("option").evaluate_all(
        "all => new Set(all.map(x => Math.round(new DOMMatrix(getComputedStyle(x).transform).m42))).size > 1"
    )
    return said.count(), page.hand.locator(".bracket").count(), raised


def test_melds_are_suggested_unless_that_is_turned_off(page: TablePage) -> None:
    draw(page)
    expect(page.action("meld")).to_have_accessible_name(re.compile("9♥ 9♦ 9♣.*27"))
    assert suggested(page) == (6, 2, True)
    page.button("Menu").click()
    page.page.get_by_role("switch", name="Lay the most points").uncheck()
    page.page.keyboard.press("Escape")
    expect(page.action("meld")).to_have_accessible_name(re.compile("unavailable: select cards"))
    expect(page.button("Lay the most points")).to_have_attribute("aria-pressed", "false")
    assert suggested(page) == (6, 2, False)  # they are marked by a switch of their own
    page.page.reload()  # and it stays so
    page.state(live="live", phase="play")
    page.advised()
    assert suggested(page) == (6, 2, False)
    page.button("Lay the most points").click()  # where one sees it
    expect(page.button("Lay the most points")).to_have_attribute("aria-pressed", "true")
    assert suggested(page) == (6, 2, True)


#: The indexes of the upper row's cards that words on a bracket cover.
COVERED = """() => {
    const cards = [...document.querySelectorAll('[data-key]')].map(it => it.getBoundingClientRect())
    const upper = cards.filter(it => it.bottom < Math.max(...cards.map(({bottom}) => bottom)) - 20)
    const words = [...document.querySelectorAll('.bracket .beside')].filter(it => it.textContent)
    const over = words.flatMap(it => {
        const range = document.createRange()
        range.selectNodeContents(it)
        const box = range.getBoundingClientRect()
        return upper.filter(({left, width}) => box.left < left + 0.38 * width && box.right > left + 1)
            .map(({left}) => `${it.textContent} at ${box.left}, card at ${left}`)
    })
    return {words: words.length, over}
}"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844)], ids=lambda it: f"{it[0]}x{it[1]}")
def test_points_of_melds_in_the_upper_row_cover_no_rank_or_suit(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    ada = Guest(server, "Ada")
    page = new_page(ada, viewport={"width": size[0], "height": size[1]})
    page.at(lay_out(server, situations.FOURTEEN, ada))
    page.state(mine="true")
    page.advised()
    settled(page.page)
    found = page.page.evaluate(COVERED)
    assert found["words"] and not found["over"], found


@pytest.mark.parametrize("locale", depth(["fr-FR"], ["en-GB", "de-DE", "fr-FR", "es-ES", "fa-IR"]))
@pytest.mark.parametrize("docked", [False, True], ids=["alone", "beside the chat"])
def test_a_long_hand_leaves_plate_and_tools_free(
    locale: str, docked: bool, server: LiveServer, new_page
) -> None:
    ada = Guest(server, "Ada")
    size = (1280, 800) if docked else (1024, 768)
    page = new_page(ada, locale=locale, viewport={"width": size[0], "height": size[1]})
    page.at(lay_out(server, situations.FOURTEEN, ada))
    page.state(mine="true")
    page.advised()
    if docked:
        page.page.locator(".tools [aria-expanded]").first.click()
        page.page.locator(".talk").wait_for()
    settled(page.page)
    covered = page.page.evaluate(
        """() => {
            const cards = [...document.querySelectorAll('[data-key]')].map(it => it.getBoundingClientRect())
            const left = Math.min(...cards.map(it => it.left)), right = Math.max(...cards.map(it => it.right))
            return [...document.querySelectorAll('.tools button, .plate-place')].filter(it => {
                const box = it.getBoundingClientRect()
                return box.left < right && box.right > left
            }).map(it => it.textContent)
        }"""
    )
    assert not covered


@pytest.mark.parametrize("locale", depth(["de-DE"], ["en-GB", "de-DE", "fr-FR", "es-ES", "fa-IR"]))
def test_words_of_actions_are_whole_on_a_phone_held_sideways(
    locale: str, server: LiveServer, new_page
) -> None:
    ada = Guest(server, "Ada")
    page = new_page(ada, locale=locale, viewport={"width": 844, "height": 390})
    page.at(lay_out(server, situations.FOURTEEN, ada))
    page.state(mine="true", phase="play")
    page.advised()
    settled(page.page)
    labels = page.page.locator(".act .label")
    assert labels.count() == 3
    assert (
        labels.evaluate_all(
            "all => all.filter(it => it.scrollWidth > it.clientWidth).map(it => it.textContent)"
        )
        == []
    )
