"""The pack for play without a network is fetched, cancelled and removed; a small one stands for it."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.axe import assert_sound
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.waiting import until

OURS = "caches.keys().then((names) => names.filter((name) => name.startsWith('rum500-offline-')))"
FILES = {"python.mjs": b"export {}", "rum500.zip": b"p" * 5_000}
LISTS = """async (lists) => {
  const asked = indexedDB.open('rum500-device', 1);
  asked.onupgradeneeded = () =>
    ['values', 'owner', 'lists'].forEach((name) => asked.result.createObjectStore(name));
  await new Promise((done) => (asked.onsuccess = done));
  const change = asked.result.transaction('lists', 'readwrite');
  for (const [name, text] of Object.entries(lists)) change.objectStore('lists').put(text, name);
  await new Promise((done) => (change.oncomplete = done));
  asked.result.close();
  localStorage.setItem('rum500.device', '1');
}"""


def serve(page: Page, version: str = "1", **files: bytes | Callable[[Route], None]) -> None:
    """Answer for the server's pack; `files` replaces contents, which `pack.json` does not know of."""
    page.unroute("**/offline/**")
    entries = [
        {"name": name, "role": "rum500", "bytes": len(body), "sent": len(body)}
        for name, body in FILES.items()
    ]
    pack = {
        "version": version,
        "release": f"1.{version}",
        "python": "python.mjs",
        "files": entries,
        "bytes": 6_000_000,
        "sent": 6_000_000,
    }
    served = {**FILES, **{name.replace("_", "."): body for name, body in files.items()}}

    def answer(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        body = served.get(name)
        if name == "pack.json":
            route.fulfill(json=pack)
        elif callable(body):
            body(route)
        else:
            kind = "text/javascript" if name.endswith(".mjs") else "application/octet-stream"
            route.fulfill(body=body or b"", content_type=kind)

    page.route("**/offline/**", answer)


#: Whether this page itself, and not its worker, has the lock of the tables.
HOLDER = """async () => {
  const id = Math.random().toString();
  return navigator.locks.request(id, async () => {
    const { held } = await navigator.locks.query();
    const mine = held.find(({ name }) => name === id).clientId;
    return held.some(({ name, clientId }) => name === 'rum500.device' && clientId === mine);
  });
}"""
STARTING = b"export const loadPyodide = () => new Promise(() => undefined);"
TABLE = "local-" + "b" * 22
MINE = {
    "table": {
        "id": TABLE, "created": 1, "updated": 1_700_000_000_000, "status": "playing", "private": False,
        "profile": "500-rum", "title": "500 Rum", "players": 2, "seats_free": 0, "clocked": False,
        "host": "Ada", "house_rules": [], "variations": [], "target": None, "deals": None, "bots": 1,
        "people": ["Ada"], "mine": True,
    },
    "my_turn": True, "asked": 1_700_000_000_000, "due": None, "deal": 2, "seat": 0,
    "names": ["Ada", "Club"], "scores": [120, 80], "alone": True, "put_away": False,
}  # fmt: skip
REVIEW = {"marks": "none", "deals": 1, "reviewed": 0, "a_deal": None, "half": None, "tally": None}
ROW = {
    "table": "local-" + "a" * 22, "ended": 1_700_000_000_000, "status": "over", "profile": "500-rum",
    "title": "500 Rum", "players": 2, "deals": 1, "place": 1, "won": True, "points": 520, "margin": 40,
    "partners": [], "opponents": ["Ada"], "with_people": False, "bot_turns": 0, "level": "club",
    "hints": 0, "review": REVIEW,
}  # fmt: skip
HISTORY = {"rows": [ROW], "total": 1, "games": [], "play": None}


def get(page: Page) -> None:
    page.get_by_role("button", name="Play without a network: 6 MB").click()


def test_pack_is_fetched_updated_and_removed(new_page) -> None:
    page = new_page(viewport={"width": 390, "height": 844}).page
    serve(page)
    page.goto(new_page.pages[0].url + "/settings#offline")
    get(page)
    expect(page.get_by_text("Ready without a network")).to_be_visible()
    assert page.evaluate(OURS) == ["rum500-offline-1"]
    expect(page.get_by_text("Release 1.1, fetched today")).to_be_visible()
    stored = page.get_by_role("region", name="Stored on this device")
    expect(stored.get_by_role("definition")).to_have_count(5)
    expect(stored).to_contain_text(re.compile(r"Bots, rules and puzzles\s*6 MB"))
    assert_sound(page)
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_text("This is the newest version.")).to_be_visible()
    serve(page, "2")
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_role("button", name="Fetch the newer version: 6 MB")).to_be_visible()
    page.reload()
    until(lambda: page.evaluate(OURS) == ["rum500-offline-2"])  # nobody asked for it
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove it? Your games stay.").click()
    expect(page.get_by_text("Removed. Your games on this device are still stored.")).to_be_visible()
    assert page.evaluate(OURS) == []
    get(page)
    expect(page.get_by_text("Ready without a network")).to_be_visible()


def test_pack_is_ready_while_the_browser_asks_whether_to_keep_it(new_page) -> None:
    page = new_page().page
    page.add_init_script("navigator.storage.persist = () => new Promise(() => undefined)")
    serve(page)
    page.goto(new_page.pages[0].url + "/settings")
    get(page)
    expect(page.get_by_text("Ready without a network")).to_be_visible()


def bad_gateway(route: Route) -> None:
    route.fulfill(status=502, body="<h1>Bad Gateway</h1>", content_type="text/html")


@pytest.mark.parametrize(
    "fault",
    [b"p" * 4_999, b"", bad_gateway, lambda route: route.abort()],
    ids=["one byte missing", "empty", "an error's page", "cut off"],
)
def test_partial_download_changes_nothing(fault: bytes | Callable[[Route], None], new_page) -> None:
    page = new_page(offline=True).page
    serve(page)
    page.goto(new_page.pages[0].url + "/settings")
    get(page)
    expect(page.get_by_text("Ready without a network")).to_be_visible()
    serve(page, "2", rum500_zip=fault)
    page.reload()
    page.get_by_role("button", name="Fetch the newer version: 6 MB").click()
    expect(page.get_by_role("alert")).to_have_text(
        "The download was cut off. Nothing has changed: try again."
    )
    assert page.evaluate(OURS) == ["rum500-offline-1"]
    expect(page.get_by_text("Ready without a network")).to_be_visible()
    new_page.pages[0].faults.clear()  # the browser's own lines about the answers that failed


def test_cancelled_download_leaves_nothing(new_page) -> None:
    page = new_page(offline=True).page
    asked = threading.Event()
    serve(page, rum500_zip=lambda _route: asked.set())
    page.goto(new_page.pages[0].url + "/settings")
    get(page)
    expect(page.get_by_role("progressbar")).to_be_visible()
    assert_sound(page)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing has changed.")).to_be_visible()
    assert page.evaluate(OURS) == []
    expect(page.get_by_role("button", name="Play without a network: 6 MB")).to_be_visible()


WITHOUT = {
    "WebAssembly": ("delete globalThis.WebAssembly", "it has no WebAssembly"),
    "storage": ("delete globalThis.caches", "perhaps because the window is private"),
}


@pytest.mark.parametrize("what", list(WITHOUT))
def test_browser_that_cannot_says_what_works(what: str, new_page) -> None:
    script, sentence = WITHOUT[what]
    page = new_page().page
    page.add_init_script(script)
    serve(page)
    page.goto(new_page.pages[0].url + "/settings")
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Play without"))).to_have_count(0)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("delete globalThis.WebAssembly", "it has no WebAssembly"),
        ("delete globalThis.indexedDB", "perhaps because the window is private"),
    ],
    ids=["WebAssembly", "IndexedDB"],
)
def test_browser_that_cannot_says_why_nothing_is_played_on_this_device(
    script: str, sentence: str, new_page
) -> None:
    opened = new_page(offline=True)
    page = opened.page
    page.add_init_script(f"{script}; localStorage.setItem('rum500.place', '1')")
    page.goto(opened.url + "/")
    expect(page.get_by_role("alert").filter(has_text=sentence)).to_be_visible()
    page.goto(opened.url + "/pad")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


#: A runtime that does nothing, in a worker whose database refuses to open.
REFUSED = """indexedDB.constructor.prototype.open = () => {{ throw new DOMException('', '{error}'); }};
export const loadPyodide = async () => ({{ runPython: () => '', unpackArchive: () => undefined }});"""


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            "InvalidStateError",
            "This browser keeps nothing for this page, perhaps because the window is private.",
        ),
        ("UnknownError", "The games on this device cannot be read. Nothing was deleted: close other tabs"),
    ],
)
def test_database_that_does_not_open_is_said_in_a_sentence(
    error: str, sentence: str, new_page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FILES, "python.mjs", REFUSED.format(error=error).encode())
    opened = new_page(offline=True)
    page = opened.page
    page.add_init_script("localStorage.setItem('rum500.place', '1')")
    serve(page)
    page.goto(opened.url + "/")
    expect(page.get_by_role("alert").filter(has_text=sentence)).to_be_visible()
    expect(page.get_by_role("link", name="Score pad: Open")).to_be_visible()


def test_full_disk_says_that_games_stay(new_page) -> None:
    page = new_page().page
    page.add_init_script(
        "Cache.prototype.put = async () => { throw new DOMException('full', 'QuotaExceededError') }"
    )
    serve(page)
    page.goto(new_page.pages[0].url + "/settings")
    get(page)
    expect(page.get_by_role("alert")).to_contain_text("There is no room for 6 MB on this device.")
    assert page.evaluate(OURS) == []


def test_server_without_a_pack_makes_no_offer(new_page) -> None:
    page = new_page().page
    page.route(
        "**/offline/pack.json", lambda route: route.fulfill(body="null", content_type="application/json")
    )
    page.goto(new_page.pages[0].url + "/settings")
    expect(page.get_by_text("This cannot be fetched just now")).to_be_visible()
    new_page.pages[0].faults.clear()


def test_matches_on_this_device_are_in_the_history_of_the_server(new_page) -> None:
    page = new_page().page
    page.goto(new_page.pages[0].url + "/history")
    expect(page.get_by_text("Matches you finish appear here.")).to_be_visible()
    page.evaluate(LISTS, {"history": json.dumps(HISTORY), "mine": "[]"})
    page.reload()
    expect(page.get_by_role("row").filter(has_text="On this device")).to_contain_text("Ada")
    expect(page.get_by_text("1 match")).to_be_visible()
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Review"))).to_have_count(0)  # a server makes reviews
    assert page.evaluate("fetch('/api/history').then((it) => it.json())")["total"] == 0
    expect(page.get_by_role("link", name="Download")).to_have_count(0)
    expect(page.get_by_role("link", name="Export my games")).to_have_attribute("href", "/settings#offline")


def test_history_says_that_its_files_have_the_matches_of_the_server(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    table = guest.new_table("500-rum", players=2, level="greedy", start=True, deals=1)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over")
    page = new_page(guest).page
    page.goto(server.url + "/history")
    download = page.get_by_role("link", name="Download all records")
    expect(download).to_be_visible()
    expect(page.get_by_text("Matches on this device")).to_have_count(0)
    page.evaluate(LISTS, {"history": json.dumps(HISTORY), "mine": "[]"})
    page.reload()
    expect(page.get_by_text("2 matches")).to_be_visible()
    expect(download).to_be_visible()
    expect(page.get_by_text("Matches on this device are not in these files.")).to_be_visible()
    page.get_by_role("link", name="Export my games").click()
    expect(page.get_by_role("heading", name="Without a network")).to_be_visible()


def test_table_on_this_device_is_not_reloaded_for_a_missing_part(
    new_page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FILES, "python.mjs", STARTING)
    opened = new_page()
    page = opened.page
    serve(page)
    page.goto(f"{opened.url}/t/{TABLE}")
    expect(page.get_by_role("status").filter(has_text="Starting on this device: step")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    missing = "dispatchEvent(new Event('vite:preloadError'))"
    page.evaluate(missing)
    page.goto(f"{opened.url}/about")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert not [url for url in asked if url.endswith("/healthz")]
    # A table of the server, or another page, is.
    with page.expect_navigation(wait_until="load"):
        page.evaluate(missing)


def test_reload_while_the_worker_computes_starts_again_in_this_tab(
    new_page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FILES, "python.mjs", b"export const loadPyodide = () => { for (;;); };")
    opened = new_page(offline=True)
    page = opened.page
    page.add_init_script("localStorage.setItem('rum500.place', '1')")
    serve(page)
    page.goto(opened.url + "/")
    starting = page.get_by_role("status").filter(has_text="Starting on this device: step 1")
    expect(starting).to_be_visible()
    until(lambda: page.evaluate("true") and page.workers)
    busy = page.workers[0]
    page.reload()
    expect(starting).to_be_visible()
    until(lambda: page.evaluate(HOLDER))
    assert busy not in page.workers
    # A tab that is really another one gets the sentence.
    other = page.context.new_page()
    serve(other)
    other.goto(opened.url + "/")
    expect(other.get_by_text("Your games on this device are open in another tab.")).to_be_visible()
    page.close()
    other.get_by_role("button", name="Play in this tab").click()
    expect(other.get_by_role("status").filter(has_text="Starting on this device: step 1")).to_be_visible()


def test_what_is_stored_is_shown_while_the_device_starts(new_page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FILES, "python.mjs", STARTING)
    opened = new_page(offline=True, viewport={"width": 390, "height": 844})
    page = opened.page
    serve(page)
    page.goto(opened.url + "/settings")
    get(page)
    expect(page.get_by_text("Ready without a network")).to_be_visible()
    page.evaluate(LISTS, {"history": json.dumps(HISTORY), "mine": json.dumps([MINE])})
    page.get_by_role("checkbox", name="Play on this device").check()
    page.goto(opened.url + "/")
    expect(page.get_by_role("status").filter(has_text="Starting on this device: step")).to_be_visible()
    expect(page.get_by_role("button", name="Play 500 Rum")).to_be_visible()
    expect(page.get_by_role("link", name="Continue")).to_have_attribute("href", f"/t/{TABLE}")
    expect(page.get_by_text("One match is kept on this device.")).to_be_visible()
    expect(page.get_by_role("link", name="May I?: Open")).to_be_visible()
    assert_sound(page)
    page.goto(opened.url + "/history")
    expect(page.get_by_role("row").filter(has_text="Ada")).to_contain_text("520")
    expect(page.get_by_role("link", name="Continue")).to_be_visible()
