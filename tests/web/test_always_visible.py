"""What a player sees at every moment of the game, compared with what the server sends a spectator."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.support import situations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, Seated
from tests.support.players import Mouse
from tests.support.rare_situations import lay_out
from tests.support.table_page import TablePage
from tests.support.waiting import until

NAMED = {"QC": "queen of clubs"}


def plate(page: TablePage, seat: int) -> Locator:
    """Another player's place."""
    return page.page.locator(f'[data-seat="{seat}"]')


def own(page: TablePage) -> Locator:
    """The player's own place."""
    return page.page.get_by_role("region", name="Your place")


def minutes(ms: int) -> str:
    """A time as a clock shows it."""
    seconds = -(-ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


def shown_ms(clock: Locator) -> int:
    """The time that a clock shows, without the seat's bank."""
    text = re.match(r"(\d+):(\d\d)", clock.inner_text())
    assert text is not None
    return 1000 * (60 * int(text[1]) + int(text[2]))


def assert_clock(page: TablePage, watcher: Seated) -> None:
    """The running clock shows less than the page received, and no less than the server has left."""
    clock = page.facts["clock"]
    assert clock["running"]
    place = own(page) if clock["seat"] == 0 else plate(page, clock["seat"])
    shown = place.locator(".clock.running")
    expect(shown).to_be_in_viewport()
    until(lambda: shown_ms(shown) < clock["turn_ms"])
    left = shown_ms(shown)
    watcher.say("join")
    now = watcher.facts["clock"]
    assert now["seat"] == clock["seat"]
    assert now["turn_ms"] <= left


def assert_banks(page: TablePage, facts: dict[str, Any]) -> None:
    """The banks of the players who are not to move."""
    for seat in {1, 2, 3} - {facts["actor"]}:
        expect(plate(page, seat).locator(".clock")).to_have_text(f"bank {minutes(facts['banks'][seat])}")


def assert_all_shown(page: TablePage, watcher: Seated, last: Locator) -> None:
    """Turn and phase, scores and goal, deal and dealer, stock, what was taken, the last play, clocks."""
    facts, options = watcher.facts, watcher.heard[0]["options"]
    page.reached(watcher.number)
    scores = page.page.get_by_role("group", name="Scores")
    expect(scores).to_contain_text(f"Deal {facts['deal']}")
    expect(scores).to_contain_text(f"to {options['target']}")
    expect(scores).to_contain_text(re.compile(rf"You\s*{facts['totals'][0]}\b"))
    expect(scores).to_be_in_viewport()
    for seat in (1, 2, 3):
        place = plate(page, seat)
        expect(place).to_be_in_viewport()
        label = place.get_attribute("aria-label") or ""
        assert re.search(rf"\b{facts['totals'][seat]} (points|pts)\b", label)
        assert f"{facts['hand_sizes'][seat]} cards" in label
        assert ("Dealer" in label) == (facts["dealer"] == seat)
        expect(place.get_by_title("Dealer")).to_have_count(int(facts["dealer"] == seat))
        assert ("to play" in label) == (facts["turn"] == seat)
        holds = label.partition("; holds ")[2]
        assert holds == " and ".join(NAMED[card] for card in facts["known"][seat])
        if facts["known"][seat]:
            expect(place.locator(".known")).to_be_in_viewport()
            chips, more = place.locator(".known [data-fly]").count(), place.locator(".known .num")
            counted = int(more.inner_text().strip("+")) if more.count() else 0
            assert chips + counted == len(facts["known"][seat])
    stock = page.button(re.compile(f"^Stock, {facts['stock']} cards"))
    expect(stock).to_be_in_viewport()
    expect(stock).to_contain_text(str(facts["stock"]))
    expect(last).to_be_in_viewport()
    assert_banks(page, facts)
    assert_clock(page, watcher)


@pytest.mark.parametrize("size", depth([(360, 640)], [(1280, 800), (360, 640)]), ids=lambda it: f"{it[0]} px")
def test_all_of_it_is_in_sight(size: tuple[int, int], server: LiveServer, new_page) -> None:
    """In one's own turn and in another's."""
    ada, ben, cy = (Guest(server, name) for name in ("Ada", "Ben", "Cy"))
    table = lay_out(server, situations.CLOCKED, ada, ben)
    with ben.at(table), cy.at(table) as watcher:
        page = new_page(ada, viewport={"width": size[0], "height": size[1]}).at(table)
        page.state(mine="true", phase="draw")
        watcher.say("join")
        assert (watcher.facts["known"][3], watcher.facts["banks"]) == (
            ["QC"],
            [90_000, 90_000, 80_000, 80_000],
        )
        expect(own(page)).to_contain_text("Your turn: draw")
        # Each seat shows its turn, in words on a desktop and in signs on a phone.
        turn = plate(page, 3).locator("[data-recap], .icons .discard")
        assert_all_shown(page, watcher, turn.first)
        page.action("draw").click()
        page.state(phase="play")
        expect(own(page)).to_contain_text(re.compile("Your turn: meld"))
        page.advised()
        Mouse(page).discard()
        page.state(mine="false", phase="draw")
        watcher.say("join")
        assert watcher.facts["actor"] == 1
        expect(own(page)).to_contain_text("Ben")
        assert_all_shown(page, watcher, page.page.locator(".pile .strip.last"))
