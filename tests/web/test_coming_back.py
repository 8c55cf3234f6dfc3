"""Connections that break in the middle of a turn, a server that is killed, plays taken back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.table_page import TablePage


def in_mid_turn(page: TablePage) -> Mouse:
    """Bring a page with bots for company to the middle of its player's turn."""
    mouse = Mouse(page)
    while page.wait_for_turn() and page.attribute("phase") not in {"use", "play"}:
        before = page.number
        mouse.turn()
        page.moved_on(before)
    return mouse


def test_the_server_is_killed_in_mid_turn(own_server: LiveServer, new_page) -> None:
    guest = Guest(own_server, "Ada")
    table = guest.new_table("500-rum", players=2, level="greedy", start=True)
    page = new_page(guest, at=own_server, offline=True, service_worker=True).at(table)
    mouse = in_mid_turn(page)
    hand, pile, number = page.cards(), page.pile_cards(), page.number
    own_server.kill()
    expect(page.page.get_by_text(re.compile("connection lost", re.IGNORECASE)).first).to_be_visible()
    assert page.cards() == hand  # the last view stays readable
    own_server.start()
    page.state(live="live", mine="true")
    assert sorted(page.cards()) == sorted(hand)
    assert page.pile_cards() == pile
    before = page.number
    assert before >= number
    mouse.turn()
    page.moved_on(before)


@pytest.mark.whole
def test_a_play_is_taken_back(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Ada")
    table = guest.new_table("rummy-500", players=2, level="greedy", start=True)
    page = new_page(guest).at(table)
    page.state(mine="true", phase="draw")
    hand, pile = sorted(page.cards()), page.pile_cards()
    page.pile.get_by_role("option").last.click()
    before = page.number
    page.action("take").click()
    page.moved_on(before)
    assert len(page.cards()) == len(hand) + 1
    before = page.number
    page.action("undo").click()
    page.moved_on(before)
    page.state(mine="true", phase="draw")
    assert (sorted(page.cards()), page.pile_cards()) == (hand, pile)
    # A card from the stock has been seen: that is not taken back.
    before = page.number
    page.action("draw").click()
    page.moved_on(before)
    expect(page.action("undo")).to_have_count(0)
