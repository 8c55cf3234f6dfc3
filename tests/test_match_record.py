"""Whether the deals of a record can be one match: R-MATCH-1 to R-MATCH-3, D13 to D15, D23, D25."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rum500 import Record, Ruleset, ruleset
from rum500.match import problems_of_match
from rum500.record import DealRecord, Outcome
from tests.support.records import random_record


def with_totals(rules: Ruleset, *totals: Sequence[int], reached: int | None = None) -> Record:
    """A record whose deals begin with these totals; somebody `reached` the target in the first."""
    deals = [DealRecord((), 0, tuple(before), outcome=Outcome("stock", None, ())) for before in totals]
    if reached is not None:
        deals[0].outcome = Outcome("target", reached, ())
    return Record(rules, len(totals[0]), deals=deals)


MICHIGAN = ruleset("michigan-rum", match_end="at_once")
RUM = ruleset("500-rum")
PERSIAN = ruleset("persian-rummy")
MOST = ruleset("500-rum", max_deals=2)


@pytest.mark.parametrize(
    ("record", "rule"),
    [
        (with_totals(RUM, (0, 0), (499, 20), (300, -5)), None),
        (with_totals(RUM, (0, 0), (500, 20)), "R-MATCH-1"),
        (with_totals(RUM, (0, 0), (510, 520), (510, 515)), "R-MATCH-1"),
        (with_totals(RUM, (0, 0), (510, 510), (490, 490), (480, 480)), None),
        (with_totals(RUM, (0, 0), (510, 510), (490, 480), (480, 480)), "R-MATCH-1"),
        (with_totals(RUM.replace(ties="drawn"), (0, 0), (510, 510)), "R-MATCH-1"),
        (with_totals(MICHIGAN, (0, 0), (510, 510), reached=0), "R-MATCH-1"),
        (with_totals(PERSIAN, (0,) * 4, (510, 20, 510, 20)), None),
        (with_totals(PERSIAN, (0,) * 4, (90, 80, 90, 80), (80, 80, 80, 80)), "R-MATCH-1"),
        (with_totals(PERSIAN.replace(ties="deciding"), (0,) * 4, (9, 8, 9, 8), (8,) * 4), None),
        (with_totals(MOST, (0, 0), (100, 90), (120, 95)), "D23"),
        (with_totals(MOST, (0, 0), (100, 90)), None),
        (with_totals(RUM, (200, 100)), None),
        (with_totals(RUM, (510, 100)), "R-MATCH-1"),
        (with_totals(RUM, (510, 510), (490, 495), (480, 480)), "R-MATCH-1"),
        (with_totals(PERSIAN, (90, 80, 90, 80), (90, 85, 90, 85)), "R-MATCH-1"),
        (with_totals(PERSIAN, (90, 80, 90, 80)), None),
        (Record(RUM, 2), None),
        (Record(RUM, 2, deals=[DealRecord(()), DealRecord(())]), None),
    ],
)
def test_no_deal_follows_once_the_match_is_over(record: Record, rule: str | None) -> None:
    """The target, equal totals and deciding deals, the number of deals; records that begin in mid-match."""
    assert [problem.rule for problem in problems_of_match(record)] == ([rule] if rule else [])


def test_a_match_of_two_deals_has_no_third() -> None:
    """R-MATCH-1: the place in the text is where the deal begins that should not be."""
    text = random_record(PERSIAN, 4, 1, deals=3).to_text()
    record = Record.from_text(text)
    assert record.verify() == []
    (problem,) = problems_of_match(record)
    assert (problem.code, problem.line) == ("record.over", text.splitlines().index("deal: 3") + 1)
    assert problem.message == "the match was over before this deal: it has two deals"
    assert problems_of_match(Record.from_text(random_record(PERSIAN, 4, 1, deals=2).to_text())) == []
