"""What has happened since one's last turn can be seen at every size, and is listed in order."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.support.axe import settled, violations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.table_page import TablePage

PLAYERS = 8
ROUNDS = depth(2, 4)
SIZES = depth(
    [(390, 844), (844, 390), (1280, 720)],
    [(360, 640), (390, 844), (844, 390), (820, 1180), (1280, 720), (1440, 900), (1920, 1080)],
)

#: Parts of the recap in view that are cut off or leave their seat or the window, and words below 12 px.
CUT = """() => [...document.querySelectorAll(':is(.seat, .strip) :is([data-recap], .icons)')].flatMap(it => {
    const home = it.closest('.seat, .strip').getBoundingClientRect()
    return [it, ...it.querySelectorAll('p, span, svg')].filter(part => {
        const box = part.getBoundingClientRect()
        const out = box.left < home.left - 1 || box.right > home.right + 1 || box.bottom > home.bottom + 2
        const cut = getComputedStyle(part).textOverflow === 'ellipsis'
        return box.width && (out || cut || parseFloat(getComputedStyle(part).fontSize) < 12)
    }).map(part => `${home.right - home.left} ${part.outerHTML.slice(0, 160)}`)
})"""

#: The cards of outlined melds and outlined cards, the marked cards of the pile, and the numbers of its gaps.
SIGNS = """() => {
    return {
        laid: document.querySelectorAll('.meld :is(.cards.fresh > .card, .card.fresh)').length,
        marked: [...document.querySelectorAll('.pile [role=option]')].map(it => !!it.querySelector('.by')),
        gaps: [...document.querySelectorAll('.pile .gap b')].map(it => Number(it.textContent)),
    }
}"""


def since(page: TablePage) -> list[dict[str, Any]]:
    """The events since the player's last discard, as the server sent them."""
    events = [event for frame in page.frames for event in frame.get("events", [])]
    own = ("discard", page.facts["seat"])
    begins = (
        at
        for at, event in enumerate(events)
        if event["kind"] == "deal" or (event["kind"], event.get("seat")) == own
    )
    last = max(begins, default=-1)
    return events[last + 1 :]


def expected(events: list[dict[str, Any]], pile: int) -> dict[str, Any]:
    """The signs that these events are to leave on a pile of this many cards."""
    taken = [len(event["cards"]) for event in events if event["kind"] in {"take", "call"}]
    discards = [event for event in events if event["kind"] == "discard"]
    marked = [False] * (pile - len(discards) + sum(taken))
    for event in events:
        if event["kind"] == "discard":
            marked.append(True)
        elif event["kind"] in {"take", "call"}:
            del marked[-len(event["cards"]) :]
    laid = sum(len(event["laid"]) for event in events if event["kind"] in {"meld", "lay"})
    return {"laid": laid, "marked": marked, "gaps": sorted(taken)}


def shown_signs(page: TablePage) -> dict[str, Any]:
    """The signs that the page shows."""
    found: dict[str, Any] = page.page.evaluate(SIGNS)
    return {**found, "gaps": sorted(found["gaps"])}


def assert_told(page: TablePage, events: list[dict[str, Any]], width: int, height: int) -> None:
    """Each opponent's play is in view in words, or in signs with the words a tap away."""
    settled(page.page)
    assert page.page.evaluate(CUT) == [], (width, height)
    discards = [event for event in events if event["kind"] == "discard"]
    if min(width, height) >= 700:
        words = page.page.locator(".seat .recap").get_by_text("discarded")
        signs = page.page.locator(".seat :is([data-sign=discard], .icons .discard)")
        expect(words.or_(signs)).to_have_count(len(discards))
        return
    expect(page.page.locator(".seat .icons .discard .card.chip")).to_have_count(len(discards))
    presses = page.page.get_by_role("tab") if height >= 700 else page.page.locator("[data-plate]")
    expect(presses).to_have_count(PLAYERS - 1)
    presses.last.click()
    if height >= 700:
        strip = page.page.get_by_role("tabpanel")
        expect(presses.last).to_have_attribute("aria-selected", "true")
        expect(strip).to_contain_text(re.compile("discarded"))
        presses.last.press("ArrowRight")
        expect(presses.first).to_be_focused()
        presses.first.press("Enter")
    sheet = page.page.get_by_role("dialog", name="Since your turn")
    expect(sheet.get_by_role("listitem")).to_have_count(PLAYERS - 1)
    expect(sheet.get_by_text("discarded")).to_have_count(len(discards))
    page.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_seven_turns_are_seen_at_every_size(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    table = guest.new_table("rummy-500", players=PLAYERS, level="greedy", start=True)
    page = new_page(guest).at(table)
    mouse = Mouse(page)
    rounds = 0
    while rounds < ROUNDS:
        page.turn_comes()
        events = since(page)
        discards = [event for event in events if event["kind"] == "discard"]
        if page.attribute("phase") == "draw" and len(discards) == PLAYERS - 1:
            rounds += 1
            assert shown_signs(page) == expected(events, len(page.facts["pile"]))
            items = page.page.get_by_role("list", name="Since your turn").first.get_by_role("listitem")
            assert items.count() == sum(
                event["kind"] in {"draw", "take", "call", "meld", "lay", "discard"} for event in events
            )
            for width, height in SIZES if rounds == ROUNDS else SIZES[:1]:
                page.page.set_viewport_size({"width": width, "height": height})
                assert_told(page, events, width, height)
            page.page.set_viewport_size({"width": 1280, "height": 720})
        before = page.number
        mouse.turn()
        page.moved_on(before)
    before = shown_signs(page)
    page.page.reload()
    page.state(live="live")
    expect(page.page.locator(".pile")).to_be_visible()
    assert shown_signs(page) == before
    assert not violations(page.page)
