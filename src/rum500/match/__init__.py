"""A whole match: draw for deal, cut, deals, totals, settlement. It takes inputs and gives events.

>>> from rum500.match import Match
>>> from rum500.rules.ruleset import ruleset
>>> match = Match.quick(ruleset("500-rum"), players=2, seed=7)
>>> type(match.decision).__name__, match.number, match.totals
('Play', 1, (0, 0))
"""

from rum500.match._choices import Choice, alternatives, choices, holds_fourth, playing, taking
from rum500.match._claims import Claimant, callable_counts, claimants
from rum500.match._decisions import (
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
)
from rum500.match._hand import ORDERS, HandGroup, arranged, grouped, groups
from rum500.match._match import Match
from rum500.match._record import problems_of_match
from rum500.match._scores import DealScore, MatchResult, Payment, Standing
from rum500.match._sheet import SheetLine, sheet_of
from rum500.match._view import MatchView

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
    "HandGroup",
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
    "grouped",
    "groups",
    "holds_fourth",
    "playing",
    "problems_of_match",
    "sheet_of",
    "taking",
]
