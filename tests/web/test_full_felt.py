"""A full table: many melds, a long pile, a large hand; nothing is covered, all can be reached and read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from rum500.cards import card_text
from rum500.rules.profiles import ruleset
from tests.support.axe import settled
from tests.support.depth import depth
from tests.support.laid_table import Change, Message, changed, meld
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.table_page import TablePage

WINDOWS = depth(
    ((360, 640), (1366, 625)),
    (
        (360, 640), (390, 844), (640, 360), (844, 390), (768, 1024),
        (1024, 768), (1366, 625), (1440, 900), (2560, 1440),
    ),
)  # fmt: skip
PROFILE, PLAYERS = "rummy-500", 6
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]

#: What is seen near the upper left corner: itself, or the clear button over a phone's plate.
SEEN = """(it, box) => {
    const found = document.elementFromPoint(box.left + 6, box.top + 8)
    return it.contains(found) || (found?.dataset.plate ?? '') === it.closest('.seat')?.dataset.seat
}"""

#: Which of these cannot be brought into sight, or are covered there, looked at near their upper left corner.
OUT_OF_REACH = f"""all => all.filter(it => {{
    it.scrollIntoView({{block: 'nearest', inline: 'nearest'}})
    const box = it.getBoundingClientRect()
    return !({SEEN})(it, box)
}}).map(it => it.outerHTML.slice(0, 120))"""

#: Which of these are not wholly in sight now, or are covered.
OUT_OF_SIGHT = f"""all => all.filter(it => {{
    const box = it.getBoundingClientRect()
    const before = box.top < 0 || box.left < 0
    const beyond = box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5
    return before || beyond || !({SEEN})(it, box)
}}).map(it => it.outerHTML.slice(0, 120))"""

TOO_SMALL = """all => all.filter(it => {
    const box = it.getBoundingClientRect()
    return box.width > 0 && (box.width < 24 || box.height < 24)
}).map(it => it.outerHTML.slice(0, 120))"""

SIDEWAYS = """() => [document.documentElement, ...document.querySelectorAll('main, main *')]
    .filter(it => it.scrollWidth > it.clientWidth && /auto|scroll/.test(getComputedStyle(it).overflowX))
    .map(it => it.cloneNode().outerHTML.slice(0, 120))"""

#: Who laid off a card: one line below it, no higher than its text.
SWOLLEN = "all => all.filter(it => it.getBoundingClientRect().height > 20).map(it => it.outerHTML)"

MELD_CARDS, STRIPS, HAND = ".meld [data-fly]", ".pile [role=option]", '[data-drop="hand"] [role=option]'


def melds(count: int) -> list[Message]:
    """Sets of two packs, one player's each; the next has laid off the fourth card of every other one."""
    return [
        meld(
            number,
            number % PLAYERS,
            " ".join(rank + suit for suit in "SHDC"[: 3 + number % 2]),
            {3: (number + 1) % PLAYERS},
        )
        for number, rank in enumerate([*RANKS, *RANKS][:count])
    ]


def full_felt(message: Message) -> None:
    """More melds than any deal brings about."""
    message["shared"]["melds"] = melds(26)


def full_pile(message: Message) -> None:
    """Every card of two packs discarded."""
    message["shared"]["pile"] = [card_text(card) for card in ruleset(PROFILE).deck(8)]


def full_hand(message: Message) -> None:
    """Forty cards in hand."""
    message["you"]["hand"] = [rank + suit for suit in "SHDC" for rank in RANKS[:10]]


@pytest.fixture(scope="module")
def table(server: LiveServer) -> tuple[Guest, str]:
    """A table of six at which this guest is to draw."""
    guest = Guest(server, "Nora")
    name = guest.new_table(PROFILE, players=PLAYERS, level="greedy", start=True)
    with guest.at(name) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
    return guest, name


def resized(page: Page, width: int, height: int) -> None:
    """Give the page another window, and wait until everything has its place in it."""
    page.set_viewport_size({"width": width, "height": height})
    settled(page)


def faults(page: TablePage, seen: str, reached: str) -> list[str]:
    """What is wrong with the table as it lies: what must be seen at once, and what must be reached."""
    found = page.page.evaluate(SIDEWAYS)
    found += page.page.eval_on_selector_all(f"{STRIPS}, button, a:not(.skip)", TOO_SMALL)
    found += page.page.eval_on_selector_all(".meld .by", SWOLLEN)
    return (
        found
        + page.page.eval_on_selector_all(seen, OUT_OF_SIGHT)
        + page.page.eval_on_selector_all(f"{MELD_CARDS}, {STRIPS}, {reached}", OUT_OF_REACH)
    )


@pytest.mark.parametrize(
    "more",
    depth([[full_felt, full_pile]], [[full_felt], [full_felt, full_pile]]),
    ids=lambda it: f"{len(it)} full",
)
def test_many_melds_cover_nothing(more: list[Change], table: tuple[Guest, str], new_page) -> None:
    guest, name = table
    page = new_page(guest)
    changed(page.page, *more)
    page.at(name)
    wrong = {}
    for width, height in WINDOWS:
        resized(page.page, width, height)
        seen = f".seat .who, {STRIPS}:last-child, {HAND}, [data-action]"
        if found := faults(page, seen, ".seat .who"):
            wrong[f"{width}×{height}"] = found[:4]
    assert not wrong, wrong


@pytest.mark.whole
def test_forty_cards_in_hand_can_each_be_touched(table: tuple[Guest, str], new_page) -> None:
    guest, name = table
    page = new_page(guest)
    changed(page.page, full_felt, full_hand)
    page.at(name)
    wrong = {}
    for width, height in WINDOWS:
        resized(page.page, width, height)
        if found := faults(page, f"{HAND}, [data-action]", ".seat .who"):
            wrong[f"{width}×{height}"] = found[:4]
    assert not wrong, wrong


@pytest.mark.parametrize("laid", depth([25], [25, 0]))
def test_last_meld_is_in_sight(laid: int, table: tuple[Guest, str], new_page) -> None:
    guest, name = table
    page = new_page(guest, viewport={"width": 360, "height": 640})
    send = changed(page.page, full_felt)
    page.at(name)
    page.page.locator(f'[data-meld="{25 - laid}"]').scroll_into_view_if_needed()
    number = page.number + 1
    plate = melds(26)[laid]
    event = {"number": number, "kind": "meld", "seat": plate["owner"], "meld": laid, "laid": plate["cards"]}
    send({"type": "update", "number": number, "shared": {}, "you": {}, "events": [event]})
    page.reached(number)
    fresh = f'[data-meld="{laid}"] .fresh'
    expect(page.page.locator(fresh)).to_have_count(1)  # the whole meld, in one outline
    settled(page.page)
    assert not page.page.eval_on_selector_all(fresh, OUT_OF_SIGHT)
