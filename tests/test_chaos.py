"""Several servers and any faults: the plan of faults, and short runs of `make chaos`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

import pytest

from tools.chaos.plan import ALONE, MODES, NODES, ROUND, Fault, rounds
from tools.chaos.run import Wanted, chaos


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


TABLE, GUESTS = "t", ("ada", "ben")


def short(seconds: float, spoiled: str = "") -> Wanted:
    wanted = Wanted(seed=1, seconds=seconds, clients=24, think=0.3, spoiled=spoiled, say=lambda _: None)
    if spoiled:
        wanted.attacks = ()
    return wanted


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
    assert report.attacks.keys() == {"repeated hints", "drills", "lobby"}
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
