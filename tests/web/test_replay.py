"""A finished deal replayed: step by step, from any seat, downloaded, its shuffle verified or refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.support.live_server import Guest, LiveServer, play_on


@pytest.fixture(scope="module")
def played(server: LiveServer) -> str:
    """A finished match of two deals."""
    guest = Guest(server, "Ada")
    table = guest.new_table("persian-rummy", level="greedy", start=True)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over")
    return table


def test_a_link_that_anyone_can_open(played: str, new_page, tmp_path: Path) -> None:
    page = new_page().open(f"/t/{played}/deal/1").page
    expect(page.get_by_role("heading", name="Deal 1").first).to_be_visible()
    counter = page.get_by_text(re.compile(r"Step \d+ of \d+")).first
    before = counter.inner_text()
    page.get_by_role("button", name="Step forward").click()
    expect(counter).not_to_have_text(before)
    page.keyboard.press("ArrowLeft")
    expect(counter).to_have_text(before)
    page.get_by_role("button", name="To the end").click()
    last = counter.inner_text()
    page.get_by_role("button", name="Turn back").click()
    expect(counter).not_to_have_text(last)
    page.keyboard.press("Home")
    expect(counter).to_have_text(before)
    open_hands = page.get_by_role("region", name=re.compile("holds"))
    shown = open_hands.count()
    page.get_by_role("checkbox", name="Show all hands").uncheck()
    expect(open_hands).to_have_count(0)
    assert shown
    expect(page.get_by_role("link", name="To the table")).to_have_attribute("href", f"/t/{played}")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("Download record")).or_(
            page.get_by_role("button", name=re.compile("Download record"))
        ).first.click()
    record = tmp_path / "deal.rum500"
    download.value.save_as(record)
    done = subprocess.run(
        [sys.executable, "-m", "rum500", "replay", "--verify", str(record)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_shuffle_verifies(played: str, new_page) -> None:
    page = new_page().open(f"/t/{played}/deal/1").page
    page.get_by_role("button", name="Shuffle verified").click()
    expect(page.get_by_text("The shuffle is fair.")).to_be_visible()


@pytest.mark.whole
def test_a_tampered_shuffle_is_refused(played: str, new_page) -> None:
    table_page = new_page()

    def tamper(route: Route) -> None:
        answer = route.fetch()
        replay = json.loads(answer.text())
        deck = replay["fairness"]["deck"]
        deck[0], deck[1] = deck[1], deck[0]
        route.fulfill(response=answer, json=replay)

    table_page.page.route(f"**/api/tables/{played}/deals/1", tamper)
    page = table_page.open(f"/t/{played}/deal/1").page
    page.get_by_role("button", name="Shuffle not verified").click()
    expect(page.get_by_text("This shuffle does not verify.")).to_be_visible()
    expect(page.get_by_text("The shuffle is fair.")).to_have_count(0)


@pytest.mark.whole
def test_it_is_seen_from_any_seat(server: LiveServer, played: str, new_page) -> None:
    """The hand that lies open, and who sits round the table, are those of the seat that is chosen."""
    replay = Guest(server).call("GET", f"/api/tables/{played}/deals/1")
    names, hands = replay["names"], replay["frames"][0]["hands"]
    page = new_page().open(f"/t/{played}/deal/1").page
    seats = page.get_by_label("Seen from")
    expect(seats.get_by_role("option")).to_have_text(names)
    for seat, name in enumerate(names):
        seats.select_option(label=name)
        hand = page.get_by_role("region", name=f"{name}’s hand")
        expect(hand.locator("[data-card]")).to_have_count(len(hands[seat]))
        cards = hand.locator("[data-card]").evaluate_all("all => all.map(x => x.dataset.card)")
        assert sorted(cards) == sorted(hands[seat])
        round_it = page.locator("[data-seat]").evaluate_all("all => all.map(x => Number(x.dataset.seat))")
        assert sorted(round_it) == [other for other in range(4) if other != seat]
