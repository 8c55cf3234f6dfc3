"""The page that a browser has stored: it opens without the server, and is updated afterwards."""

from __future__ import annotations

import threading

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.support.live_server import LiveServer
from tests.support.proxy import Headers, proxy
from tests.support.waiting import until

_KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const kept = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    kept.push(...(await cache.keys()).map((each) => new URL(each.url).pathname));
  }
  const loaded = performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname);
  return loaded.filter((path) => path.startsWith('/assets/')).every((path) => kept.includes(path))
    && kept.includes('/');
}"""

#: Once everything is stored, remove one part of the page.
_FORGET_ABOUT = """async () => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const each of await cache.keys()) if (each.url.includes('/About-')) await cache.delete(each);
  }
}"""


def holds(page: Page, condition: str) -> bool:
    """Whether a condition is met in the page; not while the page is loaded again."""
    try:
        return bool(page.evaluate(condition))
    except PlaywrightError:
        return False


def test_page_opens_while_the_server_is_away_and_plays_again_when_it_is_back(
    browser: Browser, own_server: LiveServer
) -> None:
    context = browser.new_context(locale="en-GB")
    try:
        page = context.new_page()
        page.goto(own_server.url)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        until(lambda: holds(page, _KEPT))
        own_server.kill()
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.goto(own_server.url + "/history")
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()
        page.evaluate(_FORGET_ABOUT)
        page.goto(own_server.url + "/about")  # a part that is not stored
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()
        own_server.start()  # the page loads itself again at the first answer
        expect(page.get_by_role("heading", name="About rum500")).to_be_visible()
        assert page.evaluate("fetch('/api/me').then((answer) => answer.status)") == 200
    finally:
        context.close()


#: Whether no worker is installed, or being installed.
_NONE = """async () => {
  const found = await navigator.serviceWorker.getRegistration();
  return !(found?.installing || found?.waiting || found?.active);
}"""
_DAMAGE = """async () => {
  for (const name of await caches.keys())
    await (await caches.open(name)).put('/', new Response('<h1>Bad Gateway</h1>'));
}"""
_STORED = "async () => (await (await caches.match('/'))?.text())?.includes('/assets/')"


def test_only_the_page_is_kept_and_it_is_shown_while_a_proxy_answers_502(
    browser: Browser, server: LiveServer
) -> None:
    from_worker, away = threading.Event(), threading.Event()

    def fails(first: str) -> bool:
        if "/sw.js " in first and from_worker.is_set():
            away.set()
            return False
        return away.is_set()

    def one_request(headers: Headers) -> None:
        if "upgrade" not in headers:
            headers["connection"] = "close"

    context = browser.new_context(locale="en-GB")
    try:
        with proxy(server.port, one_request, fails=fails) as port:
            from_worker.set()  # the server is away from when the worker is installed
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{port}")
            until(lambda: away.is_set() and page.evaluate(_NONE))
            assert not page.evaluate("caches.match('/').then(Boolean)")
            from_worker.clear()
            away.clear()
            page.reload()
            until(lambda: holds(page, _KEPT))
            away.set()
            page.goto(f"http://127.0.0.1:{port}")
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            expect(page.get_by_text("The server does not answer right now (error 502).")).to_be_visible()
            away.clear()
            page.reload()
            expect(page.get_by_text("does not answer right now")).to_have_count(0)
            page.evaluate(_DAMAGE)
            page.reload()
            until(lambda: holds(page, _STORED))
    finally:
        context.close()


@pytest.mark.whole_browser
def test_the_browser_would_install_it(browser: Browser, server: LiveServer) -> None:
    """By Chromium's own check of manifest, icons and all; a test's window is a private one, where none is."""
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(server.url)
        asked = context.new_cdp_session(page)
        assert asked.send("Page.getAppManifest")["errors"] == []
        found = asked.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert [error["errorId"] for error in found] == ["in-incognito"]
    finally:
        context.close()
