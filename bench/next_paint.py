"""Measure how long the table takes from an interaction to the next paint, with 16 melds on the felt.

Every interaction is a press or a key at the real page on a real server. The browser's own event timing
rounds to 8 ms and reports nothing below 16 ms. The load of the machine is printed beside the times: a busy
one is slower.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.axe import settled
from tests.support.laid_table import changed, sets, table_of
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.table_page import TablePage
from tools import chromium

MOST_MS = 100
HAND = "4H 5H 8H AC 6D 7D 8D JH QH"
PILE = "10C JC QC KC 9C 8C 7C 6C"
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
KEYS = ("s", "h", "ArrowRight", " ", "Escape", "p", "ArrowLeft", " ", "Escape", "?", "Escape")
#: Keeps the durations of interactions.
WATCH = """window.slow = []
new PerformanceObserver(list => window.slow.push(...list.getEntries().filter(it => it.interactionId)
    .map(it => [it.duration, it.name]))).observe({type: 'event', durationThreshold: 16, buffered: true})"""


def interact(page: Page) -> int:
    """Press every card of hand and pile, and keys. Return how often."""
    presses = 0
    for card in page.locator("[data-key], .pile [role=option]").all():
        card.click(position={"x": 6, "y": 12})
        presses += 1
        settled(page)
    for key in KEYS:
        page.keyboard.press(key)
        presses += 1
        settled(page)
    return presses


def main() -> int:
    """Measure at both sizes of the screen; return 1 if an interaction took too long."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    worst = 0.0
    with (
        tempfile.TemporaryDirectory() as data,
        LiveServer(Path(data), "--log-level", "warning", "--no-limits") as server,
        sync_playwright() as playwright,
    ):
        guest = Guest(server, "Nora")
        table = guest.new_table("500-rum", players=4, level="greedy", start=True)
        with guest.at(table) as seat:
            play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        for name, (width, height) in SIZES.items():
            context = browser.new_context(viewport={"width": width, "height": height})
            cookie, _, value = guest.cookie.partition("=")
            context.add_cookies([{"name": cookie, "value": value, "url": server.url}])
            page = context.new_page()
            page.add_init_script(WATCH)
            changed(page, table_of(sets(16, 4), PILE, HAND))
            TablePage(page, server.url).at(table)
            settled(page)
            count = interact(page)
            slow = sorted(page.evaluate("window.slow"), reverse=True)
            load = os.getloadavg()[0]
            print(f"{name}: {count} interactions, the slowest {slow[:3]}, the machine's load {load:.1f}")
            worst = max(worst, *(duration for duration, _ in slow), 0)
            context.close()
        browser.close()
    return int(worst > MOST_MS)


if __name__ == "__main__":
    sys.exit(main())
