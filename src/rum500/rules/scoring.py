"""What cards count (R-SCORE-2, D8)."""

from __future__ import annotations

from rum500.rules.ruleset import Ruleset


def card_values(rules: Ruleset) -> list[int]:
    """Points of a natural card by position: ace low, 2 to king, ace high; in sets and hands aces are high."""
    low = [5] * 8 if rules.low_cards == "five" else list(range(2, 10))
    return [rules.ace_low, *low, 10, 10, 10, 10, 15]
