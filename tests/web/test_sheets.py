"""The score sheet and the match's end: read card by card beside what the server said, and always in view."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.axe import settled, violations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.screens import finished
from tests.support.table_page import TablePage

#: The signs that keep a sum in its order.
MARKS = re.compile("[\u2066\u2069]")


def rows(page: TablePage) -> list[tuple[int, str, int]]:
    """The sheet's lines, account by account: how many cards, the words beside them, the points."""
    found = page.page.locator(".sheet tbody tr").evaluate_all(
        "all => all.map(x => [x.querySelectorAll('.card').length, x.querySelector('.note').textContent,"
        " x.querySelector('.num').textContent])"
    )
    return [(cards, MARKS.sub("", note), int(points.replace("\u2212", "-"))) for cards, note, points in found]


def told(line: dict[str, Any]) -> str:
    """What a line must say of its cards' points."""
    if len(line["each"]) < 2:
        return ""
    points = " + ".join(map(str, line["each"]))
    return f"({points}) × 2" if line["doubled"] else points


def hand_of_several(sheet: dict[str, Any]) -> bool:
    """Whether somebody was left with more than one card."""
    lines = [line for account in sheet.get("lines", ()) for line in account]
    return any(len(line["each"]) > 1 and line["kind"] == "hand" for line in lines)


@pytest.mark.whole
def test_every_card_s_points_can_be_read(server: LiveServer, new_page) -> None:
    """Of melds, lay-offs and hands of several cards; of one card the line has them."""
    ada, table = finished(server, hand_of_several)
    page = new_page(ada).at(table)
    expect(page.page.locator(".sheet")).to_be_visible()
    sync = next(frame for frame in page.frames if frame["type"] == "sync")
    ours = sync["you"]["seat"] % 2
    sheet = sync["shared"]["sheet"]
    best = ours if sheet["totals"][ours] >= sheet["totals"][1 - ours] else 1 - ours
    lines = [line for side in (best, 1 - best) for seat in (side, side + 2) for line in sheet["lines"][seat]]
    read = rows(page)
    assert [(cards, points) for cards, _, points in read] == [
        (len(line["cards"]), line["points"]) for line in lines
    ]
    for (_, note, _), line in zip(read, lines, strict=True):
        assert told(line) in note
    assert hand_of_several(sheet)
    held = page.page.locator(".sheet tbody tr").filter(has_text="in hand")
    expect(held.locator(".named")).to_have_count(0)  # a joker still in hand stands for nothing


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
    before = boxes(page)
    page.get_by_role("button", name="Verify shuffle").click()
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
