"""Games and tables over HTTP, on a real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from rum500.record import Record
from rum500.rules.options import HOUSE_RULES
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.sentences import describe
from tests.support.live_server import Guest as Person
from tests.support.live_server import play_on
from tests.support.serving import Running
from tests.support.waiting import until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("http") / "data"
    with Running(data) as running:
        yield running


# --- games --------------------------------------------------------------------------------------------


def test_every_profile_is_listed_the_standard_one_first(server: Running) -> None:
    with server.client() as client:
        profiles = client.get("/api/profiles").json()
    assert profiles[0]["name"] == "500-rum"
    assert profiles[0]["differs"] == []
    assert sorted(one["name"] for one in profiles) == sorted(profile_names())
    persian = next(one for one in profiles if one["name"] == "persian-rummy")
    assert (persian["players"], persian["players_usual"], persian["jokers"]) == ([4], 4, 4)
    assert persian["differs"]
    for one in profiles:
        for house in one["house_rules"]:
            assert house["title"] == HOUSE_RULES[house["id"]].title
            assert house["id"] in ruleset(one["name"], house_rules=(house["id"],)).house_rules


def test_rules_endpoint_returns_the_sentences_of_the_rule_set(server: Running) -> None:
    with server.client() as client:
        sentences = client.get("/api/rules/Rummy 500", params={"house": "H1,H6", "players": 4}).json()
        expected = describe(ruleset("rummy-500", house_rules=("H1", "H6")), 4)
        assert [(one["heading"], one["text"], tuple(one["rules"])) for one in sentences] == [
            (one.heading, one.text, one.rules) for one in expected
        ]
        for path, status, code in (
            ("/api/rules/whist", 404, "profile.unknown"),
            ("/api/rules/rummy-500?house=H9", 422, "request.invalid"),
            ("/api/rules/rummy-500?players=x", 422, "request.invalid"),
            ("/api/rules/persian-rummy?players=3", 422, "rules.invalid"),
            ("/api/rules/500-rum?house=H1", 422, "rules.invalid"),
        ):
            answer = client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (status, code), path


def test_choices_have_the_reason_why_they_are_refused(server: Running) -> None:
    """H1, H3, H4, D5, D9: for what is chosen and what is not, and nothing that can never be."""
    with server.client() as client:

        def refused(path: str, **query: object) -> dict[str, str | None]:
            found = client.get(f"/api/choices/{path}", params=query).json()
            assert all(each["refused"] is None or each["refused"]["message"] for each in found)
            return {each["id"]: each["refused"] and each["refused"]["code"] for each in found}

        plain = dict.fromkeys(["H2", "H3", "H5", "H6", "jokers-1", "jokers-2", "blind-calls"])
        plain["blind-calls"] = "option.blind_claims_no_claim"
        assert refused("500-rum") == plain | {"H3": "option.h3_no_wild_jokers"}
        assert refused("500-rum", house="H6")["blind-calls"] is None
        with_two = plain | {"jokers-1": "option.variation_contradiction"}
        assert refused("500-rum", variations="jokers-2") == with_two
        assert refused("500-rum", variations="jokers-1", house="H3", players=4) == plain | {
            "H3": "option.h3_one_joker", "jokers-1": "option.h3_one_joker",
            "jokers-2": "option.variation_contradiction",
        }  # fmt: skip
        assert refused("500-rum", variations="jokers-1", players=6)["H3"] is None
        free = refused("rummy-500", house="H1", variations="free-upcard")
        assert (free["H1"], free["free-upcard"], free["H4"]) == (
            "option.upcard_free_top_must_meld", "option.upcard_free_top_must_meld", "option.h4_top_must_meld",
        )  # fmt: skip
        assert set(refused("persian-rummy")) == {"H2", "H5", "H6", "double-runs", "blind-calls"}
        assert "end-at-once" in refused("michigan-rum")
        assert client.get("/api/choices/whist").status_code == 404
        assert client.get("/api/choices/persian-rummy?players=3").status_code == 422


def test_rules_page_follows_the_options(server: Running) -> None:
    """D9, D11, D23, R-MATCH-1"""
    with server.client() as client:

        def texts(path: str, **query: object) -> list[str]:
            return [one["text"] for one in client.get(f"/api/rules/{path}", params=query).json()]

        assert "The first player to reach 300 points wins the match." in texts("500-rum", target=300)
        assert any(text.startswith("After five deals") for text in texts("500-rum", deals=5))
        assert any(text.startswith("A match is four deals long") for text in texts("persian-rummy", deals=4))
        assert any(
            "a run of exactly four" in text for text in texts("persian-rummy", variations="double-runs")
        )
        jokers = "To each pack two jokers are added, and they are wild."
        assert jokers in texts("500-rum", variations="jokers-2", house="H3")
        assert client.get("/api/rules/persian-rummy?target=300").status_code == 422


# --- tables -------------------------------------------------------------------------------------------


def test_a_table_is_made_and_shown_with_its_variations(server: Running) -> None:
    """D9, D11, D14, D23: in the lobby, at the table, in its replay's rules and in its record."""
    with server.guest("Ada") as ada, server.guest("Ben") as ben:
        chosen = {"house_rules": ["H3"], "variations": ["pips", "jokers-2"], "target": 300, "deals": 7}
        made = ada.table(profile="500-rummy", players=2, private=False, **chosen)
        row = ben.http.get(f"/api/tables/{made}").json()
        assert {key: row[key] for key in chosen} == chosen
        plain = ada.table(players=2)
        row = ada.http.get(f"/api/tables/{plain}").json()
        assert [row[key] for key in chosen] == [[], [], None, None]
        with ada.join(made) as seat:
            info = seat.sync["options"]
            assert info["variations"] == ["pips", "jokers-2"]
            assert (info["jokers"], info["joker_kind"], info["target"], info["max_deals"]) == (
                2,
                "wild",
                300,
                7,
            )
        persian = ada.table(profile="persian-rummy", players=4, deals=4, variations=["double-runs"])
        with ada.join(persian) as seat:
            info = seat.sync["options"]
            assert (info["deals"], info["max_deals"], info["doubles"]) == (4, 0, "melds")
        michigan = ada.table(profile="michigan-rum", variations=["end-at-once"])
        with ada.join(michigan) as seat:
            assert seat.sync["options"]["variations"] == ["end-at-once"]


def test_clock_of_days_is_shown_in_lists_and_at_the_table(server: Running) -> None:
    day = 86_400
    with server.guest("Ada") as ada, server.guest("Ben") as ben:
        daily, quick = ada.table(turn_s=2 * day), ada.table(turn_s=60)
        assert ben.http.get(f"/api/tables/{daily}").json()["turn_s"] == 2 * day
        begun = ada.table(turn_s=2 * day, start=True)
        mine = {one["table"]["id"]: one for one in ada.http.get("/api/tables/mine").json()}
        assert (mine[daily]["due"], mine[quick]["table"]["turn_s"]) == (None, 60)
        assert mine[begun]["due"] is None or mine[begun]["due"] >= mine[begun]["asked"]
        for table, expected in ((daily, (2 * day, 2 * day, 2 * day)), (quick, (60, 120, 8))):
            with ada.join(table) as seat:
                options = seat.sync["options"]
                assert (options["turn_s"], options["bank_s"], options["claim_s"]) == expected


def test_a_table_is_listed_unless_it_is_private(server: Running) -> None:
    with server.guest("Ada") as ada, server.guest("Ben") as ben:
        public, private = ada.table(players=4, bots=[None, "greedy"]), ada.table(private=True)
        with ada.join(public), ada.join(private):
            until(lambda: ben.http.get("/api/tables").json())
            listed = {row["id"]: row for row in ben.http.get("/api/tables").json()}
        assert public in listed and private not in listed
        row = listed[public]
        assert (row["people"], row["mine"], row["seats_free"], row["status"]) == (["Ada"], False, 2, "open")
        assert [(seat["kind"], seat["name"], seat["level"]) for seat in row["seats"][:2]] == [
            ("person", "Ada", None),
            ("bot", row["seats"][1]["name"], "greedy"),
        ]
        assert row["host"] == "Ada"
        assert {one["table"]["id"] for one in ada.http.get("/api/tables/mine").json()} == {public, private}
        assert ben.http.get("/api/tables/mine").json() == []
        seen = ben.http.get(f"/api/tables/{private}").json()
        assert (seen["id"], seen["private"], seen["profile"]) == (private, True, "500-rum")
        assert ben.http.get("/api/tables/none").json()["code"] == "table.unknown"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "request.invalid"),
        ({"profile": "whist"}, 404, "profile.unknown"),
        ({"profile": "500-rum", "colour": "red"}, 422, "request.invalid"),
        ({"profile": "500-rum", "players": 9}, 422, "request.invalid"),
        ({"profile": "500-rum", "house_rules": ["H1"]}, 422, "option.h1_already"),
        ({"profile": "500-rum", "variations": ["pips"]}, 422, "option.pips_already"),
        ({"profile": "rummy-500", "variations": ["jokers-2"]}, 422, "option.jokers_already"),
        ({"profile": "persian-rummy", "variations": ["jokers-1"]}, 422, "option.jokers_own_rank"),
        (
            {"profile": "500-rum", "variations": ["jokers-1", "jokers-2"]},
            422,
            "option.variation_contradiction",
        ),
        (
            {"profile": "500-rum", "variations": ["jokers-1"], "house_rules": ["H3"]},
            422,
            "option.h3_one_joker",
        ),
        ({"profile": "500-rum", "variations": ["jokers-9"]}, 422, "option.house_rules"),
        ({"profile": "500-rum", "variations": ["end-at-once"]}, 422, "option.at_once_not_counted"),
        ({"profile": "500-rum", "deals": 0}, 422, "request.invalid"),
        ({"profile": "500-rum", "turn_s": 604_801}, 422, "request.invalid"),
        (
            {
                "profile": "500-rum",
                "turn_s": 604_800,
                "house_rules": ["H6"],
                "variations": ["blind-calls"],
            },
            422,
            "option.blind_claims_days",
        ),
        ({"profile": "persian-rummy", "players": 3}, 422, "option.players"),
        ({"profile": "500-rum", "level": "genius"}, 422, "bot.unknown"),
        ({"profile": "500-rum", "players": 2, "bots": [None, "genius"]}, 422, "bot.unknown"),
        ({"profile": "500-rum", "players": 2, "bots": [None, "level11"]}, 422, "bot.unknown"),
        ({"profile": "500-rum", "players": 2, "bots": [None, None, "greedy"]}, 422, "option.bots"),
    ],
)
def test_impossible_table_is_refused_with_the_reason(
    server: Running, body: dict[str, object], status: int, code: str
) -> None:
    with server.guest() as ada:
        answer = ada.http.post("/api/tables", json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
        assert answer.json()["message"]


def test_bodies_are_json_small_and_from_our_own_pages(server: Running) -> None:
    with server.guest() as ada:

        def put(content: bytes, **headers: str) -> tuple[int, str]:
            answer = ada.http.put(
                "/api/me", content=content, headers={"content-type": "application/json"} | headers
            )
            return answer.status_code, answer.json()["code"]

        assert put(b"{") == (400, "request.json")
        assert put(b"\xff") == (400, "request.json")
        assert put(b'{"name": "Ada", "more": ' + b"[" * 3000 + b"]" * 3000 + b"}")[0] in (400, 422)
        assert put(b'{"name": ' + b"[" * 4000) == (422, "request.invalid")
        assert put(b"[" * 4000)[0] in (400, 422)
        assert put(b'{"name": 5}') == (422, "request.invalid")
        assert put(b'{"name": "Ada", "id": "x"}') == (422, "request.invalid")
        assert put(b'{"name": "' + b"x" * 9000 + b'"}') == (413, "request.large")
        assert put(b'{"name": "Ada"}', **{"content-type": "text/plain"}) == (415, "request.media")
        assert put(b'{"name": "Ada"}', origin="https://evil.example") == (403, "request.origin")
        assert put(b'{"name": "Ada"}', origin="null") == (403, "request.origin")
        assert put(b'{"name": "Ada"}', origin="http://[") == (403, "request.origin")
        own = {"origin": server.url, "content-type": "application/json; charset=utf-8"}
        assert ada.http.put("/api/me", content=b'{"name": "Ada"}', headers=own).status_code == 200
        with server.client() as stranger:
            assert stranger.put("/api/me", json={"name": "Ada"}).json()["code"] == "guest.unknown"
            assert stranger.post("/api/tables", json={"profile": "500-rum"}).status_code == 401


def test_an_invitation_is_a_picture_of_the_tables_address(server: Running) -> None:
    with server.guest() as ada:
        answer = ada.http.get(f"/api/tables/{ada.table()}/qr.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert ElementTree.fromstring(answer.content).tag == "{http://www.w3.org/2000/svg}svg"
        assert ada.http.get("/api/tables/none/qr.svg").status_code == 404


def test_a_deal_that_is_not_finished_has_no_replay_and_no_record(server: Running) -> None:
    with server.guest() as ada:
        table = ada.table(bots=[None, "greedy"], start=True)
        for path in (
            "deals/1",
            "deals/0",
            "deals/99999999999999999999",
            "deals/1.rum500",
            "deals/x",
            "deals/-1",
        ):
            answer = ada.http.get(f"/api/tables/{table}/{path}")
            assert (answer.status_code, answer.json()["code"]) == (404, "deal.unknown"), path


def test_a_finished_deal_can_be_seen_again_and_its_record_verifies(server: Running) -> None:
    ada = Person(server, "Ada")
    table = ada.new_table("500-rum", players=2, bots=[None, "greedy"], start=True)
    with ada.at(table) as seat:
        play_on([seat], lambda facts: bool(facts.get("scores")))
    with server.client() as anyone:
        replay = anyone.get(f"/api/tables/{table}/deals/1").json()
        assert (replay["table"], replay["deal"], replay["sheet"]["number"]) == (table, 1, 1)
        assert replay["names"][0] == "Ada"
        assert [len(hand) for hand in replay["frames"][0]["hands"]] == [13, 13]
        record = anyone.get(f"/api/tables/{table}/deals/1.rum500")
        assert record.headers["content-disposition"] == f'attachment; filename="500-rum-{table[:6]}-1.rum500"'
        match = anyone.get(f"/api/tables/{table}/record.rum500")
        for found in (record, match):
            assert found.headers["content-type"] == "text/plain; charset=utf-8"
            assert Record.from_text(found.text).verify() == []
        assert anyone.get(f"/api/tables/{table}/deals/2").json()["code"] == "deal.unknown"
        figures = anyone.get("/metrics").text
        moves = re.search(r"^rum500_move_seconds_count (\S+)", figures, re.MULTILINE)
        assert moves is not None
        assert float(moves[1]) > 0
