"""What has happened since one's own turn is seen at every size after each turn, and is listed in order."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.axe import settled, violations
from tests.support.depth import depth
from tests.support.held_plays import ENDS, PLAYS, held, next_play
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.players import Mouse
from tests.support.table_page import TablePage

SIZES = depth(
    [(390, 844), (1280, 720)],
    [(360, 640), (390, 844), (844, 390), (820, 1180), (1280, 720), (1440, 900)],
)
ROUNDS = depth(2, 5)
MOST_PLAYERS = 8
#: In windows of 700 px or more, a turn with at most this many chips is in words.
MOST_IN_WORDS = 8

#: What is outlined or marked on the felt: new melds, laid-off cards, discards, cards taken. `beyond` counts
#: the outlines that reach over the next card.
SIGNS = """() => {
    const all = selector => [...document.querySelectorAll(selector)]
    return {
        melds: all('.meld:has(.cards.fresh)').map(it => +it.dataset.meld),
        laid: all('.meld .card.fresh').map(it => it.dataset.fly.split(':').at(-1)).sort(),
        discards: all('.pile .strip.fresh').map(it => it.dataset.card),
        gaps: all('.pile .gap b').map(it => +it.innerText).sort((one, other) => one - other),
        beyond: all('.meld .card.fresh:has(+ .card)').filter(it => {
            const apart = it.nextElementSibling.offsetLeft - it.offsetLeft
            return parseFloat(getComputedStyle(it, '::after').width) > apart + 1
        }).length,
    }
}"""

#: By seat, the chips in its words or beside its signs, and what cannot be read without a tap.
SEATS = """() => Object.fromEntries([...document.querySelectorAll('.seat')].flatMap(seat => {
    const did = seat.querySelector('[data-recap], .icons')
    if (!did) return []
    const room = seat.getBoundingClientRect()
    const unread = [...did.querySelectorAll('span, b, .card, svg')].filter(it => {
        const {left, right, top, bottom, width} = it.getBoundingClientRect()
        const out = left < room.left - 1 || right > room.right + 1 ||
            bottom > room.bottom + 2 || top < room.top
        return width && (out || parseFloat(getComputedStyle(it).fontSize) < 12)
    }).map(it => it.outerHTML.slice(0, 160))
    return [[seat.dataset.seat, {room: room.width, words: did.matches('[data-recap]'), unread,
        chips: did.querySelectorAll('.card.chip').length, said: seat.innerText}]]
}))"""

#: What of its words leaves a phone's strip.
OUT_OF_STRIP = """strip => {
    const room = strip.getBoundingClientRect()
    return [...strip.querySelectorAll('.words :is(span, b, svg)')].filter(it => {
        const {left, right, top, bottom} = it.getBoundingClientRect()
        return left < room.left || right > room.right || top < room.top - 1 || bottom > room.bottom + 1
    }).map(it => it.outerHTML.slice(0, 160))
}"""


class Since:
    """What the events since the last discard of seat 0 come to, computed apart from the page."""

    def __init__(self) -> None:
        self.melds: list[int] = []
        self.laid: list[tuple[int, str]] = []
        self.discards: list[str] = []
        self.gaps: list[int] = []
        self.seats: dict[int, Counter[str]] = {}

    def add(self, event: dict[str, Any]) -> None:
        kind, seat = event["kind"], event.get("seat")
        did = self.seats.setdefault(seat, Counter())
        if kind in ("take", "call"):
            count = len(event["cards"])
            self.gaps.append(count)
            self.discards = self.discards[: max(0, len(self.discards) - count)]
            did["took"] += count if count <= 3 else 1
        elif kind == "meld":
            self.melds.append(event["meld"])
            did["laid"] += 1
        elif kind == "lay":
            self.laid += [(event["meld"], one["card"]) for one in event["laid"]]
            did["laid"] += 1
        elif kind == "discard":
            self.discards.append(event["card"])
            did["discarded"] += 1
        elif kind not in ("draw", "restock"):
            del self.seats[seat]

    def signs(self) -> dict[str, Any]:
        """The signs of the felt."""
        return {
            "melds": sorted(self.melds),
            "laid": sorted(card for meld, card in self.laid if meld not in self.melds),
            "discards": self.discards,
            "gaps": sorted(self.gaps),
            "beyond": 0,
        }


def check(page: TablePage, since: Since, where: str) -> list[str]:
    """What is wrong with what the seats show at each size."""
    wrong = []
    for width, height in SIZES:
        page.page.set_viewport_size({"width": width, "height": height})
        settled(page.page)
        shown = page.page.evaluate(SEATS)
        for seat, did in since.seats.items():
            if seat == 0:
                continue
            found = shown.get(str(seat))
            name = f"{where}, {width}×{height}, seat {seat}"
            if found is None or found["unread"]:
                wrong.append(f"{name}: {found}")
            elif not found["words"] and found["chips"] != did["discarded"]:
                wrong.append(f"{name}: {found['chips']} discards, {did}")
            elif min(width, height) >= 700 and not found["words"] and sum(did.values()) <= MOST_IN_WORDS:
                wrong.append(f"{name}: no words for {did}")
            elif found["words"] and found["chips"] < did["took"] + did["laid"] + did["discarded"]:
                wrong.append(f"{name}: {found}, {did}")
    return wrong


@pytest.mark.parametrize("players", depth([4, 8], [4, 5, 6, 7, 8]))
def test_each_turn_is_shown(players: int, server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    table = guest.new_table("rummy-500", players=players, level="greedy", start=True)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
    page = new_page(guest)
    passed, queue = held(page.page)
    page.at(table)
    mouse = Mouse(page)
    wrong: list[str] = []
    turns = 0
    while turns < (players - 1) * ROUNDS:
        while page.attribute("mine") == "true":
            before = page.number
            mouse.turn()
            page.moved_on(before)
        since = Since()
        own = [event for message in passed for event in message.get("events", ())]
        ends = max((at for at, event in enumerate(own) if event["kind"] in ENDS), default=len(own))
        for event in own[ends + 1 :]:
            since.add(event)
        passed.clear()
        while page.attribute("mine") != "true":
            message = next_play(page, queue)
            if message is None:
                break
            message["send"]()
            page.reached(message["number"])
            events = [event for event in message["events"] if event["kind"] in PLAYS]
            if any(event["kind"] == "over" for event in message["events"]):
                break
            for event in events:
                since.add(event)
            turns += 1
            assert page.page.evaluate(SIGNS) == since.signs(), events
            wrong += check(page, since, f"turn {turns}")
        if page.attribute("phase") == "over":
            break
    assert not wrong, wrong[:6]


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


def assert_told(page: TablePage, events: list[dict[str, Any]], width: int, height: int) -> None:
    """Each opponent's play is in view in words, or in signs with the words a tap away."""
    settled(page.page)
    discards = [event for event in events if event["kind"] == "discard"]
    if min(width, height) >= 700:
        words = page.page.locator(".seat .recap").get_by_text("discarded")
        signs = page.page.locator(".seat :is([data-sign=discard], .icons .discard)")
        expect(words.or_(signs)).to_have_count(len(discards))
        return
    expect(page.page.locator(".seat .icons .discard .card.chip")).to_have_count(len(discards))
    presses = page.page.get_by_role("tab") if height >= 700 else page.page.locator("[data-plate]")
    expect(presses).to_have_count(MOST_PLAYERS - 1)
    presses.last.click()
    if height >= 700:
        strip = page.page.get_by_role("tabpanel")
        expect(presses.last).to_have_attribute("aria-selected", "true")
        expect(strip.get_by_text("discarded").or_(strip.locator("[data-sign=discard]"))).to_have_count(1)
        assert strip.evaluate(OUT_OF_STRIP) == []
        presses.last.press("ArrowRight")
        expect(presses.first).to_be_focused()
        presses.first.press("Enter")
    sheet = page.page.get_by_role("dialog", name="Since your turn")
    expect(sheet.get_by_role("listitem")).to_have_count(MOST_PLAYERS - 1)
    if height < 700:
        expect(sheet.get_by_role("listitem").last).to_be_in_viewport(ratio=0.9)
    expect(sheet.get_by_text("discarded")).to_have_count(len(discards))
    page.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_seven_turns_are_listed_in_order_and_in_words_within_a_tap(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    table = guest.new_table("rummy-500", players=MOST_PLAYERS, level="greedy", start=True)
    page = new_page(guest).at(table)
    mouse = Mouse(page)
    rounds = 0
    while rounds < 2:
        page.turn_comes()
        events = since(page)
        discards = [event for event in events if event["kind"] == "discard"]
        if page.attribute("phase") == "draw" and len(discards) == MOST_PLAYERS - 1:
            rounds += 1
            items = page.page.get_by_role("list", name="Since your turn").first.get_by_role("listitem")
            assert items.count() == sum(
                event["kind"] in {"draw", "take", "call", "meld", "lay", "discard"} for event in events
            )
            for width, height in SIZES if rounds == 2 else SIZES[:1]:
                page.page.set_viewport_size({"width": width, "height": height})
                assert_told(page, events, width, height)
            page.page.set_viewport_size({"width": 1280, "height": 720})
        before = page.number
        mouse.turn()
        page.moved_on(before)
    before = page.page.evaluate(SIGNS)
    page.page.reload()
    page.state(live="live")
    expect(page.page.locator(".pile")).to_be_visible()
    assert page.page.evaluate(SIGNS) == before
    assert not violations(page.page)
