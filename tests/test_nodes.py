"""Several servers on one database: tables are played on when one server dies or leaves."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import psutil
import pytest
from websockets.exceptions import InvalidStatus

from rum500.cli import main
from rum500.server.cluster.relay_header import NAME, VALID_MS, RelayHeader
from rum500.store import SECRET, database_of
from tests.support.impatient_server import ImpatientServer
from tests.support.live_server import Guest, LiveServer, Seated, play_on
from tests.support.ports import free_port
from tests.support.postgres import PostgresServer, postgres
from tests.support.processes import started
from tests.support.table_choice import Facts
from tests.support.waiting import PATIENCE, until

FLAGS = ("--bot-pause-ms", "0", "--no-limits", "--bot-workers", "0", "--review-workers", "0", "--no-push")
Nodes = tuple[LiveServer, LiveServer]


@pytest.fixture(scope="module")
def url(postgres_server: PostgresServer) -> str:
    """The URL of a database."""
    return postgres_server.new_database()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[Nodes]:
    """Two servers with one key; each test leaves both running."""
    folder = tmp_path_factory.mktemp("nodes")
    servers: list[LiveServer] = []
    for name in ("one", "two"):
        port, data = free_port(), folder / name
        data.mkdir()
        if servers:
            shutil.copy(servers[0].data / SECRET, data / SECRET)
        own = ("--db", url, "--node-url", f"http://127.0.0.1:{port}", "--node-name", name)
        servers.append(LiveServer(data, *own, *FLAGS, "--log-level", "debug", port=port).start())
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


def joined(guest: Guest, table: str, last: int = 0) -> Seated:
    """Connect to a table, as soon as a server lets the guest, as the page does."""
    seats: list[Seated] = []

    def comes_in() -> bool:
        with suppress(InvalidStatus):
            seats.append(guest.at(table, last=last))
        return bool(seats)

    until(comes_in)
    return seats[0]


def new_table(guest: Guest) -> str:
    """A table with a bot, for one deal."""
    return guest.new_table("500-rum", level="greedy", start=True, deals=1, target=5000)


def begun(guest: Guest) -> tuple[str, int]:
    """A table whose guest may play and has left, and the number of its last entry."""
    while True:
        table = new_table(guest)
        with guest.at(table) as seat:
            # A bot may go out before the guest's first turn.
            play_on([seat], lambda facts: may_play(facts) or is_over(facts), seed=1)
            if may_play(seat.facts):
                return table, seat.number


def is_over(facts: Facts) -> bool:
    return facts.get("status") == "over"


def may_play(facts: Facts) -> bool:
    return bool(facts.get("may"))


def run_nodes(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """What `rum500` prints, and its exit status."""
    status = main(["nodes", *words])
    out = capsys.readouterr()
    return status, out.out + out.err


def listed(capsys: pytest.CaptureFixture[str], url: str) -> list[list[str]]:
    """What `rum500 nodes` lists, a row each."""
    status, out = run_nodes(capsys, "--db", url)
    assert status == 0
    return [line.split() for line in out.splitlines()[1:]]


def test_table_can_be_played_through_any_server(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    with at(two, guest).at(table) as seat:
        play_on([seat], is_over, seed=1)
    assert "table.lost" not in one.log + two.log
    token = at(two, guest)
    other = token.new_table("500-rum", level="greedy", players=3)
    lent = guest.call("POST", f"/api/tables/{other}/bots", {"seat": 1, "name": "Robo"})
    assert lent["token"]


def test_lost_seat_comes_back_through_another_server(url: str, tmp_path: Path, nodes: Nodes) -> None:
    """The asking guest is at another server than the friend, and the table's server dies before the yes."""
    names = ("impatient", "restless")
    servers: list[LiveServer] = []
    for name in names:
        port, data = free_port(), tmp_path / name
        data.mkdir()
        shutil.copy(nodes[0].data / SECRET, data / SECRET)
        own = ("--db", url, "--node-url", f"http://127.0.0.1:{port}", "--node-name", name)
        servers.append(ImpatientServer(data, *own, *FLAGS, port=port).start())
    one, two = servers
    try:
        ada, ben = Guest(one, "Ada"), Guest(one, "Ben")
        table = ada.new_table("500-rum", seats_drawn=False)
        with ben.at(table) as friend:
            with ada.at(table) as owner:
                friend.say("sit")
                owner.say("start")
                play_on([owner, friend], lambda _: may_play(owner.facts))
                hand = owner.facts["hand"]
            friend.sees(lambda facts: not facts["seats"][0]["here"])
            with Guest(two).at(table) as new_device:
                assert new_device.say("ask_for_seat", seat=0)["type"] == "update"
                friend.sees(lambda facts: bool(facts["seat_request"]))
                words, number = (
                    new_device.facts["seat_request"]["words"],
                    friend.facts["seat_request"]["number"],
                )
                assert friend.facts["seat_request"]["words"] == words
                assert not new_device.facts["hand"]
                one.kill()
                guests = at(two, ben), new_device.guest
        with joined(guests[0], table) as friend, joined(guests[1], table) as new_device:
            assert new_device.facts["seat_request"]["words"] == words
            assert friend.say("answer_seat", request=number, yes=True)["type"] == "update"
            new_device.sees(lambda facts: facts["seat"] == 0)
            assert sorted(new_device.facts["hand"]) == sorted(hand)
    finally:
        for server in servers:
            server.end()


def test_table_is_owned_by_the_server_of_its_first_visitor(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)

    def counted(server: LiveServer) -> float:
        text = at(server, guest).call("GET", "/metrics")
        return sum(float(each) for each in re.findall(r"^rum500_relayed_total\S* (\S+)$", text, re.MULTILINE))

    before = counted(two)
    with at(two, guest).at(table) as seat:
        play_on([seat], may_play, seed=1)
        assert counted(two) == before
        trace = "0af7651916cd43dd8448eb211c80319c"
        with guest.at(table, traceparent=f"00-{trace}-b7ad6b7169203331-01") as passed_on:
            play_on([passed_on], lambda _: "trace.move" in steps_of(trace, two.log), seed=1)
    assert steps_of(trace, one.log) == {"trace.relayed"}
    assert steps_of(trace, two.log) == {"trace.admitted", "trace.move"}


def test_lobby_of_each_server_lists_the_tables_of_all(nodes: Nodes) -> None:
    one, two = nodes
    cleo = Guest(two, "Cleo")
    table = Guest(one, "Ben").host()

    def listed() -> bool:
        return any(row["id"] == table for row in cleo.call("GET", "/api/tables"))

    until(listed)
    one.hosts.pop().leave()
    until(lambda: not listed())


def steps_of(trace: str, log: str) -> set[str]:
    """The events of a trace in a log."""
    return set(re.findall(rf"event=(\S+) trace={trace}", log))


def test_relay_header_is_valid_once_for_its_request_and_receiver_and_for_seconds(nodes: Nodes) -> None:
    one, two = nodes
    key = (one.data / SECRET).read_bytes()

    def seen(header: bytes, server: LiveServer, method: str = "GET", path: str = "/healthz") -> str:
        """The address that a server takes for the client's; empty if the answer does not say it."""
        headers = {NAME.decode(): header.decode()}
        request = urllib.request.Request(server.url + path, method=method, headers=headers)
        with urllib.request.urlopen(request) as answer:
            body = answer.read()
        return str(json.loads(body)["client"]) if body else ""

    def signed(age_ms: int = 0, method: str = "GET", path: bytes = b"/healthz") -> bytes:
        signer = RelayHeader(key, "http://elsewhere", lambda: time.time_ns() // 1_000_000 - age_ms)
        scope = {"client": ("203.0.113.7", 1), "scheme": "https", "method": method}
        return signer.sign(scope | {"raw_path": path, "query_string": b""}, one.url)

    header = signed()
    assert [seen(header, one), seen(header, one)] == ["203.0.113.7", "127.0.0.1"]
    assert seen(signed(), two) == "127.0.0.1"
    assert seen(signed(VALID_MS + 1000), one) == seen(signed(-VALID_MS - 1000), one) == "127.0.0.1"
    assert seen(signed(method="HEAD"), one) == seen(signed(path=b"/metrics"), one) == "127.0.0.1"
    assert seen(signed(), one, path="/healthz?") == "203.0.113.7"
    assert seen(signed(), one, path="/healthz?a=1") == "127.0.0.1"
    for damaged in (b"", b"x", b"203.0.113.7 https", signed()[:-1], signed().replace(b"https", b"http")):
        assert seen(damaged, one) == "127.0.0.1"


def test_tables_of_a_dead_server_are_taken_over(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table, number = begun(guest)
    one.kill()
    with at(two, guest).at(table, last=number) as seat:  # who need not ask again until the lease has ended
        play_on([seat], is_over, seed=1)
    one.start()


@pytest.mark.whole
def test_visitor_of_a_restarted_server_is_admitted(nodes: Nodes) -> None:
    """The tables of its earlier run are free only when that one's lease has ended."""
    one, _ = nodes
    guest = Guest(one, "Ada")
    table, number = begun(guest)
    one.kill()
    one.start()
    with guest.at(table, last=number) as seat:
        play_on([seat], is_over, seed=1)


def test_a_name_that_was_changed_at_one_server_is_seen_at_all(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table, there = new_table(guest), at(two, guest)
    for name in ("Ada", "Byron"):
        guest.call("PUT", "/api/me", {"name": name})
        with there.at(table) as seat:
            seat.sees(lambda facts, name=name: facts["seats"][0]["name"] == name)


@pytest.mark.whole
def test_a_server_that_slept_acknowledges_nothing_of_a_table_that_it_has_lost(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    asleep = guest.at(table)
    play_on([asleep], may_play, seed=1)
    one.send(signal.SIGSTOP)
    with joined(at(two, guest), table) as seat:
        play_on([seat], is_over, seed=1)
        number = seat.number
    one.send(signal.SIGCONT)
    until(lambda: "node.lease_ended" in one.log)
    until(lambda: asleep.closed)
    with joined(guest, table) as seat:
        assert is_over(seat.facts)
        assert seat.number == number


@pytest.mark.whole
def test_a_draining_server_gives_its_tables_up(
    nodes: Nodes, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _ = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    with guest.at(table) as seat:
        play_on([seat], may_play, seed=1)
        assert run_nodes(capsys, "drain", "one", "--wait", "--db", url) == (0, "one gives up its tables\n")
        until(lambda: seat.closed)
    with pytest.raises(urllib.error.HTTPError) as refused:
        guest.call("GET", "/healthz")
    assert refused.value.code == 503
    with joined(guest, table) as seat:  # by way of the other one
        play_on([seat], is_over, seed=1)
    assert ["one", "0", "draining"] in [[row[0], *row[-2:]] for row in listed(capsys, url)]
    assert run_nodes(capsys, "drain", "three", "--db", url)[0] == 2
    one.end()
    one.start()
    assert listed(capsys, url)[-1][-1] == "runs"


@pytest.mark.whole
def test_sign_out_at_one_server_is_valid_at_all(nodes: Nodes) -> None:
    one, two = nodes
    guest = Guest(one, "Ada")
    table = new_table(guest)
    left_open = at(two, guest).at(table)
    guest.call("POST", "/api/me/sign-out", {"devices": "others"})
    until(lambda: left_open.closed)


@pytest.mark.whole
def test_servers_must_share_a_key_and_a_database_that_can_be_shared(
    nodes: Nodes, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AssertionError, match="servers with another key use it"):
        LiveServer(tmp_path / "three", "--db", url, "--node-url", "http://127.0.0.1:1", *FLAGS).start()
    with pytest.raises(AssertionError, match="is in use by a running rum500"):
        LiveServer(tmp_path / "four", "--db", url, *FLAGS).start()
    with pytest.raises(AssertionError, match="one server alone can use it"):
        LiveServer(tmp_path / "five", "--node-url", "http://127.0.0.1:1", *FLAGS).start()
    assert "one server alone uses it" in run_nodes(capsys, "--data", str(tmp_path))[1]


@pytest.mark.whole
def test_several_processes_are_servers_behind_one_port(
    postgres_server: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = postgres_server.new_database()
    json_log = ("--log", "json")
    with LiveServer(tmp_path / "data", "--db", url, "--processes", "2", *json_log, *FLAGS) as server:
        until(lambda: [row[-1] for row in listed(capsys, url)] == ["runs", "runs"])
        guest = Guest(server, "Ada")
        tables = [begun(guest)[0] for _ in range(4)]
        os.kill(servers_of(server.pid)[0], signal.SIGKILL)
        for table in tables:
            with joined(guest, table) as seat:
                play_on([seat], is_over, seed=1)
        # Another one has come in its place.
        until(lambda: [row[-1] for row in listed(capsys, url)].count("runs") == 2)
        left = servers_of(server.pid)
        server.kill()
        until(lambda: not any(Path(f"/proc/{one}").exists() for one in left))
    events = [json.loads(line)["event"] for line in server.log.splitlines()]
    assert "process.restarted" in events


@pytest.mark.whole
def test_a_process_that_dies_while_the_database_is_away_is_started_again_until_it_is_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the others are left alone."""
    with postgres() as database:
        url = database.new_database()
        with LiveServer(tmp_path, "--db", url, "--processes", "2", *FLAGS) as server:
            until(lambda: [row[-1] for row in listed(capsys, url)] == ["runs", "runs"])
            killed, left = servers_of(server.pid)
            database.stop()
            os.kill(killed, signal.SIGKILL)
            until(lambda: server.log.count("process.restarted") > 1)
            database.start()
            until(lambda: [row[-1] for row in listed(capsys, url)].count("runs") == 2)
            assert left in servers_of(server.pid)


@pytest.mark.whole
def test_several_processes_need_a_database_to_share(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="processes: several need a database that they can share"):
        LiveServer(tmp_path, "--processes", "2", *FLAGS).start()


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("port", "in use"),
        ("module", "bot_modules: nowhere cannot be imported"),
        ("newer", "9999"),
        ("damaged", "does not exist"),
        ("crash", "process 1 ended with status 3|process 2 ended with status 3"),
    ],
)
def test_a_process_that_cannot_start_ends_all_with_one_sentence(
    url: str, postgres_server: PostgresServer, tmp_path: Path, fault: str, says: str
) -> None:
    words = ["--data", tmp_path / "data", "--no-open", "--processes", "2", "--log", "json", *FLAGS]
    with socket.create_server(("127.0.0.1", 0)) as other:
        words += ["--port", other.getsockname()[1] if fault == "port" else free_port()]
        if fault == "module":
            words += ["--bot-modules", "nowhere"]
        if fault == "crash":
            (tmp_path / "crashing.py").write_text("import os\nos._exit(3)\n")
            words += ["--bot-modules", "crashing"]
        if fault in ("newer", "damaged"):
            url = postgres_server.new_database()
            database = database_of(url)
            database.prepare().release()
            wrong = (
                "UPDATE alembic_version SET version_num = '9999'" if fault == "newer" else "DROP TABLE nodes"
            )
            postgres_server.execute(database.name.rpartition("/")[2], wrong)
        command = [sys.executable, "-m", "rum500", "serve", *map(str, words), "--db", url]
        with started(
            command, stdout=PIPE, stderr=PIPE, text=True, cwd=tmp_path, start_new_session=True
        ) as process:
            out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    said = [line for line in err.splitlines() if not line.startswith("{")]
    assert len(said) == 1 and said[0].startswith("rum500 serve: ") and re.search(says, said[0]), err
    until(lambda: not in_session(process.pid))


def in_session(session: int) -> list[psutil.Process]:
    """The processes of a session that run."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.Error):
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def servers_of(family: int) -> list[int]:
    """The processes of `--processes`, by number."""
    return [int(one) for one in Path(f"/proc/{family}/task/{family}/children").read_text().split()]
