"""What works without a network after one visit, and what is stored for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from rum500.rules.profiles import profile_names
from tests.support.axe import assert_sound
from tests.support.live_server import Guest, LiveServer
from tests.support.proxy import Headers, proxy
from tests.support.waiting import PATIENCE, until
from tests.web.conftest import PAGE
from tests.web.test_referee import answers, pick

#: The answers of the server are stored last.
PREPARED = """async () => {
  const names = await caches.keys();
  if (!names.includes('rum500-data')) return false;
  return (await (await caches.open('rum500-data')).keys()).length > 0;
}"""
_STORED = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
  return found;
}"""
_ANSWERS = """async () => {
  const [kept] = await (await caches.open('rum500-data')).matchAll();
  const text = new Response(kept.body.pipeThrough(new DecompressionStream('gzip')));
  return (await text.json()).answers;
}"""
#: As in Firefox.
_FAILED_PRELOAD = """() => Object.defineProperty(FetchEvent.prototype, 'preloadResponse', {
  get() { return Promise.resolve(Response.error()); }
})"""
#: What a first visit may fetch in the background.
MOST_BYTES = 1_000_000


@pytest.fixture
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    """A browser with a service worker."""
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(1000 * PATIENCE)
    yield context
    context.close()


def prepared(context: BrowserContext, url: str) -> Page:
    """A page that was visited once, until all is stored that it needs without a network."""
    page = context.new_page()
    page.goto(url)
    until(lambda: page.evaluate(PREPARED))
    return page


def test_one_visit_stores_less_than_a_megabyte(visitor: BrowserContext, server: LiveServer) -> None:
    page = prepared(visitor, server.url + "/tips")
    names = {path.removeprefix("/") for path in page.evaluate(_STORED) if path.startswith("/assets/")}
    packed = {name: PAGE / f"{name}.br" for name in names}
    sizes = [(file if file.exists() else PAGE / name).stat().st_size for name, file in packed.items()]
    with urlopen(server.url + "/api/offline") as answer:
        data = len(answer.read())
    print(f"{len(sizes)} files with {sum(sizes)} bytes, answers with {data}")
    assert any("Pad-" in name for name in names)
    assert sum(sizes) + data <= MOST_BYTES
    words = {name for name in names if re.match(r"assets/(de|es|fa|fr)-", name)}
    assert not words, "languages that were not chosen"


def test_settings_count_what_the_first_visit_stores(visitor: BrowserContext, server: LiveServer) -> None:
    page = visitor.new_page()
    page.add_init_script(_SIZES)
    page.goto(server.url + "/settings#offline")
    sizes = page.get_by_role("region", name="Stored on this device").get_by_role("definition")
    expect(sizes.nth(2)).to_have_text(re.compile(r"^[1-9]\d* KB$"))
    expect(sizes).to_have_text([re.compile(r"^\d\.?\d* MB$"), "0 KB", re.compile("KB"), "0 KB", "0 KB"])
    # Until then a part of the page that is not stored yet had no number.
    assert not [shown for shown in page.evaluate("sizes") if "0 KB" in (shown[0], shown[2])]


#: Collects all sizes that the page shows.
_SIZES = """globalThis.sizes = [];
new MutationObserver(() => {
  const shown = [...document.querySelectorAll('[aria-labelledby=stored] dd')].map((it) => it.innerText);
  if (shown.length === 5) sizes.push(shown);
}).observe(document, { subtree: true, childList: true, characterData: true });"""


@pytest.mark.parametrize("width", [390, 1280])
def test_after_one_visit_pages_open_without_the_server(
    width: int, visitor: BrowserContext, own_server: LiveServer
) -> None:
    page = prepared(visitor, own_server.url + "/tips")
    page.set_viewport_size({"width": width, "height": 844})
    own_server.kill()

    def at(path: str) -> None:
        page.goto(own_server.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("No connection")).to_have_count(0)

    for name in profile_names():
        at(f"/rules/{name}")
        expect(page.locator(".sentences li").nth(10)).to_be_visible()
    at("/rules/500-rum?players=3")
    expect(page.locator(".sentences li").nth(10)).to_be_visible()
    at("/rules/500-rum?house=H5")
    expect(page.locator(".sentences li").nth(10)).to_be_visible()
    at("/rules/500-rum?house=H2,H5&players=3")
    expect(page.get_by_text("These rules together are not stored on this device.")).to_be_visible()
    assert_sound(page)
    at("/tips")
    expect(page.get_by_role("figure").nth(5)).to_be_visible()
    at("/pad")
    expect(page.get_by_role("button", name="Start the sheet")).to_be_visible()
    at("/pad/may-i?game=500-rum")
    pick(page, "KS AS 2S")
    answers(page, "No", "go round the corner")
    page.get_by_text("May a run go round the corner").click()
    expect(page.locator("details[open]").get_by_role("img").first).to_be_visible()
    chip = page.locator("header").get_by_text("No network")
    at("/guide")
    expect(page.get_by_text("You learn at a table: that waits for the network.")).to_be_visible()
    expect(chip).to_be_visible()
    assert_sound(page)
    at("/settings")
    expect(page.get_by_text("Another language needs the network.")).to_be_visible()
    assert_sound(page)
    at("/practice")
    expect(page.get_by_text("Waits for the network")).to_have_count(3)
    assert_sound(page)
    at("/lessons")
    page.get_by_label("Read: Bait on the pile").click()
    expect(page.locator("details[open] li").nth(2)).to_be_visible()
    assert_sound(page)
    at("/")
    expect(page.get_by_role("heading", name="Waits for the network")).to_be_visible()
    expect(chip).to_be_visible()
    expect(page.get_by_role("status").get_by_text("No network")).to_have_count(1)
    assert_sound(page)
    for path in ("/pad", "/practice/daily", "/lessons", "/rules"):
        expect(page.locator(f"main ul a[href='{path}']")).to_be_visible()
    own_server.start()
    expect(chip).to_have_count(0)
    expect(page.get_by_role("button", name="Play 500 Rum")).to_be_visible()


@pytest.mark.parametrize("right", [True, False], ids=["right", "wrong"])
def test_the_days_puzzle_is_judged_without_the_server_as_by_the_server(
    right: bool, visitor: BrowserContext, own_server: LiveServer
) -> None:
    page = prepared(visitor, own_server.url)
    own_server.kill()
    page.goto(own_server.url + "/practice/daily")
    position = page.get_by_test_id("position")
    puzzle = page.evaluate(_ANSWERS)["/api/puzzles/daily/answers"]
    count = len(puzzle["moves"])
    for number, move in enumerate(puzzle["moves"] if right else puzzle["moves"][:1], 1):
        if count > 1:  # each move has a board of its own, and the one before is still shown for a moment
            expect(page.get_by_text(f"Move {number} of {count}")).to_be_visible()
        expect(position).to_have_attribute("data-advice", "1")
        page.keyboard.press("/")
        page.get_by_label("Type a play").fill(move["plays"][0 if right else -1]["text"])
        page.keyboard.press("Enter")
        if right and number < count:
            expect(page.get_by_role("heading", name="Right. And now?")).to_be_visible()
    expect(
        page.get_by_role("heading", name="Right" if right else "Not the best play", exact=True)
    ).to_be_visible()
    expect(page.get_by_text("Your answer goes to the server by itself")).to_be_visible()
    assert_sound(page)
    here = page.locator("section.response").inner_text()
    page.reload()
    expect(page.get_by_text("Your answer goes to the server by itself")).to_be_visible()
    assert page.locator("section.response").inner_text() == here
    own_server.start()
    expect(page.get_by_role("group", name="A good puzzle?")).to_be_visible()
    assert page.locator("section.response").inner_text() == here
    standing = page.evaluate("fetch('/api/puzzles').then((answer) => answer.json())")
    assert (standing["answered"], standing["solved"], standing["today"]) == (1, int(right), True)
    assert page.evaluate("localStorage['rum500.puzzle']") == "null"


def test_every_stored_answer_is_that_of_the_server(visitor: BrowserContext, server: LiveServer) -> None:
    page = prepared(visitor, server.url)
    for path, stored in page.evaluate(_ANSWERS).items():
        with urlopen(server.url + path) as answer:
            assert json.load(answer) == stored, path


def test_page_opens_without_the_server_where_a_failed_preload_is_an_answer(
    visitor: BrowserContext, own_server: LiveServer
) -> None:
    page = prepared(visitor, own_server.url + "/tips")
    own_server.kill()
    visitor.service_workers[0].evaluate(_FAILED_PRELOAD)
    page.goto(own_server.url + "/pad")
    expect(page.get_by_role("button", name="Start the sheet")).to_be_visible()


def test_stored_answers_replace_those_of_a_proxy_that_fails(
    visitor: BrowserContext, server: LiveServer
) -> None:
    away: list[str] = []

    def one_request(headers: Headers) -> None:
        headers["connection"] = "close"

    with proxy(server.port, one_request, fails=lambda _: bool(away)) as port:
        page = prepared(visitor, f"http://127.0.0.1:{port}")
        away.append("now")
        page.goto(f"http://127.0.0.1:{port}/rules/persian-rummy")
        expect(page.locator(".sentences li").nth(10)).to_be_visible()
        expect(page.get_by_text("does not answer right now (error 502)")).to_be_visible()


def test_nothing_of_a_guest_is_stored_and_signing_out_empties_it(
    visitor: BrowserContext, server: LiveServer
) -> None:
    guest = Guest(server, "Zerlina")
    table = guest.host("500-rum")
    name, _, value = guest.cookie.partition("=")
    visitor.add_cookies([{"name": name, "value": value, "url": server.url}])
    page = prepared(visitor, server.url)
    expect(page.get_by_text("Zerlina").first).to_be_visible()
    page.goto(server.url + "/history")
    page.goto(server.url + "/practice/daily")
    until(lambda: page.evaluate(PREPARED))
    paths = page.evaluate(_STORED)
    assert {path for path in paths if not path.startswith("/assets/")} == {"/", "/api/offline"}
    text = json.dumps(page.evaluate(_ANSWERS))
    for private in ("Zerlina", guest.me["id"], table):
        assert private not in text
    guest.call("POST", "/api/me/sign-out", {"devices": "others"})
    page.goto(server.url + "/history")
    expect(page.get_by_role("button", name="Continue as a new guest")).to_be_visible()
    until(lambda: "rum500-data" not in page.evaluate("caches.keys()"))


def test_a_browser_that_saves_data_is_sent_nothing_in_the_background(
    visitor: BrowserContext, server: LiveServer
) -> None:
    visitor.add_init_script(
        """Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
        globalThis.said = [];
        globalThis.requestIdleCallback = (work) => { said.push('idle'); work({ timeRemaining: () => 9 }); };
        ServiceWorker.prototype.postMessage = function (message) { said.push(message); };"""
    )
    page = visitor.new_page()
    page.goto(server.url)
    until(lambda: page.evaluate("said.some(Array.isArray)"))
    page.evaluate("new Promise((done) => setTimeout(done))")
    assert page.evaluate("said.filter((each) => each.language)") == []
