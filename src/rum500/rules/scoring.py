"""The points of cards (R-SCORE-2, R-SCORE-3, D8)."""

from __future__ import annotations

from collections.abc import Iterable

from rum500.cards import ACE_HIGH, JOKER, LANE
from rum500.rules.actions import CardAtPlace
from rum500.rules.ruleset import Ruleset


def card_values(rules: Ruleset) -> list[int]:
    """Return the points of natural cards by position in a run: low ace, 2 to king, high ace.

    In sets and hands aces count as high.
    """
    low = [5] * 8 if rules.low_cards == "five" else list(range(2, 10))
    return [rules.ace_low, *low, 10, 10, 10, 10, 15]


def card_points(rules: Ruleset, cards: Iterable[CardAtPlace], run: bool) -> list[int]:
    """Return the points of each card in its meld, before doubling. An ace can be low only in a run (D8).

    >>> from rum500.rules.actions import Laid
    >>> from rum500.rules.profiles import ruleset
    >>> card_points(ruleset("rummy-500"), [Laid(0, 0), Laid(JOKER, 1), Laid(2, 2)], run=True)
    [1, 15, 3]
    """
    values = card_values(rules)
    return [
        rules.joker_points
        if laid.card == JOKER or laid.place is None
        else values[laid.place % LANE or (0 if run else ACE_HIGH)]
        for laid in cards
    ]


def four_double(rules: Ruleset, run: bool) -> bool:
    """Return whether four cards laid at once count double (R-SCORE-3, D11).

    With `run` the four cards are a run, otherwise a set.
    """
    return rules.doubles == "melds" or (rules.doubles == "sets" and not run)
