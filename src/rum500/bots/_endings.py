"""Endings in which a seat can work out where every card is: they are played exactly."""

from __future__ import annotations

from rum500.ai import KnownDeal, known_deal
from rum500.ai.endgame import Endgame
from rum500.ai.search import Search, SearchWorker
from rum500.bots.match_value import set_match_value
from rum500.rules.action_codes import lays_cards
from rum500.rules.engine.core import Core
from rum500.view import View

POSITIONS = 20_000
"""An ending in which more would have to be looked at is left to the search; they take some 20 ms."""


def solved(view: View) -> dict[int, int] | None:
    """By legal action, the margin in points if both sides play as well as can be; None where it is not known.

    Where the match is about to end it is what a search counts there (`set_match_value`).
    It is known where there are two accounts, no card is hidden from the seat, no stock will be made anew,
    and few enough positions can follow.
    """
    return solved_from(view, known_deal(view))


def solved_from(view: View, seat: KnownDeal) -> dict[int, int] | None:
    """`solved`, where the seat's form of the view is there already."""
    rules = view.rules
    two = view.players == 2 or rules.sides == 2
    if view.seat is None or not two or not _is_open(seat) or rules.restock or rules.match_end == "at_once":
        return None
    worlds = seat.worlds()
    judge = Search(worlds, view.seat, ())
    staked = set_match_value(judge, view)
    return Endgame().solve(
        worlds.world(0), view.seat, POSITIONS, SearchWorker(judge, None) if staked else None
    )


def winning_play(view: View, core: Core) -> int | None:
    """A meld or lay-off that ends the match as won (D14), the one of most points; None if there is none."""
    if view.rules.match_end != "at_once":
        return None
    needed = view.rules.target - core.side_points(core.actor)
    plays = [code for code in view.legal if lays_cards(code) and core.points(code) >= needed]
    return max(plays, key=core.points, default=None)


def _is_open(seat: KnownDeal) -> bool:
    """Whether only one deal agrees with what is seen: unseen are one hand's cards, or one in the stock."""
    return seat.stock + sum(map(bool, seat.room)) <= 1
