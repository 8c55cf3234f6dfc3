"""Several people at a table: two browsers, a third that watches, a claim, a player who leaves and returns."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.players import Mouse
from tests.support.screens import claimable
from tests.support.waiting import until

HANDS = ("hand", "drawn")
#: The boxes of reactions, of the seats, and of their names and marks.
BOXES_OF_SEATS = """seats => ['.reaction', null, '.name, .who .mark'].map(which =>
    seats.flatMap(seat => (which ? [...seat.querySelectorAll(which)] : [seat])
        .map(part => part.getBoundingClientRect().toJSON())))"""


def own_cards(frames: list[dict[str, Any]]) -> list[Any]:
    """The cards of face-down hands in these messages."""
    own = [you[key] for frame in frames if (you := frame.get("you")) for key in HANDS if you.get(key)]
    return own + shown_hands(frames)


def shown_hands(frames: list[dict[str, Any]]) -> list[list[str]]:
    """The hands that these messages show to everybody."""
    found = [(frame.get("shared") or {}).get("hands") or [] for frame in frames]
    return [hand for hands in found for hand in hands if hand]


def test_two_play_and_a_third_watches(server: LiveServer, new_page) -> None:
    ada, bo, cy = (Guest(server, name) for name in ("Ada", "Bo", "Cy"))
    table = ada.new_table("500-rum", players=2)
    first, second, watcher = (new_page(guest).at(table) for guest in (ada, bo, cy))
    for page in (first, second):
        if not page.button("Stand up").count():
            page.button(re.compile("^Sit")).first.click()
            page.button("Stand up").wait_for()
    first.button(re.compile("^Start")).click()
    players = [Mouse(first), Mouse(second)]
    for page in (first, second, watcher):
        page.state(waiting="play")  # dealt; nobody was asked to draw or to cut
    for _ in range(depth(3, 10)):
        if (seat := first.whose_turn()) is None:
            break
        players[seat].page.wait_for_turn()
        before = first.number
        players[seat].turn()
        for page in (first, second, watcher):
            page.reached(before + 1)
    for page, other in ((first, second), (second, first)):
        assert page.cards() and sorted(page.cards()) != sorted(other.cards())
    assert first.pile_cards() == second.pile_cards() == watcher.pile_cards()
    assert not watcher.hand.get_by_role("option").count()
    assert not own_cards(watcher.frames), "a spectator was sent cards that lie face down"
    assert not shown_hands(first.frames) and not shown_hands(second.frames)


def test_friends_chat_without_covering_pile_or_hand(server: LiveServer, new_page) -> None:
    """A line is counted at the other's icon; the sender sees that it was sent; a reaction hides no name."""
    ada, bo = Guest(server, "Ada"), Guest(server, "Bo")
    table = ada.new_table("500-rum", players=2)
    with ada.at(table) as first, bo.at(table) as second:
        second.say("sit", seat=1)
        first.say("start")
        play_on([first, second], lambda facts: facts.get("phase") == "draw")
    phone, desktop = new_page(ada, viewport={"width": 390, "height": 844}).at(table), new_page(bo).at(table)
    talk = "Reactions and chat"
    felt = desktop.page.locator("main.ground")
    width = box_of(felt)["width"]
    desktop.button(talk).first.click()
    panel = desktop.page.get_by_role("dialog", name=talk)
    expect(panel).to_be_visible()
    docked = box_of(panel)
    until(lambda: box_of(felt)["width"] < width and not overlap(box_of(felt), docked))
    line = panel.get_by_role("textbox", name="Write to the table")
    line.fill("Back in five")
    line.press("Enter")
    expect(panel.get_by_role("log")).to_contain_text("Sent ✓")
    unread = phone.button("1 new message in the chat")
    expect(unread).to_be_visible()
    unread.click()
    sheet = phone.page.get_by_role("dialog", name=talk)
    expect(sheet.get_by_role("log")).to_contain_text("Back in five")
    covered = [box_of(each) for each in (phone.page.locator(".ground .pile"), phone.hand)]
    until(lambda: box_of(sheet)["height"] > 0 and not any(overlap(box_of(sheet), box) for box in covered))
    panel.get_by_role("button", name="Close").click()
    reaction = desktop.page.locator(".reaction")
    for width, height in ((844, 390), (640, 360), (360, 640), (820, 1180), (390, 844)):
        phone.page.set_viewport_size({"width": width, "height": height})
        clear = phone.page.locator("main.ground :is(.seats .name, .pile, .stock)")
        until(lambda clear=clear: box_of(sheet)["height"] > 100 and not covered_by(sheet, clear))
        until(lambda: not covered_by(sheet, phone.hand))
    for width, height in ((1440, 900), (844, 390)):
        desktop.page.set_viewport_size({"width": width, "height": height})
        sheet.get_by_role("button", name="Thanks!").click()
        expect(reaction).to_have_text("Thanks!")
        seats = desktop.page.locator(".seat")
        said, plates, names = seats.evaluate_all(BOXES_OF_SEATS)
        assert len(said) == len(plates) == 1 and names
        assert inside(said[0], plates[0])
        assert not any(overlap(said[0], name) for name in names)
        expect(reaction).to_have_count(0)


def box_of(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box is not None
    return box


def covered_by(cover: Locator, parts: Locator) -> bool:
    return any(overlap(box_of(cover), box_of(part)) for part in parts.all())


def inside(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] >= other["x"]
        and one["y"] >= other["y"]
        and one["x"] + one["width"] <= other["x"] + other["width"]
        and one["y"] + one["height"] <= other["y"] + other["height"]
    )


def overlap(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


@pytest.mark.whole
def test_a_claim_is_called(server: LiveServer, new_page) -> None:
    ada, bo = Guest(server, "Ada"), Guest(server, "Bo")
    table, guest = claimable(ada, bo)
    page = new_page(guest).at(table)
    page.state(waiting="claim", mine="true")
    size, before = len(page.cards()), page.number
    expect(page.action("let_go")).to_be_visible()
    page.action("call").click()
    page.moved_on(before)
    page.state(phase="use")
    assert len(page.cards()) > size
    expect(page.log).to_contain_text("Rummy!")


@pytest.mark.whole
def test_one_leaves_a_bot_plays_and_the_seat_is_kept(server: LiveServer, new_page) -> None:
    ada, bo = Guest(server, "Ada"), Guest(server, "Bo")
    table = ada.new_table("500-rum", players=2, leaver_s=2, turn_s=600)
    with ada.at(table) as first:
        other = bo.at(table)
        first.say("sit", seat=0)
        other.say("sit", seat=1)
        first.say("start")
        play_on([first, other], lambda facts: facts.get("phase") == "draw")
    page = new_page(ada).at(table)
    mouse = Mouse(page)
    other.leave()
    sign = page.page.locator(".seat.away")
    expect(sign.locator(".gone svg")).to_be_visible()
    expect(sign.locator(".who .mark")).to_have_css("opacity", "0.5")
    expect(sign.locator(".name b")).to_have_css("opacity", "1")
    for _ in range(4):
        page.turn_comes()
        before = page.number
        mouse.turn()
        page.moved_on(before)
    with bo.at(table) as back:
        assert back.facts["seat"] == 1
        expect(page.page.get_by_text("away", exact=False)).to_have_count(0)
