"""Measure in a browser how long the others' turns take at a table of eight with fast bots.

    python bench/table_pace.py [--rounds 10]

prints the median and the longest time of a round, from the player's discard until the next turn is shown,
and of "To my turn", from its press until then. Both contain the work of the browser and of its driver.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.table_page import TablePage
from tools import chromium

PLAYERS = 8
#: The longest time that the design allows, in seconds.
GOALS = {"round": 3.5, "To my turn": 0.5}


def times(page: TablePage, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each round, and of each press of "To my turn"."""
    mouse = Mouse(page)
    found: dict[str, list[float]] = {name: [] for name in GOALS}
    while min(len(each) for each in found.values()) < rounds:
        page.turn_comes()
        before = page.number
        mouse.turn()
        page.moved_on(before)
        if page.attribute("mine") == "true" or page.attribute("waiting") != "play":
            continue
        name = min(found, key=lambda each: len(found[each]))
        if name == "To my turn":
            page.button(name).click()
        began = time.perf_counter()
        if page.wait_for_turn():
            found[name].append(time.perf_counter() - began)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    wanted = parser.parse_args()
    path = chromium.find_headless()
    if path is None:
        print(chromium.missing(), file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as data,
        LiveServer(Path(data), "--no-limits", "--log-level", "warning") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        guest = Guest(server, "Nora")
        table = guest.new_table(players=PLAYERS, level="greedy", start=True, speed="fast", target=2000)
        context = browser.new_context(locale="en-GB")
        name, _, value = guest.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": server.url}])
        page = TablePage(context.new_page(), server.url).at(table)
        for what, found in times(page, wanted.rounds).items():
            print(
                f"{what}: {statistics.median(found):.2f} s, at most {max(found):.2f} s, "
                f"wanted {GOALS[what]:.1f} s ({len(found)} measured)"
            )
        browser.close()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
