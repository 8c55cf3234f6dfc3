"""A finished deal is tried again from its replay: one press leads to a table marked as a trial."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.axe import assert_sound
from tests.support.live_server import Guest, LiveServer, play_on


def test_from_a_replay_one_plays_on_at_a_table_that_says_so(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Ann")
    table = guest.new_table("500-rum", players=2, level="greedy", start=True, deals=1)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: bool(facts.get("scores")))
    page = new_page(guest, viewport={"width": 390, "height": 844})
    page.open(f"/t/{table}/deal/1")
    button = page.page.get_by_role("button", name="Try it again from here")
    expect(button).to_be_enabled()
    button.click()
    page.page.wait_for_url(lambda url: "/deal/" not in url)
    page.state(live="live", waiting="play", mine="true")
    expect(page.page.get_by_text("Deal 1 again")).to_be_visible()
    assert_sound(page.page)
    again = page.page.url.rsplit("/", 1)[1]
    with guest.at(again) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over")
    assert guest.call("GET", "/api/history")["rows"][0]["table"] == table
