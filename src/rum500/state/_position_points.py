"""Points on the table, counted again from the melds: card by card, to the seat that laid it (R-LAY-3)."""

from __future__ import annotations

from collections.abc import Iterator

from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_points, four_double
from rum500.state._facts import Facts, MeldFact


def points_of(facts: Facts) -> list[list[int]]:
    """The points that the seats can have for these melds.

    There is one answer, save where a run of four laid at once counted double and was built upon since
    (D11): which of its cards were the four is then forgotten.
    """
    sums = {(0,) * facts.players}
    for meld in facts.melds:
        ways = {tuple(way) for way in _meld_points(meld, facts.rules, facts.players)}
        sums = {tuple(a + b for a, b in zip(total, way, strict=True)) for total in sums for way in ways}
    return [list(total) for total in sorted(sums)]


def _meld_points(meld: MeldFact, rules: Ruleset, players: int) -> Iterator[list[int]]:
    """The points of one meld by seat, in each way they can have come about."""
    values = card_points(rules, meld.cards, meld.kind == "run")
    for doubled in _doubled(meld, rules):
        points = [0] * players
        for i, (placed, value) in enumerate(zip(meld.cards, values, strict=True)):
            points[placed.seat] += value * (2 if i in doubled else 1)
        yield points


def _doubled(meld: MeldFact, rules: Ruleset) -> Iterator[range]:
    """Which cards count double (R-SCORE-3)."""
    if not meld.at_once or not four_double(rules, meld.kind == "run"):
        yield range(0)
        return
    for first in range(len(meld.cards) - 3):
        if all(meld.cards[i].seat == meld.owner for i in range(first, first + 4)):
            yield range(first, first + 4)
