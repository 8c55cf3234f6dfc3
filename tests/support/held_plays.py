"""Hold back the plays of the others, so that a page shows them one after the other."""

from __future__ import annotations

import json

from playwright.sync_api import Page, WebSocketRoute

from tests.support.laid_table import Message
from tests.support.table_page import TablePage
from tests.support.waiting import attempts

ENDS = {"discard", "end", "float", "pass"}
PLAYS = {"draw", "take", "call", "meld", "lay", "restock"} | ENDS


def held(page: Page) -> tuple[list[Message], list[Message]]:
    """Hold back what the others do. Return what has been passed to the page, and what waits to be passed."""
    passed: list[Message] = []
    queue: list[Message] = []

    def stretch(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()

        def pass_on(data: str | bytes) -> None:
            message = json.loads(data)
            plays = [event for event in message.get("events", ()) if event["kind"] in PLAYS]
            if plays and all(event.get("seat") != 0 for event in plays):
                message["send"] = lambda: socket.send(data)
                queue.append(message)
            else:
                passed.append(message)
                socket.send(data)

        there.on_message(pass_on)

    page.route_web_socket("**/ws/**", stretch)
    return passed, queue


def next_play(page: TablePage, queue: list[Message]) -> Message | None:
    """What another player does next; None if it is the player's turn, or the deal is over."""
    for _ in attempts():
        page.page.evaluate("1")
        if queue:
            return queue.pop(0)
        if page.attribute("mine") == "true" or page.attribute("phase") == "over":
            break
    return None
