"""After each turn of each opponent the table shows what has happened since one's own turn, without a tap."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.support.axe import settled
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

#: What is outlined or marked on the felt: new melds, laid-off cards, discards, cards taken. `beyond` counts
#: the outlines that reach over the next card.
SIGNS = """() => {
    const all = selector => [...document.querySelectorAll(selector)]
    return {
        melds: all('.meld:has(.cards.fresh)').map(it => +it.dataset.meld),
        laid: all('.meld .card.fresh').map(it => it.dataset.fly.split(':').at(-1)).sort(),
        discards: all('.pile .strip.fresh').map(it => it.dataset.card),
        gaps: all('.pile .gap b').map(it => +it.innerText).sort(),
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
            elif min(width, height) >= 700 and not found["words"] and found["room"] >= 175:
                wrong.append(f"{name}: no words")
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
