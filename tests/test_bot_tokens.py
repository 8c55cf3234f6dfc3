"""External bots at live tables: each needs a token, plays one seat, and is marked for everybody."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.protocol import State
from websockets.sync.client import ClientConnection, connect

from rum500 import deal, ruleset
from rum500.cli import _seat_player, main
from rum500.cli._seat_player import SeatClosed, play_seat
from rum500.rng import Rng
from rum500.server.live.log.seats import EXTERNAL_BOT_PREFIX, TableSeat
from rum500.server.live.log.table_state import TableState
from rum500.server.live.turn.tokens import seat_lent
from rum500.server.messages.field_types import PROTOCOL
from rum500.server.messages.table_error import TableError
from rum500.view import View
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.processes import started
from tests.support.waiting import PATIENCE, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("server"), "--bot-pause-ms", "0") as running:
        yield running


def lend(guest: Guest, table: str, seat: int, name: str = "Robi") -> str:
    return str(guest.call("POST", f"/api/tables/{table}/bots", {"seat": seat, "name": name})["token"])


def refused(guest: Guest, path: str, body: dict[str, Any]) -> str:
    with pytest.raises(urllib.error.HTTPError) as error:
        guest.call("POST", path, body)
    return str(json.loads(error.value.read())["code"])


def joining(
    server: LiveServer, table: str, token: str, bot: str = "greedy"
) -> AbstractContextManager[subprocess.Popen[str]]:
    """A bot that plays a seat."""
    command = [sys.executable, "-m", "rum500", "bot", "join", f"{server.url}/t/{table}", token, bot]
    return started(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def socket(server: LiveServer, table: str, token: str) -> Any:
    return connect(
        f"ws://127.0.0.1:{server.port}/ws/{table}", subprotocols=[PROTOCOL],
        additional_headers={"Authorization": f"Bearer {token}"}, compression=None,
    )  # fmt: skip


def said(bot: Any, kind: str, **fields: Any) -> dict[str, Any]:
    """Return the answer to a message of an external bot."""
    bot.send(json.dumps({"type": kind, "id": kind, **fields}))
    while True:
        received: dict[str, Any] = json.loads(bot.recv(timeout=PATIENCE))
        if received.get("re") == kind:
            return received


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("profile", "players", "house"),
    [("500-rum", 2, ["H6"]), ("persian-rummy", 4, ["H5"]), ("michigan-rum", 3, ["H2", "H5"])],
)
def test_a_bot_from_outside_plays_a_match_to_its_end(
    server: LiveServer, profile: str, players: int, house: list[str]
):
    ann = Guest(server, "Ann")
    table = ann.new_table(profile, players=players, house_rules=house, **_short(profile))
    token = lend(ann, table, 1)
    with ann.at(table) as here:
        plate = here.facts["seats"][1]
        assert (plate["kind"], plate["name"], plate["robot"]) == ("person", "Robi", True)
        with joining(server, table, token) as bot:
            here.sees(lambda facts: facts["seats"][1]["here"])
            here.say("start")
            play_on([here], lambda facts: facts["status"] == "over")
            printed, _ = bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 0, printed
    assert "Waiting for the host to begin the match\n" in printed
    assert "The match is over" in printed and "refused" not in printed and "failed" not in printed, printed


@pytest.mark.parametrize(
    "words",
    [
        *depth([], [("greedy", "--against", "random", "--target", "60")]),
        ("club", "--profile", "persian", "--against", "random,greedy", "--house-rules", "H5"),
        *depth([], [("greedy", "--players", "3", "--deals", "1", "--variations", "jokers-2")]),
    ],
)
def test_a_bot_has_a_table_made_in_one_line(
    server: LiveServer, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
):
    assert main(["bot", "host", server.url, *words, "--private"]) == 0
    first, here, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"The table is {server.url}/t/")
    assert here == f"{words[0]} is at {first.removeprefix('The table is ')}"
    assert re.fullmatch(
        r"The match is over \(\w+\): (.+ won|nobody won); .+ -?\d+; this bot had seat \d", last
    ), last
    assert re.search(rf"\b{words[0]}\b", last.partition(";")[2])


def test_a_bot_waits_for_people_at_its_table(server: LiveServer):
    command = [
        sys.executable,
        "-m",
        "rum500",
        "bot",
        "host",
        server.url,
        "greedy",
        "--people",
        "1",
        "--deals",
        "1",
    ]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as bot_process:
        table = bot_process.stdout.readline().strip().rpartition("/")[2]
        assert bot_process.stdout.readline() == "The match begins when 1 seat more is taken\n"
        with Guest(server, "Ann").at(table) as here:
            assert here.facts["status"] == "open"
            here.say("sit", seat=1)
            play_on([here], lambda facts: facts["status"] == "over")
        printed, _ = bot_process.communicate(timeout=PATIENCE)
    assert bot_process.returncode == 0, printed
    assert "Ann" in printed.partition("won;")[2], printed


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("{url}", "greedy", "--against", "nobody"), "there is no bot 'nobody'"),
        (("{url}", "greedy", "--players", "9"), "500 Rum is for 2 to 8 players, not 9"),
        (("{url}", "greedy", "--people", "2"), "--people is 0 to 1"),
        (("{url}", "greedy", "--against", ","), "--against names no level"),
        (("{url}", "greedy", "--profile", "./mine.toml"), "there is no profile './mine.toml'"),
        (("{url}", "gready"), "did you mean greedy?"),
        (("127.0.0.1", "greedy"), "is not a server's address"),
        (("http://127.0.0.1:1", "greedy"), "no server answers there"),
    ],
)
def test_impossible_table_is_reported_in_one_line(
    server: LiveServer, words: tuple[str, ...], wrong: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["bot", "host", *(word.format(url=server.url) for word in words)]) == 2
    printed = capsys.readouterr().err
    assert wrong in printed
    assert printed.count("\n") == 1


def test_failing_bot_is_replaced_and_reported_once(server: LiveServer, tmp_path: Path):
    """Its token comes from stdin, where no list of processes shows it."""
    bot = tmp_path / "lost.py"
    bot.write_text("class Lost:\n    name = 'lost'\n\n    def choose(self, view, rng): ...\n")
    ann = Guest(server, "Ann")
    table = ann.new_table("michigan-rum", players=2, **_short("michigan-rum"))
    token = lend(ann, table, 1)
    command = [sys.executable, "-m", "rum500", "bot", "join", f"{server.url}/t/{table}", "-", str(bot)]
    with ann.at(table) as here, started(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as bot_process:  # fmt: skip
        bot_process.stdin.write(f"{token}\n")
        bot_process.stdin.flush()
        here.sees(lambda facts: facts["seats"][1]["here"])
        here.say("start")
        play_on([here], lambda facts: facts["status"] == "over")
        printed, _ = bot_process.communicate(timeout=PATIENCE)
    assert bot_process.returncode == 0, printed
    assert printed.count("lost played None, which is not a play: ") == 1
    assert printed.count("the first legal play is made for it") == 1
    assert re.search(r"The match is over .*; (\d+) of its \1 plays were made for it\n", printed), printed


def test_slow_bot_is_reported_once(monkeypatch: pytest.MonkeyPatch):
    late = Semaphore(0)

    class Slow:
        name = "slow"

        def choose(self, view: View, rng: Rng) -> int:
            assert late.acquire(timeout=PATIENCE)
            return view.legal[0]

    class Watched(_seat_player._SeatClient):
        def _report_late(self) -> None:
            super()._report_late()
            late.release()

    printed: list[str] = []
    monkeypatch.setattr(_seat_player, "LATE_S", 0.01)
    seat, view = Watched(Slow(), printed.append), deal(ruleset("500-rum"), 2, seed=1).view(1)
    assert [seat._choice(view), seat._choice(view)] == [view.legal[0]] * 2
    assert printed == ["slow has not answered for 0.01 s"]


def test_bot_without_a_server_gets_advice(capsys: pytest.CaptureFixture[str]):
    assert main(["bot", "join", "http://127.0.0.1:9/t/abc", "token", "greedy"]) == 2
    printed = capsys.readouterr().err
    assert "http://127.0.0.1:9/t/abc: no server answers there (" in printed
    assert "is it on, and the address right?\n" in printed and "Errno" not in printed


@pytest.mark.whole
def test_bots_that_are_too_quick_for_the_server_play_on(tmp_path: Path):
    """What is refused for the rate alone is said again: the table would wait for good."""
    # A short match and a low rate: a busy machine plays faster than that, too.
    with LiveServer(tmp_path, "--bot-pause-ms", "0", "--messages", "4 per 2 second") as server:
        ann = Guest(server, "Ann")
        table = ann.new_table("michigan-rum", players=2, variations=["end-at-once"], target=15)
        with ann.at(table) as here:
            here.say("stand")
            tokens = [lend(ann, table, seat) for seat in (0, 1)]
            with joining(server, table, tokens[0]) as one, joining(server, table, tokens[1]) as other:
                here.sees(lambda facts: all(seat["here"] for seat in facts["seats"]))
                here.say("start")
                for bot in (one, other):
                    printed, _ = bot.communicate(timeout=3 * PATIENCE)
                    assert bot.returncode == 0 and "The match is over" in printed, printed
                    assert "refused" not in printed, printed
        with urllib.request.urlopen(server.url + "/metrics", timeout=PATIENCE) as page:
            assert b'code="limit.messages"' in page.read()


def _short(profile: str) -> dict[str, int]:
    return {} if profile == "persian-rummy" else {"target": 60}


def test_a_token_opens_its_seat_alone(server: LiveServer):
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table, other = ann.new_table(players=3), ann.new_table(players=3)
    token = lend(ann, table, 1)
    with pytest.raises(InvalidStatus) as error:
        socket(server, other, token).close()
    assert json.loads(error.value.response.body)["code"] == "request.token"
    with pytest.raises(InvalidStatus):
        socket(server, table, token[:-4] + "AAAA").close()
    with socket(server, table, token) as bot:
        joined = said(bot, "join")
        assert (joined["you"]["seat"], joined["shared"]["seats"][1]["robot"]) == (1, True)
        for kind, fields in (
            ("stand", {}),
            ("sit", {"seat": 2}),
            ("start", {}),
            ("seat_bot", {"seat": 2, "level": "greedy"}),
            ("vote", {"on": "abandon"}),
            ("chat", {"text": "hello"}),
            ("resign", {}),
        ):
            assert said(bot, kind, **fields)["reason"]["code"] == "table.robot", kind
    assert refused(ben, f"/api/tables/{table}/bots", {"seat": 2}) == "table.host"
    assert refused(ben, f"/api/tables/{table}/bots/recall", {"seat": 1}) == "table.host"
    assert refused(ann, f"/api/tables/{table}/bots/recall", {"seat": 2}) == "table.no_token"
    assert refused(ann, f"/api/tables/{table}/bots", {"seat": 5}) == "table.no_seat"
    assert token not in server.log


def test_a_token_that_is_taken_back_holds_no_longer(server: LiveServer):
    ann = Guest(server, "Ann")
    table = ann.new_table(players=3)
    old = lend(ann, table, 1)
    with socket(server, table, old) as bot:
        said(bot, "join")
        new = lend(ann, table, 1)
        assert _farewell(bot) == "revoked"
    with pytest.raises(InvalidStatus):
        socket(server, table, old).close()
    with socket(server, table, new) as bot:
        said(bot, "join")
        ann.call("POST", f"/api/tables/{table}/bots/recall", {"seat": 1})
        assert _farewell(bot) == "revoked"
    with pytest.raises(InvalidStatus):
        socket(server, table, new).close()
    with ann.at(table) as here:
        assert here.facts["seats"][1]["kind"] == "empty"


def _farewell(bot: Any) -> str:
    printed: dict[str, Any] = {}
    try:
        while True:
            printed = json.loads(bot.recv(timeout=PATIENCE))
    except ConnectionClosed:
        return str(printed.get("reason"))


def test_token_is_renewed_in_a_match_by_its_maker_alone():
    """Who has a token sees that seat's hand: a host who came later, and plays here, is not to."""
    state = TableState("table")
    state.status, state.host = "playing", "ben"
    state.seats[:] = [
        TableSeat("person", "ben"),
        TableSeat("person", EXTERNAL_BOT_PREFIX + "key", external=True, lender="ann"),
    ]
    with pytest.raises(TableError, match="begun"):
        seat_lent(state, "ben", 1, "new", "Robi")
    state.seats[1].lender = "ben"
    assert seat_lent(state, "ben", 1, "new", "Robi").player == 1


def test_one_may_lend_ones_own_seat_in_mid_match_and_take_it_back(server: LiveServer):
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.new_table(players=2, target=2000)
    with ann.at(table) as here, ben.at(table) as there:
        there.say("sit")
        here.say("start")
        play_on([here, there], lambda facts: facts.get("phase") == "draw")
        seat = there.facts["seat"]
        assert refused(ann, f"/api/tables/{table}/bots", {"seat": seat}) == "table.seat_taken"
        token = lend(ben, table, seat, "Bens Bot")
        there.sees(lambda facts: facts["seat"] is None)
        assert there.facts["hand"] == []
        with joining(server, table, token) as bot:
            here.sees(lambda facts: facts["seats"][seat]["here"])
            deal = here.facts["deal"]
            play_on([here], lambda facts: facts["deal"] > deal or facts["waiting_for"] == "next")
            ben.call("POST", f"/api/tables/{table}/bots/recall", {"seat": seat})
            printed, _ = bot.communicate(timeout=PATIENCE)
        assert bot.returncode == 1 and "its token is no longer valid" in printed
        there.sees(lambda facts: facts["seat"] == seat)
        assert there.facts["seats"][seat]["name"] == "Ben"


def test_a_bot_that_is_shown_out_while_it_thinks_tells_why(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    ann = Guest(server, "Ann")
    table = ann.new_table(players=2)
    token = lend(ann, table, 1)
    recalled = Event()
    sockets: list[ClientConnection] = []

    def kept(*words: Any, **settings: Any) -> ClientConnection:
        sockets.append(connect(*words, **settings))
        return sockets[-1]

    monkeypatch.setattr(_seat_player, "connect", kept)

    class Slow:
        name = "slow"

        def choose(self, view: View, rng: Rng) -> int:
            if not recalled.is_set():
                ann.call("POST", f"/api/tables/{table}/bots/recall", {"seat": 1})
                recalled.set()
                until(lambda: sockets[-1].state is State.CLOSED)  # its farewell is unread
            return view.legal[0]

    with ThreadPoolExecutor() as threads, ann.at(table) as here:
        bot = threads.submit(play_seat, f"{server.url}/t/{table}", token, Slow(), print)
        here.sees(lambda facts: facts["seats"][1]["here"])
        here.say("start")
        play_on([here], lambda _: recalled.is_set())
        with pytest.raises(SeatClosed, match="its token is no longer valid"):
            bot.result(PATIENCE)


def test_bot_reconnects_to_a_restarted_server(tmp_path: Path):
    server = LiveServer(tmp_path, "--bot-pause-ms", "0")
    with server:
        _plays_on_after_a_kill(server)


def _plays_on_after_a_kill(server: LiveServer):
    ann = Guest(server, "Ann")
    table = ann.new_table(players=2, target=100)
    token = lend(ann, table, 1)
    with joining(server, table, token) as bot:
        with ann.at(table) as here:
            here.sees(lambda facts: facts["seats"][1]["here"])
            here.say("start")
            play_on([here], lambda facts: facts.get("phase") == "draw")
            server.kill()
        server.start()
        with ann.at(table) as here:
            here.sees(lambda facts: facts["seats"][1]["here"])
            with Guest(server, "Ben").at(table) as late:
                assert late.facts["seats"][1]["here"], "who joins after it came back hears that it is there"
            play_on([here], lambda facts: facts["status"] == "over")
            printed, _ = bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 0, printed


@pytest.mark.parametrize(
    ("url", "token", "wrong"),
    [
        ("http://127.0.0.1:{port}/t/nowhere", "r5b_x", "there is no such table"),
        ("http://127.0.0.1:{port}/t/{table}", "r5b_x", "no seat of this table has this token"),
        ("http://127.0.0.1:1/t/{table}", "r5b_x", "refused"),
        ("127.0.0.1", "r5b_x", "is not a table's address"),
    ],
)
def test_failed_join_is_reported_in_one_line(
    server: LiveServer, url: str, token: str, wrong: str, capsys: pytest.CaptureFixture[str]
):
    table = Guest(server, "Ann").new_table(players=2)
    assert main(["bot", "join", url.format(port=server.port, table=table), token, "greedy"]) == 2
    printed = capsys.readouterr().err
    assert wrong in printed and printed.count("\n") == 1, printed
