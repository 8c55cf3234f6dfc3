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
from playwright.sync_api import TimeoutError as TooLong

from tests.support.table_choice import facts_of

#: What a browser says when a test cuts the line.
OFFLINE = re.compile(
    r"ERR_(INTERNET_DISCONNECTED|CONNECTION_|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|NETWORK|FAILED)"
    r"|WebSocket connection to"
)
STEPS = 400
#: What the buttons of play are called, at the beginning of their names.
ACTIONS = {
    "draw": r"Draw\b",
    "take": r"Take\b(?! back)",
    "meld": r"Meld\b",
    "lay": r"Lay off\b(?! here)",
    "discard": r"Discard\b",
    "pass": r"Pass\b",
    "end": r"End\b",
    "call": r"Rummy!",
    "let_go": r"Let it go",
    "undo": r"Undo",
    "next": r"Next deal",
}
#: Something is asked of this player; or the deal is over.
ASKED = '[data-testid=table][data-mine="true"]'
ENDED = '[data-testid=table][data-waiting="next"], [data-testid=table][data-waiting="over"]'

#: Let the browser's clock be wrong by `shift` ms.
SHIFT = """
globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length ? given : [Date.now()])); }
  static now() { return super.now() + shift; }
};
"""


class TablePage:
    """One browser page; `faults` are the errors it complained of, `frames` what its WebSockets received."""

    def __init__(self, page: Page, url: str, server_log: Callable[[], str] = str) -> None:
        self.page, self.url, self._server_log = page, url, server_log
        self.faults: list[str] = []
        self.frames: list[dict[str, Any]] = []
        #: Whether the buttons of play have their English names; else they are found by what they do.
        self.english = True
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

    # --- looks -------------------------------------------------------------------------------------

    def state(self, **wanted: str) -> None:
        """Wait until the root says all this: `waiting="play"`, `mine="true"`."""
        selector = "[data-testid=table]" + "".join(f'[data-{key}="{value}"]' for key, value in wanted.items())
        try:
            self.page.locator(selector).wait_for(state="attached")
        except TooLong as late:
            late.add_note(self._last_words())
            raise

    def _last_words(self) -> str:
        """What the page shows and what it heard, for whoever reads of a wait that was in vain."""
        shown = self.root.evaluate_all("all => all.map(x => ({...x.dataset}))")
        heard = "\n".join(json.dumps(frame)[:2_000] for frame in self.frames[-6:])
        return (
            f"at {self.page.url} the page shows {shown}; complaints {self.faults}; it heard last\n{heard}\n"
            f"the server's log ends {self._server_log()[-4_000:]!r}"
        )

    def attribute(self, name: str) -> str:
        """Return a data attribute of the table's root element."""
        return self.root.get_attribute(f"data-{name}") or ""

    @property
    def facts(self) -> dict[str, Any]:
        """The table's state, merged from all messages."""
        merged = (facts_of(frame) for frame in self.frames if frame["type"] in {"sync", "update"})
        return {key: value for facts in merged for key, value in facts.items()}

    @property
    def number(self) -> int:
        """The number of the last update that the page has shown."""
        return int(self.attribute("number") or 0)

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

    def in_hand(self, card: str) -> Locator:
        """A card of the hand, of twins the last one."""
        return self.hand.locator(f'[data-card="{card}"]').last

    def in_pile(self, card: str) -> Locator:
        """A card of the pile, of twins the newest."""
        return self.pile.locator(f'[data-card="{card}"]').last

    def drop(self, where: str) -> Locator:
        """Where cards may be dragged to: `pile`, `melds`, `meld:0`."""
        return self.page.locator(f'[data-drop="{where}"]').first

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name)

    def action(self, name: str) -> Locator:
        """One of the buttons of play, by what it begins with: open or closed."""
        if not self.english:
            return self.page.locator(f'[data-action="{name}"]')
        return self.page.get_by_role("button", name=re.compile("^" + ACTIONS[name]))

    def open_action(self, name: str) -> bool:
        """Whether such a button is there and open."""
        found = self.action(name)
        return found.count() == 1 and found.get_attribute("aria-disabled") != "true" and found.is_enabled()

    # --- playing -------------------------------------------------------------------------------------

    def wait_for_turn(self) -> bool:
        """Wait until something is asked of this player (true) or the deal is over (false)."""
        while True:
            self.page.locator(f"{ASKED}, {ENDED}").first.wait_for(state="attached")
            if self.asked:
                return True
            if self.page.locator(ENDED).count():
                return False

    def turn_comes(self) -> None:
        """Wait for a turn. A deal may end before it: two bots end one of 6,000 in its first turn."""
        if not self.wait_for_turn():
            self.button("Next deal").click()
            expect(self.page.locator(ENDED)).to_have_count(0)
            assert self.wait_for_turn(), self._last_words()

    @property
    def asked(self) -> bool:
        """Whether something is asked of this player now."""
        return self.page.locator(ASKED).count() > 0

    def whose_turn(self) -> int | None:
        """Wait until somebody is to decide; that seat, or None when the deal is over."""
        somebody = '[data-testid=table]:not([data-turn-of=""])'
        self.page.locator(f"{somebody}, {ENDED}").first.wait_for(state="attached")
        seat = self.attribute("turn-of")
        return int(seat) if seat else None

    def advised(self) -> None:
        """Wait until the page shows what the rules suggest for the table as it is."""
        self.page.wait_for_function(
            "() => { const it = document.querySelector('[data-testid=table]')\n"
            "return it && it.dataset.number && it.dataset.advice === it.dataset.number }"
        )

    def whole_deal(self, turn: Callable[[], None], most: int = STEPS) -> bool:
        """Play to the score sheet of this deal; `turn` makes one play or answers one question.

        Returns whether that was reached; of fewer than `STEPS` plays it need not be.
        """
        for _ in range(most):
            if not self.wait_for_turn():
                return True
            before = self.number
            turn()
            self.moved_on(before)
        assert most < STEPS, "the deal does not end"
        return False

    def whole_match(self, turn: Callable[[], None], go_on: Callable[[], None]) -> int:
        """Play to the end of the match; `go_on` leaves a score sheet. Returns the number of deals."""
        for deals in range(1, STEPS):
            self.whole_deal(turn)
            if self.attribute("waiting") == "over":
                return deals
            before = self.number
            go_on()
            self.moved_on(before)
        raise AssertionError("the match does not end")

    def moved_on(self, number: int) -> None:
        """Wait until the table has gone on from this number."""
        expect(self.root).not_to_have_attribute("data-number", str(number))

    def reached(self, number: int) -> None:
        """Wait until the table is at this number or further."""
        for _ in range(STEPS):
            if (now := self.number) >= number:
                return
            self.moved_on(now)
