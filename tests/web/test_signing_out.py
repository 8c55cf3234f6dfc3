"""A guest with two devices signs out on the other one."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.table_page import TablePage


def test_other_device_is_notified_and_this_one_continues_in_all_tabs(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Ada")
    tables = [guest.new_table("500-rum", players=2, level="greedy", start=True) for _ in range(2)]
    here = new_page(guest).open("/settings")
    tab = TablePage(here.page.context.new_page(), server.url, lambda: server.log).at(tables[0])
    there = new_page(guest, offline=True).at(tables[1])
    here.button("Sign out on all other devices").click()
    here.button("Sign them out for good?").click()
    expect(here.page.get_by_text("Done. Only this browser plays as you now.")).to_be_visible()
    expect(there.page.get_by_role("heading", name="Signed out")).to_be_focused()
    tab.turn_comes()
    before = tab.number
    Mouse(tab).turn()
    tab.moved_on(before)
    assert {"type": "bye", "reason": "signed_out"} in tab.frames  # it has connected again
    there.button("Continue as a new guest").click()
    expect(there.page.get_by_text("You are watching.")).to_be_visible()
    there.faults = [fault for fault in there.faults if "401" not in fault]
