"""The pages of people and leagues, by keyboard and with axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from rum500.store import SECRET
from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.serving import cookie_of
from tests.test_people import play_matches
from tests.web.conftest import FLAGS

PHONE, DESKTOP = (390, 844), (1280, 720)


@pytest.fixture(name="club")
def a_club(tmp_path: Path) -> Iterator[LiveServer]:
    """A server on which Ann has played with Ben."""
    play_matches(tmp_path, [("Ann", "Ben")])
    with LiveServer(tmp_path, *FLAGS) as running:
        yield running


def known(server: LiveServer, name: str) -> Guest:
    """Return a guest from the matches, under the same name."""
    guest = Guest(server)
    guest.cookie = f'rum500="{cookie_of(server.data / SECRET, name.lower())}"'
    guest.me = guest.call("PUT", "/api/me", {"name": name})
    return guest


@pytest.mark.parametrize(
    ("size", "theme"),
    depth([(PHONE, "dark")], [(PHONE, "light"), (PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")]),
    ids=str,
)
def test_people_play_again_and_keep_a_league(
    size: tuple[int, int], theme: str, club: LiveServer, new_page
) -> None:
    look = {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": theme}
    ann, ben = known(club, "Ann"), known(club, "Ben")
    page = new_page(ann, at=club, **look).open("/people").page
    page.get_by_role("checkbox", name=re.compile("Ben")).focus()
    page.keyboard.press("Space")
    assert_sound(page)
    page.get_by_role("button", name="Make a league").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Kitchen round")).to_be_visible()
    link = page.get_by_label("Link for new members").input_value()
    page.go_back()
    page.get_by_role("checkbox", name=re.compile("Ben")).check()
    page.get_by_role("button", name="Play again").press("Enter")
    expect(page).to_have_url(re.compile("/t/"))

    his = new_page(ben, at=club, **look).open("/").page
    invited = his.get_by_role("region", name="Invitations").get_by_role("listitem")
    expect(invited).to_have_count(2)
    assert_sound(his)
    invited.filter(has_text="500 Rum").get_by_role("button", name="Not now").press("Enter")
    expect(invited).to_have_count(1)
    invited.get_by_role("link", name="To the league").press("Enter")
    expect(his).to_have_url(link)
    his.get_by_role("button", name="Join").press("Enter")
    expect(his.get_by_role("row")).to_have_count(3)
    expect(his.get_by_role("link", name="Replay")).to_be_visible()
    assert_sound(his)


def test_a_table_has_a_league_whose_standing_is_shared(club: LiveServer, new_page) -> None:
    ann = known(club, "Ann")
    (row,) = ann.call("GET", "/api/history")["rows"]
    opened = new_page(ann, at=club, viewport={"width": 390, "height": 844}).open(f"/t/{row['table']}")
    page = opened.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Result of the match").press("Enter")
    assert_sound(page)
    page.get_by_role("button", name="Keep a standing of this round").press("Enter")
    expect(page.get_by_role("heading", name="Kitchen round")).to_be_visible()
    address = page.url
    page.go_back()
    menu = page.get_by_role("button", name="Menu")
    expect(menu).to_be_enabled()
    menu.press("Enter")
    page.get_by_role("button", name="Keep a standing of this round").press("Enter")
    expect(page).to_have_url(address)  # these people have one already
    known(club, "Ben").call("POST", f"/api/leagues/{address.rpartition('/')[2]}/join", {})
    page.reload()
    page.evaluate("delete Navigator.prototype.share")  # as a browser without a sheet
    page.get_by_role("button", name="Share the standing").press("Enter")
    expect(page.get_by_text("Copied.")).to_be_visible()
    title, first, second, link = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert (title, link) == ("Kitchen round", address)
    assert first.startswith("1. ") and second.startswith("2. ")
    assert {name for name in ("Ann", "Ben") if name in first + second} == {"Ann", "Ben"}
    assert_sound(page)
