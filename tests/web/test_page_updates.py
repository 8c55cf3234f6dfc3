"""An update of the page never strands a tab: other releases of it, on a real server that stops and starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.page_release import Releases
from tests.support.waiting import PATIENCE, until
from tests.web.conftest import FLAGS
from tests.web.test_without_network import PREPARED, prepared, visitor

__all__ = ["visitor"]

#: The names of all stored files, by cache, the oldest first.
_FILES = """async () => {
  const found = {};
  for (const name of await caches.keys())
    found[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  return found;
}"""
_FORMATS = (
    """async () => (await (await caches.open('rum500-data')).keys()).map(({ url }) => new URL(url).search)"""
)

#: Seconds. Chromium waits 300 for a worker to install, and for the last work of the one before.
_WORKER_PATIENCE = 2 * PATIENCE
#: The workers of the page, for the message of a wait in vain.
_STATES = """navigator.serviceWorker.getRegistration().then((it) =>
  ['installing', 'waiting', 'active'].map((each) => `${each}: ${it[each]?.state}`).join(', '))"""
#: Look for a newer release, as browsers do now and then.
_UPDATE = "navigator.serviceWorker.getRegistration().then((it) => it.update()).then(() => false, () => false)"


@pytest.fixture
def releases(tmp_path: Path) -> Iterator[Releases]:
    """A server of several releases of the page."""
    with Releases(tmp_path / "data", *FLAGS) as running:
        yield running


def updated(releases: Releases, page: Page, **more: Any) -> None:
    """Replace the server by the next release, and open it in this page until all of it is stored."""
    releases.end()
    releases.next_release(**more)
    releases.start()
    page.goto(releases.url)
    _until_stored(releases, page)


def _until_stored(releases: Releases, page: Page) -> None:
    """Wait for the whole of the present release.

    Opening the page looks for an update once, which may find a busy server still starting.
    """
    _until(page, lambda: _name(page) == f"rum500-{releases.version}" or page.evaluate(_UPDATE))


def _until(page: Page, met: Callable[[], object]) -> None:
    """Wait as long as Chromium does for a worker that neither starts nor ends, and longer."""
    until(met, patience=_WORKER_PATIENCE, found=lambda: page.evaluate(_STATES))


def _name(page: Page) -> str:
    """The cache of the newest version that is stored whole."""
    shells = [name for name, files in page.evaluate(_FILES).items() if "/" in files]
    return str(shells[-1]) if shells else ""


def test_old_tab_opens_its_own_parts_after_two_updates(visitor: BrowserContext, releases: Releases) -> None:
    old = prepared(visitor, releases.url)
    first = f"rum500-{releases.version}"
    old.evaluate("globalThis.mark = 'not reloaded'")
    page = visitor.new_page()
    updated(releases, page)
    updated(releases, page)
    assert first in page.evaluate(_FILES)
    old.get_by_role("link", name="Score pad", exact=True).click()
    expect(old.get_by_role("button", name="Start the sheet")).to_be_visible()
    assert old.evaluate("globalThis.mark") == "not reloaded"
    old.close()
    updated(releases, page)
    updated(releases, page)
    # The next worker removes it once it is active, or when a page is opened.
    _until(page, lambda: first not in page.evaluate(_FILES) or not page.goto(releases.url))


def test_after_an_update_everything_opens_without_the_server_as_before(
    visitor: BrowserContext, releases: Releases
) -> None:
    page = prepared(visitor, releases.url)
    updated(releases, page, format_="fedcba987654")
    _until(page, lambda: page.evaluate(_FORMATS) == ["?format=fedcba987654"])
    releases.kill()
    page.goto(f"{releases.url}/pad")
    expect(page.get_by_role("button", name="Start the sheet")).to_be_visible()
    page.goto(f"{releases.url}/rules/michigan-rum")
    expect(page.locator(".sentences li").nth(10)).to_be_visible()


def test_an_update_is_stored_although_the_server_is_too_busy_for_new_answers(
    visitor: BrowserContext, releases: Releases
) -> None:
    page = prepared(visitor, releases.url)
    stored = page.evaluate(_FORMATS)
    updated(releases, page, busy=True)
    assert page.evaluate(_FORMATS) == stored


def test_an_update_with_a_missing_file_leaves_the_version_before(
    visitor: BrowserContext, releases: Releases
) -> None:
    page = prepared(visitor, releases.url)
    first = f"rum500-{releases.version}"
    releases.end()
    releases.next_release()
    missing = next((releases.page / "assets").glob("Pad-*.js"))
    whole = missing.read_bytes()
    missing.unlink()
    releases.start()
    page.goto(releases.url)
    until(lambda: page.evaluate(_FAILED))
    assert _name(page) == first
    releases.kill()
    page.goto(f"{releases.url}/pad")
    expect(page.get_by_role("button", name="Start the sheet")).to_be_visible()
    missing.write_bytes(whole)
    releases.start()
    page.goto(releases.url)
    _until_stored(releases, page)


#: Whether an update was tried, and failed: an own request for one ends with the old worker alone.
_FAILED = """async () => {
  const it = await navigator.serviceWorker.register('/sw.js');
  const tried = it.installing ?? (await it.update().then(() => it.installing, () => null));
  if (tried) await new Promise((done) => {
    tried.onstatechange = () => tried.state !== 'installing' && done();
    if (tried.state !== 'installing') done();
  });
  return tried?.state === 'redundant';
}"""


def test_a_full_disk_leaves_the_page_as_it_is(visitor: BrowserContext, releases: Releases) -> None:
    page = prepared(visitor, releases.url)
    first = f"rum500-{releases.version}"
    browser = visitor.new_cdp_session(page)
    browser.send("Storage.overrideQuotaForOrigin", {"origin": releases.url, "quotaSize": 1})
    releases.end()
    releases.next_release()
    releases.start()
    page.goto(releases.url)
    until(lambda: page.evaluate(_FAILED))
    for path in ("/about", "/pad", "/rules", "/practice"):
        page.goto(releases.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("could not be loaded")).to_have_count(0)
    releases.kill()
    page.goto(f"{releases.url}/pad")
    expect(page.get_by_role("button", name="Start the sheet")).to_be_visible()
    assert _name(page) == first


def test_a_disk_that_is_full_from_the_first_visit_on_stores_nothing(
    visitor: BrowserContext, releases: Releases
) -> None:
    page = visitor.new_page()
    browser = visitor.new_cdp_session(page)
    browser.send("Storage.overrideQuotaForOrigin", {"origin": releases.url, "quotaSize": 1})
    page.goto(releases.url)
    until(lambda: page.evaluate(_FAILED))
    for path in ("/about", "/pad"):
        page.goto(releases.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert not page.evaluate(PREPARED)
