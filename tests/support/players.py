"""Players of the browser tests: by mouse or touch, by the keyboard alone, by typed plays alone.

They play simply: they draw a card, take what they can take, lay what the page suggests, and otherwise discard
the last card that may be discarded. What matters is that they make every step as a person does.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod

from playwright.sync_api import Locator, expect

from tests.support.table_page import TablePage

#: The page's single keys.
KEYS = {"draw": "d", "take": "t", "meld": "m", "lay": "l", "discard": "x", "call": "r", "undo": "z"}


class Player(ABC):
    """What all players have in common; a subclass says how each step is made."""

    def __init__(self, page: TablePage) -> None:
        self.page = page
        self.made: list[str] = []

    def turn(self) -> None:
        """Answer one question, or make one play."""
        page = self.page
        if page.attribute("waiting") == "claim":
            self.do("let_go")
        elif page.attribute("phase") == "draw":
            ways = ("take", "draw", "pass", "end") if "draw" in self.made else ("draw", "take", "pass", "end")
            self.do(next(name for name in ways if page.open_action(name)))
        else:
            page.advised()
            self.lay_or_discard()

    @abstractmethod
    def do(self, name: str) -> None:
        """Make the play of this name with the cards that it concerns now."""

    @abstractmethod
    def lay_or_discard(self) -> None:
        """Lay what is suggested; otherwise discard a card."""


class Pointer(Player):
    """A player who uses cards and buttons by pointer."""

    def turn(self) -> None:
        """Draw for deal and cut by hand too."""
        if self.page.attribute("waiting") in {"draw", "cut"}:
            self.pick()
        else:
            super().turn()

    def lay_or_discard(self) -> None:
        """Lay what is suggested; otherwise discard a card."""
        for name in ("meld", "lay"):
            if self.page.open_action(name):
                before = self.page.page.get_by_test_id("table").get_attribute("data-number")
                self.do(name)
                made = self.page.page.locator(f'[data-testid="table"]:not([data-number="{before}"])')
                self.offered.or_(made).first.wait_for()
                if self.offered.count():
                    self.choose()
                return
        self.discard()

    def discard(self) -> None:
        """Discard the last card that may be discarded."""
        for card in reversed(self.held()):
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

    def held(self) -> list[str]:
        """The cards of the hand, as they lie."""
        return self.page.cards()

    @property
    def offered(self) -> Locator:
        """The plays to choose between, where the page asks which."""
        return self.page.page.locator(".choices .option")

    @abstractmethod
    def select(self, card: str) -> None:
        """Select a card of the hand, or no longer."""

    @abstractmethod
    def look(self, card: str) -> None:
        """Point at a card of the pile."""

    @abstractmethod
    def pick(self) -> None:
        """Draw for deal, or cut."""

    @abstractmethod
    def choose(self, index: int = 0) -> None:
        """Choose one of the plays that are offered."""


class Mouse(Pointer):
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
        option = self.page.in_hand(card)
        was = option.get_attribute("aria-selected")
        self.press(option, corner=True)
        expect(option).not_to_have_attribute("aria-selected", was or "")

    def pick(self) -> None:
        spread = self.page.page.locator(".spread")
        card = spread.locator('[role=option][aria-disabled="false"]')
        if self.page.attribute("waiting") == "draw":
            self.press(card.first, corner=True)
        else:
            self.press(spread.get_by_role("button"))

    def look(self, card: str) -> None:
        self.press(self.page.in_pile(card), corner=True)

    def choose(self, index: int = 0) -> None:
        self.press(self.offered.nth(index))

    def double_tap(self, card: str) -> None:
        """Tap twice on a card of the hand, within the time of a double tap however busy the machine is."""
        session = self.page.page.context.new_cdp_session(self.page.page)
        box = self.page.in_hand(card).bounding_box()
        assert box is not None
        at = {"x": box["x"] + 8, "y": box["y"] + 14}
        now = time.time() - 1  # noqa: TID251 - taps carry the time at which they happened
        for tap in (0, 0.15):
            for moment, kind in ((0, "Start"), (0.03, "End")):
                when = now + tap + moment
                if self.touch:
                    points = [at] if kind == "Start" else []
                    event = {"type": f"touch{kind}", "touchPoints": points, "timestamp": when}
                    session.send("Input.dispatchTouchEvent", event)
                else:
                    pressed = {"Start": "mousePressed", "End": "mouseReleased"}[kind]
                    event = {"type": pressed, "button": "left", "clickCount": 1, "timestamp": when, **at}
                    session.send("Input.dispatchMouseEvent", event)

    def drag(self, card: str, to: Locator) -> None:
        """Drag a card of the hand, and all that is selected with it, to the middle of something."""
        fro, box = self.page.in_hand(card).bounding_box(), to.bounding_box()
        assert fro is not None
        assert box is not None
        x, y = fro["x"] + 8, fro["y"] + 14
        path = [(x, y), (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)]
        self._drag_by_touch(path) if self.touch else self._drag_by_mouse(path)

    def _drag_by_mouse(self, path: list[tuple[float, float]]) -> None:
        mouse = self.page.page.mouse
        mouse.move(*path[0])
        mouse.down()
        mouse.move(*path[1], steps=5)
        mouse.up()

    def _drag_by_touch(self, path: list[tuple[float, float]]) -> None:
        (x, y), (to_x, to_y) = path
        session = self.page.page.context.new_cdp_session(self.page.page)

        # As long as a hand takes for it: what ends in full swing is a fling, and swallows the next tap.
        moments = (time.time() - 1 + step / 10 for step in range(10))  # noqa: TID251 - touches carry the time at which they happened

        def send(kind: str, *points: tuple[float, float]) -> None:
            touched = [{"x": x, "y": y} for x, y in points]
            event = {"type": kind, "touchPoints": touched, "timestamp": next(moments)}
            session.send("Input.dispatchTouchEvent", event)

        send("touchStart", (x, y))
        for part in (0.2, 0.4, 0.6, 0.8, 1, 1):
            send("touchMove", (x + (to_x - x) * part, y + (to_y - y) * part))
        send("touchEnd")


class Keys(Pointer):
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
        if self.page.attribute("waiting") == "cut":
            self.page.page.get_by_role("slider").focus()
            self.key("ArrowRight")
            self.page.page.locator(".spread button").focus()
            self.key("Enter")
            return
        self.page.page.locator('.spread [role=option][tabindex="0"]').focus()
        self.key("Home")
        self.key("Enter")

    def look(self, card: str) -> None:
        self.key("p")
        self.key("Home")
        strip = self.page.page.locator("[role=option]:focus")
        for _ in self.page.pile_cards():
            if strip.get_attribute("data-card") == card:
                break
            self.key("ArrowRight")
        self.key(" ")

    def choose(self, index: int = 0) -> None:
        expect(self.offered.nth(index)).to_be_visible()
        self.key(str(index + 1))


class Listener(Keys):
    """The keyboard and what a screen reader says: roles and names, and nothing that one must see."""

    def turn(self) -> None:
        for name in ("let_go", "take", "draw"):
            if (name != "take" or "draw" in self.made) and self.page.open_action(name):
                self.do(name)
                return
        self.page.advised()
        self.lay_or_discard()

    def held(self) -> list[str]:
        names = self.page.hand.get_by_role("option").evaluate_all("all => all.map(x => x.ariaLabel)")
        return [name.partition(",")[0] for name in names]

    def do(self, name: str) -> None:
        self.page.action(name).focus()
        self.key("Enter")
        self.made.append(name)

    def select(self, card: str) -> None:
        option = self.page.hand.get_by_role("option", name=re.compile(f"^{re.escape(card)},"))
        was = option.get_attribute("aria-selected")
        option.focus()
        self.key(" ")
        expect(option).not_to_have_attribute("aria-selected", was or "")


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
