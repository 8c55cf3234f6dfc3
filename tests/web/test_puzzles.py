"""A puzzle in the page: found from Practice, its moves answered by keys alone, and its explanation."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from rum500.puzzles.collection import shipped
from rum500.rules.notation import play_text
from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.waiting import until

PHONE, DESKTOP = (390, 844), (1440, 900)


@pytest.mark.parametrize("size", depth([PHONE], [PHONE, DESKTOP]), ids=str)
def test_a_puzzle_is_answered_by_keys_and_explained(
    size: tuple[int, int], server: LiveServer, new_page
) -> None:
    guest = Guest(server, "Ada")
    first = guest.call("GET", "/api/puzzles/next?profile=500-rum")["id"]
    entry = shipped().get(first)
    assert entry is not None
    puzzle = entry.puzzle()
    page = new_page(guest, viewport={"width": size[0], "height": size[1]}).open("/practice").page
    page.get_by_label("Game").select_option("500-rum")
    page.get_by_role("link", name="Puzzles: Next puzzle").click()
    position = page.get_by_test_id("position")
    expect(position).to_have_attribute("data-advice", "1")
    assert_sound(page)
    page.keyboard.press("/")
    page.get_by_label("Type a play").fill("discard")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    for number, move in enumerate(puzzle.moves, 1):
        expect(position).to_contain_text(f"Move {number} of {len(puzzle.moves)}")
        expect(page.locator("#hand")).to_be_in_viewport()
        expect(position).to_have_attribute("data-advice", "1")
        if not page.get_by_label("Type a play").is_visible():
            page.keyboard.press("/")
        page.get_by_label("Type a play").fill(play_text(move.right[0], move.view))
        page.keyboard.press("Enter")
        if number < len(puzzle.moves):
            expect(page.get_by_role("heading", name="Right. And now?")).to_be_visible()
    expect(page.get_by_role("heading", name="Right", exact=True)).to_be_focused()
    last = puzzle.moves[-1].right[0]
    expect(page.locator(f'[data-play="{last}"]').get_by_text("your play")).to_be_visible()
    assert_sound(page)
    page.get_by_role("button", name="Good").click()
    until(lambda: guest.call("GET", f"/api/puzzles/{first}")["result"]["vote"] == 1)
    page.get_by_role("button", name="Next puzzle").click()
    expect(position).to_have_attribute("data-advice", "1")
    assert guest.call("GET", "/api/puzzles")["solved"] == 1
