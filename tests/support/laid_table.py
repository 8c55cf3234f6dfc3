"""A table in the browser with other cards: the server's messages are changed on their way to the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute

Message = dict[str, Any]
Change = Callable[[Message], None]

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def changed(page: Page, *changes: Change) -> Change:
    """Change the server's snapshots on their way. Return a function that sends the page further changes."""
    opened: list[WebSocketRoute] = []

    def stretch(socket: WebSocketRoute) -> None:
        opened.append(socket)
        there = socket.connect_to_server()

        def pass_on(data: str | bytes) -> None:
            message = json.loads(data)
            if message["type"] == "sync":
                for change in changes:
                    change(message)
            socket.send(json.dumps(message))

        there.on_message(pass_on)

    page.route_web_socket("**/ws/**", stretch)
    return lambda message: opened[-1].send(json.dumps(message))


def replayed(page: Page, change: Change) -> None:
    """Change the last step of a finished deal on its way to a replay or a review."""

    def fulfil(route: Route) -> None:
        answer = route.fetch()
        replay = answer.json()
        change(replay["frames"][-1])
        route.fulfill(response=answer, json=replay)

    page.route(re.compile(r"/api/tables/[^/]+/deals/\d+$"), fulfil)


def meld(number: int, owner: int, cards: str, laid_off: dict[int, int] | None = None) -> Message:
    """A meld of these cards; `laid_off` says by position who laid which of them off."""
    codes = cards.split()
    return {
        "number": number,
        "kind": "set" if len({code[:-1] for code in codes}) == 1 else "run",
        "owner": owner,
        "cards": [
            {"card": code, "place": None, "seat": (laid_off or {}).get(at, owner), "points": 5}
            for at, code in enumerate(codes)
        ],
        "at_once": False,
    }


def sets(count: int, players: int) -> list[Message]:
    """Sets of three, one player's each in turn."""
    return [meld(at, at % players, " ".join(RANKS[at % 13] + suit for suit in "SHD")) for at in range(count)]


def table_of(melds: Sequence[Message], pile: str, hand: str) -> Change:
    """A table with these melds, this pile and this hand."""

    def change(message: Message) -> None:
        shared, you = message["shared"], message["you"]
        shared["melds"], shared["pile"] = list(melds), pile.split()
        if you["seat"] is not None:
            you["hand"] = hand.split()

    return change
