"""The page's main screens, each with the events at a real server that are needed to show it.

They are tested for accessibility, and pictures of them are taken for docs/.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect

from rum500.cards import card_text
from rum500.rules.profiles import ruleset
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.table_page import TablePage
from tests.support.waiting import until as wait_until


@dataclass(frozen=True)
class Scene:
    """How to show a screen: for which guest, where, and what the browser does before and after loading."""

    guest: Guest
    path: str
    before: Callable[[Page], None] = lambda page: None
    after: Callable[[TablePage], None] = field(default=lambda page: None)


def screens() -> dict[str, Callable[[LiveServer], Scene]]:
    """Return all screens by name; each function makes its scene at a server."""
    made = (
        lobby, new_game, new_table, invite, invited, draw_for_deal, turn, middle, obligation, claim,
        full_pile, sheet, match_end, replay, history, rules, guide, settings, lesson,
    )  # fmt: skip
    return by_name(*made)


def study_screens() -> dict[str, Callable[[LiveServer], Scene]]:
    """Return reviews, practice and hints, which have their own browser tests; here they are for pictures."""
    return by_name(review, beliefs, match_review, practice, puzzle, drill, hint)


def by_name(*made: Callable[[LiveServer], Scene]) -> dict[str, Callable[[LiveServer], Scene]]:
    """Return scenes by the names of their screens."""
    return {scene.__name__.replace("_", "-"): scene for scene in made}


def heading(page: TablePage) -> None:
    """Wait until the screen has its heading."""
    page.page.get_by_role("heading").first.wait_for()


def at_table(page: TablePage) -> None:
    """Wait until the table is there."""
    page.state(live="live")


def lobby(server: LiveServer) -> Scene:
    """The first screen, with an open table in its list."""
    Guest(server, "Cy").host("persian-rummy")
    return Scene(Guest(server, "Nora"), "/", after=heading)


def new_game(server: LiveServer) -> Scene:
    """The first step to a new table: which game."""
    return Scene(Guest(server, "Nora"), "/new", after=next_step)


def new_table(server: LiveServer) -> Scene:
    """The second step: who plays, and how fast."""
    return Scene(Guest(server, "Nora"), "/new?step=table", after=next_step)


def next_step(page: TablePage) -> None:
    """Wait until the button that leads on is there."""
    page.page.locator(".primary").wait_for()


def invite(server: LiveServer) -> Scene:
    """Before the match: seats, the link and its QR code."""
    ada = Guest(server, "Nora")
    table = ada.new_table("partnership-500-rum", bots=[None, "greedy", None, None])
    return Scene(ada, f"/t/{table}", after=at_table)


def invited(server: LiveServer) -> Scene:
    """What a friend sees who comes by the link."""
    table = Guest(server, "Ada").new_table("500-rum", players=2)
    return Scene(Guest(server, "Nora"), f"/t/{table}", after=at_table)


def draw_for_deal(server: LiveServer) -> Scene:
    """The pack spread for the draw. It does not wait long, so the page itself begins the match."""
    ada = Guest(server, "Nora")
    table = ada.new_table("500-rum", players=4, bots=[None, "greedy", "greedy", "greedy"])

    def begin(page: TablePage) -> None:
        page.button(re.compile("^Start")).click()
        page.state(waiting="draw")

    return Scene(ada, f"/t/{table}", before=by_hand, after=begin)


def by_hand(page: Page) -> None:
    """Set that this browser's player draws and cuts by hand."""
    page.add_init_script("localStorage.setItem('rum500.settings', JSON.stringify({cutMyself: true}))")


def turn(server: LiveServer) -> Scene:
    """A player's first turn."""
    ada = Guest(server, "Nora")
    table = ada.new_table("persian-rummy", level="greedy", start=True)
    with ada.at(table) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
    return Scene(ada, f"/t/{table}", after=mine)


def mine(page: TablePage) -> None:
    """Wait for the player's turn, and for the suggestions of the rules."""
    page.state(live="live", mine="true")
    page.advised()


def middle(server: LiveServer) -> Scene:
    """A deal well under way: melds of both sides, a long pile."""
    ada = Guest(server, "Nora")
    table = until(ada, far_on, "persian-rummy")
    return Scene(ada, f"/t/{table}", after=mine)


def until(ada: Guest, wanted: Callable[[dict[str, Any]], bool], profile: str, **options: Any) -> str:
    """Return a table that meets a condition; if its match ends before that, play another one."""
    for _ in range(5):
        table = ada.new_table(profile, level="greedy", start=True, **options)
        with ada.at(table) as seat:
            play_on([seat], lambda facts: wanted(facts) or facts.get("status") == "over")
            if seat.facts.get("status") != "over":
                return table
    raise AssertionError("five matches have ended before it came to that")


def far_on(facts: dict[str, Any]) -> bool:
    """Return whether the player is to play in an advanced deal."""
    lies = len(facts.get("melds") or []) >= 4 and len(facts.get("pile") or []) >= 2
    return lies and bool(facts.get("may")) and facts.get("phase") == "play"


def obligation(server: LiveServer) -> Scene:
    """A card taken from the pile that must be used now."""
    ada = Guest(server, "Nora")
    owed = until(ada, lambda facts: bool(facts.get("must_use") and facts.get("may")), "500-rum", players=2)
    return Scene(ada, f"/t/{owed}", after=mine)


def claim(server: LiveServer) -> Scene:
    """A "Rummy!" that may be called."""
    ada, bo = Guest(server, "Nora"), Guest(server, "Bo")
    table, guest = claimable(ada, bo)
    return Scene(guest, f"/t/{table}", after=lambda page: page.state(waiting="claim", mine="true"))


def claimable(ada: Guest, bo: Guest) -> tuple[str, Guest]:
    """Return a table of two at which a card may be claimed, and the guest who may claim it."""
    table = ada.new_table("500-rum", players=2, house_rules=["H6"], claim_s=60, target=2_000)
    with ada.at(table) as first, bo.at(table) as second:
        first.say("sit", seat=0)
        second.say("sit", seat=1)
        first.say("start")
        play_on([first, second], lambda facts: facts.get("waiting_for") == "claim")
        window = next(seat.facts["claim"] for seat in (first, second) if seat.facts.get("claim"))
        return table, (ada, bo)[window["seats"][0]]


def full_pile(server: LiveServer) -> Scene:
    """108 discards, more than any deal can have: the server's messages are changed on their way."""
    scene = turn(server)
    cards = [card_text(card) for card in ruleset("rummy-500").deck(8)]

    def stretch(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()

        def pass_on(data: str | bytes) -> None:
            message = json.loads(data)
            if message["type"] == "sync":
                message["shared"]["pile"] = cards
            socket.send(json.dumps(message))

        there.on_message(pass_on)

    return Scene(
        scene.guest, scene.path, before=lambda page: page.route_web_socket("**/ws/**", stretch), after=mine
    )


@cache
def finished(server: LiveServer, like: Callable[[dict[str, Any]], bool] = bool) -> tuple[Guest, str]:
    """Return a table whose first deal is finished and whose score sheet meets a condition, with its guest."""
    ada = Guest(server, "Nora")
    table = ada.new_table("persian-rummy", level="greedy", start=True)
    with ada.at(table) as seat:
        play_on([seat], lambda facts: like(facts.get("sheet") or {}))
    return ada, table


def sheet(server: LiveServer) -> Scene:
    """The score sheet after a deal."""
    ada, table = finished(server)
    return Scene(ada, f"/t/{table}", after=lambda page: page.state(waiting="next"))


def match_end(server: LiveServer) -> Scene:
    """The end of a match, with its chart."""
    ada = Guest(server, "Nora")
    table = ada.new_table("persian-rummy", level="greedy", start=True)
    with ada.at(table) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over")

    def past_the_sheet(page: TablePage) -> None:
        page.state(status="over")
        page.button("Result of the match").click()
        page.page.locator(".end polyline").first.wait_for()
        page.page.get_by_role("heading", name="Turning points").wait_for()
        expect(page.page.get_by_text("Looking for the turning points")).to_have_count(0)

    return Scene(ada, f"/t/{table}", after=past_the_sheet)


def replay(server: LiveServer) -> Scene:
    """A finished deal in its middle."""
    ada, table = finished(server)

    def step(page: TablePage) -> None:
        forward = page.button("Turn forward")
        for _ in range(6):
            forward.click()

    return Scene(ada, f"/t/{table}/deal/1", after=step)


def history(server: LiveServer) -> Scene:
    """The matches of somebody who has finished one."""
    return Scene(
        match_end(server).guest, "/history", after=lambda page: page.page.get_by_role("table").wait_for()
    )


def rules(server: LiveServer) -> Scene:
    """The rules of a profile."""
    return Scene(Guest(server, "Nora"), "/rules/persian-rummy", after=heading)


def guide(server: LiveServer) -> Scene:
    """The first deal, taught at the table."""
    return Scene(Guest(server, "Nora"), "/guide", after=heading)


def settings(server: LiveServer) -> Scene:
    """The settings."""
    return Scene(Guest(server, "Nora"), "/settings", after=heading)


def lesson(server: LiveServer) -> Scene:
    """The first deal, with the present lesson above the hand."""

    def begin(page: TablePage) -> None:
        page.button("Deal me in").click()
        mine(page)

    return Scene(Guest(server, "Nora"), "/guide", after=begin)


def review(server: LiveServer) -> Scene:
    """The review of a deal, at a mistake."""
    ada, table = finished(server)
    return Scene(ada, f"/t/{table}/deal/1/review", after=at_a_mistake)


def at_a_mistake(page: TablePage) -> None:
    """Wait for all marks, and go to the first of them."""
    ready(page)
    page.page.keyboard.press(".")
    page.page.get_by_role("heading", name="what could you do?").wait_for(state="attached")


def ready(page: TablePage) -> None:
    """Wait until the decisions of the first deal are judged."""
    page.page.get_by_text("Review ready").first.wait_for(state="attached")


def beliefs(server: LiveServer) -> Scene:
    """Which cards each seat held, as far as the reviewed seat could know."""

    def map_of_the_first(page: TablePage) -> None:
        at_a_mistake(page)
        held = page.page.get_by_role("heading", name="Who held what")

        def is_shown() -> bool:
            # The map is requested a moment after the step; the key chooses one of its seats.
            page.page.keyboard.press("1")
            return held.is_visible() and page.page.get_by_text("As a list").is_visible()

        wait_until(is_shown)
        held.scroll_into_view_if_needed()

    return replace(review(server), after=map_of_the_first)


def match_review(server: LiveServer) -> Scene:
    """The sources of the points of a match, and its turning points."""
    ada, table = finished(server)
    return Scene(ada, f"/t/{table}/review", after=ready)


def practice(server: LiveServer) -> Scene:
    """The list of what there is to practise."""
    return Scene(Guest(server, "Nora"), "/practice", after=heading)


def puzzle(server: LiveServer) -> Scene:
    """A position to be solved: the puzzle of the day."""
    return Scene(
        Guest(server, "Nora"),
        "/practice/daily",
        after=lambda page: page.page.get_by_test_id("position").wait_for(),
    )


def drill(server: LiveServer) -> Scene:
    """A question of a drill: who has a card."""

    def begin(page: TablePage) -> None:
        page.page.get_by_role("link", name="Who has it?: Begin").click()
        page.page.get_by_role("slider").first.wait_for()

    return Scene(Guest(server, "Nora"), "/practice/drills", after=begin)


def hint(server: LiveServer) -> Scene:
    """A hint with the numbers of a search."""
    nora = Guest(server, "Nora")
    table = nora.new_table("500-rum", players=3, level="greedy", start=True, hints="numbers")
    with nora.at(table) as seat:
        play_on([seat], lambda facts: len(facts.get("melds") or []) > 2 and "discard" in facts.get("may", ()))

    def numbers(page: TablePage) -> None:
        page.state(mine="true")
        page.page.keyboard.press("i")
        page.page.get_by_role("tab", name="Numbers").click()
        page.page.locator("[data-hint=numbers] li").first.wait_for()

    return Scene(nora, f"/t/{table}", after=numbers)
