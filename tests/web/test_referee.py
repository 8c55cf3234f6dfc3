"""The referee: questions with cards, the rule and its source in the answer, and the usual quarrels."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.waiting import until

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def pick(page: Page, cards: str) -> None:
    """Choose cards on the keys that are open."""
    for card in cards.split():
        page.get_by_role("button", name=RANKS.get(card[:-1], card[:-1]), exact=True).click()
        page.get_by_role("button", name=SUITS[card[-1]], exact=True).click()


def ask(page: Page, situation: str) -> None:
    page.get_by_role("group", name="What do you want to do?").get_by_role("button", name=situation).click()


def answers(page: Page, *texts: str) -> None:
    """Expect an answer that begins with the first text and holds the others."""
    answer = page.locator(".answer")
    expect(answer).to_have_text(re.compile(rf"^\s*{re.escape(texts[0])}\b"))
    for text in texts[1:]:
        expect(answer).to_contain_text(text)


def test_a_run_round_the_corner_is_refused_with_the_rule_and_what_would_be_right(new_page) -> None:
    page = new_page(**PHONE).open("/pad/may-i?game=500-rum").page
    pick(page, "KS AS 2S")
    answers(page, "No", "go round the corner", "R-MELD-2, source H", "All 9 games agree.")
    expect(page.get_by_label("ace of spades, 2 of spades and 3 of spades")).to_be_visible()
    assert page.get_by_role("link", name="Read the rule").get_attribute("href") == "/rules/500-rum#R-MELD-2"
    page.get_by_role("button", name="Remove king of spades").click()
    pick(page, "3S")
    answers(page, "Yes", "Different in: Persian Rummy")


def test_a_take_is_bound_by_its_lowest_card_and_hand_and_table_decide(new_page) -> None:
    page = new_page(**PHONE).open("/pad/may-i?game=500-rum").page
    ask(page, "Take")
    pick(page, "KD 6H 9C 4S")
    page.get_by_role("button", name="from 6 of hearts").click()
    answers(page, "Yes, if", "at once", "R-DRAW-3")
    page.get_by_role("checkbox", name="Show hand and table").check()
    answers(page, "No", "the lowest card you take, must be used at once")
    page.get_by_role("button", name="Add a card: Your hand").click()
    pick(page, "6S 6D")
    answers(page, "Yes", "R-DRAW-3")
    page.get_by_role("button", name="from 4 of spades").click()
    answers(page, "No", "R-DRAW-4", "Different in: Rummy 500")
    page.locator(".game-box summary").first.click()
    page.get_by_role("combobox", name="Game").select_option("rummy-500")
    answers(page, "Yes", "may be kept in hand")


def test_going_out_lay_offs_and_calls_are_answered_by_the_house_rules(new_page) -> None:
    page = new_page(**PHONE).open("/pad/may-i?game=500-rum").page
    ask(page, "Lay off")
    pick(page, "QS QH QC")
    page.get_by_role("button", name="Add a card: Which cards?").click()
    pick(page, "KD")
    answers(page, "No", "Meld 1 does not take", "R-LAY-1")
    ask(page, "Rummy!")
    answers(page, "No", "H6")
    ask(page, "Go out")
    answers(page, "Yes", "R-END-1")
    page.locator(".game-box summary").first.click()
    page.locator(".game-box details summary").click()
    page.get_by_role("checkbox", name=re.compile("must discard to go out")).check()
    answers(page, "No", "floats")
    page.get_by_role("button", name="Discard the last card").click()
    answers(page, "Yes", "H2")
    page.get_by_role("checkbox", name="I float.").check()
    answers(page, "Yes, if", "fits no meld")


def test_the_chosen_cards_stay_when_a_part_cannot_be_fetched_ahead(new_page) -> None:
    opened = new_page(**PHONE)
    page, held = opened.page, list[Route]()
    page.add_init_script("addEventListener('vite:preloadError', () => sessionStorage.setItem('failed', '1'))")

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/assets/TablePage-*.js", hold)
    opened.open("/pad/may-i?game=500-rum")
    pick(page, "KS AS 2S")
    answers(page, "No", "go round the corner")
    until(lambda: page.evaluate("true") and len(held) > 0)
    held.pop().abort()
    until(lambda: page.evaluate("sessionStorage.getItem('failed')") == "1")
    page.evaluate("fetch('/healthz').then((answer) => answer.text())")
    assert page.evaluate("sessionStorage.getItem('rum500.renewed')") is None
    answers(page, "No", "go round the corner")
    opened.faults.clear()  # the browser's own line about the request that failed


@pytest.mark.parametrize("language", depth(["en"], ["en", "de", "fa"]))
def test_the_page_is_sound_and_every_quarrel_has_a_rule(language: str, new_page) -> None:
    page = new_page(**PHONE, locale=language).open("/pad/may-i?game=rummy-500").page
    quarrels = page.locator("section.box > details")
    expect(quarrels).to_have_count(8)
    for at in range(8):
        quarrels.nth(at).locator("summary").click()
        expect(quarrels.nth(at)).to_contain_text(re.compile(r"(R-[A-Z]+-\d|H\d|D\d)"))
    for at in range(5):
        page.locator(".situations").first.locator("button").nth(at).click()
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            assert_sound(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
