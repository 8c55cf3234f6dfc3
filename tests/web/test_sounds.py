"""Sounds are off until the button in the header starts them; it also ends them, and both are remembered."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.table_page import TablePage

#: Keeps which kinds of sources are started, and whether they can be heard.
LISTEN = """
(() => {
  window.heard = [];
  const start = AudioScheduledSourceNode.prototype.start;
  const noise = AudioBufferSourceNode.prototype.start;
  const keep = (begin) => function (...when) {
    window.heard.push([this.constructor.name, this.context.state]);
    return begin.apply(this, when);
  };
  AudioScheduledSourceNode.prototype.start = keep(start);
  AudioBufferSourceNode.prototype.start = keep(noise);
})();
"""


def heard(page: TablePage) -> list[list[str]]:
    """What has been heard since the page was loaded."""
    return list(page.page.evaluate("window.heard"))


def play(page: TablePage, plays: int = 2) -> None:
    """Some plays, and the bots' answers."""
    mouse = Mouse(page)
    for _ in range(plays):
        page.turn_comes()
        before = page.number
        mouse.turn()
        page.moved_on(before)
    page.turn_comes()


def test_plays_are_heard_until_the_button_ends_it_for_good(server: LiveServer, new_page) -> None:
    ada = Guest(server, "Ada")
    table = ada.new_table("500-rum", players=2, bots=[None, "greedy"], start=True, target=2_000)
    page = new_page(ada)
    page.page.add_init_script(LISTEN)
    page.at(table)
    page.turn_comes()
    play(page, 1)
    assert heard(page) == []
    page.button("Sound on").click()
    play(page)
    first = heard(page)
    assert {kind for kind, _ in first} == {"AudioBufferSourceNode"}
    assert {state for _, state in first} == {"running"}

    page.button("Sound off").click()
    expect(page.button("Sound on")).to_be_visible()
    before = len(heard(page))
    play(page, 1)
    assert len(heard(page)) == before

    page.at(table)
    expect(page.button("Sound on")).to_be_visible()
    play(page, 1)
    assert heard(page) == []

    page.button("Sound on").click()
    expect(page.button("Sound off")).to_be_visible()
    play(page, 1)
    assert heard(page)
