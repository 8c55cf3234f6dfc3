"""Laid-off cards in front of the players who laid them, tied to their melds (R-LAY-3)."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.support.axe import settled
from tests.support.depth import depth
from tests.support.laid_table import changed, meld, table_of
from tests.support.live_server import Guest, LiveServer, play_on

WINDOWS = depth([(390, 844), (1280, 720)], [(360, 640), (390, 844), (844, 390), (820, 1180), (1440, 900)])
MELDS = [
    meld(0, 0, "6C 7C 8C 9C", {3: 1}),
    meld(1, 2, "8S 8H 8D"),
    meld(2, 1, "2D 3D 4D 5D 6D 7D", {0: 0, 4: 3, 5: 3}),
    meld(3, 3, "KS KH KD KC", {3: 1}),
    meld(4, 2, "JS JH JC"),
]

#: The cards that a line crosses.
CROSSED = """line => {
    const path = line.querySelector('path')
    const box = line.getBoundingClientRect()
    const cards = [...document.querySelectorAll('.melds .card:not(.chip)')]
        .map(it => it.getBoundingClientRect())
    const crossed = []
    for (let at = 0; at < path.getTotalLength(); at += 2) {
        const point = path.getPointAtLength(at)
        const [x, y] = [point.x + box.left, point.y + box.top]
        if (cards.some(({left, right, top, bottom}) => x > left && x < right && y > top && y < bottom - 1))
            crossed.push([x, y])
    }
    return path.getTotalLength() > 0 ? crossed : 'no line'
}"""

#: What overlaps among places of the felt, and what is wider than its place.
CROWDED = """() => {
    const places = [...document.querySelectorAll('[data-place]')]
    const boxes = places.map(it => it.querySelector('.cards').getBoundingClientRect())
    const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
    const wide = places.filter(it => [...it.querySelectorAll('.card, .stub')].some(
        card => card.getBoundingClientRect().right > it.getBoundingClientRect().right + 1))
    return [
        ...boxes.filter((a, at) => boxes.some((b, other) => other > at && !apart(a, b))),
        ...wide.map(it => it.outerHTML.slice(0, 200)),
    ]
}"""


def shown(page: Page, lays: str) -> None:
    page.evaluate(f"localStorage.setItem('rum500.settings', JSON.stringify({{lays: '{lays}'}}))")
    page.reload()
    expect(page.locator("[data-meld]")).to_have_count(len(MELDS))


def test_laid_off_cards_in_front_of_their_players(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    table = guest.new_table("rummy-500", players=4, level="greedy", start=True)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
    page = new_page(guest)
    changed(page.page, table_of(MELDS, "3S 4H", "2S 5H 9D KD"))
    page.at(table)
    front, laid, stubs = (page.page.locator(it) for it in ("[data-front]", "[data-laid]", "[data-stub]"))
    points = page.page.locator(".who .num").all_inner_texts()

    shown(page.page, "meld")
    expect(front).to_have_count(0)
    expect(page.page.locator(".meld .layer")).to_have_count(5)

    shown(page.page, "front")
    expect(front).to_have_count(3)
    expect(laid).to_have_count(5)
    expect(stubs).to_have_count(4)
    assert page.page.locator(".who .num").all_inner_texts() == points
    expect(
        page.page.get_by_label(re.compile("^9 of clubs, laid off by .+ on your run of clubs$"))
    ).to_have_count(2)

    for width, height in WINDOWS:
        page.page.set_viewport_size({"width": width, "height": height})
        settled(page.page)
        assert page.page.evaluate(CROWDED) == [], (width, height)
        for ends in (laid, stubs):
            for at in range(ends.count()):
                ends.nth(at).focus()
                line = page.page.locator("[data-tie]")
                expect(line.locator("path")).to_have_attribute("d", re.compile("^M"))
                assert line.evaluate(CROSSED) == [], (width, height, at)
        stubs.last.blur()
        expect(page.page.locator("[data-tie]")).to_have_count(0)
        stubs.first.hover()
        expect(page.page.locator("[data-tie]")).to_have_count(1)
        page.page.mouse.move(0, 0)
