"""A whole match: draw for deal, cut, deals, totals, settlement. A match takes inputs and returns events.

>>> from rum500.match import Match
>>> from rum500.rules.profiles import ruleset
>>> match = Match.quick(ruleset("500-rum"), players=2, seed=7)
>>> type(match.decision).__name__, match.number, match.totals
('PlayNeeded', 1, (0, 0))
"""

from rum500.match.decisions import (
    Claimant,
    CutAt,
    CutNeeded,
    Decision,
    DrawAt,
    DrawNeeded,
    Input,
    MatchError,
    MatchOver,
    PackOrder,
    PlayNeeded,
    Resign,
    Restock,
    ShuffleNeeded,
    callable_counts,
    claimants,
    kind_of,
)
from rum500.match.hand_order import ORDERS, groups, in_order
from rum500.match.match import Match
from rum500.match.match_record import inputs_of
from rum500.match.match_view import MatchView
from rum500.match.record_check import problems_of_match
from rum500.match.scores import DealScore, MatchResult, Payment, SheetLine, Standing, sheet_of
from rum500.match.suggestions import (
    Suggestion,
    alternatives,
    holds_fourth,
    suggest_cards,
    suggest_take,
    suggestions,
    why_not_laid,
)

__all__ = [
    "ORDERS",
    "Claimant",
    "CutAt",
    "CutNeeded",
    "DealScore",
    "Decision",
    "DrawAt",
    "DrawNeeded",
    "Input",
    "Match",
    "MatchError",
    "MatchOver",
    "MatchResult",
    "MatchView",
    "PackOrder",
    "Payment",
    "PlayNeeded",
    "Resign",
    "Restock",
    "SheetLine",
    "ShuffleNeeded",
    "Standing",
    "Suggestion",
    "alternatives",
    "callable_counts",
    "claimants",
    "groups",
    "holds_fourth",
    "in_order",
    "inputs_of",
    "kind_of",
    "problems_of_match",
    "sheet_of",
    "suggest_cards",
    "suggest_take",
    "suggestions",
    "why_not_laid",
]
