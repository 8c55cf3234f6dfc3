"""A whole match: draw for deal, cut, deals, totals, settlement. It takes inputs and gives events.

>>> from rum500.match import Match
>>> from rum500.rules.ruleset import ruleset
>>> match = Match.quick(ruleset("500-rum"), players=2, seed=7)
>>> type(match.decision).__name__, match.number, match.totals
('Play', 1, (0, 0))
"""

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
from rum500.match._match import Match
from rum500.match._record import problems_of_match
from rum500.match._scores import DealScore, MatchResult, Payment, Standing
from rum500.match._view import MatchView

__all__ = [
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
    "Shuffle",
    "Standing",
    "problems_of_match",
]
