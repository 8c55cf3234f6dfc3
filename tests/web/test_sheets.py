"""The score sheet and the match's end: always in view."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.axe import settled, violations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on

PHONE, DESKTOP = (360, 740), (1440, 900)
SIZES = depth(
    (PHONE, DESKTOP), (PHONE, (390, 844), (768, 1024), (1024, 768), (1280, 720), DESKTOP, (2560, 1440))
)

#: Whether all of it lies open in the window.
IN_VIEW = """it => {
    const box = it.getBoundingClientRect()
    const inside = box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    const at = document.elementFromPoint(x, y)
    return box.width > 0 && inside && at !== null && (it.contains(at) || at.contains(it))
}"""

#: Whether nothing needs to be scrolled but the lines of the sheet; and nothing at all from side to side.
WHOLE = """() => {
    const page = document.documentElement, paper = document.querySelector('.paper')
    return page.scrollHeight <= innerHeight && paper.scrollHeight <= paper.clientHeight
        && [...document.querySelectorAll('html, .paper, .ranks li, .columns, .foot')]
            .every(it => it.scrollWidth <= it.clientWidth + 1)
}"""


@cache
def counted(server: LiveServer, profile: str, players: int) -> tuple[Guest, str]:
    """A table with the second deal counted, so that totals have come together."""
    nora = Guest(server, "Nora")
    table = nora.new_table(profile, level="greedy", start=True, players=players, target=2_000)
    with nora.at(table) as seat:
        play_on([seat], lambda facts: (facts.get("sheet") or {}).get("number") == 2)
    return nora, table


def sheet_of(server: LiveServer, new_page, game: tuple[str, int], size: tuple[int, int], **more: Any) -> Page:
    """The sheet of this game in a window of this size."""
    nora, table = counted(server, *game)
    width, height = size
    phone = {"has_touch": True, "is_mobile": True} if width < 700 else {}
    page = new_page(nora, viewport={"width": width, "height": height}, **phone, **more).at(table).page
    expect(page.locator(".sheet")).to_be_visible()
    settled(page)
    return page


def in_view(found: Locator) -> bool:
    """Whether all that was found lies open in the window; it must be something."""
    return found.count() > 0 and all(each.evaluate(IN_VIEW) for each in found.all())


def boxes(page: Page) -> list[Any]:
    """Where the standings are."""
    found: list[Any] = page.locator(".ranks li").evaluate_all(
        "all => all.map(it => JSON.stringify(it.getBoundingClientRect()))"
    )
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "game", depth((("500-rum", 4),), (("500-rum", 4), ("rummy-500", 8), ("500-rummy", 5)))
)
def test_totals_and_next_deal_are_in_view(
    game: tuple[str, int], size: tuple[int, int], server: LiveServer, new_page
) -> None:
    page = sheet_of(server, new_page, game, size)
    assert page.locator(".ranks .total").count() == game[1]
    assert in_view(page.locator(".ranks .total"))
    assert in_view(page.locator(".foot button, .foot a"))
    expect(page.get_by_role("button", name="Next deal")).to_have_count(1)
    assert page.evaluate(WHOLE)


@pytest.mark.parametrize("size", depth([PHONE], [PHONE, DESKTOP]), ids=str)
def test_verify_shuffle_answers_in_view_and_moves_no_total(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    page = sheet_of(server, new_page, ("500-rum", 4), size)
    line = page.get_by_role("button", name="Shuffle verified ✓")
    expect(line).to_be_visible()
    assert in_view(line)
    before = boxes(page)
    line.click()
    answer = page.get_by_text("The shuffle is fair.")
    expect(answer).to_be_visible()
    settled(page)
    assert in_view(answer)
    assert in_view(page.get_by_role("button", name="Next deal"))
    assert boxes(page) == before


@pytest.mark.parametrize("size", depth([PHONE], [PHONE, DESKTOP]), ids=str)
def test_the_end_shows_result_standings_and_rematch_at_once(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    nora = Guest(server, "Nora")
    table = nora.new_table("500-rum", level="greedy", start=True, players=4, target=50)
    with nora.at(table) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over")
    page = new_page(nora, viewport={"width": size[0], "height": size[1]}).at(table).page
    page.get_by_role("button", name="Result of the match").click()
    expect(page.get_by_role("heading", level=1, name=re.compile(r"wins?, \d+ ahead of"))).to_be_visible()
    settled(page)
    assert in_view(page.locator(".ranks .big"))
    assert in_view(page.get_by_role("button", name="Rematch"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_text("to pay").first).not_to_be_visible()
    assert not violations(page)


def test_on_a_low_phone_the_lines_do_not_scroll_in_a_slit(server: LiveServer, new_page) -> None:
    page = sheet_of(server, new_page, ("partnership-500-rum", 4), (360, 640))
    page.locator(".columns details").evaluate_all("all => all.forEach(it => (it.open = true))")
    assert page.locator(".columns").evaluate("it => it.scrollHeight <= it.clientHeight + 1")
    assert page.locator(".paper").evaluate("it => it.clientHeight > innerHeight / 2")
