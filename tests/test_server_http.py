"""The lobby over HTTP, on a real server: guests, games, tables, the page."""

from __future__ import annotations

import gzip
import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rum500.record import Record
from rum500.rules.options import HOUSE_RULES
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.sentences import describe
from rum500.server.guests import BadName, Cookies, tidy_name, usual_name
from rum500.server.security import POLICY
from rum500.store import DATABASE, StoreError
from tests.support.live_server import Guest as Person
from tests.support.live_server import play_on
from tests.support.serving import Running
from tests.support.storing import file_system, may_mount

HTML = {"accept": "text/html,application/xhtml+xml"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("http") / "data"
    page = data / "page"
    (page / "assets").mkdir(parents=True)
    script = b"console.log('rum500');" * 50
    (page / "index.html").write_bytes(b"<!doctype html><title>rum500</title>")
    (page / "assets" / "app-1a2b.js").write_bytes(script)
    (page / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(script))
    (page / "assets" / "app-1a2b.js.br").write_bytes(b"not really brotli")
    (page / "sw.js").write_bytes(b"// none")
    (page / "manifest.webmanifest").write_bytes(b"{}")
    with Running(data) as running:
        yield running


# --- guests -------------------------------------------------------------------------------------------


def test_a_stranger_becomes_a_guest_and_stays_one(server: Running) -> None:
    with server.client() as client:
        answer = client.get("/api/me")
        told = answer.headers["set-cookie"]
        assert "HttpOnly" in told and "SameSite=Lax" in told and "Path=/" in told and "Secure" not in told
        me = answer.json()
        assert me["name"] == usual_name(me["id"])
        assert me["levels"][0] == "random" and "greedy" in me["levels"]
        assert client.get("/api/me").json() == me
    with server.client() as other:
        assert other.get("/api/me").json()["id"] != me["id"]


def test_whoever_opens_the_page_is_one_guest_whatever_it_asks_at_once(server: Running) -> None:
    with server.client() as browser:
        tag = browser.get("/", headers=HTML).headers["etag"]
        with ThreadPoolExecutor(8) as threads:
            mine = {me.json()["id"] for me in threads.map(lambda _: browser.get("/api/me"), range(8))}
        assert len(mine) == 1
        assert "set-cookie" not in browser.get("/t/some", headers=HTML).headers
    with server.client() as again:  # the page is still known, the guest no more
        kept = again.get("/", headers=HTML | {"if-none-match": tag})
        assert (kept.status_code, again.get("/api/me").json()["id"] in mine) == (304, False)
        assert kept.headers["set-cookie"].startswith("rum500=")


@pytest.mark.parametrize(
    ("path", "accept"), [("/", "*/*"), ("/sw.js", "text/html"), ("/assets/app-1a2b.js", "text/html")]
)
def test_only_the_page_itself_brings_a_cookie(server: Running, path: str, accept: str) -> None:
    with server.client() as client:
        answer = client.get(path, headers={"accept": accept})
        assert (answer.status_code, "set-cookie" in answer.headers) == (200, False)


def test_a_name_is_kept_and_a_bad_one_refused(server: Running) -> None:
    with server.guest("  Ada \u00a0 Lovelace ") as ada:
        assert ada.me["name"] == "Ada Lovelace"
        for bad in ("", "   ", "x" * 25, "a:b", "a\u202eb", "a\nb{", "<b>"):
            answer = ada.http.put("/api/me", json={"name": bad})
            assert (answer.status_code, answer.json()["code"]) == (422, "guest.name"), bad
        assert ada.http.get("/api/me").json()["name"] == "Ada Lovelace"


@pytest.mark.parametrize(
    "name",
    [
        "José",
        "Zoë 🃏",
        "آرش",
        "می\u200cخواهم",
        "李雷",
        "O'Neil",
        "👩\u200d🚀",
        "Nguyễn",
        "שָׁלוֹם",
        "प्रिया",
        "1️⃣",
    ],
)
def test_names_of_all_scripts_are_names(name: str) -> None:
    assert tidy_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("name", "tidied"),
    [
        ("Ａｄａ", "Ada"),
        ("ﬁona", "fiona"),
        ("𝐀𝐝𝐚", "Ada"),
        ("Ada\u00a0L", "Ada L"),
        ("Jose\u0301", "José"),
        ("ﻋﻠﻲ", "علي"),
    ],
)
def test_a_name_has_one_form(name: str, tidied: str) -> None:
    assert tidy_name(name) == tidied


@pytest.mark.parametrize(
    "name",
    [
        *("\u200b", "a\u0000b", "a\u202eb", 'a"b', "a|b", "x" * 25, "ﷺﷺ", "a：b"),
        *("\u200d", "\u200c\u200d", "Ada\u200d", "\u200dAda", "A\u200d\u200dda"),
        *("\u3164", "\uffa0", "\u115f\u1160", "\u2800", "A\u034fda", "\u00ad"),
        *("\u0301", "Ada \u0301", "Z\u0489\u0489\u0489", "Z" + "\u0335\u0336\u0337", "a" + "\u0316" * 20),
    ],
)
def test_what_cannot_be_seen_or_written_is_no_name(name: str) -> None:
    with pytest.raises(BadName):
        tidy_name(name)


def test_a_forged_cookie_is_no_cookie(server: Running) -> None:
    with server.guest("Ada") as ada:
        ours, other = Cookies(b"k" * 64), Cookies(b"o" * 64)
        cookie = ours.new()
        assert ours.read(ours.header(cookie, secure=True).partition(";")[0]) == cookie
        assert other.read(ours.header(cookie, secure=False).partition(";")[0]) is None
        last = "A" if ada.me["id"].endswith("_") else "_"
        for forged in (
            ada.cookie.replace(ada.me["id"], ada.me["id"][:-1] + last),
            ada.cookie[:-4] + 'AAA"',
            "rum500=",
            'rum500=":1.x"',
            "rum500=\xff\xfe;;;=",
        ):
            with server.client() as client:
                answer = client.get("/api/me", headers={"cookie": forged.encode("latin-1")})
                assert answer.json()["id"] != ada.me["id"]
                assert (
                    client.get("/api/tables/mine", headers={"cookie": forged.encode("latin-1")}).status_code
                    == 401
                )


@pytest.mark.parametrize("other", ["a[b]=1", 'likes={"a":1}', "x=\u00e9", "foo", 'q="'])
def test_cookies_of_other_programs_do_not_hide_ours(other: str) -> None:
    """Every port of 127.0.0.1 is sent the cookies of all."""
    cookies = Cookies(b"k" * 64)
    ours = cookies.new()
    told = cookies.header(ours, secure=False).partition(";")[0]
    assert cookies.read(f"{other}; {told}") == cookies.read(f"{told}; {other}") == ours


def test_guests_and_tables_are_still_there_after_a_restart(tmp_path: Path) -> None:
    with Running(tmp_path) as first, first.guest("Ada") as ada:
        cookie, table = ada.cookie, ada.table(private=True)
    with Running(tmp_path) as second, second.client(headers={"cookie": cookie}) as client:
        assert client.get("/api/me").json()["name"] == "Ada"
        assert [row["table"]["id"] for row in client.get("/api/tables/mine").json()] == [table]
    if os.name == "posix":
        modes = {
            path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir() if path.is_file()
        }
        assert modes["secret.key"] == modes[DATABASE] == 0o600


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


def test_rules_are_told_as_the_rule_set_tells_them(server: Running) -> None:
    with server.client() as client:
        told = client.get("/api/rules/Rummy 500", params={"house": "H1,H6", "players": 4}).json()
        expected = describe(ruleset("rummy-500", house_rules=("H1", "H6")), 4)
        assert [(one["heading"], one["text"], tuple(one["rules"])) for one in told] == [
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


def test_choices_say_why_they_do_not_go_together(server: Running) -> None:
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


def test_rules_are_told_with_what_is_chosen(server: Running) -> None:
    """D9, D11, D23, R-MATCH-1"""
    with server.client() as client:

        def told(path: str, **query: object) -> list[str]:
            return [one["text"] for one in client.get(f"/api/rules/{path}", params=query).json()]

        assert "The first player to reach 300 points wins the match." in told("500-rum", target=300)
        assert any(text.startswith("After five deals") for text in told("500-rum", deals=5))
        assert any(text.startswith("A match is four deals long") for text in told("persian-rummy", deals=4))
        assert any(
            "a run of exactly four" in text for text in told("persian-rummy", variations="double-runs")
        )
        jokers = "To each pack two jokers are added, and they are wild."
        assert jokers in told("500-rum", variations="jokers-2", house="H3")
        assert client.get("/api/rules/persian-rummy?target=300").status_code == 422


# --- tables -------------------------------------------------------------------------------------------


def test_a_table_is_made_and_shown_with_its_variations(server: Running) -> None:
    """D9, D11, D14, D23: in the lobby, at the table, in its replay's rules and in its record."""
    with server.guest("Ada") as ada, server.guest("Ben") as ben:
        chosen = {"house_rules": ["H3"], "variations": ["pips", "jokers-2"], "target": 300, "deals": 7}
        made = ada.table(profile="500-rummy", players=2, private=False, **chosen)
        row = next(one for one in ben.http.get("/api/tables").json() if one["id"] == made)
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


def test_a_clock_of_days_is_told_in_the_lists_and_at_the_table(server: Running) -> None:
    day = 86_400
    with server.guest("Ada") as ada, server.guest("Ben") as ben:
        daily, quick = ada.table(turn_s=2 * day), ada.table(turn_s=60)
        assert ben.http.get(f"/api/tables/{daily}").json()["turn_s"] == 2 * day
        begun = ada.table(turn_s=2 * day, start=True)
        mine = {one["table"]["id"]: one for one in ada.http.get("/api/tables/mine").json()}
        assert (mine[daily]["due"], mine[quick]["table"]["turn_s"]) == (None, 60)
        assert mine[begun]["due"] is None or mine[begun]["due"] >= mine[begun]["asked"]
        for table, told in ((daily, (2 * day, 2 * day, 2 * day)), (quick, (60, 120, 8))):
            with ada.join(table) as seat:
                options = seat.sync["options"]
                assert (options["turn_s"], options["bank_s"], options["claim_s"]) == told


def test_a_table_is_listed_unless_it_is_private(server: Running) -> None:
    with server.guest("Ada") as ada, server.guest("Ben") as ben:
        public, private = ada.table(players=4, bots=[None, "greedy"]), ada.table(private=True)
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
        ({"profile": "500-rum", "players": 2, "bots": [None, None, "greedy"]}, 422, "option.bots"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(
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


# --- the page -----------------------------------------------------------------------------------------


def test_the_page_is_served_at_all_its_addresses(server: Running) -> None:
    with server.client(headers=HTML) as client:
        for path in (
            "/",
            "/new",
            "/t/abc",
            "/t/abc/deal/2",
            "/rules",
            "/rules/500-rum",
            "/guide",
            "/settings",
            "/tips",
            "/about",
        ):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["content-type"]) == (
                200,
                "text/html; charset=utf-8",
            ), path
            assert answer.headers["cache-control"] == "private, no-cache"
        lost = client.get("/nowhere")
        assert (lost.status_code, lost.text) == (404, client.get("/").text)
        for path in (
            "/assets/none.js",
            "/api/none",
            "/ws/none",
            "/../pyproject.toml",
            "/secret.key",
            "/%2e%2e/x.py",
        ):
            answer = client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, "request.path"), path
        assert client.request("POST", "/").status_code == 405


def test_files_come_compressed_and_are_kept(server: Running) -> None:
    path = "/assets/app-1a2b.js"
    with server.client() as client:
        plain = client.get(path, headers={"accept-encoding": "identity"})
        assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
        assert "content-encoding" not in plain.headers
        packed = client.get(path, headers={"accept-encoding": "gzip, br;q=0"})
        assert (packed.headers["content-encoding"], packed.content) == ("gzip", plain.content)
        with client.stream("GET", path, headers={"accept-encoding": "gzip, br"}) as raw:
            assert raw.headers["content-encoding"] == "br"
            assert b"".join(raw.iter_raw()) == b"not really brotli"
        again = client.get(path, headers={"if-none-match": plain.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert client.get("/sw.js").headers["cache-control"] == "no-cache"
        assert client.get("/manifest.webmanifest").headers["content-type"] == "application/manifest+json"
        bare = client.head(path, headers={"accept-encoding": "identity"})
        assert (bare.headers["content-length"], bare.content) == (plain.headers["content-length"], b"")


def test_a_new_build_is_served_without_a_restart_and_none_at_all_says_so(tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.client() as client:
        missing = client.get("/")
        assert missing.status_code == 503
        assert "make page" in missing.text
        (tmp_path / "page").mkdir()
        (tmp_path / "page" / "index.html").write_text("built")
        assert client.get("/").text == "built"


def test_every_answer_has_the_security_headers(server: Running) -> None:
    with server.client() as client:
        for path in ("/", "/assets/app-1a2b.js", "/api/me", "/api/none", "/healthz", "/api/rules/whist"):
            headers = client.get(path).headers
            assert headers["content-security-policy"] == POLICY, path
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cross-origin-opener-policy"] == "same-origin"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert "server" not in headers


def test_the_policy_lets_nothing_in_but_what_this_server_sends() -> None:
    allowed = {name: set(sources) for name, *sources in map(str.split, POLICY.split("; "))}
    assert allowed.pop("img-src") == {"'self'", "data:", "blob:"}
    nothing = {"default-src", "base-uri", "form-action", "frame-ancestors"}
    assert {name for name, sources in allowed.items() if sources == {"'none'"}} == nothing
    assert {name for name, sources in allowed.items() if sources == {"'self'"}} == allowed.keys() - nothing
    assert {"script-src", "style-src", "connect-src"} <= allowed.keys() - nothing


# --- how it is doing ----------------------------------------------------------------------------------


def test_health_and_figures(server: Running) -> None:
    with server.guest() as ada:
        table = ada.table(bots=[None, "greedy"], start=True)
        socket = ada.join(table)
        health = ada.http.get("/healthz")
        assert (health.status_code, health.json()["status"], health.json()["store"]) == (200, "ok", "ok")
        figures = ada.http.get("/metrics").text
        for name in (
            "rum500_connections 1.0",
            "rum500_tables ",
            "rum500_commit_entries_count",
            "rum500_move_seconds",
        ):
            assert name in figures, name
        assert "rum500_loop_lag_max_seconds" in figures
        assert ada.http.get("/metrics", headers={"x-forwarded-for": "192.0.2.1"}).status_code == 404
        socket.close()


def test_the_figures_that_the_hosting_page_speaks_of_are_there(server: Running) -> None:
    page = (Path(__file__).parent.parent / "docs" / "hosting.md").read_text()
    named = set(re.findall(r"`(rum500_\w+)`", page))
    assert len(named) >= 6
    with server.guest() as ada, ada.join(ada.table()) as talk:
        assert talk.ask("resign")["type"] == "refused"
        figures = ada.http.get("/metrics").text
    types = dict(re.findall(r"^# TYPE (\w+) (\w+)$", figures, re.MULTILINE))
    assert named <= types.keys()
    assert re.search(r'^rum500_refused_total\{code="table.not_begun"\} [1-9]', figures, re.MULTILINE)


def test_figures_can_be_kept_to_oneself(tmp_path: Path) -> None:
    with Running(tmp_path, metrics="off") as server, server.client() as client:
        assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize("metrics", ["local", "off"])
def test_figures_are_given_to_whoever_has_the_token(tmp_path: Path, metrics: str) -> None:
    token = "only-prometheus-knows"
    with Running(tmp_path, metrics=metrics, metrics_token=token) as server, server.client() as client:

        def asked(authorization: str | None) -> int:
            headers = {"x-forwarded-for": b"192.0.2.1"}
            if authorization is not None:
                headers["authorization"] = authorization.encode("latin-1")
            return client.get("/metrics", headers=headers).status_code

        assert asked(None) == 404
        for wrong in (
            token,
            "Bearer",
            f"Bearer {token[:-1]}",
            f"Bearer {token}x",
            f"Basic {token}",
            "Bearer ä",
        ):
            assert asked(wrong) == 401, wrong
        assert (asked(f"Bearer {token}"), asked(f"bearer  {token}")) == (200, 200)
        assert client.get("/metrics").status_code == (200 if metrics == "local" else 404)
    with Running(tmp_path, metrics=metrics) as server, server.client() as client:
        answer = client.get("/metrics", headers={"authorization": "Bearer", "x-forwarded-for": "192.0.2.1"})
        assert answer.status_code == 404


needs_mount = pytest.mark.skipif(not may_mount(), reason="mounting a small disk needs root")


@needs_mount
def test_a_read_only_database_is_one_clear_line(tmp_path: Path) -> None:
    with file_system(tmp_path / "disk", "8m") as remount:
        with Running(tmp_path / "disk"):
            pass
        remount("ro")
        with pytest.raises(StoreError, match="may not be written") as caught, Running(tmp_path / "disk"):
            pass
    assert caught.value.code == "store.readonly"
    assert "\n" not in str(caught.value)
