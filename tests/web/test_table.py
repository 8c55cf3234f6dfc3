"""What the table says and does in single situations: obligations, reasons, dragging, sorting, refusals."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.support import situations
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.players import Mouse
from tests.support.rare_situations import lay_out
from tests.support.screens import Scene, screens
from tests.support.table_page import TablePage


def there(new_page, scene: Scene) -> TablePage:
    """A browser at this scene."""
    page = new_page(scene.guest)
    scene.before(page.page)
    page.open(scene.path)
    scene.after(page)
    return page


def ready_to_discard(server: LiveServer) -> Scene:
    """The middle of one's turn, a card drawn and nothing that must be used."""
    ada = Guest(server, "Nora")
    table = ada.new_table("500-rum", players=2, level="greedy", start=True)
    with ada.at(table) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "play" and bool(facts.get("discards")))
    return Scene(ada, f"/t/{table}", after=lambda page: page.state(mine="true", phase="play"))


@pytest.mark.whole
def test_everything_is_said_in_the_log(server: LiveServer, new_page) -> None:
    page = there(new_page, ready_to_discard(server))
    Mouse(page).discard()
    expect(page.log.first).to_contain_text(re.compile("You discarded .* of (spades|hearts|diamonds|clubs)"))


@pytest.mark.whole
def test_the_keys_are_listed(server: LiveServer, new_page) -> None:
    page = there(new_page, ready_to_discard(server))
    page.page.keyboard.press("?")
    expect(page.page.get_by_role("dialog")).to_contain_text("Walk through hand or pile")
    page.page.keyboard.press("Escape")
    expect(page.page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.whole
def test_repeated_refusal_is_announced_again(server: LiveServer, new_page) -> None:
    page = there(new_page, ready_to_discard(server))
    alert = page.page.get_by_role("alert")
    for _ in range(2):
        page.page.keyboard.press("x")  # no card is selected
        expect(alert).to_contain_text(re.compile(r"\w{3}"))
        expect(page.page.locator("[data-told]")).to_have_count(0)  # it is another element each time
        alert.evaluate("it => it.dataset.told = 'yes'")


@pytest.mark.whole
def test_effect_of_a_take_is_shown(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    table = guest.new_table("500-rum", players=2, level="greedy", start=True, target=2000)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: bool(facts.get("takes")) and facts.get("phase") == "draw")
        fewest = min(map(int, seat.facts["takes"]))
    page = new_page(guest).at(table)
    page.state(mine="true", phase="draw")
    page.pile.get_by_role("option").nth(-fewest).focus()
    page.page.keyboard.press(" ")
    status = page.page.get_by_role("region", name="Your place").get_by_role("status")
    expect(status).to_contain_text(re.compile(r"^Take .* of (spades|hearts|diamonds|clubs).*[+]"))


def test_at_a_table_the_focus_is_not_lost(server: LiveServer, new_page) -> None:
    page = new_page(Guest(server, "Nora")).open("/")
    page.button(re.compile("^Play ")).focus()
    page.page.keyboard.press("Enter")
    page.turn_comes()
    assert page.page.evaluate("document.activeElement.tagName") == "MAIN"


def test_a_take_by_keys_leaves_the_focus_in_the_hand(server: LiveServer, new_page) -> None:
    """Also where the suggested melds sort the hand anew after it, which moves the card that has it."""
    guest = Guest(server, "Nora")
    page = new_page(guest).at(lay_out(server, situations.LONG_PILE, guest))
    page.state(mine="true", phase="draw")
    page.advised()
    for key in ("p", "Home", " ", "t"):
        page.page.keyboard.press(key)
    page.state(mine="true", phase="use")
    page.advised()
    expect(page.hand.locator("[data-key]:focus")).to_have_count(1)


@pytest.mark.whole
def test_the_draw_is_reached_by_keyboard_where_the_first_cards_have_gone(
    server: LiveServer, new_page
) -> None:
    """As after a draw that was tied."""
    scene = screens()["draw-for-deal"](server)
    page = new_page(scene.guest)
    scene.before(page.page)

    def without_two(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()

        def pass_on(data: str | bytes) -> None:
            message = json.loads(data)
            if message["type"] == "sync":
                message["shared"]["positions"] = message["shared"].get("positions", [])[2:]
            socket.send(json.dumps(message))

        there.on_message(pass_on)

    page.page.route_web_socket("**/ws/**", without_two)
    page.open(scene.path)
    scene.after(page)
    page.page.reload()
    page.state(waiting="draw", mine="true")
    page.page.locator('.spread [role=option][tabindex="0"]').focus()
    page.page.keyboard.press("Home")
    focused = page.page.locator("[role=option]:focus")
    expect(focused).to_have_attribute("data-position", "2")
    page.page.keyboard.press("ArrowLeft")
    expect(focused).to_have_attribute("data-position", "2")
    page.page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("data-position", "3")
