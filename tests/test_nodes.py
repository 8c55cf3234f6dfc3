"""Several servers on one database: a table has one owner, and is played on when that one dies or leaves."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from rum500.store import SECRET
from tests.support.live_server import Guest, LiveServer, Seated, free_port, play_on
from tests.support.postgres import PostgresServer
from tests.support.waiting import until

Nodes = tuple[LiveServer, LiveServer]


@pytest.fixture
def nodes(tmp_path: Path, postgres_server: PostgresServer) -> Iterator[Nodes]:
    """Two servers with one key."""
    url = postgres_server.url(postgres_server.new_database())
    servers = []
    for name in ("one", "two"):
        port = free_port()
        data = tmp_path / name
        data.mkdir()
        if servers:
            shutil.copy(servers[0].data / SECRET, data / SECRET)
        flags = ("--db", url, "--node-url", f"http://127.0.0.1:{port}", "--node-name", name, "--bot-pause-ms", "0", "--no-limits")
        servers.append(LiveServer(data, *flags, port=port).start())
    try:
        yield servers[0], servers[1]
    finally:
        for server in servers:
            server.end()


def at(server: LiveServer, guest: Guest) -> Guest:
    """The same guest, who speaks to another server."""
    same = Guest.__new__(Guest)
    same.server, same.cookie, same.me = server, guest.cookie, guest.me
    return same


def joined(guest: Guest, table: str, last: int) -> Seated:
    """Connect to a table, as soon as a server lets the guest."""
    seats: list[Seated] = []

    def comes_in() -> bool:
        with suppress(InvalidStatus):
            seats.append(guest.at(table, last=last))
        return bool(seats)

    until(comes_in)
    return seats[0]


def test_a_table_is_played_at_whichever_server_one_comes_to(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = guest.new_table("500-rum", level="greedy", start=True, deals=1, target=5000)
    with at(two, guest).at(table) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over", seed=1)
    assert "table.lost" not in one.log + two.log


def test_the_other_server_goes_on_with_the_tables_of_a_dead_one(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = guest.new_table("500-rum", level="greedy", start=True, deals=1, target=5000)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: bool(facts.get("may")), seed=1)
        number = seat.number
    one.kill()
    with joined(at(two, guest), table, number) as seat:
        play_on([seat], lambda facts: facts.get("status") == "over", seed=1)
    one.start()
