"""The lobby: which tables it lists, and that nobody can push the others out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.serving import Guest, Running, Socket
from tests.support.waiting import until


def listed(guest: Guest, query: str = "") -> list[str]:
    return [row["id"] for row in guest.http.get(f"/api/tables{query}").json()]


def hosting(guest: Guest, table: str, address: str = "127.0.0.1") -> Socket:
    """Connect to a table from an address of this machine, and join it."""
    socket = guest.connect(table, source_address=(address, 0))
    socket.sync = socket.ask("join", last=0)
    return socket


def test_table_is_listed_while_its_host_is_connected(tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.guest("Ada") as ada, server.guest("Ben") as ben:
        table = ada.table(private=False)
        private = ada.table(private=True)
        with ben.join(table), hosting(ada, private):
            assert listed(ben) == [], "only a stranger is there, or it is private"
        with hosting(ada, table):
            until(lambda: listed(ben) == [table])
        until(lambda: listed(ben) == [])
        host = hosting(ada, table)
        until(lambda: listed(ben) == [table])
    with Running(tmp_path) as server, server.guest("Cleo") as cleo:
        assert listed(cleo) == []
    host.close()


@pytest.mark.parametrize("present", [False, True], ids=["hosts left", "hosts present"])
def test_many_tables_of_one_address_do_not_push_out_another(tmp_path: Path, present: bool) -> None:
    """The attack: 99 tables from one address after an honest one."""
    with Running(tmp_path, limits=False) as server, server.guest("Ada") as ada:
        honest = ada.table()
        with hosting(ada, honest):
            attackers = [server.guest() for _ in range(99)]
            tables = [attacker.table() for attacker in attackers]
            sockets = [
                hosting(attacker, table, "127.0.0.2")
                for attacker, table in zip(attackers, tables, strict=True)
            ]
            if not present:
                for socket in sockets:
                    socket.close()
            until(lambda: len(listed(ada)) == (11 if present else 1))
            assert honest in listed(ada)

            def in_pages() -> list[str]:
                pages = [listed(ada, f"?skip={skip}&limit=4") for skip in (0, 4, 8, 12)]
                return [table for page in pages for table in page]

            # While the last hosts arrive, the list still changes.
            until(lambda: in_pages() == listed(ada))
            for socket in sockets:
                socket.close()
            for attacker in attackers:
                attacker.http.close()
