"""Cards that fly from their old place to the new one, and what is shown if less motion is wished."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.table_page import TablePage

#: Keeps of each likeness of a card where it begins, by what lay there before, and where it goes.
WATCH = """
(() => {
  const boxes = () =>
    [...document.querySelectorAll('[data-fly]')].map((x) => [x.dataset.fly, x.getBoundingClientRect()]);
  const centre = (box, width) => [box.left + Math.min(box.width, width) / 2, box.top + box.height / 2];
  const near = (a, b) => Math.abs(a[0] - b[0]) < 1.5 && Math.abs(a[1] - b[1]) < 1.5;
  let before = [];
  window.flights = [];
  window.outlined = [];
  window.WebSocket = class extends WebSocket {
    constructor(...asked) {
      super(...asked);
      this.addEventListener('message', () => { before = boxes(); });
    }
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    const made = animate.call(this, frames, how);
    const flight = window.flights.at(-1);
    if (this.parentElement?.style.zIndex === '200') {
      const { left, top, width, height } = Object.fromEntries(
        ['left', 'top', 'width', 'height'].map((key) => [key, parseFloat(this.style[key])]),
      );
      const here = this.getBoundingClientRect();
      const begins = [here.left + here.width / 2, here.top + here.height / 2];
      const starts = (all) => all.filter(([, box]) => near(centre(box, width), begins)).map(([name]) => name);
      const goal = [left + width / 2, top + height / 2];
      const ends = boxes().filter(([, box]) => near(centre(box, Infinity), goal));
      window.flights.push({
        from: [...starts(before), ...starts(boxes()).filter((name) => name === 'stock')],
        to: ends.map(([name]) => name),
        ms: how.duration,
      });
    } else if (flight && !('hides' in flight) && frames[0].opacity === 0) {
      flight.hides = this.dataset.fly;
    }
    return made;
  };
  new MutationObserver((changes) => changes.forEach(({ target }) => window.outlined.push(target.dataset.fly)))
    .observe(document, { subtree: true, attributeFilter: ['data-moved'] });
})();
"""
#: Keeps what any animation or transition moves, in each frame.
RUNNING = """
window.running = new Set();
(function look() {
  for (const { effect, playState } of document.getAnimations())
    if (playState === 'running') running.add(effect.target.cloneNode().outerHTML.slice(0, 80));
  requestAnimationFrame(look);
})();
"""
#: What the likenesses fly over.
SKY = '[style*="z-index: 200"]'
PLAYS = depth(4, 8)


def table_with_a_bot(
    server: LiveServer, new_page, settings: str = "{}", speed: str = "normal", **options: Any
) -> TablePage:
    """Ada's page in her first turn at a table of two, with the watch set.

    The bot plays at random: `greedy` ends one deal of a hundred within five turns.
    """
    ada = Guest(server, "Ada")
    table = ada.new_table("500-rum", players=2, bots=[None, "random"], target=2_000, speed=speed)
    page = new_page(ada, **options)
    page.page.add_init_script(f"localStorage.setItem('rum500.settings', '{settings}')")
    page.page.add_init_script(WATCH + RUNNING)
    page.at(table)
    page.button(re.compile("^Start")).click()
    page.turn_comes()
    return page


def play_some(page: TablePage) -> None:
    """Some plays of the first deal, until cards have been melded too, and what the bot does between them."""
    mouse = Mouse(page)
    plays = 0
    while plays < PLAYS or not any(goal.startswith("meld:") for _, goal in moves(page)):
        page.turn_comes()
        before = page.number
        mouse.turn()
        page.moved_on(before)
        plays += 1
    page.turn_comes()


def moves(page: TablePage) -> list[tuple[str, str]]:
    """Where cards have moved by what the server said: patterns of the source's and of the goal's name."""
    found: list[tuple[str, str]] = []
    pile = 0
    for frame in page.frames:
        shared, before = frame.get("shared", {}), pile
        pile = len(shared["pile"]) if "pile" in shared else pile
        for event in frame.get("events", []):
            found += _moves(event, frame, before, pile)
    return found


def _moves(event: dict[str, Any], frame: dict[str, Any], before: int, pile: int) -> list[tuple[str, str]]:
    seat = event.get("seat")
    held = "hand:{}#." if seat == 0 else f"(seat:{seat}|known:{seat}:{{}})"
    match event["kind"]:
        case "draw":
            return [("stock", held.format(event.get("card", "")))]
        case "take":
            first = before - len(event["cards"])
            return [(f"pile:{first + at}", held.format(card)) for at, card in enumerate(event["cards"])]
        case "meld" | "lay":
            cards = [laid["card"] for laid in event["laid"]]
            return [(held.format(card), f"meld:{event['meld']}:.*:{card}") for card in cards]
        case "discard":
            return [(held.format(event["card"]), f"pile:{pile - 1}")]
        case "deal":
            hand = len(frame["you"]["hand"])
            return [("stock", "hand:.*")] * hand + [("stock", "seat:.")]
    return []


@pytest.mark.parametrize(("speed", "part"), depth([("fast", 0.5)], [("normal", 1.0), ("fast", 0.5)]))
def test_cards_fly_from_where_they_lay_to_where_they_lie(
    speed: str, part: float, server: LiveServer, new_page
) -> None:
    page = table_with_a_bot(server, new_page, speed=speed, reduced_motion="no-preference")
    play_some(page)
    expect(page.page.locator(f"{SKY} > *")).to_have_count(0)
    flights, expected = page.page.evaluate("window.flights"), moves(page)
    assert len(flights) == len(expected)
    for flight, (source, goal) in zip(flights, expected, strict=True):
        assert any(re.fullmatch(source, name) for name in flight["from"]), (flight, source, goal)
        # Cards known in a hand move on while others arrive: the hidden one names the goal too.
        ends = {*flight["to"], flight.get("hides", "")}
        assert any(re.fullmatch(goal, name) for name in ends), (flight, source, goal)
        assert 180 * part <= flight["ms"] <= 260 * part
        hidden = flight.get("hides")
        assert hidden in ends if hidden else goal.startswith(("seat:", "(seat:"))
    assert {goal.partition(":")[0] for _, goal in expected} >= {"hand", "pile", "meld"}
    assert page.page.evaluate("window.outlined") == []
    shown = page.page.locator("[data-fly]").evaluate_all("all => all.map(x => getComputedStyle(x).opacity)")
    assert set(shown) == {"1"}


@pytest.mark.parametrize("wish", depth(["of the system"], ["of the system", "of the page"]))
def test_nothing_flies_where_less_motion_is_wished_for(server: LiveServer, new_page, wish: str) -> None:
    """Source and goal are outlined instead."""
    motion = "reduce" if wish == "of the system" else "no-preference"
    calm = "{}" if wish == "of the system" else '{"animation": "off"}'
    page = table_with_a_bot(server, new_page, calm, reduced_motion=motion)
    play_some(page)
    assert page.page.evaluate("window.flights") == []
    assert page.page.locator(SKY).count() == 0
    assert page.page.evaluate("[...running]") == []
    outlined = page.page.evaluate("window.outlined")
    for source, goal in moves(page):
        assert any(re.fullmatch(goal, name) for name in outlined), (outlined, source, goal)
    assert "stock" in outlined
