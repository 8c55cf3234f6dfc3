"""The work of deals of the day that runs in worker processes."""

from __future__ import annotations

from datetime import date

import msgspec

from rum500.puzzles.day_deal import DayDeal

BOT_POINTS = f"{__name__}:bot_points"
"""The name of `bot_points`, for worker processes."""


def bot_points(day: str, seed: str, level: str, first: int, count: int) -> bytes:
    """Return the points of a bot in `count` games of a day's deal, from game `first` on, as JSON."""
    deal = DayDeal(date.fromisoformat(day), bytes.fromhex(seed))
    return msgspec.json.encode([deal.played_by(level, game) for game in range(first, first + count)])
