"""A whole match: draw for deal, cut, deals, totals, settlement. It takes inputs and gives events.

>>> from rum500.match import Match
>>> from rum500.rules.profiles import ruleset
>>> match = Match.quick(ruleset("500-rum"), players=2, seed=7)
>>> type(match.decision).__name__, match.number, match.totals
('Play', 1, (0, 0))
"""

from rum500.match._match import Match
from rum500.match.decisions import (
    Claimant,
    Cut,
    CutAt,
    Decision,
    DrawAt,
    DrawCard,
    Input,
    MatchError,
    Order,
    Over,
    Play,
    Resign,
    Restock,
    Shuffle,
    callable_counts,
    claimants,
)
from rum500.match.hand_order import ORDERS, arranged, groups
from rum500.match.match_view import MatchView
from rum500.match.record_check import problems_of_match
from rum500.match.scores import DealScore, MatchResult, Payment, SheetLine, Standing, sheet_of
from rum500.match.suggestions import Choice, alternatives, choices, holds_fourth, playing, taking

__all__ = [
    "ORDERS",
    "Choice",
    "Claimant",
    "Cut",
    "CutAt",
    "DealScore",
    "Decision",
    "DrawAt",
    "DrawCard",
    "Input",
    "Match",
    "MatchError",
    "MatchResult",
    "MatchView",
    "Order",
    "Over",
    "Payment",
    "Play",
    "Resign",
    "Restock",
    "SheetLine",
    "Shuffle",
    "Standing",
    "alternatives",
    "arranged",
    "callable_counts",
    "choices",
    "claimants",
    "groups",
    "holds_fourth",
    "playing",
    "problems_of_match",
    "sheet_of",
    "taking",
]
