"""Text at 200 %: scores, target, turn and stock stay in sight however far the table scrolls."""

from __future__ import annotations

import re
from itertools import product

import pytest

from tests.support.axe import settled, violations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.screens import mine, until
from tests.support.table_page import TablePage

WINDOWS = [(360, 640), (640, 360), (1280, 800)]
GAMES = [("500-rum", 2), ("persian-rummy", 4), ("rummy-500", 6)]

#: The text of all that lies wholly in the window and is covered by nothing.
IN_SIGHT = """() => [...document.querySelectorAll('.score *, .turn, .stock, .stock *, .banner')]
    .filter(it => {
        const box = it.getBoundingClientRect()
        const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
        const inside = box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth
        return box.width && inside && at && (it.contains(at) || at.contains(it))
    }).map(it => it.textContent).join(' ')"""

#: Buttons whose words reach over their edges; the stock's number may.
BURST = """() => [...document.querySelectorAll('button:not(.back)')]
    .filter(it => it.scrollWidth > it.clientWidth + 1).map(it => it.textContent)"""


ENDS = ("0", "document.documentElement.scrollHeight / 2", "document.documentElement.scrollHeight")


def large(server: LiveServer, new_page, window: tuple[int, int], game: tuple[str, int]) -> TablePage:
    """One's turn, some melds on the table, text at 200 %."""
    profile, players = game
    guest = Guest(server, "Ada")
    table = until(
        guest,
        lambda facts: facts.get("phase") == "play" and bool(facts.get("may")) and len(facts["melds"]) > 2,
        profile,
        players=players,
    )
    width, height = window
    page = new_page(guest, viewport={"width": width, "height": height})
    page.page.add_init_script("localStorage.setItem('rum500.settings', '{\"textSize\": 200}')")
    page.at(table)
    mine(page)
    return page


def in_sight(page: TablePage, *wanted: str) -> None:
    """Check that all of it is in sight, once the table has found its sizes."""
    settled(page.page)
    seen = " ".join(page.page.evaluate(IN_SIGHT).split())
    assert [words for words in wanted if not re.search(words, seen)] == [], seen
    assert page.page.evaluate(BURST) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("window", "game"),
    depth(list(zip(WINDOWS, GAMES[::-1], strict=True)), list(product(WINDOWS, GAMES))),
    ids=lambda it: f"{it[1]} players" if isinstance(it[0], str) else f"{it[0]}x{it[1]}",
)
def test_turn_scores_and_stock_are_always_in_sight(window, game, server: LiveServer, new_page) -> None:
    page, players = large(server, new_page, window, game), game[1]
    shared = next(frame["shared"] for frame in page.frames if frame["type"] == "sync")
    for end in ENDS:
        page.page.evaluate(f"scrollTo(0, {end})")
        whose = "They" if players == 4 else "You"
        in_sight(page, "You: play|Your turn", f"Stock {shared['stock']}", r"Deal\s[0-9]\s(of|·)", whose)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= window[0]
    page.page.evaluate("scrollTo(0, 0)")  # a card halfway behind the bar would be a small target to axe
    settled(page.page)
    assert not violations(page.page)


@pytest.mark.whole
def test_focused_element_is_not_behind_the_bar(server: LiveServer, new_page) -> None:
    page = large(server, new_page, (360, 640), ("persian-rummy", 4))
    page.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    for key in ("h", "p", "g"):
        page.page.keyboard.press(key)
        covered = page.page.evaluate(
            """() => {
                const it = document.activeElement, box = it.getBoundingClientRect()
                return !it.contains(document.elementFromPoint(box.left + 6, box.top + 8))
            }"""
        )
        assert not covered, key
