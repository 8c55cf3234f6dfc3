"""The table's sizes in the windows that the design names; nothing moves except what is played."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support import situations
from tests.support.axe import settled
from tests.support.depth import depth
from tests.support.laid_table import changed, meld, sets, table_of
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.players import Mouse
from tests.support.rare_situations import Situation, lay_out
from tests.support.table_page import TablePage

Boxes = dict[str, list[float]]
Moves = dict[str, tuple[list[float], list[float]]]

MELDS = [
    meld(0, 2, "JC QC KC"),
    meld(1, 0, "QS QH QD"),
    meld(2, 1, "10S 10H 10C"),
    meld(3, 3, "4S 5S 6S"),
    meld(4, 2, "7S 7H 7D"),
    meld(5, 0, "6C 7C 8C 9C", {3: 2}),
    meld(6, 1, "3D 4D 5D 6D", {0: 2, 3: 0}),
    meld(7, 0, "2S 2H 2C"),
    meld(8, 3, "KS KH KD"),
    meld(9, 0, "8D 9D 10D JD"),
    meld(10, 3, "AS AH AD"),
]
MIDDLE = table_of(MELDS[:9], "3C 8S 6H JS 9H 4C 2D AS 9S", "8D 9D 10D JD 3H 4H 5H AH")
LATE = table_of(MELDS, "3C 8S 9S 6H 2D JS", "4H 5H 8H AC")
FULL = table_of(sets(16, 4), "10C JC QC KC 9C 8C", "4H 5H 8H AC")

#: Widths of a card of the hand, a card of a meld and a strip; and the least distance from hand to actions.
SIZES = """() => {
    const box = selector => document.querySelector(selector).getBoundingClientRect()
    const hand = box('[data-key]')
    return {
        hand: hand.width, meld: box('.meld .card').width, strip: box('.strip').width,
        gap: hand.top - box('.act').bottom, tray: innerHeight - box('.tray').top,
        stage: box('.felt').width, left: box('.felt').left, right: innerWidth - box('.felt').right,
    }
}"""


#: What of captions and cards of melds is cut off, or covered by another meld, the pile or the window's edge.
CUT = """() => {
    const found = [], melds = [...document.querySelectorAll('.meld')]
    const pile = document.querySelector('.pile').getBoundingClientRect()
    const area = document.querySelector('.melds')
    if (area.scrollHeight > area.clientHeight + 1) found.push('the melds scroll')
    const boxes = melds.map(it => it.getBoundingClientRect())
    melds.forEach((it, at) => {
        const caption = it.querySelector('figcaption')
        for (const part of [caption, ...caption.querySelectorAll('b')])
            if (part.scrollWidth > part.clientWidth + 1) found.push('caption ' + caption.textContent)
        for (const card of it.querySelectorAll('.card')) {
            const box = card.getBoundingClientRect()
            const out = box.bottom > pile.top || box.right > innerWidth || box.left < 0
            if (out) found.push('card ' + at)
            const seen = document.elementFromPoint(box.left + 3, box.top + 8)
            if (!card.contains(seen)) found.push('index ' + at)
        }
        boxes.slice(at + 1).forEach((other, k) => {
            const one = boxes[at]
            if (one.left < other.right - 1 && other.left < one.right - 1 &&
                one.top < other.bottom - 1 && other.top < one.bottom - 1) found.push(`${at} on ${at + 1 + k}`)
        })
    })
    return found
}"""


#: Where all cards and the table's parts lie: by name, left, top, width and height.
PLACES = """() => {
    const all = {}
    const keep = (name, it) => {
        const { left, top, width, height } = it.getBoundingClientRect()
        all[name] = [left, top, width, height].map(number => Math.round(number * 2) / 2)
    }
    for (const it of document.querySelectorAll('[data-fly]')) keep(it.dataset.fly, it)
    for (const it of document.querySelectorAll('.meld')) keep(`meld ${it.dataset.meld}`, it.parentElement)
    for (const it of document.querySelectorAll('.seat .who'))
        keep(`seat ${it.parentElement.dataset.seat}`, it)
    for (const name of ['.felt', '.status-slot', '.act', '.stock', '.tray', 'header'])
        for (const it of document.querySelectorAll(name)) keep(name, it)
    return all
}"""

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1440, "height": 900}}
BOTH = pytest.mark.parametrize(
    "size", depth([PHONE], [PHONE, DESKTOP]), ids=lambda size: "phone" if size is PHONE else "desktop"
)


@pytest.fixture(scope="module")
def four(server: LiveServer) -> tuple[Guest, str]:
    """A table of four at which this guest is to draw."""
    guest = Guest(server, "Nora")
    name = guest.new_table("500-rum", players=4, level="greedy", start=True)
    with guest.at(name) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
    return guest, name


def shown(new_page, four: tuple[Guest, str], change: Any, **options: Any) -> TablePage:
    """This table with other cards on it."""
    guest, name = four
    page = new_page(guest, **options)
    changed(page.page, change)
    page.at(name)
    settled(page.page)
    return page


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("width", "height", "hand", "meld_width", "strip"),
    [
        (1440, 900, 108, 60, 58),
        (768, 1024, 84, 44, 44),
        *depth([], [(1280, 720, 84, 44, 44), (1024, 768, 84, 44, 44), (2560, 1440, 160, 90, 80)]),
    ],
)
def test_a_desktop_is_filled(width, height, hand, meld_width, strip, four, new_page) -> None:
    page = shown(new_page, four, MIDDLE, viewport={"width": width, "height": height})
    sizes = page.page.evaluate(SIZES)
    assert sizes["hand"] >= hand and sizes["meld"] >= meld_width and sizes["strip"] >= strip, sizes
    assert 0 <= sizes["gap"] <= 24, sizes
    assert abs(sizes["left"] - sizes["right"]) <= 1 and sizes["left"] >= 0, sizes
    assert page.page.evaluate(CUT) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("width", "height", "change", "least"),
    [
        (360, 740, LATE, 32),
        (360, 740, FULL, 26),
        *depth([], [(390, 844, LATE, 36), (360, 640, LATE, 32)]),
    ],
)
def test_on_a_phone_every_meld_is_read_at_once(width, height, change, least, four, new_page) -> None:
    page = shown(new_page, four, change, **{**PHONE, "viewport": {"width": width, "height": height}})
    sizes = page.page.evaluate(SIZES)
    assert sizes["meld"] >= least, sizes
    if height == 740:
        assert sizes["tray"] <= 212, sizes
    assert page.page.evaluate(CUT) == []
    small = page.page.eval_on_selector_all(
        ".act button, header nav button",
        "all => all.map(it => it.getBoundingClientRect())"
        ".filter(b => b.width && Math.min(b.width, b.height) < 44).length",
    )
    assert small == 0


# --- nothing moves that was not played -------------------------------------------------------------------


def seated(server: LiveServer, new_page, situation: Situation, size: dict[str, Any]) -> Mouse:
    """Somebody at a table in this situation."""
    guest = Guest(server, "Nora")
    page = new_page(guest, **size).at(lay_out(server, situation, guest))
    page.state(mine="true")
    page.advised()
    return Mouse(page, touch=size is PHONE)


def places(page: TablePage) -> Boxes:
    """Where everything lies, once it lies still."""
    settled(page.page)
    found: Boxes = page.page.evaluate(PLACES)
    assert {".felt", ".status-slot", ".stock", ".tray", "header"} <= found.keys()
    return found


def moved(before: Boxes, after: Boxes, *played: str) -> Moves:
    """What does not lie where it lay, but for what was `played`; raised cards stay in their row."""

    def at(name: str, box: list[float]) -> list[float]:
        return [box[0], *box[2:]] if name.startswith("hand:") else box

    return {
        name: (box, after[name])
        for name, box in before.items()
        if name in after and not name.startswith(played) and at(name, box) != at(name, after[name])
    }


@BOTH
def test_a_claim_moves_nothing(size: dict[str, Any], server: LiveServer, new_page) -> None:
    nora, bo = Guest(server, "Nora"), Guest(server, "Bo")
    table = lay_out(server, situations.CLAIMS, nora, bo)
    with bo.at(table) as other:
        page = new_page(nora, **size).at(table)
        page.state(waiting="claim", mine="true")
        page.advised()
        expect(page.page.get_by_role("region", name="Rummy!")).to_be_visible()
        claimed = places(page)
        page.action("let_go").click()
        assert other.say("say", asked=other.facts["asked"], text="let go")["type"] == "update"
        page.state(waiting="play", mine="true", phase="draw")
        page.advised()
        after = places(page)
    assert claimed.keys() == after.keys()
    assert not moved(claimed, after)


@pytest.mark.whole
@BOTH
def test_meld_and_lay_off_move_only_the_played_cards(
    size: dict[str, Any], server: LiveServer, new_page
) -> None:
    player = seated(server, new_page, situations.OUT, size)
    page = player.page
    states = [places(page)]
    for _ in range(2):
        number = page.number
        player.do("meld")
        page.moved_on(number)
        page.advised()
        states.append(places(page))
    first, second, third = states
    assert "meld 0" in second and "meld 1" in third
    assert not moved(first, second, "hand:")
    # On a desktop the second meld makes the room grow: melds keep their row and order.
    assert not moved(second, third, "hand:", *(["meld"] if size is DESKTOP else []))
    assert second["meld 0"][1] == third["meld 0"][1]

    player = seated(server, new_page, situations.TWO_TARGETS, size)
    page = player.page
    before = places(page)
    number = page.number
    player.select("QD")
    player.press(page.button(re.compile("Lay off here: Carl’s run")))
    page.moved_on(number)
    page.advised()
    # A growing run closes up within its place; its first card stays.
    assert not moved(before, places(page), "hand:", "meld:0:1", "meld:0:2")
