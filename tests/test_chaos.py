"""Several servers, whatever fails: the plan of faults, what finds a loss, short runs of `make chaos`."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, islice

import msgspec
import pytest

from rum500.record import digest
from rum500.server.live.log import entries as log
from rum500.server.live.log.table_options import rules_for
from rum500.server.live.log.table_state import TableState
from rum500.server.messages.options import TableOptions
from rum500.store import StoredEntry
from tests.support.ports import free_port
from tools.chaos.check import TableCheck
from tools.chaos.people import Heard, Told, wait_before
from tools.chaos.plan import ALONE, MODES, NODES, ROUND, Fault, rounds
from tools.chaos.relay import Door
from tools.chaos.run import Wanted, chaos

# --- the plan -------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_faults() -> None:
    first, again, other = (list(islice(rounds(seed), 5)) for seed in (7, 7, 8))
    assert first == again != other
    assert [each.number for one in first for each in one] == list(range(1, 5 * len(first[0]) + 1))


def test_a_round_has_every_kind_and_ends_with_a_kill_alone() -> None:
    for one in islice(rounds(1), 20):
        assert Counter(each.kind for each in one[:-1]) == ROUND
        assert one[-1].kind == ALONE
    faults = [each for one in islice(rounds(1), 20) for each in one]
    assert {each.node for each in faults} == set(range(NODES))
    assert {each.mode for each in faults} == set(MODES)
    assert max(each.seconds for each in faults) <= 10


def test_people_wait_as_the_page_does() -> None:
    assert [wait_before(tries) for tries in (1, 2, 3, 8, 9, 11, 20)] == [0.4, 0.8, 1, 1, 2, 8, 8]


# --- what finds a loss ----------------------------------------------------------------------------------

OPTIONS = TableOptions(profile="500-rum", players=2)
TABLE, GUESTS = "t", ("ada", "ben")


def entries() -> list[StoredEntry]:
    """A log up to the first play of a deal: 500 Rum for two, dealt from one order of the cards."""
    state = TableState(TABLE)
    lines: list[tuple[log.LogEntry, str | None]] = [
        (log.Created(OPTIONS, "ada", "00", digest(rules_for(OPTIONS)[0]), "test"), None),
        (log.Sat(0, "ada", "Ada"), "ada"),
        (log.Sat(1, "ben", "Ben"), "ben"),
        (log.Began([0, 1]), "ada"),
    ]
    stored: list[StoredEntry] = []

    def append(line: log.LogEntry, author: str | None = None) -> None:
        number = len(stored) + 1
        entry = log.to_stored(number, number, line, author, None if author is None else f"m{number}")
        state.apply(entry, line)
        stored.append(entry)

    for line, author in lines:
        append(line, author)
    while state.waiting_for != "play":
        match = state.match
        assert match is not None
        asked = match.decision
        if state.waiting_for == "draw":
            append(log.Drew(asked.positions[0]))  # type: ignore[union-attr]
        elif state.waiting_for == "cut":
            append(log.CutMade(5, "stream"))
        elif state.shuffles.last is None or state.shuffles.ordered:
            append(log.Committed(state.shuffles.count + 1, "00" * 32))
        else:
            append(log.Shuffled(["", ""], list(reversed(asked.cards))))  # type: ignore[union-attr]
    for _ in range(4):
        assert state.match is not None and state.match.state is not None
        player = state.acting_player
        assert player is not None
        append(log.Played(state.match.state.legal_ints()[0], None), GUESTS[player])
    return stored


LOG = entries()


def heard(guest: str, last: int, number: int, **changes: object) -> Heard:
    """An update as it is sent to somebody who knows of `last`."""
    state = TableState(TABLE)
    for entry in LOG[:number]:
        state.read(entry)
    player = state.player_of(guest)
    new = [event.seen_by(player) for event in state.events if event.number > last]
    events = msgspec.json.decode(msgspec.json.encode(new))
    raw = json.dumps({"type": "update", "number": number, "events": events}, separators=(",", ":"))
    message = Heard("update", last, number, False, events, raw.encode())
    for name, value in changes.items():
        setattr(message, name, value)
    return message


def found(
    *told: Heard, log_entries: list[StoredEntry] = LOG, acknowledged: tuple[str, int] | None = None
) -> str:
    """What is found wrong with what Ada was told, and with the log."""
    check = TableCheck(TABLE, GUESTS)
    wrong = list(check.read(log_entries))
    moves = [] if acknowledged is None else [acknowledged]
    return "\n".join([*wrong, *check.compare("ada", Told(list(told), moves)), *check.verify()])


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    assert not found(heard("ada", 0, 4), heard("ada", 4, len(LOG)), acknowledged=("m2", 2))


def own_plays() -> list[StoredEntry]:
    return [entry for entry in LOG if entry.kind == "play" and entry.author == "ada"] or pytest.fail("none")


def test_a_lost_and_an_early_acknowledgement_are_found() -> None:
    assert "m99 (in 9) is not in the log" in found(acknowledged=("m99", 9))
    last = own_plays()[-1]
    assert "acknowledged in" in found(acknowledged=(last.message or "", last.number - 1))


def test_a_gap_and_a_doubled_message_are_found() -> None:
    assert "entry 5 follows 3" in found(log_entries=[*LOG[:3], *LOG[4:]])
    twice = msgspec.structs.replace(LOG[2], author="ada", message="m2")
    assert "('ada', 'm2') is in entries 2 and 3" in found(log_entries=[*LOG[:2], twice, *LOG[3:]])


def test_a_log_that_does_not_follow_is_found() -> None:
    wrong = msgspec.structs.replace(LOG[-1], data=b'{"code":1}')
    assert f"entry {wrong.number}" in found(log_entries=[*LOG[:-1], wrong])


def test_what_is_told_and_is_not_in_the_log_is_found() -> None:
    assert "was told of entry 99" in found(Heard("update", 4, 99, False, [], b"{}"))
    whole = heard("ada", 4, len(LOG))
    assert "the log has" in found(heard("ada", 4, len(LOG), events=whole.events[:-1]))
    assert "the log has" in found(heard("ada", 4, len(LOG), events=[*whole.events, whole.events[-1]]))


def test_anothers_card_is_found() -> None:
    drawn = next(entry.number for entry in LOG if entry.kind == "play" and entry.author == "ben")
    theirs = heard("ben", drawn - 1, drawn)
    assert theirs.events != heard("ada", drawn - 1, drawn).events
    assert not found(heard("ada", drawn - 1, drawn))
    assert "has cards" in found(heard("ada", drawn - 1, drawn, raw=theirs.raw))


# --- the relay ------------------------------------------------------------------------------------------


def test_a_door_holds_back_what_it_is_told_to() -> None:
    """One way, the other way, both; what was held back arrives later, and a reset ends all."""

    async def run() -> None:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            ends.append(writer)
            with suppress(ConnectionError):
                while data := await reader.read(100):
                    got.append(data)
                    writer.write(data)

        got: list[bytes] = []
        ends: list[asyncio.StreamWriter] = []
        target = free_port()
        server = await asyncio.start_server(echo, "127.0.0.1", target)
        door = await Door(target).open()
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)

        async def asked(word: bytes, *, arrives: bool) -> None:
            writer.write(word)
            while arrives and word not in got:
                await asyncio.sleep(0)

        await asked(b"a", arrives=True)
        assert await reader.readexactly(1) == b"a"
        door.cut("back")
        await asked(b"b", arrives=True)
        answer = asyncio.ensure_future(reader.readexactly(1))
        assert not answer.done()
        door.mend()
        assert await answer == b"b"
        for mode in ("there", "both"):
            door.cut(mode)
            await asked(b"c", arrives=False)
            door.mend()
            assert await reader.readexactly(1) == b"c"
        door.cut("reset")
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
        near, far = await asyncio.open_connection("127.0.0.1", door.port)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await near.readexactly(1)
        await door.close()
        server.close()
        for each in (writer, far, *ends):
            each.close()
            with suppress(ConnectionError):
                await each.wait_closed()

    asyncio.run(run())


# --- runs -----------------------------------------------------------------------------------------------


def short(seconds: float, spoiled: str = "") -> Wanted:
    return Wanted(seed=1, seconds=seconds, clients=24, think=0.3, spoiled=spoiled, say=lambda _: None)


def late_statements() -> Iterator[list[Fault]]:
    """Each server in turn: what it sends to the database arrives when its lease is just over.

    Much later its tables have another owner's entries of the same numbers, which stop it too.
    """
    for number in count(1):
        yield [Fault(number, "cut_database", 0.5, number % NODES, "both", 3.0 + 0.3 * (number % 5), 0.0)]


@pytest.mark.whole
def test_nothing_is_lost_whatever_fails() -> None:
    report = chaos(short(60))
    assert report.findings == []
    assert set(report.faults) | set(report.left_out) >= set(ROUND)
    assert report.result.acknowledged > 100
    assert report.messages > 1000


@pytest.mark.whole
@pytest.mark.parametrize(
    ("spoiled", "says"),
    [
        ("epoch", "which does not own the table"),
        ("early", "is not in the log|the log has"),
        ("clock", "took a lease of"),
    ],
)
def test_spoiled_servers_are_found_out(spoiled: str, says: str) -> None:
    """Servers that check no epoch, acknowledge before they commit, or use their own clocks."""
    wanted = short(120, spoiled)
    if spoiled == "epoch":
        wanted.plan, wanted.think = lambda _: late_statements(), 1.0
    findings = chaos(wanted).findings
    assert any(re.search(says, each) for each in findings), findings
