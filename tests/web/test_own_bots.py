"""A bot of one's own: the page opens a seat to it, shows the command, and whether the bot is connected."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Locator, expect

from tests.support.axe import violations
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.processes import started
from tests.support.table_page import TablePage
from tests.support.waiting import PATIENCE

PHONE = {"width": 360, "height": 640}


def running(command: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """What the page says to run, with a level in place of a file."""
    words = command.split()
    assert words[0] == "rum500" and words[-1] == "my_bot.py"
    run = [sys.executable, "-m", "rum500", *words[1:-1], "greedy"]
    return started(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def waiting_room(server: LiveServer, new_page, **options: object) -> TablePage:
    """A host in front of a table of two, the other seat empty."""
    guest = Guest(server, "Ada")
    page = new_page(guest, **options).at(guest.new_table(players=2, target=2000))
    page.button("Stand up").wait_for()
    return page


def command_of(page: TablePage, name: str) -> Locator:
    """The line that shows the command of the bot of this name."""
    return page.page.get_by_label(re.compile(f"^Command for .*{name}"))


def test_own_bot_plays_in_an_opened_seat(server: LiveServer, new_page) -> None:
    page = waiting_room(server, new_page)
    page.button("Seat a bot: Seat 2").click()
    page.button("A bot of your own").click()
    name = page.page.get_by_label("Name of the bot")
    expect(name).to_be_focused()
    expect(page.page.get_by_text("The person who runs it sees that seat’s cards")).to_be_visible()
    name.fill("Robi")
    page.button("Make a token").click()
    command = command_of(page, "Robi")
    expect(command).to_be_focused()
    seat = page.page.locator(".plate").nth(1)
    expect(seat).to_contain_text("External bot · not connected yet")
    with running(command.input_value()):
        expect(seat).to_contain_text("External bot · connected")
        page.button("Start the match").click()
        mouse = Mouse(page)
        for _ in range(6):
            page.turn_comes()
            before = page.number
            mouse.turn()
            page.moved_on(before)
        expect(page.log.first).to_contain_text(re.compile("Robi (drew|took)"))


@pytest.mark.whole
def test_a_token_is_renewed_and_taken_back(server: LiveServer, new_page) -> None:
    page = waiting_room(server, new_page)
    page.page.get_by_text("A bot of your own").last.click()
    page.button("Make a token").click()
    command = command_of(page, "My bot")
    with running(command.input_value()) as bot:
        expect(page.page.locator(".lent")).to_contain_text("· connected")
        first = command.input_value()
        page.button("New token: Seat 2").click()
        expect(page.page.get_by_text("the old one is no longer valid")).to_be_visible()
        expect(command).not_to_have_value(first)
        assert "its token is no longer valid" in (bot.communicate(timeout=PATIENCE)[0] or "")
    page.button("Take the seat back: Seat 2").click()
    expect(page.page.get_by_text("the token is no longer valid", exact=False)).to_be_visible()
    expect(page.page.locator(".plate").nth(1)).to_contain_text("Empty")
    expect(page.page.locator(".lent")).to_have_count(0)


@pytest.mark.whole
def test_by_keyboard_and_without_a_violation_on_a_phone(server: LiveServer, new_page) -> None:
    page = waiting_room(server, new_page, viewport=PHONE)
    press = page.page.keyboard.press
    page.page.locator("summary", has_text="A bot of your own").focus()
    for key in ("Enter", "Tab", "Tab", "Enter"):  # open, the name, the button
        press(key)
    expect(command_of(page, "My bot")).to_be_focused()
    assert not violations(page.page)
    page.page.emulate_media(color_scheme="light")
    assert not violations(page.page)
    for key in ("Tab", "Tab", "Tab", "Enter"):  # copy, new token, take back
        press(key)
    expect(page.page.locator(".lent")).to_have_count(0)
    assert page.page.evaluate("document.activeElement !== document.body")


@pytest.mark.whole
def test_a_bot_plays_for_me_in_mid_match_until_i_take_the_seat_back(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Ada")
    page = new_page(guest).open("/settings")
    page.page.get_by_role("checkbox", name="Offer seats to a bot of my own").check()
    page.at(guest.new_table(players=2, level="greedy", target=2000, start=True))
    page.turn_comes()
    page.button("Menu").click()
    page.button("A bot of your own").click()
    page.button("Let a bot play for me").click()
    command = command_of(page, "My bot")
    expect(command).to_be_focused()
    assert not violations(page.page)
    before = page.number
    with running(command.input_value()):
        page.moved_on(before)
        expect(page.page.get_by_role("dialog").locator(".lent")).to_contain_text("· connected")
    page.button("Take the seat back: Seat 1").click()
    page.button("Close").click()
    expect(page.hand).to_be_visible()
