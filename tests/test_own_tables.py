"""The list of a guest's own tables: what is put away, ended, or left out after a week."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rum500.server.http import lobby
from tests.support.serving import Guest, Running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with Running(tmp_path / "data") as running:
        yield running


def listed(guest: Guest, *, away: bool = False) -> list[str]:
    query = "?away=true" if away else ""
    return [one["table"]["id"] for one in guest.http.get(f"/api/tables/mine{query}").json()]


def test_table_is_put_away_and_taken_back(server: Running) -> None:
    with server.guest() as ada, server.guest() as ben:
        kept, table = ada.table(players=2, bots=[None, "greedy"]), ada.table(players=2, bots=[None, "greedy"])
        answer = ada.http.post(f"/api/tables/{table}/put-away", json={"away": True})
        assert (answer.status_code, answer.json()) == (200, {"away": True})
        assert (listed(ada), listed(ada, away=True)) == ([kept], [table])
        assert [one["put_away"] for one in ada.http.get("/api/tables/mine?away=true").json()] == [True]
        ada.http.post(f"/api/tables/{table}/put-away", json={"away": False})
        assert (set(listed(ada)), listed(ada, away=True)) == ({kept, table}, [])
        for guest, other in ((ada, "none"), (ben, table)):
            unknown = guest.http.post(f"/api/tables/{other}/put-away", json={"away": True})
            assert (unknown.status_code, unknown.json()["code"]) == (404, "table.unknown")


def test_table_that_was_put_away_comes_back_when_it_waits_for_the_guest_again(server: Running) -> None:
    with server.guest("Ada") as ada, server.guest("Ben") as ben:
        table = ada.table(players=2)
        with ada.join(table) as first, ben.join(table) as second:
            second.ask("sit")
            ben.http.post(f"/api/tables/{table}/put-away", json={"away": True})
            ada.http.post(f"/api/tables/{table}/put-away", json={"away": True})
            assert (listed(ada), listed(ben)) == ([], [])
            first.ask("start")
            waits = [guest for guest in (ada, ben) if guest.http.get("/api/tables/mine").json()]
        assert [one["my_turn"] for guest in waits for one in guest.http.get("/api/tables/mine").json()]


def test_match_with_bots_alone_is_ended_from_the_list(server: Running) -> None:
    with server.guest("Ada") as ada, server.guest("Ben") as ben:
        alone = ada.table(players=2, bots=[None, "greedy"], start=True)
        (mine,) = ada.http.get("/api/tables/mine").json()
        assert mine["alone"]
        stranger = ben.http.post(f"/api/tables/{alone}/end", json={})
        assert (stranger.status_code, stranger.json()["code"]) == (409, "table.not_seated")
        ended = ada.http.post(f"/api/tables/{alone}/end", json={})
        assert (ended.status_code, ended.json()["status"]) == (200, "abandoned")
        assert listed(ada) == listed(ada, away=True) == []
        assert ada.http.post(f"/api/tables/{alone}/end", json={}).json()["code"] == "table.over"

        shared = ada.table(players=3, bots=[None, None, "greedy"])
        with ben.join(shared) as seat:
            seat.ask("sit")
        assert not ada.http.get("/api/tables/mine").json()[0]["alone"]
        refused = ada.http.post(f"/api/tables/{shared}/end", json={})
        assert (refused.status_code, refused.json()["code"]) == (409, "table.company")
        assert ada.http.get(f"/api/tables/{shared}").json()["status"] == "open"


def test_table_without_other_people_leaves_the_list_after_a_week(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server.guest("Ada") as ada, server.guest("Ben") as ben:
        alone, shared = ada.table(players=2, bots=[None, "greedy"], start=True), ada.table(players=2)
        with ben.join(shared) as seat:
            seat.ask("sit")
        now = lobby.time.time()
        for days, expected in ((6.9, {alone, shared}), (7.1, {shared})):
            monkeypatch.setattr(lobby.time, "time", lambda days=days: now + days * 86_400)
            assert set(listed(ada)) == expected
        assert listed(ada, away=True) == [alone]


@pytest.mark.parametrize(
    ("options", "expected"),
    [({"target": 200}, (200, 0)), ({"target": 500}, (500, 0)), ({"deals": 1}, (500, 1))],
)
def test_quick_games_are_options_of_a_table(
    server: Running, options: dict[str, int], expected: tuple[int, int]
) -> None:
    with server.guest() as ada, ada.join(ada.table(players=2, **options)) as seat:
        info = seat.sync["options"]
        assert (info["target"], info["max_deals"]) == expected
