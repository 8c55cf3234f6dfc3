"""Messages of the browser: its worker shows what the server sends, and a press on one opens the table."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.table_page import TablePage
from tests.support.waiting import until

pytestmark = pytest.mark.whole_browser

NOTICE = {
    "table": "hJ2kq8VbT0mYx4sW1aZc9Q",
    "game": "persian-rummy",
    "title": "Persian Rummy",
    "players": ["Bo", "Cleo", "Dan"],
    "language": "en",
    "waiting": 2,
}
#: What the worker is asked to show is noted when it is shown. `getNotifications` is no way to wait for it: a
#: browser without a place for notifications forgets one that is asked for too early.
_NOTE = """() => {
    const { registration } = self
    const show = registration.showNotification.bind(registration)
    self.shown = []
    registration.showNotification = async (title, options) => {
        await show(title, options)
        self.shown.push({ title, body: options.body, tag: options.tag, lang: options.lang })
    }
}"""
_SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
    .map(({ title, body, tag, lang }) => ({ title, body, tag, lang }))"""


class Pushed:
    """Delivers messages to the worker of a page, as a push service does."""

    def __init__(self, page: Page, origin: str) -> None:
        self._session, self._origin = page.context.new_cdp_session(page), origin
        found: list[str] = []
        self._session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
        )
        self._session.send("ServiceWorker.enable")
        until(lambda: page.evaluate("true") and found)  # events are heard while the page is asked something
        self._registration = found[-1]
        (self._worker,) = page.context.service_workers
        self._worker.evaluate(_NOTE)

    def shown(self) -> list[dict[str, str]]:
        """What the worker has shown, oldest first."""
        found: list[dict[str, str]] = self._worker.evaluate("self.shown")
        return found

    def deliver(self, **changes: object) -> None:
        where = {"origin": self._origin, "registrationId": self._registration}
        data = json.dumps(NOTICE | changes)
        self._session.send("ServiceWorker.deliverPushMessage", {**where, "data": data})


@pytest.mark.parametrize(
    ("language", "title", "body"),
    [
        *depth(
            [],
            [
                ("en", "Your turn", "Persian Rummy with Bo, Cleo, and Dan"),
                ("de", "Du bist dran", "Persisches Rummy mit Bo, Cleo und Dan"),
            ],
        ),
        ("fa", "نوبت شماست", "رامی ایرانی با Bo،\u200f Cleo، و Dan"),
    ],
)
def test_the_worker_shows_a_message(
    browser: Browser, server: LiveServer, language: str, title: str, body: str
) -> None:
    context = browser.new_context(permissions=["notifications"])
    try:
        page = context.new_page()
        page.goto(server.url)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        pushed = Pushed(page, server.url)
        pushed.deliver(language=language)
        until(pushed.shown)
        (shown,) = pushed.shown()
        wanted = {"title": title, "body": plain(body), "tag": NOTICE["table"], "lang": language}
        assert shown | {"body": plain(shown["body"])} == wanted
    finally:
        context.close()


def plain(text: str) -> str:
    """A text without the marks of direction, which browsers place as they like."""
    return text.replace("\u200f", "").replace("\u200e", "")


@pytest.mark.whole
def test_the_message_goes_away_when_the_table_is_looked_at(server: LiveServer, new_page) -> None:
    ada = Guest(server, "Ada")
    table = ada.new_table("500-rum", players=2, bots=[None, "greedy"], start=True)
    page: TablePage = new_page(ada, service_worker=True)
    page.page.context.grant_permissions(["notifications"])
    page.page.goto(server.url)
    page.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    pushed = Pushed(page.page, server.url)
    pushed.deliver(table=table)
    pushed.deliver()
    until(lambda: len(pushed.shown()) == 2)
    assert {one["tag"] for one in page.page.evaluate(_SHOWN)} == {table, NOTICE["table"]}
    page.at(table)
    until(lambda: table not in {one["tag"] for one in page.page.evaluate(_SHOWN)})
    page.turn_comes()
    expect(page.page).to_have_title("Your turn · rum500")
    expect(page.page.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
