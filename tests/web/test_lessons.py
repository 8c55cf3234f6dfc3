"""A lesson by keyboard alone: its plays, another play and the way back, the sentence to remember."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from rum500.puzzles.lesson import Lesson, lessons
from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.table_page import TablePage
from tests.support.waiting import until

#: Whether the lesson's bar lies wholly above the line that says what is up, and the line of typed plays.
UNCOVERED = """() => document.querySelector('.teaching').getBoundingClientRect().bottom
    <= document.querySelector('.status').getBoundingClientRect().top + 1"""

PHONE = {"width": 390, "height": 844}


def type_play(page: TablePage, text: str) -> None:
    """Make a play by typing it."""
    page.page.keyboard.press("/")
    page.page.locator("form.typed").get_by_role("textbox").fill(text)
    page.page.keyboard.press("Enter")
    until(lambda: page.page.evaluate(UNCOVERED))


def play_through(page: TablePage, one: Lesson) -> None:
    """Make the plays of a lesson, and read what it explains."""
    for step in one.steps:
        if step.play is None:
            page.button("Continue").press("Enter")
            continue
        page.state(mine="true")
        before = page.number
        type_play(page, step.play)
        page.moved_on(before)


@pytest.mark.parametrize("one", depth(lessons()[:1], lessons()), ids=lambda one: one.name)
def test_a_lesson_is_played_by_keys(one: Lesson, server: LiveServer, new_page) -> None:
    page = new_page(Guest(server, "Ada"), viewport=PHONE).open("/lessons")
    title = page.page.get_by_role("heading", level=2).nth(list(lessons()).index(one)).inner_text()
    assert_sound(page.page)
    page.button(f"{title}: Begin").press("Enter")
    page.state(live="live", mine="true")
    assert_sound(page.page)
    play_through(page, one)
    expect(page.button("Once more")).to_be_visible()
    until(lambda: page.page.evaluate(UNCOVERED))
    expect(page.page.locator(".teaching")).to_contain_text(str(one.figures.points))
    assert_sound(page.page)
    page.open("/lessons")
    expect(page.page.get_by_role("listitem").filter(has_text=title)).to_contain_text("done")


def test_after_another_play_one_goes_back_to_the_step(server: LiveServer, new_page) -> None:
    one = lessons()[0]
    page = new_page(Guest(server, "Ada"), viewport=PHONE).open(f"/lessons/{one.name}")
    page.page.get_by_role("button", name=re.compile(": Begin")).press("Enter")
    page.state(live="live", mine="true")
    while page.button("Continue").count():
        page.button("Continue").press("Enter")
    hand = sorted(page.cards())
    page.advised()
    expect(page.page.get_by_text("most points now")).to_have_count(0)  # no shortcut beside the lesson
    type_play(page, one.instead)
    expect(page.page.locator(".teaching")).to_contain_text("play on, or go back")
    page.button("Back to this step").press("Enter")
    expect(page.page.locator(".teaching")).not_to_contain_text("go back")
    page.state(live="live", mine="true")
    assert sorted(page.cards()) == hand
