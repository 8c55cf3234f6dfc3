"""What seldom comes up: choices between plays, claims, floating, an empty stock, the last card, dragging.

Each is laid out at a real table (`tests/support/situations.py`), and made by mouse, finger, keys or typing.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support import situations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse, Pointer
from tests.support.rare_situations import lay_out
from tests.support.screens import by_hand
from tests.support.table_page import TablePage
from tests.web.conftest import PHONE, Sit

POINTERS = pytest.mark.parametrize("how", depth(["mouse"], ["mouse", "finger", "keys"]))
DRAGGERS = pytest.mark.parametrize("how", depth(["finger"], ["mouse", "finger"]))


def said(page: TablePage, words: str) -> Locator:
    """What stands in the player's place, where it says this."""
    return page.page.get_by_role("region", name="Your place").get_by_text(re.compile(words)).first


def logged(page: TablePage, words: str) -> None:
    """Wait until the log says this."""
    expect(page.log.first).to_contain_text(re.compile(words))


def refused(page: TablePage, words: str) -> None:
    """Wait until this reason is given."""
    expect(page.page.get_by_role("alert").filter(has_text=re.compile(words)).first).to_be_visible()


def step(player: Pointer, name: str) -> None:
    """Make a play and wait until it is shown, with what comes next."""
    before = player.page.number
    player.do(name)
    player.page.moved_on(before)
    player.page.advised()


# --- four at once ----------------------------------------------------------------------------------------


# --- two melds, two meanings -----------------------------------------------------------------------------


@POINTERS
def test_ambiguous_joker_asks_for_its_card(how: str, sit: Sit) -> None:
    player = sit(situations.JOKERS, how)
    for card in ("5S", "6S", "JK"):
        player.select(card)
    player.do("meld")
    expect(player.page.page.get_by_role("group", name="What does the joker stand for?")).to_be_visible()
    expect(player.offered).to_have_count(2)
    player.choose(1)
    logged(player.page, "joker.*7 of spades")
    player.page.advised()
    for card in ("8H", "8C", "JK"):
        player.select(card)
    player.do("meld")
    player.choose(0)
    logged(player.page, "joker.*8 of (spades|diamonds)")


# --- "Rummy!" --------------------------------------------------------------------------------------------


def window(server: LiveServer, new_page) -> tuple[Mouse, Mouse]:
    """Two people who may both call, the second on a phone."""
    guests = Guest(server, "Nora"), Guest(server, "Bo")
    table = lay_out(server, situations.CLAIMS, *guests)
    pages = new_page(guests[0]).at(table), new_page(guests[1], **PHONE).at(table)
    for page in pages:
        page.state(waiting="claim", mine="true")
        page.advised()
    return Mouse(pages[0]), Mouse(pages[1], touch=True)


@pytest.mark.whole
def test_letting_a_claim_go_waits_for_the_other_players(server: LiveServer, new_page) -> None:
    nora, bo = window(server, new_page)
    nora.do("let_go")
    nora.page.state(waiting="claim", mine="false")
    expect(bo.page.action("call")).to_be_visible()
    bo.do("let_go")
    nora.page.state(waiting="play", mine="true", phase="draw")
    logged(nora.page, "Bo let it go")


# --- floating, the last card -----------------------------------------------------------------------------


@pytest.mark.whole
@POINTERS
def test_player_floats_after_laying_the_last_card(how: str, sit: Sit) -> None:
    player = sit(situations.FLOATING, how)
    player.do("meld")
    logged(player.page, "You have no card left and float")


@pytest.mark.whole
def test_a_floater_must_lay_off_a_card_that_fits(sit: Sit) -> None:
    player = sit(situations.FLOATER)
    player.select("8S")
    player.page.action("discard").click(force=True)
    refused(player.page, "You float")
    player.do("lay")
    logged(player.page, "laid off 8 of spades on your run.*float")


@pytest.mark.whole
def test_going_out_by_the_last_discard(sit: Sit) -> None:
    player = sit(situations.OUT)
    for _ in range(2):
        step(player, "meld")
    player.select("KD")
    player.do("discard")
    player.page.state(waiting="next")
    expect(player.page.page.get_by_role("heading", name="Deal 1")).to_be_visible()


@POINTERS
def test_going_out_by_melding(how: str, sit: Sit) -> None:
    player = sit(situations.OUT_MELDING, how)
    for _ in range(2):
        step(player, "meld")
    player.page.state(waiting="next")
    logged(player.page, "You went out")


# --- the pile and the stock ------------------------------------------------------------------------------


@POINTERS
def test_a_new_stock_is_made_of_the_pile(how: str, sit: Sit) -> None:
    player = sit(situations.RESTOCK, how)
    expect(player.page.action("draw")).to_contain_text("the pile is shuffled again")
    player.do("draw")
    logged(player.page, "The pile was shuffled into a new stock of 25 cards")
    assert len(player.page.pile_cards()) == 1


@pytest.mark.whole
@POINTERS
def test_the_end_where_the_stock_is_empty(how: str, sit: Sit) -> None:
    player = sit(situations.STOCK_OUT, how)
    expect(player.page.action("draw")).to_have_count(0)
    player.do("end")
    player.page.state(waiting="next")
    logged(player.page, "The stock was empty, and the deal is over")


@pytest.mark.whole
def test_the_top_discard_taken_alone_may_not_be_thrown(sit: Sit) -> None:
    player = sit(situations.BANNED)
    player.select("QC")
    expect(player.page.action("discard")).to_contain_text("You took Q♣ alone")
    player.page.action("discard").click(force=True)
    refused(player.page, "may not discard it this turn")
    player.select("QC")
    player.select("2S")
    player.do("discard")
    logged(player.page, "You discarded 2 of spades")


@POINTERS
def test_a_card_is_taken_to_be_laid_off(how: str, sit: Sit) -> None:
    player = sit(situations.LAY_TAKEN, how)
    player.look("7S")
    expect(said(player.page, "on Carl’s run")).to_be_visible()
    player.do("take")
    expect(said(player.page, "You must use")).to_be_visible()
    player.page.advised()
    player.do("lay")
    logged(player.page, "laid off 7 of spades on Carl’s run")


# --- dragging --------------------------------------------------------------------------------------------


@pytest.mark.whole
@DRAGGERS
def test_a_card_is_dragged_to_the_meld_it_is_meant_for(how: str, sit: Sit) -> None:
    player = sit(situations.TWO_TARGETS, how)
    player.drag("QD", player.page.drop("meld:1"))
    logged(player.page, "laid off queen of diamonds on Carl’s set")


@DRAGGERS
def test_selected_cards_are_dragged_to_the_felt_together(how: str, sit: Sit) -> None:
    player = sit(situations.FOUR, how)
    for card in ("8S", "8H", "8D", "8C"):
        player.select(card)
    player.drag("8H", player.page.drop("melds"))
    logged(player.page, "Four at once: doubled. 64 points")


@pytest.mark.whole
@DRAGGERS
def test_the_hand_is_put_in_order_by_dragging(how: str, sit: Sit) -> None:
    player = sit(situations.BANNED, how)
    first, *others = player.page.cards()
    player.drag(first, player.page.in_hand(others[3]))
    assert player.page.cards().index(first) in (3, 4)
    assert sorted(player.page.cards()) == sorted([first, *others])


@DRAGGERS
def test_one_card_is_dragged_to_the_pile_and_two_are_not(how: str, sit: Sit) -> None:
    player = sit(situations.BANNED, how)
    player.select("2S")
    player.select("4H")
    player.drag("4H", player.page.drop("pile"))
    refused(player.page, "one card")
    player.select("4H")
    player.drag("2S", player.page.drop("pile"))
    logged(player.page, "You discarded 2 of spades")


# --- before the deal -------------------------------------------------------------------------------------


def test_spread_pack_names_the_player_to_draw(server: LiveServer, new_page) -> None:
    """Nobody's while the pack is shuffled: the second player's browser is slow with its part of it."""
    nora, bo = Guest(server, "Nora"), Guest(server, "Bo")
    table = nora.new_table("500-rum", players=2)
    page = new_page(nora)
    by_hand(page.page)
    with bo.at(table) as slow:
        slow.say("sit")
        page.at(table)
        page.button(re.compile("^Start")).click()
        heading = page.page.locator(".spread").get_by_role("heading")
        expect(heading).to_have_text("The cards are being shuffled")
        page.state(waiting="draw", mine="true")
        expect(heading).to_have_text("Draw a card")
        Mouse(page).pick()
        expect(heading).to_have_text("Bo draws a card")
