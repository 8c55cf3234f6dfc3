"""A guest comes to another device whose requests another server of the same database answers."""

from __future__ import annotations

from tests.support.live_server import Guest, play_on
from tests.test_nodes import Nodes, at, is_over, joined, new_table, nodes, url  # noqa: F401 - fixtures

BROWSER = {"browser": "other", "phone": False}


def test_a_code_of_one_server_works_once_at_another(nodes: Nodes) -> None:  # noqa: F811 - the fixture
    one, two = nodes
    nora, new = Guest(one, "Nora"), Guest(two)
    code = nora.call("POST", "/api/me/device", {})["code"]
    words = new.call("POST", "/api/device", {"code": code} | BROWSER)["words"]
    assert nora.call("GET", "/api/me/device")["words"] == words
    assert (
        at(two, nora).call("POST", "/api/me/device/answer", {"words": words, "yes": True})["state"] == "yes"
    )
    assert at(one, new).call("GET", "/api/device")["name"] == "Nora"
    assert new.call("POST", "/api/device/take", {"own": "leave"})["id"] == nora.me["id"]
    assert at(one, new).call("GET", "/api/me")["name"] == "Nora"


def test_a_merged_guest_gets_the_seat_at_a_table_of_another_server(nodes: Nodes) -> None:  # noqa: F811
    one, two = nodes
    nora, fox = Guest(one, "Nora"), Guest(two, "Fox")
    ended = new_table(fox)
    with joined(fox, ended) as seat:
        play_on([seat], is_over)
    table = fox.new_table("500-rum", level="greedy", start=True)
    with joined(fox, table):  # the second server owns the table
        code = nora.call("POST", "/api/me/device", {})["code"]
        at(one, fox).call("POST", "/api/device", {"code": code} | BROWSER)
        words = nora.call("GET", "/api/me/device")["words"]
        nora.call("POST", "/api/me/device/answer", {"words": words, "yes": True})
        merged = at(one, fox)
        merged.call("POST", "/api/device/take", {"own": "merge"})
    with joined(merged, table) as seat:
        assert seat.facts["seat"] == 0
    # The log of the ended match names the former guest.
    assert [row["table"] for row in merged.call("GET", "/api/history")["rows"]] == [ended]
    progress = merged.call("GET", "/api/progress")
    assert (progress["matches"], progress["deals"], progress["waiting"]) == (1, 1, 0)
