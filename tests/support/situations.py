"""Rare decisions, each set up at a table: what a player may choose, must do, or may not do.

Seat 0 decides, unless stated otherwise.
"""

from __future__ import annotations

from tests.support.rare_situations import ROUND, Situation

FOUR = Situation("persian-rummy", ("8S 8H 8D 8C 2S 4D QH",), ("draw",), stock="JS", players=4)
"""Four eights, which count double if they are laid at once."""

TWO_TARGETS = Situation(
    "500-rum",
    ("QD KD 2S 3H 5C 7H 6C", "4S 7C 9H", "9D 10D JD QS QH QC 4C"),
    ("draw", "meld 9D 10D JD", "meld QS QH QC", "discard 4C", "draw"),
    stock="AC 2D",
    players=3,
    first=2,
)
"""A queen that fits a run and a set."""

JOKERS = Situation("rummy-500", ("JK JK 5S 6S 8H 8C KD",), ("draw",), stock="3C", players=4)
"""Two wild jokers, with a run and a set to complete."""


CLAIMS = Situation(
    "500-rum",
    ("KH 10D 2C 3D 9C JH 6H", "KD QS 2D 10H 8C 4D AS", "4S 5S 6S 7S 9H 9D JC"),
    ("draw", "meld 4S 5S 6S", "meld 9H 9D 9S", "discard 7S"),
    upcard="3S",
    stock="9S",
    players=3,
    first=2,
    options={"house_rules": ["H6"], "claim_s": 60},
)
"""Two cards of the pile that seats 0 and 1 may claim."""

FLOATING = Situation(
    "500-rum",
    ("4S 5S 6S 9S 9H 9D 9C",),
    ("draw", "meld 9S 9H 9D 9C"),
    stock="7S",
    players=3,
    options={"house_rules": ["H2"]},
)
"""A player who lays the rest of this hand floats."""

FLOATER = Situation(
    "500-rum",
    ("4S 5S 6S 9S 9H 9D 9C", "KH", "KD"),
    ("draw", "meld 9S 9H 9D 9C", "meld 4S 5S 6S 7S", "draw", "discard", "draw", "discard", "draw"),
    stock="7S QD JH 8S",
    players=3,
    options={"house_rules": ["H2"]},
)
"""A floater's one card, which must be laid off."""

RESTOCK = Situation("500-rum", (), ROUND * 25, options={"house_rules": ["H5"]}, first=1)
"""An empty stock, and a pile to make a new one of."""

STOCK_OUT = Situation("500-rum", (), ROUND * 25, first=1)
"""An empty stock: a take that can be used, or the end."""

PASSING = Situation("persian-rummy-gamerules", (), ROUND * 27, players=4, first=1)
"""An empty stock where one may pass."""

BANNED = Situation(
    "rummy-500",
    ("2S 4H 6D 9C JS KH AD", "", "", "QC"),
    ("draw", "discard QC", "take QC"),
    players=4,
    first=3,
    options={"house_rules": ["H4"]},
)
"""The top discard taken alone, which may not be discarded in the same turn."""

LAY_TAKEN = Situation(
    "500-rum",
    ("KH 10D 2C 3D 9C JH 6H", "", "4S 5S 6S 7S"),
    ("draw", "meld 4S 5S 6S", "discard 7S"),
    players=3,
    first=2,
)
"""A top discard whose only use is to be laid off."""

LONG_PILE = Situation("500-rum", ("8S 8H",), ROUND * 16, upcard="8D")
"""A pile of seventeen, whose oldest card goes with two of the hand."""

OUT = Situation("500-rum", ("4S 5S 6S 9H 9D 9C KD",), ("draw",), stock="9S", players=3)
"""A hand that can be melded except for one card."""

OUT_MELDING = Situation("500-rum", ("4S 5S 6S 9S 9H 9D 9C",), ("draw",), stock="7S", players=3)
"""A hand that can be melded completely."""


CLOCKED = Situation(
    "rummy-500",
    ("2D 4H 7C JS KH 5D 9S", "", "QC", "4C"),
    ("draw", "discard QC", "take QC", "discard 4C"),
    players=4,
    first=2,
    options={"turn_s": 60, "bank_s": 90},
    each_took_ms=35_000,
)
"""A table with clocks: seats 2 and 3 have used some of their banks, and 3 holds a card of the pile."""

TO_SORT = Situation("500-rum", ("10S 3S 9H 4S JD 9C 9D",), stock="5S", players=3)
"""A hand of a set and four other cards; with the card to be drawn two of them are a run."""

FOURTEEN = Situation("500-rum", ("4S 5S 6S 9H 9D 9C KH KD KC 2D 3H 10C QD",), ("draw",), stock="JC")
"""A hand of three melds and five other cards."""
