"""The table's page in a browser, as a player uses it: what a test clicks, types, touches and waits for.

Things are found by role and by the name that a screen reader says; the page's root carries the state of the
table in `data-` attributes, so that nothing here ever sleeps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, WebSocket, expect

#: What a browser says when a test cuts the line.
OFFLINE = re.compile(
    r"ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|WebSocket connection to|ERR_CONNECTION_RESET"
)
STEPS = 400


class TablePage:
    """One browser page; `faults` are the errors it complained of, `frames` what its WebSockets received."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.faults: list[str] = []
        self.frames: list[dict[str, Any]] = []
        page.on("console", lambda said: self._complain(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("websocket", self._listen)
        self.root = page.get_by_test_id("table")
        self.hand = page.locator('[role=listbox][data-drop="hand"]')
        self.pile = page.get_by_role("listbox", name=re.compile("^Pile", re.IGNORECASE))
        self.log = page.get_by_role("log")

    def _complain(self, text: str) -> None:
        self.faults.append(text)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self.frames.append(json.loads(data)))

    def serious(self, *, offline: bool = False) -> list[str]:
        """The complaints, without those that a cut line explains."""
        return [fault for fault in self.faults if not (offline and OFFLINE.search(fault))]

    # --- going there ---------------------------------------------------------------------------------

    def open(self, path: str) -> TablePage:
        """Go to an address of the server."""
        self.page.goto(self.url + path)
        return self

    def at(self, table: str) -> TablePage:
        """Go to a table and wait until it is there."""
        self.open(f"/t/{table}")
        self.state(live="live")
        return self

    # --- what it looks like ------------------------------------------------------------------------

    def state(self, *, timeout: float = 20_000, **wanted: str) -> None:
        """Wait until the root says all this: `waiting="play"`, `mine="true"`."""
        selector = "[data-testid=table]" + "".join(f'[data-{key}="{value}"]' for key, value in wanted.items())
        self.page.locator(selector).wait_for(state="attached", timeout=timeout)

    def either(self, *selectors: str) -> str:
        """Wait for the first of several states of the root; which one it is."""
        self.page.locator(",".join(f"[data-testid=table]{one}" for one in selectors)).wait_for(
            state="attached"
        )
        return next((one for one in selectors if self.page.locator(f"[data-testid=table]{one}").count()), "")

    def told(self, name: str) -> str:
        """What the root says of the table."""
        return self.root.get_attribute(f"data-{name}") or ""

    @property
    def number(self) -> int:
        """The number of the last update that the page has shown."""
        return int(self.told("number") or 0)

    def cards(self) -> list[str]:
        """The hand, as it lies."""
        return [
            str(card)
            for card in self.hand.get_by_role("option").evaluate_all("all => all.map(x => x.dataset.card)")
        ]

    def pile_cards(self) -> list[str]:
        """The pile, oldest first."""
        return [
            str(card)
            for card in self.pile.get_by_role("option").evaluate_all("all => all.map(x => x.dataset.card)")
        ]

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name)

    def action(self, name: str) -> Locator:
        """One of the buttons of play: draw, take, meld, lay, discard, call, let_go, pass, end, undo."""
        return self.page.locator(f'button[data-action="{name}"]')

    def open_action(self, name: str) -> bool:
        """Whether such a button is there and enabled."""
        found = self.page.locator(f'button[data-action="{name}"]:not([aria-disabled="true"]):not([disabled])')
        return found.count() > 0

    # --- playing -------------------------------------------------------------------------------------

    def whole_deal(self, turn: Callable[[], None]) -> None:
        """Play one deal to its score sheet; `turn` makes one play or answers one question."""
        for _ in range(STEPS):
            found = self.either('[data-waiting="next"]', '[data-waiting="over"]', '[data-mine="true"]')
            if "mine" not in found:
                return
            before = self.number
            turn()
            self.moved_on(before)
        raise AssertionError("the deal does not end")

    def moved_on(self, number: int) -> None:
        """Wait until the table has gone on from this number."""
        expect(self.root).not_to_have_attribute("data-number", str(number), timeout=20_000)
