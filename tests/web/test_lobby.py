"""The list of open tables on the first screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.live_server import Guest, LiveServer

TABLES = 8


def test_all_open_tables_can_be_reached(own_server: LiveServer, new_page) -> None:
    """The first six are there unasked, the others after one press."""
    ada = Guest(own_server, "Ada")
    made = {ada.new_table(private=False) for _ in range(TABLES)}
    page = new_page(Guest(own_server, "Bo"), at=own_server).open("/")
    listed = page.page.get_by_role("region", name="Open tables").get_by_role("listitem")
    expect(listed).to_have_count(6)
    page.button(f"Show all {TABLES}").click()
    expect(listed).to_have_count(TABLES)
    links = listed.get_by_role("link").evaluate_all("all => all.map(x => x.getAttribute('href'))")
    assert {link.removeprefix("/t/") for link in links} == made
    page.button("Show fewer").click()
    expect(listed).to_have_count(6)


@pytest.mark.whole
def test_few_open_tables_are_all_shown(own_server: LiveServer, new_page) -> None:
    ada = Guest(own_server, "Ada")
    for _ in range(6):
        ada.new_table(private=False)
    page = new_page(Guest(own_server, "Bo"), at=own_server).open("/")
    expect(page.page.get_by_role("region", name="Open tables").get_by_role("listitem")).to_have_count(6)
    expect(page.button(re.compile("^Show"))).to_have_count(0)
