"""Hints in the browser: the panel covers only the far part of the table, moves nothing, needs no mouse."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.axe import settled, violations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, Seated, play_on
from tests.support.table_choice import Facts, question
from tests.support.waiting import until

PHONE, DESKTOP = (360, 740), (1440, 900)
#: The words for rates at either end, in sentences that have them.
SURE = {"0%": "never", "100%": "every time"}
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
    box = panel.bounding_box()
    assert box is not None
    for name, x, y, width, _ in before:
        beside = x + width <= box["x"] or box["x"] + box["width"] <= x
        assert beside or box["y"] + box["height"] <= y, f"the hint covers {name}"
    assert not violations(page.page)
    page.page.keyboard.press("Escape")
    until(lambda: panel.count() == 0)


@pytest.mark.compiled
@pytest.mark.parametrize("size", depth([PHONE], [PHONE, DESKTOP]), ids=str)
def test_hint_shows_its_plan_with_cards_and_rate(size: tuple[int, int], server: LiveServer, new_page) -> None:
    """The plan, its cards and its rate are those that the coach measured in the deals of this decision."""
    guest = Guest(server, "Ann")
    table = guest.new_table("500-rum", players=2, level="greedy", start=True, hints="numbers", target=5000)
    with guest.at(table) as seat:
        hint = played_to_a_plan(seat)
    plan = hint["plan"]
    page = new_page(guest, viewport={"width": size[0], "height": size[1]}).at(table).page
    page.keyboard.press("i")
    page.get_by_role("tab", name="Reason").click()
    shown = page.get_by_role("dialog", name="Hint").locator("[data-plan]")
    expect(shown).to_have_attribute("data-plan", plan["name"])
    cards = [name.get_attribute("aria-label") or "" for name in shown.get_by_role("img").all()]
    assert cards[: len(plan["cards"])] == [spoken(card) for card in plan["cards"]]
    rate = plan["played"] if plan["name"] == "lay" else plan["best"]
    percent = f"{100 * rate:.0f}%"
    expect(shown).to_contain_text(re.compile(f"{percent}|{SURE.get(percent, percent)}"))
    best = page.locator(".act .primary")
    if hint["evidence"] == "none":
        expect(best).to_have_count(0)
    else:
        expect(best).to_have_attribute("data-action", hint["choice"]["kind"])
    assert not violations(page)


def played_to_a_plan(seat: Seated) -> dict[str, Any]:
    """Play until the coach has a plan with cards for the seat's decision; return its hint."""
    found: list[dict[str, Any]] = []
    known: set[object] = set()

    def planned(facts: Facts) -> bool:
        asked = question(facts)
        if asked is None or asked[0] != "play" or asked in known:
            return False
        known.add(asked)
        if seat.say("hint", asked=facts["asked"], depth="reason")["type"] == "refused":
            return False
        hint = seat.say("ask", about="hint", depth="reason")["hint"]
        if hint.get("plan") and hint["plan"]["cards"]:
            found.append(hint)
        return bool(found)

    play_on([seat], planned)
    return found[0]


def spoken(card: str) -> str:
    """Return the name of a card that a screen reader speaks."""
    rank = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}.get(card[:-1], card[:-1])
    return f"{rank} of {({'S': 'spades', 'H': 'hearts', 'D': 'diamonds', 'C': 'clubs'})[card[-1]]}"
