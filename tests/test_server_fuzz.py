"""Every kind of message, made from the protocol's schema and then spoiled, from those who sit and who watch.

Whatever comes, it is answered or the connection is closed; nothing is logged as an error, and afterwards the
table is the one that was there before, also after a restart.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from rum500.server.messages import CLIENT_MESSAGES
from tests.support.depth import depth
from tests.support.live_server import Guest as Person
from tests.support.live_server import Seated, play_on
from tests.support.schema import KINDS, fitting
from tests.support.serving import Running, Socket

SETTINGS = settings(max_examples=depth(6, 25), suppress_health_check=list(HealthCheck), database=None)
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=50),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
    st.sampled_from([-1, 2**31, 2**63, 2**64, 10**400, "", "\x00", "JK=6S", "QD", "\ud83c\udca1", [[]] * 20]),
)


def test_every_message_of_the_protocol_is_tried() -> None:
    assert len(KINDS) == len(CLIENT_MESSAGES)


class Hall:
    """A server with a table in play, two who sit there, and one who watches."""

    def __init__(self, data: Path) -> None:
        self.server = Running(data)
        self.server.__enter__()
        self.guests = {name: self.server.guest(name) for name in ("Ada", "Ben", "Cleo")}
        ada = self.guests["Ada"]
        self.table = ada.table(players=2, turn_s=None)
        with ada.join(self.table) as host, self.guests["Ben"].join(self.table) as other:
            assert other.ask("sit")["type"] == "update"
            assert host.ask("start")["type"] == "update"
        self.talks: dict[str, Socket] = {}

    def talk(self, name: str) -> Socket:
        """This guest's connection, a new one if the last was closed."""
        if name not in self.talks:
            self.talks[name] = self.guests[name].join(self.table)
        return self.talks[name]

    def send(self, name: str, data: str | bytes, awaited: str | None = None) -> list[dict[str, Any]]:
        """Send this; all that comes until it and a `ping` after it are answered, or it is closed."""
        talk = self.talk(name)
        talk.seen.clear()
        try:
            talk.wire.send(data)
            if awaited is not None:
                talk.answer_to(awaited)
            talk.ask("ping")
        except ConnectionClosed:
            code = talk.closing_code()
            assert code in (1008, 1009), (code, data)
            self.talks.pop(name).close()
            return talk.seen
        return talk.seen[:-1]

    def close(self) -> None:
        for talk in self.talks.values():
            talk.close()
        for guest in self.guests.values():
            guest.http.close()
        self.server.stop()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    built = Hall(tmp_path_factory.mktemp("fuzz"))
    yield built
    built.close()


@pytest.fixture(autouse=True)
def _nothing_goes_wrong() -> Iterator[None]:
    with capture_logs() as entries:
        yield
    assert [entry for entry in entries if entry["log_level"] in ("error", "critical")] == []
    structlog.reset_defaults()


#: These would end the match for the other tests; they are spoiled, but not sent as they should be.
ENDING = {"Resign", "Vote"}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_right_messages_are_answered(hall: Hall, kind: str) -> None:
    """Messages that fit the schema, at whatever time, from whoever: each is answered once, under its id."""

    @SETTINGS
    @given(fitting(KINDS[kind]), st.sampled_from(["Ada", "Ben", "Cleo"]), st.uuids())
    def answered(message: dict[str, Any], name: str, identity: object) -> None:
        message["id"] = str(identity)
        text = json.dumps(message)
        if kind in ENDING and name != "Cleo":
            return
        if len(text.encode()) <= 8192:
            heard = hall.send(name, text, message["id"])
            answers = [one for one in heard if one.get("re") == message["id"]]
            assert len(answers) == 1, (message, heard)
            assert answers[0]["type"] in {"sync", "update", "refused", "answer", "pong"}

    answered()


def spoiled(how: str, message: dict[str, Any], schema: dict[str, Any], data: st.DataObject) -> str | bytes:
    """A message with a field too many, too few, of another type; cut short, doubled, no message at all."""
    text = json.dumps(message)
    match how:
        case "more":
            return json.dumps(message | {data.draw(st.text(min_size=1, max_size=8)) + "!": 1})
        case "less":
            missing = data.draw(st.sampled_from(sorted(schema["required"])))
            return json.dumps({key: value for key, value in message.items() if key != missing})
        case "other":
            field = data.draw(st.sampled_from(sorted(schema["properties"])))
            return json.dumps(message | {field: data.draw(JUNK)})
        case "cut":
            return text[: data.draw(st.integers(0, len(text) - 1))]
        case "bytes":
            return data.draw(st.binary(max_size=60))
    return text + text if how == "twice" else "[" * data.draw(st.integers(1, 4000))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_spoiled_messages_are_refused(hall: Hall, kind: str) -> None:
    ways = st.sampled_from(["more", "less", "other", "cut", "bytes", "twice", "deep"])

    @SETTINGS
    @given(fitting(KINDS[kind]), st.data(), st.sampled_from(["Ada", "Ben", "Cleo"]), ways)
    def refused(message: dict[str, Any], data: st.DataObject, name: str, how: str) -> None:
        ending = kind in ENDING and how == "other"  # what was to be wrong may happen to be right
        text = spoiled(how, message, KINDS[kind], data)
        heard = hall.send("Cleo" if ending else name, text)
        if how != "other" and len(text) <= 8192:
            assert [one["type"] for one in heard if one["type"] == "refused"] == ["refused"], (how, heard)

    refused()


def test_strangers_texts_end_no_more_than_their_own_connection(hall: Hall) -> None:
    @SETTINGS
    @given(st.text(max_size=200) | st.binary(max_size=200) | JUNK.map(json.dumps))
    def survived(data: str | bytes) -> None:
        hall.send("Cleo", data)
        assert hall.talk("Ada").ask("ping")["type"] == "pong"

    survived()


# --- at the table ---------------------------------------------------------------------------------------


class Pair:
    """Two people at a table, it being the first one's turn to draw."""

    def __init__(self, server: Running) -> None:
        ada, ben = Person(server, "Ada"), Person(server, "Ben")
        self.table = ada.new_table(players=2)
        seats = ada.at(self.table), ben.at(self.table)
        seats[1].say("sit")
        seats[0].say("start")
        dealt = lambda facts: facts.get("waiting_for") == "play" and facts.get("phase") == "draw"  # noqa: E731
        play_on(seats, dealt)
        for seat in seats:
            seat.sees(dealt)
            seat.say("ping")  # and nothing more is on its way
        turn = seats[0].facts["turn"]
        self.mover, self.other = sorted(seats, key=lambda seat: bool(seat.facts["seat"] != turn))

    def draw(self) -> dict[str, Any]:
        """The mover's draw from the stock, without an id yet."""
        return {"type": "play", "asked": self.mover.facts["asked"], "play": self.mover.facts["plays"]["draw"]}

    def __enter__(self) -> Pair:
        return self

    def __exit__(self, *_: object) -> None:
        self.mover.leave()
        self.other.leave()


def raw(seat: Seated, message: dict[str, Any]) -> dict[str, Any]:
    """Send exactly this and wait for what answers it."""
    seat._socket.send(json.dumps(message))
    return seat.until(lambda heard: heard.get("re") == message["id"])


def test_a_move_out_of_turn_is_refused_and_changes_nothing(hall: Hall) -> None:
    with Pair(hall.server) as pair:
        number = pair.mover.number
        answer = raw(pair.other, pair.draw() | {"id": "x"})
        assert (answer["type"], answer["reason"]["code"]) == ("refused", "table.turn")
        with hall.server.guest("Cleo") as cleo, cleo.join(pair.table) as watcher:
            message = pair.draw() | {"id": "x"}
            watcher.wire.send(json.dumps(message))
            assert watcher.answer_to("x")["type"] == "refused"
            assert watcher.sync["number"] == number
            assert "hand" not in watcher.sync["you"] or watcher.sync["you"]["hand"] == []
        pair.mover.say("ping")
        assert pair.mover.number == number
        assert raw(pair.mover, pair.draw() | {"id": "x"})["type"] == "update"


def test_the_same_message_again_is_answered_alike_and_does_nothing_more(hall: Hall) -> None:
    with Pair(hall.server) as pair:
        draw = pair.draw() | {"id": "only-once"}
        first = raw(pair.mover, draw)
        assert first["type"] == "update"
        for _ in range(3):
            again = raw(pair.mover, draw)
            assert (again["type"], again["number"]) == ("update", first["number"])
        with pair.mover.guest.at(pair.table, last=first["number"]) as back:  # and on a new connection
            again = raw(back, draw)
            assert (again["type"], again["number"]) == ("update", first["number"])
            assert len(back.facts["hand"]) == len(pair.mover.facts["hand"]) == 14
            late = raw(back, draw | {"id": "another"})
            assert (late["type"], late["reason"]["code"]) == ("refused", "table.stale")
            assert raw(back, draw | {"id": "3", "asked": 10**6})["reason"]["code"] == "table.stale"
