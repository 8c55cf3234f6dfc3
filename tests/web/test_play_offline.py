"""Play without a network: the real pack, the server stopped, the network off."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import assert_sound
from tests.support.live_server import LiveServer
from tests.support.players import Mouse
from tests.support.table_page import TablePage
from tests.support.waiting import until
from tools import offline_pack

pytestmark = pytest.mark.whole

_CHANGE = """async ([key, text]) => {
  const asked = indexedDB.open('rum500-device', 1);
  await new Promise((done) => (asked.onsuccess = done));
  const change = asked.result.transaction('values', 'readwrite');
  const values = change.objectStore('values');
  const found = values.getAllKeys();
  found.onsuccess = () => {
    const name = found.result.find((each) => each.startsWith(key)) ?? key;
    values.put(new TextEncoder().encode(text), name);
  };
  await new Promise((done) => (change.oncomplete = done));
  asked.result.close();
}"""


@pytest.fixture(scope="session")
def pack() -> None:
    """The pack in the built page, which `make test-whole` builds."""
    assert offline_pack.current(), "the pack is not of these sources: make offline"


@pytest.fixture
def device(pack: None, own_server: LiveServer, new_page) -> Iterator[TablePage]:
    """A page that has fetched the pack and plays on the device."""
    opened = new_page(at=own_server, offline=True, service_worker=True)
    opened.open("/settings")
    page = opened.page
    page.get_by_role("button", name="Play without a network").click()
    expect(page.get_by_text("Ready without a network")).to_be_visible()
    return opened


def disconnect(opened: TablePage, server: LiveServer) -> None:
    server.kill()
    opened.page.context.set_offline(True)
    opened.open("/")
    expect(opened.page.get_by_role("heading", name="Play bots on this device")).to_be_visible()
    expect(opened.page.get_by_role("combobox", name="Bots")).to_be_visible()


def choose_here(page: Page) -> None:
    page.get_by_role("checkbox", name="Play on this device").check()


def begin(opened: TablePage, game: str = "500 Rum", players: str | None = "2 players") -> str:
    """Begin a match of one deal against bots; return the table."""
    page = opened.page
    if players:
        page.get_by_role("combobox", name="Players").select_option(label=players)
    page.get_by_role("combobox", name="Length").select_option(label="1 deal")
    page.get_by_role("button", name=f"Play {game}").click()
    opened.state(live="live")
    return page.url.rpartition("/")[2]


def test_deal_is_played_without_server_and_network(device: TablePage, own_server: LiveServer) -> None:
    page = device.page
    disconnect(device, own_server)
    levels = page.get_by_role("combobox", name="Bots").get_by_role("option").all_inner_texts()
    assert not [level for level in levels if "Strong" in level or "Expert" in level], levels
    assert_sound(page)
    table = begin(device)
    assert table.startswith("local-")
    mouse = Mouse(device)
    device.whole_deal(mouse.turn, 3)
    on_turn = device.wait_for_turn()
    hand, pile = sorted(device.cards()), device.pile_cards()
    page.reload()
    device.state(live="live")
    if on_turn:
        device.wait_for_turn()
        until(lambda: (sorted(device.cards()), device.pile_cards()) == (hand, pile))
        killed = page.workers[0]
        killed.evaluate("() => void setTimeout(() => self.close())")
        until(lambda: page.evaluate("true") and killed not in page.workers)
        device.whole_deal(mouse.turn)
    device.state(status="over")

    device.open("/history")
    row = page.get_by_role("row").filter(has_text="On this device")
    expect(row).to_be_visible()
    with page.expect_download() as found:
        page.get_by_role("link", name="CSV").click()
    assert table in found.value.path().read_text()
    with page.expect_download() as found:
        page.get_by_role("link", name="records").click()
    assert len(zipfile.ZipFile(found.value.path()).namelist()) == 1
    row.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="Download")).to_be_visible()
    device.open("/practice/puzzles")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    device.open("/new")
    expect(page.get_by_text("Tables with other people need a network.")).to_be_visible()
    device.open(f"/t/{table}/review")
    expect(page.get_by_text("Not without a network")).to_be_visible()

    own_server.start()
    page.context.set_offline(False)
    device.open("/history")
    expect(row).to_be_visible()
    assert page.evaluate("fetch('/api/history').then((it) => it.json())")["total"] == 0
    expect(page.get_by_text("Play bots now").first).to_be_hidden()


def test_the_deal_of_the_day_is_played_on_this_device(device: TablePage, own_server: LiveServer) -> None:
    page = device.page
    disconnect(device, own_server)
    card = page.get_by_role("region", name="Deal of the day")
    for line in ("On this device", "The cards follow from the date."):
        expect(card).to_contain_text(line)
    assert_sound(page)
    card.get_by_role("button", name="Play today’s deal").click()
    device.state(live="live")
    device.whole_deal(Mouse(device).turn)
    device.state(status="over")
    page.get_by_role("link", name="See the result").click()
    expect(page.get_by_text(re.compile("^Deal .* On this device$"))).to_be_visible()
    expect(page.get_by_text(re.compile("^On this device the bots keep you company"))).to_be_visible()
    assert_sound(page)
    page.get_by_role("link", name="Last 30 days").click()
    page.get_by_role("link", name=re.compile("not played$")).last.click()
    expect(page.get_by_role("button", name="Practise it")).to_be_visible()


def test_one_tab_owns_the_tables(device: TablePage) -> None:
    first = device.page
    choose_here(first)
    device.open("/")
    table = begin(device)
    url = first.url
    second = first.context.new_page()
    second.goto(url)
    expect(second.get_by_text("Your games on this device are open in another tab.")).to_be_visible()
    second.get_by_role("button", name="Play in this tab").click()
    other = TablePage(second, device.url)
    other.state(live="live")
    expect(first.get_by_text("Your games on this device are open in another tab.")).to_be_visible()
    other.whole_deal(Mouse(other).turn)
    second.close()
    first.get_by_role("button", name="Play in this tab").click()
    device.state(live="live", waiting="over")
    assert table in first.url


def test_games_are_exported_and_imported(device: TablePage, tmp_path: Path) -> None:
    page = device.page
    choose_here(page)
    device.open("/")
    device.whole_deal(Mouse(device).turn) if begin(device) else None
    device.open("/settings")
    with page.expect_download() as found:
        page.get_by_role("button", name="Export my games").click()
    games = tmp_path / "games.json"
    found.value.save_as(games)
    whole = json.loads(games.read_text())
    assert any(key.startswith("result:") for key in whole["values"])

    def offer(name: str, content: str) -> None:
        file = tmp_path / name
        file.write_text(content)
        page.get_by_label("Import games").set_input_files(file)
        page.get_by_role("button", name="Replace them").click()

    entry = next(key for key in whole["values"] if key.startswith("entry:"))
    damaged = {**whole, "values": {**whole["values"], entry: "e30="}}
    for name, content, words in (
        ("foreign.json", '{"file": "something else"}', "This is not a file of exported games."),
        ("cut.json", games.read_text()[:-40], "This is not a file of exported games."),
        ("damaged.json", json.dumps(damaged), "This file is damaged."),
        ("later.json", json.dumps({**whole, "format": 99}), "A later version stored these games."),
    ):
        offer(name, content)
        expect(page.get_by_role("alert").filter(has_text=words)).to_be_visible()
    device.open("/history")
    expect(page.get_by_role("row").filter(has_text="On this device")).to_have_count(1)
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove for good?").click()
    expect(page.get_by_role("row").filter(has_text="On this device")).to_have_count(0)
    device.open("/settings")
    offer("games.json", games.read_text())
    expect(page.get_by_text("Done: the games of the file are on this device.")).to_be_visible()
    device.open("/history")
    expect(page.get_by_role("row").filter(has_text="On this device")).to_have_count(1)


def test_damaged_row_is_left_out_and_later_data_is_refused(device: TablePage) -> None:
    page = device.page
    choose_here(page)
    device.open("/")
    begin(device)
    page.evaluate(_CHANGE, ["table:", "{"])
    device.open("/settings")
    page.get_by_role("button", name="Export my games").click()
    expect(page.get_by_text("One stored entry is damaged and left out. Nothing was deleted.")).to_be_visible()
    page.evaluate(_CHANGE, ["format", "99"])
    device.open("/")
    expect(page.get_by_text("A later version stored these games. They are safe")).to_be_visible()
    page.evaluate(_CHANGE, ["format", "1"])
    page.get_by_role("alert").get_by_role("button", name="Try again").click()
    expect(page.get_by_role("combobox", name="Bots")).to_be_visible()


def test_full_disk_refuses_the_play_and_loses_nothing(device: TablePage) -> None:
    page = device.page
    choose_here(page)
    device.open("/")
    begin(device)
    if not device.wait_for_turn():
        return  # the bot has gone out before
    hand = device.cards()
    fill = (
        "() => { IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError') } }"
    )
    page.workers[0].evaluate(f"globalThis.put = IDBObjectStore.prototype.put; ({fill})()")
    device.action("draw").click()
    expect(page.get_by_text("This device has no room left").first).to_be_visible()
    assert device.cards() == hand
    page.workers[0].evaluate("() => { IDBObjectStore.prototype.put = globalThis.put }")
    device.whole_deal(Mouse(device).turn)


@pytest.mark.parametrize("game", ["500-rum", "rummy-500", "persian-rummy"])
def test_match_of_a_game_is_played_to_its_end(game: str, device: TablePage, own_server: LiveServer) -> None:
    page = device.page
    disconnect(device, own_server)
    device.open("/new?for=bots")
    page.locator(f'input[value="{game}"]').check(force=True)
    page.get_by_role("button", name="Play bots at once").click()
    device.state(live="live")
    mouse = Mouse(device)
    deals = device.whole_match(mouse.turn, lambda: device.button("Next deal").click())
    print(f"{deals} deals")
    device.open("/history")
    expect(page.get_by_role("row").filter(has_text="On this device")).to_have_count(1)
