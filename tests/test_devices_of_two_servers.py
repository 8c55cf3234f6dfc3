"""A guest comes to another device whose requests another server of the same database answers."""

from __future__ import annotations

import psycopg

from tests.support.live_server import Guest, play_on
from tests.support.waiting import until
from tests.test_nodes import Nodes, at, is_over, joined, new_table, nodes, url  # noqa: F401 - fixtures

BROWSER = {"browser": "other", "phone": False}


def merge(old: Guest, new: Guest) -> None:
    """Make everything of `new` belong to `old`, through their servers."""
    code = old.call("POST", "/api/me/device", {})["code"]
    new.call("POST", "/api/device", {"code": code} | BROWSER)
    words = old.call("GET", "/api/me/device")["words"]
    old.call("POST", "/api/me/device/answer", {"words": words, "yes": True})
    new.call("POST", "/api/device/take", {"own": "merge"})


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
        merged = at(one, fox)
        merge(nora, merged)
    with joined(merged, table) as seat:
        assert seat.facts["seat"] == 0
    # The log of the ended match names the former guest.
    assert [row["table"] for row in merged.call("GET", "/api/history")["rows"]] == [ended]
    progress = merged.call("GET", "/api/progress")
    assert (progress["matches"], progress["deals"], progress["waiting"]) == (1, 1, 0)


def test_seats_at_another_server_follow_without_a_visit(nodes: Nodes, url: str) -> None:  # noqa: F811
    one, two = nodes
    nora, fox, ben = Guest(one, "Nora"), Guest(two, "Fox"), Guest(two, "Ben")
    table = fox.new_table("500-rum", players=3)
    with joined(fox, table), joined(ben, table) as friend:  # the second server owns the table
        friend.say("sit", seat=1)
        merge(nora, at(one, fox))
        with psycopg.connect(url) as database:
            kinds = "SELECT count(*) FROM entries WHERE table_id = %s AND kind = 'merged'"
            until(lambda: database.execute(kinds, (table,)).fetchone() == (1,))
        at(one, nora).call("POST", "/api/me/delete", {"confirm": "everything"})
        friend.sees(lambda facts: facts["seats"][0]["kind"] == "empty")
        friend.sees(lambda facts: facts["host"] == 1)


def test_presence_is_known_at_all_servers(nodes: Nodes) -> None:  # noqa: F811
    one, two = nodes
    nora, fox = Guest(one, "Nora"), Guest(two, "Fox")
    table = fox.new_table("500-rum", players=2, target=10, seats_drawn=False)
    with joined(fox, table) as host, joined(nora, table) as other:  # the second server owns the table
        other.say("sit", seat=1)
        host.say("start")
        play_on([host, other], is_over)

    def here() -> bool:
        (person,) = nora.call("GET", "/api/people")["people"]
        assert person["name"] == "Fox"
        return bool(person["here"])

    until(lambda: nora.call("GET", "/api/people")["people"])
    assert not here(), "it is not shown unless Fox wants it"
    fox.call("PUT", "/api/people/presence", {"shown": True})
    until(here)
