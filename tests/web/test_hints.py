"""Hints in the browser: the panel covers only the far part of the table, moves nothing, needs no mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.axe import settled, violations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.waiting import until

PHONE, DESKTOP = (360, 740), (1440, 900)
KEPT = (".hand-row", ".status-slot", ".ground .pile", ".ground .stock", ".actions-place")
BOXES = """names => names.map(name => {
    const {x, y, width, height} = document.querySelector(name).getBoundingClientRect();
    return [name, x, y, width, height];
})"""


@pytest.mark.compiled
@pytest.mark.parametrize("size", depth([PHONE], [PHONE, DESKTOP]), ids=str)
def test_hints_cover_neither_hand_nor_pile_nor_actions_and_move_nothing(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    guest = Guest(server, "Ann")
    table = guest.new_table("500-rum", players=3, level="greedy", start=True, hints="numbers")
    with guest.at(table) as seat:
        play_on([seat], lambda facts: len(facts.get("melds") or []) > 2 and "discard" in facts.get("may", ()))
    page = new_page(guest, viewport={"width": size[0], "height": size[1]}).at(table)
    page.state(mine="true")
    settled(page.page)
    before = page.page.evaluate(BOXES, KEPT)
    page.page.keyboard.press("i")
    panel = page.page.get_by_role("dialog", name="Hint")
    expect(panel.get_by_role("tab", name="Possible")).to_be_focused()
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowRight")
    expect(panel.locator("[data-hint=numbers] li").first).to_be_visible()
    settled(page.page)
    assert page.page.evaluate(BOXES, KEPT) == before
    bottom = panel.evaluate("panel => panel.getBoundingClientRect().bottom")
    assert bottom <= min(y for name, _, y, *_ in before)
    assert not violations(page.page)
    page.page.keyboard.press("Escape")
    until(lambda: panel.count() == 0)
