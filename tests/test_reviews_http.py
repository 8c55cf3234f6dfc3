"""Reviews over HTTP, on a real server: who may ask for what, the answers, and their sums in the history."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterator
from itertools import count
from typing import Any

import msgspec
import pytest

from rum500.record import Record
from rum500.review.deal_line import deal_line
from rum500.review.played_deal import PlayedDeal
from rum500.server.messages.review import Belief, DealReview, MatchReview, OpenHands
from tests.support.serving import Guest, Running
from tests.support.waiting import until
from tests.test_history import play

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("reviews"), review_budget="16", bot_workers=2) as running:
        yield running


@pytest.fixture(scope="module")
def ada(server: Running) -> Iterator[Guest]:
    with server.guest("Ada") as guest:
        yield guest


@pytest.fixture(scope="module")
def table(ada: Guest) -> str:
    """A finished match of Ada's against a bot."""
    table = ada.table(target=30, bots=[None, "club"], start=True)
    with ada.join(table) as talk:
        play(talk, random.Random(3))
    return table


@pytest.fixture(scope="module")
def cleo(server: Running) -> Iterator[Guest]:
    with server.guest("Cleo") as guest:
        yield guest


@pytest.fixture(scope="module")
def judged(server: Running, cleo: Guest) -> str:
    """A finished match of Cleo's against a bot, all decisions judged, one at least a mistake of Cleo's.

    Few worlds show a mistake in one match of twenty, so the first seed is one that does.
    """
    services = server.application._tables.services
    for seed in count(31):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(services, "entropy", random.Random(seed).randbytes)
            table = cleo.table(target=30, bots=[None, "club"], start=True)
            with cleo.join(table) as talk:
                play(talk, random.Random(3))
        match = f"/api/tables/{table}"
        until(lambda: all(one["breakdown"] == "done" for one in fetched(cleo, f"{match}/review")["deals"]))  # noqa: B023
        assert cleo.http.post(f"{match}/review", json={}).status_code == 200
        review = fetched(cleo, f"{match}/review")
        verdicts = [
            verdict for one in review["deals"] for verdict in all_judged(cleo, f"{match}/deals/{one['deal']}")
        ]
        if {(review["you"], mark) for mark in ("mistake", "blunder")} & {
            (one["seat"], one["mark"]) for one in verdicts
        }:
            until(lambda: fetched(cleo, "/api/mistakes?zone=UTC")["next"])
            return table
    raise AssertionError  # unreachable: count() does not end


def fetched(guest: Guest, path: str) -> dict[str, Any]:
    answer = guest.http.get(path)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def all_judged(guest: Guest, path: str) -> list[dict[str, Any]]:
    """The verdicts of a deal that was asked for, fetched as the page does."""
    verdicts: list[dict[str, Any]] = []

    def done() -> bool:
        review = fetched(guest, f"{path}/review?after={len(verdicts)}")
        assert review["since"] == len(verdicts)
        verdicts.extend(review["verdicts"])
        return review["state"]["marks"] == "done"

    until(done)
    return verdicts


def test_one_request_judges_all_deals_of_a_match(server: Running, ada: Guest, table: str):
    match = f"/api/tables/{table}"
    until(lambda: all(one["breakdown"] == "done" for one in fetched(ada, f"{match}/review")["deals"]))
    before = fetched(ada, f"{match}/review")
    assert [one["marks"] for one in before["deals"]] == ["none"] * len(before["deals"])
    assert fetched(ada, "/api/history?reviewed=false")["total"] == 1
    assert ada.http.post(f"{match}/review", json={}).status_code == 200
    last = before["deals"][-1]["deal"]
    for one in before["deals"]:
        verdicts = all_judged(ada, f"{match}/deals/{one['deal']}")
        assert len(verdicts) == one["decisions"] == len({each["step"] for each in verdicts})
        own = [each["seat"] for each in verdicts]
        assert own == sorted(
            own, key=lambda seat: seat != fetched(ada, f"{match}/deals/{last}/review")["you"]
        )
    review = fetched(ada, f"{match}/review")
    mine = next(one for one in review["seats"] if one["seat"] == review["you"])
    parts = ("cards", "own_play", "other_play", "unexplained")
    assert sum(mine[part] for part in parts) == pytest.approx(mine["margin"])
    assert mine["tally"]["counted"] > 0
    marked = sum(mine["tally"][mark] for mark in ("doubtful", "mistakes", "blunders"))
    assert (review["worst"] is None) == (marked == 0)
    until(
        lambda: fetched(ada, "/api/history?reviewed=true")["total"] == 1
    )  # what was judged is stored at the end
    (row,) = fetched(ada, "/api/history?reviewed=true")["rows"]
    assert (row["table"], row["review"]["marks"], row["review"]["tally"]) == (table, "done", mine["tally"])
    assert row["review"]["a_deal"] == pytest.approx(mine["own_play"] / len(before["deals"]), abs=0.01)
    assert fetched(ada, "/api/history?reviewed=false")["total"] == 0
    with server.guest("Ben") as ben:
        seen = fetched(ben, f"{match}/deals/{last}/review")
        assert (seen["you"], len(seen["verdicts"])) == (None, review["deals"][-1]["decisions"])
        assert fetched(ben, f"{match}/review")["worst"] is None
    with server.client() as client:
        metrics = client.get("/metrics").text
    assert 'rum500_reviews_total{kind="verdict"}' in metrics
    assert "rum500_reviews_waiting 0.0" in metrics


def test_deal_is_on_one_line_as_in_the_record(ada: Guest, table: str) -> None:
    """The server, the library and `rum500 analyse` have the same numbers."""
    deal = f"/api/tables/{table}/deals/1"
    until(lambda: fetched(ada, f"{deal}/review")["state"]["breakdown"] == "done")
    review = fetched(ada, f"{deal}/review")
    breakdown, you = review["breakdown"], review["you"]
    line = breakdown["seats"][you]["line"]
    assert line["cards"] + line["play"] == line["you"] - line["average"]
    assert breakdown["seats"][1 - you]["line"] is None  # a bot's
    assert breakdown["company"][1 - you] == {"kind": "club", "known": "bot", "level": "club"}
    record = Record.from_text(ada.http.get(f"{deal}.rum500").text)
    kinds = [one["kind"] for one in breakdown["company"]]
    assert deal_line(PlayedDeal.of(record, 1), you, kinds).as_dict() == line | {"seat": you}
    for chances in breakdown["match"].values():
        assert sum(chances) == 100


def test_a_decision_is_looked_at_by_belief_and_with_open_hands(cleo: Guest, judged: str):
    deal = f"/api/tables/{judged}/deals/1"
    replay, review = fetched(cleo, deal), fetched(cleo, f"{deal}/review")
    verdict = review["verdicts"][0]
    step, seat = verdict["step"], verdict["seat"]
    hands = replay["frames"][verdict["frame"] - 1]["hands"]
    belief = fetched(cleo, f"{deal}/belief/{step}")
    assert belief["seat"] == seat
    (other,) = belief["hands"]
    held = [card for card, count in zip(belief["cards"], other["held"], strict=True) for _ in range(count)]
    assert sorted(held) == sorted(hands[1 - seat])
    seen = dict(zip(belief["cards"], belief["elsewhere"], strict=True))
    assert all(seen[card] for card in hands[seat])
    assert fetched(cleo, f"{deal}/belief/{step}?seat={1 - seat}")["seat"] == 1 - seat
    opened = fetched(cleo, f"{deal}/open/{step}")
    assert (opened["seat"], opened["judge"]["name"]) == (seat, "open")
    assert opened["candidates"][0]["play"] == verdict["played"]
    assert opened["candidates"][0]["points"] == 0
    assert fetched(cleo, f"{deal}/open/{step}") == opened
    chances = [point["chances"] for point in review["breakdown"]["course"]]
    assert all(sum(one) == pytest.approx(1, abs=0.01) for one in chances)
    assert {0.0, 1.0} == set(chances[-1]) or len(fetched(cleo, f"/api/tables/{judged}/review")["deals"]) > 1
    judged_steps = {one["step"] for one in review["verdicts"]}
    forced = next(step for step in range(1, max(judged_steps)) if step not in judged_steps)
    for path in (f"{deal}/belief/9000", f"{deal}/open/9000", f"{deal}/open/{forced}"):
        answer = cleo.http.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "review.step")
    for answer in (
        cleo.http.get(f"{deal}/belief/{step}?seat=5"),
        cleo.http.post(f"{deal}/review", json={"seat": 2}),
        cleo.http.post(f"/api/tables/{judged}/review", json={"seat": 2}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "table.no_seat")
        assert answer.json()["message"] == "there is no such seat: this table has 2 seats"


def test_deal_in_progress_has_no_review(ada: Guest):
    table = ada.table(target=2000, bots=[None, "club"], start=True)
    with ada.join(table) as talk:
        play(talk, random.Random(2), once=True)
        deal = f"/api/tables/{table}/deals/1"
        for path in (f"{deal}/review", f"{deal}/belief/1", f"{deal}/open/1"):
            answer = ada.http.get(path)
            assert (answer.status_code, answer.json()["code"]) == (409, "review.playing")
            assert set(answer.json()) == {"code", "message"}
        assert ada.http.post(f"{deal}/review", json={}).json()["code"] == "review.playing"
        match = fetched(ada, f"/api/tables/{table}/review")
        assert (match["deals"], match["seats"], match["judge"]) == ([], [], None)
    for path in (f"/api/tables/{table}/deals/7/review", "/api/tables/nowhere/review"):
        assert ada.http.get(path).status_code == 404


def test_request_for_review_without_cookie_is_refused(table: str, server: Running):
    with server.client() as nobody:
        refused = nobody.post(f"/api/tables/{table}/review", json={})
        assert (refused.status_code, refused.json()["code"]) == (401, "guest.unknown")
        assert nobody.get(f"/api/tables/{table}/review").status_code == 200


def test_answers_have_the_types_of_the_protocol(cleo: Guest, judged: str):
    deal = f"/api/tables/{judged}/deals/1"
    review = msgspec.json.decode(cleo.http.get(f"{deal}/review").content, type=DealReview, strict=True)
    step = review.verdicts[0].step
    for path, kind in (
        (f"/api/tables/{judged}/review", MatchReview),
        (f"{deal}/belief/{step}", Belief),
        (f"{deal}/open/{step}", OpenHands),
    ):
        msgspec.json.decode(cleo.http.get(path).content, type=kind, strict=True)


def test_mistakes_come_back_over_http_and_are_among_the_exported_files(cleo: Guest, judged: str):
    today = fetched(cleo, "/api/mistakes?zone=Europe/Berlin")
    name, position = today["next"]["name"], today["next"]["position"]
    assert name["table"] == judged
    assert (today["done"], today["left"]) == (0, min(20, today["waiting"]))
    verdicts = fetched(cleo, f"/api/tables/{judged}/deals/{name['deal']}/review")["verdicts"]
    verdict = next(one for one in verdicts if one["step"] == name["step"])
    assert (position["you"]["seat"], position["shared"]["hands"]) == (verdict["seat"], None)
    asked = {**name, "question": {"about": "turn"}}
    advice = cleo.http.post("/api/mistakes/ask", json=asked).json()
    assert sorted(card for group in advice["groups"] for card in group["cards"]) == sorted(
        position["you"]["hand"]
    )
    hint = cleo.http.post("/api/mistakes/hint", json=name).json()
    assert (hint["played"], hint["best"]) == (verdict["played"], verdict["best"]["kind"])
    answer = {**name, "seconds": 3, "zone": "Europe/Berlin"}
    refused = cleo.http.post("/api/mistakes/answer", json={**answer, "play": "discard JK"})
    assert (refused.status_code, set(refused.json()) >= {"code", "message"}) == (422, True)
    result = cleo.http.post("/api/mistakes/answer", json={**answer, "play": verdict["best"]["text"]}).json()
    assert (result["right"], result["rating"], result["then"]) == (True, "hard", verdict)
    again = cleo.http.post("/api/mistakes/answer", json={**answer, "play": verdict["best"]["text"]})
    assert (again.status_code, again.json()["code"]) == (409, "mistake.answered")
    with zipfile.ZipFile(io.BytesIO(cleo.http.get("/api/history.zip").content)) as file:
        (kept,) = [one for one in msgspec.json.decode(file.read("mistakes.json")) if one["answers"]]
    assert (kept["step"], kept["right"], kept["best"]) == (name["step"], 1, verdict["best"]["text"])
    assert "stock" in " ".join(kept["position"])


def test_a_drill_follows_from_its_seed_and_its_answers_are_judged(ada: Guest):
    def asked(kind: str, number: int = 1) -> dict[str, Any]:
        return fetched(ada, f"/api/drills/{kind}/500-rum/2/7/{number}")

    def answered(question: dict[str, Any], **answer: Any) -> dict[str, Any]:
        answer_sent = ada.http.post("/api/drills/answer", json=question["place"] | answer)
        assert answer_sent.status_code == 200, answer_sent.text
        found: dict[str, Any] = answer_sent.json()
        return found

    question = asked("draw")
    assert question == asked("draw")
    assert question != asked("draw", 2)
    you, plays = question["position"]["you"], question["position"]["you"]["plays"]
    assert (question["of"], len(you["takes"]) > 0) == (10, True)
    found = [answered(question, play=play) for play in (plays["draw"], *you["takes"].values())]
    best = min(found, key=lambda one: one["loss"])
    assert best["score"] == 100
    assert all(0 <= one["score"] <= 100 and one["verdict"]["loss"] == one["loss"] for one in found)
    advice = ada.http.post("/api/drills/ask", json=question["place"] | {"question": {"about": "turn"}}).json()
    assert advice["groups"]
    question = asked("count")
    assert all(card["points"] == 0 for line in question["count"]["lines"] for card in line["cards"])
    right = answered(question, points=0)["points"]
    assert [answered(question, points=right + off)["score"] for off in (0, 5)] == [100, 0]
    assert sum(line["points"] for line in answered(question, points=0)["lines"]) == right
    question = asked("who")
    holders = question["who"]["holders"]
    assert holders == [1 - question["position"]["you"]["seat"], None]
    chances = answered(question, weights=[1, 1])["chances"]
    good = answered(question, weights=[round(100 * one) for one in chances])
    assert (good["score"] >= 95, sum(chances)) == (True, pytest.approx(1, abs=0.001))
    for sent, code, status in (
        ({"weights": [1]}, "drill.answer", 409),
        ({"profile": "no"}, "profile.unknown", 404),
        ({"players": 8, "profile": "persian-rummy"}, "rules.invalid", 422),
        ({"kind": "draw", "play": "meld"}, "notation.", 422),
    ):
        refused = ada.http.post("/api/drills/answer", json=question["place"] | sent)
        assert (refused.status_code, refused.json()["code"].startswith(code)) == (status, True), refused.text


def test_a_decision_is_tried_again_by_one_request(server: Running, ada: Guest, table: str):
    deals = f"/api/tables/{table}/deals"
    until(lambda: fetched(ada, f"{deals}/1/review")["state"]["decisions"] > 0)
    wanted = {
        "frame": fetched(ada, f"{deals}/1/review")["breakdown"]["draws"][0]["frame"] - 1,
        "redealt": False,
    }
    before = fetched(ada, "/api/history")["total"]
    made = ada.http.post(f"{deals}/1/try", json=wanted)
    assert (made.status_code, list(made.json())) == (201, ["id"])
    again = made.json()["id"]
    assert again != table
    with ada.join(again) as talk:
        tried = talk.sync["options"]["tried"]
    assert (tried["table"], tried["deal"], tried["frame"], tried["redealt"]) == (
        table,
        1,
        wanted["frame"],
        False,
    )
    assert ada.http.get(f"/api/tables/{again}/deals/1/replay").status_code == 404, "it is being played"
    for path, body, status, code in (
        (f"{deals}/99/try", wanted, 404, "deal.unknown"),
        ("/api/tables/none/deals/1/try", wanted, 404, "table.unknown"),
        (f"{deals}/1/try", wanted | {"frame": 9_999}, 404, "review.step"),
        (f"{deals}/1/try", {"frame": -1}, 422, "request.invalid"),
        (f"{deals}/1/try", wanted | {"seat": 1}, 422, "request.invalid"),
    ):
        refused = ada.http.post(path, json=body)
        assert (refused.status_code, refused.json()["code"]) == (status, code), path
    assert fetched(ada, "/api/history")["total"] == before
