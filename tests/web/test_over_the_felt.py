"""What comes and goes over the table (notices, chat, reactions, refusals) covers neither pile nor hand."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.axe import settled
from tests.support.depth import depth
from tests.support.laid_table import Message, changed
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.table_page import TablePage
from tests.support.tcp_relay import Line
from tests.web.test_table_sizes import scene

SIZES = depth(
    [(390, 844), (844, 390)],
    [(360, 640), (390, 844), (640, 360), (844, 390), (820, 1180), (1280, 720), (1440, 900)],
)

#: What lies over cards of the pile, the stock or the hand, or is not whole in the window.
COVERS = """() => {
    const all = selector => [...document.querySelectorAll(selector)]
    const pages = document.querySelector('.tiny')
    // Of notices that scroll, what is in sight.
    const box = it => {
        const {left, right, top, bottom, height} = it.getBoundingClientRect()
        const within = it.closest('.notices')?.getBoundingClientRect() ?? {top, bottom}
        const seen = {top: Math.max(top, within.top), bottom: Math.min(bottom, within.bottom)}
        return {left, right, height, ...seen}
    }
    const shared = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
        Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))
    const over = all('.notices > *, [role=dialog], .reaction, .banner')
    const clear = all('.pile [role=option], .stock, [data-drop=hand] [role=option]')
    const name = it => it.cloneNode().outerHTML.slice(0, 60)
    const beyond = all('.notices, [role=dialog], .reaction').filter(it => {
        const {left, right, top, bottom, height} = box(it)
        const below = !pages && (top < 0 || bottom > innerHeight)
        return height && (left < 0 || right > innerWidth || below)
    })
    return [
        ...over.flatMap(it => clear.filter(card => shared(box(it), box(card)) >= 1)
            .map(card => `${name(it)} lies on ${name(card)}`)),
        ...beyond.map(it => `${name(it)} leaves the window`),
        ...all('.notices:has(> *)').filter(it => box(it).height < 40).map(it => `${name(it)} is low`),
    ]
}"""


def back(message: Message) -> None:
    """Back: plays were missed, a bot has played twice, somebody asks for the place of another."""
    turn = [
        {"number": 1, "kind": "draw", "seat": 0, "card": "5C", "by_bot": True, "for_person": True},
        {"number": 2, "kind": "discard", "seat": 0, "card": "9H", "by_bot": True, "for_person": True},
    ]
    message["you"]["bot_turns"] = [{"deal": 1, "events": turn}] * 2
    message["shared"]["seats"][1] |= {"kind": "person", "asked_for": 7}
    asked = {"number": 7, "seat": 1, "words": "patient lighthouse", "mine": False, "outcome": None}
    message["you"]["seat_request"] = asked
    message["missed"] = [{"number": at + 1, "kind": "draw", "seat": at} for at in range(3)]


def covered(page: TablePage, state: str) -> dict[str, list[str]]:
    """What is covered in this state, by the size of the window."""
    found = {}
    for width, height in SIZES:
        page.page.set_viewport_size({"width": width, "height": height})
        settled(page.page)
        if wrong := page.page.evaluate(COVERS):
            found[f"{state} at {width}×{height}"] = wrong[:3]
    return found


@pytest.mark.parametrize("players", depth(["middle"], ["middle", "long", "eight", "early"]), ids=str)
@pytest.mark.parametrize("text", depth([100], [100, 200]))
def test_neither_pile_nor_hand_is_covered(players: str, text: int, server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    count = {"middle": 4, "long": 4, "eight": 8, "early": 2}[players]
    table = guest.new_table("rummy-500", players=count, level="greedy", start=True)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
    wrong: dict[str, Any] = {}
    synced: list[Message] = []
    with Line(server.port) as line:
        page = new_page(guest, at=line, offline=True)
        settings = f'{{"textSize": {text}, "privateChat": true}}'
        page.page.add_init_script(f"localStorage.setItem('rum500.settings', '{settings}')")
        send = changed(page.page, scene(players), lambda message: synced.append(copy.deepcopy(message)))
        page.at(table)
        page.state(mine="true")
        page.page.keyboard.press("x")
        expect(page.page.get_by_role("alert")).to_be_attached()
        page.page.evaluate("document.querySelector('.banner p > span').append(' and more words'.repeat(12))")
        wrong |= covered(page, "refusal")
        again = copy.deepcopy(synced[-1])
        back(again)
        send(again)
        expect(page.page.get_by_role("region", name="A bot played 2 turns for you")).to_contain_text("(bot)")
        expect(page.page.locator(".notices > *")).to_have_count(3)
        wrong |= covered(page, "notices")
        for one in range(1, count):
            send({"type": "reaction", "seat": one, "reaction": "well-played"})
        page.button("Reactions and chat").first.click()
        expect(page.page.get_by_role("dialog", name="Reactions and chat")).to_be_visible()
        wrong |= covered(page, "chat")
        page.page.keyboard.press("Escape")
        line.cut()
        expect(page.page.get_by_text("Connection lost")).to_be_visible()
        wrong |= covered(page, "lost connection")
    assert not wrong, wrong
