"""Players of the browser tests: by mouse or touch, by the keyboard alone, by typed plays alone.

They play simply: what the page suggests is taken or laid, else a card is drawn, and the last card that may be
thrown is thrown. What counts is that every step is made as a person makes it.
"""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.support.table_page import TablePage

#: The page's single keys.
KEYS = {"draw": "d", "take": "t", "meld": "m", "lay": "l", "discard": "x", "call": "r", "undo": "z"}


class Player:
    """What all of them do; a subclass says how."""

    def __init__(self, page: TablePage) -> None:
        self.page = page
        self.made: list[str] = []

    def turn(self) -> None:
        """Answer one question, or make one play."""
        page = self.page
        if page.told("waiting") in {"draw", "cut"}:
            self.pick()
        elif page.told("waiting") == "claim":
            self.do("let_go")
        elif page.told("phase") == "draw":
            self.do(next(name for name in ("take", "draw", "pass", "end") if page.open_action(name)))
        else:
            page.advised()
            self.lay_or_discard()

    def lay_or_discard(self) -> None:
        """Lay what is suggested, else throw a card."""
        for name in ("meld", "lay"):
            if self.page.open_action(name):
                self.do(name)
                self.choose()
                return
        self.discard()

    def discard(self) -> None:
        """Throw the last card that may be thrown."""
        for card in reversed(self.page.cards()):
            self.select(card)
            if self.page.open_action("discard"):
                self.do("discard")
                return
            self.select(card)
        for name in ("pass", "end"):
            if self.page.open_action(name):
                self.do(name)
                return
        raise AssertionError("nothing can be thrown")

    @property
    def offered(self) -> Locator:
        """The plays to choose between, where the page asks which."""
        return self.page.page.locator(".choices .option")

    def do(self, name: str) -> None:
        raise NotImplementedError

    def select(self, card: str) -> None:
        raise NotImplementedError

    def pick(self) -> None:
        raise NotImplementedError

    def choose(self) -> None:
        raise NotImplementedError


class Mouse(Player):
    """A mouse, or with `touch` a finger."""

    def __init__(self, page: TablePage, *, touch: bool = False) -> None:
        super().__init__(page)
        self.touch = touch

    def press(self, target: Locator, *, corner: bool = False) -> None:
        """Press on something; a card in a fan shows no more than its left edge."""
        where = {"x": 6.0, "y": 12.0} if corner else None
        if self.touch:
            target.tap(position=where)  # type: ignore[arg-type]
        else:
            target.click(position=where)  # type: ignore[arg-type]

    def do(self, name: str) -> None:
        self.press(self.page.action(name))
        self.made.append(name)

    def select(self, card: str) -> None:
        option = self.page.hand.locator(f'[data-card="{card}"]').last
        was = option.get_attribute("aria-selected")
        self.press(option, corner=True)
        expect(option).not_to_have_attribute("aria-selected", was or "")

    def pick(self) -> None:
        spread = self.page.page.locator(".spread")
        card = spread.locator('[role=option][aria-disabled="false"]')
        if self.page.told("waiting") == "draw":
            self.press(card.first, corner=True)
        else:
            self.press(spread.get_by_role("button"))

    def choose(self) -> None:
        if self.offered.count():
            self.press(self.offered.first)


class Keys(Player):
    """The keyboard alone, by the single keys and the arrows."""

    def key(self, key: str) -> None:
        self.page.page.keyboard.press(key)

    def do(self, name: str) -> None:
        if name in KEYS:
            self.key(KEYS[name])
        else:
            self.page.action(name).focus()
            self.key("Enter")
        self.made.append(name)

    def select(self, card: str) -> None:
        self.key("h")
        self.key("Home")
        option = self.page.page.locator("[role=option]:focus")
        for _ in self.page.cards():
            if option.get_attribute("data-card") == card:
                break
            self.key("ArrowRight")
        was = option.get_attribute("aria-selected")
        self.key(" ")
        expect(option).not_to_have_attribute("aria-selected", was or "")

    def pick(self) -> None:
        if self.page.told("waiting") == "cut":
            self.page.page.get_by_role("slider").focus()
            self.key("ArrowRight")
            self.page.page.locator(".spread button").focus()
            self.key("Enter")
            return
        self.page.page.locator(".spread [role=option]").first.focus()
        self.key("Home")
        option = self.page.page.locator("[role=option]:focus")
        while option.get_attribute("aria-disabled") != "false":
            self.key("ArrowRight")
        self.key("Enter")

    def choose(self) -> None:
        if self.offered.count():
            self.key("1")


class Typist(Player):
    """Types each play as the sources write it: `draw`, `meld 6S 7S 8S`, `discard QD`."""

    def lay_or_discard(self) -> None:
        """Type what the rules have just advised, else a discard."""
        advice = next(frame for frame in reversed(self.page.frames) if frame["type"] == "answer")
        for option in advice.get("options", []):
            cards = " ".join(
                f"{it['card']}={it['place']}" if it["place"] else it["card"] for it in option["cards"]
            )
            self.type(f"meld {cards}" if option["kind"] == "meld" else f"lay {cards} on {option['meld'] + 1}")
            self.made.append(option["kind"])
            return
        self.discard()

    def discard(self) -> None:
        self.type(f"discard {self.page.cards()[-1]}")
        self.made.append("discard")

    def do(self, name: str) -> None:
        if name == "take":
            (count,) = re.findall(r"^\D*(\d+)", self.page.action(name).inner_text())
            self.type(f"take {count} cards")
        else:
            self.type({"let_go": "let go"}.get(name, name))
        self.made.append(name)

    def type(self, text: str) -> None:
        line = self.page.page.get_by_role("textbox", name="Type a play")
        if not line.count():
            self.page.page.keyboard.press("/")
        line.fill(text)
        line.press("Enter")
