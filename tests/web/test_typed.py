"""Plays that are typed: in the present language or in English, and what is said to a slip."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.screens import Scene
from tests.support.table_choice import Facts
from tests.support.table_page import TablePage
from tests.web.conftest import NewPage
from tests.web.test_table import ready_to_discard, there


def type_line(page: TablePage, text: str) -> Locator:
    """Type a line, which is opened first; the form with the answer."""
    form = page.page.locator("form.typed")
    if not form.count():
        page.page.keyboard.press("/")
    field = form.get_by_role("textbox")
    field.fill(text)
    field.press("Enter")
    return form


def with_a_meld(server: LiveServer) -> Scene:
    """One's turn, a card drawn, a meld on the table, and nothing that could be taken back."""
    ada = Guest(server, "Nora")
    table = ada.new_table("500-rum", players=2, level="greedy", start=True)

    def reached(facts: Facts) -> bool:
        return bool(facts.get("discards") and facts.get("melds") and not facts.get("undo"))

    with ada.at(table) as seat:
        play_on([seat], reached)
    return Scene(ada, f"/t/{table}", after=lambda page: page.state(mine="true", phase="play"))


@pytest.mark.whole
def test_typing_error_suggests_possible_plays(server: LiveServer, new_page: NewPage) -> None:
    page = there(new_page, with_a_meld(server))
    before = page.number
    form = type_line(page, "lay KD on 99")
    expect(form.get_by_role("alert")).to_contain_text("There is no meld 99: the table has")
    expect(form.locator("mark")).to_have_text("99")
    expect(form.locator("ol li").first).to_contain_text(re.compile(r"(Run|Set) \((You|Ada)\): "))
    form = type_line(page, "take 3")
    expect(form.get_by_role("alert")).to_contain_text("You have drawn already")
    expect(form.get_by_role("listitem")).to_have_count(0)
    form = type_line(page, "rummy")
    expect(form.get_by_role("alert")).to_contain_text("There is no calling “Rummy!” in this game.")
    form = type_line(page, "undo")
    expect(form.get_by_role("alert")).to_contain_text("Nothing can be taken back")
    form = type_line(page, "help")
    expect(form.get_by_role("alert")).to_have_count(0)
    expect(form.get_by_role("status")).to_contain_text("discard KD")
    assert page.number == before


@pytest.mark.whole
def test_the_words_are_those_of_the_page_s_language(server: LiveServer, new_page: NewPage) -> None:
    scene = ready_to_discard(server)
    page = new_page(scene.guest, locale="de-DE")
    page.open(scene.path)
    scene.after(page)
    form = type_line(page, "fliegen")
    expect(form.get_by_role("alert")).to_contain_text("erwartet ist eine Aktion: ziehen, nehmen")
    expect(form.locator("ul").first).to_contain_text("anlegen 9S an 2")
    card, before = page.cards()[0], page.number
    type_line(page, f"wirf {card.lower()} jetzt")
    expect(form.get_by_role("alert")).to_contain_text("„jetzt“ gelesen, nach „abwerfen“ wird")
    expect(form.locator("mark")).to_have_text("jetzt")
    assert page.number == before
    type_line(page, f"wirf {card.lower()}")
    page.moved_on(before)


def test_refused_play_names_and_links_the_rule(server: LiveServer, new_page: NewPage) -> None:
    page = there(new_page, with_a_meld(server))
    form = type_line(page, "draw")
    expect(form.get_by_role("alert")).to_contain_text("You have drawn already")
    link = page.page.get_by_role("link", name="the rule")
    expect(link).to_be_visible()
    with page.page.expect_popup() as opened:
        link.click()
    rules = opened.value
    rule = rules.url.partition("#")[2]
    assert rule
    assert "/rules/500-rum?players=2" in rules.url
    expect(rules.locator(f"[id='{rule}']")).to_be_in_viewport()
