"""The review of a finished deal: requested by one press, read by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.waiting import until

pytestmark = pytest.mark.compiled

PHONE, DESKTOP = (390, 844), (1440, 900)
WINDOWS = depth([(844, 390)], [(360, 640), PHONE, (844, 390), (820, 1180), (1280, 720), DESKTOP])
MATCHES = 20
"""More deals than it takes to find one with two mistakes."""
STEPS = 200
"""More steps than a deal has."""
TABS = 150
"""More presses of Tab than a page has places to go to."""
MARKS = "Costly mistake|Mistake|Doubtful"
COST = (
    r"(cost \d+(\.\d)?(\s±\s\d+(\.\d)?)? points?|"
    r"lowered the chance to win the match by [\d.]+ percentage points?)"
)
"""A cost in points, with half the interval where it has one."""
TURN = """
- region "Plays":
  - heading /what could you do/ [level=2]
  - text: /cost \\d+|lowered the chance/
  - list /compared with the play that was made/:
    - listitem: /your play/
"""
"""What readers get of a decision."""


@pytest.fixture(scope="module")
def played(server: LiveServer) -> tuple[Guest, str]:
    """A guest and the table of a match of one deal that the guest has played to its end."""
    return play_a_deal(server, 1)


@pytest.fixture(scope="module")
def mistaken(server: LiveServer) -> tuple[Guest, str]:
    """The same, reviewed, with more than one mistake of the guest's."""
    for seed in range(MATCHES):
        guest, table = play_a_deal(server, seed)
        guest.call("POST", f"/api/tables/{table}/review", {})
        path = f"/api/tables/{table}/deals/1/review"
        until(lambda path=path, guest=guest: guest.call("GET", path)["state"]["marks"] == "done")
        review = guest.call("GET", path)
        own = [verdict for verdict in review["verdicts"] if verdict["seat"] == review["you"]]
        if sum(verdict["mark"] in {"doubtful", "mistake", "blunder"} for verdict in own) > 1:
            return guest, table
    raise AssertionError(f"{MATCHES} deals played by dice, and not one with two mistakes")


def play_a_deal(server: LiveServer, seed: int) -> tuple[Guest, str]:
    """Play a match of one deal by dice. Return the guest who did, and the table."""
    guest = Guest(server, "Ada")
    table = guest.new_table("500-rum", level="greedy", start=True, deals=1, target=5000)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over", seed=seed)
    return guest, table


@pytest.mark.parametrize("size", depth([DESKTOP], [PHONE, DESKTOP]), ids=str)
def test_a_deal_is_reviewed_by_one_press_and_read_by_keys(
    size: tuple[int, int], played: tuple[Guest, str], new_page
) -> None:
    guest, table = played
    page = new_page(guest, viewport={"width": size[0], "height": size[1]}).at(table).page
    page.get_by_role("link", name="Review", exact=True).first.click()
    until(lambda: page.url.endswith("/deal/1/review"))
    result = page.get_by_role("img", name=re.compile(r"Average deal .+ Cards .+, play "))
    expect(result).to_be_visible()
    shown = [int(number.replace("−", "-")) for number in re.findall(r"[+−]?\d+", spoken_line(result))]
    average, club, _, _, you, cards, play = shown
    assert (club - average, you - club) == (cards, play)
    lines = result.locator(".below span").evaluate_all(
        "all => all.map(it => it.offsetHeight / parseFloat(getComputedStyle(it).lineHeight))"
    )
    assert max(lines) < 1.5
    expect(page.get_by_text("Not explained")).not_to_be_visible()
    page.get_by_role("button", name="How?").click()
    expect(page.get_by_text("Not explained")).to_be_visible()
    assert_sound(page)
    if size == PHONE:
        page.get_by_role("button", name="Plays").click()
    heading = page.get_by_role("heading", name="what could you do?")

    def decision() -> bool:
        """Walk through the deal and back; stop at a decision of one's own."""
        for key in ("ArrowRight", "ArrowLeft"):
            for _ in range(STEPS):
                page.keyboard.press(key)
                if heading.is_visible():
                    return True
        return False

    until(decision)
    expect(page.get_by_text("your play", exact=True).first).to_be_visible()
    assert_sound(page)


def spoken_line(line: Locator) -> str:
    """Return what readers get of a deal on one line."""
    return re.sub("[\u2066\u2069\u200e]", "", line.get_attribute("aria-label") or "")


def tab_to(page: Page, place: Locator) -> None:
    """Press Tab until this has the focus."""
    expect(place).to_be_visible()
    for _ in range(TABS):
        page.keyboard.press("Tab")
        if place.evaluate("it => it === document.activeElement"):
            return
    raise AssertionError(f"Tab does not come to {place}")


@pytest.mark.parametrize("size", depth([PHONE], [PHONE, DESKTOP]), ids=str)
def test_a_reader_goes_from_the_history_to_a_mistake_and_its_reason(
    size: tuple[int, int], mistaken: tuple[Guest, str], new_page
) -> None:
    """Keys alone; decision, mark, loss with its interval and reason are in the tree that readers get."""
    guest, table = mistaken
    page = new_page(guest, viewport={"width": size[0], "height": size[1]}).open("/history").page
    tab_to(page, page.get_by_role("link", name=re.compile("^Review the match against")))
    page.keyboard.press("Enter")
    until(lambda: page.url.endswith(f"/t/{table}/review"))
    tab_to(page, page.get_by_role("link", name="Deal 1", exact=True))
    page.keyboard.press("Enter")
    until(lambda: page.url.endswith("/deal/1/review"))
    if size == PHONE:
        tab_to(page, page.get_by_role("button", name=re.compile("^Mistakes")))
        page.keyboard.press("Enter")
    status = page.get_by_role("status")
    expect(status.filter(has_text="Review ready")).to_be_attached()
    decisions = page.get_by_role("region", name="Decisions to look at").get_by_role("listitem")
    assert_sound(page)
    dearest = decisions.get_by_role("button").first
    expect(dearest).to_have_accessible_name(re.compile(rf"^({MARKS}) .+ turn \d+ {COST}$"))
    count = decisions.count()
    tab_to(page, dearest)
    page.keyboard.press("Enter")
    turn = page.get_by_role("region", name="Plays")
    if size == PHONE:  # the list has gone; the reader stands at what was chosen
        expect(turn).to_be_focused()
        bars = page.get_by_role("list", name="compared with the play that was made")
        graph = page.get_by_role("img", name=re.compile("^Points you were heading for"))

        def both_in_sight() -> bool:
            (over, under) = (bars.bounding_box(), graph.bounding_box())
            assert over is not None and under is not None
            return over["y"] >= 0 and over["y"] + over["height"] <= under["y"] < size[1] - under["height"]

        until(both_in_sight)
    said = status.filter(has_text=re.compile(rf"^\s*({MARKS})\. .+ {COST}.*\. .+"))
    expect(said).to_be_attached()
    expect(turn).to_match_aria_snapshot(TURN)
    for _ in range(count):
        page.keyboard.press(",")
    earliest = said.inner_text()
    page.keyboard.press(".")
    expect(said).not_to_have_text(earliest)
    page.keyboard.press(",")
    expect(said).to_have_text(earliest)
    tab_to(page, page.get_by_role("link", name="History"))
    page.keyboard.press("Enter")
    until(lambda: page.url.endswith("/history"))


@pytest.mark.whole
def test_mistake_of_a_review_returns_in_practice(played: tuple[Guest, str], new_page) -> None:
    guest, table = played
    guest.call("POST", f"/api/tables/{table}/review", {})
    until(lambda: guest.call("GET", "/api/history?reviewed=true")["total"] == 1)
    page = new_page(guest, viewport={"width": 390, "height": 844}).open("/practice/mistakes").page
    expect(page.get_by_test_id("position")).to_have_attribute("data-advice", "1")
    assert_sound(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_role("status").filter(has_text="Hint:")).to_be_visible()
    assert_sound(page)


@pytest.mark.parametrize("theme", depth(["light"], ["light", "dark"]))
def test_axe_finds_nothing_on_a_review_in_any_window(
    theme: str, mistaken: tuple[Guest, str], new_page
) -> None:
    guest, table = mistaken
    page = new_page(guest, color_scheme=theme).open(f"/t/{table}/deal/1/review").page
    expect(page.get_by_role("status").filter(has_text="Review ready")).to_be_attached()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert_sound(page)
        page.keyboard.press(".")
        expect(page.get_by_role("heading", name="what could you do?")).to_be_attached()
        assert_sound(page)
