"""The score sheet, read card by card as it lies there, beside what the server said."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.support.live_server import LiveServer
from tests.support.screens import finished
from tests.support.table_page import TablePage

#: The signs that keep a sum in its order.
MARKS = re.compile("[\u2066\u2069]")


def rows(page: TablePage) -> list[tuple[int, str, int]]:
    """The sheet's lines, account by account: how many cards, the words beside them, the points."""
    found = page.page.locator(".sheet tbody tr").evaluate_all(
        "all => all.map(x => [x.querySelectorAll('.card').length, x.querySelector('.note').textContent,"
        " x.querySelector('.num').textContent])"
    )
    return [(cards, MARKS.sub("", note), int(points.replace("\u2212", "-"))) for cards, note, points in found]


def told(line: dict[str, Any]) -> str:
    """What a line must say of its cards' points."""
    if len(line["each"]) < 2:
        return ""
    points = " + ".join(map(str, line["each"]))
    return f"({points}) × 2" if line["doubled"] else points


def hand_of_several(sheet: dict[str, Any]) -> bool:
    """Whether somebody was left with more than one card."""
    lines = [line for account in sheet.get("lines", ()) for line in account]
    return any(len(line["each"]) > 1 and line["kind"] == "hand" for line in lines)


def test_every_card_s_points_can_be_read(server: LiveServer, new_page) -> None:
    """Of melds, lay-offs and hands of several cards; of one card the line has them."""
    ada, table = finished(server, hand_of_several)
    page = new_page(ada).at(table)
    expect(page.page.locator(".sheet")).to_be_visible()
    sync = next(frame for frame in page.frames if frame["type"] == "sync")
    ours = sync["you"]["seat"] % 2
    sheet = sync["shared"]["sheet"]
    lines = [line for seat in (ours, ours + 2, 1 - ours, 3 - ours) for line in sheet["lines"][seat]]
    read = rows(page)
    assert [(cards, points) for cards, _, points in read] == [
        (len(line["cards"]), line["points"]) for line in lines
    ]
    for (_, note, _), line in zip(read, lines, strict=True):
        assert told(line) in note
    assert hand_of_several(sheet)
    held = page.page.locator(".sheet tbody tr").filter(has_text="in hand")
    expect(held.locator(".named")).to_have_count(0)  # a joker still in hand stands for nothing
