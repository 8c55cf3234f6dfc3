"""Browser tests: Debian's Chromium, the built page, the real server on a real database."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

import rum500
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Keys, Mouse, Pointer
from tests.support.rare_situations import Situation, lay_out
from tests.support.table_page import TablePage
from tests.support.tcp_relay import Line
from tests.support.waiting import PATIENCE
from tools import chromium

#: Bots that wait just long enough for the page to show each of their plays.
FLAGS = (
    "--no-limits",
    "--bot-pause-ms",
    "5",
    "--log-level",
    "warning",
    "--review-budget",
    "quick",
    "--review-niceness",
    "0",
)

PAGE = Path(rum500.__file__).parent / "server" / "page"

PICTURES = Path("build") / "web"

NewPage = Callable[..., TablePage]
Sit = Callable[..., Pointer]

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """A Chromium; without one these tests are left out, or fail where one is required."""
    found = chromium.find()
    if found is not None:
        return found
    if os.environ.get("RUM500_REQUIRE_BROWSER"):
        pytest.fail(chromium.missing())
    pytest.skip(f"NOT RUN IN A BROWSER: {chromium.missing()}")


@pytest.fixture(scope="session", autouse=True)
def _all_that_is_needed(chromium_path: str) -> None:
    """Nothing is begun without a browser and the built page."""
    if not (PAGE / "index.html").exists():
        pytest.fail(f"there is no page in {PAGE}: make page")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One server for all tests of a process."""
    with LiveServer(tmp_path_factory.mktemp("server"), *FLAGS) as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[LiveServer]:
    """A server for one test alone, which may kill it."""
    with LiveServer(tmp_path / "data", *FLAGS) as running:
        yield running


@pytest.fixture(scope="session")
def launch(chromium_path: str) -> Iterator[tuple[Callable[[str], Browser], asyncio.AbstractEventLoop]]:
    """Start the browsers of a process, each once, and the event loop that Playwright drives them by."""
    with sync_playwright() as playwright:
        browsers: dict[str, Browser] = {}

        def launched(path: str) -> Browser:
            if path not in browsers:
                flags = list(chromium.FLAGS)
                browsers[path] = playwright.chromium.launch(executable_path=path, args=flags)
            return browsers[path]

        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield launched, loop
        asyncio._set_running_loop(loop)
        for browser in browsers.values():
            browser.close()
    asyncio._set_running_loop(None)


@pytest.fixture
def browser(
    request: pytest.FixtureRequest,
    chromium_path: str,
    launch: tuple[Callable[[str], Browser], asyncio.AbstractEventLoop],
) -> Iterator[Browser]:
    """The browser, for one test: without windows, unless the test is marked `whole_browser`.

    Playwright's loop stays marked as the running one of this thread while it stands still between two calls.
    It is marked so during a browser test alone: other tests of the process run loops of their own.
    """
    launched, loop = launch
    whole = request.node.get_closest_marker("whole_browser") is not None
    asyncio._set_running_loop(loop)
    yield launched(chromium_path if whole else chromium.find_headless() or chromium_path)
    asyncio._set_running_loop(None)


@pytest.fixture
def new_page(browser: Browser, server: LiveServer) -> Iterator[NewPage]:
    """Open a page in a context of its own, by `new_page(guest, …)`; no complaint of a page is let pass."""
    contexts: list[BrowserContext] = []
    opened: list[tuple[TablePage, bool]] = []
    pages: list[TablePage] = []

    def make(
        guest: Guest | None = None,
        *,
        at: LiveServer | Line = server,
        offline: bool = False,
        service_worker: bool = False,
        **options: object,
    ) -> TablePage:
        workers = "allow" if service_worker else "block"  # it takes a third of a page's processor time
        settings = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": workers, **options}
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        if guest is not None:
            name, _, value = guest.cookie.partition("=")
            context.add_cookies([{"name": name, "value": value, "url": at.url}])
        log = (lambda: at.log) if isinstance(at, LiveServer) else str
        page = TablePage(context.new_page(), at.url, log)
        opened.append((page, offline))
        pages.append(page)
        return page

    make.pages = pages  # type: ignore[attr-defined]
    yield make
    complaints = [page.serious(offline=offline) for page, offline in opened]
    for context in contexts:
        context.close()
    assert not any(complaints), complaints


@pytest.fixture
def sit(server: LiveServer, new_page: NewPage) -> Sit:
    """Sit down in a situation, with a mouse, a finger on a phone, or the keyboard alone."""

    def take_seat(situation: Situation, how: str = "mouse") -> Pointer:
        guest = Guest(server, "Nora")
        page = new_page(guest, **(PHONE if how == "finger" else {})).at(lay_out(server, situation, guest))
        page.state(mine="true")
        page.advised()
        return Keys(page) if how == "keys" else Mouse(page, touch=how == "finger")

    return take_seat


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep a picture of every page of a test that fails, in build/web/."""
    report = yield
    make = getattr(item, "funcargs", {}).get("new_page")
    if report.when == "call" and report.failed and make is not None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        for index, page in enumerate(make.pages):
            name = "".join(letter if letter.isalnum() else "-" for letter in item.name)
            with contextlib.suppress(PlaywrightError):
                page.page.screenshot(path=PICTURES / f"{name}-{index}.png", timeout=5000)
    return report
