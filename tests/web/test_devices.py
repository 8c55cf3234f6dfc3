"""A guest comes to another device by a code or by recovery words, and deletes everything."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from rum500.server.devices import CODE_MS
from rum500.store import DATABASE
from tests.support.axe import assert_sound
from tests.support.live_server import Guest, LiveServer
from tests.test_people import play_matches
from tests.web.conftest import FLAGS
from tests.web.test_people import known


def run_out(server: LiveServer) -> None:
    """Make all codes of a server older than the time for which they work."""
    with closing(sqlite3.connect(server.data / DATABASE)) as database, database:
        database.execute("UPDATE device_codes SET at = at - ?", (CODE_MS,))


@pytest.fixture
def three_matches(tmp_path: Path) -> Iterator[LiveServer]:
    """A server on which Ann has ended three matches, and Ben two."""
    play_matches(tmp_path, [("Ann", "Ben"), ("Ann", "Ben"), ("Ann", "Cat")])
    with LiveServer(tmp_path, *FLAGS) as running:
        yield running


def test_a_second_device_by_code_merges_its_matches(server: LiveServer, new_page) -> None:
    nora, fox = Guest(server, "Nora"), Guest(server, "Fox")
    table = fox.new_table("500-rum", players=2, level="greedy")
    here, there = new_page(nora).open("/devices"), new_page(fox).open("/here")
    expect(here.page.get_by_role("img", name="Code to scan with the other device")).to_be_visible()
    assert_sound(here.page)
    assert_sound(there.page)
    there.page.get_by_label("Code").fill("abandon 0000 0")
    there.button("Go on").click()
    expect(there.page.get_by_role("alert")).to_have_text(re.compile("^This code is not known"))
    code = here.page.locator(".typed").inner_text()
    there.page.get_by_label("Code").fill(code.upper())
    there.button("Go on").click()
    words = there.page.locator("strong[lang=en]").inner_text()
    expect(here.page.locator("strong[lang=en]")).to_have_text(words)
    assert_sound(here.page)
    assert_sound(there.page)
    here.button("Yes, let it in").click()
    expect(here.page.get_by_text(re.compile("^Done"))).to_be_visible()
    expect(there.page.get_by_role("heading", name=re.compile("You are .?Nora"))).to_be_visible()
    assert_sound(there.page)
    there.button(re.compile("^Add them to")).click()
    expect(there.page).to_have_url(f"{server.url}/")
    there.at(table)
    expect(there.page.get_by_text("You are watching.")).to_have_count(0)
    mine = [one["table"]["id"] for one in nora.call("GET", "/api/tables/mine")]
    assert mine == [table]
    there.faults = [fault for fault in there.faults if "404" not in fault]


def test_a_guest_moves_to_a_new_phone_in_three_taps(server: LiveServer, new_page) -> None:
    """From the settings of the old phone; the new one has scanned the code and has no guest yet."""
    nora, taps = Guest(server, "Nora"), []
    old = new_page(nora, has_touch=True).open("/settings")
    new = new_page(None, has_touch=True)
    for page in (old.page, new.page):
        page.expose_function("tapped", lambda: taps.append(1))
        page.add_init_script("addEventListener('click', () => tapped(), true)")
    old.open("/settings")
    old.page.get_by_role("link", name="Another device").tap()
    code = old.page.locator(".typed").inner_text()
    new.open(f"/here#{code.replace(' ', '-')}")
    old.button("Yes, let it in").tap()
    new.button(re.compile("Nora")).tap()
    expect(new.page).to_have_url(f"{server.url}/")
    name = new.page.evaluate("fetch('/api/me').then((reply) => reply.json()).then(({ name }) => name)")
    assert (name, len(taps)) == ("Nora", 3)


def test_the_link_of_the_qr_code_asks_at_once_and_a_no_is_shown(server: LiveServer, new_page) -> None:
    nora = Guest(server, "Nora")
    here = new_page(nora).open("/devices")
    code = here.page.locator(".typed").inner_text()
    there = new_page(Guest(server)).open(f"/here#{code.replace(' ', '-')}")
    expect(here.page.locator("strong[lang=en]")).to_be_visible()
    assert code.split()[1] not in there.page.url
    here.button("Not mine").click()
    expect(there.page.get_by_text("The other device said no.")).to_be_visible()
    here.button("Make a new one").click()
    expect(here.page.locator(".typed")).not_to_have_text(code)


def test_a_code_runs_out_before_and_after_the_other_device_gave_it(own_server: LiveServer, new_page) -> None:
    here = new_page(Guest(own_server, "Nora"), at=own_server).open("/devices")
    here.page.locator(".typed").wait_for()
    run_out(own_server)
    expect(here.page.get_by_text("This code has run out.")).to_be_visible()
    assert_sound(here.page)
    here.button("Make a new one").click()
    there = new_page(Guest(own_server), at=own_server).open("/here")
    there.page.get_by_label("Code").fill(here.page.locator(".typed").inner_text())
    there.button("Go on").click()
    expect(here.button("Yes, let it in")).to_be_visible()
    run_out(own_server)
    for page in (here, there):
        expect(page.page.get_by_text("This code has run out.")).to_be_visible()
    assert_sound(there.page)
    there.button("Ask again").press("Enter")
    expect(there.page.get_by_label("Code")).to_be_focused()


def test_nobody_answers(server: LiveServer, new_page) -> None:
    here = new_page(Guest(server, "Nora")).open("/devices")
    there = new_page(Guest(server))
    there.page.clock.install()
    there.open("/here")
    there.page.get_by_label("Code").fill(here.page.locator(".typed").inner_text())
    there.button("Go on").click()
    expect(there.page.locator("strong[lang=en]")).to_be_visible()
    there.page.clock.fast_forward("02:00")
    expect(there.page.get_by_text("Nobody answered.")).to_be_visible()
    assert_sound(there.page)
    here.button("Yes, let it in").click()
    there.page.clock.run_for("00:03")
    expect(there.page.get_by_role("heading", name=re.compile("You are .?Nora"))).to_be_visible()


def test_recovery_words_are_offered_after_the_third_match(three_matches: LiveServer, new_page) -> None:
    ann, ben = known(three_matches, "Ann"), known(three_matches, "Ben")
    line = "If this browser loses its data, six words bring you back."
    his = new_page(ben, at=three_matches).open("/history").page
    expect(his.get_by_role("link", name="Replay")).to_have_count(2)
    expect(his.get_by_text(line)).to_have_count(0)
    page = new_page(ann, at=three_matches).open("/history")
    expect(page.page.get_by_text(line)).to_be_visible()
    assert_sound(page.page)
    page.page.get_by_role("link", name="Show my words").click()
    page.button("Show my words").click()
    expect(page.page.locator("ol li")).to_have_count(6)
    page.open("/history")
    expect(page.page.get_by_role("link", name="Replay")).to_have_count(3)
    expect(page.page.get_by_text(line)).to_have_count(0)


def test_recovery_words_are_shown_once_and_bring_a_guest_back(server: LiveServer, new_page) -> None:
    nora = Guest(server, "Nora")
    here = new_page(nora).open("/words")
    here.button("Show my words").click()
    expect(here.page.locator("ol li")).to_have_count(6)
    words = here.page.locator("ol li").all_inner_texts()
    assert_sound(here.page)
    here.open("/words")
    expect(here.button("Make new words")).to_be_visible()
    there = new_page(Guest(server)).open("/back")
    there.page.get_by_label("Your six words").fill("one two three")
    there.button("Go on").click()
    expect(there.page.get_by_role("alert")).to_have_text("These words are not known.")
    there.page.get_by_label("Your six words").fill(" ".join(words).upper())
    there.button("Go on").click()
    there.button(re.compile("^Play as")).click()
    expect(there.page).to_have_url(f"{server.url}/")
    there.open("/settings")
    expect(there.page.get_by_text("Nora")).to_be_visible()
    there.faults = [fault for fault in there.faults if "404" not in fault]


def test_everything_is_downloaded_and_deleted(server: LiveServer, new_page) -> None:
    nora = Guest(server, "Nora")
    page = new_page(nora).open("/data")
    assert_sound(page.page)
    with page.page.expect_download() as saved:
        page.button("Download everything").click()
    assert saved.value.suggested_filename == "rum500-data.zip"
    remove = page.button("Delete everything")
    expect(remove).to_be_disabled()
    page.page.get_by_label(re.compile("to confirm")).fill("Delete")
    remove.click()
    expect(page.page.get_by_text("Everything is deleted.")).to_be_visible()
    page.button("Begin as a new guest").click()
    page.open("/settings")
    expect(page.page.get_by_text("Nora")).to_have_count(0)
